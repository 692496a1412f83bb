"""Bytes warped linearly under XLA: rows follow each other in the table, without a margin.

So one compilation serves all images of about as many pixels, whatever their sides.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from pipeport._lazy import tf
from pipeport.kernels import _cv2_warp_words as words
from pipeport.kernels._apart import always, apart
from pipeport.kernels._cv2_warp_maps import Form, Map, stored_coordinates
from pipeport.kernels._cv2_warp_sample import Place, corners, from_coordinates, reads


class Rule(NamedTuple):
    """The static part: where coordinates come from, the border rule, and the value outside per channel."""

    map: Map
    border: str
    fill: tuple[float, ...]


def warped(rule: Rule, pixels: Any, parameters: tuple[Any, ...], size: tuple[Any, Any], out: Any) -> Any:
    """Warp images whose coordinates are float32.

    Parameters
    ----------
    rule : Rule
        Map and border.
    pixels : tf.Tensor, uint8, shape (B, N, 3) or (B, N, 4)
        Pixels of each image row by row; beyond those may stand others.
    parameters : tuple of tf.Tensor
        What the map takes.
    size : (height, width)
        Of the images: integers, or scalar int32 tensors.
    out : (int, int)
        Height and width of the result.

    Returns
    -------
    tf.Tensor, uint8, shape (B, *out, C)
        The warped images.
    """
    sure = always(pixels)
    columns, rows = stored_coordinates(rule.map, parameters, out, Form(True, False), sure)

    def split() -> Place:
        return from_coordinates(columns, rows, "linear", rule.border, size)

    if rule.border == "constant":
        found = apart(sure, split)
        corner, inside = _beside(found, pixels, size), _inside(found, size)
    else:
        found = apart(sure, lambda: reads(split(), "linear", rule.border, True, size, size[1]))
        corner, inside = (lambda: corners(found, size[1])), None
    holds = tf.reduce_all(tf.reshape(found.right, [-1])[:1] >= 0)

    def isolated(compute: Callable[[], Any]) -> Any:
        # Parts of a pixel are never negative, but XLA cannot know.
        return tf.cond(holds, compute, lambda: tf.nest.map_structure(tf.zeros_like, compute()))

    table = tf.reshape(pixels, [-1, pixels.shape[-1]])
    offsets = _offsets(pixels)
    return words.linear(
        table,
        lambda: [index + offsets for index in corner()],
        found.right,
        found.down,
        isolated,
        inside,
        rule.fill,
    )


def _offsets(pixels: Any) -> Any:
    """Return where each image begins in the table."""
    if pixels.shape[0] == 1:
        return 0
    count, each = tf.shape(pixels)[0], tf.shape(pixels)[1]
    return tf.reshape(tf.range(count) * each, [-1, 1, 1])


def _beside(found: Place, pixels: Any, size: tuple[Any, Any]) -> Callable[[], list[Any]]:
    """Return a function that gives the four pixels of each sample, somewhere in the image if outside."""
    last, width = tf.shape(pixels)[1] - 1, size[1]

    def indices() -> list[Any]:
        first = found.row * width + found.column
        return [tf.clip_by_value(first + step, 0, last) for step in (0, 1, width, width + 1)]

    return indices


def _inside(found: Place, size: tuple[Any, Any]) -> list[Any]:
    """Return which of the four pixels of each sample lie within the image."""
    height, width = size
    above, below = ((found.row >= -step) & (found.row < height - step) for step in (0, 1))
    left, right = ((found.column >= -step) & (found.column < width - step) for step in (0, 1))
    return [above & left, above & right, below & left, below & right]
