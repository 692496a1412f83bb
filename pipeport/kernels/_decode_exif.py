"""EXIF orientation: read from the bytes of a JPEG or PNG in the graph, and applied.

Most files have none. Whether the mark of EXIF data occurs at all is one search over the bytes;
only where it does are segments walked, and no loop runs otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels._rarely import shared

# What must occur somewhere in the file: the identifier of the segment, the type of the chunk.
_IN_JPEG = r"Exif\x00\x00"
_IN_PNG = "eXIf"
_TAG = 0x0112
_ENTRY = 12  # bytes


def upright_jpeg(data: Any, image: Any, first_only: bool) -> Any:
    """Return an image decoded from JPEG bytes as its EXIF orientation says it is seen.

    Parameters
    ----------
    data : tf.Tensor, shape (), string
        The file.
    image : tf.Tensor, shape (H, W, C)
        Its pixels as stored.
    first_only : bool
        Whether the first APP1 segment alone is looked at (OpenCV 4), or the first of them that
        holds EXIF data (OpenCV 5): some programs write another before it.

    Returns
    -------
    tf.Tensor, shape (H, W, C) or (W, H, C)
        The image, turned.
    """
    return _turned_if(_IN_JPEG, data, image, _of_jpeg, first_only)


def upright_png(data: Any, image: Any) -> Any:
    """Return an image decoded from PNG bytes as the orientation in its eXIf chunk says."""
    return _turned_if(_IN_PNG, data, image, _of_png)


def _of_jpeg(first_only: bool) -> Callable[[Any], Any]:
    return lambda data: tiff_orientation(_jpeg_tiff(data, first_only))


def _of_png() -> Callable[[Any], Any]:
    return lambda data: tiff_orientation(_png_tiff(data))


def _turner() -> Callable[[Any, Any], Any]:
    return turn


def _turned_if(mark: str, data: Any, image: Any, orientation: Any, *static: bool) -> Any:
    # Cutting the mark out searches for it as a literal; matching the whole file would step through
    # an automaton byte by byte, for a tenth of the time decoding takes.
    cut = tf.strings.regex_replace(data, mark, "", replace_global=False)
    found = tf.not_equal(tf.strings.length(cut), tf.strings.length(data))

    def turned() -> Any:
        return shared(_turner)(image, shared(orientation, *static)(data))

    return tf.ensure_shape(tf.cond(found, turned, lambda: image), [None, None, image.shape[-1]])


def turn(image: Any, orientation: Any) -> Any:
    """Turn an image from one of the eight orientations of EXIF; any other number changes nothing."""
    transposed = (orientation >= 5) & (orientation <= 8)
    image = tf.cond(transposed, lambda: tf.transpose(image, [1, 0, 2]), lambda: image)
    # 1 none, 2 mirrored, 3 half a turn, 4 upside down; 5 to 8 the same after transposition, where
    # 6 is mirrored, 7 turned and 8 upside down.
    columns = tf.reduce_any(tf.equal(orientation, [2, 3, 6, 7]))
    rows = tf.reduce_any(tf.equal(orientation, [3, 4, 7, 8]))
    steps = tf.where(tf.stack([rows, columns]), -1, 1)
    return tf.strided_slice(image, [0, 0], [0, 0], steps, begin_mask=3, end_mask=3)


def _bytes(data: Any, start: Any, count: int) -> Any:
    return tf.cast(tf.io.decode_raw(tf.strings.substr(data, start, count), tf.uint8), tf.int32)


def _jpeg_tiff(data: Any, first_only: bool) -> Any:
    """Return the TIFF structure in the first APP1 segment (that holds one), or nothing."""
    size = tf.strings.length(data)
    identifier = tf.constant(list(b"Exif\0\0"), tf.int32)

    def step(position: Any, start: Any, length: Any) -> Any:
        b = _bytes(data, position, 10)
        marker = tf.where(tf.equal(b[0], 0xFF), b[1], 0xFF)  # garbage is skipped as filling is
        stands_alone = tf.reduce_any(tf.equal(marker, 0xFF))
        segment = b[2] * 256 + b[3]
        is_app1 = tf.equal(marker, 0xE1)
        found = is_app1 & (segment >= 8) & tf.reduce_all(tf.equal(b[4:10], identifier))
        # The image itself begins at start-of-scan: nothing behind it is looked at.
        ends = tf.equal(marker, 0xDA) | tf.equal(marker, 0xD9) | (is_app1 & first_only)
        ahead = tf.where(stands_alone, 1, 2 + segment)
        return (
            tf.where(found | ends, size, position + ahead),
            tf.where(found, position + 10, start),
            tf.where(found, segment - 8, length),
        )

    state = (tf.constant(2), tf.constant(0), tf.constant(0))
    _position, start, length = tf.while_loop(lambda position, *_found: position + 10 <= size, step, state)
    return tf.strings.substr(data, start, length)


def png_chunk(data: Any, kind: bytes, last: bytes = b"IEND") -> tuple[Any, Any]:
    """Find the first chunk of a type in a PNG, before the first of type `last`.

    Returns
    -------
    (tf.Tensor, tf.Tensor)
        Where its content starts, and its length in bytes; (0, 0) where there is none.
    """
    size = tf.cast(tf.strings.length(data), tf.int64)
    wanted, final = (tf.constant(list(name), tf.int32) for name in (kind, last))
    weights = tf.constant([1 << 24, 1 << 16, 1 << 8, 1], tf.int64)

    def step(position: Any, start: Any, length: Any) -> Any:
        b = _bytes(data, tf.cast(position, tf.int32), 8)
        content = tf.reduce_sum(tf.cast(b[:4], tf.int64) * weights)
        found = tf.reduce_all(tf.equal(b[4:], wanted))
        stop = found | tf.reduce_all(tf.equal(b[4:], final))
        return (
            tf.where(stop, size, position + 12 + content),
            tf.where(found, position + 8, start),
            tf.where(found, content, length),
        )

    zero = tf.constant(0, tf.int64)
    state = (tf.constant(8, tf.int64), zero, zero)
    _position, start, length = tf.while_loop(lambda position, *_found: position + 8 <= size, step, state)
    return tf.cast(start, tf.int32), tf.cast(tf.minimum(length, size), tf.int32)


def _png_tiff(data: Any) -> Any:
    start, length = png_chunk(data, b"eXIf")
    return tf.strings.substr(data, start, length)


def tiff_orientation(tiff: Any) -> Any:
    """Return the orientation in a TIFF structure, as OpenCV reads it.

    Parameters
    ----------
    tiff : tf.Tensor, shape (), string
        The structure, from its byte-order mark; bytes of either order.

    Returns
    -------
    tf.Tensor, shape (), int32
        The first entry of that tag in the first directory, read as a 16-bit number whatever
        its type; 1 if there is none, or the structure is damaged.
    """
    size = tf.strings.length(tiff)
    # An entry may be cut behind its value: filling lets whole entries be read.
    filled = tf.strings.join([tiff, tf.constant(b"\0" * _ENTRY)])
    head = _bytes(filled, 0, 8)
    big = tf.equal(head[0], 0x4D)
    mark = tf.where(big, [0x4D, 0x4D, 0, 0x2A], [0x49, 0x49, 0x2A, 0])
    valid = tf.reduce_all(tf.equal(head[:4], mark))

    def number(two: Any) -> Any:
        return tf.where(big, two[..., 0] * 256 + two[..., 1], two[..., 1] * 256 + two[..., 0])

    four = tf.cast(tf.where(big, head[4:8], tf.reverse(head[4:8], [0])), tf.int64)
    offset = tf.reduce_sum(four * tf.constant([1 << 24, 1 << 16, 1 << 8, 1], tf.int64))
    valid &= offset + 2 <= tf.cast(size, tf.int64)
    offset = tf.where(valid, tf.cast(tf.minimum(offset, tf.cast(size, tf.int64)), tf.int32), 0)
    count = tf.where(valid, number(_bytes(filled, offset, 2)), 0)
    # Entries whose value lies within the structure: ten bytes of the twelve.
    count = tf.maximum(tf.minimum(count, (size - offset) // _ENTRY), 0)
    entries = tf.reshape(
        tf.cast(tf.io.decode_raw(tf.strings.substr(filled, offset + 2, count * _ENTRY), tf.uint8), tf.int32),
        [-1, _ENTRY],
    )
    values = tf.boolean_mask(number(entries[:, 8:10]), tf.equal(number(entries[:, :2]), _TAG))
    return tf.concat([values, [1]], 0)[0]
