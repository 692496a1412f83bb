"""Numbers written to symbolic blocks in rounds of loops that draw: in place, not by joining pieces again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.porting.optimise._loops import block_write_of, graphs_to_round

_DRAW = "StatelessRandomUniformFullIntV2"


def may_write(graph: Any) -> bool:
    """Say whether arrays of loops are written to in place here.

    Elsewhere they are needed afterwards, so they would be copied; and loops that draw nothing may be
    compiled, for which writes are recognized by their pieces.

    `graph`: of a body, a branch or a round. Returns: whether it is part of a round of a loop that draws.
    """
    return any(node.type == _DRAW for one in graphs_to_round(graph) for node in one.get_operations())


def written(node: Any, alone: Callable[[Any], bool]) -> Any:
    """Compute an operation that writes a number into a block, in place.

    `node`: of a part of a loop. `alone`: says whether nothing takes a tensor but one operation. Returns: None
    where the operation does something else, or the array is needed afterwards.
    """
    write = block_write_of(node)
    if write is None or write.array.op.type != "Placeholder" or not alone(write.array):
        return None
    axes = sorted(write.spans)
    rows = [write.spans[axis].op for axis in axes]
    table = rows[0].inputs[0].op if rows[0].type == "Unpack" else None
    if table is None or axes != list(range(len(axes))) or any(row is not rows[0] for row in rows):
        return None
    if (
        table.type != "Pack"
        or len(table.inputs) != 3
        or (rows[0].get_attr("axis"), table.get_attr("axis")) != (0, 1)
    ):
        return None
    if any(write.spans[axis] is not rows[0].outputs[axis] for axis in axes):
        return None
    first, width, _ = table.inputs
    ends = width.op.type == "Sub" and width.op.inputs[1] is first
    with node.graph.as_default():
        sizes = tf.concat([width, tf.constant(write.array.shape.as_list()[len(axes) :], width.dtype)], 0)
        found = tf.raw_ops.TensorStridedSliceUpdate(
            input=write.array,
            begin=first,
            end=width.op.inputs[0] if ends else first + width,
            strides=tf.ones([len(axes)], first.dtype),
            value=tf.raw_ops.Fill(dims=sizes, value=write.value),
        )
    found.set_shape(write.array.shape)
    return found
