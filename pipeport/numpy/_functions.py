"""Further functions of one operand: arctan, tanh, cbrt, degrees, sinc ..."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._bytewise import bytewise
from pipeport.arrays._cast import cast
from pipeport.arrays._elementwise import true_divide
from pipeport.arrays._one_pass import one_pass
from pipeport.contract import Agreement, Array, AsReference, Exact, Ulps
from pipeport.errors import UnsupportedArgument, WrongType, explain
from pipeport.numpy._families import (
    LOOP,
    LOOP_DOMAIN,
    REALS,
    in_loop,
    numpy_native,
    refuse,
    tensor,
    tensor_of,
)
from pipeport.numpy._mathematics import ELEMENTWISE, SIGNATURE, float_dtype
from pipeport.numpy._reductions import CLOSE

_FLOATS = ("float16", "float32", "float64")
_CLOSE = AsReference()
_WORDS = {
    Exact: "bit for bit, NaN included.",
    AsReference: CLOSE,
    Ulps: "within two units in the last place.",
}


def _shown(values: str) -> str:
    return f"<tf.Tensor: shape=(2,), dtype=float64, numpy=array([{values}])>"


def _floating(compute: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Compute in the floating dtype NumPy takes; of float16 in float32, rounded once."""

    def single(x: Any) -> Any:
        wanted = float_dtype(np.dtype(x.dtype.as_numpy_dtype))
        wide = np.dtype("float32") if wanted == np.float16 else wanted
        return cast(compute(cast(cast(x, wanted), wide)), wanted)

    def function(x: Any) -> Any:
        return bytewise(single, x)

    return function


def _real(x: Any) -> Any:
    value = tensor(x, "x")
    if value.dtype.is_complex:
        raise WrongType(explain("x", value.dtype.name, "bool or a real number", "Take its real part."))
    return value


def _one_operand(
    name: str,
    summary: str,
    compute: Callable[[Any], Any],
    example: tuple[str, str],
    *,
    agreement: Agreement = _CLOSE,
    dtypes: tuple[str, ...] = REALS,
    values: tuple[float, float] = (-100.0, 100.0),
    returns: str = "tf.Tensor, shape of `x`\nThe results; integers become floating as in NumPy.",
    slower: str = "",
) -> Callable[..., Any]:
    def function(
        x: Any, out: Any = None, *, where: Any = True, casting: Any = "same_kind", order: Any = "K",
        dtype: Any = None, subok: Any = True, signature: Any = None,
    ) -> Any:  # fmt: skip
        refuse(out=(out, None), where=(where, True), order=(order, "K"), subok=(subok, True),
               signature=(signature, None))  # fmt: skip
        return in_loop(lambda side: compute(tensor_of(side)), {"x": x}, dtype, casting)

    function.__name__ = function.__qualname__ = name
    return numpy_native(
        f"numpy.{name}", summary, domain={"x": Array(dtypes=dtypes, values=values), **LOOP_DOMAIN},
        parameters={**ELEMENTWISE, **LOOP},
        returns=returns, agreement=agreement, example=example, words=_WORDS[type(agreement)],
        stated=SIGNATURE, nameless=("x",), slower=slower,
    )(function)  # fmt: skip


def _by_name(name: str, *, fused: bool = False) -> Callable[[Any], Any]:
    """Compute by a kernel of TensorFlow, which is loaded on first use."""
    return (_fused if fused else _floating)(lambda x: getattr(tf.math, name)(x))  # noqa: PLW0108 - not yet loaded


