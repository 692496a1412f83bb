"""Hypothesis strategies that draw programs, statement by statement."""

from __future__ import annotations

import copy
import warnings

import numpy as np
from hypothesis import strategies as st

from tests.porting.drawn.draft import Draft, Piece, differs
from tests.porting.drawn.expressions import DTYPES, constant, expression, may_join
from tests.porting.drawn.programs import HELPERS, Argument, Program, promoting

_TINY = ((6,), (4, 3), (5, 4, 3), (2, 3, 2, 3))
_REAL = ((64, 64, 3), (128, 160, 3), (97, 520), (224, 224, 3), (300, 520))


# -- statements: each returns lines of source, or nothing


def _assigned(draft):
    piece = expression(draft, 3)
    old = [name for name in draft.arrays() if name not in draft.arguments] or draft.arrays()
    new = None if draft.depth else next(draft.names, None)
    target = draft.pick(old) if new is None or draft.chance(3) else new
    text = f"{target} = {piece.text}"
    return [text] if draft.try_lines([(text, text)], {target: piece}) else []


def _drawn(draft):
    if draft.depth:
        return []
    target = next(draft.names, None)
    if target is None:
        return []
    call, values = draft.pick(
        (
            ("random.randint(0, 3)", (0, 3)),
            ("random.uniform(0.5, 1.5)", (0.6, 1.3)),
            ("random.random()", (0.2, 0.9)),
            *([("np.random.uniform(-20, 20)", (-11.5, 17.25))] * draft.is_allowed("uniform draws")),
            ("np.random.randint(1, 4)", (1, 3)),
            ("random.choice([0.3, 2.0, 1.1])", (0.3, 1.1)),
            ("random.choice([1, 2, 5])", (1, 5)),
        )
    )
    lines = [tuple(f"{target} = {value}" for value in values)]
    return [f"{target} = {call}"] if draft.try_lines(lines, {target: Piece(target)}) else []


def _place(draft):
    places = ("[1:]", "[0]", "[::2]", "[..., 0]", "[:, 1:]", "[-1]", "[:2]", "[::-1]")
    whole = draft.numbers("iu")
    if whole and draft.chance(3):
        places = (f"[{draft.pick(whole)}]", f"[:{draft.pick(whole)}]", f"[{draft.pick(whole)}:]")
    return draft.pick(places)


def _written(draft):
    """Draw a write into an array."""
    target = draft.pick(draft.arrays())
    dtype = draft.spaces[0][target].dtype
    if draft.shares(target) and not draft.is_allowed("views"):
        return []
    fact = draft.facts[target]
    operator = draft.pick(("=", "+=", "*=", "-="))
    if operator != "=" and not may_join(draft, (fact,), whole=dtype.kind != "f"):
        return []
    value = constant(draft, dtype)
    place = _place(draft)
    form = draft.draw(st.integers(0, 3))
    if form == 1 and operator != "=":
        place = ""
    elif form == 2 and draft.is_allowed("views"):
        place += draft.pick(("[:1]", ".T[0]", "[...]", ".reshape(-1)[:2]"))
    elif form == 3 and not fact.slack:
        place = f"[{target} > {draft.pick((0, 50, 100))}]"
    text = f"{target}{place} {operator} {value.text}"
    made = Piece(target, max(fact.slack, value.slack), dtype.kind == "f" and (operator != "=" or fact.joined))
    if draft.depth and made.joined and not draft.is_allowed("order"):
        return []
    if dtype.kind == "f":
        draft.operators |= set(operator[:-1])
    return [text] if draft.try_lines([(text, text)], _seen_by(draft, target, made)) else []


def _seen_by(draft, target, fact):
    """Return facts for each name that sees a written array."""
    mine = draft.spaces[0][target]
    return {
        name: Piece(name, max(fact.slack, draft.facts[name].slack), fact.joined or draft.facts[name].joined)
        for name in draft.arrays()
        if name == target or np.may_share_memory(draft.spaces[0][name], mine)
    }


def _written_by_a_helper(draft):
    if not draft.is_allowed("views"):
        return []
    target = draft.pick(draft.arrays())
    form = draft.draw(st.integers(0, 2))
    value = draft.pick((0, 7, 50))
    place = _place(draft)
    if form == 0:
        text = f"fill({target}{place}, {value})"
    elif form == 1:
        text = f"np.clip({target}{place}, 5, 90, out={target}{place})"
    else:
        text = f"for row in {target}:\n    row[:1] = {value}"
    if not draft.try_lines([(text, text)], _seen_by(draft, target, draft.facts[target])):
        return []
    if form == 0:
        draft.helpers.add("fill")
    return text.split("\n")


