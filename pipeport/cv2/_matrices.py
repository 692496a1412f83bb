"""The matrices of OpenCV's affine and projective maps."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport import config
from pipeport._lazy import tf
from pipeport.contract import (
    Degrees,
    Difference,
    Matrix,
    OneOf,
    Point,
    Real,
    Shaped,
    Within,
    batch_form,
    replaces,
)
from pipeport.cv2._constants import DECOMP_LU
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels import _checks
from pipeport.kernels._cv2_warp_maps import alone, inverted
from pipeport.kernels._cv2_warp_solve import solve

_VERSIONS = ">=4.11,<5.1"


def _at_once(function: Callable[..., Any], *values: Any) -> Any:
    """Call a function of tensors, while tracing if all values are known then: maps become constants."""
    known = [tf.get_static_value(value) for value in values]
    if any(value is None for value in known):
        return function(*values)
    with tf.init_scope():
        constant = function(*(tf.constant(value) for value in known)).numpy()
    return tf.constant(constant)


def _number(value: Any, name: str, rank: int = 0) -> Any:
    """Return a number, or one per element of a batch, as float64."""
    if isinstance(value, (bool, np.bool_, str, bytes)) or value is None:
        raise WrongType(explain(name, repr(value), "a real number", "Give one number."))
    tensor = _checks.as_tensor(value, name)
    if not (tensor.dtype.is_floating or tensor.dtype.is_integer):
        raise WrongType(explain(name, f"dtype {tensor.dtype.name}", "a real number", "Give one number."))
    if tensor.shape.rank not in range(rank + 1):
        advice = "Use pipeport.batched for one per element."
        raise WrongType(explain(name, f"shape {tensor.shape}", "a scalar", advice))
    return tf.cast(tensor, tf.float64)


def _center(value: Any, rank: int = 1) -> Any:
    allowed = "two numbers (x, y)"
    if not tf.is_tensor(value):
        parts = list(value) if isinstance(value, (list, tuple, np.ndarray)) else []
        if any(isinstance(part, (bool, np.bool_)) for part in parts) or not parts:
            raise WrongType(explain("center", repr(value), allowed, "Give a tuple of two floats."))
    tensor = _checks.as_tensor(value, "center")
    shape = tensor.shape
    if not (tensor.dtype.is_floating or tensor.dtype.is_integer) or shape.rank not in range(1, rank + 1):
        raise WrongType(
            explain("center", f"{tensor.dtype.name} of shape {shape}", allowed, "Give two floats.")
        )
    if shape[-1] != 2:
        raise WrongType(explain("center", f"{shape[-1]} numbers", allowed, "Give x, then y."))
    # OpenCV keeps points in float32.
    return tf.cast(tf.cast(tensor, tf.float32), tf.float64)


def _rotation(center: Any, angle: Any, scale: Any) -> Any:
    radians = angle * (math.pi / 180)
    alpha, beta = tf.cos(radians) * scale, tf.sin(radians) * scale
    x, y = center[..., 0], center[..., 1]
    third = alone((1 - alpha) * x, x) - alone(beta * y, y)
    sixth = alone(beta * x, x) + alone((1 - alpha) * y, y)
    shape = tf.broadcast_static_shape(third.shape, alpha.shape)
    entries = [alpha, beta, third, -beta, alpha, sixth]
    if shape.rank:
        zero = tf.zeros_like(third + alpha)
        entries = [entry + zero for entry in entries]
    flat = tf.stack(entries, axis=-1)
    return tf.reshape(flat, tf.concat([tf.shape(flat)[:-1], [2, 3]], 0) if shape.rank else [2, 3])


@replaces(
    "cv2.getRotationMatrix2D",
    domain={
        "center": Point(low=-10.0, high=300.0, tensor=True, typical=(127.5, 127.5)),
        "angle": Degrees(-720.0, 720.0, tensor=True, typical=30.0, per_element=True),
        "scale": Real(-3.0, 3.0, tensor=True, typical=1.0),
    },
    agreement=Within(1e-11, "sine and cosine of two libraries differ in the last place"),
    proven_against=_VERSIONS,
    parameters="(center, angle, scale)",
    bench=False,
)
def getRotationMatrix2D(center: Any, angle: Any, scale: Any) -> Any:
    """Return the matrix of a rotation about a point.

    Native equivalent of `cv2.getRotationMatrix2D`.

    Parameters
    ----------
    center : (float, float) or tensor of shape (2,)
        Point (x, y) that stays where it is; kept in float32, as OpenCV does.
    angle : float or scalar tensor
        Degrees, counter-clockwise as the image is shown.
    scale : float or scalar tensor
        Factor on all lengths.

    Returns
    -------
    tf.Tensor, shape (2, 3), float64
        The matrix for `warpAffine`; a constant when nothing here is a tensor.

    Raises
    ------
    WrongType
        `center` is not two numbers, or `angle` or `scale` not one.

    Notes
    -----
    Agreement: within 1e-11; sine and cosine of two libraries differ in the last place.
    Graph: some twenty scalar operations, or a constant.

    Source: the matrix stands in OpenCV's documentation of the function.

    Examples
    --------
    >>> from pipeport.cv2 import getRotationMatrix2D
    >>> getRotationMatrix2D((1, 0), 90, 1).numpy().round(6).tolist()
    [[0.0, 1.0, 1.0], [-1.0, 0.0, 1.0]]
    """
    return _at_once(_rotation, _center(center), _number(angle, "angle"), _number(scale, "scale"))


@batch_form(getRotationMatrix2D)
def _rotations(center: Any, angle: Any, scale: Any) -> Any:
    """Return a batch of matrices: any of the parameters with a leading axis."""
    return _at_once(_rotation, _center(center, 2), _number(angle, "angle", 1), _number(scale, "scale", 1))


def _points(value: Any, name: str, count: int, batch: bool) -> Any:
    """Return float32 points as float64, (B, count, 2); B is 1 without `batch`."""
    tensor = _checks.as_tensor(value, name)
    if tensor.dtype != tf.float32:
        advice = "OpenCV takes float32 points alone: cast with tf.cast or np.float32."
        raise OutsideDomain(explain(name, f"dtype {tensor.dtype.name}", "float32", advice))
    shape = tensor.shape[1:] if batch and tensor.shape.rank in (3, 4) else tensor.shape
    if list(shape) not in ([count, 2], [count, 1, 2], [1, count, 2]):
        allowed = f"{count} points, shape ({count}, 2)"
        raise OutsideDomain(explain(name, f"shape {tensor.shape}", allowed, "Give (x, y) pairs."))
    return tf.reshape(tf.cast(tensor, tf.float64), [-1, count, 2])


def _pairwise(source: Any, target: Any) -> tuple[Any, Any]:
    """Give both the larger of two leading sizes, one of which may be 1."""
    zero = tf.zeros_like(source[:, :1, :1] + target[:, :1, :1])
    return source + zero, target + zero


def _affine_system(source: Any, target: Any) -> Any:
    source, target = _pairwise(source, target)
    one, zero = tf.ones_like(source[..., :1]), tf.zeros_like(source)
    upper = tf.concat([source, one, zero, tf.zeros_like(one)], axis=-1)
    lower = tf.concat([zero, tf.zeros_like(one), source, one], axis=-1)
    system = tf.reshape(tf.stack([upper, lower], axis=-2), [-1, 6, 6])
    return tf.reshape(solve(system, tf.reshape(target, [-1, 6])), [-1, 2, 3])


def _projective_system(source: Any, target: Any) -> Any:
    source, target = _pairwise(source, target)
    one, zero = tf.ones_like(source[..., :1]), tf.zeros_like(source)
    # OpenCV multiplies the points in float32.
    products = [
        tf.cast(-tf.cast(source, tf.float32) * tf.cast(target[..., k : k + 1], tf.float32), tf.float64)
        for k in (0, 1)
    ]
    upper = tf.concat([source, one, zero, tf.zeros_like(one), products[0]], axis=-1)
    lower = tf.concat([zero, tf.zeros_like(one), source, one, products[1]], axis=-1)
    right = tf.concat([target[..., 0], target[..., 1]], axis=-1)
    found = solve(tf.concat([upper, lower], axis=-2), right)
    return tf.reshape(tf.concat([found, tf.ones_like(found[:, :1])], axis=-1), [-1, 3, 3])


def _system(arguments: Mapping[str, Any]) -> np.ndarray[Any, Any]:
    source, target = (np.asarray(arguments[k], np.float64).reshape(-1, 2) for k in ("src", "dst"))
    one, zero = np.ones((len(source), 1)), np.zeros((len(source), 3))
    upper, lower = np.hstack([source, one, zero]), np.hstack([zero, source, one])
    if len(source) == 3:
        return np.vstack([upper, lower])
    return np.vstack(
        [np.hstack([upper, -source * target[:, :1]]), np.hstack([lower, -source * target[:, 1:]])]
    )


def _steady(arguments: Mapping[str, Any]) -> bool:
    """Say whether the points are clearly in one line, or clearly not: in between, rounding decides."""
    values = np.linalg.svd(_system(arguments), compute_uv=False)
    return bool(values[-1] > 1e-6 * values[0] or values[-1] < 1e-15 * values[0])


def _in_line(arguments: Mapping[str, Any]) -> bool:
    values = np.linalg.svd(_system(arguments), compute_uv=False)
    return config.opencv() >= 5 and bool(values[-1] < 1e-9 * values[0])


_ROUNDING = "elimination adds in another order of rounding where a compiler fuses products and sums"


@replaces(
    "cv2.getAffineTransform",
    domain={
        "src": Shaped(shape=(3, 2), dtypes=("float32",), values=(-20.0, 20.0), tensor=True, element_rank=2),
        "dst": Shaped(shape=(3, 2), dtypes=("float32",), values=(-20.0, 20.0), tensor=True, element_rank=2),
    },
    agreement=Within(1e-7, _ROUNDING),
    proven_against=_VERSIONS,
    parameters="(src, dst)",
    valid=_steady,
    bench=False,
)
def getAffineTransform(src: Any, dst: Any) -> Any:
    """Return the affine map that takes three points to three others.

    Native equivalent of `cv2.getAffineTransform`.

    Parameters
    ----------
    src : array_like, shape (3, 2), float32
        Points (x, y) in the input; (3, 1, 2) and (1, 3, 2) too.
    dst : array_like, shape (3, 2), float32
        Where they go.

    Returns
    -------
    tf.Tensor, shape (2, 3), float64
        The matrix for `warpAffine`; zeros when the points of `src` lie in one line. A constant
        when nothing here is a tensor of the graph.

    Raises
    ------
    OutsideDomain
        The points are not float32, or not three.

    Notes
    -----
    Agreement: within 1e-7 for coordinates up to 20; elimination adds in another order of rounding
    where a compiler fuses products and sums. Points within 1e-6 of one line are not vouched for.
    Graph: elimination with pivots, unrolled; no Python at run time.

    Source: the six equations stand in OpenCV's documentation; the pivots that count as zero are
    those below 100 eps, which decides what lies in one line.

    Examples
    --------
    >>> import numpy as np
    >>> from pipeport.cv2 import getAffineTransform
    >>> corners = np.array([[0, 0], [1, 0], [0, 1]], np.float32)
    >>> getAffineTransform(corners, corners * 2 + 3).numpy().tolist()
    [[2.0, 0.0, 3.0], [0.0, 2.0, 3.0]]
    """
    points = _points(src, "src", 3, False), _points(dst, "dst", 3, False)
    return _at_once(_affine_system, *points)[0]


@batch_form(getAffineTransform)
def _affine_transforms(src: Any, dst: Any) -> Any:
    """Return a batch of matrices: either set of points with a leading axis."""
    return _at_once(_affine_system, _points(src, "src", 3, True), _points(dst, "dst", 3, True))


def _line_of_points() -> dict[str, Any]:
    line = np.array([[0, 0], [1, 1], [2, 2], [3, 3]], np.float32)
    return {"src": line, "dst": np.array([[1, 2], [9, 1], [12, 11], [-1, 9]], np.float32)}


@replaces(
    "cv2.getPerspectiveTransform",
    domain={
        "src": Shaped(shape=(4, 2), dtypes=("float32",), values=(-20.0, 20.0), tensor=True, element_rank=2),
        "dst": Shaped(shape=(4, 2), dtypes=("float32",), values=(-20.0, 20.0), tensor=True, element_rank=2),
        "solveMethod": OneOf(DECOMP_LU),
    },
    agreement=Within(1e-7, _ROUNDING),
    proven_against=_VERSIONS,
    parameters="(src, dst, solveMethod=0)",
    valid=_steady,
    bench=False,
    differences=(
        Difference(
            "Points that fix no map give zeros and a 1, as in OpenCV 4; OpenCV 5 returns an arbitrary "
            "vector of length one that solves the equations.",
            witness=_line_of_points,
            applies=_in_line,
            where="cv2>=5",
        ),
    ),
)
def getPerspectiveTransform(src: Any, dst: Any, solveMethod: int = DECOMP_LU) -> Any:
    """Return the projective map that takes four points to four others.

    Native equivalent of `cv2.getPerspectiveTransform`.

    Parameters
    ----------
    src : array_like, shape (4, 2), float32
        Points (x, y) in the input; (4, 1, 2) and (1, 4, 2) too.
    dst : array_like, shape (4, 2), float32
        Where they go.
    solveMethod : {DECOMP_LU}, default DECOMP_LU
        How the equations are solved; OpenCV's other methods are refused.

    Returns
    -------
    tf.Tensor, shape (3, 3), float64
        The matrix for `warpPerspective`, its last entry 1. A constant when nothing here is a
        tensor of the graph.

    Raises
    ------
    OutsideDomain
        The points are not float32, or not four.
    UnsupportedArgument
        `solveMethod` is another one.

    Notes
    -----
    Differences from the reference:

    - Points that fix no map give zeros and a 1, as in OpenCV 4; OpenCV 5 returns an arbitrary
      vector of length one that solves the equations.

    Agreement: within 1e-7 for coordinates up to 20; elimination adds in another order of rounding
    where a compiler fuses products and sums. Equations with a condition above 1e6 are not vouched for.
    Graph: elimination with pivots, unrolled; no Python at run time.

    Source: the eight equations stand in OpenCV's documentation.

    Examples
    --------
    >>> import numpy as np
    >>> from pipeport.cv2 import getPerspectiveTransform
    >>> square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    >>> getPerspectiveTransform(square, square * 2).numpy().round(6).tolist()
    [[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.0]]
    """
    return _at_once(_projective_system, *_projective_points(src, dst, solveMethod, False))[0]


@batch_form(getPerspectiveTransform)
def _perspective_transforms(src: Any, dst: Any, solveMethod: int = DECOMP_LU) -> Any:
    """Return a batch of matrices: either set of points with a leading axis."""
    return _at_once(_projective_system, *_projective_points(src, dst, solveMethod, True))


def _projective_points(src: Any, dst: Any, method: Any, batch: bool) -> tuple[Any, Any]:
    if tf.is_tensor(method) or method != DECOMP_LU:
        advice = "For points that fix a map, every method gives the same: leave it out."
        raise UnsupportedArgument(explain("solveMethod", repr(method), "DECOMP_LU (0)", advice))
    return _points(src, "src", 4, batch), _points(dst, "dst", 4, batch)


@replaces(
    "cv2.invertAffineTransform",
    domain={"M": Matrix(rows=2, columns=3, singular=True, tensor=True)},
    agreement=Within(1e-6, "an entry may round to the neighbouring number of its dtype"),
    refused={"iM": "a tensor cannot be written into; use the returned one"},
    proven_against=_VERSIONS,
    parameters="(M, iM=None)",
    valid=lambda arguments: _well_conditioned(np.asarray(arguments["M"], np.float64)),
    bench=False,
)
def invertAffineTransform(M: Any, iM: Any = None) -> Any:
    """Return the inverse of an affine map.

    Native equivalent of `cv2.invertAffineTransform`.

    Parameters
    ----------
    M : array_like, shape (2, 3), float32 or float64
        The matrix.
    iM : None
        Accepted by name and refused.

    Returns
    -------
    tf.Tensor, shape (2, 3), dtype of `M`
        The inverse; zeros when there is none. A constant when `M` is no tensor of the graph.

    Raises
    ------
    OutsideDomain
        `M` has another shape or dtype.
    UnsupportedArgument
        `iM` is given.

    Notes
    -----
    Agreement: within 1e-6; an entry may round to the neighbouring number of its dtype. For float32 the
    products are rounded to float32 one by one, as OpenCV does. Matrices that are singular but for
    rounding are not vouched for.
    Graph: a dozen scalar operations, or a constant.

    Source: Cramer's rule.

    Examples
    --------
    >>> import numpy as np
    >>> from pipeport.cv2 import invertAffineTransform
    >>> invertAffineTransform(np.array([[0.0, -1.0, 4.0], [2.0, 0.0, 6.0]])).numpy().tolist()
    [[0.0, 0.5, -3.0], [-1.0, 0.0, 4.0]]
    """
    return _at_once(_inverse, _affine_matrix(M, iM, 2))


@batch_form(invertAffineTransform)
def _inverse_transforms(M: Any, iM: Any = None) -> Any:
    """Return a batch of inverses, (B, 2, 3)."""
    return _at_once(_inverse, _affine_matrix(M, iM, 3))


def _well_conditioned(matrix: np.ndarray[Any, Any]) -> bool:
    a, b, d, e = matrix[0, 0], matrix[0, 1], matrix[1, 0], matrix[1, 1]
    determinant = abs(a * e - b * d)
    return bool(determinant == 0 or determinant > 1e-2)


def _affine_matrix(value: Any, output: Any, rank: int) -> Any:
    if output is not None:
        advice = "A tensor cannot be written into: use the returned one."
        raise UnsupportedArgument(explain("iM", type(output).__name__, "None", advice))
    tensor = _checks.as_tensor(value, "M")
    _checks.dtype_among(tensor, ("float32", "float64"), "M")
    if tensor.shape.rank != rank or list(tensor.shape[-2:]) != [2, 3]:
        advice = "Use pipeport.batched for several matrices."
        raise OutsideDomain(explain("M", f"shape {tensor.shape}", "shape (2, 3)", advice))
    return tensor


def _inverse(matrix: Any) -> Any:
    flat = tf.reshape(matrix, [-1, 6])
    if matrix.dtype == tf.float64:
        return tf.reshape(inverted(flat), tf.shape(matrix))
    a, b, c, d, e, f = tf.unstack(flat, axis=-1)
    determinant = tf.cast(alone(a * e, a) - alone(b * d, b), tf.float64)
    regular = tf.not_equal(determinant, 0)
    inverse = 1 / tf.where(regular, determinant, tf.ones_like(determinant))
    narrow = tf.cast(tf.where(regular, inverse, tf.zeros_like(inverse)), tf.float32)
    ai, bi, di, ei = (tf.cast(entry * narrow, tf.float64) for entry in (e, -b, -d, a))
    c, f = tf.cast(c, tf.float64), tf.cast(f, tf.float64)
    ci, fi = -alone(ai * c, ai) - alone(bi * f, bi), -alone(di * c, di) - alone(ei * f, ei)
    entries = tf.stack([ai, bi, ci, di, ei, fi], axis=-1)
    return tf.reshape(tf.cast(entries, tf.float32), tf.shape(matrix))
