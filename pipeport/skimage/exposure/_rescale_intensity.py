"""`skimage.exposure.rescale_intensity`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import AsReference, Image, OneOf, batchable, replaces
from pipeport.errors import UnsupportedArgument, WrongType, explain
from pipeport.kernels import xla
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs._ranges import assigned, float_of
from pipeport.kernels.inputs.arrays import as_tensor, known_rank
from pipeport.kernels.xla._materialize import opaque_true
from pipeport.kernels.xla._rounding import plus_product

_DTYPES = ("bool", "uint8", "uint16", "int16", "int32", "float32", "float64")
# The ranges that have names, and the dtypes of results in them.
_RANGES = {
    "bool": (0.0, 1.0, "bool"),
    "float": (-1.0, 1.0, "float64"),
    "float32": (-1.0, 1.0, "float32"),
    "float64": (-1.0, 1.0, "float64"),
    "uint10": (0.0, 1023.0, "uint16"),
    "uint12": (0.0, 4095.0, "uint16"),
    "uint14": (0.0, 16383.0, "uint16"),
} | {
    name: (float(np.iinfo(name).min), float(np.iinfo(name).max), name)
    for name in ("uint8", "uint16", "uint32", "int8", "int16", "int32")
}
_ALLOWED = f"'image', 'dtype', a pair of numbers, {', '.join(map(repr, _RANGES))}"


def _range_of(value: Any, name: str, own: Any, batch_axes: int) -> tuple[Any, Any, str | None] | None:
    """Return the ends of a range, and the dtype that has its name; None stands for those of the image."""
    if isinstance(value, tuple):
        if len(value) != 2:
            advice = "Give the lowest and the highest value."
            raise UnsupportedArgument(explain(name, f"{len(value)} numbers", _ALLOWED, advice))
        low, high = (_checks.finite_scalar(end, name, batch=bool(batch_axes)) for end in value)
        return low, high, None
    if isinstance(value, type):
        value = np.dtype(value).name
    if not isinstance(value, str):
        advice = "Give a tuple, as the reference takes no list and no array."
        raise WrongType(explain(name, type(value).__name__, _ALLOWED, advice))
    if value == "image":
        return None
    value = own.name if value == "dtype" else value
    if value not in _RANGES:
        advice = "Give the lowest and the highest value as a pair."
        raise UnsupportedArgument(explain(name, repr(value), _ALLOWED, advice))
    return _RANGES[value]


def rescaled(image: Any, in_range: Any, out_range: Any, batch_axes: int) -> Any:
    """Return an image, or each of a batch, with a range of levels stretched to another one."""
    x = as_tensor(image, "image")
    _checks.dtype_among(x, _DTYPES, "image")
    rank = known_rank(x, "image")
    ranges = [
        _range_of(value, name, x.dtype, batch_axes)
        for value, name in ((in_range, "in_range"), (out_range, "out_range"))
    ]
    if None in ranges:
        x = _checks.not_empty(x, "image", element=slice(batch_axes, None))
    target = ranges[1]
    if target is None or (isinstance(out_range, str) and out_range == "dtype"):
        dtype = x.dtype
    else:
        dtype = float_of(x.dtype) if target[2] is None else tf.as_dtype(target[2])
    ends = [_end(end, rank) for one in ranges if one is not None for end in one[:2]]
    named = target is not None and target[2] is not None
    kinds = (ranges[0] is None, target is None, named, dtype.name)
    axes = tuple(range(batch_axes, rank))
    in_buckets = None if batch_axes else _in_buckets(kinds, axes)
    return xla.run(_stretched, kinds, axes, in_buckets=in_buckets)(x, *ends)


def _in_buckets(kinds: tuple[bool, bool, bool, str], axes: tuple[int, ...]) -> Callable[..., Any]:
    """Return what rescales an image of unknown size: its own range is found first."""
    own_before, own_after, *others = kinds
    stretch = xla.elements_in_buckets(_stretched, (False, False, *others), ())

    def run(x: Any, *ends: Any) -> Any:
        own = [tf.reshape(end, []) for end in _extremes(x, axes)] if own_before or own_after else []
        before, after = (own if own_before else ends[:2]), (own if own_after else ends[-2:])
        return stretch(x, *before, *after)

    return run


def _end(value: Any, rank: int) -> Any:
    end = tf.convert_to_tensor(value, tf.float64)
    return tf.reshape(end, [-1, *[1] * (rank - 1)]) if end.shape.rank else end


def _stretched(kinds: tuple[bool, bool, bool, str], axes: tuple[int, ...]) -> Callable[..., Any]:
    """Return what rescales an image.

    `kinds`: whether the range is that of the image, before and after; whether the range after is a dtype's;
    the dtype of the result. `axes`: the axes of one image.
    """
    own_before, own_after, named, dtype = kinds

    def run(x: Any, *ends: Any) -> Any:
        given = list(ends)
        own = _extremes(x, axes) if own_before or own_after else None
        low, high = own if own_before and own else (given.pop(0), given.pop(0))
        least, most = own if own_after and own else (given.pop(0), given.pop(0))
        if named:  # nothing becomes negative that was not
            least = tf.where(low >= 0, tf.zeros([], tf.float64), least)
        values = x if x.dtype.is_floating else tf.cast(x, tf.float64)
        first = tf.reduce_sum(tf.reshape(values, [-1])[:1])
        one = tf.ones([], tf.float64)
        # The compilers must not know the divisor: they would multiply by its reciprocal.
        span = tf.where(opaque_true(first) & (low != high), high - low, one)
        inside = _clipped(values, low, high)
        parts = (inside - tf.cast(low, values.dtype)) / tf.cast(span, values.dtype)
        spread = parts * tf.cast(most - least, values.dtype)
        spread = plus_product(tf.cast(least, values.dtype), spread, first)
        found = tf.where(low == high, _clipped(inside, least, most), spread)
        return _cut(found, tf.as_dtype(dtype))

    return run


def _cut(values: Any, dtype: Any) -> Any:
    """Return numbers without fractions in an integer dtype in which they have room."""
    narrow = dtype.is_integer and dtype.size < 4
    return tf.cast(tf.cast(values, tf.int32), dtype) if narrow else assigned(values, dtype)


def _clipped(values: Any, low: Any, high: Any) -> Any:
    found = tf.minimum(tf.maximum(values, tf.cast(low, values.dtype)), tf.cast(high, values.dtype))
    return tf.where(tf.math.is_nan(values), values, found)


def _extremes(x: Any, axes: tuple[int, ...]) -> tuple[Any, Any]:
    """Return the smallest and the largest value of each image in float64; NaN where there is one."""
    numbers = tf.cast(x, tf.uint8) if x.dtype.is_bool else x
    found = [
        tf.cast(function(numbers, axes, keepdims=True), tf.float64)
        for function in (tf.reduce_min, tf.reduce_max)
    ]
    if x.dtype.is_floating:
        spoilt = tf.reduce_any(tf.math.is_nan(x), axes, keepdims=True)
        found = [tf.where(spoilt, tf.constant(np.nan, tf.float64), one) for one in found]
    return found[0], found[1]


def _has_room(call: Mapping[str, Any]) -> bool:
    """Say whether the call is vouched for: what has no number becomes no integer."""
    image, out = np.asarray(call["image"]), call.get("out_range", "dtype")
    if isinstance(out, tuple):
        return True
    wanted = image.dtype.name if out in ("image", "dtype") else _RANGES[out][2]
    return "float" in wanted or bool(np.isfinite(image.astype(np.float64)).all())


@replaces(
    "skimage.exposure.rescale_intensity",
    domain={
        "image": Image(dtypes=_DTYPES, sides=(1, 9)),
        "in_range": OneOf("image", "image", "dtype", "uint8", "float", (0, 255), (0.2, 0.7), (-3.5, 90.0)),
        "out_range": OneOf(
            "dtype", "dtype", "image", "uint8", "uint10", "int16", "float32", "float", (0, 1), (5, -2.5)
        ),
    },
    agreement=AsReference(),
    valid=_has_room,
)
@batchable
def rescale_intensity(batch_axes: int, image: Any, in_range: Any = "image", out_range: Any = "dtype") -> Any:
    """Stretch a range of levels to another one.

    Parameters
    ----------
    image : array_like, any shape, bool, uint8, uint16, int16, int32, float32 or float64
        The image. Sizes may be unknown while tracing, the rank must be known.
    in_range : str, type or (float, float), default 'image'
        The range that is stretched: from the smallest to the largest pixel ('image'), that of the image's
        dtype ('dtype'), of another one by name ('uint8', 'float', 'uint12' ...), or two numbers, which may
        be tensors. What lies beyond becomes its ends.
    out_range : str, type or (float, float), default 'dtype'
        The range that it becomes, likewise. That of a dtype begins at 0 where `in_range` is not negative.

    Returns
    -------
    tf.Tensor, shape of `image`
        The image; its dtype is that of `image` for 'image' and 'dtype', the one of that name, or float64
        (of float32 images float32) for two numbers. Integers lose their fraction.

    Raises
    ------
    OutsideDomain
        The image is empty and a range its own, or it has another dtype, or a number is not finite.
    UnsupportedArgument
        A range has another name or is not a pair, or the rank is not known while tracing.
    WrongType
        A range is not a tuple, text or type, or does not hold numbers.
    tf.errors.InvalidArgumentError
        A drawn number turns out to be NaN or infinite, or an image whose range counts to be empty.

    Notes
    -----
    Agreement: integers bit for bit, floats as accurate as the reference. What integer a NaN or an infinity
    becomes is outside the domain. The reference's warning of NaN is not given.
    Graph: one program where sizes are known, no Python at run time; static shape is kept.

    Source: `skimage/exposure/exposure.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.exposure import rescale_intensity
    >>> rescale_intensity(tf.constant([[51, 102, 153]], tf.uint8)).numpy().tolist()
    [[0, 127, 255]]
    """
    return rescaled(image, in_range, out_range, batch_axes)
