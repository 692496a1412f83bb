"""Dtype arguments as NumPy's, and its unsafe cast."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels.inputs.dtypes import dtype_of

CASTINGS = ("no", "equiv", "safe", "same_kind", "unsafe")


def numpy_dtype(dtype: Any) -> np.dtype[Any]:
    """Return a dtype argument as NumPy's.

    `dtype`: a dtype, its name, or a type; TensorFlow's dtypes count too, None is float64.
    """
    found: np.dtype[Any] = np.dtype(dtype_of(dtype, "dtype").as_numpy_dtype)
    return found


def cast(x: Any, dtype: np.dtype[Any]) -> Any:
    """Cast as NumPy assigns: fractions are dropped, integers wrap around."""
    wanted = tf.dtypes.as_dtype(dtype)
    if x.dtype == wanted:
        return x
    if x.dtype.is_complex and wanted.is_bool:
        return tf.not_equal(x, tf.zeros([], x.dtype))
    if x.dtype.is_complex and not wanted.is_complex:
        x = tf.math.real(x)
    if x.dtype.is_floating and wanted.is_integer and wanted.size < 8:
        # In two steps: a narrow target saturates in compiled code and wraps around elsewhere.
        x = tf.cast(x, tf.int64)
    return tf.cast(x, wanted)
