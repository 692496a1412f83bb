"""Small whole numbers in a graph, such as sizes, that follow from constants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf

_MOST = 64


def _sliced(node: Any, value: Any, start: Any, stop: Any, step: Any) -> Any:
    masks = [
        node.get_attr(f"{name}_mask") for name in ("ellipsis", "new_axis", "begin", "end", "shrink_axis")
    ]
    if any(masks[:2]) or value.ndim != 1 or len(start) != 1:
        return None
    first = None if masks[2] else int(start[0])
    if masks[4]:
        return value[int(start[0])]
    return value[first : None if masks[3] else int(stop[0]) : int(step[0])]


_RULES: dict[str, Callable[..., Any]] = {
    "Cast": lambda node, value: value.astype(node.outputs[0].dtype.as_numpy_dtype),
    "ConcatV2": lambda _, *values: np.concatenate(values[:-1], int(values[-1])),
    "Identity": lambda _, value: value,
    "Mul": lambda _, one, other: one * other,
    "Pack": lambda node, *values: np.stack(values, node.get_attr("axis")),
    "Reshape": lambda _, value, shape: value.reshape(shape),
    "StridedSlice": _sliced,
}


def known(tensor: Any) -> Any:
    """Return the value of a tensor that follows from constants.

    `tensor`: of a graph. Returns: None where known only at run time, or where it is neither a constant nor a
    few whole numbers.
    """
    found = tf.get_static_value(tensor)
    if found is not None or not tensor.dtype.is_integer or tensor.op.type not in _RULES:
        return found
    if not 0 <= (tensor.shape.num_elements() or 0) <= _MOST or not tensor.shape.is_fully_defined():
        return None
    values = [known(one) for one in tensor.op.inputs]
    if any(value is None for value in values):
        return None
    found = _RULES[tensor.op.type](tensor.op, *map(np.asarray, values))
    return None if found is None else np.asarray(found, tensor.dtype.as_numpy_dtype)
