"""Half the Fourier transform of real arrays, in forms that TensorFlow 2.15 compiles too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipeport._lazy import tf


def _real_ones_serve(dtype: Any) -> bool:
    # TensorFlow 2.15 compiles no transform of float64, and no inverse of complex128.
    new = tuple(map(int, tf.__version__.split(".")[:2])) > (2, 15)
    return bool(new or dtype in (tf.float32, tf.complex64))


def half_of(x: Any, axes: int = 1) -> Any:
    """Return the Fourier transform of real arrays along their last axes, without what is conjugate to it.

    `x`: float32 or float64. `axes`: {1, 2, 3}; along how many axes. Returns: complex64 or complex128; of the
    last axis the half, from frequency zero on.
    """
    if _real_ones_serve(x.dtype):
        return (tf.signal.rfft, tf.signal.rfft2d, tf.signal.rfft3d)[axes - 1](x)
    whole_one = (tf.signal.fft, tf.signal.fft2d, tf.signal.fft3d)[axes - 1](tf.cast(x, tf.complex128))
    size = x.shape[-1]
    return whole_one[..., : (tf.shape(x)[-1] if size is None else size) // 2 + 1]


def inverse(x: Any, axes: int = 1) -> Any:
    """Return the inverse transform along the last one or two axes, not divided by the number of elements."""
    return tf.math.conj((tf.signal.fft, tf.signal.fft2d)[axes - 1](tf.math.conj(x)))


def arrays_of(x: Any, sizes: Sequence[Any]) -> Any:
    """Return the real arrays of whose transform along their last axes the half is given.

    `x`: complex64 or complex128; of the last axis the half. `sizes`: how many elements the arrays have along
    these axes, one to three. Returns: float32 or float64.
    """
    count, rank = len(sizes), x.shape.rank
    if _real_ones_serve(x.dtype):
        return (tf.signal.irfft, tf.signal.irfft2d, tf.signal.irfft3d)[count - 1](x, tf.stack(sizes))
    for place in range(rank - count, rank - 1):
        turn = [*(other for other in range(rank) if other != place), place]
        back = [turn.index(other) for other in range(rank)]
        turned = tf.transpose(x, turn)
        x = tf.transpose(inverse(turned) / tf.cast(tf.shape(turned)[-1], x.dtype), back)
    number = sizes[-1]
    # Real parts alone: what the first and a middle element have of imaginary parts, NumPy leaves out.
    second = tf.math.conj(tf.reverse(x[..., 1 : (number + 1) // 2], [-1]))
    found = tf.math.real(inverse(tf.concat([x, second], -1)))
    return found / tf.cast(number, found.dtype)
