"""EXIF orientation: read from the bytes of a JPEG or PNG in the graph, and applied.

Most files have none. Whether the mark of EXIF data occurs at all is one search over the bytes;
only where it does are segments walked, and no loop runs otherwise.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels.xla._one_call import shared
from pipeport.kernels.xla._stored import stored_as

# What must occur somewhere in the file: the identifier of the segment, the type of the chunk.
_IN_JPEG = r"Exif\x00\x00"
_IN_PNG = "eXIf"
_TAG = 0x0112
# What ends a walk, as (what is ignored of five words, the words): EXIF data first; then a JPEG's start of
# scan, its end and its first APP1 segment, a PNG's last chunk.
_ALL = 0xFFFF
_JPEG_WORDS = np.array(
    [
        [[0, _ALL, 0, 0, 0], *[[0, _ALL, _ALL, _ALL, _ALL]] * 3],
        [[0xFFE1, _ALL, 0x4578, 0x6966, 0], *([m, _ALL, _ALL, _ALL, _ALL] for m in (0xFFDA, 0xFFD9, 0xFFE1))],
    ],
    np.int64,
)
_PNG_WORDS = np.array(
    [
        [[_ALL, _ALL, 0, 0, _ALL]] * 4,
        [[_ALL, _ALL, *name, _ALL] for name in ((0x6558, 0x4966), *((0x4945, 0x4E44),) * 3)],
    ],
    np.int64,
)
# Where a walk begins; what the first word counts in a length; bytes before the content, of the length
# before it, from it to what follows; the word that fills up, and the least that is not a garbage.
_JPEG_NUMBERS = np.array([2, 0, 10, 8, 10, 0xFFFF, 0xFF00], np.int64)
_PNG_NUMBERS = np.array([8, 1 << 16, 8, 0, 12, -1, 0], np.int64)
_ENTRY = 12  # bytes


def upright_jpeg(data: Any, image: Any, first_only: bool) -> Any:
    """Return an image decoded from JPEG bytes as its EXIF orientation says it is seen.

    `data`: shape (), string. `image`: shape (H, W, C); its pixels as stored. `first_only`: whether the first
    APP1 segment alone is looked at (OpenCV 4), or the first of them that holds EXIF data (OpenCV 5): some
    programs write another before it. Returns: shape (H, W, C) or (W, H, C).
    """
    return _turned_if(_IN_JPEG, data, image, first_only)


def upright_png(data: Any, image: Any, first_only: bool) -> Any:
    """Return an image decoded from PNG bytes as the orientation in its eXIf chunk says.

    `first_only` changes nothing: it chooses the function of JPEG files, so that the graph has one of them.
    """
    return _turned_if(_IN_PNG, data, image, first_only)


@stored_as("decode_exif-uprighter")
def _uprighter(first_only: bool) -> Callable[[Any, Any], Any]:
    return lambda image, data: turn(image, tiff_orientation(_tiff(data, first_only)))


def _turned_if(mark: str, data: Any, image: Any, first_only: bool) -> Any:
    # Cutting the mark out searches for it as a literal; matching the whole file would step through
    # an automaton byte by byte, for a tenth of the time decoding takes.
    cut = tf.strings.regex_replace(data, mark, "", replace_global=False)
    upright = shared(_uprighter, first_only)
    return tf.cond(tf.not_equal(cut, data), lambda: upright(image, data), lambda: image)


def turn(image: Any, orientation: Any) -> Any:
    """Turn an image from one of the eight orientations of EXIF; any other number changes nothing."""
    # 1 none, 2 mirrored, 3 half a turn, 4 upside down; 5 to 8 the same after transposition, where
    # 6 is mirrored, 7 turned and 8 upside down. Columns here are the axes that come first, then the steps.
    none = [-1] * 4
    changed = [[[5, 6, 7, 8], [5, 6, 7, 8], none], [[3, 4, 7, 8], [2, 3, 6, 7], none]]
    chosen = tf.reduce_any(tf.equal(orientation, changed), 2)
    axes, steps = tf.unstack(tf.where(chosen, [[1, 0, 2], [-1, -1, 1]], [[0, 1, 2], [1, 1, 1]]))
    return tf.strided_slice(tf.transpose(image, axes), [0] * 3, [0] * 3, steps, begin_mask=7, end_mask=7)


def _numbers(data: Any, start: Any, length: Any, dtype: Any, big: Any = True) -> Any:
    """Return bytes as whole numbers, of which the highest byte comes first where `big` holds."""
    part = tf.strings.substr(data, start, length)
    numbers = tf.io.decode_raw(part, dtype, little_endian=False)
    return numbers if big is True else tf.where(big, numbers, tf.io.decode_raw(part, dtype))


def _tiff(data: Any, first_only: bool) -> Any:
    """Return the TIFF structure of a JPEG or PNG, or nothing.

    One loop walks the segments of the one and the chunks of the other, five words at a time: in a JPEG
    marker, length and perhaps the mark of EXIF data; in a PNG length (two words), name (two) and content.
    """
    size = tf.cast(tf.strings.length(data), tf.int64)
    is_png = tf.equal(tf.strings.substr(data, 0, 1), b"\x89")
    numbers = tf.unstack(tf.where(is_png, _PNG_NUMBERS, _JPEG_NUMBERS), 7)
    begin, high, skipped, before, after, filled, least = numbers
    rows = 4 if first_only else 3
    ignored, wanted = tf.unstack(tf.where(is_png, _PNG_WORDS[:, :rows], _JPEG_WORDS[:, :rows]), 2)

    def step(position: Any, start: Any, length: Any) -> Any:
        words = tf.cast(_numbers(data, position, tf.constant(10, tf.int64), tf.uint16), tf.int64)
        met = tf.reduce_all(tf.equal(tf.bitwise.bitwise_or(words, ignored), wanted), 1)
        held, *others = tf.unstack(met, rows)
        first, second = tf.unstack(words, 5)[:2]
        content = first * high + second - before
        held &= content >= 0
        # Garbage is skipped as filling is, byte by byte.
        alone = (first < least) | tf.equal(first, filled)
        ends = functools.reduce(operator.or_, others, held)
        return (
            tf.where(ends, size, position + tf.where(alone, np.int64(1), content + after)),
            tf.where(held, position + skipped, start),
            tf.where(held, content, length),
        )

    zero = tf.constant(0, tf.int64)
    _position, start, length = tf.while_loop(
        lambda position, *_found: position + 10 <= size, step, (begin, zero, zero)
    )
    return tf.strings.substr(data, start, length)


def png_chunk(data: Any, kind: bytes, last: bytes = b"IEND") -> tuple[Any, Any]:
    """Find the first chunk of a type in a PNG, before the first of type `last`.

    Returns: where its content starts, and its length in bytes; (0, 0) where there is none.
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


