"""Between rows of eight numbers and 3 x 3 matrices, as `tensorflow_addons.image.transform_ops` has them."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.contract import Exact, OneOf, Shaped, Ulps, replaces
from pipeport.tensorflow_addons.image import _maps


@replaces(
    "tensorflow_addons.image.transform_ops.flat_transforms_to_matrices",
    domain={
        "transforms": Shaped(
            shape=((0, 4), 8), dtypes=("float32",), values=(-50.0, 50.0), non_finite=True, per_image=True
        ),
        "name": OneOf(None, "matrices"),
    },
    agreement=Exact(),
    aliases=("tf.contrib.image.flat_transforms_to_matrices",),
)
def flat_transforms_to_matrices(transforms: Any, name: str | None = None) -> Any:
    """Write projective maps as 3 x 3 matrices.

    Parameters
    ----------
    transforms : tf.Tensor, shape (8,) or (N, 8), float32
        Rows of eight numbers; the ninth is one.
    name : str, optional
        Name scope of the operations.

    Returns
    -------
    tf.Tensor, shape (N, 3, 3), float32
        Matrices from output to input points.

    Raises
    ------
    OutsideDomain
        Another rank or dtype, or rows of another length.
    WrongType
        `transforms` is not made of numbers.
    tf.errors.InvalidArgumentError
        Rows of another length, found out when the graph runs.

    Notes
    -----
    Differences from the reference: none. It takes any array of which the size is a multiple of eight; so
    does this, where the size is known while tracing.

    Agreement: bit for bit.
    Graph: two ops, no Python at run time.
    Source: `tensorflow_addons/image/transform_ops.py` 0.23.

    Examples
    --------
    >>> from pipeport.tensorflow_addons.image.transform_ops import flat_transforms_to_matrices
    >>> flat_transforms_to_matrices([1.0, 0.0, 3.0, 0.0, 1.0, 4.0, 0.0, 0.0]).numpy()[0].tolist()
    [[1.0, 0.0, 3.0], [0.0, 1.0, 4.0], [0.0, 0.0, 1.0]]
    """
    with tf.name_scope(name or "flat_transforms_to_matrices"):
        return _maps.as_matrices(transforms)


@replaces(
    "tensorflow_addons.image.transform_ops.matrices_to_flat_transforms",
    domain={
        "transform_matrices": Shaped(
            shape=((0, 4), 3, 3),
            dtypes=("float32", "float64"),
            values=(-50.0, 50.0),
            non_finite=True,
            per_image=True,
        ),
        "name": OneOf(None, "rows"),
    },
    agreement=Ulps(1),
    aliases=("tf.contrib.image.matrices_to_flat_transforms",),
)
def matrices_to_flat_transforms(transform_matrices: Any, name: str | None = None) -> Any:
    """Write 3 x 3 matrices as projective maps.

    Parameters
    ----------
    transform_matrices : tf.Tensor, shape (3, 3) or (N, 3, 3), float32, float64 or int32
        Matrices from output to input points.
    name : str, optional
        Name scope of the operations.

    Returns
    -------
    tf.Tensor, shape (N, 8), dtype of `transform_matrices`, float64 for integers
        Divided by the last entry of each, so NaN or infinite where that is zero.

    Raises
    ------
    OutsideDomain
        Another rank, or matrices of another size.
    WrongType
        `transform_matrices` is not made of numbers.
    tf.errors.InvalidArgumentError
        Matrices of another size, found out when the graph runs.

    Notes
    -----
    Differences from the reference: none. It takes any array of which the size is a multiple of nine; so
    does this, where the size is known while tracing.

    Agreement: within one unit in the last place.
    Graph: three ops, no Python at run time.
    Source: `tensorflow_addons/image/transform_ops.py` 0.23.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.tensorflow_addons.image.transform_ops import matrices_to_flat_transforms
    >>> matrices_to_flat_transforms(2 * tf.eye(3)).numpy().tolist()
    [[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]]
    """
    with tf.name_scope(name or "matrices_to_flat_transforms"):
        return _maps.as_rows(transform_matrices)
