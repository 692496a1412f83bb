"""Read an image as Pillow does.

`read_image(path, mode)` gives the pixels of ``PIL.Image.open(path).convert(mode)``, bit for bit,
for mode 'L' (H, W), 'RGB' (H, W, 3) and 'RGBA' (H, W, 4), always uint8 with unknown H and W; `path`
is a str, bytes, os.PathLike or scalar string tensor. `decode_image(data, mode, name)` does the same
for the bytes of a file, a scalar string tensor. The EXIF orientation is not applied, as in Pillow.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.errors import UnsupportedArgument, explain
from pipeport.kernels.decode._bmp import header as bmp_header
from pipeport.kernels.decode._bmp import levels as bmp_levels
from pipeport.kernels.decode._bmp import pixels as bmp_pixels
from pipeport.kernels.decode._exif import png_chunk
from pipeport.kernels.decode._formats import (
    by_format,
    is_grey_png,
    jpeg_pixels,
    luma,
    png_header,
    rare_luma,
    refuse_unless,
)
from pipeport.kernels.decode._source import contents
from pipeport.kernels.xla._one_call import stored
from pipeport.kernels.xla._stored import stored_as

MODES = ("L", "RGB", "RGBA")
_OTHER = len(MODES)
# ITU-R 601-2 in sixteenths of a bit: what Pillow mixes grey with.
_PILLOW = (19595, 38470, 7471, 16)


def read_image(path: Any, mode: str, name: str = "fp") -> Any:
    """Read and decode a file, as ``PIL.Image.open(path).convert(mode)``.

    `mode`: {'L', 'RGB', 'RGBA'}; grey levels, colour, colour with alpha. `name`: name of the parameter, for
    messages. Returns: shape (H, W), (H, W, 3) or (H, W, 4), uint8.
    """
    return decode_image(contents(path, name), mode, name)


def decode_image(data: Any, mode: str, name: str) -> Any:
    """Decode the bytes of a file; see `read_image`."""
    if mode not in MODES:
        advice = "Convert to one of these, and go on from there."
        raise UnsupportedArgument(explain("mode", repr(mode), ", ".join(map(repr, MODES)), advice))
    decode = {"L": _grey, "RGB": _colour, "RGBA": _with_alpha}[mode]
    return decode(data, name)


def mode_in(data: Any, name: str) -> Any:
    """Return the place in `MODES` of the mode that Pillow gives a file; 3 of another mode.

    `data`: shape (), string. `name`: name of the parameter, for messages. Returns: shape (), int32.
    """

    def jpeg() -> Any:
        channels = tf.io.extract_jpeg_shape(data)[2]
        return tf.where(tf.equal(channels, 1), 0, tf.where(tf.equal(channels, 3), 1, _OTHER))

    def png() -> Any:
        bits, colour = png_header(data)
        grey = tf.equal(colour, 0) & (bits > 1) & (bits <= 8)
        return tf.where(grey, 0, tf.where(tf.equal(colour, 2), 1, tf.where(tf.equal(colour, 6), 2, _OTHER)))

    def bmp() -> Any:
        numbers = bmp_header(data)
        _, ramp = bmp_levels(data, name)
        # Of two colours Pillow makes black and white of one bit.
        grey = tf.where(ramp & tf.not_equal(numbers[6], 2), 0, _OTHER)
        return tf.where(numbers[4] >= 24, 1, grey)

    return by_format(data, name, jpeg=jpeg, png=png, bmp=bmp)


def size_in(data: Any, name: str) -> tuple[Any, Any]:
    """Return (width, height) of a file, int32, without decoding its pixels.

    `data`: shape (), string. `name`: name of the parameter, for messages.
    """

    def png() -> Any:
        filled = tf.strings.join([data, b"\0" * 24])
        return tf.ensure_shape(
            tf.io.decode_raw(tf.strings.substr(filled, 16, 8), tf.int32, little_endian=False), [2]
        )

    def bmp() -> Any:
        return tf.cast(tf.abs(tf.stack(bmp_header(data)[2:4])), tf.int32)

    sides = by_format(data, name, jpeg=lambda: tf.io.extract_jpeg_shape(data)[1::-1], png=png, bmp=bmp)
    width, height = tf.unstack(tf.ensure_shape(sides, [2]))
    return width, height


def _grey(data: Any, name: str) -> Any:
    def png() -> Any:
        bits, colour = png_header(data)
        return tf.cond(
            is_grey_png(colour),
            lambda: _grey_png(data, bits, colour),
            lambda: luma(tf.io.decode_png(data, channels=3), *_PILLOW),
        )

    image = by_format(
        data,
        name,
        jpeg=lambda: luma(jpeg_pixels(data, name, 3), *_PILLOW),
        png=png,
        bmp=lambda: rare_luma(bmp_pixels(data, name), *_PILLOW),
    )
    return tf.squeeze(tf.ensure_shape(image, [None, None, 1]), -1)


def _grey_png(data: Any, bits: Any, colour: Any) -> Any:
    """Return a grey PNG as bytes (H, W, 1): 16 bits alone are cut off at 255, not divided."""
    return tf.cond(
        tf.equal(bits, 16) & tf.equal(colour, 0),
        lambda: tf.cast(tf.minimum(tf.io.decode_png(data, channels=1, dtype=tf.uint16), 255), tf.uint8),
        lambda: tf.io.decode_png(data, channels=1),
    )


def _colour(data: Any, name: str) -> Any:
    return tf.ensure_shape(stored(_colour_decoder, name)(data), [None, None, 3])


@stored_as("decode-colour_decoder")
def _colour_decoder(name: str) -> Callable[[Any], Any]:
    return lambda data: by_format(
        data,
        name,
        jpeg=lambda: jpeg_pixels(data, name, 3),
        png=lambda: _png_colour(data, *png_header(data)),
        bmp=lambda: bmp_pixels(data, name),
    )


def opaque(image: Any) -> Any:
    """Return an image (H, W, 3) with an alpha channel of 255."""
    return tf.pad(image, [[0, 0], [0, 0], [0, 1]], constant_values=tf.constant(255, image.dtype))


def _with_alpha(data: Any, name: str) -> Any:
    def png() -> Any:
        bits, colour = png_header(data)

        def rare() -> Any:
            # Below 8 bits libpng writes alpha before it widens samples, and Pillow compares a
            # transparent grey level after; 16 bits of grey are cut off first.
            _start, length = png_chunk(data, b"tRNS", last=b"IDAT")
            palette = tf.equal(colour, 3)
            given = "a grey PNG of other than 8 bits with a transparent level"
            message = explain(name, given, "an alpha channel, or 8 bits", "Convert the file once.")
            with tf.control_dependencies(refuse_unless(palette | tf.equal(length, 0), message)):
                return tf.cond(
                    length > 0,
                    lambda: tf.io.decode_png(data, channels=4),
                    lambda: opaque(_png_colour(data, bits, colour)),
                )

        odd = (bits < 8) | (tf.equal(bits, 16) & tf.equal(colour, 0))
        return tf.cond(odd, rare, lambda: tf.io.decode_png(data, channels=4))

    image = by_format(
        data,
        name,
        jpeg=lambda: opaque(jpeg_pixels(data, name, 3)),
        png=png,
        bmp=lambda: opaque(bmp_pixels(data, name)),
    )
    return tf.ensure_shape(image, [None, None, 4])


def _png_colour(data: Any, bits: Any, colour: Any) -> Any:
    return tf.cond(
        tf.equal(bits, 16) & tf.equal(colour, 0),
        lambda: tf.tile(_grey_png(data, bits, colour), [1, 1, 3]),
        lambda: tf.io.decode_png(data, channels=3),
    )
