"""Values between the nodes of one axis: lines, steps, B-splines and cubic pieces.

Values at nodes are rows, (N, R); values at points are rows, (P, R). What follows from known nodes alone is
computed with NumPy while tracing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.kernels.xla._rounding import plus_product

Array = np.ndarray[Any, Any]


def counted_before(nodes: Any, points: Any, *, equal: bool) -> Any:
    """Return how many nodes lie before each point, or also at it: all of them before NaN; int32."""
    known = [tf.get_static_value(one) for one in (nodes, points)]
    if known[0] is not None and known[1] is not None:
        ends, at = (one.astype(np.float64) for one in known)
        found = np.searchsorted(ends, at, "right" if equal else "left")
        return tf.constant(found, tf.int32)
    # An operation of its own: XLA would compare each point with each node.
    search = tf.raw_ops.UpperBound if equal else tf.raw_ops.LowerBound
    wide = tf.cast(points, tf.float64)
    found = search(
        sorted_inputs=tf.cast(nodes, tf.float64)[tf.newaxis], values=wide[tf.newaxis], out_type=tf.int32
    )
    return tf.where(tf.math.is_nan(wide), tf.size(nodes), tf.reshape(found, tf.shape(points)))


def _wider(one: Any, other: Any) -> Any:
    return tf.float64 if tf.float64 in (one, other) else tf.float32


def lines() -> Callable[[Any, Any, Any, Any], Any]:
    """Return what interpolates linearly, of how many nodes lie before a point; lines go on."""

    def run(points: Any, count: Any, nodes: Any, rows: Any) -> Any:
        place = tf.clip_by_value(count, 1, tf.size(nodes) - 1)
        before, after = (tf.gather(nodes, place - one) for one in (1, 0))
        low, high = (tf.gather(rows, place - one) for one in (1, 0))
        of_slope = _wider(nodes.dtype, rows.dtype)
        slope = tf.cast(high - low, of_slope) / tf.cast(after - before, of_slope)[:, tf.newaxis]
        of_step = _wider(points.dtype, nodes.dtype)
        step = tf.cast(points, of_step) - tf.cast(before, of_step)
        dtype = _wider(of_slope, of_step)
        return tf.cast(slope, dtype) * tf.cast(step, dtype)[:, tf.newaxis] + tf.cast(low, dtype)

    return run


def knots_of(nodes: Array, degree: int) -> Array:
    """Return the knots of an interpolating B-spline without conditions at its ends."""
    first, last = nodes[:1], nodes[-1:]
    if degree == 0:
        return np.concatenate([nodes, last])
    if degree == 1:
        return np.concatenate([first, nodes, last])
    inner = nodes if degree % 2 else (nodes[1:] + nodes[:-1]) / 2
    cut = (degree + 1) // 2
    ends = degree + 1
    return np.concatenate([np.repeat(first, ends), inner[cut:-cut], np.repeat(last, ends)])


def solved(nodes: Array, knots: Array, degree: int) -> Array:
    """Return the matrix that makes coefficients of the values at the nodes."""
    count = len(nodes)
    if degree < 2:
        return np.eye(count)
    cells = np.clip(np.searchsorted(knots, nodes, "right") - 1, degree, count - 1)
    weights = _weights(np.ones(count), nodes, knots, cells, degree, np.take)
    matrix = np.zeros((count, count))
    for back, weight in enumerate(weights):
        matrix[np.arange(count), cells - degree + back] = weight
    return np.linalg.solve(matrix, np.eye(count))


def _weights(
    ones: Any, points: Any, knots: Any, cells: Any, degree: int, take: Callable[[Any, Any], Any]
) -> list[Any]:
    """Return the B-splines of a degree that are not zero at each point, by de Boor from `ones`."""
    found = [ones]
    for order in range(1, degree + 1):
        found, before = [0 * ones], found
        for number in range(1, order + 1):
            end, start = take(knots, cells + number), take(knots, cells + number - order)
            part = before[number - 1] / (end - start)
            found[-1] = found[-1] + part * (end - points)
            found.append(part * (points - start))
    return found


def spline(degree: int) -> Callable[[Any, Any, Any, Any], Any]:
    """Return what adds up B-splines, of how many knots lie before or at a point; polynomials go on."""

    def run(points: Any, count: Any, knots: Any, rows: Any) -> Any:
        wide = tf.cast(points, tf.float64)
        cells = tf.clip_by_value(count - 1, degree, tf.shape(rows)[0] - 1)
        ones = tf.where(tf.math.is_nan(wide), wide, 1)
        weights = _weights(ones, wide, knots, cells, degree, tf.gather)
        total = weights[0][:, tf.newaxis] * tf.gather(rows, cells - degree)
        for back, weight in enumerate(weights[1:], 1):
            total += weight[:, tf.newaxis] * tf.gather(rows, cells - degree + back)
        return total

    return run


def slopes_of(nodes: Array, ends: Sequence[int | str]) -> tuple[Array, Array, Array]:
    """Return what makes the slopes of a cubic spline at its nodes.

    `nodes`: shape (N,), float64. `ends`: the condition at either end: 'not-a-knot', the order of a derivative
    that is given, or 'periodic' at both. Returns: the slopes are the matrix times those of the chords between
    nodes, plus `first` and `last` times the given derivatives: (N, N - 1), (N,) and (N,), float64.
    """
    count, gaps = len(nodes), np.diff(nodes)
    chords = np.eye(count - 1)
    if ends[0] == "periodic" and count > 2:
        return _periodic(gaps), np.zeros(count), np.zeros(count)
    if count == 2:
        ends = ["chord" if one in ("not-a-knot", "periodic") else one for one in ends]
    left, right = np.zeros((count, count)), np.zeros((count, count - 1))
    given = np.zeros((2, count))
    for at in range(1, count - 1):
        before, after = gaps[at - 1], gaps[at]
        left[at, at - 1 : at + 2] = after, 2 * (before + after), before
        right[at] = 3 * (after * chords[at - 1] + before * chords[at])
    parabola = count == 3 and ends[0] == ends[1] == "not-a-knot"
    for number, end in enumerate(ends):
        # From the end inwards: the place of the equation, its neighbour, gaps and chords.
        at, beside = (0, 1) if number == 0 else (count - 1, count - 2)
        inwards = gaps if number == 0 else gaps[::-1]
        of_chords = chords if number == 0 else chords[::-1]
        if parabola:
            left[at, [at, beside]] = 1
            right[at] = 2 * of_chords[0]
        elif end == "not-a-knot":
            wide = inwards[0] + inwards[1]
            left[at, [at, beside]] = inwards[1], wide
            right[at] = (inwards[0] + 2 * wide) * inwards[1] * of_chords[0] + inwards[0] ** 2 * of_chords[1]
            right[at] /= wide
        elif end == 2:
            left[at, [at, beside]] = 2 * inwards[0], inwards[0]
            right[at] = 3 * inwards[0] * of_chords[0]
            given[number, at] = (-0.5 if number == 0 else 0.5) * inwards[0] ** 2
        else:
            left[at, at] = 1
            if end == "chord":
                right[at] = of_chords[0]
            else:
                given[number, at] = 1
    found = np.linalg.solve(left, np.concatenate([right, given.T], 1))
    return found[:, :-2], found[:, -2], found[:, -1]


def _periodic(gaps: Array) -> Array:
    """Return what makes the slopes of values that are the same at both ends, of those of the chords."""
    count = len(gaps)
    left, right = np.zeros((count, count)), np.zeros((count, count))
    for at in range(count):
        before, after = gaps[at - 1], gaps[at]
        left[at, at - 1] += after
        left[at, at] += 2 * (before + after)
        left[at, (at + 1) % count] += before
        right[at, at - 1] += 3 * after
        right[at, at] += 3 * before
    found = np.linalg.solve(left, right)
    return np.concatenate([found, found[:1]])


def chords_of(nodes: Array, rows: Any) -> Any:
    """Return the slopes of the chords between nodes: (N - 1, R)."""
    return (rows[1:] - rows[:-1]) / np.diff(nodes)[:, np.newaxis]


def pieces(nodes: Array, rows: Any, chords: Any, slopes: Any) -> Any:
    """Return the cubic pieces between nodes of known values and slopes: (4, N - 1, R), the cubes first."""
    gaps = np.diff(nodes)[:, np.newaxis]
    bent = (slopes[:-1] + slopes[1:] - 2 * chords) / gaps
    return tf.stack([bent / gaps, (chords - slopes[:-1]) / gaps - bent, slopes[:-1], rows[:-1]])


def polynomials(derivative: int) -> Callable[[Any, Any, Any, Any], Any]:
    """Return what evaluates a derivative of pieces (K, N - 1, R), highest powers first, in float64.

    It takes how many nodes lie before or at a point.
    """

    def run(points: Any, count: Any, nodes: Any, parts: Any) -> Any:
        degree = parts.shape[0] - 1
        cells = tf.clip_by_value(count - 1, 0, tf.shape(parts)[1] - 1)
        step = (points - tf.gather(nodes, cells))[:, tf.newaxis]
        total = tf.where(tf.math.is_nan(step), step, 0) + tf.zeros([1, tf.shape(parts)[2]], tf.float64)
        power = tf.ones([], tf.float64)
        for exponent in range(derivative, degree + 1):
            # One product: of two, Grappler would multiply the known factors first.
            scale = power * float(math.perm(exponent, derivative))
            total = plus_product(total, tf.gather(parts[degree - exponent], cells) * scale, parts[-1, :1])
            power *= step
        return total

    return run
