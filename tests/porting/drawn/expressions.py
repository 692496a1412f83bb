"""Expressions of drawn programs: each takes one and gives a larger one, or None."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from tests.porting.drawn.draft import Piece

DTYPES = ("uint8", "float32", "float64", "int32", "uint16", "int64", "int8", "int16", "bool")
_CONSTANTS = {
    "f": (2, 0.5, 0.3, 255, 1.5, 0.1, -3, 1e-3, 7.7),
    "i": (2, 1, 3, 7, -1, 100),
    "u": (2, 1, 3, 7, 100, 255),
}


def expression(draft, depth=2):
    """Draw an expression."""
    name = draft.pick(draft.arrays())
    piece = Piece(name, draft.facts[name].slack, draft.facts[name].joined)
    for _ in range(draft.draw(st.integers(1, depth))):
        made = draft.pick(_EXPRESSIONS)(draft, piece)
        if made is not None and draft.value(made.text) is not None:
            piece = made
    return piece


def _dtype(draft, piece):
    return np.asarray(draft.value(piece.text)[0]).dtype


def constant(draft, dtype):
    kind = dtype.kind if dtype.kind in "fu" else "i"
    named = draft.numbers("iu" if kind != "f" else "iuf")
    if named and draft.chance(3):
        name = draft.pick(named)
        return Piece(name, draft.facts[name].slack, draft.facts[name].joined)
    mixed = draft.chance(3) and dtype.kind != "f"
    return Piece(str(draft.pick(_CONSTANTS["f" if mixed else kind])))


def may_join(draft, pieces, *, whole, difference=False):
    """Say whether arithmetic of these may be drawn."""
    if draft.loops and not whole and not draft.is_allowed("order"):
        return False
    if any(one.joined for one in pieces) and not draft.is_allowed("order"):
        return False
    return not (whole and difference) or draft.is_allowed("order")


def _arithmetic(draft, piece):
    other = constant(draft, _dtype(draft, piece))
    operator = draft.pick(("*", "+", "-", "/"))
    turned = draft.chance(4)
    if operator == "/" and turned:
        turned = False
    if operator == "/" and other.text not in ("2", "0.5") and not draft.is_allowed("order"):
        return None
    text = f"({other.text} {operator} {piece.text})" if turned else f"({piece.text} {operator} {other.text})"
    return _combined(draft, text, (piece, other), difference=operator == "-" and turned)


def _of_two(draft, piece):
    name = draft.pick(draft.arrays())
    other = Piece(name, draft.facts[name].slack, draft.facts[name].joined)
    operator = draft.pick(("+", "-", "*"))
    return _combined(draft, f"({piece.text} {operator} {other.text})", (piece, other))


def _combined(draft, text, pieces, difference=False):
    value = draft.value(text)
    if value is None:
        return None
    whole = np.asarray(value[0]).dtype.kind != "f"
    if not may_join(draft, pieces, whole=whole, difference=difference):
        return None
    if not whole:
        draft.operators |= {sign for sign in "+-*" if sign in text} | ({"*"} if "square" in text else set())
    return Piece(text, max(one.slack for one in pieces), not whole or "-" in text)


def _square(draft, piece):
    return _combined(draft, draft.pick(("np.square({})", "({} ** 2)")).format(piece.text), (piece,))


def _helper(draft, piece):
    if draft.chance(2):
        draft.helpers.add("bounded")
        return piece.inside("bounded({}, 1, 100)")
    name = draft.pick(draft.arrays())
    made = f"mix({piece.text}, {name})"
    if draft.value(made) is None or not draft.is_allowed("order"):
        return None
    draft.helpers.add("mix")
    draft.operators |= set("+-*")
    return Piece(made, max(piece.slack, draft.facts[name].slack), True)


def _clip(draft, piece):
    return piece.inside(draft.pick(("np.clip({}, 0, 100)", "{}.clip(5, 200)", "np.clip({}, None, 50)")))


def _extreme(draft, piece):
    name, other = draft.pick(("maximum", "minimum")), constant(draft, _dtype(draft, piece))
    return Piece(f"np.{name}({piece.text}, {other.text})", max(piece.slack, other.slack), piece.joined)


def _plain(draft, piece):
    return piece.inside(draft.pick(("np.abs({})", "np.ascontiguousarray({})", "{}.copy()", "np.array({})")))


def _transcendental(draft, piece):
    dtype = _dtype(draft, piece)
    if dtype.kind not in "iuf" or dtype.itemsize == 1 or not may_join(draft, (piece,), whole=False):
        return None
    text = draft.pick(("np.exp(np.clip({}, -4, 4))", "np.log(np.abs({}) + 1)", "np.sin({})", "np.tanh({})"))
    # Beside whole numbers of two bytes NumPy computes in float32.
    return piece.inside(text, slack=max(piece.slack, _ulps(np.result_type(dtype, np.float32))), joined=True)


def _ulps(dtype):
    return 64 * float(np.finfo(dtype).eps)


def _root(draft, piece):
    if piece.slack or _dtype(draft, piece).kind == "b" or not may_join(draft, (piece,), whole=False):
        return None
    return piece.inside("np.sqrt(np.abs({}))", joined=True)


def _threshold(draft, piece):
    """Draw what turns over at a value: of exact values only."""
    if piece.slack:
        return None
    dtype = _dtype(draft, piece)
    other = constant(draft, dtype)
    if other.slack:
        return None
    sign = draft.pick((">", "<=", "<", "!="))
    forms = ["({} {} {})", "np.where({0} {1} {2}, {0}, {3})", "({0} * ({0} {1} {2}))"]
    # NumPy 1 promotes numbers in `where`, even if told to promote as NumPy 2 does.
    form = draft.pick(forms[::2] if np.lib.NumpyVersion(np.__version__) < "2.0.0" else forms)
    text = form.format(piece.text, sign, other.text, draft.pick((0, 1, 7)))
    if form is forms[2]:
        return _combined(draft, text, (piece,))
    return Piece(text, 0.0, form is forms[1] and piece.joined)


def _rounded(draft, piece):
    if piece.slack or _dtype(draft, piece).kind != "f":
        return None
    return piece.inside(f"np.{draft.pick(('floor', 'rint', 'ceil'))}({{}})", joined=False)


def _cast(draft, piece):
    goal = np.dtype(draft.pick(DTYPES))
    own = _dtype(draft, piece)
    if goal.kind == "f":
        return piece.inside(f"{{}}.astype(np.{goal.name})", slack=max(piece.slack, _eps(goal, piece)))
    if piece.slack:
        return None
    name = "bool" if goal.kind == "b" else f"np.{goal.name}"
    if own.kind == "f":
        if draft.special:
            return None
        # What lies outside of a dtype has no value that NumPy promises.
        low, high = (0, 1) if goal.kind == "b" else (np.iinfo(goal).min, np.iinfo(goal).max)
        return piece.inside(
            f"np.clip({{}}, {max(low, -30_000)}, {min(high, 30_000)}).astype({name})", joined=False
        )
    return piece.inside(f"{{}}.astype({name})", joined=piece.joined and goal.itemsize < 8)


def _eps(goal, piece):
    return _ulps(goal) if piece.slack else 0.0


def _reduction(draft, piece):
    value = draft.value(piece.text)
    array = np.asarray(value[0])
    if not array.ndim:
        return None
    name = draft.pick(("max", "min", "sum", "mean", "std"))
    axis = draft.pick((None, 0, -1))
    if array.dtype.kind == "b" and name in ("std",):
        return None
    inside = ", ".join(
        (*([] if axis is None else [f"axis={axis}"]), *(["keepdims=True"] if draft.chance(2) else []))
    )
    text = f"{piece.text}.{name}({inside})"
    if name in ("max", "min"):
        return Piece(text, piece.slack, piece.joined)
    if (array.dtype.kind == "f" or name == "std") and piece.joined and not draft.is_allowed("order"):
        return None
    exact = array.dtype.kind != "f" and name != "std"
    if name == "mean" and not draft.is_allowed("order"):  # the sum is divided by a constant
        return None
    # NumPy adds up rows of the first axis one after the other: the error grows with their number.
    count = array.size if axis is None else array.shape[axis]
    dtype = np.float32 if array.dtype == np.float32 else np.float64
    return Piece(
        text,
        max(piece.slack, 0.0 if exact else _ulps(dtype) * max(1, count / 1000)),
        name != "sum" or not exact,
    )


_VIEWS = (
    *("{}[1:]", "{}[::-1]", "{}[..., 0]", "{}[:, ::2]", "{}[:-1, 1:]", "{}[0]", "{}[None]"),
    *("{}.T", "{}.reshape(-1)", "np.flip({}, 0)"),
)


def _view(draft, piece):
    return piece.inside(draft.pick(_VIEWS))


def _stacked(draft, piece):
    name = draft.pick(draft.arrays())
    call = draft.pick(("stack([{}, {}])", "concatenate([{}, {}], axis=0)", "stack([{}, {}], axis=-1)"))
    fact = draft.facts[name]
    return Piece(
        f"np.{call}".format(piece.text, name), max(piece.slack, fact.slack), piece.joined or fact.joined
    )


def _list(draft, piece):
    if not draft.is_allowed("lists"):
        return None
    last = np.shape(draft.value(piece.text)[0])[-1:]
    if last not in ((2,), (3,)):
        return None
    parts = [draft.pick((f"{piece.text}.max()", "2", "1.5", *draft.numbers("if"))) for _ in range(last[0])]
    open_, close = draft.pick(("[]", "()"))
    operator = draft.pick(("*", "+", "-"))
    return _combined(draft, f"({piece.text} {operator} {open_}{', '.join(parts)}{close})", (piece,))


_EXPRESSIONS = (
    *(_arithmetic,) * 6,
    *(_threshold,) * 3,
    *(_cast,) * 3,
    *(_reduction,) * 3,
    *(_view,) * 3,
    *(_clip,) * 2,
    *(_of_two,) * 2,
    _helper,
    _extreme,
    _plain,
    _transcendental,
    _root,
    _rounded,
    _square,
    _stacked,
    _list,
)
