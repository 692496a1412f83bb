"""`tensorflow_addons.image.adjust_hsv_in_yiq`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import (
    Difference,
    Image,
    OneOf,
    Radians,
    Real,
    Within,
    WithinLevels,
    batchable,
    replaces,
)
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.xla._materialize import opaque_true
from pipeport.tensorflow_addons.image import _arguments
from pipeport.tensorflow_addons.image._filled import aliases_of

_DTYPES = ("uint8", "float32", "float64")
_TO_YIQ = ((0.299, 0.596, 0.211), (0.587, -0.274, -0.523), (0.114, -0.322, 0.312))
_FROM_YIQ = ((1.0, 1.0, 1.0), (0.95617069, -0.2726886, -1.103744), (0.62143257, -0.64681324, 1.70062309))


def _matrix(hue: Any, saturation: Any, value: Any) -> Any:
    """Return what pixels are multiplied by, (3, 3), or one for each element of a batch."""
    cosine, sine = value * saturation * tf.cos(hue), value * saturation * tf.sin(hue)
    zero = tf.zeros_like(cosine)
    value = value + zero
    rows = [[value, zero, zero], [zero, cosine, sine], [zero, -sine, cosine]]
    turned = tf.stack([tf.stack(row, -1) for row in rows], -2)
    return tf.constant(_TO_YIQ, hue.dtype) @ turned @ tf.constant(_FROM_YIQ, hue.dtype)


def _leaves_the_range(arguments: Mapping[str, Any]) -> bool:
    image = np.asarray(arguments["image"])
    if image.dtype.kind == "f" or image.ndim < 3 or image.shape[-1] != 3:
        return False
    hue, saturation, value = (
        np.float64(arguments.get(one, default))
        for one, default in (("delta_hue", 0), ("scale_saturation", 1), ("scale_value", 1))
    )
    cosine, sine = value * saturation * np.cos(hue), value * saturation * np.sin(hue)
    matrix = np.array(_TO_YIQ) @ [[value, 0, 0], [0, cosine, sine], [0, -sine, cosine]] @ np.array(_FROM_YIQ)
    found = image.astype(np.float64) @ matrix
    return bool((found < 0.01).any() or (found > 254.99).any())


def _is_a_float32(arguments: Mapping[str, Any]) -> bool:
    """Say that no number is zero in float32 alone, in which the reference computes."""
    numbers = (arguments.get(name, 1) for name in ("delta_hue", "scale_saturation", "scale_value"))
    return all(number == 0 or abs(number) > 1e-20 for number in numbers)


@replaces(
    "tensorflow_addons.image.adjust_hsv_in_yiq",
    domain={
        "image": Image(dtypes=_DTYPES, channels=(3,)),
        "delta_hue": Radians(-4.0, 4.0, typical=0.5, tensor=True, per_element=True),
        "scale_saturation": Real(0.0, 2.0, typical=0.7, tensor=True, per_element=True),
        "scale_value": Real(0.0, 2.0, typical=1.2, tensor=True, per_element=True),
        "name": OneOf(None, "hue"),
    },
    agreement=WithinLevels(1, 0.1, floats=Within(4e-6, "sums of six products in another order")),
    aliases=aliases_of("distort_image_ops", "adjust_hsv_in_yiq"),
    valid=_is_a_float32,
    differences=(
        Difference(
            "Bytes beyond 0 to 255 saturate; in the reference the processor decides, and most wrap around.",
            witness=lambda: {"image": np.full((1, 1, 3), 200, np.uint8), "scale_value": 1.5},
            applies=_leaves_the_range,
            only={"image": "u"},
        ),
    ),
)
@batchable
def adjust_hsv_in_yiq(
    batch_axes: int,
    image: Any,
    delta_hue: Any = 0,
    scale_saturation: Any = 1,
    scale_value: Any = 1,
    name: str | None = None,
) -> Any:
    """Turn the hue of RGB images, and scale their saturation and value, in YIQ.

    Parameters
    ----------
    image : tf.Tensor, shape (..., H, W, 3), uint8, float32 or float64
        Floating values are not limited. Sizes and rank may be unknown while tracing.
    delta_hue : float or scalar tensor, default 0
        Radians. Finite, as the scales.
    scale_saturation, scale_value : float or scalar tensor, default 1
        Factors of the colours, and of all.
    name : str, optional
        Name scope of the operations.

    Returns
    -------
    tf.Tensor, shape and dtype of `image`
        Bytes are cut off, and saturate.

    Raises
    ------
    OutsideDomain
        Another dtype, less than three axes, not three channels, or a number that is not finite.
    WrongType
        `image` is not an array of numbers, or a parameter no number.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    Agreement: within 4e-6 on values in [-1, 1], and a level of bytes. Other dtypes are refused: the
    reference rounds larger integers to float32, and each step of float16.
    Graph: no Python at run time; static shape is kept.

    Source: `tensorflow_addons/image/distort_image_ops.py` 0.23.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.tensorflow_addons.image import adjust_hsv_in_yiq
    >>> grey = adjust_hsv_in_yiq(tf.constant([[[1.0, 0.0, 0.0]]]), scale_saturation=0.0)
    >>> [round(float(level), 3) for level in grey[0, 0]]
    [0.299, 0.299, 0.299]
    """
    with tf.name_scope(name or "adjust_hsv_in_yiq"):
        x = _arguments.tensor_of(image, "image")
        _checks.dtype_among(x, _DTYPES, "image")
        rank, allowed = x.shape.rank, "three axes or more, the last of three channels"
        if rank is not None and (rank < 3 + batch_axes or x.shape[-1] not in (3, None)):
            raise OutsideDomain(explain("image", f"shape {x.shape}", allowed, "Give RGB images."))
        floats = tf.image.convert_image_dtype(x, tf.float32) if x.dtype.is_integer else x
        numbers = (
            tf.cast(_checks.finite_scalar(value, parameter, batch=batch_axes > 0), floats.dtype)
            for value, parameter in (
                (delta_hue, "delta_hue"),
                (scale_saturation, "scale_saturation"),
                (scale_value, "scale_value"),
            )
        )
        matrix = _matrix(*numbers)
        if matrix.shape.rank == 3:
            matrix = tf.reshape(matrix, tf.concat([[-1], tf.ones_like(tf.shape(x)[2:-1]), [3, 3]], 0))
        # A known matrix of zeros would be zero times NaN, too.
        matrix = tf.where(opaque_true(floats), matrix, tf.ones_like(matrix))
        found = tf.ensure_shape(tf.matmul(floats, matrix), x.shape)
        return tf.image.convert_image_dtype(found, x.dtype, saturate=True)
