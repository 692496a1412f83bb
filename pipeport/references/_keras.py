"""Keras' random functions given what they draw, and the likelihood of draws."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.references import discontinuities_keras
from pipeport.references._scene import Array, many

_DRAWN = ("theta", "tx", "ty", "shear", "zx", "zy")
_KEPT = ("row_axis", "col_axis", "channel_axis", "fill_mode", "cval")


def _images() -> Any:
    return tf.keras.preprocessing.image


def _of_map(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments of `apply_affine_transform`."""
    found = {name: given[name] for name in ("x", *_DRAWN, *_KEPT) if name in given}
    return {**found, "order": given.get("interpolation_order", 1)}


def moved(**given: Any) -> Array:
    """Return an image through the map that was drawn: parameters of the function, and those of the map."""
    return np.asarray(_images().apply_affine_transform(**_of_map(given)))


def moved_discontinuities(**given: Any) -> list[Array]:
    """Recompute `moved` at moved coordinates."""
    return discontinuities_keras.apply_affine_transform(**_of_map(given))


def brightened(x: Any, brightness_range: Any, scale: bool = True, *, brightness: float) -> Array:  # noqa: ARG001
    """Return an image with the factor that was drawn."""
    return np.asarray(_images().apply_brightness_shift(x, brightness, scale))


def channel_shifted(x: Any, intensity_range: Any, channel_axis: int = 0, *, intensity: float) -> Array:  # noqa: ARG001
    """Return an image with the number that was drawn."""
    return np.asarray(_images().apply_channel_shift(x, intensity, channel_axis))


def _maps(native: Callable[..., Any], **options: Any) -> tuple[Array, Array]:
    """Return linear parts (N, 2, 2) and offsets (N, 2) of drawn maps about the middle."""
    ramp = np.stack(np.meshgrid(np.arange(9.0), np.arange(9.0), indexing="ij"), -1)
    found = many(native, 400, ramp, row_axis=0, col_axis=1, channel_axis=2, **options)
    images = np.array([image for (image,) in found])
    linear = np.stack([(images[:, 5, 4] - images[:, 3, 4]) / 2, (images[:, 4, 5] - images[:, 4, 3]) / 2], -1)
    return linear, images[:, 4, 4] - 4


def _fit(values: Any, low: float, high: float) -> float:
    from scipy.stats import kstest

    return float(kstest(values, "uniform", (low, high - low)).pvalue)


def _correlation_p(first: Array, second: Array) -> float:
    from scipy.stats import spearmanr

    return float(spearmanr(first, second).pvalue)


def rotation_statistic(native: Callable[..., Any]) -> float:
    """Test that angles are drawn uniformly: Kolmogorov-Smirnov of 400."""
    linear, _ = _maps(native, rg=40)
    return _fit([math.degrees(math.atan2(one[0, 1], one[0, 0])) for one in linear], -40, 40)


def shift_statistic(native: Callable[..., Any]) -> float:
    """Test that both shifts are drawn uniformly and apart from each other, the worst, times three."""
    _, offset = _maps(native, wrg=0.2, hrg=0.3)
    # Keras exchanges the axes: the shift of rows is a part of the width.
    first, second = offset[:, 0] / 9, offset[:, 1] / 9
    return 3 * min(_fit(first, -0.2, 0.2), _fit(second, -0.3, 0.3), _correlation_p(first, second))


def shear_statistic(native: Callable[..., Any]) -> float:
    """Test that angles are drawn uniformly: Kolmogorov-Smirnov of 400."""
    linear, _ = _maps(native, intensity=30)
    return _fit([math.degrees(math.atan2(-one[1, 0], one[0, 0])) for one in linear], -30, 30)


def zoom_statistic(native: Callable[..., Any]) -> float:
    """Test that both factors are drawn uniformly and apart from each other, the worst, times three."""
    linear, _ = _maps(native, zoom_range=(0.5, 1.25))
    first, second = linear[:, 0, 0], linear[:, 1, 1]
    return 3 * min(_fit(first, 0.5, 1.25), _fit(second, 0.5, 1.25), _correlation_p(first, second))


def brightness_statistic(native: Callable[..., Any]) -> float:
    """Test that factors are drawn uniformly: Kolmogorov-Smirnov of 400, each of them cut to 1/255."""
    found = many(native, 400, np.full((1, 1, 1), 255, np.uint8), brightness_range=(0.2, 1.0), scale=False)
    return _fit([(image.item() + 0.5) / 255 for (image,) in found], 0.2, 1.0)


def channel_shift_statistic(native: Callable[..., Any]) -> float:
    """Test that numbers are drawn uniformly: Kolmogorov-Smirnov of 400."""
    found = many(native, 400, np.array([[[-100.0, 0.0, 100.0]]]), intensity_range=7)
    return _fit([image[0, 0, 1] for (image,) in found], -7, 7)
