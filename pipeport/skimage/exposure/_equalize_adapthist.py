"""`skimage.exposure.equalize_adapthist`."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import AsReference, Image, OneOf, batchable, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels import xla
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs._ranges import float_of
from pipeport.kernels.inputs.arrays import as_tensor, known_rank, sizes_of, static_value
from pipeport.kernels.inputs.dtypes import NUMPY_2
from pipeport.kernels.sampling._margins import fold_taps
from pipeport.kernels.xla._divide import divided
from pipeport.skimage.color._hsv import hsv2rgb, rgb2hsv
from pipeport.skimage.exposure._equalize_hist import bins_of
from pipeport.skimage.exposure._rescale_intensity import rescaled

_DTYPES = ("uint8", "uint16", "int16", "float32", "float64")
# The levels that the reference works with. Four of them fit into an integer of 64 bits.
_BITS = 14
_LEVELS = 2**_BITS
# More tiles than these, and a proof takes minutes.
_MOST_DRAWN = 300


def _levelled(x: Any, kernel_size: Any, clip: Any, number: int) -> Any:
    """Return equalised planes (B, H, W), from 0 to 1."""
    sizes = sizes_of(x)[1:]
    sides = _sides(kernel_size, sizes)
    bins = xla.run(_bins, 1 + _LEVELS // number)(_in_range(x))
    tables = _tables(bins, sides, clip, number)
    axes = [part for size, side in zip(sizes, sides, strict=True) for part in _axis(size, side)]
    found = xla.run(_mixed, float_of(x.dtype))(bins, tables, *axes)
    return rescaled(tf.ensure_shape(found, x.shape), "image", "dtype", 1)


def _sides(kernel_size: Any, sizes: Sequence[Any]) -> list[Any]:
    """Return the sides of a tile, an eighth of the image's unless they are given."""
    if kernel_size is None:
        eighths = [size // 8 for size in sizes]
        return [max(side, 1) if isinstance(side, int) else tf.maximum(side, 1) for side in eighths]
    given = static_value(kernel_size, "kernel_size")
    advice = "An eighth of the image's sides is the default."
    if tf.is_tensor(given):
        raise UnsupportedArgument(explain("kernel_size", "a tensor", "numbers known while tracing", advice))
    given = given.tolist() if isinstance(given, np.ndarray) else given
    listed = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given] * 2
    if any(isinstance(one, bool) or not isinstance(one, numbers.Real) for one in listed):
        raise WrongType(explain("kernel_size", repr(kernel_size), "one number or two", advice))
    if len(listed) != 2 or not all(1 <= one < math.inf for one in listed):
        raise OutsideDomain(explain("kernel_size", repr(kernel_size), "one or two numbers from 1", advice))
    return [int(one) for one in listed]


def _in_range(x: Any) -> Any:
    """Return an image, checked to lie in [-1, 1] where it holds floats."""
    if not x.dtype.is_floating:
        return x
    message = explain("image", "a pixel beyond -1 or 1", "floats from -1 to 1", "Rescale it first.")
    inside = tf.reduce_all((x >= -1) & (x <= 1))
    with tf.control_dependencies([tf.raw_ops.Assert(condition=inside, data=[message])]):
        return tf.identity(x)


def _bins(width: int) -> Callable[[Any], Any]:
    """Return what finds the bins of planes, counted in `width` of the levels between their extremes."""

    def run(x: Any) -> Any:
        if x.dtype.is_floating:
            shades = tf.cast(tf.clip_by_value(tf.round(x * 65535.0), 0, 65535.0), tf.int32)
        elif x.dtype == tf.int16:
            # 15 bits become 30, and these 16.
            shades = tf.bitwise.right_shift(tf.maximum(tf.cast(x, tf.int32), 0) * 32769, 14)
        else:
            shades = tf.cast(x, tf.int32) * (257 if x.dtype == tf.uint8 else 1)
        low, high = (one(shades, [1, 2], keepdims=True) for one in (tf.reduce_min, tf.reduce_max))
        span = tf.cast(tf.maximum(high - low, 1), tf.float64)
        spread = tf.round(divided(tf.cast(shades - low, tf.float64), span) * (_LEVELS - 1.0))
        levels = tf.where(low == high, tf.minimum(shades, _LEVELS - 1), tf.cast(spread, tf.int32))
        return levels // width

    return run


