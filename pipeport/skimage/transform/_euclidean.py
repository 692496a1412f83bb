"""`skimage.transform.EuclideanTransform`."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport.contract import AsReference, Matrix, Maybe, OneOf, PerAxis, Radians, Real, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.skimage.transform import _matrices
from pipeport.skimage.transform._affine_transform import refuse_both
from pipeport.skimage.transform._projective import (
    COMPARED_AS,
    ONE_OBJECT,
    ProjectiveTransform,
    well_conditioned,
)


@replaces(
    "skimage.transform.EuclideanTransform",
    kind="class",
    domain={
        "matrix": Maybe(spec=Matrix(rows=3, columns=3, kind="affine", singular=True)),
        "rotation": Maybe(spec=PerAxis(spec=Radians(-3.0, 3.0), count=3, tensor=True), per_element=True),
        "translation": Maybe(spec=PerAxis(spec=Real(-20.0, 20.0), count=3, tensor=True), per_element=True),
        "dimensionality": OneOf(None, 1, 2, 3),
    },
    agreement=AsReference(),
    compared=COMPARED_AS,
    valid=well_conditioned,
    cannot_serve=(ONE_OBJECT,),
)
class EuclideanTransform(ProjectiveTransform):
    """Map points by turning and shifting, in this order, in the plane or in space.

    Parameters
    ----------
    matrix : array_like, shape (D + 1, D + 1), optional
        The matrix itself; then no other parameter but `dimensionality`.
    rotation : float, (float, float, float) or tensor, optional
        Angle in radians; three of them turn about the x, then the turned y, then the turned z axis.
    translation : float, sequence of float or tensor of shape (D,), optional
        Shift along each axis; one number is the shift along all.
    dimensionality : int, optional
        D; it must agree with the other parameters. Two when all are None.

    Returns
    -------
    EuclideanTransform
        Calling it maps coordinates (N, D), for an image (column, row), to float64 tensors (N, D).

    Raises
    ------
    OutsideDomain
        A matrix beside other parameters, a number of angles other than one and three, a translation
        of another length, an infinite angle, or what `ProjectiveTransform` refuses.
    WrongType
        A parameter is not a number or no sequence of numbers, or one angle stands in a list.
    UnsupportedArgument
        A tensor whose length is not known while tracing.
    tf.errors.InvalidArgumentError
        `inverse` of a tensor that turns out to be singular.

    Notes
    -----
    `params` is a NumPy array, which costs no graph nodes, unless a parameter was a tensor: then it is
    one. `rotation` and `translation` are read from it, as in the reference.

    Agreement: as accurate as the reference, judged against it in float64.
    Graph: no Python at run time. Under the user's own XLA compilation the inverse of a singular
    tensor raises nothing and is arbitrary.

    Source: `skimage/transform/_geometric.py` of scikit-image 0.26.

    Examples
    --------
    >>> import math
    >>> from pipeport.skimage.transform import EuclideanTransform
    >>> quarter = EuclideanTransform(rotation=math.pi / 2, translation=(5, 0))
    >>> quarter([[1.0, 0.0]]).numpy().round(6).tolist()
    [[5.0, 1.0]]
    """

    def __init__(
        self,
        matrix: Any = None,
        *,
        rotation: Any = None,
        translation: Any = None,
        dimensionality: int | None = None,
    ) -> None:
        refuse_both(matrix, {"rotation": rotation, "translation": translation})
        if rotation is not None or translation is not None:
            matrix = rigid(rotation, translation, dimensions_of(rotation, translation) or 2)
        super().__init__(matrix=matrix, dimensionality=dimensionality)

    @property
    def rotation(self) -> Any:
        """Angle in radians in the plane; in space the rotation matrix (3, 3)."""
        if self.dimensionality == 2:
            return _matrices.angle_of(self.params[1, 0], self.params[1, 1])
        if self.dimensionality == 3:
            return self.params[:3, :3]
        raise UnsupportedArgument(
            explain("rotation", f"{self.dimensionality} axes", "2 or 3", "Read `params` instead.")
        )

    @property
    def translation(self) -> Any:
        """Shift along each axis."""
        return self.params[: self.dimensionality, self.dimensionality]


def dimensions_of(rotation: Any, translation: Any) -> int | None:
    """Return the number of axes the parameters tell, the rotation first."""
    if rotation is not None:
        if _matrices.is_scalar(rotation):
            return 2
        count = len(_matrices.vector(rotation, "rotation"))
        if count == 1:
            raise WrongType(
                explain("rotation", "one angle in a list", "one number", "Take it out of the list.")
            )
        if count != 3:
            advice = "A plane has one angle, space has three."
            raise OutsideDomain(explain("rotation", f"{count} angles", "one number or three", advice))
        return 3
    if translation is not None:
        return 2 if _matrices.is_scalar(translation) else len(_matrices.vector(translation, "translation"))
    return None


def rigid(rotation: Any, translation: Any, size: int, scale: Any = None) -> Any:
    """Return the homogeneous matrix of a scaled rotation and a shift of `size` axes."""
    rows: list[list[Any]] = np.eye(size).tolist()
    if rotation is not None:
        rows = _turned(rotation, size)
    if scale is not None:
        factors = [_matrices.number(scale, "scale")] * size if _matrices.is_scalar(scale) else (
            _matrices.vector(scale, "scale")
        )  # fmt: skip
        rows = [[entry * factor for entry, factor in zip(row, factors, strict=True)] for row in rows]
    if translation is None:
        shift: list[Any] = [0.0] * size
    elif _matrices.is_scalar(translation):
        shift = [_matrices.number(translation, "translation")] * size
    else:
        shift = _matrices.vector(translation, "translation")
        shift = shift * size if len(shift) == 1 else shift
        if len(shift) != size:
            given = f"{len(shift)} numbers"
            raise OutsideDomain(explain("translation", given, f"{size} numbers", "Give one per axis."))
    rows = [[*row, part] for row, part in zip(rows, shift, strict=True)]
    return _matrices.from_rows([*rows, [0.0] * size + [1.0]])


def _turned(rotation: Any, size: int) -> list[list[Any]]:
    if size == 2:
        angle = _matrices.number(rotation, "rotation", finite=True)
        sin, cos = _matrices.sine(angle), _matrices.cosine(angle)
        return [[cos, -sin], [sin, cos]]
    if size == 3 and _matrices.is_scalar(rotation):
        advice = "Space has three angles."
        raise OutsideDomain(explain("rotation", repr(rotation), "three numbers", advice))
    if size != 3:
        advice = "Give a matrix for more axes."
        raise OutsideDomain(explain("rotation", f"it for {size} axes", "2 or 3 axes", advice))
    angles = _matrices.vector(rotation, "rotation", 3)
    s, c = [_matrices.sine(a) for a in angles], [_matrices.cosine(a) for a in angles]
    return [
        [c[1] * c[2], -c[1] * s[2], s[1]],
        [c[0] * s[2] + s[0] * s[1] * c[2], c[0] * c[2] - s[0] * s[1] * s[2], -s[0] * c[1]],
        [s[0] * s[2] - c[0] * s[1] * c[2], s[0] * c[2] + c[0] * s[1] * s[2], c[0] * c[1]],
    ]
