"""Where pyramids are discontinuous: at order 0, whose ties fall to either pixel.

Both resize through `scipy.ndimage.zoom`; its coordinates are moved here, the rest is scikit-image's own.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
_NDIMAGE = {"reflect": "mirror", "constant": "grid-constant", "wrap": "grid-wrap"}


def pyramid_reduce(
    image: Any,
    downscale: float = 2,
    sigma: Any = None,
    order: int | None = 1,
    mode: str = "reflect",
    cval: float = 0,
    preserve_range: bool = False,
    *,
    channel_axis: int | None = None,
) -> list[Array]:
    """Recompute `skimage.transform.pyramid_reduce` at coordinates moved by plus and minus delta.

    Delta is 32 eps(float64) of the longest side. Above order 0 the reference's own result is all there is.

    Returns: one result for each combination of moves.
    """
    from skimage import transform

    options = {"mode": mode, "cval": cval, "preserve_range": preserve_range, "channel_axis": channel_axis}
    if order != 0:
        return [transform.pyramid_reduce(image, downscale, sigma, order, **options)]
    values = _floats(np.asarray(image), preserve_range)
    channel = None if channel_axis is None else channel_axis % values.ndim
    smooth = _smooth(values, 2 * downscale / 6.0 if sigma is None else sigma, mode, cval, channel)
    out = [n if a == channel else math.ceil(n / float(downscale)) for a, n in enumerate(values.shape)]
    return _picked(smooth, out, mode, cval)


def pyramid_expand(
    image: Any,
    upscale: float = 2,
    sigma: Any = None,
    order: int | None = 1,
    mode: str = "reflect",
    cval: float = 0,
    preserve_range: bool = False,
    *,
    channel_axis: int | None = None,
) -> list[Array]:
    """Recompute `skimage.transform.pyramid_expand` at coordinates moved by plus and minus delta.

    As `pyramid_reduce`; a moved pixel is smoothed like any other, so that members differ around it.

    Returns: one result for each combination of moves.
    """
    from skimage import transform

    options = {"mode": mode, "cval": cval, "preserve_range": preserve_range, "channel_axis": channel_axis}
    if order != 0:
        return [transform.pyramid_expand(image, upscale, sigma, order, **options)]
    values = _floats(np.asarray(image), preserve_range)
    channel = None if channel_axis is None else channel_axis % values.ndim
    out = [n if a == channel else math.ceil(n * upscale) for a, n in enumerate(values.shape)]
    spread = 2 * upscale / 6.0 if sigma is None else sigma
    return [_smooth(one, spread, mode, cval, channel) for one in _picked(values, out, mode, cval)]


def _floats(image: Array, preserve_range: bool) -> Array:
    from skimage.util import img_as_float

    if image.dtype == np.float16:
        return image.astype(np.float32)
    if preserve_range:
        return image if image.dtype.kind == "f" else image.astype(np.float64)
    return np.asarray(img_as_float(image))


def _smooth(values: Array, sigma: Any, mode: str, cval: float, channel: int | None) -> Array:
    from scipy.ndimage import gaussian_filter

    each = list(np.broadcast_to(sigma, (values.ndim if channel is None else values.ndim - 1,)))
    if channel is not None:
        each.insert(channel, 0)
    return np.asarray(gaussian_filter(values, each, mode=mode, cval=cval))


def _picked(values: Array, out: list[int], mode: str, cval: float) -> list[Array]:
    """Return the nearest pixels at centres of the new ones, moved to either side along each axis."""
    from scipy.ndimage import map_coordinates

    delta = 32 * float(np.finfo(np.float64).eps) * max(*values.shape, *out)
    centres = [(np.arange(n) + 0.5) * (m / n) - 0.5 for n, m in zip(out, values.shape, strict=True)]
    members = []
    for moves in itertools.product((0.0, -delta, delta), repeat=values.ndim):
        grid = np.meshgrid(*(c + move for c, move in zip(centres, moves, strict=True)), indexing="ij")
        members.append(map_coordinates(values, grid, order=0, mode=_NDIMAGE[mode], cval=cval))
    return members
