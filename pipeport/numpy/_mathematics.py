"""Functions of one operand, element by element: sqrt, exp, floor, isnan ..."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays import _elementwise
from pipeport.arrays._bytewise import bytewise
from pipeport.arrays._cast import cast
from pipeport.arrays._one_pass import one_pass
from pipeport.contract import Agreement, Array, AsReference, Exact, Ulps
from pipeport.errors import WrongType, explain
from pipeport.kernels.xla._order import in_order
from pipeport.numpy import _sized
from pipeport.numpy._families import LOOP, LOOP_DOMAIN, REALS, in_loop, numpy_native, refuse, tensor_of

SIGNATURE = (
    "(x, /, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True, signature=None)"
)
ELEMENTWISE = {"x": "array_like, bool or any real number\nAny shape; sizes and rank may be unknown."}
_OF_NUMBERS = {"x": "array_like, bool or any number\nAny shape; sizes and rank may be unknown."}
WORDS = {
    Exact: "bit for bit, NaN and the sign of zero included.",
    AsReference: "as accurate as the reference, judged against it in float64.",
    Ulps: "within two units in the last place.",
}


def float_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the floating dtype NumPy computes a function in: the smallest that holds the integers.

    Returns: float16 for bool and 8 bits, float32 for 16, float64 for more; a floating dtype itself.
    """
    if dtype.kind not in "biu":
        return dtype
    return np.dtype({1: "float16", 2: "float32"}.get(dtype.itemsize, "float64"))


def _kernel(name: str, x: Any) -> Any:
    """Apply a function of TensorFlow by name: TensorFlow is loaded on first use."""
    return getattr(tf.math, name)(*in_order(name.capitalize(), x))


def _floating(compute: Callable[[Any], Any] | str) -> Callable[[Any], Any]:
    if isinstance(compute, str):
        compute = functools.partial(_kernel, compute)

    def single(x: Any) -> Any:
        return compute(cast(x, float_dtype(np.dtype(x.dtype.as_numpy_dtype))))

    def function(x: Any) -> Any:
        return bytewise(single, x)

    return function


def _unchanged(compute: Callable[[Any], Any] | str) -> Callable[[Any], Any]:
    """Leave integers as they are."""
    if isinstance(compute, str):
        compute = functools.partial(_kernel, compute)

    def function(x: Any) -> Any:
        return tf.identity(x) if x.dtype.is_integer or x.dtype.is_bool else compute(x)

    return function


def _tangent(x: Any) -> Any:
    # TensorFlow's kernel takes one element at a time, these take several.
    return tf.sin(x) / tf.cos(x)


