"""`skimage.transform.AffineTransform`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import AsReference, Matrix, Maybe, OneOf, PerAxis, Radians, Real, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.skimage.transform import _matrices
from pipeport.skimage.transform._projective import (
    COMPARED_AS,
    ONE_OBJECT,
    ProjectiveTransform,
    well_conditioned,
)


def refuse_both(matrix: Any, given: dict[str, Any]) -> None:
    """Refuse a matrix beside the parameters it would be made of."""
    names = [name for name, value in given.items() if value is not None]
    if matrix is not None and names:
        allowed = "either a matrix or " + ", ".join(given)
        raise OutsideDomain(explain("matrix", f"it and {', '.join(names)}", allowed, "Leave one out."))


@replaces(
    "skimage.transform.AffineTransform",
    kind="class",
    domain={
        "matrix": Maybe(spec=Matrix(rows=3, columns=3, kind="affine", singular=True)),
        "scale": Maybe(spec=PerAxis(spec=Real(0.25, 4.0), count=2, tensor=True)),
        "shear": Maybe(spec=PerAxis(spec=Radians(-1.2, 1.2), count=2, tensor=True)),
        "rotation": Maybe(spec=Radians(-3.0, 3.0, tensor=True), per_element=True),
        "translation": Maybe(
            spec=PerAxis(spec=Real(-20.0, 20.0), count=2, single=False, tensor=True), per_element=True
        ),
        "dimensionality": OneOf(None, 1, 2, 3),
    },
    agreement=AsReference(),
    compared=COMPARED_AS,
    valid=well_conditioned,
    cannot_serve=(ONE_OBJECT,),
)
class AffineTransform(ProjectiveTransform):
    """Map points by scaling, shearing, turning and shifting, in this order.

    Parameters
    ----------
    matrix : array_like, shape (D + 1, D + 1), optional
        The matrix itself; then no other parameter but `dimensionality`.
    scale : float, (float, float) or tensor, optional
        Factor of both axes, or along x and y.
    shear : float, (float, float) or tensor, optional
        Angle in radians of x, or of x and y.
    rotation : float or scalar tensor, optional
        Angle in radians, counter-clockwise with y pointing up, clockwise on an image.
    translation : (float, float) or tensor of shape (2,), optional
        Shift along x and y.
    dimensionality : int, optional
        D; two, unless a matrix or nothing else is given.

    Returns
    -------
    AffineTransform
        Calling it maps coordinates (N, D), for an image (column, row), to float64 tensors (N, D).

    Raises
    ------
    OutsideDomain
        A matrix beside other parameters, parameters beside `dimensionality` above 2, another number
        of values than two, an infinite angle, or what `ProjectiveTransform` refuses.
    WrongType
        A parameter is not a number or no sequence of numbers.
    UnsupportedArgument
        A tensor whose length is not known while tracing.
    tf.errors.InvalidArgumentError
        `inverse` of a tensor that turns out to be singular.

    Notes
    -----
    `params` is a NumPy array, which costs no graph nodes, unless a parameter was a tensor: then it is
    one. `scale`, `rotation`, `shear` and `translation` are read from it, as in the reference.

    Agreement: as accurate as the reference, judged against it in float64; angles given as float32
    tensors are widened first.
    Graph: no Python at run time. Under the user's own XLA compilation the inverse of a singular
    tensor raises nothing and is arbitrary.

    Source: `skimage/transform/_geometric.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.transform import AffineTransform
    >>> tform = AffineTransform(scale=(2, 3), translation=tf.constant([10.0, 20.0]))
    >>> tform([[1.0, 1.0]]).numpy().tolist()
    [[12.0, 23.0]]
    """

    def __init__(
        self,
        matrix: Any = None,
        *,
        scale: Any = None,
        shear: Any = None,
        rotation: Any = None,
        translation: Any = None,
        dimensionality: int | None = None,
    ) -> None:
        given = {"scale": scale, "rotation": rotation, "shear": shear, "translation": translation}
        refuse_both(matrix, given)
        if any(value is not None for value in given.values()):
            if dimensionality is not None and dimensionality > 2:
                advice = "Build the matrix of more axes yourself."
                raise OutsideDomain(explain("dimensionality", dimensionality, "2 with parameters", advice))
            matrix = _matrix(scale, rotation, shear, translation)
        super().__init__(matrix=matrix, dimensionality=dimensionality)

    @property
    def scale(self) -> Any:
        """Factor along each axis."""
        size = self.dimensionality
        if not tf.is_tensor(self.params):
            squares = np.sum(self.params**2, axis=0)
            if size == 2:
                squares[1] = squares[1] / (math.tan(self.shear) ** 2 + 1)
            return np.sqrt(squares)[:size]
        squares = tf.unstack(tf.reduce_sum(self.params**2, axis=0))[:size]
        if size == 2:
            skewed = tf.cast(squares[1], tf.float64) / (tf.tan(self.shear) ** 2 + 1)
            squares[1] = tf.cast(skewed, self.params.dtype)
        return tf.sqrt(_matrices.floating(tf.stack(squares)))

    @property
    def rotation(self) -> Any:
        """Angle in radians, of two axes only."""
        self._only_two("rotation")
        return _matrices.angle_of(self.params[1, 0], self.params[0, 0])

    @property
    def shear(self) -> Any:
        """Angle of the shear in radians, of two axes only."""
        self._only_two("shear")
        return _matrices.angle_of(-self.params[0, 1], self.params[1, 1]) - self.rotation

    @property
    def translation(self) -> Any:
        """Shift along each axis."""
        return self.params[: self.dimensionality, self.dimensionality]

    def _only_two(self, name: str) -> None:
        if self.dimensionality != 2:
            raise UnsupportedArgument(
                explain(name, f"{self.dimensionality} axes", "2", "Read `params`: it has the whole matrix.")
            )


def _matrix(scale: Any, rotation: Any, shear: Any, translation: Any) -> Any:
    if rotation is not None and not _matrices.is_scalar(rotation):
        advice = "A plane has one angle; build the matrix of more axes yourself."
        raise OutsideDomain(explain("rotation", repr(rotation), "one number", advice))
    turn = 0.0 if rotation is None else _matrices.number(rotation, "rotation", finite=True)
    if shear is not None and _matrices.is_scalar(shear):
        shear_x, shear_y = _matrices.number(shear, "shear", finite=True), 0.0
    else:
        shear_x, shear_y = (0.0, 0.0) if shear is None else _matrices.vector(shear, "shear", 2)
    if translation is not None and _matrices.is_scalar(translation):
        advice = "Give the shift along x and y."
        raise OutsideDomain(explain("translation", repr(translation), "two numbers", advice))
    tx, ty = (0.0, 0.0) if translation is None else _matrices.vector(translation, "translation", 2)
    sx, sy = (1.0, 1.0) if scale is None else _pair(scale, "scale")
    sin, cos = _matrices.sine(turn), _matrices.cosine(turn)
    first = (sx * cos, sx * sin)
    if tf.is_tensor(shear_y) or shear_y != 0:
        slope = _matrices.tangent(shear_y)
        first = (sx * (cos + slope * sin), sx * (sin - slope * cos))
    second = (-sy * sin, sy * cos)
    if tf.is_tensor(shear_x) or shear_x != 0:
        slope = _matrices.tangent(shear_x)
        second = (-sy * (slope * cos + sin), -sy * (slope * sin - cos))
    return _matrices.from_rows([[first[0], second[0], tx], [first[1], second[1], ty], [0, 0, 1]])


def _pair(value: Any, name: str) -> list[Any]:
    if _matrices.is_scalar(value):
        return [_matrices.number(value, name)] * 2
    return _matrices.vector(value, name, 2)
