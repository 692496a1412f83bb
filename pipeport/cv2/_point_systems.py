"""Points that define a map: their checks, and the condition of their equations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import holds_tensor, joined

ROUNDING = "elimination adds in another order of rounding where a compiler fuses products and sums"


def points_of(value: Any, name: str, count: int, batch: bool) -> Any:
    """Return float32 points as float64, (B, count, 2); B is 1 without `batch`."""
    if isinstance(value, (list, tuple)) and holds_tensor(value):
        value = joined(value, name, weak=True)  # Python numbers beside float32 tensors
    tensor = _checks.as_tensor(value, name)
    if tensor.dtype != tf.float32:
        advice = "OpenCV takes float32 points alone: cast with tf.cast or np.float32."
        raise OutsideDomain(explain(name, f"dtype {tensor.dtype.name}", "float32", advice))
    shape = tensor.shape[1:] if batch and tensor.shape.rank in (3, 4) else tensor.shape
    if list(shape) not in ([count, 2], [count, 1, 2], [1, count, 2]):
        allowed = f"{count} points, shape ({count}, 2)"
        raise OutsideDomain(explain(name, f"shape {tensor.shape}", allowed, "Give (x, y) pairs."))
    return tf.reshape(tf.cast(tensor, tf.float64), [-1, count, 2])


def pairwise(source: Any, target: Any) -> tuple[Any, Any]:
    """Give both the larger of two leading sizes, one of which may be 1."""
    zero = tf.zeros_like(source[:, :1, :1] + target[:, :1, :1])
    return source + zero, target + zero


def system_of(arguments: Mapping[str, Any]) -> np.ndarray[Any, Any]:
    source, target = (np.asarray(arguments[k], np.float64).reshape(-1, 2) for k in ("src", "dst"))
    one, zero = np.ones((len(source), 1)), np.zeros((len(source), 3))
    upper, lower = np.hstack([source, one, zero]), np.hstack([zero, source, one])
    if len(source) == 3:
        return np.vstack([upper, lower])
    return np.vstack(
        [np.hstack([upper, -source * target[:, :1]]), np.hstack([lower, -source * target[:, 1:]])]
    )


def steady(arguments: Mapping[str, Any]) -> bool:
    """Say whether the points are clearly in one line, or clearly not: in between, rounding decides."""
    values = np.linalg.svd(system_of(arguments), compute_uv=False)
    return bool(values[-1] > 1e-6 * values[0] or values[-1] < 1e-15 * values[0])
