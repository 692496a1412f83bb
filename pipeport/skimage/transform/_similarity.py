"""`skimage.transform.SimilarityTransform`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import (
    AsReference,
    Difference,
    Matrix,
    Maybe,
    OneOf,
    PerAxis,
    Radians,
    Real,
    replaces,
)
from pipeport.errors import UnsupportedArgument, explain
from pipeport.skimage.transform import _matrices
from pipeport.skimage.transform._affine_transform import refuse_both
from pipeport.skimage.transform._euclidean import (
    EuclideanTransform,
    dimensions_of,
    rigid,
)
from pipeport.skimage.transform._projective import COMPARED_AS, ONE_OBJECT, well_conditioned


def _numpy_scale(arguments: Mapping[str, Any]) -> bool:
    scale = arguments.get("scale")
    return isinstance(scale, np.ndarray) and scale.ndim > 0


def _rotated_beyond_space(arguments: Mapping[str, Any]) -> bool:
    scale = arguments.get("scale")
    return isinstance(scale, tuple) and len(scale) > 3 and arguments.get("rotation") is not None


@replaces(
    "skimage.transform.SimilarityTransform",
    kind="class",
    domain={
        "matrix": Maybe(spec=Matrix(rows=3, columns=3, kind="affine", singular=True)),
        "scale": Maybe(spec=PerAxis(spec=Real(0.25, 4.0), count=3, tensor=True)),
        "rotation": Maybe(spec=PerAxis(spec=Radians(-3.0, 3.0), count=3, tensor=True), per_element=True),
        "translation": Maybe(spec=PerAxis(spec=Real(-20.0, 20.0), count=3, tensor=True), per_element=True),
        "dimensionality": OneOf(None, 1, 2, 3),
    },
    agreement=AsReference(),
    compared=COMPARED_AS,
    valid=well_conditioned,
    differences=(
        Difference(
            "A rotation of more than three axes is refused; the reference ignores it.",
            witness=lambda: {"scale": (1.0, 2.0, 3.0, 4.0), "rotation": 0.5},
            applies=_rotated_beyond_space,
        ),
        Difference(
            "A NumPy array as `scale` is accepted like a tuple; the reference refuses it.",
            witness=lambda: {"scale": np.array([2.0, 3.0])},
            applies=_numpy_scale,
        ),
    ),
    cannot_serve=(ONE_OBJECT,),
)
class SimilarityTransform(EuclideanTransform):
    """Map points by scaling, turning and shifting, in this order, in the plane or in space.

    Parameters
    ----------
    matrix : array_like, shape (D + 1, D + 1), optional
        The matrix itself; then no other parameter but `dimensionality`.
    scale : float, sequence of float or tensor, optional
        One factor, or one per axis of the source.
    rotation : float, (float, float, float) or tensor, optional
        Angle in radians; three of them turn about the x, then the turned y, then the turned z axis.
    translation : float, sequence of float or tensor of shape (D,), optional
        Shift along each axis; one number is the shift along all.
    dimensionality : int, optional
        D; it must agree with the other parameters. Two when they do not tell.

    Returns
    -------
    SimilarityTransform
        Calling it maps coordinates (N, D), for an image (column, row), to float64 tensors (N, D).

    Raises
    ------
    OutsideDomain
        A matrix beside other parameters, a number of angles other than one and three, parameters of
        different lengths, an infinite angle, or what `ProjectiveTransform` refuses.
    WrongType
        A parameter is not a number or no sequence of numbers, or one angle stands in a list.
    UnsupportedArgument
        A tensor whose length is not known while tracing.
    tf.errors.InvalidArgumentError
        `inverse` of a tensor that turns out to be singular.

    Notes
    -----
    `params` is a NumPy array, which costs no graph nodes, unless a parameter was a tensor: then it is
    one. `scale`, `rotation` and `translation` are read from it, as in the reference.

    Agreement: as accurate as the reference, judged against it in float64.
    Graph: no Python at run time. Under the user's own XLA compilation the inverse of a singular
    tensor raises nothing and is arbitrary.

    Source: `skimage/transform/_geometric.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.transform import SimilarityTransform
    >>> tform = SimilarityTransform(scale=2, translation=tf.constant([10.0, 20.0]))
    >>> tform([[1.0, 1.0]]).numpy().tolist()
    [[12.0, 22.0]]
    >>> (tform + tform.inverse).params.numpy().tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """

    def __init__(
        self,
        matrix: Any = None,
        *,
        scale: Any = None,
        rotation: Any = None,
        translation: Any = None,
        dimensionality: int | None = None,
    ) -> None:
        refuse_both(matrix, {"scale": scale, "rotation": rotation, "translation": translation})
        if any(value is not None for value in (scale, rotation, translation)):
            if scale is not None and not _matrices.is_scalar(scale):
                size = len(_matrices.vector(scale, "scale"))
            else:
                told = dimensions_of(rotation, translation)
                size = told or (2 if dimensionality is None else dimensionality)
            matrix = rigid(rotation, translation, size, scale)
        super().__init__(matrix=matrix, dimensionality=dimensionality)

    @property
    def scale(self) -> Any:
        """Factor of all axes; NaN for a map that mirrors the plane."""
        size = self.dimensionality
        if size not in (2, 3):
            raise UnsupportedArgument(explain("scale", f"{size} axes", "2 or 3", "Read `params` instead."))
        if not tf.is_tensor(self.params):
            with np.errstate(invalid="ignore"):
                root = np.sqrt if size == 2 else np.cbrt
                return root(np.linalg.det(self.params))
        volume = _matrices.determinant(_matrices.floating(self.params))
        if size == 2:
            return tf.sqrt(volume)
        return tf.sign(volume) * tf.pow(tf.abs(volume), 1.0 / 3.0)
