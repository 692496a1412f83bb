"""How programs are drawn, statement by statement."""

from __future__ import annotations

import copy
import random
import re
import warnings

import numpy as np

from tests.porting.drawn.draft import Draft, Piece, differs
from tests.porting.drawn.expressions import DTYPES, array, constant, elements, expression, joinable, view
from tests.porting.drawn.programs import HELPERS, Argument, Program, promoting

_TINY = ((6,), (4, 3), (5, 4, 3), (2, 3, 2, 3))
_REAL = ((64, 64, 3), (128, 160, 3), (97, 520), (224, 224, 3), (300, 520))


# -- statements: each returns lines of source, or nothing


def _target(draft):
    """Draw the name that is assigned to: a new one, or that of an array."""
    old = [name for name in draft.arrays() if name not in draft.arguments] or draft.arrays()
    new = None if draft.depth else next(draft.names, None)
    return draft.pick(old) if new is None or draft.chance(3) else new


def _assigned(draft):
    return _named(draft, expression(draft, 3))


def _computed(draft):
    piece = joinable(draft)
    return [] if piece is None or draft.value(piece.text) is None else _named(draft, piece)


def _named(draft, piece):
    target = _target(draft)
    text = f"{target} = {piece.text}"
    return [text] if draft.try_lines([(text, text)], {target: piece}) else []


def _seen(draft):
    """Draw a name for an array, a view, or what may be one."""
    one = array(draft)
    for _ in range(draft.choice.randint(0, 2)):
        longer = view(draft, one)
        one = one if draft.value(longer.text) is None else longer
    kind, condition = draft.choice.randrange(4), _condition(draft)
    if kind == 0:
        one = one.inside(draft.pick(("np.asarray({})", "np.ascontiguousarray({})", "np.split({}, [1])[1]")))
    elif kind == 1 and condition is not None:
        other = array(draft)
        form = draft.pick(("({0} if {2} else {0}.copy())", "({0} if {2} else {1})"))
        text = form.format(one.text, other.text, condition)
        one = Piece(text, max(one.slack, other.slack))
    elif kind == 2 and not one.slack:  # of elements in NumPy's order of memory, a view or a copy
        text = draft.pick(("{}.reshape(-1)", "{}.ravel()", "{}.reshape(-1, 1)"))
        one = one.inside("({} * 2)").inside(text) if draft.chance(3) else one.inside(text)
    lines = _named(draft, one) if draft.value(one.text) is not None else []
    return [*lines, *_written(draft)] if lines else []


def _in_memory(draft):
    """Draw a result in another order of memory, its elements in a row, and a write to these."""
    one, first = array(draft), next(draft.names, None)
    second = next(draft.names, None)
    if draft.depth or second is None:
        return []
    turned = draft.pick(("{}.T", "np.moveaxis({}, 0, -1)", "np.flip({}, 0)"))
    result = draft.pick(("({} * 2)", "np.sort({}, axis=0)", "np.concatenate([{}, {}])")).replace("{}", turned)
    lines = [
        f"{first} = {result.replace('{}', one.text)}",
        f"{second} = {first}{draft.pick(('.reshape(-1)', '.ravel()'))}",
        f"{second}[{draft.pick(('1:', '0', ':2'))}] = {draft.pick((0, 1, 7))}",
    ]
    facts = {name: Piece(name, one.slack) for name in (first, second)}
    return lines if draft.try_lines([(line, line) for line in lines], facts) else []


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
    fact = draft.facts[target]
    operator = draft.pick(("=", "+=", "*=", "-="))
    value = constant(draft, dtype)
    place = _place(draft)
    form = draft.choice.randrange(5)
    if form == 1 and operator != "=":
        place = ""
    elif form == 2:
        place += draft.pick(("[:1]", ".T[0]", "[...]", ".reshape(-1)[:2]"))
    elif form == 3 and not fact.slack:
        place = f"[{target} > {draft.pick((0, 50, 100))}]"
    elif form == 4:
        place, value = draft.pick(("[:2]", "[..., :2]", "[:, :2]")), elements(draft, 2)
    text = f"{target}{place} {operator} {value.text}"
    if dtype.kind == "f":
        draft.operators |= set(operator[:-1])
    slack = max(fact.slack, value.slack)
    return [text] if draft.try_lines([(text, text)], _seen_by(draft, target, slack)) else []


