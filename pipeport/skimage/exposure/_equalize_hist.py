"""`skimage.exposure.equalize_hist`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import AsReference, Image, Integer, Maybe, Shaped, batchable, replaces
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels import xla
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs._ranges import float_of
from pipeport.kernels.inputs.arrays import as_tensor, known_rank, sizes_of
from pipeport.kernels.inputs.integers import whole_numbers
from pipeport.skimage.exposure import _histogram
from pipeport.skimage.util._masks import mask_of

_DTYPES = (*_histogram.WHOLE, "float32", "float64")


def bins_of(nbins: Any) -> int:
    """Return the number of bins."""
    numbers = whole_numbers(nbins, "nbins")
    if len(numbers) != 1:
        raise WrongType(explain("nbins", repr(nbins), "a whole number", "256 is the default."))
    if numbers[0] < 1:
        raise OutsideDomain(explain("nbins", repr(nbins), "1 or more", "256 is the default."))
    return numbers[0]


def _mask_of(mask: Any, x: Any, batch_axes: int) -> Any:
    """Return a mask of the image's shape, checked to hold somewhere; one may be shared by a batch."""
    tensor = mask_of(mask, x, batch_axes)
    some = tf.reduce_all(tf.reduce_any(tensor, list(range(batch_axes, x.shape.rank))))
    message = explain("mask", "no pixel", "one pixel or more", "Leave the image as it is.")
    with tf.control_dependencies([tf.raw_ops.Assert(condition=some, data=[message])]):
        return tf.broadcast_to(tensor, tf.shape(x))


def _finite(x: Any, mask: Any = None) -> Any:
    finite = tf.math.is_finite(x)
    good = tf.reduce_all(finite if mask is None else finite | ~mask)
    message = explain("image", "NaN or an infinity", "finite pixels", "Replace them first.")
    with tf.control_dependencies([tf.raw_ops.Assert(condition=good, data=[message])]):
        return tf.identity(x)


def _spread(number: int, batch_axes: int) -> Callable[..., Any]:
    def run(x: Any, mask: Any = None) -> Any:
        rows = _histogram.rows_of(x, batch_axes)
        chosen = None if mask is None else _histogram.rows_of(mask, batch_axes)
        found = _of_floats(rows, number, chosen) if x.dtype.is_floating else _of_levels(rows, chosen)
        return tf.reshape(found, sizes_of(x))

    return run


def _shares(counts: Any, dtype: Any) -> Any:
    """Return which part of all lies in each bin or before."""
    sums = tf.cumsum(counts, 1)
    return tf.cast(tf.cast(sums, tf.float64) / tf.cast(sums[:, -1:], tf.float64), dtype)


def _of_levels(rows: Any, mask: Any) -> Any:
    levels = _histogram.levels_of(rows)
    counts = _histogram.counted(levels, rows.dtype.max - rows.dtype.min + 1, mask)
    shares = _shares(counts, tf.float64)
    if mask is not None:  # what lies below all that counts gets the share of the lowest
        lowest = tf.where(counts > 0, shares, tf.ones([], tf.float64))
        shares = tf.maximum(shares, tf.reduce_min(lowest, 1, keepdims=True))
    return tf.gather(shares, levels, batch_dims=1)


def _of_floats(rows: Any, number: int, mask: Any) -> Any:
    bins = _histogram.binned(rows, number, mask)
    centres = tf.cast(_histogram.centres_of(bins.edges), tf.float64)
    shares = tf.cast(_shares(bins.counts, rows.dtype), tf.float64)
    if number == 1:
        return tf.cast(tf.gather(shares, bins.place, batch_dims=1), float_of(rows.dtype))
    slopes = (shares[:, 1:] - shares[:, :-1]) / (centres[:, 1:] - centres[:, :-1])
    values = tf.cast(rows, tf.float64)
    below = values < tf.gather(centres, bins.place, batch_dims=1)
    left = bins.place - tf.cast(below, tf.int32)
    place = tf.clip_by_value(left, 0, number - 2)
    start, share, slope = (tf.gather(table, place, batch_dims=1) for table in (centres, shares, slopes))
    found = slope * (values - start) + share
    found = tf.where(left < 0, shares[:, :1], tf.where(left >= number - 1, shares[:, -1:], found))
    return tf.cast(found, rows.dtype)


def _fits(call: Mapping[str, Any]) -> bool:
    mask = call.get("mask")
    return mask is None or (np.shape(mask) == np.shape(call["image"]) and bool(np.any(mask)))


@replaces(
    "skimage.exposure.equalize_hist",
    domain={
        "image": Image(dtypes=_DTYPES, channels=(None,), sides=(1, 9), non_finite=False),
        "nbins": Integer(1, 300, typical=256),
        "mask": Maybe(spec=Shaped(shape=("image.0", "image.1"), dtypes=("bool",), values=(0.0, 1.0))),
    },
    agreement=AsReference(),
    valid=_fits,
)
@batchable
def equalize_hist(batch_axes: int, image: Any, nbins: int = 256, mask: Any = None) -> Any:
    """Spread the levels of an image, so that each is as frequent as the others.

    Parameters
    ----------
    image : array_like, any shape, uint8, uint16, int16, float32 or float64
        The image, finite. Sizes may be unknown while tracing, the rank must be known.
    nbins : int, default 256
        How many bins of one width floats are counted in, from the smallest to the largest; integers have a
        bin for each level.
    mask : array_like, shape of `image`, optional
        Which pixels are counted.

    Returns
    -------
    tf.Tensor, shape of `image`, float64; of float32 float32
        Which part of the pixels is as large or smaller.

    Raises
    ------
    OutsideDomain
        The image is empty or has another dtype, `mask` has another shape, or `nbins` is below 1.
    UnsupportedArgument
        `nbins` is a tensor, or the rank is not known while tracing.
    WrongType
        `nbins` is not a whole number.
    tf.errors.InvalidArgumentError
        The image turns out to be empty or to hold NaN or an infinity, or `mask` holds nowhere.

    Notes
    -----
    Agreement: of integers bit for bit, of floats as accurate as the reference. The reference's warning about
    images with channels, which are counted together, is not given.
    Graph: one program where sizes are known, no Python at run time; static shape is kept.

    Source: `skimage/exposure/exposure.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.exposure import equalize_hist
    >>> equalize_hist(tf.constant([[100, 101, 101, 103]], tf.uint8)).numpy().tolist()
    [[0.25, 0.75, 0.75, 1.0]]
    """
    x = as_tensor(image, "image")
    known_rank(x, "image")
    _checks.dtype_among(x, _DTYPES, "image")
    number = bins_of(nbins)
    x = _checks.not_empty(x, "image", element=slice(batch_axes, None))
    given = [] if mask is None else [_mask_of(mask, x, batch_axes)]
    if x.dtype.is_floating:
        x = _finite(x, *given)
    found = xla.run(_spread, number, batch_axes)(x, *given)
    return tf.ensure_shape(found, x.shape)
