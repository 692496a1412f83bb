"""Whether arrays are alike: isclose, allclose, array_equal, isin."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays import _order, _sort_keys
from pipeport.arrays._along import flag, ordered
from pipeport.arrays._bytewise import bytewise
from pipeport.arrays._cast import cast
from pipeport.arrays._one_pass import one_pass
from pipeport.arrays._operators import same_shape
from pipeport.arrays._promotion import Operand, common, fitted
from pipeport.contract import Array, Boolean, Exact, OneOf, Shaped
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.numpy._counting import FEW, places_of_keys
from pipeport.numpy._families import REALS, numpy_native, read, tensor
from pipeport.numpy._products import together
from pipeport.numpy._reductions import BITS

_A = Array(dtypes=REALS, ranks=(2,), sides=(0, 4), values=(-1.0, 1.0))
_B = Shaped(shape=("a.0", "a.1"), dtypes=REALS, values=(-1.0, 1.0), non_finite=True)
_FLOAT = Operand(1.0, np.dtype("float64"), True)
_OPERANDS = {
    "a": "array_like, bool or any real number\nThe elements compared.",
    "b": "array_like, bool or any real number\nWhat they are compared with; the shapes broadcast.",
    "rtol": "number, default 1e-05\nWhat they may differ by, as a part of the magnitude of `b`.",
    "atol": "number, default 1e-08\nWhat they may differ by besides.",
    "equal_nan": "bool, default False\nWhether NaN is close to NaN.",
}
_DOMAIN = {
    "a": _A, "b": _B, "rtol": OneOf(1e-5, 0.5, 0.0), "atol": OneOf(1e-8, 0.25, 0), "equal_nan": Boolean(),
}  # fmt: skip
_ANSWER = "bool, or in a graph tf.Tensor of bool\nThe answer."
_RAISES = {"OutsideDomain": "The shapes do not broadcast."}


def _shown(values: str, shape: str = "()") -> str:
    values = f"array({values})" if values.startswith("[") else values
    return f"<tf.Tensor: shape={shape}, dtype=bool, numpy={values}>"


def _real(value: Any, parameter: str) -> Operand:
    found = read(value, parameter)
    if found.dtype.kind == "c":
        raise WrongType(explain(parameter, found.dtype, "real numbers", "Compare both parts."))
    return found


def _close(a: Any, b: Any, rtol: Any, atol: Any, equal_nan: Any) -> Any:
    """Compare as NumPy 2 does, in the dtypes it promotes to."""
    first, second = _real(a, "a"), _real(b, "b")
    wanted, weak = common((second, _FLOAT))
    second = Operand(fitted(second, wanted), wanted, weak)
    dtype, _ = common((first, second))
    x, y = fitted(first, dtype), fitted(second, dtype)
    same_shape(x, y)
    part, least = _real(rtol, "rtol"), _real(atol, "atol")
    scaled, _ = common((part, second))
    share = fitted(part, scaled) * tf.abs(fitted(second, scaled))
    bounds, loose = common((least, Operand(share, scaled, part.weak and weak)))
    bound = fitted(least, bounds) + cast(share, bounds)
    judged, _ = common((Operand(x, dtype, first.weak and weak), Operand(bound, bounds, loose)))
    near = cast(tf.abs(x - y), judged) <= cast(bound, judged)
    found = tf.logical_or(tf.logical_and(near, tf.math.is_finite(y)), tf.equal(x, y))
    if flag(equal_nan, "equal_nan"):
        found = tf.logical_or(found, tf.logical_and(tf.math.is_nan(x), tf.math.is_nan(y)))
    return found


@numpy_native(
    "numpy.isclose", "Say which elements are equal but for a tolerance.", domain=_DOMAIN,
    parameters=_OPERANDS, returns="tf.Tensor of bool, the shapes broadcast\nThe answers.", agreement=Exact(),
    words=BITS, example=("[1.0, 2.0], [1.0, 2.1]", _shown("[ True, False]", "(2,)")), raises=_RAISES,
    graph="some ten ops; static shape is kept.",
)  # fmt: skip
def isclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    return _close(a, b, rtol, atol, equal_nan)


@numpy_native(
    "numpy.allclose", "Say whether all elements are equal but for a tolerance.", domain=_DOMAIN,
    parameters=_OPERANDS, returns=_ANSWER, agreement=Exact(),
    words=BITS, example=("[1.0, 2.0], [1.0, 2.1]", "False"), raises=_RAISES,
    graph="some ten ops; static shape is kept.",
)  # fmt: skip
def allclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    return _answer(tf.reduce_all(_close(a, b, rtol, atol, equal_nan)))


@numpy_native(
    "numpy.array_equal", "Say whether arrays have one shape and the same elements.",
    domain={"a1": Array(dtypes=REALS, ranks=(0, 1, 2), sides=(0, 2), values=(-1.0, 1.0)),
            "a2": Array(dtypes=REALS, ranks=(0, 1, 2), sides=(0, 2), values=(-1.0, 1.0)),
            "equal_nan": Boolean()},
    parameters={"a1": "array_like, bool or any number\nThe first array.",
                "a2": "array_like, bool or any number\nThe second one.",
                "equal_nan": "bool, default False\nWhether NaN equals NaN."},
    returns=_ANSWER, agreement=Exact(), words=BITS, example=("[1, 2], [1, 2]", "True"),
    graph="a comparison, and one of shapes where they are unknown.",
)  # fmt: skip
def array_equal(a1: Any, a2: Any, equal_nan: Any = False) -> Any:
    return _answer(_equal(*together(a1, a2, ("a1", "a2")), flag(equal_nan, "equal_nan")))


def _answer(found: Any) -> Any:
    """Return an answer as NumPy gives it: eagerly True or False of Python's."""
    return bool(found) if tf.executing_eagerly() else found


