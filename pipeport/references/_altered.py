"""Rotation and brightness written by hand: results for a draw, and its likelihood."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport.references._framing import _plane
from pipeport.references._scene import Array, given, many, scene_of

Pair = tuple[float, float]
# Pixels of float32 and float64 sums that lie this near to a half may be rounded either way, per level.
_SINGLE, _DOUBLE = 4e-7, 1e-13


def _span(value: Any) -> Pair:
    """Return the smallest and the largest number of a draw; one number a means -a to a."""
    low, high = (float(one) for one in (value if isinstance(value, (tuple, list)) else (-value, value)))
    if not -math.inf < low <= high < math.inf:
        raise ValueError("a positive number, or a smallest and a largest one")
    return low, high


def _told(value: float, span: Pair) -> float:
    if not span[0] <= value <= span[1]:
        raise ValueError("what is drawn must lie in its range")
    return float(value)


def _numbers(image: Array) -> Array:
    whole = image.dtype.kind in "iu" and image.dtype.itemsize <= 4
    if not whole and image.dtype not in (np.float32, np.float64):
        raise ValueError("whole numbers of 32 bits, float32 or float64")
    return image


def _either_way(values: Array, single: bool, dtype: Any) -> list[Array]:
    """Return values as a dtype holds them, rounded either way where they lie near a half."""
    if dtype.kind == "f":
        return [values.astype(dtype)]
    slack = (_SINGLE if single else _DOUBLE) * max(1.0, float(np.abs(values).max()))
    return [np.rint(values + move).astype(dtype) for move in (-slack, slack)]


def turned(
    image: Any,
    degrees: Any,
    mask: Any = None,
    mode: str = "constant",
    fill: float = 0,
    mask_fill: float = 0,
    *,
    angle: float,
) -> Any:
    """Rotate an image, and its mask, by an angle that was drawn.

    `image`, `degrees`, `mask`, `mode`, `fill`, `mask_fill`: as `random_rotate` takes them. Returns: the
    image, and the mask if there is one.
    """
    from skimage.transform import rotate

    angle = _told(angle, _span(degrees))
    image, mask, _ = scene_of(image, mask)
    options: dict[str, Any] = {"mode": mode, "preserve_range": True}
    found = rotate(_numbers(image), angle, order=1, cval=fill, **options)
    found = (np.rint(found) if image.dtype.kind in "iu" else found).astype(image.dtype)
    if mask is not None:
        mask = rotate(mask, angle, order=0, cval=mask_fill, **options).astype(mask.dtype)
    return given(found, mask)


def turned_discontinuities(
    image: Any,
    degrees: Any,  # noqa: ARG001
    mask: Any = None,
    mode: str = "constant",
    fill: float = 0,
    mask_fill: float = 0,
    *,
    angle: float,
) -> tuple[list[Array], ...]:
    """Recompute `turned` on either side of its discontinuities: ties of the mask, halves of whole numbers.

    `image`, `degrees`, `mask`, `mode`, `fill`, `mask_fill`, `angle`: as `turned` takes them. Returns: for the
    image, and for the mask if there is one.
    """
    from pipeport.references import discontinuities

    def sides(array: Any, order: int, cval: float) -> list[Array]:
        return discontinuities.rotate(array, angle, order=order, mode=mode, cval=cval, preserve_range=True)

    image = np.asarray(image)
    single = image.dtype == np.uint8
    images = [one for side in sides(image, 1, fill) for one in _either_way(side, single, image.dtype)]
    return (images,) if mask is None else (images, sides(np.asarray(mask), 0, mask_fill))


def random_rotate(
    image: Any, degrees: Any, mask: Any = None, mode: str = "constant", fill: float = 0, mask_fill: float = 0
) -> Any:
    """Rotate an image linearly, and its mask to the nearest pixel, by one angle drawn uniformly.

    Parameters
    ----------
    image : array_like
        (H, W) or (H, W, C).
    degrees : float, or (float, float)
        Smallest and largest angle; one number a means -a to a.
    mask : array_like or None, default None
        Of the image's height and width.
    mode : str, default 'constant'
        Border rule of `skimage.transform.rotate`.
    fill, mask_fill : number, default 0
        Values outside, in mode 'constant'.

    Returns
    -------
    numpy.ndarray, or (numpy.ndarray, numpy.ndarray)
        The image, and the mask if there is one.

    Raises
    ------
    ValueError
        Sizes, dtypes or limits do not fit.
    """
    angle = np.random.uniform(*_span(degrees))  # noqa: NPY002 - what the bodies we replace call
    return turned(image, degrees, mask, mode, fill, mask_fill, angle=angle)


def lit(
    image: Any,
    brightness: Any = 0.2,
    contrast: Any = 0.2,
    about: Any = 0,
    largest: Any = None,
    *,
    shift: float,
    gain: float,
) -> Array:
    """Change brightness and contrast by numbers that were drawn.

    `image`, `brightness`, `contrast`, `about`, `largest`: as `random_brightness_contrast` takes them.
    `shift`: part of `largest` that is added, within `brightness`. `gain`: factor, within `contrast` of 1.
    Returns: of the image's shape and dtype.
    """
    image = _plane(image, "image")
    values = _lit(image, brightness, contrast, about, largest, shift, gain)
    return (np.rint(values) if image.dtype.kind == "u" else values).astype(image.dtype)


def _lit(
    image: Array, brightness: Any, contrast: Any, about: Any, largest: Any, shift: float, gain: float
) -> Array:
    """Return the values before they are rounded."""
    if image.dtype not in (np.uint8, np.uint16, np.float32, np.float64):
        raise ValueError("the image must be of uint8, uint16, float32 or float64")
    top = float((np.iinfo(image.dtype).max if image.dtype.kind == "u" else 1) if largest is None else largest)
    if top <= 0:
        raise ValueError("largest must be positive")
    low, high = _span(contrast)
    gain, shift = _told(gain, (1 + low, 1 + high)), _told(shift, _span(brightness))
    values = image.astype(np.float64) if image.dtype.kind == "u" else image
    middle = values.mean(dtype=np.float64) if about == "mean" else float(about)
    moved = float((1 - gain) * middle + shift * top)
    return np.clip(values * gain + moved, 0, top)


def lit_discontinuities(
    image: Any,
    brightness: Any = 0.2,
    contrast: Any = 0.2,
    about: Any = 0,
    largest: Any = None,
    *,
    shift: float,
    gain: float,
) -> list[Array]:
    """Recompute `lit` with halves rounded either way.

    `image`, `brightness`, `contrast`, `about`, `largest`, `shift`, `gain`: as `lit` takes them.
    """
    image = np.asarray(image)
    values = _lit(image, brightness, contrast, about, largest, shift, gain)
    return _either_way(values, image.dtype == np.uint8, image.dtype)


def random_brightness_contrast(
    image: Any, brightness: Any = 0.2, contrast: Any = 0.2, about: Any = 0, largest: Any = None
) -> Array:
    """Multiply an image by a drawn factor, add a drawn number, and cut off what leaves its range.

    Parameters
    ----------
    image : array_like
        (H, W) or (H, W, C).
    brightness : float, or (float, float), default 0.2
        Smallest and largest part of `largest` to add; one number a means -a to a.
    contrast : float, or (float, float), default 0.2
        Smallest and largest factor, less 1; one number a means -a to a.
    about : number or 'mean', default 0
        The value that contrast leaves where it is; 'mean' is that of the whole image.
    largest : number or None, default None
        Largest value; None takes that of a whole-number dtype, and 1 for floats.

    Returns
    -------
    numpy.ndarray
        Of the image's shape and dtype.

    Raises
    ------
    ValueError
        The dtype or a limit does not fit.
    """
    low, high = _span(contrast)
    gain = np.random.uniform(1 + low, 1 + high)  # noqa: NPY002
    shift = np.random.uniform(*_span(brightness))  # noqa: NPY002
    return lit(image, brightness, contrast, about, largest, shift=shift, gain=gain)


def rotate_statistic(native: Callable[..., Any]) -> float:
    """Test that angles are drawn uniformly, and that the mask turns with its image.

    `native`: with the reference's parameters and `seed`. Returns: Kolmogorov-Smirnov of 400 angles; 0 where a
    mask did not turn with its image.
    """
    from scipy.stats import kstest

    ramp = np.tile(np.arange(9.0) - 4, (9, 1))
    angles = []
    for image, mask in many(native, 400, ramp, degrees=(-40.0, 70.0), mask=ramp.astype(np.float32)):
        if np.abs(image - mask)[3:6, 3:6].max() > 0.5 + 1e-6:
            return 0.0
        angles.append(math.degrees(math.atan2(-image[6, 4], image[4, 6])))
    return float(kstest(angles, "uniform", (-40, 110)).pvalue)


def brightness_contrast_statistic(native: Callable[..., Any]) -> float:
    """Test that factors and shifts are drawn uniformly and apart from each other.

    `native`: with the reference's parameters and `seed`. Returns: Kolmogorov-Smirnov of 400 of each, and the
    correlation of their ranks; the worst of three, times three.
    """
    from scipy.stats import kstest, spearmanr

    options = {"brightness": (0.1, 0.2), "contrast": (-0.5, 0.25)}
    drawn = many(native, 400, np.array([[0.25, 0.5]]), **options)
    values = np.array([image[0] for (image,) in drawn])
    gain = (values[:, 1] - values[:, 0]) / 0.25
    shift = values[:, 0] - 0.25 * gain
    fits = [kstest(gain, "uniform", (0.5, 0.75)).pvalue, kstest(shift, "uniform", (0.1, 0.1)).pvalue]
    return 3 * float(min(*fits, spearmanr(gain, shift).pvalue))
