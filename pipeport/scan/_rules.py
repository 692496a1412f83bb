"""Every rule of `pipeport scan`: title, reason, and the correct code."""

from __future__ import annotations

from pipeport.errors import UnsupportedArgument, explain
from pipeport.scan._bug_rules import BUGS
from pipeport.scan._rule import Rule

CLEAR, CHANGE, ISLANDS, NEVER, ELSEWHERE, UNKNOWN = VERDICTS = (
    "no obstacle found", "a change needed", "islands", "not replaceable", "not a tf.data matter", "unknown",
)  # fmt: skip

# Why a generator stays, which every inspection says too.
GENERATOR = (
    "A generator runs in Python. Where it reads files, make a dataset of their paths and map a reader; "
    "arrays go to from_tensor_slices: pipeport recipe data-from-python."
)

_VERDICTS = (
    Rule(
        "PP001",
        CLEAR,
        "Every call in the function behind the boundary has a native, and it has no statement that a "
        "graph cannot hold. Text cannot prove more: `pipeport run` tries it on its own data, and "
        "`pipeport verify` compares the ported function with the original.",
    ),
    Rule(
        "PP002",
        CHANGE,
        "The function can be ported after a small change, which the report names: a `try` that goes, a "
        "seed that is given instead of set, a dtype for `numpy.load` where no `Tout` states it.",
    ),
    Rule(
        "PP003",
        ISLANDS,
        "Some of its calls have a native and some have not. `pipeport.port(f, example=..., "
        "islands=True)` keeps Python for the latter alone.",
    ),
    Rule(
        "PP004",
        NEVER,
        "It does what no graph can do: it opens files of a format without a reader, runs another "
        "framework, or all its work is in functions without a native. The report names the call and the "
        "nearest way.",
    ),
    Rule(
        "PP005",
        ELSEWHERE,
        "It is a tokeniser, a metric, a step of an environment, a writer of records or a log: nothing "
        "that would be faster in an input pipeline. Leave it.",
    ),
    Rule(
        "PP006",
        UNKNOWN,
        "The text does not tell what is called: a parameter, an object made elsewhere, or a module "
        "outside of the scanned files. Scan the folder that holds it too.",
    ),
)

RULES: dict[str, Rule] = {rule.code: rule for rule in (*_VERDICTS, *BUGS)}
CODES = {rule.title: rule.code for rule in _VERDICTS}


def known(codes: list[str], parameter: str) -> frozenset[str]:
    """Return the codes that some prefixes stand for.

    `codes`: codes or beginnings of codes: 'PP101', 'PP1'. `parameter`: where they are given, for the error.
    """
    found: set[str] = set()
    for code in codes:
        those = {one for one in RULES if code and one.startswith(code)}
        if not those:
            allowed = f"{', '.join(RULES)}, or a beginning such as PP0"
            advice = "`pipeport scan --explain CODE` says what one means."
            raise UnsupportedArgument(explain(parameter, repr(code), allowed, advice))
        found |= those
    return frozenset(found)


def explained(code: str) -> list[Rule]:
    """Return the rules that a code, or the beginning of one, stands for.

    Parameters
    ----------
    code : str
        'PP101', or 'PP1' for all bugs.

    Returns
    -------
    list of Rule
        By code.

    Raises
    ------
    UnsupportedArgument
        It stands for none.
    """
    return [RULES[one] for one in sorted(known([code], "code"))]


def page(rule: Rule) -> str:
    """Return the text of a rule in Markdown, with a heading of the second level.

    Parameters
    ----------
    rule : Rule
        The rule.

    Returns
    -------
    str
        Title, reason, before and after.
    """
    text = f"## {rule.code}: {rule.title}\n\n{rule.why}\n"
    for name, code in (("Before", rule.before), ("After", rule.after)):
        if code:
            text += f"\n{name}:\n\n```python\n{code}```\n"
    return text