def _equal(x: Any, y: Any, alike: bool) -> Any:
    if not x.shape.is_compatible_with(y.shape):
        return tf.constant(False)
    if x.shape.is_fully_defined() and y.shape.is_fully_defined():
        return _same(x, y, equal_nan=alike)
    # What both have is compared, and how much they have: XLA compiles no comparison of unequal shapes.
    first, second = (tf.reshape(one, [-1]) for one in (x, y))
    return tf.reduce_all([
        tf.equal(tf.rank(x), tf.rank(y)), _same(*_of_one_length(tf.shape(x), tf.shape(y))),
        tf.equal(tf.size(x), tf.size(y)), _same(*_of_one_length(first, second), equal_nan=alike),
    ])  # fmt: skip


def _of_one_length(x: Any, y: Any) -> tuple[Any, Any]:
    length = tf.minimum(tf.size(x), tf.size(y))
    return x[:length], y[:length]


def _same(x: Any, y: Any, *, equal_nan: bool = False) -> Any:
    equal = tf.equal(x, y)
    if equal_nan and (x.dtype.is_floating or x.dtype.is_complex):
        equal = tf.logical_or(equal, tf.logical_and(tf.not_equal(x, x), tf.not_equal(y, y)))
    return tf.reduce_all(equal)


@numpy_native(
    "numpy.isin", "Say which elements are among others.",
    domain={"element": Array(dtypes=REALS, ranks=(0, 1, 2)),
            "test_elements": Array(dtypes=REALS, ranks=(0, 1, 2), sides=(0, 4)),
            "assume_unique": OneOf(False), "invert": Boolean(), "kind": OneOf(None, "sort")},
    parameters={"element": "array_like, bool or any real number\nThe elements.",
                "test_elements": "array_like, bool or any real number\nThe others, of any shape.",
                "assume_unique": "bool, default False\nWhether neither repeats itself; of no effect here.",
                "invert": "bool, default False\nWhether to say which are not among them.",
                "kind": "{None, 'sort', 'table'}, default None\nNumPy's name of an algorithm."},
    returns="tf.Tensor of bool, shape of `element`\nThe answers; NaN is nowhere.", agreement=Exact(),
    words=BITS, example=("[1, 2, 3], [3, 1]", _shown("[ True, False,  True]", "(3,)")),
    graph="a sort, and a search per element; of 8 and 16 bits a count; static shape is kept.",
    slower="many floats among many are",
)  # fmt: skip
def isin(
    element: Any, test_elements: Any, assume_unique: Any = False, invert: Any = False, *, kind: Any = None
) -> Any:
    flag(assume_unique, "assume_unique")
    if not (kind is None or (isinstance(kind, str) and kind in ("sort", "table"))):
        raise UnsupportedArgument(explain("kind", repr(kind), "None, 'sort', 'table'", "Leave it out."))
    x, others = tensor(element, "element"), tensor(test_elements, "test_elements")
    if kind == "table" and (x.dtype.is_floating or others.dtype.is_floating):
        raise OutsideDomain(explain("kind", "'table' of floats", "None, 'sort'", "NumPy refuses it as well."))
    x, others = ordered(x, "isin"), tf.reshape(ordered(others, "isin"), [-1])
    if _order.is_countable(x) and others.dtype.is_integer:
        found = _among_counted(x, others)
    else:
        found = bytewise(lambda values: _among(values, others), x)
    return tf.logical_not(found) if flag(invert, "invert") else found


def _among_counted(x: Any, others: Any) -> Any:
    """Return the same of integers of few bits, of which each is there or not."""
    code, levels = (tf.uint8, 256) if x.dtype.size == 1 else (tf.uint16, 65536)
    if others.dtype == tf.uint64:  # beyond what int64 holds, and x
        others = tf.minimum(others, tf.constant(1 << 62, tf.uint64))
    others = tf.cast(others, tf.int64)
    inside = tf.logical_and(others >= x.dtype.min, others <= x.dtype.max)
    keys = tf.where(inside, tf.bitwise.bitwise_and(others, np.int64(levels - 1)), levels)
    known = _order.counts(tf.cast(keys, tf.int32), levels) > 0
    return bytewise(lambda values: tf.gather(known, tf.cast(tf.bitcast(values, code), tf.int32)), x)


def _among(element: Any, test_elements: Any) -> Any:
    x, others = together(element, test_elements)
    if others.shape[0] is not None and others.shape[0] <= FEW and x.dtype.size >= 4:
        return one_pass(_equals_one, x, others)
    keys = _sort_keys.sort_keys(x, zeros_apart=False)
    known = _order.sort(_sort_keys.sort_keys(others, zeros_apart=False))
    places = places_of_keys(known, keys, "left")
    # A place behind the last is one, too.
    equal = tf.equal(tf.gather(tf.pad(known, [[0, 1]]), places), keys)
    found = tf.logical_and(places < tf.size(known, tf.int64), equal)
    return tf.logical_and(found, tf.equal(x, x)) if x.dtype.is_floating else found


def _equals_one(x: Any, others: Any) -> Any:
    # By keys, which know subnormal numbers from zero; that of NaN is NaN's own.
    keys = _sort_keys.sort_keys(x, zeros_apart=False)
    found = tf.zeros_like(keys, tf.bool)
    for other in tf.unstack(_sort_keys.sort_keys(others, zeros_apart=False)):
        found = tf.logical_or(found, tf.equal(keys, other))
    return tf.logical_and(found, tf.equal(x, x)) if x.dtype.is_floating else found
