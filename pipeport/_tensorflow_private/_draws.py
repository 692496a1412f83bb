"""The draw inside TensorFlow's functions, in whose place a recorded one is given."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Callable, Iterator
from typing import Any


@contextlib.contextmanager
def uniform_by(draw: Callable[..., Any]) -> Iterator[None]:
    """Let the functions of `tf.image` take their uniform draws from a function, in the `with` block.

    Parameters
    ----------
    draw : callable
        Takes what `tf.random.uniform` takes.

    Yields
    ------
    None
        Nothing; what was before holds again afterwards.
    """
    module: Any = importlib.import_module("tensorflow.python.ops.random_ops")
    before = module.random_uniform
    module.random_uniform = draw
    try:
        yield
    finally:
        module.random_uniform = before
