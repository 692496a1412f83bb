"""The cost of an operation by the shapes of its operands."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf

# Elements of a row from which on a gather copies it in one piece.
_COPIED = 4096
# Elements in a row up to which the graph repeats a smaller operand element by element.
_SPREAD = 64


def copies_rows(node: Any) -> bool:
    """Say whether a gather copies long rows, and does not look up each element.

    `node`: a `GatherV2` of known sizes.
    """
    axis, shape = tf.get_static_value(node.inputs[2]), node.inputs[0].shape
    return axis is not None and (shape[int(axis) + 1 or shape.rank :].num_elements() or 0) >= _COPIED


def spreads(node: Any) -> bool:
    """Say whether an operation repeats an operand within short rows, as one number per channel.

    `node`: one that computes pixel by pixel, of known sizes.
    """
    whole = node.outputs[0].shape.as_list()
    parts = (one.shape.as_list() for one in node.inputs if one.shape.num_elements() > 1)
    return any(_run(part, whole) <= _SPREAD for part in parts)


def _run(part: list[int], whole: list[int]) -> float:
    """Return over how many last elements an operand is either repeated or not, both not."""
    part = [1] * (len(whole) - len(part)) + part
    if part == whole:
        return float("inf")
    run = 1
    for size, full in zip(reversed(part), reversed(whole), strict=True):
        if full > 1 and (size == 1) != (part[-1] == 1):
            break
        run *= full
    return run
