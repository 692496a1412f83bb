"""`skimage.transform.rescale`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Array, AsReference, Boolean, Maybe, OneOf, PerAxis, Real, batchable, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs.arrays import static_value
from pipeport.kernels.inputs.axes import one_axis
from pipeport.skimage.transform._resize_arguments import image_of
from pipeport.skimage.transform._resize_promise import CVALS, DTYPES, MODES, fits
from pipeport.skimage.transform._resizing import resized
from pipeport.skimage.transform._sampling import Sampling


def _scales(arguments: Mapping[str, Any]) -> bool:
    """As `fits`, and sizes follow the scale: a side that is one pixel whatever it was says nothing."""
    shape = np.shape(arguments["image"])
    scale = np.atleast_1d(np.asarray(arguments["scale"], np.float64))
    if len(scale) not in (1, len(shape)):
        return fits(arguments)
    now, grown = (np.maximum(np.round(scale * np.add(shape, more)), 1) for more in (0, 3))
    return bool((now != grown).all()) and fits(arguments)


@replaces(
    "skimage.transform.rescale",
    domain={
        "image": Array(dtypes=DTYPES, ranks=(2, 3), sides=(1, 8), values=(-1.0, 1.0)),
        "scale": PerAxis(spec=Real(0.2, 2.5), of="image", typical=0.875),
        "order": OneOf(None, 0, 1, 2, 3, 4, 5),
        "mode": MODES,
        "cval": CVALS,
        "clip": Boolean(),
        "preserve_range": Boolean(),
        "anti_aliasing": OneOf(None, True, False),
        "anti_aliasing_sigma": Maybe(spec=Real(0.0, 2.0)),
        "channel_axis": OneOf(None, typical=-1),
    },
    agreement=AsReference(
        coordinates_of="image", discontinuities="pipeport.references.discontinuities.rescale"
    ),
    valid=_scales,
)
@batchable
def rescale(
    batch_axes: int,
    image: Any,
    scale: Any,
    order: int | None = None,
    mode: str = "reflect",
    cval: float = 0,
    clip: bool = True,
    preserve_range: bool = False,
    anti_aliasing: bool | None = None,
    anti_aliasing_sigma: Any = None,
    *,
    channel_axis: int | None = None,
) -> Any:
    """Resize an image by a factor.

    Parameters
    ----------
    image : tf.Tensor, 1 to 6 axes, bool, integers or floats
        Image or volume; every axis is scaled but `channel_axis`. Sizes may be unknown while
        tracing, the rank must be known.
    scale : float or one per axis that is scaled
        Factors, Python numbers: each side becomes ``max(1, round(side * scale))``.
    order : {0, 1, 2, 3, 4, 5}, optional
        Order of the spline; None is 0 for bool images, else 1.
    mode : {'constant', 'edge', 'symmetric', 'reflect', 'wrap'}, default 'reflect'
        Border rule, named as in `numpy.pad`.
    cval : float, default 0
        Value outside the image in mode 'constant', on the scale of the output; NaN where that is
        floating.
    clip : bool, default True
        Whether the output is clipped to the range of the input.
    preserve_range : bool, default False
        Whether integer images keep their range instead of being scaled to [0, 1]
        (signed: [-1, 1]).
    anti_aliasing : bool, optional
        Whether to smooth with a Gaussian first; as in `resize`.
    anti_aliasing_sigma : float or one per axis, optional
        Standard deviation of that Gaussian in pixels; as in `resize`.
    channel_axis : int, optional
        The axis that is not scaled.

    Returns
    -------
    tf.Tensor
        The resized image; dtype as of `resize`.

    Raises
    ------
    UnsupportedArgument
        `order` not from 0 to 5, a `mode` not listed, anti-aliasing of bool images, or of integers with
        order 0 and a sigma that follows from unknown sizes; an order other than 0 for a bool image,
        more than 6 axes, or a tensor where a Python value is needed.
    OutsideDomain
        The image is empty or of a dtype scikit-image does not take; `scale` has another length than
        the axes that are scaled, or is not finite; a sigma is negative; `cval` is infinite, or NaN
        for integers.
    BadAxis
        The image has no such `channel_axis`.
    WrongType
        An argument is not a number where one is needed, for instance text.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    Agreement: as accurate as the reference, judged against it in float64.
    `pipeport.config.scipy` decides whether short axes of 'symmetric', channels too, are filtered as in
    SciPy 1.17 or 1.18 at order 2 and above.

    Graph: as `resize`.

    Source: `skimage/transform/_warps.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.transform import rescale
    >>> rescale(tf.zeros([10, 20, 3]), 0.5, channel_axis=-1).shape
    TensorShape([5, 10, 3])
    """
    images = image_of(image, 1 + batch_axes)
    how = Sampling.of(images, order, mode, cval, clip, preserve_range)
    images = images if batch_axes else images[tf.newaxis]
    found = _rescaled(images, scale, how, anti_aliasing, anti_aliasing_sigma, channel_axis)
    return found if batch_axes else tf.squeeze(found, [0])


def _rescaled(
    images: Any,
    scale: Any,
    how: Sampling,
    anti_aliasing: Any,
    anti_aliasing_sigma: Any,
    channel_axis: Any,
) -> Any:
    rank = images.shape.rank - 1
    channel = None if channel_axis is None else one_axis(channel_axis, rank, "channel_axis")
    if channel is not None and channel != rank - 1:
        # The reference moves channels to the end, and with them their sigma.
        there = tf.transpose(images, [*(a for a in range(rank + 1) if a != channel + 1), channel + 1])
        found = _rescaled(there, scale, how, anti_aliasing, anti_aliasing_sigma, -1)
        kept = list(range(rank + 1))
        kept.insert(channel + 1, kept.pop())
        return tf.transpose(found, kept)
    factors = _factors(scale, rank if channel is None else rank - 1)
    if channel is not None:
        factors = [*factors, 1.0]
    sizes: list[Any] = []
    for axis, factor in enumerate(factors):
        side = images.shape[axis + 1]
        if channel is not None and axis == rank - 1:
            sizes.append(tf.shape(images)[-1] if side is None else side)
        elif side is None:
            grown = tf.round(tf.cast(tf.shape(images)[axis + 1], tf.float64) * factor)
            sizes.append(tf.cast(tf.maximum(grown, 1), tf.int32))
        else:
            sizes.append(max(1, int(np.round(factor * side))))
    return resized(images, sizes, how, anti_aliasing, anti_aliasing_sigma)


def _factors(scale: Any, count: int) -> list[float]:
    scale = static_value(scale, "scale")
    if tf.is_tensor(scale):
        advice = "The output's size would be unknown: give Python numbers."
        raise UnsupportedArgument(explain("scale", "a tensor", "Python numbers", advice))
    try:
        values = np.atleast_1d(np.asarray(scale, np.float64))
    except (TypeError, ValueError) as error:
        raise WrongType(
            explain("scale", repr(scale), f"a number or {count} of them", "One per axis.")
        ) from error
    if values.ndim != 1 or len(values) not in (1, count):
        raise OutsideDomain(explain("scale", repr(scale), f"a number or {count} of them", "One per axis."))
    if not np.isfinite(values).all():
        raise OutsideDomain(explain("scale", repr(scale), "finite numbers", "1 keeps a size."))
    return [float(value) for value in np.broadcast_to(values, (count,))]
