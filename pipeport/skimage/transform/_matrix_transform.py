"""`skimage.transform.matrix_transform`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import AsReference, Matrix, Shaped, batch_form, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.skimage.transform import _matrices


def _off_the_horizon(arguments: Mapping[str, Any]) -> bool:
    """Whether no point lies so close to the horizon that rounding decides where it goes."""
    matrix = np.asarray(arguments["matrix"], np.float64)
    points = np.asarray(arguments["coords"], np.float64)
    if points.ndim != 2 or matrix.shape != (3, 3) or points.shape[1] != 2:
        return True
    depth = points @ matrix[2, :2] + matrix[2, 2]
    return bool(np.all((np.abs(depth) > 0.05) | ~np.isfinite(depth)))


@replaces(
    "skimage.transform.matrix_transform",
    domain={
        "coords": Shaped(
            shape=((0, 9), 2),
            dtypes=("float64", "float32", "int32", "uint8"),
            values=(-50.0, 50.0),
            non_finite=True,
            per_image=True,
        ),
        "matrix": Matrix(rows=3, columns=3, kind="projective", singular=True, tensor=True, element_rank=2),
    },
    agreement=AsReference(),
    valid=_off_the_horizon,
)
def matrix_transform(coords: Any, matrix: Any) -> Any:
    """Map points by a homogeneous matrix.

    Parameters
    ----------
    coords : array_like, shape (N, 2) or (2,), real numbers
        Points as (x, y), for an image (column, row). N may be unknown while tracing.
    matrix : array_like, shape (3, 3), real numbers
        The matrix; (D + 1, D + 1) for points of D axes, two or more.

    Returns
    -------
    tf.Tensor, float64, shape (N, 2)
        The mapped points. One whose last homogeneous coordinate is zero is divided by
        eps(float64) instead, as in the reference.

    Raises
    ------
    OutsideDomain
        The matrix is not square and of known size, smaller than (3, 3), or the points have another
        number of columns.
    UnsupportedArgument
        The rank of the points is not known while tracing, or the matrix has fewer than three rows.
    tf.errors.InvalidArgumentError
        A number of columns unknown while tracing turns out to be another.

    Notes
    -----
    Agreement: as accurate as the reference, judged against it in float64.
    Graph: one matrix product and a division, no Python at run time; static shape is kept.

    Source: `skimage/transform/_geometric.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.transform import matrix_transform
    >>> matrix_transform(tf.constant([[1.0, 2.0]]), [[2, 0, 1], [0, 2, 0], [0, 0, 1]]).numpy().tolist()
    [[3.0, 4.0]]
    """
    matrix = _checked(_matrices.as_matrix(matrix))
    return _matrices.moved(matrix, _matrices.as_points(coords, int(matrix.shape[0]) - 1))


@batch_form(matrix_transform)
def _matrix_transform_batch(coords: Any, matrix: Any) -> Any:
    """Points (B, N, 2), the matrix (3, 3) or (B, 3, 3)."""
    if np.ndim(matrix) == 3 if not tf.is_tensor(matrix) else matrix.shape.rank == 3:
        matrix = tf.convert_to_tensor(matrix)
        size = matrix.shape[-1]
        if size is None or size != matrix.shape[-2]:
            advice = "State the shape with tf.ensure_shape."
            raise OutsideDomain(explain("matrix", f"shape {matrix.shape}", "shape (B, D + 1, D + 1)", advice))
    else:
        matrix = _matrices.as_matrix(matrix)
        size = int(matrix.shape[0])
    _checked_size(size - 1)
    return _matrices.moved(matrix, _matrices.as_points(coords, size - 1, batch_axes=1))


def _checked(matrix: Any) -> Any:
    _checked_size(int(matrix.shape[0]) - 1)
    return matrix


def _checked_size(axes: int) -> None:
    if axes < 2:
        raise UnsupportedArgument(explain("matrix", f"{axes} axes", "2 or more", "Add an axis."))
