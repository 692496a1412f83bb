"""Blocks of arrays at places that XLA does not know when it compiles."""

from __future__ import annotations

import functools
import importlib
from typing import Any


def block_at(array: Any, starts: Any, sizes: Any) -> Any:
    """Return a block of an array; only XLA runs it.

    Parameters
    ----------
    array : tf.Tensor
        The array.
    starts : tf.Tensor
        The first place along each axis. XLA moves a block that does not lie inside.
    sizes : list of int
        The sizes of the block.

    Returns
    -------
    tf.Tensor
        Of these sizes.
    """
    return _operations().xla_dynamic_slice(input=array, start_indices=starts, size_indices=sizes)


def with_block(array: Any, block: Any, starts: Any) -> Any:
    """Return an array with a block written to it; only XLA runs it.

    Parameters
    ----------
    array, block : tf.Tensor
        Of the same dtype and number of axes.
    starts : tf.Tensor
        As of `block_at`.

    Returns
    -------
    tf.Tensor
        Of the sizes of the array.
    """
    return _operations().xla_dynamic_update_slice(input=array, update=block, indices=starts)


@functools.cache
def _operations() -> Any:
    return importlib.import_module("tensorflow.compiler.tf2xla.ops.gen_xla_ops")
