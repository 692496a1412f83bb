"""What is compared of objects that interpolate."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf


def read(interpolator: Any) -> dict[str, Any]:
    """Return values at and between nodes, and beyond them where these are served.

    `interpolator`: interp1d or CubicSpline.
    """
    x = interpolator.x
    # Of two numbers each is rounded once, in whatever library.
    middle = (x[1:] + x[:-1]) / 2
    quarter = (x[:-1] + middle) / 2
    computed = interpolator.c if hasattr(interpolator, "c") else interpolator.y
    found = {
        "nodes": interpolator(x),
        "nodes of the graph": interpolator(_unknown(x, computed)),
        "middle": interpolator(middle[:, None]),
        "quarter": interpolator(quarter),
        "one": interpolator(quarter[0]),
    }
    if not getattr(interpolator, "bounds_error", False):
        found |= {"before": interpolator(x[:1] - 1), "behind": interpolator(x[-1:] + 0.75)}
    if hasattr(interpolator, "c"):
        found |= {f"derivative {nu}": interpolator(quarter, nu) for nu in (1, 2)}
        found["inside"] = interpolator(x[:1] - 1, extrapolate=False)
        found["repeated"] = interpolator(x[-1:] + 0.75, extrapolate="periodic")
    return found


def _unknown(points: Any, values: Any) -> Any:
    """Return points as tensors that a graph does not know, if the values are."""
    if not tf.is_tensor(values):
        return points
    return points + tf.cast(tf.reshape(values, [-1])[0], points.dtype) * 0
