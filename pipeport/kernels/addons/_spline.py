"""Polyharmonic splines through scattered points, with the arithmetic of TensorFlow Addons."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf

_SMALL = 1e-10  # keeps logarithms and roots of zero finite


def interpolated(points: Any, values: Any, queries: Any, order: int, weight: Any) -> Any:
    """Fit a spline to values at points and return its values at the queries.

    `points`: shape (B, n, d), floating. `values`: shape (B, n, k), dtype of `points`. `queries`: shape (B, m,
    d), dtype of `points`. `order`: order of the radial function: 1 gives r, 2 the thin plate's r^2 log r.
    `weight`: weight of smoothness against passing through the values. Returns: shape (B, m, k).
    """
    batch, count, axes = tf.unstack(tf.shape(points))
    unknowns, outputs = axes + 1, tf.shape(values)[2]
    near = _radial(_distances(points, points, None), order)
    if weight > 0:
        near += tf.cast(weight, points.dtype) * tf.eye(count, dtype=points.dtype)
    linear = _with_ones(points)
    upper = tf.concat([near, linear], 2)
    zeros = tf.zeros([batch, unknowns, unknowns], points.dtype)
    lower = tf.concat([tf.transpose(linear, [0, 2, 1]), zeros], 2)
    right = tf.concat([values, tf.zeros([batch, unknowns, outputs], points.dtype)], 1)
    solved = tf.linalg.solve(tf.concat([upper, lower], 1), right)
    far = _radial(_distances(queries, points, tf.reduce_sum(tf.square(points), 2)), order)
    return tf.matmul(far, solved[:, :count]) + tf.matmul(_with_ones(queries), solved[:, count:])


def _with_ones(points: Any) -> Any:
    return tf.concat([points, tf.ones_like(points[..., :1])], 2)


def _distances(points: Any, centres: Any, squares: Any) -> Any:
    """Return squared distances (B, m, n); without `squares` both are the same points."""
    products = tf.matmul(points, centres, adjoint_b=True)
    if squares is None:
        squares = own = tf.linalg.diag_part(products)
    else:
        own = tf.reduce_sum(tf.square(points), 2)
    return own[:, :, tf.newaxis] - 2 * products + squares[:, tf.newaxis, :]


def _radial(squared: Any, order: int) -> Any:
    """Return the radial function of squared distances."""
    positive = tf.maximum(squared, tf.constant(_SMALL, squared.dtype))
    if order == 1:
        return tf.sqrt(positive)
    if order == 2:
        return 0.5 * squared * tf.math.log(positive)
    if order == 4:
        return 0.5 * tf.square(squared) * tf.math.log(positive)
    power = tf.pow(positive, tf.constant(0.5 * order, squared.dtype))
    return 0.5 * power * tf.math.log(positive) if order % 2 == 0 else power
