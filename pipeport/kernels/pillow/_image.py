"""Operations of Pillow on pixels (B, H, W, C) and a mode, with Pillow's argument checks."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.pillow import _arguments as arguments
from pipeport.kernels.pillow import _place as place
from pipeport.kernels.pillow._filters import BICUBIC, BILINEAR, MKS2013, MKS2021, NEAREST
from pipeport.kernels.pillow._modes import channels_of, fill_value, premultiplied, straight
from pipeport.kernels.pillow._nearest import nearest
from pipeport.kernels.pillow._resample import resampled, resampled_in_graph
from pipeport.kernels.pillow._rotate import reduced, rotated, shortcut
from pipeport.kernels.pillow._transform import METHODS, numbers_of, transformed
from pipeport.kernels.pillow._transpose import transposed

_TRANSPOSE = (
    "FLIP_LEFT_RIGHT 0, FLIP_TOP_BOTTOM 1, ROTATE_90 2, ROTATE_180 3, ROTATE_270 4, TRANSPOSE 5, TRANSVERSE 6"
)
_WIDE_MODES = ("I;16", "I", "F")
_SAMPLING = "NEAREST 0, BILINEAR 2, BICUBIC 3"


def sides_of(pixels: Any) -> tuple[Any, Any]:
    """Return (height, width) of (B, H, W, C): integers where known, else scalar int32 tensors."""
    known = pixels.shape[1:3].as_list()
    if None not in known:
        return known[0], known[1]
    found = tf.unstack(tf.shape(pixels))[1:3]
    height, width = (
        side if side is not None else unknown for side, unknown in zip(known, found, strict=True)
    )
    return height, width


def resize(pixels: Any, mode: str, size: Any, resample: Any, box: Any, reducing_gap: Any) -> Any:
    """Return pixels as `PIL.Image.Image.resize` does; see there and in `pipeport.PIL.Image.resize`."""
    number = arguments.filter_number(resample)
    if reducing_gap is not None:
        advice = "Leave it out: the result is then the exact one that it approximates."
        raise UnsupportedArgument(explain("reducing_gap", repr(reducing_gap), "None", advice))
    pixels = _checks.not_empty(pixels, "image", element=slice(1, 3))
    target = arguments.positive(arguments.size_pair(size), channels_of(mode))
    if box is None:
        return _resized(pixels, mode, target, number)
    corners = place.single(arguments.real_entries(box, 4, "box"))
    # Pillow compares boxes as Python does: a list equals no tuple.
    keeps = isinstance(box, tuple)
    return _resized(place.inside(pixels, corners), mode, target, number, corners, keeps)


def _resized(
    pixels: Any,
    mode: str,
    size: tuple[Any, Any],
    number: int,
    box: tuple[Any, ...] | None = None,
    keeps: bool = True,
) -> Any:
    """Resize a box, or all of the image; `keeps` says whether an image of the wanted size is copied."""
    if number in (MKS2013, MKS2021) and mode in _WIDE_MODES:
        # Their coefficients are Pillow's to about 1e-16: enough for bytes, not for sums that end halfway
        # between two whole numbers.
        name = "MKS2013" if number == MKS2013 else "MKS2021"
        advice = "Use LANCZOS, or an image of uint8."
        given = f"{name} for an image of mode {mode}"
        raise UnsupportedArgument(explain("resample", given, f"{name} for images of uint8", advice))
    height, width = sides_of(pixels)
    dynamic = any(tf.is_tensor(value) for value in (height, width, *size, *(box or ())))
    if dynamic and number != NEAREST and mode != "1":
        return _resampled_in_graph(pixels, mode, size, number, box, keeps)
    whole = place.single((0.0, 0.0, width, height))
    box = whole if box is None else box
    if keeps and not dynamic and size == (width, height) and box == whole:
        return tf.identity(pixels)
    if number == NEAREST or mode == "1":
        return nearest(pixels, size, box)
    if mode != "RGBA":
        return resampled(pixels, size, number, box)
    return straight(resampled(premultiplied(pixels), size, number, box))


def _resampled_in_graph(
    pixels: Any, mode: str, size: tuple[Any, Any], number: int, box: tuple[Any, ...] | None, keeps: bool
) -> Any:
    if box is not None:
        box = tuple(tf.convert_to_tensor(side, tf.float32) for side in box)
    if mode != "RGBA":
        return resampled_in_graph(pixels, size, number, box)
    if not keeps:
        return straight(resampled_in_graph(premultiplied(pixels), size, number, box))
    # An image of the wanted size already keeps its colours under zero alpha.
    height, width = sides_of(pixels)
    kept = tf.equal(size[0], width) & tf.equal(size[1], height)
    if box is not None:
        sides = [tf.cast(side, tf.float32) for side in (0, 0, width, height)]
        kept &= tf.reduce_all(tf.equal(tf.stack(box), tf.stack(sides)))
    result = resampled_in_graph(tf.where(kept, pixels, premultiplied(pixels)), size, number, box)
    return tf.where(kept, result, straight(result))


def rotate(
    pixels: Any,
    mode: str,
    angle: Any,
    resample: Any,
    expand: Any,
    center: Any,
    translate: Any,
    fillcolor: Any,
    batched: bool = False,
) -> Any:
    """Return pixels as `PIL.Image.Image.rotate` does."""
    pixels = _checks.not_empty(pixels, "image", element=slice(1, 3))
    degrees = reduced(_checks.finite_scalar(angle, "angle", batched))
    expand = _checks.flag(expand, "expand")
    middle, shift = _point(center, "center"), _point(translate, "translate")
    if expand and tf.is_tensor(degrees) and degrees.shape.rank == 1:
        allowed, advice = "one angle for the batch", "Rotate element by element before batching."
        raise UnsupportedArgument(explain("expand", "True with one angle per element", allowed, advice))
    number = arguments.number_among(resample, (NEAREST, BILINEAR, BICUBIC), "resample", _SAMPLING)
    fill = fill_value(fillcolor, mode, "fillcolor")
    number = NEAREST if mode == "1" else number
    if middle is None and shift is None and not tf.is_tensor(degrees):
        moved = shortcut(pixels, degrees, expand)
        if moved is not None:
            return moved
    _refuse_16_bits(mode, number)
    return rotated(pixels, mode, degrees, number, expand, middle, shift, fill)


def _point(value: Any, name: str) -> Any:
    """Return (x, y), or None; as in Pillow further entries are not looked at."""
    if value is None:
        return None
    if tf.is_tensor(value):
        return arguments.real_entries(value, 2, name)
    if not isinstance(value, (tuple, list)) or len(value) < 2:
        raise WrongType(explain(name, repr(value), "None or (x, y)", "Give a tuple of two numbers."))
    return tuple(arguments.real(entry, name) for entry in value[:2])


def transform(
    pixels: Any,
    mode: str,
    size: Any,
    method: Any,
    data: Any,
    resample: Any,
    fillcolor: Any,
    batched: bool = False,
) -> Any:
    """Return pixels as `PIL.Image.Image.transform` does."""
    pixels = _checks.not_empty(pixels, "image", element=slice(1, 3))
    form = arguments.number_among(method, (0, 1, 2, 3), "method", METHODS)
    target = arguments.positive(arguments.size_pair(size), channels_of(mode))
    numbers = numbers_of(data, form, batched)
    number = arguments.number_among(resample, (NEAREST, BILINEAR, BICUBIC), "resample", _SAMPLING)
    number = NEAREST if mode == "1" else number
    _refuse_16_bits(mode, number)
    fill = fill_value(fillcolor, mode, "fillcolor")
    return transformed(pixels, mode, target[::-1], form, numbers, number, fill)


def _refuse_16_bits(mode: str, number: int) -> None:
    if mode == "I;16" and number != NEAREST:
        advice = "Cast the image to int32 or float32 first."
        raise UnsupportedArgument(explain("resample", number, "NEAREST for 16 bits", advice))


def transpose(pixels: Any, method: Any) -> Any:
    """Return pixels as `PIL.Image.Image.transpose` does."""
    if not isinstance(method, (int, np.integer)):
        raise WrongType(explain("method", repr(method), _TRANSPOSE, "Use the constants of Image."))
    return transposed(pixels, arguments.number_among(method, tuple(range(7)), "method", _TRANSPOSE))


def crop(pixels: Any, mode: str, box: Any) -> Any:
    """Return pixels as `PIL.Image.Image.crop` does."""
    if box is None:
        return tf.identity(pixels)
    corners = tuple(arguments.rounded(side) for side in arguments.real_entries(box, 4, "box"))
    left, upper, right, lower = arguments.real_entries(box, 4, "box")
    allowed, advice = "right not left of left, lower not above upper", "Order the corners."
    for low, high in ((left, right), (upper, lower)):
        if not (tf.is_tensor(low) or tf.is_tensor(high)) and high < low:
            raise OutsideDomain(explain("box", str(box), allowed, advice))
    if any(tf.is_tensor(side) for side in corners):
        message = explain("box", "corners out of order", allowed, advice)
        good = (right >= left) & (lower >= upper)
        with tf.control_dependencies([tf.debugging.Assert(good, [message])]):
            corners = tuple(tf.identity(tf.convert_to_tensor(side, tf.int32)) for side in corners)
    else:
        arguments.positive(
            (max(corners[2] - corners[0], 1), max(corners[3] - corners[1], 1)), channels_of(mode), "box"
        )
    return place.window(pixels, corners, fill_value(None, mode, "fill"))


def expand(pixels: Any, mode: str, border: Any, fill: Any) -> Any:
    """Return pixels as `PIL.ImageOps.expand` does."""
    left, top, right, bottom = _border(border)
    color = fill_value(fill, mode, "fill")
    height, width = sides_of(pixels)
    box = (-left, -top, width + right, height + bottom)
    if all(isinstance(side, int) for side in box):
        if box[2] < box[0] or box[3] < box[1]:
            advice = "Cut off less."
            raise OutsideDomain(explain("border", repr(border), "what leaves a size of 0 or more", advice))
        return place.window(pixels, box, color)
    if min(left + right, top + bottom) < 0:
        message = explain(
            "border", "more cut off than there is", "what leaves a size of 0 or more", "Cut off less."
        )
        sizes = [box[2] - box[0], box[3] - box[1]]
        with tf.control_dependencies([tf.debugging.assert_non_negative(tf.stack(sizes), message)]):
            pixels = tf.identity(pixels)
    return place.window(pixels, box, color)


def _border(border: Any) -> tuple[Any, Any, Any, Any]:
    if isinstance(border, tuple):
        if len(border) not in (2, 4):
            allowed = "an integer, (horizontal, vertical) or (left, top, right, bottom)"
            raise UnsupportedArgument(explain("border", repr(border), allowed, "Give a tuple of 2 or 4."))
        sides = border if len(border) == 4 else border * 2
    else:
        sides = (border,) * 4
    if any(tf.is_tensor(side) for side in sides):
        advice = "Use pipeport.PIL.Image.crop, which takes tensors, or decide it before tracing."
        raise UnsupportedArgument(explain("border", "a tensor", "Python integers", advice))
    left, top, right, bottom = (arguments.whole(side, "border") for side in sides)
    return left, top, right, bottom


def _zero_side(size: tuple[Any, Any]) -> bool:
    static = [side for side in size if not tf.is_tensor(side)]
    return len(static) == 2 and min(static) == 0


def _share(value: Any, name: str) -> Any:
    number = arguments.real(value, name)
    if tf.is_tensor(number):
        raise UnsupportedArgument(explain(name, "a tensor", "Python numbers", "Decide it before tracing."))
    return number


def fit(pixels: Any, mode: str, size: Any, method: Any, bleed: Any, centering: Any) -> Any:
    """Return pixels as `PIL.ImageOps.fit` does."""
    target = arguments.size_pair(size)
    pixels = _checks.not_empty(pixels, "image", element=slice(1, 3))
    if _zero_side(target):
        return place.blank(pixels, target, fill_value(None, mode, "fill"))
    shares = _shares(centering)
    number = arguments.filter_number(method, "method")
    target = arguments.positive(target, channels_of(mode))
    height, width = sides_of(pixels)
    exact = place.fitting_box(height, width, target, _share(bleed, "bleed"), shares)
    corners = place.single(exact)
    static = not any(tf.is_tensor(value) for value in exact)
    if static:
        return _resized(place.inside(pixels, corners), mode, target, number, corners)
    # Sizes out of range by rounding alone are drawn in, where Pillow raises for known sizes.
    limits = (width, height, width, height)
    corners = tuple(
        tf.clip_by_value(side, 0.0, tf.cast(limit, tf.float32))
        for side, limit in zip(corners, limits, strict=True)
    )
    return _resized(pixels, mode, target, number, corners)


def _shares(centering: Any) -> tuple[float, float]:
    across, down = (_share(entry, "centering") for entry in arguments.entries(centering, 2, "centering"))
    return across, down


def pad(pixels: Any, mode: str, size: Any, method: Any, color: Any, centering: Any) -> Any:
    """Return pixels as `PIL.ImageOps.pad` does."""
    target = arguments.size_pair(size)
    pixels = _checks.not_empty(pixels, "image", element=slice(1, 3))
    shares = _shares(centering)
    if _zero_side(target):
        return place.blank(pixels, target, fill_value(color, mode, "color"))
    number = arguments.filter_number(method, "method")
    target = arguments.positive(target, channels_of(mode))
    inner = place.contained(*sides_of(pixels), target)
    # Pillow does not look at the colour where nothing is filled.
    dynamic = any(tf.is_tensor(side) for side in inner)
    fill = fill_value(color if dynamic or inner != target else None, mode, "color")
    if _zero_side(inner):
        return place.blank(pixels, target, fill)
    # A side that rounds to zero leaves nothing of the image.
    least = tuple(tf.maximum(side, 1) for side in inner) if dynamic else inner
    result = _resized(pixels, mode, least, number)
    if dynamic:
        result = result[:, : inner[1], : inner[0]]
    left, top = (place.offset(target[i] - inner[i], shares[i]) for i in (0, 1))
    placed = place.window(result, (-left, -top, target[0] - left, target[1] - top), fill)
    sides = [side if isinstance(side, int) else None for side in target[::-1]]
    return tf.ensure_shape(placed, [pixels.shape[0], *sides, pixels.shape[3]])
