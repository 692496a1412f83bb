"""Linear interpolation of bytes, the channels of a pixel read as one 32-bit word.

A gather under XLA is a scalar loop over its result, so a word in place of three bytes takes a third
of the steps; what is done with the words is then vectorised.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from pipeport._lazy import tf

_BYTES = 4
NO_FRACTIONS = 1.5 * 2.0**23  # neighbouring float32 are whole numbers there


def fits(pixels: Any) -> bool:
    """Say whether pixels (N, C) can be read as words."""
    return bool(pixels.dtype == tf.uint8 and pixels.shape[-1] in (3, _BYTES))


class Outside(NamedTuple):
    """The values outside of an image.

    `fill`: a value per channel. `inside`: says of each of the four pixels around each sample whether it
    belongs to the image.
    """

    fill: tuple[float, ...]
    inside: Callable[[], list[Any]]


def table(pixels: Any) -> Any:
    """Return pixels (B, N, 3) or (B, N, 4) as words, int32, (B, N)."""
    return tf.bitcast(tf.pad(pixels, [[0, 0], [0, 0], [0, _BYTES - pixels.shape[-1]]]), tf.int32)


def linear(
    words: Any,
    channels: int,
    corners: Callable[[], list[Any]],
    right: Any,
    down: Any,
    apart: Callable[..., Any],
    outside: Outside | None,
) -> Any:
    """Interpolate bytes in float32, rounding halves to even.

    `words`: int32, rank 1. `channels`: {3, 4}; how many bytes of a word count. `corners`: gives int32 indices
    of the four pixels around each sample; called where they are used, because what is computed outside is
    stored first. `right`, `down`: float32; parts of a pixel. `apart`: takes a function without parameters and
    has its results materialised: a loop that is fused with a gather is not vectorised, nor one that ends in
    single bytes. `outside`: None where all pixels are inside. Of others the index may be any number: XLA
    reads some word of the table for one that is beyond it. Returns: uint8; one more axis than the corners.
    """
    read = apart(lambda: [tf.gather(words, corner) for corner in corners()])

    def mix() -> Any:
        packed: Any = 0
        four = read
        if outside is not None:
            fill = _word(outside.fill)
            four = [tf.where(within, one, fill) for within, one in zip(outside.inside(), read, strict=True)]
        for channel in range(channels):
            a, b, c, d = (_byte(one, channel) for one in four)
            top, bottom = a + right * (b - a), c + right * (d - c)
            packed += tf.bitwise.left_shift(_rounded(top + down * (bottom - top)), 8 * channel)
        return packed

    return tf.bitcast(apart(mix), tf.uint8)[..., :channels]


def _byte(word: Any, place: int) -> Any:
    return tf.cast(tf.bitwise.bitwise_and(tf.bitwise.right_shift(word, 8 * place), 255), tf.float32)


def _rounded(values: Any) -> Any:
    """Round numbers from 0 to 255, halves to even.

    The sum has no bits for fractions, and its last eight are the number. A cast would be followed by
    three comparisons with what no integer can hold.
    """
    return tf.bitwise.bitwise_and(tf.bitcast(values + NO_FRACTIONS, tf.int32), 255)


def _word(fill: tuple[float, ...]) -> int:
    """Return the word of a pixel."""
    packed = b"".join(int(value).to_bytes(1, "little") for value in fill).ljust(_BYTES, b"\0")
    return int.from_bytes(packed, "little", signed=True)
