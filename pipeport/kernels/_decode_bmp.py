"""BMP files without compression: 8 bits with a palette, 24 and 32 bits.

`tf.io.decode_bmp` takes the indices of a palette for grey levels.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.errors import explain
from pipeport.kernels._rarely import shared


def header(data: Any) -> Any:
    """Return the numbers of a BMP's header that matter, as (10,) int64.

    Start of the pixels, size of the second header, width, height (negative: rows from the top),
    bits per pixel, compression, colours of the palette; 0 where the file is too short.
    """
    # 54 bytes; a shorter file is filled up, and refused for what its header then says.
    whole = tf.strings.join([tf.strings.substr(data, 0, 54), tf.constant(b"\0" * 54)])
    raw = tf.io.decode_raw(tf.strings.substr(whole, 10, 40), tf.uint8)
    four = tf.cast(tf.bitcast(tf.reshape(raw, [10, 4]), tf.int32), tf.int64)
    bits = tf.bitwise.right_shift(four[4], 16)
    return tf.stack([four[0], four[1], four[2], four[3], bits, four[5], four[9]])


def pixels(data: Any, name: str) -> tuple[Any, Any, Any]:
    """Decode a BMP.

    Parameters
    ----------
    data : tf.Tensor, shape (), string
        The file.
    name : str
        Name of the parameter, for messages.

    Returns
    -------
    image : tf.Tensor, shape (H, W, 3), uint8
        Red, green, blue.
    grey : tf.Tensor, shape (), bool
        Whether the file has a palette, of grey levels alone.
    ramp : tf.Tensor, shape (), bool
        Whether each level of that palette is its own index.

    Raises
    ------
    tf.errors.InvalidArgumentError
        Another number of bits, compression, or a file that is too short.
    """
    found: tuple[Any, Any, Any] = shared(_decoder, name)(data)
    return found


def _decoder(name: str) -> Callable[[Any], Any]:
    return lambda data: _decoded(data, name)


def _decoded(data: Any, name: str) -> tuple[Any, Any, Any]:
    start, second, width, height, bits, compression, colours = tf.unstack(header(data))
    colours = tf.where(tf.equal(colours, 0), tf.constant(256, tf.int64), colours)
    rows = tf.abs(height)
    stride = (width * bits + 31) // 32 * 4
    table = tf.where(tf.equal(bits, 8), colours, tf.zeros_like(colours))
    size = tf.cast(tf.strings.length(data), tf.int64)
    served = (
        (second >= 40)
        & tf.reduce_any(tf.equal(bits, tf.constant([8, 24, 32], tf.int64)))
        & tf.equal(compression, 0)
        & (width > 0)
        & (rows > 0)
        & (colours > 0)
        & (colours <= 256)
        & (14 + second + 4 * table <= size)
        & (start + stride * rows <= size)
    )
    allowed = "BMP files without compression, of 8 bits with a palette, 24 or 32 bits"
    message = explain(name, "another kind of BMP, or a file cut short", allowed, "Convert the file once.")
    check = tf.debugging.Assert(served, [message])
    with tf.control_dependencies([] if check is None else [check]):
        raw = tf.io.decode_raw(data, tf.uint8)
    lines = tf.reshape(raw[start : start + stride * rows], [rows, stride])
    lines = tf.cond(height > 0, lambda: tf.reverse(lines, [0]), lambda: lines)
    count = bits // 8
    stored = tf.reshape(lines[:, : width * count], [rows, width, count])
    palette = tf.reshape(raw[14 + second : 14 + second + 4 * table], [-1, 4])[:, 2::-1]

    def looked_up() -> tuple[Any, Any, Any]:
        # An index beyond the palette is black, as in OpenCV and Pillow.
        full = tf.pad(palette, [[0, 256 - tf.shape(palette)[0]], [0, 0]])
        grey = tf.reduce_all(tf.equal(palette, palette[:, :1]))
        indices = tf.range(tf.shape(palette)[0])[:, tf.newaxis]
        ramp = tf.reduce_all(tf.equal(tf.cast(palette, tf.int32), indices))
        return tf.gather(full, tf.cast(stored[..., 0], tf.int32)), grey, ramp

    no = tf.constant(False)
    image, grey, ramp = tf.cond(tf.equal(bits, 8), looked_up, lambda: (stored[..., 2::-1], no, no))
    return tf.ensure_shape(image, [None, None, 3]), grey, ramp
