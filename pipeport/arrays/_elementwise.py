"""NumPy's operators on tensors of one dtype, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._cast import cast
from pipeport.arrays._one_pass import one_pass
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.xla._order import in_order, is_emitted

_INT64 = np.dtype("int64")
# Bits of an exponent that XLA heeds.
_DIGIT = 6


def _np(x: Any) -> np.dtype[Any]:
    found: np.dtype[Any] = np.dtype(x.dtype.as_numpy_dtype)
    return found


def _refuse_bool(name: str, advice: str) -> WrongType:
    return WrongType(explain("operands", "bool", "numbers", f"NumPy has no {name} of booleans: {advice}"))


def add(x: Any, y: Any) -> Any:
    """Return x + y; the disjunction of booleans."""
    return tf.logical_or(x, y) if x.dtype.is_bool else tf.add(*in_order("AddV2", x, y))


def subtract(x: Any, y: Any) -> Any:
    """Return x - y."""
    if x.dtype.is_bool:
        raise _refuse_bool("difference", "use `^`.")
    return tf.subtract(*in_order("Sub", x, y))


def multiply(x: Any, y: Any) -> Any:
    """Return x * y; the conjunction of booleans."""
    return tf.logical_and(x, y) if x.dtype.is_bool else tf.multiply(*in_order("Mul", x, y))


def true_divide(x: Any, y: Any) -> Any:
    """Return x / y of floating or complex tensors."""
    return tf.math.divide(*in_order("RealDiv", x, y))


def _no_zero(y: Any) -> tuple[Any, Any]:
    """Return a divisor that no processor traps at: neither 0, nor -1, whose quotient may overflow."""
    zero = tf.equal(y, tf.zeros([], y.dtype))
    trap = zero if y.dtype.is_unsigned else tf.logical_or(zero, tf.equal(y, -1))
    return tf.where(trap, tf.ones([], y.dtype), y), zero


def _small(x: Any, y: Any, kernel: Callable[[Any, Any], Any]) -> Any:
    """Apply a kernel that lacks bool, which NumPy counts as int8 here."""
    if x.dtype.is_bool:
        return kernel(tf.cast(x, tf.int8), tf.cast(y, tf.int8))
    return kernel(x, y)


def _refuse_complex(x: Any, name: str) -> None:
    if x.dtype.is_complex:
        raise WrongType(explain("operands", x.dtype.name, "real numbers", f"There is no {name} of these."))


def _divided(x: Any, y: Any) -> tuple[Any, Any]:
    """Return quotient and remainder of floating tensors as Python and NumPy find them, from `fmod`."""
    if x.dtype == tf.float16:  # there is no kernel; float32 holds every step
        quotient, rest = _divided(tf.cast(x, tf.float32), tf.cast(y, tf.float32))
        return tf.cast(quotient, tf.float16), tf.cast(rest, tf.float16)
    zero, one = tf.zeros([], x.dtype), tf.ones([], x.dtype)
    rest = tf.truncatemod(x, y)
    quotient = (x - rest) / y
    other_side = tf.logical_and(tf.not_equal(rest, zero), tf.not_equal(tf.less(y, zero), tf.less(rest, zero)))
    quotient = tf.where(other_side, quotient - one, quotient)
    rest = tf.where(other_side, rest + y, rest)
    rest = tf.where(tf.equal(rest, zero), _with_sign(tf.zeros_like(rest), y), rest)
    whole = tf.floor(quotient)
    whole = tf.where(quotient - whole > 0.5, whole + one, whole)
    whole = tf.where(tf.equal(quotient, zero), _with_sign(tf.zeros_like(whole), x / y), whole)
    by_zero = tf.equal(y, zero)
    return tf.where(by_zero, x / y, whole), tf.where(by_zero, tf.constant(np.nan, x.dtype), rest)


def _with_sign(x: Any, of: Any) -> Any:
    bits = tf.int32 if x.dtype == tf.float32 else tf.int64
    lowest = tf.constant(bits.min, bits)
    mask = tf.bitwise.bitwise_and(tf.bitcast(of, bits), lowest)
    return tf.bitcast(tf.bitwise.bitwise_or(tf.bitcast(tf.abs(x), bits), mask), x.dtype)


def floor_divide(x: Any, y: Any) -> Any:
    """Return x // y; division of an integer by zero gives 0."""
    _refuse_complex(x, "floor division")
    if x.dtype.is_floating:
        return _divided(x, y)[0]
    return _small(x, y, _whole_quotient)


