"""Arguments that OpenCV's warps share, checked while tracing."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from pipeport import config
from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import static_value
from pipeport.kernels.opencv._warp import Plan, uses_float32_coordinates, warp
from pipeport.kernels.opencv._warp_maps import Map

INVERSE_MAP, RELATIVE_MAP = 16, 32
# INTER_AREA means linear in every warp.
METHODS = {0: "nearest", 1: "linear", 2: "cubic", 3: "linear", 4: "lanczos4"}
BORDER_NAMES = {0: "constant", 1: "replicate", 2: "reflect", 3: "wrap", 4: "reflect_101"}
# What the bench warps by: 30 degrees about the middle of 256 x 256 pixels.
_TURN, _MIDDLE = math.radians(30.0), 127.5
_COSINE, _SINE = math.cos(_TURN), math.sin(_TURN)
TYPICAL_AFFINE = (
    (_COSINE, _SINE, _MIDDLE * (1 - _COSINE - _SINE)),
    (-_SINE, _COSINE, _MIDDLE * (1 - _COSINE + _SINE)),
)
TYPICAL_PROJECTIVE = (*TYPICAL_AFFINE, (2e-4, 1e-4, 1.0))
_SIZES = "two integers (width, height), or tensors of them"
_INTERPOLATION = 7  # bits of the flags that name it
_DTYPES = ("uint8", "uint16", "int16", "float32", "float64")
_NEAREST_DTYPES = (*_DTYPES, "int8", "int32")
_MOST_CHANNELS = {"nearest": 128, "linear": 128, "cubic": 4, "lanczos4": 4}


class Images(NamedTuple):
    """A batch (B, H, W, C) and what an image of it was: its rank."""

    batch: Any
    rank: int


def vouched_cubic(image: Any, border: int) -> bool:
    """Say whether OpenCV 5 interpolates such an image by its cubic in the border as elsewhere, and ends."""
    pixels = np.asarray(image)
    if config.opencv() >= 5 and BORDER_NAMES[border] == "reflect_101" and min(pixels.shape[:2]) == 1:
        return False
    return config.opencv() < 5 or (pixels.dtype != np.float64 and bool(np.isfinite(pixels).all()))


def whole_number(value: Any, name: str) -> int:
    """Return a Python integer; a tensor cannot choose a graph."""
    if tf.is_tensor(value):
        advice = "It shapes the graph: decide it before tracing."
        raise UnsupportedArgument(explain(name, "a tensor", "a Python int", advice))
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)):
        raise UnsupportedArgument(explain(name, repr(value), "a Python int", "Use OpenCV's constants."))
    return int(value)


def nothing(value: Any, name: str, default: Any = None) -> None:
    """Refuse a parameter that is accepted by name alone."""
    if value is not default and (tf.is_tensor(value) or isinstance(value, np.ndarray) or value != default):
        reason = {
            "dst": "A tensor cannot be written into: use the returned one.",
            "hint": "The accurate algorithm is always used: leave it out.",
        }[name]
        raise UnsupportedArgument(explain(name, type(value).__name__, repr(default), reason))


def images(src: Any, batched: bool) -> Images:
    """Return the images as (B, H, W, C)."""
    tensor = _checks.as_tensor(src, "src")
    rank = None if tensor.shape.rank is None else tensor.shape.rank - batched
    advice = "Use tf.ensure_shape for an unknown rank, pipeport.batched for a batch."
    if rank not in (2, 3):
        given = "unknown rank" if rank is None else f"rank {rank}"
        raise OutsideDomain(explain("src", given, "shape (H, W) or (H, W, C)", advice))
    if rank == 3 and tensor.shape[-1] is None:
        raise UnsupportedArgument(explain("src", "an unknown number of channels", "a known one", advice))
    batch = tensor if batched else tensor[tf.newaxis]
    return Images(
        _checks.not_empty(batch if rank == 3 else batch[..., tf.newaxis], "src", element=slice(1, 3)), rank
    )


def interpolation(flags: int, name: str) -> str:
    """Return the method that flags name."""
    number = flags & _INTERPOLATION
    if number not in METHODS:
        allowed = "INTER_NEAREST, INTER_LINEAR, INTER_CUBIC, INTER_AREA or INTER_LANCZOS4"
        raise UnsupportedArgument(explain(name, str(flags), allowed, "OpenCV's warps refuse it too."))
    return METHODS[number]


def border(mode: Any) -> str:
    """Return the border rule's name."""
    number = whole_number(mode, "borderMode")
    if number not in BORDER_NAMES:
        allowed = "BORDER_CONSTANT, BORDER_REPLICATE, BORDER_REFLECT, BORDER_WRAP or BORDER_REFLECT_101"
        given = "BORDER_TRANSPARENT" if number == 5 else str(number)
        advice = "No destination shines through here: warp a mask as well, then use tf.where."
        raise UnsupportedArgument(explain("borderMode", given, allowed, advice))
    return BORDER_NAMES[number]


