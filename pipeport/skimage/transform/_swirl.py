"""`skimage.transform.swirl`."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import (
    AsReference,
    Boolean,
    Difference,
    Image,
    Integer,
    Maybe,
    OneOf,
    PerAxis,
    Point,
    Radians,
    Real,
    batchable,
    replaces,
)
from pipeport.kernels.inputs.arrays import as_tensor
from pipeport.kernels.sampling._maps import given
from pipeport.skimage.transform import _curved
from pipeport.skimage.transform._sampling import Sampling
from pipeport.skimage.transform._warp_arguments import out_size_of

# Coordinates of so many pixels at most are worked out while tracing, if nothing they depend on is a tensor:
# at 256x256 that saves three transcendental functions a pixel.
_CONSTANT = 2**20


def _no_radius(arguments: Mapping[str, Any]) -> bool:
    return bool(arguments.get("radius", 100) <= 0)


@replaces(
    "skimage.transform.swirl",
    domain={
        "image": Image(
            dtypes=("bool", "uint8", "uint16", "int32", "float16", "float32", "float64"), sides=(1, 9)
        ),
        "center": Maybe(spec=Point(low=-3.0, high=12.0, tensor=True)),
        "strength": Real(-10.0, 10.0, typical=10.0, tensor=True, per_element=True),
        "radius": Real(0.5, 100.0, typical=120.0, tensor=True),
        "rotation": Radians(-3.0, 3.0, tensor=True),
        "output_shape": Maybe(spec=PerAxis(spec=Integer(1, 9), count=2, single=False)),
        "order": OneOf(None, 0, 1, 2, 3, 4, 5),
        "mode": OneOf("constant", "edge", "symmetric", "reflect", "wrap"),
        "cval": OneOf(0, 1, 0.25, -0.5, 2.0),
        "clip": Boolean(),
        "preserve_range": Boolean(),
    },
    agreement=AsReference(
        coordinates_of="image", discontinuities="pipeport.references.discontinuities_curved.swirl"
    ),
    valid=_curved.interpolates_or_fits,
    differences=(
        Difference(
            "A `radius` of zero or less is refused; the reference turns pixels by arbitrary angles.",
            witness=lambda: {"image": np.ones((3, 3), np.float32), "radius": -1.0},
            applies=_no_radius,
        ),
        *_curved.differences(
            {"center": (0.0, 0.0)}, {"mode": "constant", "center": (9.0, 9.0), "rotation": 2.0}
        ),
    ),
)
@batchable
def swirl(
    batch_axes: int,
    image: Any,
    center: Any = None,
    strength: Any = 1,
    radius: Any = 100,
    rotation: Any = 0,
    output_shape: Any = None,
    order: int | None = None,
    mode: str = "reflect",
    cval: float = 0,
    clip: bool = True,
    preserve_range: bool = False,
) -> Any:
    """Turn an image about a point, the more the nearer to it.

    Parameters
    ----------
    image : tf.Tensor, shape (H, W) or (H, W, C), bool, integers or floats
        Integers are read on their full range (see `preserve_range`). Sizes may be unknown while
        tracing, the rank must be known.
    center : (float, float) or tensor of shape (2,), optional
        The point as (column, row); ``(W / 2, H / 2)`` when None.
    strength : float or scalar tensor, default 1
        Angle at the centre in radians.
    radius : float or scalar tensor, default 100
        Distance in pixels over which the angle falls to a thirty-second; above 0.
    rotation : float or scalar tensor, default 0
        Angle added everywhere, in radians.
    output_shape : (int, int), optional
        Height and width of the result; the image's when None.
    order : {0, 1, 2, 3, 4, 5}, optional
        Order of the spline; None is 0 for bool images, else 1.
    mode : {'constant', 'edge', 'symmetric', 'reflect', 'wrap'}, default 'reflect'
        Border rule, named as in `numpy.pad`.
    cval : float, default 0
        Value outside the image in mode 'constant', on the scale of the output; NaN where that is
        floating.
    clip : bool, default True
        Whether the output is clipped to the range of the input (`cval` included where it is reached).
    preserve_range : bool, default False
        Whether integer images keep their range instead of being scaled to [0, 1]
        (signed: [-1, 1]).

    Returns
    -------
    tf.Tensor, shape as `image`, or `output_shape`
        float64 for integer and float64 images, float32 for float16 and float32; order 0: dtype of
        the image (float32 for float16).

    Raises
    ------
    UnsupportedArgument
        `order` not from 0 to 5, a `mode` not listed, an order other than 0 for a bool image, or a
        tensor where a Python value is needed.
    OutsideDomain
        The image is empty or of another rank or dtype; a number is not finite, `radius` not above 0,
        `center` no pair, `output_shape` not positive.
    WrongType
        A number is not a number.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    Agreement: as accurate as the reference, judged against it in float64.
    `pipeport.config.scipy` decides whether short axes of 'symmetric', channels too, are filtered as in
    SciPy 1.17 or 1.18 at order 2 and above.

    Graph: sampling is compiled with XLA when traced with static sizes (`pipeport.config`). Coordinates
    are a constant unless they depend on a tensor. Static shape is kept.

    Source: `skimage/transform/_warps.py` of scikit-image 0.26; the angle is added by turning the
    vector from the centre, which needs no arctangent.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.transform import swirl
    >>> swirl(tf.eye(4), strength=10, radius=2).shape
    TensorShape([4, 4])
    """
    image = as_tensor(image, "image")
    how = Sampling.of(image, order, mode, cval, clip, preserve_range)
    batch, coloured = _curved.as_batch(image, batch_axes, "swirl")
    out = out_size_of(batch, output_shape)
    if center is None:
        middle = [batch.shape[2], batch.shape[1]]
        if None in middle:
            middle = [tf.cast(size, tf.float64) for size in (tf.shape(batch)[2], tf.shape(batch)[1])]
        x0, y0 = (size / 2 for size in middle)
    else:
        x0, y0 = _curved.pair(center, "center", batch_axes)
    turn, most = (
        _curved.column(rotation, "rotation", batch_axes),
        _curved.column(strength, "strength", batch_axes),
    )
    reach = _curved.positive(radius, "radius", batch_axes) / 5 * math.log(2)
    numbers = (x0, y0, turn, most, reach)
    if any(tf.is_tensor(value) for value in (*numbers, *out)) or out[0] * out[1] > _CONSTANT:
        spread = [tf.reshape(tf.convert_to_tensor(value, tf.float64), [-1, 1, 1]) for value in numbers]
        sides = [tf.range(tf.cast(size, tf.float64), dtype=tf.float64) for size in out]
        coordinates = _turned(tf, spread, sides)
    else:
        coordinates = tf.constant(_constant(numbers, out))
    result = _curved.sampled(batch, given, (coordinates,), out, how)
    return _curved.as_given(result, batch_axes, coloured)


@functools.lru_cache(maxsize=16)
def _constant(numbers: tuple[float, ...], out: tuple[int, int]) -> Any:
    return _turned(np, numbers, [np.arange(size, dtype=np.float64) for size in out])


def _turned(functions: Any, numbers: Any, sides: Any) -> Any:
    """Return coordinates (B or 1, 2, H, W), by the functions of NumPy or TensorFlow."""
    x0, y0, turn, most, reach = numbers
    y = sides[0][np.newaxis, :, np.newaxis] - y0
    x = sides[1][np.newaxis, np.newaxis, :] - x0
    angle = turn + most * functions.exp(-functions.sqrt(x * x + y * y) / reach)
    sin, cos = functions.sin(angle), functions.cos(angle)
    turned = (y0 + (x * sin + y * cos), x0 + (x * cos - y * sin))
    return functions.stack([_curved.not_below_zero_by_rounding(one, functions) for one in turned], axis=1)
