"""Expressions of drawn programs: each takes one and gives a larger one, or None."""

from __future__ import annotations

import numpy as np

from tests.porting.drawn.draft import Piece

DTYPES = ("uint8", "float32", "float64", "int32", "uint16", "int64", "int8", "int16", "bool")
_CONSTANTS = {
    "f": (2, 0.5, 0.3, 255, 1.5, 0.1, -3, 1e-3, 7.7),
    "i": (2, 1, 3, 7, -1, 100),
    "u": (2, 1, 3, 7, 100, 255),
}


def expression(draft, depth=2):
    """Draw an expression."""
    piece = array(draft)
    for _ in range(draft.choice.randint(1, depth)):
        made = draft.pick(_EXPRESSIONS)(draft, piece)
        if made is not None and draft.value(made.text) is not None:
            piece = made
    return piece


def joinable(draft):
    """Draw arithmetic that an optimiser would like to join, or None."""
    return draft.pick((_joined, _joined, _threshold))(draft, array(draft))


def array(draft):
    """Draw the name of an array."""
    return draft.facts[draft.pick(draft.arrays())]


def _dtype(draft, piece):
    return np.asarray(draft.value(piece.text)[0]).dtype


def constant(draft, dtype):
    """Draw a number to compute with, or the name of one."""
    kind = dtype.kind if dtype.kind in "fu" else "i"
    named = draft.numbers("iu" if kind != "f" else "iuf")
    if named and draft.chance(3):
        return draft.facts[draft.pick(named)]
    mixed = draft.chance(3) and dtype.kind != "f"
    return Piece(str(draft.pick(_CONSTANTS["f" if mixed else kind])))


def _arithmetic(draft, piece):
    other = constant(draft, _dtype(draft, piece))
    operator = draft.pick(("*", "+", "-", "/"))
    turned = draft.chance(4) and operator != "/"
    text = f"({other.text} {operator} {piece.text})" if turned else f"({piece.text} {operator} {other.text})"
    return _combined(draft, text, piece, other)


def _of_two(draft, piece):
    other = array(draft)
    return _combined(draft, f"({piece.text} {draft.pick(('+', '-', '*'))} {other.text})", piece, other)


def _combined(draft, text, *pieces, slack=0.0):
    """Return arithmetic, and note which operators it has between floats."""
    value = draft.value(text)
    if value is None:
        return None
    if np.asarray(value[0]).dtype.kind == "f":
        draft.operators |= {sign for sign in "+-*" if f" {sign} " in text}
        draft.operators |= {"*"} if "square" in text else set()
    return Piece(text, max(slack, *(one.slack for one in pieces)))


# Arithmetic that an optimiser would like to join, or has no kernel for once it did.
_JOINED = (
    "({0} + {1} - {2})", "({0} - {1} + {2})", "({1} - ({0} - {2}))", "({0} * {1} * {2})", "({0} / {1} / {2})",
    "({0} * {1} / {2})", "({1} / ({0} / {2}))", "({1} / (np.abs({0}) + 1))", "(1 / (np.abs({0}) + 1))",
    "({1} / np.sqrt(np.abs({0}) + 1))", "np.sqrt(np.square({0} * 1e-30))", "np.sqrt({0} * {0})",
    "(0 - {0})", "(({0} - {1}) ** 2)", "(({0} - {1}) * ({0} - {1}))",
    "({1} / (np.abs({0}) + {2}))", "(1 / np.clip({0}, 1, None))",
    "({0} - {0}.max(axis=-1, keepdims=True))", "(({0} - {0}.min()) / {1})",
)  # fmt: skip
_JOINED_LOOSELY = (
    "np.log(np.exp(np.abs({0})))", "(np.exp(np.abs({0})) * np.exp(np.abs({0}) * -2))",
    "(np.exp(np.abs({0})) / np.exp(np.abs({0}) * 2))", "({0} ** -0.5)", "({0} ** 0.5)",
    "(np.exp(np.abs({0}) * -2) * np.exp(np.abs({0})))",
)  # fmt: skip


def _joined(draft, piece):
    dtype = _dtype(draft, piece)
    first, second = constant(draft, dtype), constant(draft, dtype)
    if dtype.kind == "f" and draft.chance(2 if draft.special else 6):
        text = draft.pick(_JOINED_LOOSELY).format(piece.text)
        return _combined(draft, text, piece, slack=_ulps(dtype))
    return _combined(
        draft, draft.pick(_JOINED).format(piece.text, first.text, second.text), piece, first, second
    )


def _helper(draft, piece):
    if draft.chance(2):
        draft.helpers.add("bounded")
        return piece.inside("bounded({}, 1, 100)")
    other = array(draft)
    made = f"mix({piece.text}, {other.text})"
    if draft.value(made) is None:
        return None
    draft.helpers.add("mix")
    draft.operators |= set("+-*")
    return Piece(made, max(piece.slack, other.slack))


def _clip(draft, piece):
    return piece.inside(draft.pick(("np.clip({}, 0, 100)", "{}.clip(5, 200)", "np.clip({}, None, 50)")))


def _extreme(draft, piece):
    name, other = draft.pick(("maximum", "minimum")), constant(draft, _dtype(draft, piece))
    return Piece(f"np.{name}({piece.text}, {other.text})", max(piece.slack, other.slack))


def _plain(draft, piece):
    forms = ("np.abs({})", "np.ascontiguousarray({})", "{}.copy()", "np.array({})", "np.sort({}, axis=0)")
    return piece.inside(draft.pick(forms))


