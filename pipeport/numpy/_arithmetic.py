"""Functions of two operands, element by element: add, minimum, arctan2, less ..."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays import _operators
from pipeport.arrays._cast import cast
from pipeport.arrays._promotion import Operand, common, fitted, joined
from pipeport.arrays._rounding import keeping_nan
from pipeport.contract import Agreement, Array, AsReference, Exact, Shaped, Ulps
from pipeport.numpy import _ignore_nan
from pipeport.numpy._families import LOOP, LOOP_DOMAIN, REALS, in_loop, numpy_native, refuse
from pipeport.numpy._mathematics import WORDS, float_dtype, shown

SIGNATURE = (
    "(x1, x2, /, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, "
    "signature=None)"
)
_OPERANDS = {
    "x1": "array_like, bool or any real number\nFirst operand; a Python number takes the dtype of the other.",
    "x2": "array_like, bool or any real number\nSecond operand, of a shape that broadcasts with the first.",
}
_WORDS = {**WORDS, Ulps: "within one unit in the last place; a zero may have either sign."}
_NUMBERS = ("uint8", "int32", "float16", "float32", "float64")
_WHOLE = ("bool", "uint8", "int32")


def two_operands(
    name: str,
    summary: str,
    compute: Callable[[Operand, Operand], Any],
    example: tuple[str, str],
    *,
    agreement: Agreement | None = None,
    dtypes: tuple[str, ...] = REALS,
    values: tuple[float, float] = (-100.0, 100.0),
    returns: str = "of the common dtype",
    raises: str | None = None,
    valid: Callable[[Mapping[str, Any]], bool] | None = None,
    remark: str = "",
    slower: str = "",
) -> Callable[..., Any]:
    """Return the native of a function of two operands.

    `compute`: takes two operands and gives a tensor. `agreement`: None stands for Exact. `returns`: which
    dtype the result has. `valid`: whether drawn arguments belong to the domain. `slower`: what is slower than
    NumPy, if anything is.
    """
    sense = agreement or Exact()

    def function(
        x1: Any,
        x2: Any,
        out: Any = None,
        *,
        where: Any = True,
        casting: Any = "same_kind",
        order: Any = "K",
        dtype: Any = None,
        subok: Any = True,
        signature: Any = None,
    ) -> Any:
        refuse(out=(out, None), where=(where, True), order=(order, "K"), subok=(subok, True),
               signature=(signature, None))  # fmt: skip
        return in_loop(compute, {"x1": x1, "x2": x2}, dtype, casting)

    function.__name__ = function.__qualname__ = name
    first = Array(dtypes=dtypes, ranks=(2,), sides=(0, 5), values=values)
    second = Shaped(shape=("x1.0", "x1.1"), dtypes=dtypes, values=values, non_finite=True)
    return numpy_native(
        f"numpy.{name}", summary, domain={"x1": first, "x2": second, **LOOP_DOMAIN},
        parameters={**_OPERANDS, **LOOP},
        returns=f"tf.Tensor, the shapes broadcast, {returns}\nThe results.", agreement=sense, example=example,
        raises={"OutsideDomain": "The shapes do not broadcast" + (f", or {raises}." if raises else ".")},
        valid=valid,
        words=_WORDS[type(sense)] + remark, stated=SIGNATURE, nameless=("x1", "x2"), slower=slower,
    )(function)  # fmt: skip


def _no_zero_by_zero(arguments: Mapping[str, Any]) -> bool:
    return not ((arguments["x1"] == 0) & (arguments["x2"] == 0)).any()


def _no_float_zero_by_zero(arguments: Mapping[str, Any]) -> bool:
    dtype = arguments.get("dtype") or np.result_type(arguments["x1"], arguments["x2"])
    return np.dtype(dtype).kind != "f" or _no_zero_by_zero(arguments)


def _finite(arguments: Mapping[str, Any]) -> bool:
    return all(np.isfinite(arguments[name]).all() for name in ("x1", "x2"))


def _by(name: str) -> Callable[[Operand, Operand], Any]:
    return lambda left, right: _operators.binary(name, left, right)[0]


def _promoted(
    kernel: Callable[[Any, Any], Any], *, floating: bool = False
) -> Callable[[Operand, Operand], Any]:
    def compute(left: Operand, right: Operand) -> Any:
        dtype, _ = common((left, right))
        x, y = fitted(left, dtype), fitted(right, dtype)
        if floating:
            # NumPy takes the narrowest floats that hold both: of uint8 and int8 float16, though of their
            # common int16 float32.
            both = not (left.weak or right.weak)
            wide = joined(*map(float_dtype, (left.dtype, right.dtype))) if both else float_dtype(dtype)
            x, y = cast(x, wide), cast(y, wide)
        _operators.same_shape(x, y)
        return kernel(x, y)

    return compute


def _extreme(kernel: str, of_booleans: str) -> Callable[[Any, Any], Any]:
    def function(x: Any, y: Any) -> Any:
        found = getattr(tf, of_booleans if x.dtype.is_bool else kernel)(x, y)
        return keeping_nan(found, x, y) if x.dtype.is_floating else found

    return function


def _logical(kernel: str) -> Callable[[Operand, Operand], Any]:
    def compute(left: Operand, right: Operand) -> Any:
        x, y = (tf.cast(fitted(one, one.dtype), tf.bool) for one in (left, right))
        _operators.same_shape(x, y)
        return getattr(tf.math, kernel)(x, y)

    return compute


def _hypot(x: Any, y: Any) -> Any:
    """Return the hypotenuse: scaled by the larger side, so that no square overflows."""
    a, b = tf.abs(x), tf.abs(y)
    large, small = tf.maximum(a, b), tf.minimum(a, b)
    one = tf.ones([], x.dtype)
    ratio = tf.where(
        tf.equal(large, 0), tf.zeros([], x.dtype), small / tf.where(tf.equal(large, 0), one, large)
    )
    found = large * tf.sqrt(one + ratio * ratio)
    infinite = tf.logical_or(tf.math.is_inf(a), tf.math.is_inf(b))
    found = tf.where(tf.math.is_nan(a + b), tf.constant(np.nan, x.dtype), found)
    return tf.where(infinite, tf.constant(np.inf, x.dtype), found)


def _heaviside(x: Any, y: Any) -> Any:
    step = tf.where(tf.equal(x, x), tf.cast(x > 0, x.dtype), x)
    return tf.where(tf.equal(x, 0), y, step)


def _arctan2(x: Any, y: Any) -> Any:
    if x.dtype == tf.float16:
        return tf.cast(tf.atan2(tf.cast(x, tf.float32), tf.cast(y, tf.float32)), tf.float16)
    return tf.atan2(x, y)


add = two_operands(
    "add", "Return the sum; the disjunction of booleans.", _by("add"), ("[1.0, 2.0], 1", shown("2., 3.")),
    agreement=Ulps(1),
)  # fmt: skip
subtract = two_operands(
    "subtract", "Return the difference.", _by("sub"), ("[1.0, 2.0], 1", shown("0., 1.")), dtypes=_NUMBERS,
    agreement=Ulps(1),
)  # fmt: skip
multiply = two_operands(
    "multiply", "Return the product; the conjunction of booleans.", _by("mul"),
    ("[1.0, 2.0], 3", shown("3., 6.")), agreement=AsReference(), valid=_finite,
    remark=" In a graph the user compiles with XLA infinity times a constant zero may give 0 instead of NaN.",
)  # fmt: skip
true_divide = two_operands(
    "true_divide", "Return the quotient; of integers as float64.", _by("truediv"),
    ("[1, 2], 2", shown("0.5, 1. ")), returns="of a floating dtype", agreement=AsReference(),
    valid=_no_zero_by_zero,
    remark=(
        " In a graph the user compiles with XLA zero by a constant zero may give 0 instead of NaN."
    ),
)  # fmt: skip
divide = true_divide
floor_divide = two_operands(
    "floor_divide", "Return the quotient, rounded down; 0 of an integer divided by zero.",
    _by("floordiv"), ("[7, -7], 2", shown(" 3, -4", "int64")), valid=_no_float_zero_by_zero,
    remark=" In a graph the user compiles with XLA zero by a constant zero may give 0 instead of NaN.",
)  # fmt: skip
remainder = two_operands(
    "remainder", "Return the remainder, of the divisor's sign; 0 of an integer divided by zero.",
    _by("mod"), ("[7, -7], 2", shown("1, 1", "int64")),
)  # fmt: skip
mod = remainder
power = two_operands(
    "power", "Return the first operand to the power of the second.", _by("pow"),
    ("[2.0, 3.0], 2", shown("4., 9.")), agreement=AsReference(),
    dtypes=("uint8", "float16", "float32", "float64"),
    values=(0.0, 5.0), valid=_finite, raises="an integer has a negative exponent", slower="float32 is",
)  # fmt: skip
minimum = two_operands(
    "minimum", "Return the smaller of two elements, NaN if one is.",
    _promoted(_extreme("minimum", "logical_and")),
    ("[1.0, 4.0], 2", shown("1., 2.")),
    agreement=Ulps(1),
)  # fmt: skip
maximum = two_operands(
    "maximum", "Return the larger of two elements, NaN if one is.",
    _promoted(_extreme("maximum", "logical_or")),
    ("[1.0, 4.0], 2", shown("2., 4.")),
    agreement=Ulps(1),
)  # fmt: skip
fmin = two_operands(
    "fmin", "Return the smaller of two elements, the other one where one is NaN.",
    _promoted(_ignore_nan.extreme("minimum", "logical_and")),
    ("[1.0, float('nan')], 2", shown("1., 2.")), agreement=Ulps(1),
)  # fmt: skip
fmax = two_operands(
    "fmax", "Return the larger of two elements, the other one where one is NaN.",
    _promoted(_ignore_nan.extreme("maximum", "logical_or")),
    ("[1.0, float('nan')], 2", shown("2., 2.")), agreement=Ulps(1),
)  # fmt: skip
heaviside = two_operands(
    "heaviside", "Return 0 of what is negative, 1 of what is positive, the second operand of zero.",
    _promoted(_heaviside, floating=True), ("[-1.5, 0.0], 0.5", shown("0. , 0.5")),
    returns="of a floating dtype",
)  # fmt: skip
hypot = two_operands(
    "hypot", "Return the hypotenuse of a right triangle.", _promoted(_hypot, floating=True),
    ("[3.0, 5.0], [4.0, 12.0]", shown(" 5., 13.")), returns="of a floating dtype", agreement=AsReference(),
)  # fmt: skip
arctan2 = two_operands(
    "arctan2", "Return the angle of the point (x2, x1) in radians, from -pi to pi.",
    _promoted(_arctan2, floating=True), ("[0.0, 1.0], 1", shown("0.        , 0.78539816")),
    returns="of a floating dtype", agreement=AsReference(),
)  # fmt: skip
logical_and = two_operands(
    "logical_and", "Say where both elements are true.", _logical("logical_and"),
    ("[True, False], True", shown(" True, False", "bool")), returns="bool",
)  # fmt: skip
logical_or = two_operands(
    "logical_or", "Say where one element at least is true.", _logical("logical_or"),
    ("[True, False], True", shown(" True,  True", "bool")), returns="bool",
)  # fmt: skip
logical_xor = two_operands(
    "logical_xor", "Say where just one element is true.", _logical("logical_xor"),
    ("[True, False], True", shown("False,  True", "bool")), returns="bool",
)  # fmt: skip
bitwise_and = two_operands(
    "bitwise_and", "Return the bits that both elements have.", _by("and"),
    ("[6, 3], 2", shown("2, 2", "int64")), dtypes=_WHOLE,
)  # fmt: skip
bitwise_or = two_operands(
    "bitwise_or", "Return the bits that one element at least has.", _by("or"),
    ("[6, 3], 1", shown("7, 3", "int64")), dtypes=_WHOLE,
)  # fmt: skip
bitwise_xor = two_operands(
    "bitwise_xor", "Return the bits that just one element has.", _by("xor"),
    ("[6, 3], 1", shown("7, 2", "int64")), dtypes=_WHOLE,
)  # fmt: skip
left_shift = two_operands(
    "left_shift", "Return the bits moved to the left, zeros behind them.", _by("lshift"),
    ("[1, 3], 2", shown(" 4, 12", "int64")), dtypes=_WHOLE, returns="of the common dtype, int8 of bool",
)  # fmt: skip
right_shift = two_operands(
    "right_shift", "Return the bits moved to the right, those of the sign before them.", _by("rshift"),
    ("[4, -3], 1", shown(" 2, -2", "int64")), dtypes=_WHOLE, returns="of the common dtype, int8 of bool",
)  # fmt: skip
bitwise_left_shift = left_shift
bitwise_right_shift = right_shift
equal = two_operands(
    "equal", "Say where two elements are equal.", _by("eq"),
    ("[1.0, 2.0], 1", shown(" True, False", "bool")), returns="bool",
)  # fmt: skip
not_equal = two_operands(
    "not_equal", "Say where two elements differ.", _by("ne"),
    ("[1.0, 2.0], 1", shown("False,  True", "bool")), returns="bool",
)  # fmt: skip
less = two_operands(
    "less", "Say where the first element is smaller.", _by("lt"),
    ("[1.0, 2.0], 2", shown(" True, False", "bool")), returns="bool",
)  # fmt: skip
less_equal = two_operands(
    "less_equal", "Say where the first element is not larger.", _by("le"),
    ("[1.0, 3.0], 2", shown(" True, False", "bool")), returns="bool",
)  # fmt: skip
greater = two_operands(
    "greater", "Say where the first element is larger.", _by("gt"),
    ("[1.0, 3.0], 2", shown("False,  True", "bool")), returns="bool",
)  # fmt: skip
greater_equal = two_operands(
    "greater_equal", "Say where the first element is not smaller.", _by("ge"),
    ("[1.0, 2.0], 2", shown("False,  True", "bool")), returns="bool",
)  # fmt: skip
