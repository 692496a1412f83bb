"""BMP files without compression: 8 bits with a palette, 24 and 32 bits.

`tf.io.decode_bmp` takes the indices of a palette for grey levels, and files that end with their pixels.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import explain
from pipeport.kernels.xla._one_call import shared
from pipeport.kernels.xla._stored import stored_as


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


def pixels(data: Any, name: str) -> Any:
    """Decode a BMP.

    `data`: shape (), string. `name`: name of the parameter, for messages. Returns: shape (H, W, 3), uint8.
    """
    return shared(_decoder)(data, tf.constant(_message(name)))


def levels(data: Any, name: str) -> tuple[Any, Any]:
    """Say of a BMP whether it has a palette of grey levels alone, and whether each is its own index.

    `data`: shape (), string. `name`: name of the parameter, for messages. Returns: shape (), bool.
    """
    data, _stop, indexed, palette = _checked(data, _message(name))
    blue, green, red, _rest = tf.unstack(tf.cast(_entries(data, *palette), tf.int32), axis=1)
    grey = indexed & tf.reduce_all(tf.equal(blue, green) & tf.equal(green, red))
    return grey, grey & tf.reduce_all(tf.equal(red, tf.range(tf.size(red))))


def _message(name: str) -> str:
    allowed = "BMP files without compression, of 8 bits with a palette, 24 or 32 bits"
    return explain(name, "another kind of BMP, or a file cut short", allowed, "Convert the file once.")


@stored_as("decode_bmp-decoder")
def _decoder() -> Callable[[Any, Any], Any]:
    return _decoded


def _decoded(data: Any, message: Any) -> Any:
    data, stop, indexed, palette = _checked(data, message)
    stored = tf.io.decode_bmp(tf.strings.substr(data, tf.zeros([], tf.int64), stop))

    def looked_up() -> Any:
        colours = tf.gather(_entries(data, *palette), [2, 1, 0], axis=1)
        # An index beyond the palette is black, as in OpenCV and Pillow.
        colours = tf.concat([colours, np.zeros([256, 3], np.uint8)], 0)
        return tf.gather(colours, tf.cast(tf.squeeze(stored, -1), tf.int32))

    return tf.ensure_shape(tf.cond(indexed, looked_up, lambda: stored[..., :3]), [None, None, 3])


def _checked(data: Any, message: Any) -> tuple[Any, Any, Any, tuple[Any, Any]]:
    """Return a file that we decode, its end, whether it has a palette, and that one's start and length."""
    start, second, width, height, bits, compression, colours = header(data)
    none, four = tf.constant(0, tf.int64), tf.constant(4, tf.int64)
    indexed = tf.equal(bits, 8)
    colours = tf.where(tf.equal(colours, none), np.int64(256), colours)
    palette = tf.where(indexed, four * colours, none)
    rows = tf.abs(height)
    stop = start + (width * bits + 31) // 32 * four * rows
    size = tf.cast(tf.strings.length(data), tf.int64)
    found = tf.stack([second, width, rows, colours, -colours, size - palette - second, size - stop])
    kind = tf.equal(tf.stack([bits, compression]), tf.constant([[8, 0], [24, 0], [32, 0]], tf.int64))
    least = tf.constant([40, 1, 1, 1, -256, 14, 0], tf.int64)
    served = tf.reduce_all(found >= least) & tf.reduce_any(tf.reduce_all(kind, 1))
    check = tf.debugging.Assert(served, [message])
    with tf.control_dependencies([] if check is None else [check]):
        data = tf.identity(data)
    return data, stop, indexed, (14 + second, palette)


def _entries(data: Any, start: Any, length: Any) -> Any:
    """Return a palette: blue, green, red and nothing for each entry, uint8."""
    return tf.reshape(tf.io.decode_raw(tf.strings.substr(data, start, length), tf.uint8), [-1, 4])
