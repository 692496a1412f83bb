"""Windows cut by hand at drawn positions, and their possible results."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport.references._framing import _linear, _nearest, _size
from pipeport.references._scene import Array, Scene, given, many, scene_of

Pair = tuple[float, float]
_SCALE, _RATIO = (0.08, 1.0), (3 / 4, 4 / 3)


def _cut(scene: Scene, corner: tuple[int, int], size: tuple[int, int]) -> Any:
    image, mask, boxes = scene
    (row, column), (height, width) = corner, size
    window = np.s_[row : row + height, column : column + width]
    if boxes is not None:
        moved = boxes - np.array([column, row, column, row], boxes.dtype)
        limits = np.array([width, height, width, height], boxes.dtype)
        boxes = np.where(moved <= 0, boxes.dtype.type(0), np.minimum(moved, limits))  # no -0.0
    return given(image[window], None if mask is None else mask[window], boxes)


def _room(image: Array, size: tuple[int, int]) -> tuple[int, int]:
    room = image.shape[0] - size[0], image.shape[1] - size[1]
    if min(room) < 0:
        raise ValueError("the window must fit into the image")
    return room


def random_crop(image: Any, size: Any, mask: Any = None, boxes: Any = None) -> Any:
    """Cut a window of one size out of an image, its mask and its boxes, anywhere.

    Parameters
    ----------
    image : array_like
        (H, W) or (H, W, C).
    size : (int, int)
        Height and width wanted.
    mask : array_like or None, default None
        Of the image's height and width.
    boxes : array_like or None, default None
        (N, 4): x1, y1, x2, y2 in pixels; cut to the window, none is dropped.

    Returns
    -------
    numpy.ndarray, or a tuple of them
        What was given.

    Raises
    ------
    ValueError
        Sizes do not fit.
    """
    scene, wanted = scene_of(image, mask, boxes), _size(size)
    room = _room(scene[0], wanted)
    row, column = (int(np.random.randint(0, most + 1)) for most in room)  # noqa: NPY002
    return _cut(scene, (row, column), wanted)


def crops(arguments: Mapping[str, Any], outputs: Any) -> list[Any]:  # noqa: ARG001
    """Return the results of `random_crop` for all possible draws."""
    scene = scene_of(arguments["image"], arguments.get("mask"), arguments.get("boxes"))
    wanted = _size(arguments["size"])
    rows, columns = (range(most + 1) for most in _room(scene[0], wanted))
    return [_cut(scene, corner, wanted) for corner in itertools.product(rows, columns)]


def _interval(pair: Any, most: float) -> Pair:
    low, high = (float(one) for one in pair)
    if not 0 < low <= high <= most:
        raise ValueError("a smallest and a largest number, positive, and shares at most 1")
    return low, high


def _middle(height: int, width: int, ratio: Pair) -> tuple[int, int, int, int]:
    """Return the largest box of an admissible ratio about the middle."""
    tall, wide = height, width
    if width < ratio[0] * height:
        tall = max(1, round(width / ratio[0]))
    elif width > ratio[1] * height:
        wide = max(1, round(height * ratio[1]))
    return (height - tall) // 2, (width - wide) // 2, tall, wide


def _zoomed(scene: Scene, box: tuple[int, ...], size: tuple[int, int]) -> Any:
    image, mask, _ = scene
    top, left, height, width = box
    window = np.s_[top : top + height, left : left + width]
    return given(_linear(image[window], size), None if mask is None else _nearest(mask[window], size))


def random_resized_crop(
    image: Any, size: Any, scale: Any = _SCALE, ratio: Any = _RATIO, mask: Any = None
) -> Any:
    """Cut a window of random area and shape, and resize it, and its mask, to one size.

    Parameters
    ----------
    image : array_like
        (H, W) or (H, W, C).
    size : (int, int)
        Height and width wanted.
    scale : (float, float), default (0.08, 1)
        Smallest and largest share of the area.
    ratio : (float, float), default (3/4, 4/3)
        Smallest and largest width by height.
    mask : array_like or None, default None
        Of the image's height and width.

    Returns
    -------
    numpy.ndarray, or (numpy.ndarray, numpy.ndarray)
        The image, and the mask if there is one.

    Raises
    ------
    ValueError
        Sizes, dtypes or limits do not fit.
    """
    scene, wanted = scene_of(image, mask), _size(size)
    shares, ratios = _interval(scale, 1), _interval(ratio, math.inf)
    height, width = scene[0].shape[:2]
    for _ in range(10):
        area = np.random.uniform(*shares) * height * width  # noqa: NPY002
        shape = math.exp(np.random.uniform(*np.log(ratios)))  # noqa: NPY002
        tall, wide = round(math.sqrt(area / shape)), round(math.sqrt(area * shape))
        if 0 < tall <= height and 0 < wide <= width:
            top, left = np.random.randint(height - tall + 1), np.random.randint(width - wide + 1)  # noqa: NPY002
            return _zoomed(scene, (top, left, tall, wide), wanted)
    return _zoomed(scene, _middle(height, width, ratios), wanted)


def _can_be(tall: int, wide: int, whole: int, shares: Pair, ratios: Pair) -> bool:
    """Say whether some area and ratio round to a box."""
    least, most = (tall - 0.5) * (wide - 0.5), (tall + 0.5) * (wide + 0.5)
    narrow, broad = (wide - 0.5) / (tall + 0.5), (wide + 0.5) / (tall - 0.5)
    return (
        least <= shares[1] * whole
        and most >= shares[0] * whole
        and narrow <= ratios[1]
        and broad >= ratios[0]
    )


def resized_crops(arguments: Mapping[str, Any], outputs: Any) -> list[Any]:
    """Return the results of `random_resized_crop` for the draws that may have led to an output.

    `outputs`: first output of the native, by which most draws are left out. Returns: one for each box whose
    image is near the output; the middle, if there is none.
    """
    scene, wanted = scene_of(arguments["image"], arguments.get("mask")), _size(arguments["size"])
    shares = _interval(arguments.get("scale", _SCALE), 1)
    ratios = _interval(arguments.get("ratio", _RATIO), math.inf)
    height, width = scene[0].shape[:2]
    middle = _middle(height, width, ratios)
    boxes = [middle]
    for tall, wide in itertools.product(range(1, height + 1), range(1, width + 1)):
        if _can_be(tall, wide, height * width, shares, ratios):
            corners = itertools.product(range(height - tall + 1), range(width - wide + 1))
            boxes += [(top, left, tall, wide) for top, left in corners]
    with np.errstate(invalid="ignore", over="ignore"):
        found = [_zoomed(scene, box, wanted) for box in boxes]
    image = [one[0] if isinstance(one, tuple) else one for one in found]
    near = [
        one
        for one, x in zip(found, image, strict=True)
        if np.allclose(x.astype(float), np.asarray(outputs, float), rtol=1e-2, atol=1e-2, equal_nan=True)
    ]
    return near or found[:1]


def crop_statistic(native: Callable[..., Any]) -> float:
    """Test that every corner is as likely as any other, and that mask and boxes go with the image.

    `native`: with the reference's parameters and `seed`. Returns: chi-square over the twelve corners; 0 where
    a mask or a box did not move with its image.
    """
    from scipy.stats import chisquare

    image = np.arange(20, dtype=np.int32).reshape(4, 5)
    boxes, counts = np.array([[4.0, 3.0, 4.0, 3.0]], np.float32), np.zeros((3, 4), int)
    for one, other, box in many(native, 600, image, size=(2, 2), mask=-image, boxes=boxes):
        row, column = divmod(int(one[0, 0]), 5)
        moved = np.clip([4 - column, 3 - row], 0, 2)
        if not np.array_equal(one, -other) or not np.array_equal(box[0, :2], moved):
            return 0.0
        counts[row, column] += 1
    return float(chisquare(counts.ravel()).pvalue)


def _boxes_seen(images: list[Array]) -> Array:
    """Return top, left, height, width of windows of a ramp that were resized to 2 by 2."""
    seen = []
    for image in images:
        first, last = image[0, 0], image[1, 1]
        sides = np.maximum(2 * (last - first), 1)
        seen.append([*np.where(sides > 1, first - sides / 4 + 0.5, first), *sides])
    return np.array(seen)


def resized_crop_statistic(native: Callable[..., Any]) -> float:
    """Test places, sizes, areas and shapes of the windows against those of the reference.

    `native`: with the reference's parameters and `seed`. Returns: Kolmogorov-Smirnov between 500 windows of
    the native and 3000 of the reference; the worst of six numbers, times six.
    """
    from scipy.stats import ks_2samp

    ramp = np.stack(np.meshgrid(np.arange(24.0), np.arange(31.0), indexing="ij"), -1)
    ours = _boxes_seen([one for (one,) in many(native, 500, ramp, size=(2, 2))])
    state = np.random.get_state()  # noqa: NPY002
    np.random.seed(0)  # noqa: NPY002
    its = _boxes_seen([random_resized_crop(ramp, (2, 2)) for _ in range(3000)])
    np.random.set_state(state)  # noqa: NPY002
    sides = [(seen[:, 2] * seen[:, 3], seen[:, 2] / seen[:, 3]) for seen in (ours, its)]
    pairs = [*zip(ours.T, its.T, strict=True), *zip(*sides, strict=True)]
    return min(1.0, 6 * min(float(ks_2samp(one, other).pvalue) for one, other in pairs))