def _counted(draft):
    """Draw another name for a number, which then changes."""
    numbers, target = draft.numbers("iuf"), None if draft.depth else next(draft.names, None)
    if not numbers or target is None:
        return []
    name = draft.pick(numbers)
    fact, value = draft.facts[name], constant(draft, np.asarray(draft.spaces[0][name]).dtype)
    lines = [f"{target} = {name}", f"{name} {draft.pick(('+=', '*=', '-='))} {value.text}"]
    facts = {target: fact, name: Piece(name, max(fact.slack, value.slack))}
    return lines if draft.try_lines([(line, line) for line in lines], facts) else []


def _seen_by(draft, target, slack):
    """Return facts for each name that sees a written array."""
    return {name: Piece(name, max(slack, draft.facts[name].slack)) for name in draft.sharing(target)}


def _written_by_a_helper(draft):
    target = draft.pick(draft.arrays())
    form = draft.choice.randrange(3)
    value = draft.pick((0, 7, 50))
    place = _place(draft)
    if form == 0:
        text = f"fill({target}{place}, {value})"
    elif form == 1:
        text = f"np.clip({target}{place}, 5, 90, out={target}{place})"
    else:
        text = f"for row in {target}:\n    row[:1] = {value}"
    if not draft.try_lines([(text, text)], _seen_by(draft, target, draft.facts[target].slack)):
        return []
    if form == 0:
        draft.helpers.add("fill")
    return text.split("\n")


def _condition(draft):
    exact = [name for name in draft.arrays() if not draft.facts[name].slack]
    forms = []
    if numbers := [name for name in draft.numbers("iuf") if not draft.facts[name].slack]:
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
    counts = [
        name
        for name in draft.numbers("iu")
        if not draft.facts[name].slack and max(space[name] for space in draft.spaces) < 7
    ]
    number, row = (f"{name}{draft.depth or ''}" for name in ("i", "row"))
    one = array(draft)
    whole = draft.spaces[0][one.text].dtype.kind in "iu" and not one.slack
    count = draft.pick((*counts, "2", "3"))
    most = draft.pick((count, f"{one.text}.max()", f"{one.text}.sum()")) if whole else count
    head = draft.pick(
        (
            *(f"for {number} in range({count}):",) * 2,
            f"for {number}, {row} in zip(range({most}), {one.text}):",
            f"for {number}, {row} in enumerate({one.text}):",
        )
    )
    starts = {number: ("0", "1"), **({row: (f"{one.text}[0]",) * 2} if row in head else {})}
    draft.loops += 1
    block = _block(draft, starts, one.slack)
    draft.loops -= 1
    if not block:
        return []
    left = _left_early(number, row if row in head else None, block)
    for lines in ([head, *left], [head, *_indented(block)]):
        text = "\n".join(lines)
        if draft.try_lines([(text, text)], {}):
            return lines
    return []


def _left_early(number, row, block):
    """Return the block of a loop with a `break` or `continue`, and mostly an `else`; or as it is.

    The block decides, so that what is drawn behind it stays the same.
    """
    choice = random.Random("\n".join(block))
    tests = [f"{number} == 1", f"{number} > 0", f"{number} % 2 == 0"]
    if row is not None:
        tests += [f"{row}.max() > 50", f"{row}.min() < 1"] * 2
    leave = [f"if {choice.choice(tests)}:", f"    {choice.choice(('break', 'continue'))}"]
    behind = ["else:", f"    {choice.choice(('x = x[::-1]', 'x = -x', 'x[:1] = 3'))}"]
    forms = (block, [*leave, *block], [*block, *leave])
    return [*_indented(choice.choice(forms)), *choice.choice(([], behind))]