def _fused(compute: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Compute as one program: TensorFlow's kernels take one element at a time."""
    return _floating(functools.partial(one_pass, compute))


def _cube_root(x: Any) -> Any:
    size, three = tf.abs(x), tf.constant(3, x.dtype)
    near = tf.exp(tf.math.log(size) / three)
    # A step of Newton's brings it to the last place; a root is never rounded to 0 or infinity.
    root = near - (near - size / (near * near)) / three
    root = tf.where(tf.logical_or(tf.equal(size, 0), tf.math.is_inf(size)), size, root)
    return tf.where(x < 0, -root, root)


def _arctanh(x: Any) -> Any:
    # XLA's own, and its logarithm of one less a number, are off by 60 units in the last place at -0.41.
    size, one = tf.abs(x), tf.ones([], x.dtype)
    return tf.sign(x) * (tf.math.log1p(2 * size / (one - size)) / 2)


def _reciprocal(x: Any) -> Any:
    if not x.dtype.is_floating:
        advice = "Cast it to a floating dtype: of integers nearly all reciprocals are 0."
        raise UnsupportedArgument(explain("x", x.dtype.name, "a floating dtype", advice))
    return true_divide(tf.ones([], x.dtype), x)


def _scaled(factor: float) -> Callable[[Any], Any]:
    def function(x: Any) -> Any:
        x = cast(x, float_dtype(np.dtype(x.dtype.as_numpy_dtype)))
        return x * tf.constant(factor, x.dtype)

    return function


arcsin = _one_operand(
    "arcsin", "Return the angle in radians whose sine each element is; NaN beyond -1 and 1.",
    _by_name("asin"), ("[0.0, 1.0]", _shown("0.        , 1.57079633")), values=(-1.1, 1.1),
)  # fmt: skip
arccos = _one_operand(
    "arccos", "Return the angle in radians whose cosine each element is; NaN beyond -1 and 1.",
    _by_name("acos"), ("[1.0, 0.0]", _shown("0.        , 1.57079633")), values=(-1.1, 1.1),
)  # fmt: skip
arctan = _one_operand(
    "arctan", "Return the angle in radians whose tangent each element is.", _by_name("atan"),
    ("[0.0, 1.0]", _shown("0.        , 0.78539816")),
)  # fmt: skip
sinh = _one_operand(
    "sinh", "Return the hyperbolic sine.", _by_name("sinh", fused=True),
    ("[0.0, 1.0]", _shown("0.        , 1.17520119")),
    values=(-5.0, 5.0), dtypes=("bool", *_FLOATS), slower="float32 is",
)  # fmt: skip
cosh = _one_operand(
    "cosh", "Return the hyperbolic cosine.", _by_name("cosh", fused=True),
    ("[0.0, 1.0]", _shown("1.        , 1.54308063")), values=(-5.0, 5.0),
    dtypes=("bool", *_FLOATS),
)  # fmt: skip
tanh = _one_operand(
    "tanh", "Return the hyperbolic tangent.", _by_name("tanh"),
    ("[0.0, 1.0]", _shown("0.        , 0.76159416")),
)  # fmt: skip
arcsinh = _one_operand(
    "arcsinh", "Return the number whose hyperbolic sine each element is.", _by_name("asinh", fused=True),
    ("[0.0, 1.0]", _shown("0.        , 0.88137359")),
)  # fmt: skip
arccosh = _one_operand(
    "arccosh", "Return the number whose hyperbolic cosine each element is; NaN below 1.", _by_name("acosh"),
    ("[1.0, 2.0]", _shown("0.       , 1.3169579")),
)  # fmt: skip
arctanh = _one_operand(
    "arctanh", "Return the number whose hyperbolic tangent each element is; NaN beyond -1 and 1.",
    _floating(_arctanh), ("[0.0, 0.5]", _shown("0.        , 0.54930614")), values=(-1.1, 1.1),
)  # fmt: skip
cbrt = _one_operand(
    "cbrt", "Return the cube root, of the sign of each element.", _fused(_cube_root),
    ("[1.0, -8.0]", _shown(" 1., -2.")), slower="float32 is",
)  # fmt: skip
exp2 = _one_operand(
    "exp2", "Return 2 to the power of each element.",
    _fused(lambda x: tf.pow(tf.constant(2, x.dtype), x)), ("[0.0, 3.0]", _shown("1., 8.")),
    values=(-9.0, 9.0), slower="float32 is",
)  # fmt: skip
reciprocal = _one_operand(
    "reciprocal", "Return 1 divided by each element; integers are refused.", _reciprocal,
    ("[1.0, 4.0]", _shown("1.  , 0.25")), dtypes=_FLOATS,
    returns="tf.Tensor, shape and dtype of `x`\nThe results.",
)  # fmt: skip
degrees = _one_operand(
    "degrees", "Return radians as degrees.", _scaled(180 / np.pi),
    ("[0.0, 1.0]", _shown(" 0.        , 57.29577951")), agreement=Ulps(2),
)  # fmt: skip
radians = _one_operand(
    "radians", "Return degrees as radians.", _scaled(np.pi / 180),
    ("[0.0, 180.0]", _shown("0.        , 3.14159265")), agreement=Ulps(2),
)  # fmt: skip
fabs = _one_operand(
    "fabs", "Return the magnitude of each element, as a floating number.",
    _by_name("abs"), ("[-3.0, 4.0]", _shown("3., 4.")), agreement=Exact(),
)  # fmt: skip


@numpy_native(
    "numpy.sinc", "Return sin(pi x) / (pi x), and 1 at 0.",
    # Of arrays of rank 0 NumPy 1 gives float64, whatever their dtype.
    domain={"x": Array(dtypes=("float32", "float64", "uint8"), ranks=(1, 2, 3), values=(-9.0, 9.0))},
    parameters={"x": "array_like, bool or any real number\nAny shape; sizes and rank may be unknown."},
    returns="tf.Tensor, shape of `x`\nThe results; of bool and integers float64.", agreement=_CLOSE,
    words=CLOSE, example=("[0.0, 0.5]", _shown("1.        , 0.63661977")),
    graph="a few ops; static shape is kept.",
)  # fmt: skip
def sinc(x: Any) -> Any:
    return bytewise(_sinc_of_any, _real(x))


def _sinc_of_any(x: Any) -> Any:
    wanted = np.dtype(x.dtype.as_numpy_dtype) if x.dtype.is_floating else np.dtype("float64")
    wide = np.dtype("float32") if wanted == np.float16 else wanted
    angle = one_pass(_angle, cast(x, wide))
    # TensorFlow's own sine is faster than that of programs.
    return cast(one_pass(_quotient, tf.sin(angle), angle), wanted)


def _angle(x: Any) -> Any:
    return x * tf.constant(np.pi, x.dtype)


def _quotient(sine: Any, angle: Any) -> Any:
    zero, one = tf.equal(angle, 0), tf.ones([], angle.dtype)
    return tf.where(zero, one, sine / tf.where(zero, one, angle))