def tiff_orientation(tiff: Any) -> Any:
    """Return the orientation in a TIFF structure, as OpenCV reads it.

    `tiff`: shape (), string; the structure, from its byte-order mark; bytes of either order. Returns: shape
    (), int32; the first entry of that tag in the first directory, read as a 16-bit number whatever its type;
    1 if there is none, or the structure is damaged.
    """
    size = tf.strings.length(tiff)
    none, two, four, entry = (tf.constant(number) for number in (0, 2, 4, _ENTRY))
    # An entry may be cut behind its value: filling lets whole entries be read.
    filled = tf.strings.join([tiff, tf.constant(b"\0" * _ENTRY)])
    mark = tf.strings.substr(filled, none, four)
    big = tf.equal(mark, b"MM\0*")
    offset = tf.unstack(_numbers(filled, four, four, tf.int32, big), 1)[0]
    # Beyond 2**31 it is read as negative, and lies outside as well.
    valid = (big | tf.equal(mark, b"II*\0")) & (offset >= none) & (offset <= size - two)
    offset = tf.where(valid, offset, none)
    # Entries whose value lies within the structure: ten bytes of the twelve.
    count = tf.unstack(tf.cast(_numbers(filled, offset, two, tf.uint16, big), tf.int32), 1)[0]
    count = tf.where(valid, tf.maximum(tf.minimum(count, (size - offset) // entry), none), none)
    words = tf.cast(_numbers(filled, offset + two, count * entry, tf.uint16, big), tf.int32)
    tags, _type, _high, _low, values, _rest = tf.unstack(tf.reshape(words, [-1, _ENTRY // 2]), axis=1)
    first = tf.raw_ops.GatherNd(params=values, indices=tf.where(tf.equal(tags, _TAG)))
    return tf.concat([first, [1]], none)[0]