def _block(draft, starts=None, slack=0.0):
    """Draw the statements of a block; they are tried as if they stood alone, and then forgotten."""
    kept = copy.copy(draft.lines), draft.spaces
    draft.depth += 1
    for name, values in (starts or {}).items():
        before, draft.loops = draft.loops, 0
        draft.try_lines([tuple(f"{name} = {value}" for value in values)], {name: Piece(name, slack)})
        draft.loops = before
    lines = []
    for _ in range(draft.choice.randint(1, 2)):
        lines += draft.pick(_STATEMENTS)(draft)
    draft.depth -= 1
    before, after = kept[1][0], draft.spaces[0]
    changed = any(differs(one, after[name]) for name, one in before.items())
    draft.lines, draft.spaces = kept
    for name in starts or {}:
        draft.facts.pop(name, None)
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
    *(_computed,) * 5,
    *(_written,) * 3,
    *(_branch,) * 2,
    *(_loop,) * 2,
    *(_seen,) * 2,
    _drawn,
    _counted,
    _in_memory,
    _written_by_a_helper,
)


# -- whole programs

_OF_LIBRARIES = (
    "np.squeeze", "np.abs", "np.square", "np.ravel", "np.transpose", "np.fliplr", "np.max", "np.sqrt",
    "partial(np.clip, a_min=5, a_max=90)", "partial(np.expand_dims, axis=0)", "partial(np.flip, axis=0)",
    "partial(np.rot90, k=3)", "partial(np.roll, shift=1)", "partial(np.repeat, repeats=2, axis=0)",
    "partial(np.max, axis=-1, keepdims=True)", "partial(np.pad, pad_width=1)", "partial(np.multiply, 3)",
    "partial(np.where, False, 1)", "partial(partial(np.sum, axis=0), keepdims=True)",
)  # fmt: skip


def _of_a_library(draft):
    """Draw a function of NumPy's that is the body itself."""
    text = draft.pick(_OF_LIBRARIES)
    draft.arguments = {"x": draft.arguments["x"]}
    if draft.value(f"({text})(x)") is None or ("sum" in text and draft.spaces[0]["x"].dtype.kind == "f"):
        text = "np.ravel"
    return Program(f"body = {text}\n", draft.arguments)


def program(number, seed=0, *, kinds=(), real=False):
    """Draw a program.

    Parameters
    ----------
    number : int
        Which one.
    seed : int, default 0
        Another one gives other programs.
    kinds : iterable of str, default ()
        Which of `KINDS` may be drawn too.
    real : bool, default False
        Images of 64 to 520 px instead of arrays of a few elements.

    Returns
    -------
    Program
        The same for the same arguments.
    """
    draft = Draft(random.Random(f"{seed}, {number}"), kinds)
    shape = draft.pick(_REAL if real else _TINY)
    special = draft.chance(4)
    dtype = draft.pick(("float32", "float64") if special else (*("uint8", "float32") * 4, *DTYPES))
    draft.arguments["x"] = Argument(dtype, shape, special=special)
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
        if draft.chance(30):
            return _of_a_library(draft)
        lines, count = [], draft.pick((1, 2, 3, 4, 5, 7, 9))
        for _ in range(2 * count + 4):
            lines += draft.pick(_STATEMENTS)(draft) if len(draft.lines) < count else []
    results = [name for name in draft.spaces[0] if name not in draft.arguments or name in draft.arrays()]
    results = results[-5:]
    body = [f"def body({', '.join(draft.arguments)}):", *_indented(lines), f"    return {', '.join(results)}"]
    helpers = [HELPERS[name] for name in sorted(draft.helpers)]
    slack = {name: draft.facts[name].slack for name in results if draft.facts[name].slack}
    source = "\n\n".join([*helpers, "\n".join(body) + "\n"])
    compiles = draft.fixed and not ("*" in draft.operators and len(draft.operators) > 1)
    # XLA must know a number that decides on a size, and multiplies by the reciprocal of it.
    compiles &= not (re.search(r"/ k\b", source) and re.search(r"[:\[]k\b", source))
    return Program(source, draft.arguments, slack, draft.scale, frozenset(draft.used), compiles)
