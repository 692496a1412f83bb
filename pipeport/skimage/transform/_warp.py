"""`skimage.transform.warp`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport.contract import (
    AsReference,
    Boolean,
    Difference,
    Image,
    Integer,
    Matrix,
    Maybe,
    OneOf,
    PerAxis,
    batchable,
    replaces,
)
from pipeport.errors import UnsupportedArgument, explain
from pipeport.kernels.inputs.arrays import as_tensor
from pipeport.skimage.transform import _curved
from pipeport.skimage.transform._sampling import Sampling
from pipeport.skimage.transform._warp_arguments import map_of
from pipeport.skimage.transform._warping import at_coordinates, warped


def _horizon(arguments: Mapping[str, Any]) -> bool:
    """Whether some output pixel lies on or beside the line that the map sends to infinity."""
    matrix = np.asarray(arguments["inverse_map"], np.float64)
    shape = arguments.get("output_shape") or np.shape(arguments["image"])[:2]
    if matrix.shape != (3, 3) or not np.isfinite(matrix).all():
        return True
    rows, columns = np.indices((int(shape[0]), int(shape[1])))
    scale = matrix[2, 0] * columns + matrix[2, 1] * rows + matrix[2, 2]
    size = np.abs(matrix[2]).max() * max(1, *shape)
    return bool((np.abs(scale) <= 1e-3 * size).any())


def _valid(arguments: Mapping[str, Any]) -> bool:
    image = np.asarray(arguments["image"])
    if image.dtype.kind == "f" and arguments.get("order") in (2, 4, 5) and np.isinf(image).any():
        return False  # what the spline's recursion makes of infinities is nobody's promise
    order = arguments.get("order")
    if _horizon(arguments):
        return False
    # What a number that fits into no byte becomes as a truth value is the machine's choice.
    return image.dtype != bool or (order in (None, 0) and abs(arguments.get("cval", 0.0)) < 2)


def _nothing_but_nan(arguments: Mapping[str, Any]) -> bool:
    image = np.asarray(arguments["image"])
    return image.dtype.kind == "f" and bool(np.isnan(image).all())


def _infinite(arguments: Mapping[str, Any]) -> bool:
    image = np.asarray(arguments["image"])
    return image.dtype.kind == "f" and arguments.get("order") == 3 and bool(np.isinf(image).any())


@replaces(
    "skimage.transform.warp",
    domain={
        "image": Image(
            dtypes=("bool", "uint8", "uint16", "int32", "float16", "float32", "float64"), sides=(1, 9)
        ),
        "inverse_map": Matrix(
            rows=3, columns=3, kind="projective", singular=True, tensor=True, per_element=True, element_rank=2
        ),
        "map_args": OneOf(None),
        "output_shape": Maybe(spec=PerAxis(spec=Integer(1, 9), count=2, single=False)),
        "order": OneOf(None, 0, 1, 2, 3, 4, 5),
        "mode": OneOf("constant", "edge", "symmetric", "reflect", "wrap"),
        "cval": OneOf(0.0, 1.0, 0.25, -0.5, 2.0),
        "clip": Boolean(),
        "preserve_range": Boolean(),
    },
    agreement=AsReference(coordinates_of="image", discontinuities="pipeport.references.discontinuities.warp"),
    valid=_valid,
    differences=(
        Difference(
            "An infinite pixel under order 3 makes those around it NaN or infinite, elsewhere than in the "
            "reference.",
            witness=lambda: {
                "image": np.diag([1.0, 2.0, np.inf, 2.0, 3.0]),
                "inverse_map": np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.25], [0.0, 0.0, 1.0]]),
                "order": 3,
            },
            applies=_infinite,
            only={"image": "f", "order": (3,)},
        ),
        Difference(
            "An image of nothing but NaN keeps `cval` outside; the reference, whose clipping limits are "
            "then NaN, returns NaN everywhere.",
            witness=lambda: {
                "image": np.full((3, 3), np.nan, np.float32),
                "inverse_map": np.array([[1.0, 0.0, 5.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
            },
            applies=_nothing_but_nan,
            only={"image": "f"},
        ),
    ),
)
@batchable
def warp(
    batch_axes: int,
    image: Any,
    inverse_map: Any,
    map_args: Mapping[str, Any] | None = None,
    output_shape: Any = None,
    order: int | None = None,
    mode: str = "constant",
    cval: float = 0.0,
    clip: bool = True,
    preserve_range: bool = False,
) -> Any:
    """Warp an image through a map of coordinates.

    Parameters
    ----------
    image : tf.Tensor, shape (H, W) or (H, W, C), bool, integers or floats
        Integers are read on their full range (see `preserve_range`). Sizes may be unknown while
        tracing, the rank must be known. With an array of coordinates any rank up to 8 is taken.
    inverse_map : matrix, transform, callable or coordinates
        From output to input. A matrix (3, 3) of (column, row, 1), array or tensor; an object with
        such a matrix as `params`, as all transforms of `pipeport.skimage.transform` (and of
        scikit-image) have; a function of (P, 2) points (column, row), which is traced once and
        must work on tensors; or coordinates (rank of `image`, ...) as `map_coordinates` takes them.
    map_args : dict, optional
        Keyword arguments for a callable.
    output_shape : (int, int) or (int, int, C), optional
        Height and width of the result; the image's when None.
    order : {0, 1, 2, 3, 4, 5}, optional
        Interpolation: 0 nearest, 1 linear, 3 cubic; None is 0 for bool images, else 1. As in the
        reference order 3 is cubic convolution for matrices and transforms, a spline otherwise.
    mode : {'constant', 'edge', 'symmetric', 'reflect', 'wrap'}, default 'constant'
        Border rule, named as in `numpy.pad`.
    cval : float, default 0.0
        Value outside the image in mode 'constant', on the scale of the output; NaN where that is
        floating.
    clip : bool, default True
        Whether the output is clipped to the range of the input (`cval` included where it is reached).
    preserve_range : bool, default False
        Whether integer images keep their range instead of being scaled to [0, 1]
        (signed: [-1, 1]).

    Returns
    -------
    tf.Tensor, shape (height, width) or (height, width, C)
        float64 for integer and float64 images, float32 for float16 and float32; order 0: dtype of
        the image.

    Raises
    ------
    UnsupportedArgument
        `order` not from 0 to 5, a `mode` not listed, an order other than 0 for a bool image, or a
        tensor where a Python value is needed.
    OutsideDomain
        The image is empty or of another rank or dtype; a matrix of another shape or not finite;
        `output_shape` not positive; `cval` infinite, or NaN for integers that are picked.
    WrongType
        `inverse_map` is none of those things, or a callable that needs NumPy arrays.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    Pixels at which a projective map divides by zero, or by next to nothing, are outside the domain:
    in the reference what is read there depends on the order and on the machine.

    Agreement: as accurate as the reference, judged against it in float64.
    `pipeport.config.scipy` decides whether short axes of 'symmetric', channels too, are filtered as in
    SciPy 1.17 or 1.18 at order 2 and above.

    Graph: compiled with XLA when traced (`pipeport.config`); unknown sizes through a matrix or a
    transform per size bucket, through callables and coordinates not at all. Static shape is kept.

    Source: `skimage/transform/_warps.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.transform import AffineTransform, warp
    >>> image = tf.constant([[0.0, 1.0], [2.0, 3.0]])
    >>> warp(image, AffineTransform(translation=(1, 0))).numpy().tolist()
    [[1.0, 0.0], [3.0, 0.0]]
    """
    image = as_tensor(image, "image")
    how = Sampling.of(image, order, mode, cval, clip, preserve_range)
    found = map_of(inverse_map, batch_axes > 0)
    if found is None and not callable(inverse_map):
        if not batch_axes:
            return at_coordinates(image, inverse_map, how)
        advice = "Use pipeport.scipy.ndimage.map_coordinates, which takes coordinates per image."
        raise UnsupportedArgument(
            explain("inverse_map", "coordinates for a batch", "matrices, a transform or a callable", advice)
        )
    images, coloured = _curved.as_batch(image, batch_axes, "warp")
    result = warped(images, inverse_map, found, map_args, output_shape, how)
    return _curved.as_given(result, batch_axes, coloured)
