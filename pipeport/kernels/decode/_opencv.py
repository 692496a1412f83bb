"""Decode as OpenCV: its flags, and the pixels.

The pixels are those of OpenCV 4.11 and 5.0 bit for bit. They differ in one thing: OpenCV 4 looks for
the orientation in the first APP1 segment alone, OpenCV 5 in the first that holds EXIF data; which of
the two is mirrored is `pipeport.config.opencv`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pipeport import config
from pipeport._lazy import tf
from pipeport.errors import UnsupportedArgument, WrongType, explain
from pipeport.kernels.decode._bmp import levels as bmp_levels
from pipeport.kernels.decode._bmp import pixels as bmp_pixels
from pipeport.kernels.decode._exif import png_chunk, upright_jpeg, upright_png
from pipeport.kernels.decode._formats import by_format, jpeg_pixels, png_header, rare_luma, refuse_unless
from pipeport.kernels.decode._pillow import opaque
from pipeport.kernels.layout._channel_order import turned
from pipeport.kernels.layout._decoded import decoded
from pipeport.kernels.xla._one_call import stored
from pipeport.kernels.xla._stored import stored_as

_UNCHANGED, _COLOR, _ANYDEPTH, _ANYCOLOR, _GDAL, _IGNORE, _RGB = -1, 1, 2, 4, 8, 128, 256
_RATIOS = {16: 2, 32: 4, 64: 8}
# OpenCV's own weights of blue, green and red in fourteenths of a bit, for formats without a library.
_GREY = (4899, 9617, 1868, 14)
_FLAGS = "IMREAD_UNCHANGED, or a sum of the other IMREAD_ flags without IMREAD_LOAD_GDAL"
DEPTHS = ("uint8", "uint16")


@dataclass(frozen=True)
class Wanted:
    """The request that flags encode.

    `channels`: 1, 3 or 4; None for as many as the file has. `stated`: whether `channels` is the caller's word
    about a file that decides itself. `alpha`: whether an alpha channel is kept. `deep`: whether a file's own
    depth is kept. `ratio`: by how much both sides are divided while decoding. `upright`: whether the EXIF
    orientation is applied.
    """

    channels: int | None
    stated: bool
    alpha: bool
    rgb: bool
    depth: str
    deep: bool
    ratio: int
    upright: bool


def wanted(flags: Any, channels: int | None, depth: str) -> Wanted:
    """Read the flags of `cv2.imread`, and our own statements about the file."""
    if tf.is_tensor(flags):
        advice = "It decides the rank and dtype of the result: choose it before tracing."
        raise UnsupportedArgument(explain("flags", "a tensor", _FLAGS, advice))
    try:
        number = operator.index(flags) if not isinstance(flags, bool) else None
    except TypeError:
        number = None
    if number is None:
        raise WrongType(explain("flags", repr(flags), _FLAGS, "Give an integer."))
    unchanged = number == _UNCHANGED
    known = _COLOR | _ANYDEPTH | _ANYCOLOR | _IGNORE | _RGB | sum(_RATIOS)
    if not unchanged and (number < 0 or number & ~known or (number & _COLOR and number & _RGB)):
        advice = "IMREAD_COLOR and IMREAD_COLOR_RGB exclude each other."
        raise UnsupportedArgument(explain("flags", str(number), _FLAGS, advice))
    if unchanged:
        number = _ANYDEPTH | _ANYCOLOR | _IGNORE
    asked = 3 if number & (_COLOR | _RGB) else None if number & _ANYCOLOR else 1
    deep = bool(number & _ANYDEPTH)
    _check_statements(asked, unchanged, deep, channels, depth)
    return Wanted(
        channels=channels if asked is None else asked,
        stated=asked is None and channels is not None,
        alpha=unchanged,
        rgb=bool(number & _RGB),
        depth=depth,
        deep=deep,
        ratio=next((ratio for bit, ratio in _RATIOS.items() if number & bit), 1),
        upright=not number & _IGNORE,
    )


def _check_statements(
    asked: int | None, unchanged: bool, deep: bool, channels: int | None, depth: str
) -> None:
    allowed = (None, asked) if asked else (None, 1, 3, 4) if unchanged else (None, 1, 3)
    if tf.is_tensor(channels) or isinstance(channels, bool) or channels not in allowed:
        text = ", ".join(map(repr, allowed))
        advice = "It states how many channels files have, where `flags` leave that to the file."
        raise UnsupportedArgument(explain("channels", repr(channels), text, advice))
    depths = DEPTHS if deep else DEPTHS[:1]
    if tf.is_tensor(depth) or depth not in depths:
        text = ", ".join(map(repr, depths))
        advice = "16 bits come with IMREAD_ANYDEPTH or IMREAD_UNCHANGED."
        raise UnsupportedArgument(explain("depth", repr(depth), text, advice))


def decode(data: Any, want: Wanted, name: str) -> Any:
    """Decode the bytes of a file.

    `data`: shape (), string. `name`: name of the parameter, for messages. Returns: shape (H, W), (H, W, 3) or
    (H, W, 4), uint8 or uint16; the image, of unknown rank while tracing if the file decides.
    """
    if want.channels is not None and not want.stated:
        return _with_channels(data, want, want.channels, name)
    count = _channels_of(data, want, name)
    if want.channels is not None:
        given = f"a file that does not give {want.channels} channel(s)"
        message = explain(name, given, f"channels={want.channels}, as stated", "State what files hold.")
        with tf.control_dependencies(refuse_unless(tf.equal(count, want.channels), message)):
            return _with_channels(tf.identity(data), want, want.channels, name)
    numbers = (1, 3, 4) if want.alpha else (1, 3)
    branches = [lambda c=c: _with_channels(data, want, c, name) for c in numbers]
    if tf.executing_eagerly():
        return branches[numbers.index(int(count))]()
    return tf.switch_case(tf.where(tf.equal(count, 1), 0, count - 2), branches)


def _channels_of(data: Any, want: Wanted, name: str) -> Any:
    """Return how many channels OpenCV gives a file where flags leave it to the file: 1, 3 or 4."""

    def png() -> Any:
        _bits, colour = png_header(data)
        if not want.alpha:
            return tf.where(tf.equal(colour, 0), 1, 3)
        # Alpha of its own, or colour with a transparent entry; a transparent grey level is dropped.
        plain = tf.equal(colour, 2) | tf.equal(colour, 3)
        keyed = tf.cond(plain, lambda: png_chunk(data, b"tRNS", last=b"IDAT")[1] > 0, lambda: plain)
        return tf.where(tf.equal(colour, 0), 1, tf.where(plain & ~keyed, 3, 4))

    return by_format(
        data,
        name,
        jpeg=lambda: tf.where(tf.equal(tf.io.extract_jpeg_shape(data)[2], 1), 1, 3),
        png=png,
        bmp=lambda: tf.where(bmp_levels(data, name)[0], 1, 3),
    )


def _with_channels(data: Any, want: Wanted, channels: int, name: str) -> Any:
    how = (channels, want.depth, want.deep, want.ratio, want.upright, config.opencv() == 4)
    image = decoded(tf.ensure_shape(stored(_decoder, *how, name)(data), [None, None, channels]))
    if channels == 1:
        return decoded(tf.squeeze(image, -1))
    if want.rgb:
        return image
    if channels == 4:
        return decoded(tf.gather(image, [2, 1, 0, 3], axis=2))
    return decoded(turned(image))


@stored_as("decode_cv2-decoder")
def _decoder(
    channels: int, depth: str, deep: bool, ratio: int, upright: bool, first_only: bool, name: str
) -> Callable[[Any], Any]:
    """Return a function that decodes bytes to (H, W, channels), red first."""
    dtype = tf.as_dtype(depth)
    shallow = _refusal(dtype == tf.uint8, name, "a file of 8 bits", "16 bits, as `depth` states")
    unscaled = _refusal(
        ratio == 1,
        name,
        "a PNG or BMP with an IMREAD_REDUCED_ flag",
        "JPEG files alone, which are decoded at the smaller size",
    )

    def run(data: Any) -> Any:
        def jpeg() -> Any:
            with tf.control_dependencies(shallow()):
                image = jpeg_pixels(data, name, min(channels, 3), ratio)
            if upright:
                image = upright_jpeg(data, image, first_only)
            return tf.cast(opaque(image) if channels == 4 else image, dtype)

        def png() -> Any:
            checks = unscaled()
            if deep:
                given, allowed = f"a file of other than {8 * dtype.size} bits", f"depth={depth!r}, as stated"
                message = explain(name, given, allowed, "State `depth='uint16'` for 16 bits, else 'uint8'.")
                sixteen = tf.equal(png_header(data)[0], 16)
                checks += refuse_unless(tf.equal(sixteen, dtype == tf.uint16), message)
            with tf.control_dependencies(checks):
                image = tf.io.decode_png(data, channels=channels, dtype=dtype)
            return upright_png(data, image, first_only) if upright else image

        def bmp() -> Any:
            with tf.control_dependencies(shallow() + unscaled()):
                image = bmp_pixels(data, name)
            image = rare_luma(image, *_GREY) if channels == 1 else opaque(image) if channels == 4 else image
            return tf.cast(image, dtype)

        return by_format(data, name, jpeg=jpeg, png=png, bmp=bmp)

    return run


def _refusal(condition: bool, name: str, given: str, allowed: str) -> Any:
    """Return a function of control inputs: none, or an error at run time, as tracing decided."""
    message = explain(name, given, allowed, "Convert the file once, or read it with other `flags`.")
    return lambda: [] if condition else refuse_unless(tf.constant(False), message)
