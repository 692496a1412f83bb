"""The XLA policy: which bodies are compiled, when, and for which sizes."""

from __future__ import annotations

import atexit
import functools
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

from pipeport import config
from pipeport._lazy import tf
from pipeport.kernels.xla._keys import exact_key
from pipeport.kernels.xla._single_threaded import single_threaded

# Widths of a size bucket: 64 pixels up to 512, then an eighth of the next power of two, so
# that any dataset meets few buckets (20 an axis up to 4096) and wastes little.
_FINE = 64


_Native = TypeVar("_Native", bound=Callable[..., Any])


def _should_compile(gains: bool) -> bool:
    """Say whether a body traced now is to be compiled.

    Only this module asks; others call `run` or `choose`, which decide with it.

    `gains`: whether the op was measured to gain from XLA. Returns: never in eager mode: a compilation per
    call would cost more than it brings.
    """
    policy = config.jit()
    if tf.executing_eagerly() or policy == "never":
        return False
    return gains or policy == "always"


def choose(
    known: bool,
    *,
    program: _Native,
    otherwise: _Native,
    in_buckets: _Native | None = None,
    gains: bool = True,
) -> _Native:
    """Return the form of a native to call now.

    Parameters
    ----------
    known : bool
        Whether everything that decides the program is known while tracing.
    program : callable
        Calls one compiled program, or several.
    otherwise : callable
        Consists of operations. It serves eager calls, too.
    in_buckets : callable or None
        Calls programs compiled per size bucket, for sizes that are not known; None: `otherwise` serves these.
    gains : bool
        Whether programs were measured to be faster than operations.

    Returns
    -------
    callable
        One of the three.
    """
    if not _should_compile(gains):
        return otherwise
    if known:
        return program
    return otherwise if in_buckets is None else in_buckets


def compiled(build: Callable[..., Callable[..., Any]], *static: Hashable) -> Any:
    """Return `build(*static)` as one XLA-compiled function, shared by all its callers."""
    return _compiled(build, static, exact_key(static))


@functools.cache
def _compiled(build: Callable[..., Callable[..., Any]], static: tuple[Hashable, ...], _: Hashable) -> Any:
    return single_threaded(build(*static))


def run(
    build: Callable[..., Callable[..., Any]],
    *static: Hashable,
    known: bool | None = None,
    gains: bool = True,
    otherwise: Callable[..., Any] | None = None,
    in_buckets: Callable[..., Any] | None = None,
) -> Callable[..., Any]:
    """Return `build(*static)` as natives run it: as one compiled program, or as operations.

    Parameters
    ----------
    build : callable
        Returns a function of tensors.
    *static : hashable
        The arguments of `build`; compared only where there is a program.
    known : bool or None
        Whether everything that decides the program is known while tracing. None: whether the shape of the
        first tensor is known, and not empty.
    gains : bool
        Whether the program was measured to be faster than operations.
    otherwise : callable or None
        The same function as operations, where other ones are faster than those of the program.
    in_buckets : callable or None
        The same function for sizes that are not known: programs compiled per size bucket.

    Returns
    -------
    callable
        A function of the tensors, which makes the choice that `choose` describes.
    """

    def call(x: Any, *others: Any) -> Any:
        if _should_compile(gains):
            all_known = x.shape.is_fully_defined() and x.shape.num_elements() > 0 if known is None else known
            if all_known:
                return compiled(build, *static)(x, *others)
            if in_buckets is not None:
                return in_buckets(x, *others)
        return (build(*static) if otherwise is None else otherwise)(x, *others)

    return call


def in_buckets(
    build: Callable[..., Callable[..., Any]], *static: Hashable, images: int = 1
) -> Callable[..., Any]:
    """Return `build(*static)` for pixels that do not depend on each other, compiled per size bucket.

    Parameters
    ----------
    build : callable
        Returns a function of `images` tensors (..., C), then of others. It gives a tensor whose axes are
        those of the images, or all but the last.
    *static : hashable
        The arguments of `build`.
    images : int
        How many tensors are images, all of one size.

    Returns
    -------
    callable
        A function of the tensors.
    """

    def call(*tensors: Any) -> Any:
        # Pixels in a row need one bucket, not one for each axis.
        rows = [padded_to_bucket(tf.reshape(one, [-1, one.shape[-1]]), range(1)) for one in tensors[:images]]
        found = compiled(build, *static)(*rows, *tensors[images:])
        sizes = tf.shape(tensors[0])[:-1]
        found = found[: tf.reduce_prod(sizes)]
        return tf.reshape(found, tf.concat([sizes, tf.shape(found)[1:]], 0))

    return call


def elements_in_buckets(build: Callable[..., Callable[..., Any]], *static: Hashable) -> Callable[..., Any]:
    """Return `build(*static)` for single elements, compiled for few numbers of them.

    Parameters
    ----------
    build : callable
        Returns a function of a tensor, each of whose elements becomes one, and of what is the same for all.
    *static : hashable
        The arguments of `build`.

    Returns
    -------
    callable
        A function of a tensor of any shape, and of the rest.
    """

    def call(x: Any, *others: Any) -> Any:
        found = in_buckets(build, *static)(tf.reshape(x, [-1, 1]), *others)
        return tf.ensure_shape(tf.reshape(found, tf.shape(x)), x.shape)

    return call


# Left to the end of the interpreter, TensorFlow 2.15's functions look for modules that are gone.
atexit.register(_compiled.cache_clear)


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