def _transcendental(draft, piece):
    dtype = _dtype(draft, piece)
    if dtype.kind not in "iuf" or dtype.itemsize == 1:
        return None
    text = draft.pick(("np.exp(np.clip({}, -4, 4))", "np.log(np.abs({}) + 1)", "np.sin({})", "np.tanh({})"))
    # Beside whole numbers of two bytes NumPy computes in float32.
    return piece.inside(text, _ulps(np.result_type(dtype, np.float32)))


def _ulps(dtype):
    return 64 * float(np.finfo(dtype).eps)


def _root(draft, piece):
    if piece.slack or _dtype(draft, piece).kind == "b":
        return None
    return piece.inside("np.sqrt(np.abs({}))")


def _threshold(draft, piece):
    """Draw what turns over at a value: of exact values only."""
    if piece.slack:
        return None
    other = constant(draft, _dtype(draft, piece))
    if other.slack:
        return None
    sign = draft.pick((">", "<=", "<", "!="))
    # NumPy 1 promotes numbers in `where`, even if told to promote as NumPy 2 does.
    old = np.lib.NumpyVersion(np.__version__) < "2.0.0"
    choice = [] if old else ["np.where({0} {1} {2}, {0}, {3})"]
    form = draft.pick(["({0} {1} {2})", "(~({0} {1} {2}))", "({0} * ({0} {1} {2}))", *choice])
    text = form.format(piece.text, sign, other.text, draft.pick((0, 1, 7)))
    return _combined(draft, text, piece) if "*" in form else Piece(text)


def _rounded(draft, piece):
    if piece.slack or _dtype(draft, piece).kind != "f":
        return None
    return piece.inside(f"np.{draft.pick(('floor', 'rint', 'ceil'))}({{}})")


def _cast(draft, piece):
    goal = np.dtype(draft.pick((*DTYPES, "float32", "float32")))
    own = _dtype(draft, piece)
    if goal.kind == "f":
        return piece.inside(f"{{}}.astype(np.{goal.name})", _ulps(goal) if piece.slack else 0.0)
    if piece.slack:
        return None
    name = "bool" if goal.kind == "b" else f"np.{goal.name}"
    if own.kind == "f":
        if draft.special:
            return None
        # What lies outside of a dtype has no value that NumPy promises.
        low, high = (0, 1) if goal.kind == "b" else (np.iinfo(goal).min, np.iinfo(goal).max)
        return piece.inside(f"np.clip({{}}, {max(low, -30_000)}, {min(high, 30_000)}).astype({name})")
    return piece.inside(f"{{}}.astype({name})")


def _reduction(draft, piece):
    value = np.asarray(draft.value(piece.text)[0])
    if not value.ndim:
        return None
    name = draft.pick(("max", "min", "sum", "mean", "std"))
    axis = draft.pick((None, 0, -1))
    if value.dtype.kind == "b" and name == "std":
        return None
    inside = [] if axis is None else [f"axis={axis}"]
    inside += ["keepdims=True"] * draft.chance(2)
    text = f"{piece.text}.{name}({', '.join(inside)})"
    if name in ("max", "min") or (name != "std" and value.dtype.kind != "f"):
        return Piece(text, piece.slack)
    return Piece(text, max(piece.slack, _of_a_sum(value, axis)))


def _of_a_sum(value, axis=None):
    """Return how far a sum of floats may be off."""
    # NumPy adds up rows of the first axis one after the other: the error grows with their number.
    count = value.size if axis is None else value.shape[axis]
    return _ulps(np.float32 if value.dtype == np.float32 else np.float64) * max(1, count / 1000)


_VIEWS = (
    *("{}[1:]", "{}[::-1]", "{}[..., 0]", "{}[:, ::2]", "{}[:-1, 1:]", "{}[0]", "{}[None]"),
    *("{}.T", "{}.reshape(-1)", "np.flip({}, 0)", "np.transpose({}, (1, 2, 0))", "np.rot90({})"),
    "np.moveaxis({}, 0, -1)",
)


def view(draft, piece):
    """Draw a view."""
    return piece.inside(draft.pick(_VIEWS))


def _stacked(draft, piece):
    other = array(draft)
    call = draft.pick(("stack([{}, {}])", "concatenate([{}, {}], axis=0)", "stack([{}, {}], axis=-1)"))
    return Piece(f"np.{call}".format(piece.text, other.text), max(piece.slack, other.slack))


def elements(draft, count):
    """Draw a list or a tuple that holds elements of arrays."""
    parts = []
    for _ in range(count):
        one = array(draft)
        first = ", ".join(["0"] * np.ndim(draft.spaces[0][one.text]))
        number = constant(draft, np.dtype(float))
        parts.append(
            draft.pick(
                (
                    number,
                    one.inside("{}.max()"),
                    one.inside(f"{{}}[{first}]"),
                    one.inside("{}.mean()", _of_a_sum(draft.spaces[0][one.text])),
                )
            )
        )
    text = ", ".join(one.text for one in parts)
    return Piece(f"({text},)" if draft.chance(2) else f"[{text}]", max(one.slack for one in parts))


def _list(draft, piece):
    last = np.shape(draft.value(piece.text)[0])[-1:]
    if last not in ((2,), (3,)):
        return None
    row = elements(draft, last[0])
    sides = (piece.text, row.text)[:: draft.pick((1, 1, -1))]
    return _combined(draft, f"({sides[0]} {draft.pick(('*', '+', '-'))} {sides[1]})", piece, row)


_EXPRESSIONS = (
    *(_arithmetic,) * 5,
    *(_joined,) * 6,
    *(_threshold,) * 4,
    *(_cast,) * 3,
    *(_reduction,) * 3,
    *(view,) * 3,
    *(_clip,) * 2,
    *(_of_two,) * 2,
    *(_list,) * 2,
    _helper,
    _extreme,
    _plain,
    _transcendental,
    _root,
    _rounded,
    _stacked,
)
