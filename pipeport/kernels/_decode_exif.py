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
_WORDS = (0x4578, 0x6966, 0)  # "Exif", and two bytes of zero
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
    return lambda data: shared(_tiff_reader)(_jpeg_tiff(data, first_only))


def _of_png() -> Callable[[Any], Any]:
    return lambda data: shared(_tiff_reader)(_png_tiff(data))


def _tiff_reader() -> Callable[[Any], Any]:
    return tiff_orientation


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
    # 1 none, 2 mirrored, 3 half a turn, 4 upside down; 5 to 8 the same after transposition, where
    # 6 is mirrored, 7 turned and 8 upside down. Columns here are the axes that come first, then the steps.
    changed = [[5, 6, 7, 8], [5, 6, 7, 8], [-1] * 4, [3, 4, 7, 8], [2, 3, 6, 7]]
    chosen = tf.reduce_any(tf.equal(orientation, changed), 1)
    axes, steps = tf.split(tf.where(chosen, [1, 0, 2, -1, -1], [0, 1, 2, 1, 1]), [3, 2])
    return tf.strided_slice(tf.transpose(image, axes), [0, 0], [0, 0], steps, begin_mask=3, end_mask=3)


def _numbers(data: Any, start: Any, length: Any, dtype: Any, big: Any = True) -> Any:
    """Return bytes as whole numbers, of which the highest byte comes first where `big` holds."""
    part = tf.strings.substr(data, start, length)
    numbers = tf.io.decode_raw(part, dtype, little_endian=False)
    return numbers if big is True else tf.where(big, numbers, tf.io.decode_raw(part, dtype))


def _jpeg_tiff(data: Any, first_only: bool) -> Any:
    """Return the TIFF structure in the first APP1 segment (that holds one), or nothing."""
    size = tf.strings.length(data)
    app1 = 0xFFE1
    # The image itself begins at start-of-scan: nothing behind it is looked at.
    last = [0xFFDA, 0xFFD9] + [app1] * first_only

    def step(position: Any, start: Any, length: Any) -> Any:
        words = tf.cast(_numbers(data, position, 10, tf.uint16), tf.int32)
        marker, segment = tf.unstack(words, 5)[:2]
        is_exif = tf.equal(tf.bitwise.bitwise_or(words, [0, 0xFFFF, 0, 0, 0]), [app1, 0xFFFF, *_WORDS])
        found = tf.reduce_all(is_exif) & (segment >= 8)
        ends = found | tf.reduce_any(tf.equal(marker, last))
        # Garbage is skipped as filling is, byte by byte.
        stands_alone = (marker < 0xFF00) | tf.equal(marker, 0xFFFF)
        return (
            tf.where(ends, size, position + tf.where(stands_alone, 1, segment + 2)),
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
    wanted, final = (int.from_bytes(name, "big") for name in (kind, last))

    def step(position: Any, start: Any, length: Any) -> Any:
        content, name = tf.unstack(_numbers(data, position, tf.constant(8, tf.int64), tf.int32), 2)
        content = tf.bitwise.bitwise_and(tf.cast(content, tf.int64), 0xFFFFFFFF)
        found = tf.equal(name, wanted)
        return (
            tf.where(found | tf.equal(name, final), size, position + (content + 12)),
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
    mark = tf.strings.substr(filled, 0, 4)
    big = tf.equal(mark, b"MM\0*")
    offset = tf.unstack(_numbers(filled, 4, 4, tf.int32, big), 1)[0]
    # Beyond 2**31 it is read as negative, and lies outside as well.
    valid = (big | tf.equal(mark, b"II*\0")) & (offset >= 0) & (offset <= size - 2)
    offset = tf.where(valid, offset, 0)
    # Entries whose value lies within the structure: ten bytes of the twelve.
    count = tf.unstack(tf.cast(_numbers(filled, offset, 2, tf.uint16, big), tf.int32), 1)[0]
    count = tf.where(valid, tf.maximum(tf.minimum(count, (size - offset) // _ENTRY), 0), 0)
    words = tf.cast(_numbers(filled, offset + 2, count * _ENTRY, tf.uint16, big), tf.int32)
    tags, _type, _high, _low, values, _rest = tf.unstack(tf.reshape(words, [-1, _ENTRY // 2]), axis=1)
    first = tf.raw_ops.GatherNd(params=values, indices=tf.where(tf.equal(tags, _TAG)))
    return tf.concat([first, [1]], 0)[0]
