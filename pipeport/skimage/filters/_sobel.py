"""`skimage.filters.sobel`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import AsReference, Image, Maybe, OneOf, Shaped, batchable, replaces
from pipeport.kernels import xla
from pipeport.kernels.inputs.axes import axis_tuple, shifted
from pipeport.kernels.inputs.integers import whole_numbers
from pipeport.kernels.sampling._margins import cut, extended
from pipeport.skimage.filters import _arguments as arguments
from pipeport.skimage.util._masks import mask_of


def _magnitude(
    every: tuple[int, ...], axes: tuple[int, ...], weights: tuple[float, ...], rule: str
) -> Callable[[Any, Any], Any]:
    """Return what gives the differences along an axis, or their magnitude along several.

    `every`: the axes of an image. `axes`: those along which there are differences. `weights`: what the
    differences are multiplied by.
    """

    def run(x: Any, fill: Any) -> Any:
        wide = extended(x, every, rule, 1, fill)
        found = [
            _difference(wide, axis, [one for one in every if one != axis]) * tf.constant(weight, x.dtype)
            for axis, weight in zip(axes, weights, strict=True)
        ]
        if len(axes) == 1:
            return found[0]
        squares = tf.add_n([tf.square(one) for one in found])
        return tf.sqrt(squares) / tf.constant(math.sqrt(len(every)), x.dtype)

    return run


def _sides(wide: Any, axis: int) -> tuple[Any, Any, Any]:
    """Return an axis less a margin of one: moved back, in place, and moved on."""
    size = (wide.shape[axis] or tf.shape(wide)[axis]) - 2
    before, here, after = (cut(wide, axis, start, size) for start in range(3))
    return before, here, after


def _difference(wide: Any, axis: int, others: list[int]) -> Any:
    # What lies between the two sides has no weight: NaN there does not count.
    before, _, after = _sides(wide, axis)
    found = after - before
    for other in others:
        near, here, far = _sides(found, other)
        found = tf.constant(0.25, wide.dtype) * (near + far) + tf.constant(0.5, wide.dtype) * here
    return found


def _eroded(mask: Any, axes: tuple[int, ...]) -> Any:
    """Return where a mask holds for all neighbours too; beyond the ends it does not."""
    paddings = [[1, 1] if axis in axes else [0, 0] for axis in range(mask.shape.rank)]
    found = tf.pad(tf.cast(mask, tf.uint8), paddings)
    for axis in axes:
        before, here, after = _sides(found, axis)
        found = tf.minimum(tf.minimum(before, here), after)
    return found


def _fits(call: Mapping[str, Any]) -> bool:
    mask = call.get("mask")
    return mask is None or np.shape(mask) == np.shape(call["image"])


@replaces(
    "skimage.filters.sobel",
    domain={
        "image": Image(dtypes=arguments.DTYPES, channels=(None, None, 1, 3), sides=(1, 9)),
        "mask": Maybe(spec=Shaped(shape=("image.0", "image.1"), dtypes=("bool",), values=(0.0, 1.0))),
        "axis": OneOf(None, None, 0, -1, (0, 1), typical=None),
        "mode": arguments.MODES,
        "cval": OneOf(0.0, 1.0, 0.25, -0.5),
    },
    agreement=AsReference(),
    valid=_fits,
)
@batchable
def sobel(
    batch_axes: int, image: Any, mask: Any = None, *, axis: Any = None, mode: str = "reflect", cval: Any = 0.0
) -> Any:
    """Return how steep an image is, by Sobel's weights.

    Parameters
    ----------
    image : array_like, 1 to 5 axes, bool, integers or floats
        The image. Sizes may be unknown while tracing.
    mask : array_like, shape of `image`, optional
        Where there is a result; a neighbour outside of it makes a pixel 0.
    axis : int or tuple of int, optional
        Along which axes there are differences; all when None, so that channels are an axis like the others.
        As in the reference, a difference along a negative axis is a quarter of that along the same axis
        counted from 0.
    mode : str, default 'reflect'
        What lies beyond the ends: 'reflect', 'constant', 'nearest', 'mirror' or 'wrap'.
    cval : float, default 0.0
        Value beyond the ends in mode 'constant', on the scale of the result.

    Returns
    -------
    tf.Tensor, shape of `image`
        The difference along one axis, with its sign; along several the root of the sum of their squares,
        divided by that of the number of axes of the image. float64 for integer, bool and float64 images, of
        which integers count in parts of the largest value; float32 for float16 and float32.

    Raises
    ------
    BadAxis
        The image has no such axis.
    OutsideDomain
        `mask` has another shape, or the image another dtype.
    UnsupportedArgument
        A `mode` not listed, an axis that comes twice, or an unknown rank.
    WrongType
        An argument is not a number where one is needed, for instance text.

    Notes
    -----
    Agreement: as accurate as the reference, judged against it in float64.
    Graph: one compiled program where sizes are known. Static shape is kept.

    Source: `skimage/filters/edges.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.filters import sobel
    >>> sobel(tf.constant([[0.0, 1.0, 3.0]] * 3), axis=1).numpy().tolist()
    [[1.0, 3.0, 2.0], [1.0, 3.0, 2.0], [1.0, 3.0, 2.0]]
    """
    x = arguments.image_of(image, False, batch_axes)
    rank = x.shape.rank - batch_axes
    axes = tuple(range(rank)) if axis is None else axis_tuple(axis, rank)
    # Along an axis that it counts from the end the reference smooths, too.
    weights = (
        (1.0,) * rank
        if axis is None
        else tuple(0.25 if one < 0 else 1.0 for one in whole_numbers(axis, "axis"))
    )
    rule, fill = arguments.rule_of(mode), arguments.fill_of(cval)
    every = shifted(range(rank), batch_axes)
    if x.shape.num_elements() == 0:
        found = x
    else:
        found = xla.run(_magnitude, every, shifted(axes, batch_axes), weights, rule)(x, fill)
    if mask is not None:
        found *= tf.cast(_eroded(mask_of(mask, x, batch_axes), every), x.dtype)
    return tf.ensure_shape(found, x.shape)
