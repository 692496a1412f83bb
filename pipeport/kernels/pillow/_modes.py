"""Pillow's modes: which arrays they hold, their colours, and conversions between them."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs import _checks

# Mode: dtype and number of channels; no channels stand for (H, W).
MODES: dict[str, tuple[str, int | None]] = {
    "1": ("bool", None),
    "L": ("uint8", None),
    "RGB": ("uint8", 3),
    "RGBA": ("uint8", 4),
    "I;16": ("uint16", None),
    "I": ("int32", None),
    "F": ("float32", None),
}
_OF_DTYPE = {dtype: mode for mode, (dtype, channels) in MODES.items() if channels is None}
# Arrays that become another dtype on the way in.
_BECOMES = {"int8": "int32", "int16": "int32", "uint32": "int32", "float64": "float32"}
_ARRAYS = (
    "(H, W) of bool, uint8, uint16, int8, int16, int32, uint32, float32 or float64; (H, W, 3) or "
    "(H, W, 4) of uint8"
)


def channels_of(mode: str) -> int:
    """Return the number of channels, 1 for (H, W)."""
    return MODES[mode][1] or 1


def as_pixels(value: Any, name: str, batched: bool = False) -> tuple[Any, str]:
    """Return the pixels (B, H, W, C) of an array or a batch, and its mode, as Pillow reads it.

    `value`: an image (H, W) or (H, W, C), or with `batched` several. `batched`: whether there is a batch
    axis. Returns: shape (B, H, W, C); in the mode's dtype; B is 1 for one image.
    """
    image = _checks.as_tensor(value, name)
    rank = image.shape.rank
    if rank is None:
        advice = "State it with tf.ensure_shape."
        raise OutsideDomain(explain(name, "an image of unknown rank", _ARRAYS, advice))
    rank -= int(batched)
    if rank not in (2, 3):
        advice = "Add or drop axes; for a batch use pipeport.batched."
        raise WrongType(explain(name, f"rank {rank}", _ARRAYS, advice))
    if rank == 3 and image.shape[-1] is None:
        advice = "State it with tf.ensure_shape: it decides the mode."
        raise OutsideDomain(explain(name, "an unknown number of channels", _ARRAYS, advice))
    mode = _mode(image, rank, name)
    dtype = MODES[mode][0]
    if image.dtype.name != dtype:
        # As Pillow: uint32 keeps its bits, int8 is read without its sign, and float64 beyond the
        # range of float32 becomes infinite.
        image = tf.bitcast(image, tf.uint8) if image.dtype == tf.int8 else image
        image = tf.bitcast(image, dtype) if image.dtype == tf.uint32 else tf.cast(image, dtype)
    image = image if batched else tf.expand_dims(image, 0)
    return (tf.expand_dims(image, -1) if rank == 2 else image), mode


def _mode(image: Any, rank: int, name: str) -> str:
    dtype = image.dtype.name
    if rank == 2:
        mode = _OF_DTYPE.get(_BECOMES.get(dtype, dtype))
        if mode is not None:
            return mode
    elif dtype == "uint8":
        channels = image.shape[-1]
        if channels in (3, 4):
            return "RGB" if channels == 3 else "RGBA"
        if channels == 2:
            advice = "Split the channels, or use RGBA."
            raise UnsupportedArgument(explain(name, "grey with alpha (mode LA)", _ARRAYS, advice))
    advice = "Pillow has no mode for it either: cast or reshape the array."
    raise WrongType(explain(name, f"shape {image.shape}, dtype {dtype}", _ARRAYS, advice))


def known_mode(mode: Any, name: str = "mode") -> str:
    """Return a mode that is served here; refuse any other."""
    if not isinstance(mode, str):
        raise WrongType(explain(name, repr(mode), ", ".join(MODES), "Give the mode's name."))
    _checks.one_of(mode, tuple(MODES), name, "Convert it with Pillow first, once and for all.")
    return mode


def fill_value(color: Any, mode: str, name: str) -> np.ndarray:
    """Return a colour as pixel values (C,), by Pillow's rules for numbers.

    `color`: multi-band modes take a tuple, or one integer whose bytes are the bands; None is zero. Returns:
    shape (C,); in the mode's dtype.
    """
    dtype, channels = MODES[mode]
    if color is None:
        return np.zeros([channels or 1], dtype)
    if isinstance(color, str):
        advice = "Give its numbers, for instance (255, 0, 0)."
        raise UnsupportedArgument(explain(name, repr(color), "numbers", advice))
    if tf.is_tensor(color):
        raise UnsupportedArgument(explain(name, "a tensor", "Python numbers", "Decide it before tracing."))
    if isinstance(color, tuple) and len(color) == 1:
        (color,) = color
    if mode == "F":
        if isinstance(color, (tuple, list, np.ndarray)) or not hasattr(color, "__float__"):
            raise WrongType(explain(name, repr(color), "a number", "Give one number."))
        with np.errstate(over="ignore"):
            return np.asarray([float(color)]).astype(np.float32)
    if isinstance(color, tuple) and channels and len(color) in (3, 4):
        bands = [min(max(_integer(band, name), 0), 255) for band in color]
        # A colour without alpha is opaque.
        return np.asarray([*bands, 255][:channels], np.uint8)
    if not isinstance(color, int):
        allowed = "an integer" if channels is None else "an integer, or a tuple of 1, 3 or 4 integers"
        raise WrongType(explain(name, repr(color), f"{allowed} for mode {mode}", "Give Python integers."))
    return _from_integer(_integer(color, name), dtype, channels)


def _integer(value: Any, name: str) -> int:
    try:
        number = operator.index(value)
    except TypeError as error:
        raise WrongType(explain(name, repr(value), "integers", "Round it first.")) from error
    if not -(2**63) <= number < 2**63:
        raise OutsideDomain(explain(name, repr(value), "integers of 64 bits", "Give a level of the image."))
    return number


def _from_integer(color: int, dtype: str, channels: int | None) -> np.ndarray:
    if channels:
        return np.asarray([color >> 8 * band & 255 for band in range(channels)], np.uint8)
    if dtype == "int32":
        return np.asarray([(color + 2**31) % 2**32 - 2**31], np.int32)
    if dtype == "uint16":
        return np.asarray([color & 0xFFFF], np.uint16)
    return np.asarray([min(max(color, 0), 255)]).astype(dtype)


def converted(pixels: Any, mode: str, target: str) -> Any:
    """Convert pixels (..., C) between 1, L, RGB and RGBA, bit for bit as Pillow does.

    `pixels`: shape (..., C). Returns: shape (..., channels of `target`).
    """
    known_mode(target)
    if mode == target:
        return tf.identity(pixels)
    if mode not in ("1", "L", "RGB", "RGBA") or target not in ("L", "RGB", "RGBA"):
        advice = "Convert with tf.cast and pipeport.PIL.Image.fromarray."
        allowed = "1, L, RGB or RGBA to L, RGB or RGBA"
        raise UnsupportedArgument(explain("mode", f"{mode} to {target}", allowed, advice))
    if mode == "1":
        pixels = tf.where(pixels, tf.constant(255, tf.uint8), tf.constant(0, tf.uint8))
    color = pixels[..., :3]
    if target == "L":
        return color if mode == "1" else _luma(color)
    if mode in ("1", "L"):
        color = tf.repeat(color, 3, axis=-1)
    if target == "RGB":
        return color
    return tf.concat([color, tf.fill(tf.shape(color[..., :1]), tf.constant(255, tf.uint8))], -1)


def _luma(color: Any) -> Any:
    # ITU-R 601 in 16 bits of fraction, rounded.
    red, green, blue = tf.unstack(tf.cast(color, tf.int32), axis=-1)
    level = tf.bitwise.right_shift(red * 19595 + green * 38470 + blue * 7471 + 0x8000, 16)
    return tf.cast(level, tf.uint8)[..., tf.newaxis]


def premultiplied(pixels: Any) -> Any:
    """Return RGBA pixels with colours multiplied by alpha / 255, rounded."""
    wide = tf.cast(pixels, tf.int32)
    product = wide[..., :3] * wide[..., 3:] + 128
    rounded = tf.bitwise.right_shift(tf.bitwise.right_shift(product, 8) + product, 8)
    return tf.cast(tf.concat([rounded, wide[..., 3:]], -1), tf.uint8)


def straight(pixels: Any) -> Any:
    """Return premultiplied pixels as RGBA: colours divided by alpha / 255, truncated, at most 255."""
    wide = tf.cast(pixels, tf.int32)
    color, alpha = wide[..., :3], wide[..., 3:]
    divided = tf.minimum(255 * color // tf.maximum(alpha, 1), 255)
    color = tf.where((alpha == 0) | (alpha == 255), color, divided)
    return tf.cast(tf.concat([color, alpha], -1), tf.uint8)
