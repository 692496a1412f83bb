"""BMP files without compression: 8 bits with a palette, 24 and 32 bits.

`tf.io.decode_bmp` takes the indices of a palette for grey levels, and files that end with their pixels.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.errors import explain
from pipeport.kernels._rarely import shared


def header(data: Any) -> list[Any]:
    """Return the seven numbers of a BMP's header that matter, as scalar int64.

    Start of the pixels, size of the second header, width, height (negative: rows from the top),
    bits per pixel, compression, colours of the palette; 0 where the file is too short.
    """
    # 54 bytes; a shorter file is filled up, and refused for what its header then says.
    whole = tf.strings.join([tf.strings.substr(data, 0, 54), tf.constant(b"\0" * 54)])
    raw = tf.io.decode_raw(tf.strings.substr(whole, 10, 40), tf.int32)
    four = tf.unstack(tf.cast(raw, tf.int64), 10)
    return [*four[:4], tf.bitwise.right_shift(four[4], 16), four[5], four[9]]


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
    start, second, width, height, bits, compression, colours = header(data)
    colours = tf.where(tf.equal(colours, 0), tf.constant(256, tf.int64), colours)
    indexed = tf.equal(bits, 8)
    palette = tf.where(indexed, 4 * colours, tf.constant(0, tf.int64))
    rows = tf.abs(height)
    stop = start + (width * bits + 31) // 32 * 4 * rows
    size = tf.cast(tf.strings.length(data), tf.int64)
    found = tf.stack([second, width, rows, colours, -colours, size - palette - second, size - stop])
    kind = tf.equal(tf.stack([bits, compression]), tf.constant([[8, 0], [24, 0], [32, 0]], tf.int64))
    least = tf.constant([40, 1, 1, 1, -256, 14, 0], tf.int64)
    served = tf.reduce_all(found >= least) & tf.reduce_any(tf.reduce_all(kind, 1))
    allowed = "BMP files without compression, of 8 bits with a palette, 24 or 32 bits"
    message = explain(name, "another kind of BMP, or a file cut short", allowed, "Convert the file once.")
    check = tf.debugging.Assert(served, [message])
    with tf.control_dependencies([] if check is None else [check]):
        data = tf.identity(data)
    stored = tf.io.decode_bmp(tf.strings.substr(data, tf.constant(0, tf.int64), stop))

    def looked_up() -> tuple[Any, Any, Any]:
        four = tf.io.decode_raw(tf.strings.substr(data, 14 + second, palette), tf.uint8)
        blue, green, red, _rest = tf.unstack(tf.reshape(four, [-1, 4]), axis=1)
        # An index beyond the palette is black, as in OpenCV and Pillow.
        full = tf.concat([tf.stack([red, green, blue], 1), tf.zeros([256, 3], tf.uint8)], 0)
        grey = tf.reduce_all(tf.equal(blue, green) & tf.equal(green, red))
        ramp = grey & tf.reduce_all(tf.equal(tf.cast(red, tf.int32), tf.range(tf.size(red))))
        return tf.gather(full, tf.cast(tf.squeeze(stored, -1), tf.int32)), grey, ramp

    no = tf.constant(False)
    image, grey, ramp = tf.cond(indexed, looked_up, lambda: (stored[..., :3], no, no))
    return tf.ensure_shape(image, [None, None, 3]), grey, ramp
