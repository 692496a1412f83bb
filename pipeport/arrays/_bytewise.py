"""Functions of single elements, for bytes: computed of their 256 values, and looked up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels import xla

# Elements below which the function itself costs no more than a table of it.
_FEW = 1024


def bytewise(function: Callable[[Any], Any], x: Any) -> Any:
    """Return what a function gives of each element, found in a table where the elements are bytes.

    `function`: takes a tensor of the dtype of `x`, and gives one of its shape, each element from the same
    element. `x`: the array, of any dtype. Returns: shape of `x`.
    """
    count = x.shape.num_elements()
    if x.dtype not in (tf.uint8, tf.int8) or (count is not None and count < _FEW):
        return function(x)
    values = np.arange(256, dtype=np.uint8).view(x.dtype.as_numpy_dtype)
    table = function(tf.constant(values))
    if table.dtype != tf.float16:
        return looked_up(x, table)
    # XLA's programs for one thread know no float16; its bits will do.
    return tf.bitcast(looked_up(x, tf.bitcast(table, tf.uint16)), tf.float16)


def looked_up(x: Any, table: Any) -> Any:
    """Return the entries of a table at the indices that bytes are.

    `x`: uint8 or int8; the bytes, of any shape; negative ones stand behind 127. `table`: shape (256,).
    Returns: shape of `x`, dtype of `table`.
    """
    return xla.run(_looked_up, in_buckets=xla.elements_in_buckets(_looked_up))(x, table)


def _looked_up() -> Callable[[Any, Any], Any]:
    def looked_up(x: Any, table: Any) -> Any:
        return tf.gather(table, tf.cast(tf.bitcast(x, tf.uint8), tf.int32))

    return looked_up
