"""One draw of real numbers for every element of a batch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.seeds._ambient import look_up
from pipeport.seeds._derive import fold_in


def for_each(draw: Callable[[Any], Any], seed: Any, first: Any, *, batch: bool, dtype: Any = None) -> Any:
    """Return a draw of numbers with a leading axis: one, or one for every element of a batch.

    `draw`: takes a seed and gives numbers, of a shape known while tracing where XLA compiles a batch. `seed`:
    one per element, or one that is folded with the element's number. `first`: an array of the batch, which
    says how many elements there are. `batch`: whether there is a batch; else `seed` is that of the one draw.
    `dtype`: of the numbers; None stands for float64.
    """
    if not batch:
        return draw(look_up(seed))[tf.newaxis]
    drawn, count = look_up(seed, batch=True), first.shape[0]
    one = tf.TensorSpec(draw(tf.zeros([2], tf.int64)).shape, dtype or tf.float64)
    if count == 0:  # XLA does not compile a loop over nothing
        return tf.zeros([0, *one.shape], one.dtype)
    if drawn.shape.rank == 2:
        return tf.map_fn(draw, drawn, fn_output_signature=one)
    numbers = tf.range(tf.cast(tf.shape(first)[0] if count is None else count, tf.int64))
    return tf.map_fn(lambda index: draw(fold_in(drawn, index)), numbers, fn_output_signature=one)
