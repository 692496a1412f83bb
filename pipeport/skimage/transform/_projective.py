"""`skimage.transform.ProjectiveTransform`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import AsReference, CannotServe, Matrix, Maybe, OneOf, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs.integers import whole_number
from pipeport.skimage.transform import _matrices

COMPARED_AS = ("pipeport.references.geometric.read_native", "pipeport.references.geometric.read_reference")
ONE_OBJECT = CannotServe(
    "batched",
    "a transform is one object, not an array: its parameters are shared by the batch, or the matrices "
    "are given per element to `warp` and `matrix_transform`",
    witness=lambda: {"matrix": np.eye(3)},
)


def well_conditioned(arguments: Mapping[str, Any]) -> bool:
    """Whether a matrix is plainly singular or plainly not: in between, rounding decides."""
    matrix = arguments.get("matrix")
    if matrix is None:
        return True
    matrix = np.asarray(matrix, np.float64)
    if not np.isfinite(matrix).all():
        return False
    empty = ~matrix.any(axis=0) | ~matrix.any(axis=1)
    return bool(empty.any()) or float(np.linalg.cond(matrix)) < 1e4


@replaces(
    "skimage.transform.ProjectiveTransform",
    kind="class",
    domain={
        "matrix": Maybe(spec=Matrix(rows=3, columns=3, kind="projective", singular=True), per_element=True),
        "dimensionality": OneOf(None, 1, 2, 3),
    },
    agreement=AsReference(),
    compared=COMPARED_AS,
    valid=well_conditioned,
    cannot_serve=(ONE_OBJECT,),
)
class ProjectiveTransform:
    """Map points of D axes by a homogeneous matrix (D + 1, D + 1).

    Parameters
    ----------
    matrix : array_like, shape (D + 1, D + 1), optional
        The matrix, D two or more; the identity when None. A tensor's shape must be known while
        tracing.
    dimensionality : int, optional
        D; it must agree with `matrix`. Two when both are None.

    Returns
    -------
    ProjectiveTransform
        Calling it maps coordinates (N, D), for an image (column, row), to float64 tensors (N, D).

    Raises
    ------
    OutsideDomain
        The matrix is not square, not of known size, not of real numbers, smaller than (3, 3), or
        does not fit `dimensionality`; `inverse` of a singular matrix.
    UnsupportedArgument
        `dimensionality` below 2 without a matrix.
    WrongType
        The matrix is not an array, or `inverse` of a float16 one.
    tf.errors.InvalidArgumentError
        `inverse` of a tensor that turns out to be singular.

    Notes
    -----
    `params` is a NumPy array, which costs no graph nodes, unless a parameter was a tensor: then it is
    one. `inverse` and ``first + second`` are transforms again, of the reference's classes.

    Agreement: as accurate as the reference, judged against it in float64.
    Graph: no Python at run time. Under the user's own XLA compilation the inverse of a singular
    tensor raises nothing and is arbitrary.

    Source: `skimage/transform/_geometric.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.transform import ProjectiveTransform
    >>> shift = ProjectiveTransform([[1, 0, 10], [0, 1, 20], [0, 0, 1]])
    >>> shift(tf.constant([[1.0, 2.0]])).numpy().tolist()
    [[11.0, 22.0]]
    >>> shift.inverse([[11.0, 22.0]]).numpy().tolist()
    [[1.0, 2.0]]
    """

    params: Any

    def __init__(self, matrix: Any = None, *, dimensionality: int | None = None) -> None:
        dimensionality = _checked_dimensions(dimensionality)
        if matrix is None:
            matrix = np.eye((2 if dimensionality is None else dimensionality) + 1)
        matrix = _matrices.as_matrix(matrix)
        size = int(matrix.shape[0]) - 1
        if dimensionality not in (None, size):
            advice = "Leave one of the two out."
            allowed = f"{size}, as the matrix says"
            raise OutsideDomain(explain("dimensionality", dimensionality, allowed, advice))
        if size < 2:
            raise UnsupportedArgument(explain("matrix", f"{size} axes", "2 or more", "Add an axis."))
        self.params = matrix

    @classmethod
    def identity(cls, dimensionality: int | None = None) -> Self:
        """Return the transform that changes nothing.

        Parameters
        ----------
        dimensionality : int, optional
            Number of axes, two by default.

        Returns
        -------
        transform
            Of this class.
        """
        return cls(matrix=np.eye((2 if dimensionality is None else dimensionality) + 1))

    @property
    def dimensionality(self) -> int:
        """Number of axes."""
        return int(self.params.shape[0]) - 1

    @property
    def inverse(self) -> Self:
        """The transform back, of the same class."""
        return type(self)(matrix=_matrices.inverse(self.params))

    def __call__(self, coords: Any) -> Any:
        """Map coordinates.

        Parameters
        ----------
        coords : array_like, shape (N, D) or (D,)
            Real numbers.

        Returns
        -------
        tf.Tensor, float64, shape (N, D)
            The mapped coordinates.
        """
        return _matrices.moved(self.params, _matrices.as_points(coords, self.dimensionality))

    def residuals(self, src: Any, dst: Any) -> Any:
        """Return how far each mapped point lies from where it should.

        Parameters
        ----------
        src, dst : array_like, shape (N, D)
            Points, and where they belong.

        Returns
        -------
        tf.Tensor, float64, shape (N,)
            Euclidean distances.
        """
        apart = self(src) - _matrices.as_points(dst, self.dimensionality)
        return tf.sqrt(tf.reduce_sum(tf.square(apart), axis=1))

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, ProjectiveTransform):
            advice = "Convert it with ProjectiveTransform(matrix)."
            raise WrongType(explain("other", type(other).__name__, "a transform of this module", advice))
        result = type(self) if type(self) is type(other) else ProjectiveTransform
        return result(_matrices.composed(other.params, self.params))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if tf.is_tensor(self.params) and not hasattr(self.params, "numpy"):
            advice = "Use its `params`, a tensor."
            raise WrongType(explain("transform", "a graph tensor inside", "NumPy parameters", advice))
        return np.array(self.params, dtype=dtype) if copy else np.asarray(self.params, dtype=dtype)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}(matrix=\n{self.params!r})>"

    @classmethod
    def from_estimate(cls, src: Any, dst: Any, *args: Any, **kwargs: Any) -> Any:
        """Refuse: the reference's estimation fails by value, which a graph cannot.

        Parameters
        ----------
        src, dst : array_like, shape (N, D)
            Corresponding points.
        *args, **kwargs : object
            As the reference takes them.

        Raises
        ------
        UnsupportedArgument
            Always.
        """
        del src, dst, args, kwargs
        raise _no_estimate("from_estimate")

    def estimate(self, src: Any, dst: Any, *args: Any, **kwargs: Any) -> Any:
        """Refuse, as `from_estimate` does.

        Parameters
        ----------
        src, dst : array_like, shape (N, D)
            Corresponding points.
        *args, **kwargs : object
            As the reference takes them.

        Raises
        ------
        UnsupportedArgument
            Always.
        """
        del src, dst, args, kwargs
        raise _no_estimate("estimate")


def _checked_dimensions(dimensionality: Any) -> int | None:
    return None if dimensionality is None else whole_number(dimensionality, "dimensionality")


def _no_estimate(name: str) -> UnsupportedArgument:
    return UnsupportedArgument(
        explain(
            name,
            "points",
            "matrices and parameters",
            "Estimation fails by value (a falsy object), which a graph cannot do: estimate with scikit-image "
            "before the pipeline, or solve with tf.linalg.lstsq, and pass the matrix.",
        )
    )
