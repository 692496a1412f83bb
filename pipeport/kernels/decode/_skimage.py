"""Decode as `skimage.io.imread` does: the channels of the file, its depth, grey levels on request."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.errors import explain
from pipeport.kernels.decode._bmp import levels as bmp_levels
from pipeport.kernels.decode._bmp import pixels as bmp_pixels
from pipeport.kernels.decode._formats import by_format, jpeg_pixels, png_header, refuse_unless
from pipeport.kernels.inputs._ranges import unit_scale

DEPTHS = ("uint8", "uint16", "bool")
CHANNELS = (1, 3, 4)
# Luminance of linear light in sRGB primaries, as scikit-image has it.
_LUMINANCE = (0.2125, 0.7154, 0.0721)
_ADVICE = "State the format of the files, or convert them once."
_COLOUR = {1: "grey (H, W)", 3: "colour (H, W, 3)", 4: "colour with alpha (H, W, 4)"}


def decode(data: Any, as_gray: bool, channels: int | None, depth: str, name: str) -> Any:
    """Decode the bytes of a file.

    `data`: shape (), string. `as_gray`: whether colour becomes luminance in [0, 1], float64. `channels`:
    {None, 1, 3, 4}; what the file is stated to have; None for what it has. `depth`: {'uint8', 'uint16',
    'bool'}; what a grey file is stated to have; colour always comes as bytes. `name`: name of the parameter,
    for messages. Returns: shape (H, W), (H, W, 3) or (H, W, 4).
    """
    found, kind = _facts(data, name)
    given, allowed = "another depth or number of channels", _allowed(channels, depth, as_gray)
    message = explain(name, given, allowed, _ADVICE)
    stated = _as_stated(found, kind, as_gray, channels, depth)
    with tf.control_dependencies(refuse_unless(stated, message)):
        data = tf.identity(data)
    if channels is None and not as_gray:
        branches = [lambda c=c: _pixels(data, c, depth, name) for c in CHANNELS]
        if tf.executing_eagerly():
            return branches[CHANNELS.index(int(found))]()
        if depth != "uint8":
            return branches[0]()
        return tf.switch_case(tf.where(tf.equal(found, 1), 0, found - 2), branches)
    if not as_gray or channels == 1:
        return _pixels(data, channels or 3, depth, name)
    if channels is None:
        return tf.cond(
            tf.equal(found, 4),
            lambda: _luminance(_pixels(data, 4, depth, name)),
            lambda: _luminance(_pixels(data, 3, depth, name)),
        )
    return _luminance(_pixels(data, channels, depth, name))


def _allowed(channels: int | None, depth: str, as_gray: bool) -> str:
    if channels is not None:
        what = _COLOUR[channels]
    else:
        what = "colour, for as_gray without channels=1" if as_gray else "grey or colour without grey alpha"
    return f"{what}, {depth}"


def _as_stated(found: Any, kind: Any, as_gray: bool, channels: int | None, depth: str) -> Any:
    """Return whether a file has the stated form; 2 channels, grey with alpha, never have."""
    right = tf.equal(kind, DEPTHS.index(depth)) & tf.not_equal(found, 2)
    if channels is not None:
        return right & tf.equal(found, channels)
    return right & (found > 1) if as_gray else right


def _facts(data: Any, name: str) -> tuple[Any, Any]:
    """Return the channels that the reference gives a file, and the index of the dtype in `DEPTHS`."""

    def png() -> tuple[Any, Any]:
        bits, colour = png_header(data)
        grey = tf.equal(colour, 0)
        deep = tf.where(tf.equal(bits, 16), 1, tf.where(tf.equal(bits, 1), 2, 0))
        # Grey with alpha comes as two channels of 8 bits, or as four where it has 16.
        alpha = tf.where(tf.equal(colour, 4) & tf.equal(bits, 8), 2, 4)
        plain = tf.equal(colour, 2) | tf.equal(colour, 3)
        count: Any = tf.where(grey, 1, tf.where(plain, 3, alpha))
        return count, tf.where(grey, deep, 0)

    zero = tf.constant(0)
    facts: tuple[Any, Any] = by_format(
        data,
        name,
        jpeg=lambda: (tf.io.extract_jpeg_shape(data)[2], zero),
        png=png,
        bmp=lambda: (tf.where(bmp_levels(data, name)[1], 1, 3), zero),
    )
    return facts


def _pixels(data: Any, channels: int, depth: str, name: str) -> Any:
    dtype = tf.uint16 if depth == "uint16" else tf.uint8

    def padded(image: Any) -> Any:
        if channels == 1:
            image = image[..., :1]
        elif channels == 4:
            image = tf.pad(image, [[0, 0], [0, 0], [0, 1]], constant_values=tf.constant(255, image.dtype))
        return tf.cast(image, dtype)

    image = by_format(
        data,
        name,
        jpeg=lambda: padded(jpeg_pixels(data, name, 3)) if channels > 1 else _grey_jpeg(data, name, dtype),
        png=lambda: tf.io.decode_png(data, channels=channels, dtype=dtype),
        bmp=lambda: padded(bmp_pixels(data, name)),
    )
    image = tf.ensure_shape(image, [None, None, channels])
    if channels > 1:
        return image
    image = tf.squeeze(image, -1)
    return tf.cast(image, tf.bool) if depth == "bool" else image


def _grey_jpeg(data: Any, name: str, dtype: Any) -> Any:
    return tf.cast(jpeg_pixels(data, name, 1), dtype)


def _luminance(image: Any) -> Any:
    """Return bytes (H, W, 3 or 4) as float64 (H, W) in [0, 1]; what is transparent turns white."""
    scaled = tf.cast(image, tf.float64) * unit_scale(image.dtype)
    if image.shape[-1] == 4:
        alpha = scaled[..., 3:]
        scaled = tf.clip_by_value(alpha * scaled[..., :3] + (1.0 - alpha), 0.0, 1.0)
    weights = tf.constant([[w] for w in _LUMINANCE], tf.float64)
    mixed = tf.matmul(tf.reshape(scaled, [-1, 3]), weights)
    return tf.reshape(mixed, tf.shape(image)[:2])
