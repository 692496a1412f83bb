"""Projective maps as rows of eight numbers and as 3 x 3 matrices."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.tensorflow_addons.image import _arguments


def as_matrices(transforms: Any) -> Any:
    """Return maps (8,) or (N, 8) as matrices (N, 3, 3)."""
    rows = _tensor(transforms, "transforms", (1, 2), 8)
    if rows.dtype != tf.float32:
        raise OutsideDomain(
            explain("transforms", f"dtype {rows.dtype.name}", "float32", "Cast it with tf.cast.")
        )
    if rows.shape.rank == 1 and rows.shape[0] is None:
        rows = tf.ensure_shape(rows, [8])
    rows = tf.reshape(rows, [-1, 8])
    return tf.reshape(tf.pad(rows, [[0, 0], [0, 1]], constant_values=1.0), [-1, 3, 3])


def as_rows(matrices: Any) -> Any:
    """Return matrices (3, 3) or (N, 3, 3) as maps (N, 8), the last entry of each scaled to one."""
    matrices = _tensor(matrices, "transform_matrices", (2, 3), 9)
    if matrices.shape.rank == 2 and not matrices.shape.is_fully_defined():
        matrices = tf.ensure_shape(matrices, [3, 3])
    rows = tf.reshape(matrices, [-1, 9])
    return (rows / rows[:, 8:])[:, :8]


def _tensor(value: Any, name: str, ranks: tuple[int, int], count: int) -> Any:
    tensor = _arguments.tensor_of(value, name)
    if not (tensor.dtype.is_floating or tensor.dtype.is_integer):
        raise WrongType(explain(name, f"dtype {tensor.dtype.name}", "real numbers", "Use tf.cast."))
    size = tensor.shape.num_elements()
    if tensor.shape.rank not in ranks or (size is not None and size % count):
        raise OutsideDomain(
            explain(name, f"shape {tensor.shape}", f"{count} numbers per map", "See the parameter's shape.")
        )
    return tensor