def _tables(bins: Any, sides: Sequence[Any], clip: Any, number: int) -> Any:
    """Return the level that each bin becomes, for each tile: (B, rows, columns, bins), int32."""
    batch, *sizes = sizes_of(bins)
    counts = [-(-size // side) for size, side in zip(sizes, sides, strict=True)]
    for axis, (size, side, count) in enumerate(zip(sizes, sides, counts, strict=True), 1):
        if not isinstance(size, int) or size != count * side:
            bins = tf.gather(bins, fold_taps(tf.range(count * side), size, "mirror"), axis=axis)
    rows, columns = counts
    apart = tf.reshape(bins, [batch, rows, sides[0], columns, sides[1]])
    tile = tf.reshape(tf.range(batch * rows), [batch, rows, 1, 1, 1]) * columns
    tile += tf.range(columns)[:, tf.newaxis]
    tiles = batch * rows * columns
    place = tf.reshape(apart + tile * number, [-1])
    seen = tf.reshape(
        tf.math.unsorted_segment_sum(tf.ones_like(place), place, tiles * number), [tiles, number]
    )
    pixels = sides[0] * sides[1]
    limit = _limit(clip, pixels)
    if limit.shape.rank:
        limit = tf.repeat(limit, rows * columns)[:, tf.newaxis]
    summed = tf.cast(tf.cumsum(_clipped(seen, limit), 1), tf.float64)
    share = divided(_LEVELS - 1.0, pixels)
    found = tf.cast(tf.minimum(summed * share, _LEVELS - 1.0), tf.int32)
    return tf.reshape(found, [batch, rows, columns, number])


def _limit(clip: Any, pixels: Any) -> Any:
    """Return how often a bin may come in a tile; there are no more than its pixels."""
    clip, most = tf.convert_to_tensor(clip, tf.float64), tf.cast(pixels, tf.float64)
    wanted = tf.minimum(tf.maximum(clip * most, 1.0), most)
    return tf.cast(tf.where(clip > 0, wanted, most), tf.int32)


def _clipped(seen: Any, limit: Any) -> Any:
    """Return counts (tiles, bins) that are limited, with what is above the limit spread over the others."""
    number = seen.shape[1]
    kept = tf.minimum(seen, limit)
    above = tf.reduce_sum(seen - kept, 1, keepdims=True)
    each = above // number
    upper = limit - each
    low = kept < upper
    above -= tf.reduce_sum(tf.cast(low, tf.int32), 1, keepdims=True) * each
    kept += tf.where(low, each, 0)
    middle = (kept >= upper) & (kept < limit)
    above -= tf.reduce_sum(tf.where(middle, limit - kept, 0), 1, keepdims=True)
    return _spread(tf.where(middle, limit, kept), above, limit)


def _spread(kept: Any, above: Any, limit: Any) -> Any:
    """Add one to bins below the limit until nothing is left, from a start that moves by one each time.

    Each tile is a row of its own; a bin is met every few steps, so that what is left is spread evenly.
    """
    number = kept.shape[1]
    level = tf.range(number)

    def goes_on(kept: Any, above: Any, start: Any, before: Any, active: Any) -> Any:  # noqa: ARG001
        return tf.reduce_any(active)

    def body(kept: Any, above: Any, start: Any, before: Any, active: Any) -> Any:
        below = kept < limit
        count = tf.reduce_sum(tf.cast(below, tf.int32), 1, keepdims=True)
        step = tf.maximum(count // tf.maximum(above, 1), 1)
        away = level - start
        chosen = below & (away >= 0) & (away % step == 0) & active
        more = tf.cast(chosen, tf.int32)
        kept, above, start = kept + more, above - tf.reduce_sum(more, 1, keepdims=True), start + 1
        ended = start >= number
        active &= (above > 0) & (count > 0) & ~(ended & (above == before))
        return kept, above, tf.where(ended, 0, start), tf.where(ended, above, before), active

    return tf.while_loop(goes_on, body, (kept, above, tf.zeros_like(above), above, above > 0))[0]


def _axis(size: Any, side: Any) -> tuple[Any, Any]:
    """Return between which tiles each pixel of an axis lies, and how near to the second of them."""
    if isinstance(size, int) and isinstance(side, int):
        place = np.arange(size, dtype=np.int32) + side // 2
        return tf.constant(place // side), tf.constant(place % side / side)
    place = tf.range(size) + side // 2
    return place // side, divided(place % side, side)


def _mixed(dtype: Any) -> Callable[..., Any]:
    """Return what maps bins by the tables of the four tiles around each pixel, and mixes the results."""

    def run(bins: Any, tables: Any, row: Any, down: Any, column: Any, across: Any) -> Any:
        batch, rows, columns, number = sizes_of(tables)
        wide = tf.concat([tables[:, :1], tables, tables[:, -1:]], 1)
        wide = tf.cast(tf.concat([wide[:, :, :1], wide, wide[:, :, -1:]], 2), tf.int64)
        corners = [wide[:, y : y + rows + 1, x : x + columns + 1] for y in (0, 1) for x in (0, 1)]
        packed = tf.add_n([tf.bitwise.left_shift(one, at * _BITS) for at, one in enumerate(corners)])
        tile = row[:, tf.newaxis] * (columns + 1) + column
        found = tf.gather(tf.reshape(packed, [batch, -1]), tile * number + bins, batch_dims=1)
        mask = tf.constant(_LEVELS - 1, tf.int64)
        below = down[:, tf.newaxis]
        weights = [by_column * by_row for by_row in (1 - below, below) for by_column in (1 - across, across)]
        total = tf.zeros([], tf.float32)
        for at, weight in enumerate(weights):
            part = tf.bitwise.bitwise_and(tf.bitwise.right_shift(found, at * _BITS), mask)
            total += tf.cast(tf.cast(part, tf.float64) * weight, tf.float32)
        return tf.cast(tf.cast(total, tf.int32), dtype)

    return run


def _fits(call: Mapping[str, Any]) -> bool:
    """Say whether the call is vouched for, and soon judged; NumPy 1 reflects unevenly far beyond an end."""
    sizes = call["image"].shape[:2]
    sides = _sides(call.get("kernel_size"), sizes)
    if math.prod(-(-size // side) for size, side in zip(sizes, sides, strict=True)) > _MOST_DRAWN:
        return False
    if NUMPY_2:
        return True
    after = [-size % side + -(-side // 2) for size, side in zip(sizes, sides, strict=True)]
    return all(one < size for one, size in zip(after, sizes, strict=True))


@replaces(
    "skimage.exposure.equalize_adapthist",
    domain={
        "image": Image(dtypes=_DTYPES, channels=(None, 3, 4), values=(0.0, 1.0), non_finite=False),
        "kernel_size": OneOf(None, None, 1, 2, 5, 8.5, (2, 3), (4, 1), (64, 65), typical=None),
        "clip_limit": OneOf(0.01, 0.0, 0.03, 0.125, 0.5, 1.0, -1.0, 3.0, tensor=True),
        "nbins": OneOf(256, 256, 1, 2, 16, 100, 20000, typical=256),
    },
    agreement=AsReference(),
    valid=_fits,
)
@batchable
def equalize_adapthist(
    batch_axes: int, image: Any, kernel_size: Any = None, clip_limit: float = 0.01, nbins: int = 256
) -> Any:
    """Spread the levels of an image tile by tile, with limited contrast.

    Parameters
    ----------
    image : array_like, shape (H, W), (H, W, 3) or (H, W, 4), uint8, uint16, int16, float32 or float64
        The image; floats lie in [-1, 1], and what is negative counts as 0. Of colours the value of hue,
        saturation and value is changed, and a fourth channel is left out. H and W may be unknown while
        tracing.
    kernel_size : int or (int, int), optional
        Sides of a tile; an eighth of the image's when None.
    clip_limit : float or scalar tensor, default 0.01
        How often a level may come, as a part of a tile's pixels; any number if it is not positive.
    nbins : int, default 256
        How many bins are counted.

    Returns
    -------
    tf.Tensor, float64; of float32 float32
        The image, from 0 to 1, of the shape of `image` but for a fourth channel.

    Raises
    ------
    OutsideDomain
        The image is empty or has another dtype, a side of a tile or `nbins` is below 1, or `clip_limit` is
        not finite.
    UnsupportedArgument
        The image has other axes or channels, for instance a volume; the rank or the channels are unknown
        while tracing, or `kernel_size` or `nbins` is a tensor.
    WrongType
        A parameter is not a number.
    tf.errors.InvalidArgumentError
        The image turns out to be empty, or to hold NaN or a float beyond -1 or 1.

    Notes
    -----
    Agreement: of grey images equal, of colours as accurate as the reference. Tiles of more than a side of the
    image are filled as NumPy 2 does it.
    Graph: programs of bins and of pixels where sizes are known; a loop spreads what is above the limit, as
    often as one tile needs. Static shape is kept.

    Source: `skimage/exposure/_adapthist.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.exposure import equalize_adapthist
    >>> equalize_adapthist(tf.constant([[0, 100, 200]], tf.uint8), (1, 3), 0.0).numpy().round(3).tolist()
    [[0.0, 0.5, 1.0]]
    """
    x = as_tensor(image, "image")
    _checks.dtype_among(x, _DTYPES, "image")
    rank = known_rank(x, "image") - batch_axes
    number = bins_of(nbins)
    clip = _checks.finite_scalar(clip_limit, "clip_limit", batch=bool(batch_axes))
    if rank == 3:
        if x.shape[-1] is None:
            advice = "State it with tf.ensure_shape."
            raise UnsupportedArgument(explain("image", "an unknown number of channels", "3 or 4", advice))
        if x.shape[-1] not in (3, 4):
            advice = "Volumes are not served; remove a channel that is the only one."
            raise UnsupportedArgument(explain("image", f"{x.shape[-1]} channels", "3 or 4", advice))
    elif rank != 2:
        advice = "Give one image; pipeport.batched takes several."
        raise UnsupportedArgument(explain("image", f"{rank} axes", "(H, W), (H, W, 3), (H, W, 4)", advice))
    x = _checks.not_empty(x, "image", element=slice(batch_axes, None))
    x = x if batch_axes else x[tf.newaxis]
    if rank == 2:
        found = _levelled(x, kernel_size, clip, number)
    else:
        hsv = rgb2hsv(x[..., :3])
        value = _levelled(hsv[..., 2], kernel_size, clip, number)
        found = hsv2rgb(tf.concat([hsv[..., :2], value[..., tf.newaxis]], -1))
    return found if batch_axes else tf.squeeze(found, [0])
