"""Homogeneous matrices that are NumPy constants while tracing allows it, and tensors otherwise.

A transform built from Python numbers costs no graph nodes until it is applied; one parameter given
as a tensor turns the matrix into a tensor.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import BadAxis, OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs.arrays import as_tensor, holds_tensor


def number(value: Any, name: str, finite: bool = False) -> Any:
    """Return one real number: a Python number, or a float64 tensor of rank 0.

    `finite`: whether Python's infinities are refused, as `math.cos` refuses them.
    """
    advice = "Give one real number, or a tensor of rank 0."
    if tf.is_tensor(value) or isinstance(value, tf.Variable):
        tensor = tf.convert_to_tensor(value)
        if not (tensor.dtype.is_floating or tensor.dtype.is_integer):
            raise WrongType(explain(name, f"dtype {tensor.dtype.name}", "a real number", advice))
        if tensor.shape.rank not in (0, None):
            raise OutsideDomain(explain(name, f"shape {tensor.shape}", "a scalar", advice))
        return tf.ensure_shape(tf.cast(tensor, tf.float64), [])
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if not isinstance(value, (numbers.Real, np.bool_)):
        raise WrongType(explain(name, repr(value), "a real number", advice))
    if finite and math.isinf(value):
        raise OutsideDomain(explain(name, value, "a finite number", "An infinite angle has no direction."))
    return value.item() if isinstance(value, np.generic) else value


def is_scalar(value: Any) -> bool:
    """Whether a value is one number rather than several; NumPy's rule, and rank 0 for tensors."""
    if tf.is_tensor(value) or isinstance(value, tf.Variable):
        return bool(value.shape.rank == 0)
    return bool(np.isscalar(value)) or (isinstance(value, np.ndarray) and value.ndim == 0)


def vector(value: Any, name: str, count: int | None = None) -> list[Any]:
    """Return a sequence of real numbers as a list of Python numbers and tensors.

    `value`: sequence or tensor of rank 1. Returns: of numbers and float64 tensors of rank 0.
    """
    allowed = "a sequence of numbers" if count is None else f"{count} numbers"
    if tf.is_tensor(value) or isinstance(value, tf.Variable):
        size = None if value.shape.rank is None else value.shape[0]
        if value.shape.rank != 1 or size is None:
            advice = "State it with tf.ensure_shape."
            raise UnsupportedArgument(explain(name, f"shape {value.shape}", allowed, advice))
        items = tf.unstack(tf.convert_to_tensor(value))
    elif isinstance(value, (Sequence, np.ndarray)) and not isinstance(value, (str, bytes)):
        items = list(value)
    else:
        raise WrongType(explain(name, repr(value), allowed, "Give one number per axis."))
    if count is not None and len(items) != count:
        raise OutsideDomain(explain(name, f"{len(items)} numbers", allowed, "Give one number per axis."))
    return [number(item, name) for item in items]


def sine(angle: Any) -> Any:
    """Return the sine of a number."""
    return tf.sin(angle) if tf.is_tensor(angle) else math.sin(angle)


def cosine(angle: Any) -> Any:
    """Return the cosine of a number."""
    return tf.cos(angle) if tf.is_tensor(angle) else math.cos(angle)


def tangent(angle: Any) -> Any:
    """Return the tangent of a number."""
    return tf.tan(angle) if tf.is_tensor(angle) else math.tan(angle)


def angle_of(y: Any, x: Any) -> Any:
    """Return the angle of the point (x, y): float64 for tensors."""
    if tf.is_tensor(y):
        return tf.atan2(tf.cast(y, tf.float64), tf.cast(x, tf.float64))
    return math.atan2(y, x)


def from_rows(rows: Sequence[Sequence[Any]]) -> Any:
    """Return a matrix of these entries: a float64 tensor when one of them is a tensor."""
    entries = [entry for row in rows for entry in row]
    if not any(tf.is_tensor(entry) for entry in entries):
        return np.array([[float(entry) for entry in row] for row in rows])
    flat = tf.stack([tf.convert_to_tensor(entry, tf.float64) for entry in entries])
    return tf.reshape(flat, [len(rows), len(rows[0])])


def as_matrix(matrix: Any, name: str = "matrix") -> Any:
    """Return a square matrix of a static size: a tensor if one was given, else NumPy.

    `matrix`: array_like, shape (D + 1, D + 1); the dtype is kept.
    """
    if not isinstance(matrix, np.ndarray):
        tensor = as_tensor(matrix, name)
        given = isinstance(matrix, tf.Variable) or holds_tensor(matrix)
        matrix = tensor if given else np.asarray(matrix)
    elif matrix.dtype.kind not in "biuf":
        raise OutsideDomain(explain(name, f"dtype {matrix.dtype}", "real numbers", "Drop other parts first."))
    shape = matrix.shape
    known = tuple(shape) if isinstance(shape, tuple) else (None if shape.rank is None else tuple(shape))
    if known == ():
        raise BadAxis(explain(name, "a scalar", "a square matrix", "Give one row per axis and one more."))
    if known is None or len(known) != 2 or None in known or known[0] != known[1]:
        advice = "State the shape of a tensor with tf.ensure_shape." if known is None or None in known else (
            "Append the row 0, ..., 0, 1 to an affine matrix."
        )  # fmt: skip
        raise OutsideDomain(explain(name, f"shape {known}", "a square matrix of known size", advice))
    return matrix