def _size(dsize: Any, batch: Any) -> tuple[Any, Any]:
    """Return (height, width) of the output; OpenCV takes the image's own where a side is not positive."""
    shape = tf.shape(batch)
    own = tuple(batch.shape[k] or shape[k] for k in (1, 2))
    if dsize is None:
        return own
    width, height = (_side(side) for side in _pair(dsize))
    known = [side for side in (height, width) if not tf.is_tensor(side)]
    if any(side <= 0 for side in known):
        return own
    if len(known) == 2:
        return height, width
    if known:
        # The known side stays known, so that the other one may not ask for the image's own size.
        advice = "Compute a positive size, or give two tensors."
        message = explain("dsize", "a tensor that is not positive beside a number", _SIZES, advice)
        with tf.control_dependencies(
            [tf.debugging.assert_positive(side, message) for side in (height, width) if tf.is_tensor(side)]
        ):
            height, width = (tf.identity(side) if tf.is_tensor(side) else side for side in (height, width))
        return height, width
    positive = (height > 0) & (width > 0)
    height, width = (tf.where(positive, side, one) for side, one in zip((height, width), own, strict=True))
    return height, width


def _pair(dsize: Any) -> list[Any]:
    """Return the width and the height that are asked for."""
    if not (isinstance(dsize, (tuple, list)) and len(dsize) == 2):
        dsize = static_value(dsize, "dsize")
    if tf.is_tensor(dsize):
        if not (dsize.dtype.is_integer and dsize.shape.is_compatible_with([2])):
            given = f"a tensor of {dsize.dtype.name} {dsize.shape}"
            raise UnsupportedArgument(explain("dsize", given, _SIZES, "Cast it to int32."))
        return list(tf.unstack(tf.ensure_shape(dsize, [2])))
    sides = list(dsize) if isinstance(dsize, (tuple, list, np.ndarray)) else []
    if len(sides) != 2:
        raise UnsupportedArgument(explain("dsize", repr(dsize), _SIZES, "Width comes first."))
    return sides


def _side(value: Any) -> Any:
    """Return a side of the output: an integer, or a scalar int32 tensor."""
    side = static_value(value, "dsize")
    if isinstance(side, np.ndarray) and side.ndim == 0:
        side = side[()]
    if not tf.is_tensor(side):
        return whole_number(side, "dsize")
    if not (side.dtype.is_integer and side.shape.is_compatible_with([])):
        given = f"a tensor of {side.dtype.name} {side.shape}"
        raise UnsupportedArgument(explain("dsize", given, _SIZES, "Cast it to int32."))
    return tf.cast(tf.ensure_shape(side, []), tf.int32)


