"""Parts of complex numbers, of which a transform consists: real, imag, angle."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._along import flag
from pipeport.arrays._cast import cast
from pipeport.arrays._sharing import Tracked
from pipeport.contract import Array, AsReference, Boolean, Exact
from pipeport.numpy._families import REALS, numpy_native, tensor
from pipeport.numpy._mathematics import float_dtype
from pipeport.numpy._reductions import BITS, CLOSE

_ANY = "array_like, bool or any number\nAny shape; sizes and rank may be unknown."
_ARRAY = Array(dtypes=REALS, ranks=(0, 1, 2))


@numpy_native(
    "numpy.real", "Return the real parts.", domain={"val": _ARRAY}, parameters={"val": _ANY},
    returns="tf.Tensor, shape of `val`\nOf what is not complex the array itself.",
    agreement=Exact(), words=BITS,
    example=("[1 + 2j]", "<tf.Tensor: shape=(1,), dtype=float64, numpy=array([1.])>"),
)  # fmt: skip
def real(val: Any) -> Any:
    if isinstance(val, Tracked):  # a view of it
        return val.real  # type: ignore[attr-defined]
    x = tensor(val, "val")
    return tf.math.real(x) if x.dtype.is_complex else tf.identity(x)


@numpy_native(
    "numpy.imag", "Return the imaginary parts.", domain={"val": _ARRAY}, parameters={"val": _ANY},
    returns="tf.Tensor, shape of `val`\nOf what is not complex zeros.", agreement=Exact(), words=BITS,
    example=("[1 + 2j]", "<tf.Tensor: shape=(1,), dtype=float64, numpy=array([2.])>"),
)  # fmt: skip
def imag(val: Any) -> Any:
    if isinstance(val, Tracked):
        return val.imag  # type: ignore[attr-defined]
    x = tensor(val, "val")
    return tf.math.imag(x) if x.dtype.is_complex else tf.zeros_like(x)


@numpy_native(
    "numpy.angle", "Return the angles of complex numbers.", domain={"z": _ARRAY, "deg": Boolean()},
    parameters={"z": _ANY, "deg": "bool, default False\nWhether in degrees; else in radians."},
    returns="tf.Tensor, shape of `z`\nFrom -pi to pi; of what is not complex 0, or pi where it is negative.",
    agreement=AsReference(), words=CLOSE,
    example=("[1j]", "<tf.Tensor: shape=(1,), dtype=float64, numpy=array([1.57079633])>"),
)  # fmt: skip
def angle(z: Any, deg: Any = False) -> Any:
    x, degrees = tensor(z, "z"), flag(deg, "deg")
    if x.dtype.is_complex:
        found = tf.math.atan2(tf.math.imag(x), tf.math.real(x))
    else:
        own = np.dtype("int64" if x.dtype.is_bool else x.dtype.as_numpy_dtype)
        x = cast(x, float_dtype(own))
        found = tf.math.atan2(tf.zeros_like(x), x)
    return found * tf.constant(180.0 / math.pi, found.dtype) if degrees else found
