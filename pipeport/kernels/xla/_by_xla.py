"""Branches for graphs that a user compiles with XLA, which nothing tells while they are traced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels.xla._one_call import cold_branch

# As many as a byte has.
_BITS = 8


def where_compiled(images: Any, by_xla: Callable[[], Any], else_: Callable[[], Any]) -> Any:
    """Return one tensor where XLA compiles the graph, and another where TensorFlow runs it.

    `images`: shape (B, H, W, C), uint8; any images of the graph; the batch may be empty. `by_xla`, `else_`:
    without parameters; give tensors of one shape and dtype. Returns: what one of them gives; XLA keeps no
    trace of the other.
    """
    return tf.cond(_compiled(images), cold_branch(by_xla), else_)


def _compiled(images: Any) -> Any:
    """Say whether XLA computes this.

    A byte that is shifted by all its bits or more is 0 to XLA; TensorFlow's kernel shifts it by one bit less
    than it has. By how far is asked of a pixel, because both compute what they know before.
    """
    first = images[(slice(1), *[0] * (images.shape.rank - 1))]
    one, bits = tf.constant(1, tf.uint8), tf.constant(_BITS, tf.uint8)
    return tf.reduce_all(tf.equal(tf.bitwise.left_shift(one, tf.bitwise.bitwise_or(first, bits)), 0))
