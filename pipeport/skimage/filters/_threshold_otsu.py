"""`skimage.filters.threshold_otsu`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import AsReference, Difference, Image, Integer, batchable, replaces
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels import xla
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor, known_rank
from pipeport.kernels.inputs.integers import whole_numbers
from pipeport.skimage.exposure import _histogram

# So many bins have a border between them.
_LEAST = 2
_DTYPES = (*_histogram.WHOLE, "float32", "float64")


def _best(number: int, batch_axes: int) -> Callable[[Any], Any]:
    def run(x: Any) -> Any:
        rows = _histogram.rows_of(x, batch_axes)
        if not x.dtype.is_floating:
            levels = _histogram.levels_of(rows)
            counts = _histogram.counted(levels, x.dtype.max - x.dtype.min + 1)
            centres = tf.constant(np.arange(x.dtype.min, x.dtype.max + 1.0))[tf.newaxis]
            place = _split(counts, centres, True)
            one_level = tf.reduce_all(tf.equal(levels, levels[:, :1]), 1)
            return tf.cast(tf.where(one_level, levels[:, 0], place) + x.dtype.min, tf.int64)
        bins = _histogram.binned(rows, number)
        centres = _histogram.centres_of(bins.edges)
        place = _split(bins.counts, tf.cast(centres, tf.float64), False)
        found = tf.gather(centres, place, batch_dims=1)
        return tf.where(tf.reduce_all(tf.equal(rows, rows[:, :1]), 1), rows[:, 0], found)

    return run


def _running(x: Any) -> tuple[Any, Any]:
    """Return the sums up to each bin but the last, and that of all."""
    sums = tf.cumsum(x, 1)
    return sums[:, :-1], sums[:, -1:]


def _split(counts: Any, centres: Any, whole: bool) -> Any:
    """Return the last bin of the darker class for the largest variance between both: (B,), int32.

    The product of the numbers of pixels rounds to float32, as in the reference.
    """
    weights = tf.cast(counts, tf.float64)
    moments = weights * centres
    (dark, all_dark), (dark_moment, all_moments) = map(_running, (weights, moments))
    # Whole numbers do not round, whichever end they are added up from.
    bright = all_dark - dark
    bright_moment = all_moments - dark_moment if whole else tf.cumsum(moments, 1, reverse=True)[:, 1:]
    apart = dark_moment / dark - bright_moment / bright
    product = tf.cast(tf.cast(dark, tf.float32) * tf.cast(bright, tf.float32), tf.float64)
    variance = product * tf.square(apart)
    # Where one class is empty there is no variance between them.
    variance = tf.where((dark > 0) & (bright > 0), variance, -tf.ones([], tf.float64))
    return tf.argmax(variance, 1, tf.int32)


def _has_image(call: Mapping[str, Any]) -> bool:
    return call.get("image") is not None


def _constant_levels(call: Mapping[str, Any]) -> bool:
    image = np.asarray(call["image"])
    return image.dtype.kind in "iu" and image.size > 0 and bool((image == image.flat[0]).all())


@replaces(
    "skimage.filters.threshold_otsu",
    domain={
        "image": Image(dtypes=_DTYPES, channels=(None,), sides=(1, 9), non_finite=False),
        "nbins": Integer(_LEAST, 300, typical=256),
    },
    agreement=AsReference(discontinuities="pipeport.references.discontinuities_exposure.threshold_otsu"),
    valid=_has_image,
    refused={"hist": "give the image"},
    differences=(
        Difference(
            "The level of an integer image of one level is int64, as of any other; the reference's has the "
            "dtype of the image.",
            witness=lambda: {"image": np.full((3, 4), 7, np.uint8)},
            applies=_constant_levels,
        ),
    ),
)
@batchable
def threshold_otsu(batch_axes: int, image: Any = None, nbins: int = 256, *, hist: None = None) -> Any:
    """Return the level that divides the pixels into the two classes that differ most.

    Parameters
    ----------
    image : array_like, any shape, uint8, uint16, int16, float32 or float64
        The grey levels, finite. Sizes may be unknown while tracing, the rank must be known.
    nbins : int, default 256
        How many bins of one width floats are counted in, from the smallest to the largest; integers have a
        bin for each level.

    Returns
    -------
    tf.Tensor, shape (), int64; of floats the dtype of `image`
        The largest level of the darker class, of floats the middle of its bin.

    Raises
    ------
    OutsideDomain
        The image is empty or has another dtype, or `nbins` is below 2.
    UnsupportedArgument
        `hist` is given, `nbins` is a tensor, or the rank is not known while tracing.
    WrongType
        `nbins` is not a whole number, or there is no image.
    tf.errors.InvalidArgumentError
        The image turns out to be empty or to hold NaN or an infinity.

    Notes
    -----
    Agreement: of integers bit for bit; of floats the same bin, but where two are the best up to rounding. The
    reference's warning about images with channels is not given.
    Graph: one program where sizes are known, no Python at run time.
    Speed: slower than scikit-image in `tf.numpy_function`, 0.6x for 256x256: counting is not vectorised.

    Source: `skimage/filters/thresholding.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.filters import threshold_otsu
    >>> int(threshold_otsu(tf.constant([[10, 12, 200, 210]], tf.uint8)))
    12
    """
    _checks.one_of(hist, (None,), "hist", "Give the image.")
    if image is None:
        raise WrongType(explain("image", "None", "an array", "Give the image."))
    x = as_tensor(image, "image")
    known_rank(x, "image")
    _checks.dtype_among(x, _DTYPES, "image")
    numbers = whole_numbers(nbins, "nbins")
    if len(numbers) != 1 or numbers[0] < _LEAST:
        raise OutsideDomain(explain("nbins", repr(nbins), f"{_LEAST} or more", "256 is the default."))
    x = _checks.not_empty(x, "image", element=slice(batch_axes, None))
    if x.dtype.is_floating:
        x = _checks.finite(x, "image", "finite pixels")
    found = xla.run(_best, numbers[0], batch_axes)(x)
    return found if batch_axes else tf.reshape(found, [])
