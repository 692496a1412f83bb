"""The XLA policy: what is compiled, when, and for which sizes."""

from __future__ import annotations

import atexit
import functools
from collections.abc import Callable, Hashable
from typing import Any

from pipeport import config
from pipeport._lazy import tf
from pipeport.kernels.xla._undivided import undivided

# Widths of a size bucket: 64 pixels up to 512, then an eighth of the next power of two, so
# that any dataset meets few buckets (20 an axis up to 4096) and wastes little.
_FINE = 64


def should_compile(gains: bool) -> bool:
    """Say whether a body traced now is to be compiled.

    Parameters
    ----------
    gains : bool
        Whether the op was measured to gain from XLA.

    Returns
    -------
    bool
        Never in eager mode: a compilation per call would cost more than it brings.
    """
    policy = config.jit()
    if tf.executing_eagerly() or policy == "never":
        return False
    return gains or policy == "always"


@functools.cache
def compiled(build: Callable[..., Callable[..., Any]], *static: Hashable) -> Any:
    """Return `build(*static)` as one XLA-compiled function, shared by all its callers."""
    return undivided(build(*static))


def run(build: Callable[..., Callable[..., Any]], *static: Hashable) -> Callable[..., Any]:
    """Return `build(*static)` as natives run it whose sizes decide alone.

    Parameters
    ----------
    build : callable
        Returns a function of tensors; it was measured to gain from XLA.
    *static : hashable
        The arguments of `build`.

    Returns
    -------
    callable
        The function: one compiled program where it is traced with a first argument of known shape that is
        not empty, else operations of the graph.
    """

    def call(x: Any, *others: Any) -> Any:
        known = x.shape.is_fully_defined() and x.shape.num_elements() > 0
        function = compiled if known and should_compile(gains=True) else _as_operations
        return function(build, *static)(x, *others)

    return call


def _as_operations(build: Callable[..., Callable[..., Any]], *static: Hashable) -> Any:
    return build(*static)


# Left to the end of the interpreter, TensorFlow 2.15's functions look for modules that are gone.
atexit.register(compiled.cache_clear)


def bucket(sizes: Any) -> Any:
    """Round sizes (an int32 tensor) up to the next bucket size."""
    # The next power of two is counted, which unlike a float logarithm is exact.
    powers = tf.constant([2**k for k in range(9, 31)], tf.int32)
    beyond = tf.reduce_sum(tf.cast(sizes[..., tf.newaxis] > powers, tf.int32), axis=-1)
    step = tf.bitwise.left_shift(tf.fill(tf.shape(beyond), _FINE), beyond)
    return (sizes + step - 1) // step * step


def padded_to_bucket(x: Any, axes: range, fill: Any = 0) -> Any:
    """Pad axes of a tensor at their ends up to the bucket of their sizes.

    Parameters
    ----------
    x : tf.Tensor
        The array; its rank is known.
    axes : range
        Neighbouring axes to pad.
    fill : scalar tensor
        What is padded with.

    Returns
    -------
    tf.Tensor
        The larger array; the padded sides are statically unknown.
    """
    size = tf.shape(x)[axes.start : axes.stop]
    extra = bucket(size) - size
    others = [[axes.start, x.shape.rank - axes.stop], [0, 0]]
    paddings = tf.pad(tf.stack([tf.zeros_like(extra), extra], axis=1), others)
    shape = [None if axis in axes else side for axis, side in enumerate(x.shape)]
    return tf.ensure_shape(tf.pad(x, paddings, constant_values=fill), shape)
