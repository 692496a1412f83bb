"""Resampling by a ratio of whole numbers: zeros between the elements, a filter, and every few sums one.

As many inputs as `down` give as many outputs as `up`, always by the same weights: one product of overlapping
frames with a matrix.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels.inputs.arrays import sizes_of
from pipeport.kernels.sampling._convolution import framed, is_finite
from pipeport.kernels.xla._one_call import cold_branch

# As many outputs as a frame gives at least.
_LEAST = 32


@dataclass(frozen=True)
class Polyphase:
    """What is resampled by.

    `taps`: shape (K,). `up`, `down`: the ratio; they have no common factor.
    """

    taps: np.ndarray
    up: int
    down: int

    def count(self, size: Any) -> Any:
        """Return how many outputs so many inputs give."""
        return (size * self.up + self.down - 1) // self.down


def elements(up: int, down: int) -> int:
    """Return about how many elements the matrix of a ratio has."""
    return 2 * max(up, _LEAST) * max(down, 21)


def resampled(x: Any, by: Polyphase) -> Any:
    """Return lines resampled, with the filter's middle on each output.

    `x`: shape (..., N), dtype of the taps; the lines; they are zero beyond their ends. Returns: shape (..., N
    * up / down rounded up); the sums. What is not finite reaches the sums it belongs to alone.
    """
    size = x.shape[-1]
    count = by.count(sizes_of(x)[-1])
    found = _by_matrix(x, by, count)
    by_taps = cold_branch(lambda: _by_taps(x, by, count))
    found = tf.cond(is_finite(found), lambda: found, by_taps)
    return tf.ensure_shape(found, [*x.shape[:-1], None if size is None else count])


def _by_matrix(x: Any, by: Polyphase, count: Any) -> Any:
    middle, length = (len(by.taps) - 1) // 2, len(by.taps)
    before = (length - 1 - middle) // by.up
    after = middle // by.up + 1
    times = -(-max(_LEAST, before + after) // min(by.up, by.down)) if by.up < _LEAST else 1
    while times > 1 and (times - 1) * by.up >= _LEAST and (times - 1) * by.down >= before + after:
        times -= 1
    outputs, step = times * by.up, times * by.down
    reach = before + ((outputs - 1) * by.down + middle) // by.up + 1
    blocks = -(-reach // step)
    ahead = np.arange(blocks * step)[:, np.newaxis] - before
    places = np.arange(outputs) * by.down - ahead * by.up + middle
    inside = (places >= 0) & (places < length)
    weights = np.where(inside, by.taps[np.clip(places, 0, length - 1)], by.taps.dtype.type(0))
    frames = framed(x, before, (count + outputs - 1) // outputs, step, blocks)
    sums = tf.matmul(frames, tf.constant(weights))
    lines = sizes_of(x)[:-1]
    return tf.reshape(sums, [*lines, sizes_of(frames)[-2] * outputs])[..., :count]


def _by_taps(x: Any, by: Polyphase, count: Any) -> Any:
    """Return the sums output by output, with the products by zeros that SciPy's filter has at its ends."""
    middle = (len(by.taps) - 1) // 2
    ahead = by.down - middle % by.down
    wide = np.pad(by.taps, (ahead, -(len(by.taps) + ahead) % by.up))
    phases = wide.reshape(-1, by.up).T  # (up, T)
    at = (tf.range(count) + (middle + ahead) // by.down) * by.down
    places = (at // by.up)[:, tf.newaxis] - tf.range(phases.shape[1])
    size = sizes_of(x)[-1]
    inside = (places >= 0) & (places < size)
    taken = tf.gather(x, tf.clip_by_value(places, 0, size - 1), axis=-1)
    products = taken * tf.gather(tf.constant(phases), at % by.up)
    return tf.reduce_sum(tf.where(inside, products, tf.zeros([], x.dtype)), -1)