def _whole_quotient(x: Any, y: Any) -> Any:
    safe, zero = _no_zero(y)
    found = tf.where(zero, tf.zeros([], x.dtype), tf.math.floordiv(x, safe))
    return found if x.dtype.is_unsigned else tf.where(tf.equal(y, -1), -x, found)


def remainder(x: Any, y: Any) -> Any:
    """Return x % y with the sign of y; 0 of an integer divided by zero."""
    _refuse_complex(x, "remainder")
    if x.dtype.is_floating:
        return _divided(x, y)[1]
    return _small(x, y, _whole_rest)


def _whole_rest(x: Any, y: Any) -> Any:
    safe, zero = _no_zero(y)
    return tf.where(zero, tf.zeros([], x.dtype), tf.math.floormod(x, safe))


def power(x: Any, y: Any) -> Any:
    """Return x ** y; integers wrap around."""
    if not (x.dtype.is_floating or x.dtype.is_complex):
        return _small(x, y, _whole_power)
    return one_pass(_power_of_floats, x, y)


def _power_of_floats(x: Any, y: Any) -> Any:
    return tf.pow(*in_order("Pow", x, y))


def _whole_power(x: Any, y: Any) -> Any:
    known = tf.get_static_value(y)
    text = explain("exponent", "a negative integer", "0 or more", "Cast the base to a floating dtype.")
    if known is not None:
        if (known < 0).any():
            raise OutsideDomain(text)
    elif not y.dtype.is_unsigned:
        with tf.control_dependencies([tf.debugging.assert_non_negative(y, text)]):
            y = tf.identity(y)
    # TensorFlow has int64 for all: what wraps around there does so in fewer bits too.
    base = cast(x, _INT64)
    bits = int(known.max(initial=0)).bit_length() if known is not None else 8 * y.dtype.size
    # Of 32 bits and more known only at run time most are 0: a loop reads those that are not. If the base
    # is one number, in a graph that is optimised and then emitted, digits known to be 0 are left out there.
    unrolled = known is not None or bits <= 16 or (x.shape.rank == 0 and is_emitted())
    digits = -(-bits // _DIGIT) if unrolled else None
    if y.dtype != tf.uint64:
        return cast(_in_digits(base, cast(y, _INT64), digits), _np(x))
    odd = tf.cast(tf.bitwise.bitwise_and(y, tf.constant(1, y.dtype)), tf.bool)
    root = _in_digits(base, cast(tf.bitwise.right_shift(y, tf.constant(1, y.dtype)), _INT64), digits)
    return cast(root * root * tf.where(odd, base, tf.ones_like(base)), _np(x))


def _in_digits(base: Any, exponent: Any, digits: int | None) -> Any:
    """Return a power of int64, whose exponent is read by six bits; XLA heeds the last six alone."""
    if digits is not None and digits <= 1:
        return tf.pow(base, exponent)
    full, width = (tf.constant(number, exponent.dtype) for number in (2**_DIGIT - 1, _DIGIT))

    def further(found: Any, base: Any, rest: Any) -> tuple[Any, Any, Any]:
        beyond = tf.pow(base, full) * base
        power = tf.pow(beyond, tf.bitwise.bitwise_and(rest, full))
        return found * power, beyond, tf.bitwise.right_shift(rest, width)

    first = tf.pow(base, tf.bitwise.bitwise_and(exponent, full))
    state = (first, base, tf.bitwise.right_shift(exponent, width))
    if digits is None:
        return tf.while_loop(lambda _found, _base, rest: tf.reduce_any(rest > 0), further, state)[0]
    for _ in range(digits - 1):
        state = further(*state)
    return state[0]


def power_of(x: Any, exponent: float) -> Any | None:
    """Return x ** a plain number where NumPy has a way of its own, else None."""
    if x.dtype.is_floating or x.dtype.is_complex:
        ways: dict[float, Callable[[Any], Any]] = {
            2: lambda v: tf.square(*in_order("Square", v)), 1: tf.identity,
            0.5: lambda v: tf.sqrt(*in_order("Sqrt", v)), -1: lambda v: true_divide(tf.ones([], v.dtype), v),
        }  # fmt: skip
        return ways[exponent](x) if exponent in ways else None
    return multiply(x, x) if exponent == 2 and type(exponent) is int and not x.dtype.is_bool else None


def _bits(x: Any, y: Any, logical: Callable[[Any, Any], Any], kernel: Callable[[Any, Any], Any]) -> Any:
    if x.dtype.is_bool:
        return logical(x, y)
    _need_integers(x)
    return kernel(x, y)


def _need_integers(x: Any) -> None:
    if not x.dtype.is_integer:
        allowed = "bool or integers"
        raise WrongType(explain("operands", x.dtype.name, allowed, "Cast them, or compare them first."))


def bitwise_and(x: Any, y: Any) -> Any:
    """Return x & y."""
    return _bits(x, y, tf.logical_and, tf.bitwise.bitwise_and)


def bitwise_or(x: Any, y: Any) -> Any:
    """Return x | y."""
    return _bits(x, y, tf.logical_or, tf.bitwise.bitwise_or)


def bitwise_xor(x: Any, y: Any) -> Any:
    """Return x ^ y."""
    return _bits(x, y, tf.math.logical_xor, tf.bitwise.bitwise_xor)


def _shift(x: Any, y: Any, kernel: Callable[[Any, Any], Any], beyond: Callable[[Any], Any]) -> Any:
    if x.dtype.is_bool:
        x, y = tf.cast(x, tf.int8), tf.cast(y, tf.int8)
    _need_integers(x)
    width = 8 * x.dtype.size
    outside = tf.logical_or(y < tf.zeros([], y.dtype), y >= tf.constant(width, y.dtype))
    # What a shift by the width or more does is the processor's affair; NumPy says what comes out.
    inside = tf.where(outside, tf.zeros([], y.dtype), y)
    return tf.where(outside, beyond(x), kernel(x, inside))


def left_shift(x: Any, y: Any) -> Any:
    """Return x << y; 0 beyond the width."""
    return _shift(x, y, tf.bitwise.left_shift, tf.zeros_like)


def right_shift(x: Any, y: Any) -> Any:
    """Return x >> y; 0 or -1 beyond the width."""

    def sign(v: Any) -> Any:
        return (
            tf.zeros_like(v) if v.dtype.is_unsigned else tf.where(v < 0, -tf.ones_like(v), tf.zeros_like(v))
        )

    return _shift(x, y, tf.bitwise.right_shift, sign)


def negative(x: Any) -> Any:
    """Return -x; unsigned integers wrap around."""
    if x.dtype.is_bool:
        raise _refuse_bool("negative", "use `~`.")
    if x.dtype.is_unsigned:
        # Not 0 - x: Grappler makes a negation of it, which has no kernel.
        return tf.bitwise.invert(x) + tf.ones([], x.dtype)
    return tf.negative(x)


def positive(x: Any) -> Any:
    """Return a copy."""
    if x.dtype.is_bool:
        raise _refuse_bool("`+`", "leave it out.")
    return tf.identity(x)


def absolute(x: Any) -> Any:
    """Return the magnitude; that of complex numbers is real."""
    return tf.identity(x) if x.dtype.is_bool or x.dtype.is_unsigned else tf.abs(x)


def invert(x: Any) -> Any:
    """Return ~x."""
    if x.dtype.is_bool:
        return tf.logical_not(*in_order("LogicalNot", x))
    _need_integers(x)
    return tf.bitwise.invert(x)


def _ordered(kernel: str) -> Callable[[Any, Any], Any]:
    def compare(x: Any, y: Any) -> Any:
        if x.dtype.is_complex:
            advice = "Compare real parts or magnitudes."
            raise UnsupportedArgument(explain("operands", x.dtype.name, "real numbers", advice))
        if x.dtype.is_bool:
            x, y = tf.cast(x, tf.uint8), tf.cast(y, tf.uint8)
        return getattr(tf, kernel)(x, y)

    return compare


def _plainly(kernel: str) -> Callable[[Any, Any], Any]:
    return lambda x, y: getattr(tf, kernel)(x, y)  # noqa: PLW0108 - TensorFlow is loaded on first use


BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "add": add, "sub": subtract, "mul": multiply, "truediv": true_divide, "floordiv": floor_divide,
    "mod": remainder, "pow": power, "and": bitwise_and, "or": bitwise_or, "xor": bitwise_xor,
    "lshift": left_shift, "rshift": right_shift,
}  # fmt: skip
UNARY: dict[str, Callable[[Any], Any]] = {
    "neg": negative, "pos": positive, "abs": absolute, "invert": invert,
}  # fmt: skip
COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "lt": _ordered("less"), "le": _ordered("less_equal"), "gt": _ordered("greater"),
    "ge": _ordered("greater_equal"), "eq": _plainly("equal"), "ne": _plainly("not_equal"),
}  # fmt: skip
