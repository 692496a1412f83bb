"""`cv2.getRotationMatrix2D`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Degrees, Point, Real, Within, batchable, replaces
from pipeport.cv2._matrices import VERSIONS, at_once
from pipeport.errors import WrongType, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.xla._rounding import minus, plus


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
    rest = minus(tf.ones_like(alpha), alpha)
    third = minus(rest * x, beta * y)
    sixth = plus(beta * x, rest * y)
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
    proven_against=VERSIONS,
)
@batchable
def getRotationMatrix2D(batch_axes: int, center: Any, angle: Any, scale: Any) -> Any:
    """Return the matrix of a rotation about a point.

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
    numbers = (_number(value, name, batch_axes) for name, value in (("angle", angle), ("scale", scale)))
    return at_once(_rotation, _center(center, 1 + batch_axes), *numbers)
