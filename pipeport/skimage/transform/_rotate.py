"""`skimage.transform.rotate`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import (
    AsReference,
    Boolean,
    CannotServe,
    Degrees,
    Difference,
    Image,
    Maybe,
    OneOf,
    Peer,
    Point,
    Stock,
    batchable,
    replaces,
)
from pipeport.kernels.inputs.arrays import as_tensor
from pipeport.skimage.transform import _curved
from pipeport.skimage.transform._rotate_arguments import OUTPUTS, dtype_wanted
from pipeport.skimage.transform._rotating import rotated
from pipeport.skimage.transform._sampling import Sampling


def _valid(arguments: Mapping[str, Any]) -> bool:
    image = np.asarray(arguments["image"])
    if image.dtype.kind == "f" and arguments.get("order") in (2, 4, 5) and np.isinf(image).any():
        return False  # what the spline's recursion makes of infinities is nobody's promise
    order, dtype = arguments.get("order"), arguments.get("dtype")
    if image.dtype == bool and order not in (None, 0):
        return False
    interpolated = image.dtype != bool and order != 0
    if not interpolated:
        # What a number that fits into no byte becomes as a truth value is the machine's choice.
        return dtype is None and (image.dtype != bool or abs(arguments.get("cval", 0)) < 2)
    return dtype in (None, "float32", "float64") or bool(arguments.get("preserve_range", False))


def _nothing_but_nan(arguments: Mapping[str, Any]) -> bool:
    image = np.asarray(arguments["image"])
    return image.dtype.kind == "f" and bool(np.isnan(image).all())


def _infinite_and_cubic(arguments: Mapping[str, Any]) -> bool:
    image = np.asarray(arguments["image"])
    return image.dtype.kind == "f" and arguments.get("order") == 3 and bool(np.isinf(image).any())


def _angle_is_not_finite(arguments: Mapping[str, Any]) -> bool:
    return not math.isfinite(float(arguments["angle"]))


def _resized_by_tensor(arguments: Mapping[str, Any]) -> bool:
    angle = arguments.get("angle", 0.0)
    return bool(arguments.get("resize", False)) and (
        tf.is_tensor(angle) or tf.is_tensor(arguments.get("center"))
    )


def _resized_by_tensor_and_spline(arguments: Mapping[str, Any]) -> bool:
    return _resized_by_tensor(arguments) and (arguments.get("order") or 0) > 1


@replaces(
    "skimage.transform.rotate",
    domain={
        "image": Image(dtypes=("bool", "uint8", "uint16", "int32", "float16", "float32", "float64")),
        "angle": Degrees(-720.0, 720.0, typical=30.0, tensor=True, per_element=True),
        "resize": Boolean(),
        "center": Maybe(spec=Point(low=-3.0, high=12.0, tensor=True)),
        "order": OneOf(None, 0, 1, 2, 3, 4, 5),
        "mode": OneOf("constant", "edge", "symmetric", "reflect", "wrap"),
        "cval": OneOf(0, 1, 0.25, -0.5, 2.0),
        "clip": Boolean(),
        "preserve_range": Boolean(),
    },
    extra={"dtype": OneOf(*OUTPUTS)},
    agreement=AsReference(
        coordinates_of="image", discontinuities="pipeport.references.discontinuities.rotate"
    ),
    valid=_valid,
    differences=(
        Difference(
            "A NaN or infinite `angle` or `center` is refused; the reference returns an arbitrary image.",
            witness=lambda: {"image": np.ones((3, 3), np.float32), "angle": math.nan},
            applies=_angle_is_not_finite,
        ),
        Difference(
            "An image of nothing but NaN keeps `cval` outside; the reference, whose clipping limits are "
            "then NaN, returns NaN everywhere.",
            witness=lambda: {"image": np.full((9, 9), np.nan, np.float32), "angle": 45.0},
            applies=_nothing_but_nan,
            only={"image": "f"},
        ),
        Difference(
            "An infinite pixel under order 3 makes those around it NaN or infinite, elsewhere than in the "
            "reference.",
            witness=lambda: {"image": np.diag([1.0, 2.0, np.inf, 2.0, 3.0]), "angle": 20.0, "order": 3},
            applies=_infinite_and_cubic,
            only={"image": "f", "order": (3,)},
        ),
    ),
    cannot_serve=(
        CannotServe(
            "xla",
            "with `resize=True` and a tensor `angle` or `center` the output size is a run-time value; "
            "orders 0 and 1 are served all the same",
            witness=lambda: {
                "image": np.ones((4, 6), np.float32),
                "angle": tf.constant(30.0),
                "resize": True,
                "order": 3,
            },
            when=_resized_by_tensor_and_spline,
        ),
        CannotServe(
            "batched",
            "with `resize=True` and one angle or centre per element the outputs differ in size",
            witness=lambda: {
                "image": np.ones((2, 4, 6), np.float32),
                "angle": tf.constant([30.0, 45.0]),
                "resize": True,
            },
            when=_resized_by_tensor,
        ),
    ),
    stock=Stock(
        "tf.raw_ops.ImageProjectiveTransformV3",
        "the kernel of TensorFlow Addons and Keras RandomRotation: no range conversion, float32 "
        "coordinates, bytes truncated, another wrap, no reflect",
        "pipeport.references.stock.rotate",
    ),
    peers=(
        Peer(
            "cv2.warpAffine",
            "1/32 pixel steps in OpenCV 4, no range conversion",
            "pipeport.references.peers.rotate_cv2",
        ),
    ),
)
@batchable
def rotate(
    batch_axes: int,
    image: Any,
    angle: Any,
    resize: bool = False,
    center: Any = None,
    order: int | None = None,
    mode: str = "constant",
    cval: float = 0,
    clip: bool = True,
    preserve_range: bool = False,
    *,
    dtype: str | None = None,
) -> Any:
    """Rotate an image by an angle about a point.

    Parameters
    ----------
    image : tf.Tensor, shape (H, W) or (H, W, C), bool, integers or floats
        Integers are read on their full range (see `preserve_range`). H, W and C may be
        unknown while tracing, the rank must be known.
    angle : float or scalar tensor
        Degrees, counter-clockwise; finite.
    resize : bool, default False
        Whether the output grows so that the whole rotated image fits. With a tensor `angle`
        or unknown sizes the output's size is a run-time value.
    center : (float, float) or tensor of shape (2,), optional
        Centre of rotation as (column, row); ``((W - 1) / 2, (H - 1) / 2)`` when None.
    order : {0, 1, 2, 3, 4, 5}, optional
        Interpolation: 0 nearest, 1 linear, 3 cubic convolution; 2, 4 and 5 splines. None is 0 for
        bool images, else 1.
    mode : {'constant', 'edge', 'symmetric', 'reflect', 'wrap'}, default 'constant'
        Border rule, named as in `numpy.pad`.
    cval : float, default 0
        Value outside the image in mode 'constant', on the scale of the output; NaN where that is
        floating.
    clip : bool, default True
        Whether the output is clipped to the range of the input (`cval` included, as soon as
        one output pixel lies wholly outside the image).
    preserve_range : bool, default False
        Whether integer images keep their range instead of being scaled to [0, 1]
        (signed: [-1, 1]).
    dtype : {'uint8', 'uint16', 'int32', 'float32', 'float64'}, optional
        Ours, keyword-only: dtype of the result. Integers are rounded to nearest even and
        saturated, and need ``preserve_range=True``. None follows the reference.

    Returns
    -------
    tf.Tensor, shape as `image` (larger with `resize`)
        Order 1: float64 for integer and float64 images, float32 for float16 and float32, or
        `dtype`. Order 0: dtype of the image (float32 for float16).

    Raises
    ------
    UnsupportedArgument
        `order` above 5, `mode` or `dtype` not listed, an order other than 0 for a bool image,
        `dtype` without interpolation, or a tensor where a Python value is needed.
    OutsideDomain
        The image is empty, has another rank or dtype, or `angle`, `center` is not a finite
        number, `cval` infinite, or NaN for integers.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    Agreement: as accurate as the reference, judged against it in float64. Coordinates are
    float64 for every image dtype: that costs nothing here, and on 256 px float32 images the
    largest error is 1.2e-7 where the reference's float32 coordinates give 2.7e-5.
    `pipeport.config.scipy` decides whether short axes of 'symmetric', channels too, are filtered as in
    SciPy 1.17 or 1.18 at order 2 and above.

    Graph: compiled with XLA when traced (`pipeport.config`); with unknown sizes, per size
    bucket. Static shape is kept.

    Source: `skimage/transform/_warps.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.transform import rotate
    >>> image = tf.constant([[0.0, 1.0], [0.0, 0.0]])
    >>> rotate(image, 90).numpy().round(6).tolist()
    [[1.0, 0.0], [0.0, 0.0]]
    """
    image = as_tensor(image, "image")
    images, coloured = _curved.as_batch(image, batch_axes, "rotate")
    wanted = dtype_wanted(dtype)
    how = Sampling.of(image, order, mode, cval, clip, preserve_range, wanted)
    result = rotated(images, angle, resize, center, how, wanted, batch_axes > 0)
    return _curved.as_given(result, batch_axes, coloured)
