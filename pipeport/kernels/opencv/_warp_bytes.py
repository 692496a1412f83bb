"""Bytes warped linearly under XLA: rows follow each other in the table, without a margin.

So one compilation serves all images of about as many pixels, whatever their sides.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels.opencv import _warp_packed
from pipeport.kernels.opencv._warp_maps import Form, Map, stored_coordinates
from pipeport.kernels.opencv._warp_sample import BORDERS
from pipeport.kernels.sampling._coordinates import split as whole_and_part
from pipeport.kernels.xla._materialize import materialize, opaque_true

# Coordinates are kept to this, so that twice as much, and a half beside it, are exact in float32.
_FAR = 2.0**21
# A whole number added to it stands in the last bits of the sum; a cast would ask first whether it is one.
_NO_FRACTIONS_BITS = int(np.float32(_warp_packed.NO_FRACTIONS).view(np.int32))


class Rule(NamedTuple):
    """The static part: where coordinates come from, the border rule, and the value outside per channel."""

    map: Map
    border: str
    fill: tuple[float, ...]


def warped(rule: Rule, pixels: Any, parameters: tuple[Any, ...], size: tuple[Any, Any], out: Any) -> Any:
    """Warp images whose coordinates are float32.

    `pixels`: uint8, shape (B, N, 3) or (B, N, 4); pixels of each image row by row; beyond those may stand
    others. `size`: of the images: integers, or scalar int32 tensors. `out`: height and width of the result.
    Returns: uint8, shape (B, *out, C).
    """
    sure = opaque_true(pixels)
    columns, rows = stored_coordinates(rule.map, parameters, out, Form(True, False), sure)
    inside = None
    if rule.border == "constant":
        # Four indices took twice as long as one of them, and as asking which of the pixels are inside.
        first, right, down = materialize(sure, lambda: _first(columns, rows, size))
        steps = (0, 1, size[1], size[1] + 1)
        corners = functools.partial(_beside, first, steps)
        inside = functools.partial(_inside, columns, rows, size)
    else:
        lines, right, down = materialize(sure, lambda: _folded(rule.border, columns, rows, size))
        corners = functools.partial(_crossings, *lines)
    # Parts of a pixel are never negative, but XLA cannot know.
    holds = tf.reduce_all(tf.reshape(right, [-1])[:1] >= 0)
    table = _warp_packed.table(pixels)
    offsets = _offsets(table)
    return _warp_packed.linear(
        tf.reshape(table, [-1]),
        pixels.shape[-1],
        lambda: [index + offsets for index in corners()],
        right,
        down,
        functools.partial(materialize, holds),
        _warp_packed.Outside(rule.fill, inside) if inside else None,
    )


def _offsets(table: Any) -> Any:
    """Return where each image begins in the table."""
    if table.shape[0] == 1:
        return 0
    count, each = tf.shape(table)[0], tf.shape(table)[1]
    return tf.reshape(tf.range(count) * each, [-1, 1, 1])


def _folded(border: str, columns: Any, rows: Any, size: tuple[Any, Any]) -> tuple[Any, Any, Any]:
    """Return the two rows and the two columns around each sample, by the border rule, and the parts.

    Rows are given as indices of their first pixels.
    """
    lines, parts = [], []
    for coordinate, side in ((rows, size[0]), (columns, size[1])):
        # The comparison is false for NaN, which so becomes the lowest coordinate.
        kept = tf.where(coordinate > -_FAR, tf.minimum(coordinate, _FAR), -_FAR)
        first, part = whole_and_part(kept)
        lines.append([_within(border, one, side) for one in (first, first + 1)])
        parts.append(part)
    above, beside = lines
    return ([row * size[1] for row in above], beside), parts[1], parts[0]


def _within(border: str, index: Any, side: Any) -> Any:
    """Apply a border rule to float32 that are whole numbers; returns int32."""
    if border not in ("reflect", "reflect_101"):
        return BORDERS[border](tf.cast(index, tf.int32), side)
    # Reflection is the distance from the nearest whole period: no integer is divided for it.
    length = tf.cast(side, tf.float32)
    ahead, period = (0.5, 2 * length) if border == "reflect" else (0.0, tf.maximum(2 * length - 2, 1.0))
    moved = index + ahead
    return tf.cast(tf.abs(moved - period * tf.round(moved * (1 / period))) - ahead, tf.int32)


def _crossings(rows: list[Any], columns: list[Any]) -> list[Any]:
    return [row + column for row in rows for column in columns]


def _first(columns: Any, rows: Any, size: tuple[Any, Any]) -> tuple[Any, Any, Any]:
    """Return the first of the four pixels around each sample, anywhere if none is inside, and the parts."""
    wholes, parts = [], []
    for coordinate, side in ((columns, size[1]), (rows, size[0])):
        # The comparison is false for NaN, which so becomes the lowest coordinate.
        kept = tf.where(coordinate > -2, tf.minimum(coordinate, tf.cast(side, tf.float32)), -2.0)
        whole, part = whole_and_part(kept)
        wholes.append(tf.bitcast(whole + _warp_packed.NO_FRACTIONS, tf.int32) - _NO_FRACTIONS_BITS)
        parts.append(part)
    column, row = wholes
    return row * size[1] + column, *parts


def _beside(first: Any, steps: tuple[Any, ...]) -> list[Any]:
    return [first + step for step in steps]


def _inside(columns: Any, rows: Any, size: tuple[Any, Any]) -> list[Any]:
    """Say of each of the four pixels around each sample whether it belongs to the image."""
    height, width = (tf.cast(side, tf.float32) for side in size)
    above, below = ((rows >= -step) & (rows < height - step) for step in (0.0, 1.0))
    left, right = ((columns >= -step) & (columns < width - step) for step in (0.0, 1.0))
    return [above & left, above & right, below & left, below & right]
