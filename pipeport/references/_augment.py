"""Flips and holes written by hand around `numpy.random`, and their possible results."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport.references._framing import _plane, _size
from pipeport.references._scene import Array, given, many, scene_of


def random_flip(image: Any, mask: Any = None, boxes: Any = None, p: float = 0.5, axis: Any = 1) -> Any:
    """Flip an image, its mask and its boxes together, with probability p.

    Parameters
    ----------
    image : array_like
        (H, W) or (H, W, C).
    mask : array_like or None, default None
        Of the image's height and width.
    boxes : array_like or None, default None
        (N, 4): x1, y1, x2, y2 in pixels.
    p : float, default 0.5
        Probability of a flip.
    axis : {0, 1, (0, 1)}, default 1
        Axis to reverse; both means half a turn.

    Returns
    -------
    numpy.ndarray, or a tuple of them
        What was given.

    Raises
    ------
    ValueError
        Sizes, the probability or the axis do not fit.
    """
    image, mask, boxes = scene_of(image, mask, boxes)
    axes = axis if isinstance(axis, tuple) else (axis,)
    if not 0 <= p <= 1:
        raise ValueError("p must be a probability")
    if not axes or len(set(axes)) < len(axes) or not set(axes) <= {0, 1}:
        raise ValueError("axis must be 0, 1 or both")
    if np.random.random() < p:  # noqa: NPY002 - what the bodies we replace call
        if boxes is not None:
            boxes = boxes.copy()
            for a in axes:
                columns = [1 - a, 3 - a]
                boxes[:, columns] = image.shape[a] - boxes[:, columns[::-1]]
        image, mask = np.flip(image, axes), None if mask is None else np.flip(mask, axes)
    return given(image, mask, boxes)


def flips(arguments: Mapping[str, Any], outputs: Any) -> list[Any]:  # noqa: ARG001
    """Return the results of `random_flip` for all possible draws.

    Returns: kept and flipped; one of them when p is 0 or 1.
    """
    p = float(arguments.get("p", 0.5))
    return [random_flip(**{**arguments, "p": side}) for side in (0.0, 1.0) if side == p or 0 < p < 1]


def _hole(shape: tuple[int, ...], size: Any) -> tuple[int, int]:
    """Return height and width of a hole: whole numbers are pixels, a float is a share of either side."""
    if isinstance(size, float):
        if not 0 < size <= 1:
            raise ValueError("a share must be in (0, 1]")
        height, width = (max(1, math.floor(size * side + 0.5)) for side in shape[:2])
        return height, width
    return _size(size if isinstance(size, (tuple, list)) else (size, size))


def _punched(image: Array, centres: Any, hole: tuple[int, int], fill: Any) -> Array:
    image = image.copy()
    for row, column in centres:
        top, left = row - hole[0] // 2, column - hole[1] // 2
        image[max(top, 0) : top + hole[0], max(left, 0) : left + hole[1]] = np.asarray(fill).astype(
            image.dtype
        )
    return image


def cutout(image: Any, size: Any, holes: int = 1, fill: Any = 0) -> Array:
    """Fill rectangles about pixels drawn anywhere in the image.

    Parameters
    ----------
    image : array_like
        (H, W) or (H, W, C).
    size : int, (int, int) or float
        Height and width of a hole in pixels, or its share of either side.
    holes : int, default 1
        How many; they may overlap, and reach over the border.
    fill : number, or one per channel, default 0
        What is put there.

    Returns
    -------
    numpy.ndarray
        Of the image's shape and dtype.

    Raises
    ------
    ValueError
        A size or a number does not fit.
    """
    image = _plane(image, "image")
    hole = _hole(image.shape, size)
    if holes < 1:
        raise ValueError("holes must be positive")
    height, width = image.shape[:2]
    centres = [(np.random.randint(height), np.random.randint(width)) for _ in range(holes)]  # noqa: NPY002
    return _punched(image, centres, hole, fill)


def cutouts(arguments: Mapping[str, Any], outputs: Any) -> list[Any]:
    """Return the results of `cutout` for the draws that may have led to an output.

    `outputs`: output of the native: a hole there shows nothing but the fill. Returns: one for each set of
    centres whose holes show the fill.
    """
    image = _plane(arguments["image"], "image")
    hole, fill = _hole(image.shape, arguments["size"]), arguments.get("fill", 0)
    shown = np.asarray(outputs) == np.asarray(fill).astype(image.dtype)
    filled = shown if image.ndim == 2 else shown.all(-1)
    possible = []
    for row, column in itertools.product(*map(range, image.shape[:2])):
        top, left = row - hole[0] // 2, column - hole[1] // 2
        if filled[max(top, 0) : top + hole[0], max(left, 0) : left + hole[1]].all():
            possible.append((row, column))
    found = []
    for centres in itertools.combinations_with_replacement(possible, arguments.get("holes", 1)):
        found.append(_punched(image, centres, hole, fill))
        if found[-1].tobytes() == np.asarray(outputs).tobytes():  # zeros by sign
            return [found[-1]]
    return found[:3]


def flip_statistic(native: Callable[..., Any]) -> float:
    """Test how often the native flips, and that mask and boxes go with the image.

    `native`: with the reference's parameters and `seed`. Returns: probability of a count as unlikely as the
    one seen, the worst of two values of p times two; 0 where a mask or a box did not move with its image.
    """
    from scipy.stats import binomtest

    image, mask = np.array([[0, 1]], np.uint8), np.array([[[0], [1]]], np.uint8)
    boxes, worst = np.array([[0.0, 0.0, 1.0, 1.0]], np.float32), 1.0
    for draws, p in ((300, 0.5), (301, 0.2)):
        count = 0
        for one, other, box in many(native, draws, image, mask=mask, boxes=boxes, p=p):
            flipped = int(one[0, 0])
            if int(other[0, 0, 0]) != flipped or int(box[0, 0]) != flipped:
                return 0.0
            count += flipped
        worst = min(worst, 2 * float(binomtest(count, draws, p).pvalue))
    return worst


def cutout_statistic(native: Callable[..., Any]) -> float:
    """Test that every pixel is as likely as any other to be the centre of each of two holes.

    `native`: with the reference's parameters and `seed`. Returns: chi-square over the twenty pixels, and over
    one hole or two meeting; the worse of both times two.
    """
    from scipy.stats import binomtest, chisquare

    image, counts, draws = np.ones((4, 5), np.uint8), np.zeros((4, 5), int), 600
    met = 0
    for (one,) in many(native, draws, image, size=1, holes=2):
        counts += one == 0
        met += int((one == 0).sum() == 1)
    return 2 * min(float(chisquare(counts.ravel()).pvalue), float(binomtest(met, draws, 1 / 20).pvalue))
