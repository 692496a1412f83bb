"""NumPy's unsafe cast."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf


def cast(x: Any, dtype: np.dtype[Any]) -> Any:
    """Cast as NumPy assigns: fractions are dropped, integers wrap around.

    Parameters
    ----------
    x : tf.Tensor
        The array.
    dtype : numpy.dtype
        The dtype wanted.

    Returns
    -------
    tf.Tensor
        Of that dtype.
    """
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
