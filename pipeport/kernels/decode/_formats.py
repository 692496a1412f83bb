"""Decode bytes to pixels: detect the format, read the header, call TensorFlow's decoder.

`tf.io.decode_jpeg` with the accurate inverse transform gives the pixels of OpenCV and Pillow bit for
bit, which also link libjpeg-turbo; its default is off by up to 11 levels. `tf.io.decode_png` reduces
16 bits to 8 by the upper byte and turns colour to grey as OpenCV does, both inside libpng.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import explain
from pipeport.kernels.xla._one_call import cold_branch

FORMATS = "a JPEG, PNG or BMP file"
_CONVERT = "Convert other formats once, or decode them with tf.io.decode_image."
_GREY, _PALETTE = 0, 3  # colour types of PNG


def refuse_unless(condition: Any, message: str) -> list[Any]:
    """Return the control inputs that stop the graph with a message unless the condition holds."""
    check = tf.debugging.Assert(condition, [message])
    return [] if check is None else [check]  # eagerly the check is done already


def by_format(
    data: Any,
    name: str,
    jpeg: Callable[[], Any],
    png: Callable[[], Any],
    bmp: Callable[[], Any],
) -> Any:
    """Call the function for the format of the bytes.

    `data`: shape (), string. `name`: name of the parameter, for messages. `jpeg`, `png`, `bmp`: of no
    arguments; all return the same structure and dtypes.
    """
    first = tf.strings.substr(data, 0, 3)

    def last() -> Any:
        message = explain(name, "bytes that are neither JPEG, PNG nor BMP", FORMATS, _CONVERT)
        with tf.control_dependencies(refuse_unless(tf.equal(tf.strings.substr(data, 0, 2), b"BM"), message)):
            return bmp()

    return tf.cond(
        tf.equal(first, b"\xff\xd8\xff"),
        jpeg,
        cold_branch(lambda: tf.cond(tf.equal(first, b"\x89PN"), png, last)),
    )


def jpeg_pixels(data: Any, name: str, channels: int, ratio: int = 1) -> Any:
    """Decode a JPEG to (H, W, channels), uint8; one channel is the stored luminance."""
    if channels == 3:
        given = "a JPEG of four colours (CMYK)"
        message = explain(name, given, "grey or RGB", "Convert the file to RGB once.")
        checks = refuse_unless(tf.not_equal(tf.unstack(tf.io.extract_jpeg_shape(data))[2], 4), message)
    else:
        checks = []  # libjpeg has no way from CMYK to grey, and says so
    with tf.control_dependencies(checks):
        return tf.io.decode_jpeg(data, channels=channels, ratio=ratio, dct_method="INTEGER_ACCURATE")


def png_header(data: Any) -> tuple[Any, Any]:
    """Return (bits per sample, colour type) of a PNG, int32; colour type 255 where it is cut short."""
    filled = tf.strings.join([tf.strings.substr(data, 0, 26), tf.constant(b"\xff" * 26)])
    bits, colour = tf.unstack(tf.io.decode_raw(tf.strings.substr(filled, 24, 2), tf.uint8), 2)
    return tf.cast(bits, tf.int32), tf.cast(colour, tf.int32)


def is_grey_png(colour: Any) -> Any:
    """Say whether a colour type is grey, with alpha or without."""
    return tf.equal(tf.bitwise.bitwise_and(colour, 3), _GREY)


def luma(image: Any, red: int, green: int, blue: int, bits: int) -> Any:
    """Mix red, green and blue bytes with integer weights that sum to 2 ** bits, rounding half up.

    `image`: shape (H, W, 3), uint8. `bits`: 16 at most: every product and sum is then a whole number below 2
    ** 24, which float32 holds exactly, so that the mix is a product of matrices. Returns: shape (H, W, 1),
    uint8.
    """
    # Four pixels a row: a product of three columns by one is too thin to be fast.
    weights = np.kron(np.eye(4), [[red], [green], [blue]]).astype(np.float32) * np.float32(2.0**-bits)
    flat = tf.reshape(image, [-1])
    filled = tf.pad(flat, [[0, tf.math.floormod(-tf.size(flat), 12)]])
    mixed = tf.matmul(tf.cast(tf.reshape(filled, [-1, 12]), tf.float32), tf.constant(weights)) + 0.5
    shape = tf.concat([tf.shape(image)[:2], [1]], 0)
    grey = tf.reshape(tf.cast(mixed, tf.uint8), [-1])
    return tf.reshape(grey[: tf.reduce_prod(shape)], shape)


def rare_luma(image: Any, red: int, green: int, blue: int, bits: int) -> Any:
    """Do as `luma`, in fewer operations that take longer: for a branch of a graph that few files take."""
    mixed = tf.reduce_sum(tf.cast(image, tf.int32) * [red, green, blue], axis=-1, keepdims=True)
    return tf.cast(tf.bitwise.right_shift(mixed + (1 << (bits - 1)), bits), tf.uint8)
