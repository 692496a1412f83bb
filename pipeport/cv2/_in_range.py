"""`cv2.inRange`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Difference, Exact, Image, PerAxis, Real, batchable, replaces
from pipeport.cv2 import _images
from pipeport.cv2 import _operands as ops
from pipeport.cv2._per_pixel import per_pixel

_INSIDE = 255
_SCALAR = 4  # numbers in OpenCV's Scalar


def _bound(value: Any, parameter: str, channels: int, batch_axes: int) -> Any:
    """Return a bound as (C,) of float64, or (B, 1, 1, C) where each image of a batch has its own."""
    numbers = ops.entries_of(value, channels, parameter, several=bool(batch_axes), one=False)
    return numbers[:, tf.newaxis, tf.newaxis, :] if numbers.shape.rank == 2 else numbers


def _kernel() -> Callable[..., Any]:
    def inside(x: Any, low: Any, high: Any) -> Any:
        """Return 255 where all channels lie between two bounds, else 0."""
        wide = tf.int32 if x.dtype.is_integer else x.dtype
        if x.dtype.is_integer:
            low, high = ops.whole(low, wide), ops.whole(high, wide)
        pixel = tf.cast(x, wide)
        between = (pixel >= tf.cast(low, wide)) & (pixel <= tf.cast(high, wide))
        return tf.where(tf.reduce_all(between, -1), tf.constant(_INSIDE, tf.uint8), tf.constant(0, tf.uint8))

    return inside


def _in_a_column(arguments: Mapping[str, Any]) -> bool:
    """Whether four floats stand in a column, as the numbers do for which OpenCV takes them."""
    image = np.asarray(arguments["src"])
    return 0 in image.shape or (image.dtype == np.float64 and image.shape in ((_SCALAR, 1), (_SCALAR, 1, 1)))


@replaces(
    "cv2.inRange",
    domain={
        "src": Image(dtypes=ops.DTYPES, channels=ops.CHANNELS),
        "lowerb": PerAxis(spec=Real(-300.0, 300.0, tensor=True), count=4, typical=(40.0, 40.0, 40.0, 0.0)),
        "upperb": PerAxis(spec=Real(-300.0, 300.0, tensor=True), count=4, typical=(200.0, 200.0, 200.0, 0.0)),
    },
    agreement=Exact(),
    refused={"dst": "tensors are not written in place"},
    differences=(
        Difference(
            "Numbers beside a float64 image of four rows, one column and one channel count as elsewhere; "
            "OpenCV takes them for images.",
            witness=lambda: {
                "src": np.full((4, 1), 7.0), "lowerb": (1.0, 9.0, 1.0, 1.0), "upperb": (9.0, 9.0, 9.0, 9.0),
            },
            applies=_in_a_column,
            only={"src": "f"},
        ),
    ),
)  # fmt: skip
@batchable
def inRange(batch_axes: int, src: Any, lowerb: Any, upperb: Any, dst: Any = None) -> Any:
    """Say where the channels of an image lie between two bounds each: the mask of a colour.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W) or (H, W, C)
        The image: integers of up to 32 bits, float32 or float64; H and W may be unknown while tracing.
    lowerb, upperb : array_like, C numbers, or number
        The bounds, which belong to the range, one per channel; of up to three channels also four numbers, of
        which the last ones do not count. **A single number bounds the first channel alone, with 0 for the
        others.** Beside integers they are rounded to even. Images as bounds are refused.

    Returns
    -------
    tf.Tensor, shape (H, W), uint8
        255 inside, else 0.

    Raises
    ------
    OutsideDomain
        The image is empty, or has another rank or dtype.
    UnsupportedArgument
        A bound has another number of entries, `dst` is given, or rank or channels are unknown while tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty.

    Notes
    -----
    Agreement: bit for bit. NaN lies nowhere.
    Graph: one program; where sizes are unknown, one per bucket of sizes. Static shape is kept.

    Examples
    --------
    >>> import numpy as np, tensorflow as tf
    >>> from pipeport import cv2
    >>> image = tf.constant([[[30, 200, 9], [90, 200, 9]]], tf.uint8)
    >>> cv2.inRange(image, np.array([20, 100, 0]), np.array([40, 255, 255])).numpy().tolist()
    [[255, 0]]
    """
    _images.refuse_dst(dst)
    x = ops.image_of(src, batch_axes, "src")
    bounds = [
        _bound(value, name, x.shape[3], batch_axes)
        for name, value in (("lowerb", lowerb), ("upperb", upperb))
    ]
    found = per_pixel(_kernel, images=[x], numbers=bounds)
    return found if batch_axes else found[0]
