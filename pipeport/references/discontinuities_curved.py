"""Where swirl and warp_polar are discontinuous: their results at coordinates moved by their rounding.

Both are `warp` through a map with arguments, so scikit-image itself computes every member.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def swirl(
    image: Any,
    center: Any = None,
    strength: float = 1,
    radius: float = 100,
    rotation: float = 0,
    output_shape: Any = None,
    mode: str = "reflect",
    **how: Any,
) -> list[Array]:
    """Recompute `skimage.transform.swirl` at coordinates moved by plus and minus delta.

    Delta is 32 eps(float64) of the largest coordinate, times the largest angle where that is above 1.

    `image`: array_like, shape (H, W) or (H, W, C). Returns: one result for each pair of moves, the unmoved
    one first.
    """
    image = np.asarray(image)
    x0, y0 = np.array(image.shape[:2][::-1]) / 2 if center is None else center
    reach = radius / 5 * np.log(2)

    def through(xy: Array) -> Array:
        x, y = xy.T
        distance = np.hypot(x - x0, y - y0)
        angle = rotation + strength * np.exp(-distance / reach) + np.arctan2(y - y0, x - x0)
        return np.stack([x0 + distance * np.cos(angle), y0 + distance * np.sin(angle)], axis=1)

    far = max(*image.shape[:2], *(output_shape or (1, 1)), abs(x0), abs(y0))
    delta = _eps(far) * max(1.0, abs(strength) + abs(rotation))
    return _moved(image, through, delta, output_shape, mode=mode, **how)


def warp_polar(
    image: Any,
    center: Any = None,
    *,
    radius: float | None = None,
    output_shape: Any = None,
    scaling: str = "linear",
    channel_axis: Any = None,
    **how: Any,
) -> list[Array]:
    """Recompute `skimage.transform.warp_polar` at coordinates moved by plus and minus delta.

    Delta is 32 eps(float64) of the largest coordinate.

    `image`: array_like, shape (H, W), or with channels. `scaling`: {'linear', 'log'}. Returns: one result for
    each pair of moves, the unmoved one first.
    """
    image = np.asarray(image)
    if channel_axis is not None:
        image = np.moveaxis(image, channel_axis, -1)
    size = np.array(image.shape[:2])
    row, column = size / 2 - 0.5 if center is None else center
    reach = float(np.hypot(*(size / 2))) if radius is None else radius
    height, width = (360, int(np.ceil(reach))) if output_shape is None else output_shape[:2]

    def through(xy: Array) -> Array:
        angle = xy[:, 1] * (2 * np.pi / height)
        part = xy[:, 0] / width
        distance = part * reach if scaling == "linear" else np.exp(part * np.log(reach))
        return np.stack([distance * np.cos(angle) + column, distance * np.sin(angle) + row], axis=1)

    delta = _eps(max(*size, abs(row), abs(column), reach, 1.0))
    stack = _moved(image, through, delta, (height, width), **how)
    return stack if channel_axis is None else [np.moveaxis(one, -1, channel_axis) for one in stack]


def image_first(arguments: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Give the image by position: by keyword scikit-image does not move its channels, only the result's."""
    rest = dict(arguments)
    return (rest.pop("image"),), rest


def _eps(scale: float) -> float:
    return 32 * float(np.finfo(np.float64).eps) * float(scale)


def _moved(
    image: Array, through: Callable[[Array], Array], delta: float, output_shape: Any, **how: Any
) -> list[Array]:
    from skimage.transform import warp

    def sides(along: Array) -> list[Array]:
        whole = np.around(along)
        # On a pixel its neighbours do not count, on either side an infinite one does.
        hit = np.where(np.abs(along - whole) <= delta, whole, along)
        return [along, along - delta, along + delta, hit]

    def member(move: tuple[int, int]) -> Array:
        # An argument keeps the reference on the path it takes for maps with arguments.
        def moved(xy: Array, move: tuple[int, int]) -> Array:
            points = through(xy)
            return np.stack([sides(points[:, axis])[move[axis]] for axis in (0, 1)], axis=1)

        return np.asarray(warp(image, moved, {"move": move}, output_shape, **how))

    return [member(move) for move in itertools.product(range(4), range(4))]
