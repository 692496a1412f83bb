"""inv, det, solve, pinv, matrix_power, slogdet."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays import _products
from pipeport.arrays._along import flag
from pipeport.arrays._cast import cast
from pipeport.arrays._promotion import joined
from pipeport.contract import AsReference, CannotServe, Integer, Matrix, OneOf, Shaped
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs.arrays import known_rank
from pipeport.kernels.inputs.integers import whole_number
from pipeport.numpy._families import numpy_native, tensor
from pipeport.numpy._reductions import CLOSE, NO_VALUE, NOTHING

_A = Matrix(rows=3, columns=3, kind="projective", tensor=True)
_SQUARE = "array_like, shape (..., M, M)\nOne matrix or a stack; sizes may be unknown, the rank not."
# XLA finds its pseudo-inverse 5e-7 off.
_UNEVEN = [[3.2, -8.2, -2.8], [2.6, -3.9, 8.1], [-6.2, -2.0, 1.6]]
_SMALL = 4
_SINGULAR = {
    "OutsideDomain": "The matrices are not square, or sizes do not fit.",
    "tf.errors.InvalidArgumentError": "A matrix is singular, but in what the user compiles with XLA.",
}


def _floating(x: Any, parameter: str) -> Any:
    """Return numbers in the dtype NumPy takes: float64 of bool and integers."""
    if x.dtype == tf.float16:
        advice = "Cast it to float32: NumPy refuses it as well."
        raise WrongType(explain(parameter, "float16", "bool, integers, float32, float64 or complex", advice))
    return x if x.dtype.is_floating or x.dtype.is_complex else cast(x, np.dtype("float64"))


def _matrices(x: Any, parameter: str, *, square: bool = True) -> Any:
    if known_rank(x, parameter) < 2:
        advice = "Give it two axes."
        raise OutsideDomain(explain(parameter, f"rank {x.shape.rank}", "2 or more", advice))
    rows, columns = x.shape[-2:]
    if square and rows != columns and None not in (rows, columns):
        given, advice = f"{rows} rows and {columns} columns", "Take pinv of others."
        raise OutsideDomain(explain(parameter, given, "square matrices", advice))
    return _floating(x, parameter)


@numpy_native(
    "numpy.linalg.inv", "Invert matrices.", domain={"a": _A}, parameters={"a": _SQUARE},
    returns="tf.Tensor, dtype of `a`; float64 of bool and integers\nThe inverses.", agreement=AsReference(),
    words=CLOSE, raises=_SINGULAR, graph="one op; static shape is kept.",
    example=("[[2.0, 0.0], [0.0, 4.0]]", "<tf.Tensor: shape=(2, 2), dtype=float64, numpy=\n"
             "array([[0.5 , 0.  ],\n       [0.  , 0.25]])>"),
)  # fmt: skip
def inv(a: Any) -> Any:
    return tf.linalg.inv(_matrices(tensor(a, "a"), "a"))


@numpy_native(
    "numpy.linalg.det", "Return the determinants of matrices.", domain={"a": _A}, parameters={"a": _SQUARE},
    returns="tf.Tensor, dtype of `a`; float64 of bool and integers\nThe determinants.",
    agreement=AsReference(), words=CLOSE,
    raises={"OutsideDomain": "The matrices are not square.",
            "tf.errors.InvalidArgumentError": "More than four rows, in what the user compiles with XLA."},
    graph="one op, or some ten per row of up to four; static shape is kept.",
    example=("[[2.0, 0.0], [0.0, 4.0]]", "<tf.Tensor: shape=(), dtype=float64, numpy=8.0>"),
)  # fmt: skip
def det(a: Any) -> Any:
    x = _matrices(tensor(a, "a"), "a")
    size = x.shape[-1]
    return _eliminated(x, size) if size is not None and size <= _SMALL else tf.linalg.det(x)


def _eliminated(x: Any, size: int) -> Any:
    """Return determinants of small matrices by elimination: XLA has no kernel."""
    found = tf.ones_like(x[..., 0, 0]) if size else tf.ones(tf.shape(x)[:-2], x.dtype)
    for left in range(size, 0, -1):
        row = tf.argmax(tf.abs(x[..., 0]), -1, tf.int32)
        chosen = tf.one_hot(row, left, on_value=True, off_value=False, dtype=tf.bool)
        zero = tf.zeros([], x.dtype)
        pivots = tf.reduce_sum(tf.where(chosen[..., tf.newaxis], x, zero), -2, keepdims=True)
        # The row of the pivot takes the place of the first one, which turns the sign.
        first = x[..., :1, :]
        x = tf.where(chosen[..., tf.newaxis], first, x)[..., 1:, :]
        pivot = pivots[..., 0, :1]
        found = found * tf.where(tf.equal(row, 0), pivot[..., 0], -pivot[..., 0])
        share = tf.math.divide_no_nan(x[..., :1], pivot[..., tf.newaxis])
        x = x[..., 1:] - share * pivots[..., 1:]
    return found


@numpy_native(
    "numpy.linalg.solve", "Solve linear equations.",
    domain={"a": _A, "b": Shaped(shape=(3,), dtypes=("float32", "float64", "int32"), values=(-9.0, 9.0))},
    parameters={"a": _SQUARE, "b": "array_like, shape (M,) or (..., M, K)\nThe right-hand sides."},
    returns="tf.Tensor, of the dtype NumPy promotes to\nThe solutions, of the shape of `b`.",
    agreement=AsReference(), words=CLOSE, raises=_SINGULAR, graph="one op; static shape is kept.",
    example=("[[2.0, 0.0], [0.0, 4.0]], [1.0, 1.0]",
             "<tf.Tensor: shape=(2,), dtype=float64, numpy=array([0.5 , 0.25])>"),
)  # fmt: skip
def solve(a: Any, b: Any) -> Any:
    left, right = _matrices(tensor(a, "a"), "a"), _floating(tensor(b, "b"), "b")
    dtype = joined(np.dtype(left.dtype.as_numpy_dtype), np.dtype(right.dtype.as_numpy_dtype))
    left, right = cast(left, dtype), cast(right, dtype)
    vector = known_rank(right, "b") == 1
    if not right.shape.rank:
        raise OutsideDomain(explain("b", "rank 0", "1 or more", "Give it an axis."))
    right = right[:, tf.newaxis] if vector else right
    if left.shape[-1] != right.shape[-2] and None not in (left.shape[-1], right.shape[-2]):
        given, advice = f"{right.shape[-2]} rows for {left.shape[-1]}", "Give one per row of `a`."
        raise OutsideDomain(explain("b", given, "one number of rows", advice))
    if left.shape.rank > 2 or right.shape.rank > 2:
        try:
            stack = tf.broadcast_static_shape(left.shape[:-2], right.shape[:-2])
        except ValueError as error:
            advice = "Add axes of size one."
            raise OutsideDomain(explain("b", f"shape {b.shape}", "stacks that broadcast", advice)) from error
        sizes = tf.broadcast_dynamic_shape(tf.shape(left)[:-2], tf.shape(right)[:-2])
        left, right = (
            tf.ensure_shape(
                tf.broadcast_to(one, tf.concat([sizes, tf.shape(one)[-2:]], 0)), stack + one.shape[-2:]
            )
            for one in (left, right)
        )
    found = tf.linalg.solve(left, right)
    return found[..., 0] if vector else found


@numpy_native(
    "numpy.linalg.pinv", "Return the pseudo-inverses of matrices.",
    domain={"a": Matrix(rows=2, columns=3, kind="affine", tensor=True),
            "rcond": OneOf(1e-15, 1e-9), "hermitian": OneOf(False)},
    parameters={"a": "array_like, shape (..., M, N)\nOne matrix or a stack; the rank must be known.",
                "rcond": "float or None, default None\nSingular values up to this part of the largest count "
                         "as zero; None stands for 1e-15.",
                "hermitian": "bool, default False\nWhether they are Hermitian; of no effect here."},
    returns="tf.Tensor, shape (..., N, M), dtype of `a`; float64 of bool and integers\nThe pseudo-inverses.",
    agreement=AsReference(), words=CLOSE, raises={"OutsideDomain": "There are no matrices."},
    reasons={"rtol": "`rcond` says the same"}, graph="singular values, and a product; static shape is kept.",
    cannot_serve=(
        CannotServe("xla", "XLA's singular values are off by some 1e-6",
                    lambda: {"a": tf.constant(_UNEVEN, tf.float64)}, inexact=True),
    ),
    stated=f"(a, rcond=None, hermitian=False, *, rtol={NO_VALUE})",
    example=("[[2.0, 0.0], [0.0, 4.0]]", "<tf.Tensor: shape=(2, 2), dtype=float64, numpy=\n"
             "array([[0.5 , 0.  ],\n       [0.  , 0.25]])>"),
)  # fmt: skip
def pinv(a: Any, rcond: Any = None, hermitian: Any = False, *, rtol: Any = NOTHING) -> Any:
    if rtol is not NOTHING:
        raise UnsupportedArgument(explain("rtol", repr(rtol), "nothing", "Say it by `rcond`."))
    flag(hermitian, "hermitian")
    x = _matrices(tensor(a, "a"), "a", square=False)
    least = cast(tensor(1e-15 if rcond is None else rcond, "rcond"), np.dtype(np.float64))
    return _products.pseudo_inverse(x, least)


@numpy_native(
    "numpy.linalg.matrix_power", "Raise matrices to a whole power.",
    domain={"a": Shaped(shape=((3, 3), (3, 3)), dtypes=("float32", "float64", "int32", "int64"),
                        values=(-2.0, 2.0), per_image=True), "n": Integer(0, 6)},
    parameters={"a": _SQUARE, "n": "int\nThe power; below zero that of the inverse."},
    returns="tf.Tensor, dtype of `a`; float64 of bool and integers for powers below zero\nThe products; "
            "integers wrap around.",
    agreement=AsReference(), words=CLOSE, raises=_SINGULAR,
    graph="products, about twice as many as the power has bits; static shape is kept.",
    example=("[[1.0, 1.0], [0.0, 1.0]], 3", "<tf.Tensor: shape=(2, 2), dtype=float64, numpy=\n"
             "array([[1., 3.],\n       [0., 1.]])>"),
)  # fmt: skip
def matrix_power(a: Any, n: Any) -> Any:
    x, power = tensor(a, "a"), whole_number(n, "n")
    floats = _matrices(x, "a")
    x = tf.linalg.inv(floats) if power < 0 else x
    if not power:
        return tf.eye(tf.shape(x)[-1], batch_shape=tf.shape(x)[:-2], dtype=x.dtype) + tf.zeros_like(x)
    found = None
    for bit in reversed(f"{abs(power):b}"):
        if bit == "1":
            found = x if found is None else _products.matmul(found, x)
        x = _products.matmul(x, x)
    return tf.identity(found)


class SlogdetResult(NamedTuple):
    """Sign and logarithm of determinants."""

    sign: Any
    logabsdet: Any


@numpy_native(
    "numpy.linalg.slogdet", "Return sign and logarithm of the determinants of matrices.",
    domain={"a": _A}, parameters={"a": _SQUARE},
    returns="(tf.Tensor, tf.Tensor), named `sign` and `logabsdet`\nSigns, of the dtype of `a`, float64 of "
            "bool and integers; logarithms, minus infinity where the sign is zero.",
    agreement=AsReference(), words=CLOSE, raises={"OutsideDomain": "The matrices are not square."},
    graph="one op; static shape is kept.", outputs=("sign", "logabsdet"),
    cannot_serve=(
        CannotServe("xla", "XLA has no such operation", lambda: {"a": tf.eye(3, dtype=tf.float64)}),
    ),
    example=("[[2.0, 0.0], [0.0, 4.0]]", "SlogdetResult(sign=<tf.Tensor: shape=(), dtype=float64, "
             "numpy=1.0>, logabsdet=<tf.Tensor: shape=(), dtype=float64, numpy=2.0794415416798357>)"),
)  # fmt: skip
def slogdet(a: Any) -> Any:
    return SlogdetResult(*tf.linalg.slogdet(_matrices(tensor(a, "a"), "a")))