def _condition(draft):
    numbers = draft.numbers("iuf")
    exact = [name for name in draft.arrays() if not draft.facts[name].slack]
    forms = []
    if numbers := [name for name in numbers if not draft.facts[name].slack]:
        name = draft.pick(numbers)
        forms += [f"{name} > 1", f"{name} < 0.8", f"{name} != 2"]
    if exact:
        name = draft.pick(exact)
        if draft.spaces[0][name].dtype.kind != "b":
            forms += [f"{name}.max() > 99", f"({name} > 50).any()", f"{name}.min() < 0"]
    return draft.pick(forms) if forms else None


def _branch(draft):
    if draft.depth > 1 or (condition := _condition(draft)) is None or draft.value(condition) is None:
        return []
    blocks = [_block(draft)]
    if draft.chance(2):
        blocks.append(_block(draft))
    if not all(blocks):
        return []
    lines = [f"if {condition}:", *_indented(blocks[0])]
    if len(blocks) == 2:
        lines += ["else:", *_indented(blocks[1])]
    text = "\n".join(lines)
    return lines if draft.try_lines([(text, text)], {}) else []


def _loop(draft):
    if draft.depth > 1:
        return []
    counts = [name for name in draft.numbers("iu") if not draft.facts[name].slack]
    count = draft.pick((*counts, "2", "3"))
    variable = ("i", "ii", "iii")[draft.depth]
    draft.loops += 1
    block = _block(draft, variable)
    draft.loops -= 1
    if not block:
        return []
    lines = [f"for {variable} in range({count}):", *_indented(block)]
    text = "\n".join(lines)
    return lines if draft.try_lines([(text, text)], {}) else []


def _block(draft, variable=None):
    """Draw the statements of a block; they are tried as if they stood alone, and then forgotten."""
    kept = copy.copy(draft.lines), draft.spaces
    draft.depth += 1
    if variable:
        draft.try_lines([(f"{variable} = 0", f"{variable} = 1")], {variable: Piece(variable)})
    lines = []
    for _ in range(draft.draw(st.integers(1, 2))):
        lines += draft.pick(_STATEMENTS)(draft)
    draft.depth -= 1
    before, after = kept[1][0], draft.spaces[0]
    changed = any(differs(one, after[name]) for name, one in before.items())
    draft.lines, draft.spaces = kept
    draft.facts.pop(variable, None)
    if changed:
        # Mostly refused: a name has one dtype and number of axes.
        if not draft.chance(6):
            return []
        draft.fixed = False
    return lines


def _indented(lines):
    return [f"    {line}" for line in lines]


_STATEMENTS = (
    *(_assigned,) * 6,
    *(_written,) * 3,
    *(_branch,) * 2,
    *(_loop,) * 2,
    _drawn,
    _written_by_a_helper,
)


# -- whole programs


@st.composite
def programs(draw, kinds=(), real=False):
    """Draw programs.

    Parameters
    ----------
    kinds : iterable of str, default ()
        Which of `KINDS` may be drawn too.
    real : bool, default False
        Images of 64 to 520 px instead of arrays of a few elements.
    """
    draft = Draft(draw, kinds)
    shape = draft.pick(_REAL if real else _TINY)
    special = draft.chance(10) and draft.is_allowed("NaN")
    draft.arguments["x"] = Argument(draft.pick(("uint8", "float32", *DTYPES)), shape, special=special)
    if draft.chance(3):
        draft.arguments["y"] = Argument(draft.pick(DTYPES), draft.pick((shape, shape[-1:])), special=special)
    if draft.chance(2):
        draft.arguments["k"] = Argument(draft.pick(("int64", "int32")), (), (1, 3))
    if draft.chance(3):
        draft.arguments["u"] = Argument(draft.pick(("float32", "float64")), (), (0.7, 1.3))
    draft.facts = {name: Piece(name) for name in draft.arguments}
    with promoting(), warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        draft.spaces = draft.run([])
        lines = []
        for _ in range(draw(st.integers(3, 9))):
            lines += draft.pick(_STATEMENTS)(draft)
    results = [name for name in draft.spaces[0] if name not in draft.arguments or name in draft.arrays()]
    results = results[-5:]
    body = [f"def body({', '.join(draft.arguments)}):", *_indented(lines), f"    return {', '.join(results)}"]
    helpers = [HELPERS[name] for name in sorted(draft.helpers)]
    slack = {name: draft.facts[name].slack for name in results if draft.facts[name].slack}
    source = "\n\n".join([*helpers, "\n".join(body) + "\n"])
    compiles = draft.fixed and not ("*" in draft.operators and len(draft.operators) > 1)
    return Program(source, draft.arguments, slack, draft.scale, frozenset(draft.used), compiles)
