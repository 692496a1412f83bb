"""Running sums and products."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._along import one_axis, sum_dtype, truth
from pipeport.arrays._cast import cast


def cumsum(x: Any, axis: Any = None, dtype: Any = None) -> Any:
    """Return running sums, as `numpy.cumsum`.

    `axis`: along which axis; None along the flattened array. `dtype`: in which dtype; None widens bool and
    integers to 64 bits. Returns: as many elements; integers wrap around.
    """
    x, along = one_axis(x, axis)
    x = _as_summed(x, dtype)
    if x.dtype.is_complex:  # XLA has no running sum of complex numbers
        return tf.complex(*(tf.cumsum(part, along) for part in (tf.math.real(x), tf.math.imag(x))))
    return _running(tf.cumsum, x, along)


def cumprod(x: Any, axis: Any = None, dtype: Any = None) -> Any:
    """Return running products, as `numpy.cumprod`.

    `axis`: along which axis; None along the flattened array. `dtype`: in which dtype; None widens bool and
    integers to 64 bits. Returns: as many elements; integers wrap around.
    """
    x, along = one_axis(x, axis)
    return _running(tf.math.cumprod, _as_summed(x, dtype), along)


def _as_summed(x: Any, dtype: Any) -> Any:
    wanted = sum_dtype(x, dtype)
    return truth(x) if wanted == np.bool_ else cast(x, wanted)


def _running(accumulate: Callable[..., Any], x: Any, along: int) -> Any:
    # float16 stays: every partial result is rounded to it, as in NumPy. XLA orders additions otherwise.
    if not (x.dtype.is_integer or x.dtype.is_bool) or x.dtype in (tf.int32, tf.int64):
        return accumulate(x, along)
    # XLA accumulates no other integers; modulo 2**64 they are these.
    wide = tf.bitcast(x, tf.int64) if x.dtype == tf.uint64 else tf.cast(x, tf.int64)
    wide = accumulate(wide, along)
    return tf.bitcast(wide, tf.uint64) if x.dtype == tf.uint64 else tf.cast(wide, x.dtype)
