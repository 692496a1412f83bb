"""The XLA policy of the natives that copy elements to other places."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from pipeport.kernels import xla


def moved(x: Any, build: Callable[..., Callable[[Any], Any]], *static: Hashable) -> Any:
    """Apply ``build(*static)``, compiled where the shape is known while tracing.

    Parameters
    ----------
    x : tf.Tensor
        The array.
    build : callable
        Returns the function of `x`.
    *static : hashable
        What decides that function.

    Returns
    -------
    tf.Tensor
        The result.
    """
    # One call at 256x256x3 float32, graph op against XLA, microseconds, the same 300 of the call in
    # each: take of three channels 997, 412; repeat along channels 1,824, 447; tile by two 1,338, 496.
    known = x.shape.is_fully_defined() and x.shape.num_elements() > 0
    if known and xla.should_compile(gains=True):
        return xla.compiled(build, *static)(x)
    return build(*static)(x)
