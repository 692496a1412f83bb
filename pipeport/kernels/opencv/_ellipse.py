"""The polygons that OpenCV draws for circles and ellipses."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels.opencv._polygon_runs import ONE, whole

# OpenCV's table of sines of whole degrees has seven digits.
_SINES = np.round(np.sin(np.deg2rad(np.arange(451))), 7).astype(np.float32).astype(np.float64)
# How many degrees a side turns, by the longer axis.
_STEPS = ((3, 90), (10, 30), (15, 18))
_LEAST_STEP = 5
# Corners of a whole turn in the least steps.
_MOST = 360 // _LEAST_STEP + 1


def corners_of(center: Any, axes: Any, angle: Any, start: Any, end: Any) -> Any:
    """Return the corners of arcs, fine: (b, n, 2); the last one may be there several times.

    `center`, `axes`: shape (b, 2), int64 and fine. `angle`, `start`, `end`: whole degrees (b,), int64; of the
    axes, and of the arc.
    """
    longer = whole(tf.reduce_max(axes, axis=1))
    step = tf.fill(tf.shape(longer), tf.constant(_LEAST_STEP, tf.int64))
    for below, degrees in reversed(_STEPS):
        step = tf.where(longer < below, tf.constant(degrees, tf.int64), step)
    start, end = _arc(start, end)
    way = tf.range(_MOST, dtype=tf.int64) * step[:, tf.newaxis]
    at = tf.math.floormod(tf.minimum(start[:, tf.newaxis] + way, end[:, tf.newaxis]), 360)
    turned = tf.math.floormod(angle, 360)[:, tf.newaxis]
    cosine, sine = _of_table(turned)
    wide, tall = (tf.cast(one, tf.float64)[:, tf.newaxis] for one in tf.unstack(axes, axis=1))
    along, across = (one * part for one, part in zip((wide, tall), _of_table(at), strict=True))
    x, y = (tf.cast(one, tf.float64)[:, tf.newaxis] for one in tf.unstack(center, axis=1))
    found = x + along * cosine - across * sine, y + along * sine + across * cosine
    return tf.cast(tf.stack([_rounded(one) for one in found], 2), tf.int64)


def _rounded(fine: Any) -> Any:
    """Return a fine coordinate rounded as the fraction of a pixel beside the nearest one."""
    pixel = tf.round(fine / ONE) * ONE
    return pixel + tf.round(fine - pixel)


def _of_table(degrees: Any) -> tuple[Any, Any]:
    table = tf.constant(_SINES)
    return tf.gather(table, 450 - degrees), tf.gather(table, degrees)


def _arc(start: Any, end: Any) -> tuple[Any, Any]:
    """Return an arc in the order of its ends, within a turn."""
    first, last = tf.minimum(start, end), tf.maximum(start, end)
    # To a start from 0 on, then to an end up to 360.
    up = tf.maximum(-tf.math.floordiv(first, 360), 0)
    first, last = first + 360 * up, last + 360 * up
    down = tf.maximum(tf.math.floordiv(last - 1, 360), 0)
    first, last = first - 360 * down, last - 360 * down
    several = last - first > 360
    return tf.where(several, tf.zeros_like(first), first), tf.where(several, tf.zeros_like(last) + 360, last)


def sides_of(corners: Any) -> Any:
    """Return the ends of the sides between corners (b, n, 2), from the first to the last: (b, n - 1, 4)."""
    return tf.concat([corners[:, :-1], corners[:, 1:]], 2)