def floating(matrix: Any) -> Any:
    """Return the matrix in the dtype NumPy's linear algebra takes it: integers become float64."""
    if not tf.is_tensor(matrix):
        return matrix if matrix.dtype.kind == "f" else matrix.astype(np.float64)
    return matrix if matrix.dtype.is_floating else tf.cast(matrix, tf.float64)


def inverse(matrix: Any) -> Any:
    """Return the inverse.

    `matrix`: numpy.ndarray or tf.Tensor, shape (D + 1, D + 1). Returns: of the same kind; float64 for
    integers.
    """
    matrix = floating(matrix)
    if matrix.dtype == np.float16 or (tf.is_tensor(matrix) and matrix.dtype == tf.float16):
        raise WrongType(explain("matrix", "dtype float16", "float32 or float64", "Cast the matrix."))
    if tf.is_tensor(matrix):
        return tf.linalg.inv(matrix)
    try:
        return np.linalg.inv(matrix)
    except np.linalg.LinAlgError as error:
        advice = "Its map squeezes the plane onto a line: check the scale."
        raise OutsideDomain(explain("matrix", matrix.tolist(), "a matrix with an inverse", advice)) from error


def composed(second: Any, first: Any) -> Any:
    """Return the matrix of `first`, then `second`: their product, with NumPy's promotion."""
    if second.shape != first.shape:
        advice = "Both must have the same number of axes."
        shapes = f"shapes {tuple(first.shape)} and {tuple(second.shape)}"
        raise OutsideDomain(explain("other", shapes, "equal shapes", advice))
    if not (tf.is_tensor(second) or tf.is_tensor(first)):
        return second @ first
    kinds = [np.dtype(m.dtype.as_numpy_dtype if tf.is_tensor(m) else m.dtype) for m in (second, first)]
    dtype = tf.as_dtype(np.result_type(*kinds))
    return tf.matmul(tf.cast(second, dtype), tf.cast(first, dtype))


def determinant(matrix: Any) -> Any:
    """Return the determinant of a tensor (3, 3) or (4, 4); TensorFlow's own has no XLA kernel."""
    entries = [tf.unstack(row) for row in tf.unstack(matrix)]
    return _expanded(entries)


def _expanded(entries: list[list[Any]]) -> Any:
    if len(entries) == 1:
        return entries[0][0]
    minors = [[row[:k] + row[k + 1 :] for row in entries[1:]] for k in range(len(entries))]
    return sum((-1) ** k * entries[0][k] * _expanded(minor) for k, minor in enumerate(minors))


def moved(matrix: Any, points: Any) -> Any:
    """Apply a homogeneous matrix to points.

    `matrix`: numpy.ndarray or tf.Tensor, shape (..., D + 1, D + 1); with the leading axes of the points, or
    without any. `points`: float64, shape (..., N, D). Returns: float64, shape (..., N, D); the points,
    divided by their last homogeneous coordinate; where that is zero by eps(float64) instead, as in
    scikit-image.
    """
    matrix = tf.cast(matrix, tf.float64)
    turned = tf.linalg.matrix_transpose(matrix)
    homogeneous = tf.matmul(points, turned[..., :-1, :]) + turned[..., -1:, :]
    divisor = homogeneous[..., -1:]
    eps = tf.constant(np.finfo(np.float64).eps, tf.float64)
    return homogeneous[..., :-1] / tf.where(tf.equal(divisor, 0), eps, divisor)


def as_points(coords: Any, dimensions: int, batch_axes: int = 0) -> Any:
    """Return coordinates as float64 of shape (N, D); one point alone is a row.

    `coords`: array_like, shape (N, D) or (D,). `batch_axes`: number of leading batch axes. Returns: float64,
    shape (..., N, D).
    """
    tensor = as_tensor(coords, "coords")
    advice = "Give one row per point, (column, row) for an image."
    allowed = f"shape (N, {dimensions}) of real numbers"
    if tensor.dtype.is_complex:
        raise OutsideDomain(explain("coords", f"dtype {tensor.dtype.name}", allowed, advice))
    rank = tensor.shape.rank
    if rank is None:
        raise UnsupportedArgument(explain("coords", "an unknown rank", allowed, "Use tf.ensure_shape."))
    if rank == batch_axes + 1:
        tensor = tensor[..., tf.newaxis, :]
    elif rank != batch_axes + 2:
        raise OutsideDomain(explain("coords", f"rank {rank - batch_axes}", allowed, advice))
    if tensor.shape[-1] not in (None, dimensions):
        raise OutsideDomain(explain("coords", f"{tensor.shape[-1]} columns", allowed, advice))
    if tensor.shape[-1] is None:
        message = explain("coords", "another number of columns at run time", allowed, advice)
        check = tf.debugging.assert_equal(tf.shape(tensor)[-1], dimensions, message)
        with tf.control_dependencies([check]):
            tensor = tf.identity(tensor)
        tensor.set_shape([*tensor.shape[:-1], dimensions])
    return tf.cast(tensor, tf.float64)