def fill(value: Any, batch: Any, method: str) -> tuple[float, ...]:
    """Return the border value per channel, rounded and saturated to the image's dtype.

    A single number is the first channel's, the others' is zero; four are repeated.
    """
    allowed = "a number or up to four, one per channel"
    value = static_value(value, "borderValue")
    if tf.is_tensor(value) or isinstance(value, (str, bytes)):
        given_type = "a tensor" if tf.is_tensor(value) else type(value).__name__
        advice = "Give Python numbers: they are part of the graph."
        raise UnsupportedArgument(explain("borderValue", given_type, allowed, advice))
    given = [0.0] if value is None else np.asarray(value, object).ravel().tolist()
    try:
        numbers = [float(number) for number in given]
    except (TypeError, ValueError) as error:
        raise WrongType(explain("borderValue", repr(value), allowed, "Give numbers.")) from error
    if len(numbers) > 4:
        raise OutsideDomain(explain("borderValue", f"{len(numbers)} numbers", allowed, "Give four."))
    four = (numbers + [0.0] * 4)[:4]
    dtype = batch.dtype
    if not all(map(math.isfinite, four)) and (dtype.is_integer or method in ("cubic", "lanczos4")):
        advice = "A NaN or infinite border is served for floating images, nearest and linear."
        raise OutsideDomain(explain("borderValue", repr(value), "finite numbers", advice))
    if dtype.is_integer:
        limits = np.iinfo(dtype.as_numpy_dtype)
        four = [float(np.clip(np.rint(number), limits.min, limits.max)) for number in four]
    # One and the same NaN, so that equal plans are found to be equal.
    four = [math.nan if math.isnan(number) else number for number in four]
    return tuple(four[channel % 4] for channel in range(batch.shape[-1]))


def matrix(value: Any, rows: int, batched: bool) -> Any:
    """Return matrices of a map as float64, (B or 1, rows * 3)."""
    tensor = _checks.as_tensor(value, "M")
    _checks.dtype_among(tensor, ("float32", "float64"), "M")
    rank = tensor.shape.rank
    if rank not in ((2, 3) if batched else (2,)) or list(tensor.shape[-2:]) != [rows, 3]:
        advice = "Use pipeport.batched for one per image."
        raise OutsideDomain(explain("M", f"shape {tensor.shape}", f"shape ({rows}, 3)", advice))
    tensor = _checks.finite(tf.cast(tensor, tf.float64), "M", "finite numbers")
    return tf.reshape(tensor, [-1, rows * 3])


def warped(
    which: Map,
    source: Images,
    parameters: tuple[Any, ...],
    out: tuple[Any, Any],
    method: str,
    rule: str,
    value: Any,
    batched: bool,
) -> Any:
    """Warp, and give the result the shape OpenCV gives it: an axis of one channel is dropped."""
    batch, _ = source
    _checks.dtype_among(batch, _NEAREST_DTYPES if method == "nearest" else _DTYPES, "src")
    channels, most = batch.shape[-1], _MOST_CHANNELS[method]
    if channels > most:
        advice = "Warp groups of channels and concatenate them."
        raise OutsideDomain(explain("src", f"{channels} channels", f"at most {most}", advice))
    exact = uses_float32_coordinates(config.opencv(), method, batch.dtype, channels)
    plan = Plan(which, method, rule, exact, fill(value, batch, method))
    result = warp(plan, batch, parameters, out)
    drop = [axis for axis, gone in ((0, not batched), (3, channels == 1)) if gone]
    return tf.squeeze(result, drop) if drop else result


def warped_by_matrix(
    maps: tuple[Map, Map],
    rows: int,
    src: Any,
    M: Any,
    dsize: Any,
    dst: Any,
    flags: Any,
    mode: Any,
    value: Any,
    hint: Any,
    batch_axes: int,
) -> Any:
    """Check the arguments of `warpAffine` or `warpPerspective`, and warp.

    `maps` are the one for a matrix from output to input, and the one that inverts it first.
    """
    nothing(dst, "dst")
    nothing(hint, "hint", 0)
    batched = bool(batch_axes)
    source = images(src, batched)
    number = whole_number(flags, "flags")
    method, rule = interpolation(number, "flags"), border(mode)
    out = _size(dsize, source.batch)
    which = maps[0] if number & INVERSE_MAP else maps[1]
    parameters = (matrix(M, rows, batched),)
    return warped(which, source, parameters, out, method, rule, value, batched)