def one_operand(
    name: str,
    summary: str,
    compute: Callable[[Any], Any],
    example: tuple[str, str],
    *,
    agreement: Agreement | None = None,
    dtypes: tuple[str, ...] = REALS,
    values: tuple[float, float] = (-100.0, 100.0),
    returns: str = "tf.Tensor, shape of `x`\nThe results; integers become floating as in NumPy.",
    of_complex: bool = False,
    slower: str = "",
) -> Callable[..., Any]:
    """Return the native of a function of one operand.

    `agreement`: None stands for Exact. `of_complex`: whether it takes complex numbers too. `slower`: what is
    slower than NumPy, if anything is.
    """
    sense = agreement or Exact()

    def function(
        x: Any,
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
        return in_loop(lambda side: compute(tensor_of(side)), {"x": x}, dtype, casting, of_complex=of_complex)

    function.__name__ = function.__qualname__ = name
    return numpy_native(
        f"numpy.{name}", summary, domain={"x": Array(dtypes=dtypes, values=values), **LOOP_DOMAIN},
        parameters={**(_OF_NUMBERS if of_complex else ELEMENTWISE), **LOOP},
        returns=returns, agreement=sense, example=example, words=WORDS[type(sense)], stated=SIGNATURE,
        nameless=("x",), slower=slower,
    )(function)  # fmt: skip


def _conjugate(x: Any) -> Any:
    if x.dtype.is_bool:
        return tf.cast(x, tf.int8)
    return tf.math.conj(x) if x.dtype.is_complex else tf.identity(x)


def shown(values: str, dtype: str = "float64") -> str:
    """Return how a tensor of rank 1 is printed, for an example of a docstring.

    `dtype`: {'float64', 'int64', 'bool'}.
    """
    return _sized.shown(f"[{values}]", f"({values.count(',') + 1},)", dtype)


def _truncated(x: Any) -> Any:
    return tf.where(x < 0, tf.math.ceil(x), tf.floor(x))


def _signs(x: Any) -> Any:
    if x.dtype.is_bool:
        raise WrongType(explain("x", "bool", "numbers", "Cast it first."))
    if x.dtype.is_unsigned:
        return tf.cast(x > tf.zeros([], x.dtype), x.dtype)
    return one_pass(_sign, x)


def _sign(x: Any) -> Any:
    return tf.where(tf.equal(x, tf.zeros([], x.dtype)), tf.zeros([], x.dtype), tf.sign(x))  # never -0.0


def _answer(kernel: str, *, of_integers: bool, joined: str = "logical_or") -> Callable[[Any], Any]:
    """Return what answers for floats, and for both parts of complex numbers, and knows it of integers."""

    def function(x: Any) -> Any:
        if x.dtype.is_complex:
            parts = (_kernel(kernel, part(x)) for part in (tf.math.real, tf.math.imag))
            return getattr(tf.math, joined)(*parts)
        if x.dtype.is_floating:
            return _kernel(kernel, x)
        return tf.fill(tf.shape(x), of_integers)

    return function


def _scaled(factor: float) -> Callable[[Any], Any]:
    return _floating(lambda x: x * tf.constant(factor, x.dtype))


_FLOATS = ("float16", "float32", "float64")
_NUMBERS = ("uint8", "int32", *_FLOATS)
_SAME = "tf.Tensor, shape and dtype of `x`\nThe results."
_TRUTH = "tf.Tensor, shape of `x`, bool\nThe answers."
_CLOSE = AsReference()

sqrt = one_operand(
    "sqrt", "Return the square root; NaN of negative numbers.", _floating("sqrt"),
    ("[1.0, 4.0]", shown("1., 2.")), agreement=Ulps(2),
)  # fmt: skip
exp = one_operand(
    "exp", "Return e to the power of each element.", _floating("exp"),
    ("[0.0, 1.0]", shown("1.        , 2.71828183")), agreement=_CLOSE, values=(-9.0, 9.0), of_complex=True,
    returns="tf.Tensor, shape of `x`\nThe results; integers become floating as in NumPy. Of complex numbers "
            "whose imaginary part is not finite both parts may be NaN.",
)  # fmt: skip
expm1 = one_operand(
    "expm1", "Return e to the power of each element, less one.", _floating("expm1"),
    ("[0.0, 1.0]", shown("0.        , 1.71828183")), agreement=_CLOSE, values=(-9.0, 9.0),
    slower="float32 is",
)  # fmt: skip
log = one_operand(
    "log", "Return the natural logarithm; NaN of negative numbers.", _floating("log"),
    ("[1.0, 10.0]", shown("0.        , 2.30258509")), agreement=_CLOSE,
)  # fmt: skip


def _log1p(x: Any) -> Any:
    # Around 1 / sqrt(2) - 1 compiled code is off by 128 units in the last place of float64.
    found = tf.math.log1p(x)
    return tf.where(x < -0.25, tf.math.log(1 + x), found) if x.dtype == tf.float64 else found


log2 = one_operand(
    "log2", "Return the logarithm to base two.",
    _floating(lambda x: tf.math.log(x) / tf.constant(np.log(2.0), x.dtype)),
    ("[1.0, 8.0]", shown("0., 3.")), agreement=_CLOSE,
)  # fmt: skip
log10 = one_operand(
    "log10", "Return the logarithm to base ten.",
    _floating(lambda x: tf.math.log(x) / tf.constant(np.log(10.0), x.dtype)),
    ("[1.0, 100.0]", shown("0., 2.")), agreement=_CLOSE,
)  # fmt: skip
log1p = one_operand(
    "log1p", "Return the natural logarithm of one more than each element.",
    _floating(_log1p), ("[0.0, 9.0]", shown("0.        , 2.30258509")), agreement=_CLOSE,
)  # fmt: skip
sin = one_operand(
    "sin", "Return the sine of angles in radians.", _floating("sin"),
    ("[0.0, 1.0]", shown("0.        , 0.84147098")), agreement=_CLOSE, values=(-20.0, 20.0),
)  # fmt: skip
cos = one_operand(
    "cos", "Return the cosine of angles in radians.", _floating("cos"),
    ("[0.0, 1.0]", shown("1.        , 0.54030231")), agreement=_CLOSE, values=(-20.0, 20.0),
)  # fmt: skip
tan = one_operand(
    "tan", "Return the tangent of angles in radians.", _floating(_tangent),
    ("[0.0, 1.0]", shown("0.        , 1.55740772")), agreement=_CLOSE, values=(-1.5, 1.5),
    slower="float32 is",
)  # fmt: skip
deg2rad = one_operand(
    "deg2rad", "Return angles in degrees as radians.", _scaled(np.pi / 180),
    ("[0.0, 180.0]", shown("0.        , 3.14159265")), agreement=Ulps(2),
)  # fmt: skip
rad2deg = one_operand(
    "rad2deg", "Return angles in radians as degrees.", _scaled(180 / np.pi),
    ("[0.0, 1.0]", shown(" 0.        , 57.29577951")), agreement=Ulps(2),
)  # fmt: skip
square = one_operand(
    "square", "Return the square of each element; integers wrap around.",
    lambda x: tf.square(*in_order("Square", tf.cast(x, tf.int8) if x.dtype.is_bool else x)),
    ("[3.0, 4.0]", shown(" 9., 16.")), returns=_SAME, of_complex=True,
)  # fmt: skip
absolute = one_operand(
    "absolute", "Return the magnitude of each element.", _elementwise.absolute,
    ("[-3.0, 4.0]", shown("3., 4.")), returns=_SAME, of_complex=True,
)  # fmt: skip
abs = absolute  # noqa: A001 - NumPy's name
negative = one_operand(
    "negative", "Return each element with the other sign; unsigned integers wrap around.",
    _elementwise.negative, ("[-3.0, 4.0]", shown(" 3., -4.")), returns=_SAME,
)  # fmt: skip
sign = one_operand(
    "sign", "Return -1, 0 or 1 by the sign of each element, and NaN of NaN.",
    _signs, ("[-3.0, 4.0]", shown("-1.,  1.")), dtypes=_NUMBERS, returns=_SAME,
)  # fmt: skip
floor = one_operand(
    "floor", "Return the largest whole number below each element; integers stay as they are.",
    _unchanged("floor"), ("[-1.5, 1.5]", shown("-2.,  1.")), dtypes=_FLOATS, returns=_SAME,
)  # fmt: skip
ceil = one_operand(
    "ceil", "Return the smallest whole number above each element; integers stay as they are.",
    _unchanged("ceil"), ("[-1.5, 1.5]", shown("-1.,  2.")), dtypes=_FLOATS, returns=_SAME,
)  # fmt: skip
trunc = one_operand(
    "trunc", "Return each element without its fraction; integers stay as they are.",
    _unchanged(functools.partial(one_pass, _truncated)), ("[-1.5, 1.5]", shown("-1.,  1.")),
    dtypes=_FLOATS, returns=_SAME,
)  # fmt: skip
rint = one_operand(
    "rint", "Return each element rounded to a whole number, halves to even.", _floating("round"),
    ("[0.5, 1.5]", shown("0., 2.")),
)  # fmt: skip
isnan = one_operand(
    "isnan", "Say which elements are NaN.", _answer("is_nan", of_integers=False),
    ("[1.0, float('nan')]", shown("False,  True", "bool")), returns=_TRUTH, of_complex=True,
)  # fmt: skip
isinf = one_operand(
    "isinf", "Say which elements are infinite.", _answer("is_inf", of_integers=False),
    ("[1.0, float('inf')]", shown("False,  True", "bool")), returns=_TRUTH, of_complex=True,
)  # fmt: skip
isfinite = one_operand(
    "isfinite", "Say which elements are neither infinite nor NaN.",
    _answer("is_finite", of_integers=True, joined="logical_and"),
    ("[1.0, float('inf')]", shown(" True, False", "bool")), returns=_TRUTH, of_complex=True,
)  # fmt: skip
logical_not = one_operand(
    "logical_not", "Say which elements are zero or False.",
    lambda x: _elementwise.invert(tf.cast(x, tf.bool)),
    ("[1.0, 0.0]", shown("False,  True", "bool")), returns=_TRUTH,
)  # fmt: skip
invert = one_operand(
    "invert", "Turn every bit over; True becomes False.", _elementwise.invert,
    ("[0, 5]", shown("-1, -6", "int64")), dtypes=("bool", "uint8", "int32"),
    returns="tf.Tensor, shape and dtype of `x`\nThe results.",
)  # fmt: skip
bitwise_not = invert
bitwise_invert = invert
conjugate = one_operand(
    "conjugate", "Return the complex conjugates.", _conjugate,
    ("[1 + 2j]", "<tf.Tensor: shape=(1,), dtype=complex128, numpy=array([1.-2.j])>"),
    returns="tf.Tensor, shape and dtype of `x`\nOf what is not complex the array itself; int8 of bool.",
    of_complex=True,
)  # fmt: skip
conj = conjugate
