"""invert, equalize, autocontrast and grayscale."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.contract import Boolean, Exact, OneOf, batchable, replaces
from pipeport.contract import Image as ImageSpec
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.integers import whole_numbers
from pipeport.kernels.pillow import _tables as tables
from pipeport.kernels.pillow._modes import converted
from pipeport.PIL.Image._image import applied
from pipeport.PIL.Image._resize import is_image

_PIXELS = ("pipeport.references.pil.unchanged", "pipeport.references.pil.pixels")
_COLOURS = ImageSpec(dtypes=("uint8",), channels=(None, 3))
_MASK = {"mask": "cut the image instead: a histogram of some pixels is not served"}


def _tabled(table: Callable[[Any, str], Any]) -> Callable[[Any, str], Any]:
    """Return the operation on pixels that sends their levels through tables."""

    def operation(pixels: Any, mode: str) -> Any:
        if mode not in ("L", "RGB"):
            advice = "Convert it first: `image.convert('RGB')`."
            raise UnsupportedArgument(explain("image", f"mode {mode}", "modes L and RGB", advice))
        pixels = _checks.not_empty(pixels, "image", element=slice(1, 3))
        levels = tf.cast(pixels, tf.int32)
        return tf.cast(tables.through(levels, table(pixels, mode)), tf.uint8)

    return operation


def _refuse_mask(mask: Any) -> None:
    if mask is not None:
        raise UnsupportedArgument(explain("mask", "a mask", "None", "Cut the image instead."))


def _opposite(pixels: Any, mode: str) -> Any:
    if mode not in ("1", "L", "RGB"):
        advice = "Convert it first: `image.convert('RGB')`."
        raise UnsupportedArgument(explain("image", f"mode {mode}", "modes 1, L and RGB", advice))
    return tf.logical_not(pixels) if mode == "1" else 255 - pixels


@replaces(
    "PIL.ImageOps.invert",
    domain={"image": ImageSpec(dtypes=("bool", "uint8"), channels=(None, 3))},
    agreement=Exact(),
    reference_call="pipeport.references.pil.on_image",
    compared=_PIXELS,
    valid=is_image,
)
@batchable
def invert(batch_axes: int, image: Any) -> Any:
    """Turn light into dark: 255 less each level.

    Parameters
    ----------
    image : array_like or Image, shape (H, W) of bool or uint8, or (H, W, 3) of uint8
        H and W may be unknown while tracing.

    Returns
    -------
    tf.Tensor or Image, as `image`
        The negative.

    Raises
    ------
    UnsupportedArgument
        The image has another mode.
    WrongType
        Pillow has no mode for the array.

    Notes
    -----
    Agreement: bit for bit.

    Graph: one op, no Python at run time.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.PIL import ImageOps
    >>> ImageOps.invert(tf.constant([[0, 100]], tf.uint8)).numpy().tolist()
    [[255, 155]]
    """
    return applied(image, _opposite, batch_axes > 0)


@replaces(
    "PIL.ImageOps.equalize",
    domain={"image": _COLOURS},
    refused=_MASK,
    agreement=Exact(),
    reference_call="pipeport.references.pil.on_image",
    compared=_PIXELS,
    valid=is_image,
)
@batchable
def equalize(batch_axes: int, image: Any, mask: Any = None) -> Any:
    """Spread the levels of each band evenly.

    Parameters
    ----------
    image : array_like or Image, shape (H, W) or (H, W, 3), uint8
        H and W may be unknown while tracing.
    mask : None
        Refused otherwise: a histogram of some pixels is not served.

    Returns
    -------
    tf.Tensor or Image, as `image`
        The image with an even histogram.

    Raises
    ------
    OutsideDomain
        The image is empty.
    UnsupportedArgument
        The image has another mode, or there is a mask.
    WrongType
        Pillow has no mode for the array.

    Notes
    -----
    Agreement: bit for bit.

    Graph: a histogram and a table, no Python at run time.
    Speed: about half as fast as Pillow.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.PIL import ImageOps
    >>> image = tf.repeat(tf.constant([[10, 20, 30]], tf.uint8), 255, axis=0)
    >>> ImageOps.equalize(image).numpy()[0].tolist()
    [0, 128, 255]
    """
    _refuse_mask(mask)
    even = _tabled(lambda pixels, _: tables.evening(tables.counted(tf.cast(pixels, tf.int32))))
    return applied(image, even, batch_axes > 0)


@replaces(
    "PIL.ImageOps.autocontrast",
    domain={
        "image": _COLOURS,
        "cutoff": OneOf(0, 2, 30, (5, 0), (0, 20), 0.5, 33.3, typical=2),
        "ignore": OneOf(None, 0, (0, 255), [7]),
        "preserve_tone": Boolean(),
    },
    refused=_MASK,
    agreement=Exact(),
    reference_call="pipeport.references.pil.on_image",
    compared=_PIXELS,
    valid=is_image,
)
@batchable
def autocontrast(
    batch_axes: int,
    image: Any,
    cutoff: Any = 0,
    ignore: Any = None,
    mask: Any = None,
    preserve_tone: bool = False,
) -> Any:
    """Stretch the levels of each band from 0 to 255.

    Parameters
    ----------
    image : array_like or Image, shape (H, W) or (H, W, 3), uint8
        H and W may be unknown while tracing.
    cutoff : float or (float, float), default 0
        How many of a hundred pixels do not count at the dark and at the bright end; Python numbers.
    ignore : int or sequence of int, optional
        Levels that do not count.
    mask : None
        Refused otherwise: a histogram of some pixels is not served.
    preserve_tone : bool, default False
        Whether all bands are stretched as the grey levels ask for.

    Returns
    -------
    tf.Tensor or Image, as `image`
        The image; a band of one level stays as it is.

    Raises
    ------
    OutsideDomain
        The image is empty, `cutoff` is not within 0 to 100, or `ignore` names no level.
    UnsupportedArgument
        The image has another mode, or there is a mask.
    WrongType
        Pillow has no mode for the array, or `cutoff` is not a number.

    Notes
    -----
    Agreement: bit for bit.

    Graph: a histogram and a table, no Python at run time.
    Speed: about half as fast as Pillow.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.PIL import ImageOps
    >>> ImageOps.autocontrast(tf.constant([[50, 60, 100]], tf.uint8)).numpy().tolist()
    [[0, 51, 254]]
    """
    _refuse_mask(mask)
    parts = cutoff if isinstance(cutoff, tuple) else (cutoff, cutoff)
    if len(parts) != 2 or any(isinstance(one, bool) or not isinstance(one, (int, float)) for one in parts):
        advice = "Give Python numbers: hundredths at the dark and at the bright end."
        raise WrongType(explain("cutoff", repr(cutoff), "a number, or a tuple of two", advice))
    if not all(0 <= one <= 100 for one in parts):
        raise OutsideDomain(explain("cutoff", repr(cutoff), "0 to 100", "Give hundredths of the pixels."))
    left_out = [] if ignore is None else list(whole_numbers(ignore, "ignore"))
    if not all(0 <= one <= 255 for one in left_out):
        raise OutsideDomain(explain("ignore", repr(ignore), "levels from 0 to 255", "Leave others out."))
    grey = _checks.flag(preserve_tone, "preserve_tone")

    def table(pixels: Any, mode: str) -> Any:
        seen = converted(pixels, mode, "L") if grey else pixels
        return tables.stretching(tables.counted(tf.cast(seen, tf.int32)), parts, left_out)

    return applied(image, _tabled(table), batch_axes > 0)


@replaces(
    "PIL.ImageOps.grayscale",
    domain={"image": ImageSpec(dtypes=("bool", "uint8"), channels=(None, 3, 4))},
    agreement=Exact(),
    reference_call="pipeport.references.pil.on_image",
    compared=_PIXELS,
    valid=lambda call: is_image(call) and (call["image"].ndim == 2 or call["image"].dtype != bool),
)
@batchable
def grayscale(batch_axes: int, image: Any) -> Any:
    """Convert an image to grey levels, as ``convert("L")`` does.

    Parameters
    ----------
    image : array_like or Image, shape (H, W), (H, W, 3) or (H, W, 4)
        uint8 (L, RGB, RGBA), or bool (1). H and W may be unknown while tracing.

    Returns
    -------
    tf.Tensor or Image, as `image`, shape (H, W), uint8
        The grey levels; alpha is dropped.

    Raises
    ------
    UnsupportedArgument
        The image has another mode.
    WrongType
        Pillow has no mode for the array.

    Notes
    -----
    Agreement: bit for bit.

    Graph: a few integer operations, no Python at run time.
    Speed: slower than Pillow.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.PIL import ImageOps
    >>> ImageOps.grayscale(tf.constant([[[255, 0, 0], [0, 255, 0]]], tf.uint8)).numpy().tolist()
    [[76, 150]]
    """
    return applied(image, lambda pixels, mode: converted(pixels, mode, "L"), batch_axes > 0, "L")
