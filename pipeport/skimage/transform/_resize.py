"""`skimage.transform.resize` and `rescale`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import (
    Array,
    AsReference,
    Boolean,
    Difference,
    Image,
    Integer,
    Maybe,
    OneOf,
    PerAxis,
    Real,
    Stock,
    batch_form,
    replaces,
)
from pipeport.errors import BadAxis, OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels import _checks
from pipeport.kernels._clip import clipped
from pipeport.kernels._divide import divided
from pipeport.kernels._separable import (
    Axis,
    Settings,
    dynamic_gaussian_kernel,
    gaussian_kernel,
    resample,
    unmoved,
)
from pipeport.kernels.arrays import as_tensor
from pipeport.skimage.transform import _splines

_DTYPES = ("bool", "uint8", "uint16", "int32", "float16", "float32", "float64")
_CVALS = OneOf(0, 1, 0.25, -0.5, 2.0)
_MODES = OneOf("constant", "edge", "symmetric", "reflect", "wrap")


def _fits(arguments: Mapping[str, Any]) -> bool:
    image = np.asarray(arguments["image"])
    if image.dtype.kind == "f" and arguments.get("order") in (2, 3, 4, 5) and np.isinf(image).any():
        return False  # what the spline's recursion makes of infinities is nobody's promise
    order = arguments.get("order")
    if image.dtype == bool:
        return (
            order in (None, 0) and not arguments.get("anti_aliasing") and arguments.get("cval", 0) in (0, 1)
        )
    # Without interpolation the result has the image's dtype, and so has cval.
    return order != 0 or image.dtype.kind == "f" or arguments.get("cval", 0) in (0, 1)


def _scales(arguments: Mapping[str, Any]) -> bool:
    """As `_fits`, and sizes follow the scale: a side that is one pixel whatever it was says nothing."""
    shape = np.shape(arguments["image"])
    scale = np.atleast_1d(np.asarray(arguments["scale"], np.float64))
    if len(scale) not in (1, len(shape)):
        return _fits(arguments)
    now, grown = (np.maximum(np.round(scale * np.add(shape, more)), 1) for more in (0, 3))
    return bool((now != grown).all()) and _fits(arguments)


def _integers_smoothed(arguments: Mapping[str, Any]) -> bool:
    return (
        np.asarray(arguments["image"]).dtype.kind in "iu"
        and arguments.get("order") == 0
        and bool(arguments.get("anti_aliasing"))
    )


def _differences(others: Mapping[str, Any]) -> tuple[Difference, ...]:
    return (
        Difference(
            "Anti-aliasing an integer image without interpolation (order 0) is refused; the reference "
            "truncates the smoothed values axis by axis.",
            witness=lambda: {"image": np.eye(4, dtype=np.uint8), "order": 0, "anti_aliasing": True, **others},
            applies=_integers_smoothed,
        ),
    )


@replaces(
    "skimage.transform.resize",
    domain={
        "image": Image(dtypes=_DTYPES, sides=(1, 9)),
        "output_shape": PerAxis(spec=Integer(1, 9), count=2, single=False, typical=(224, 224)),
        "order": OneOf(None, 0, 1, 2, 3, 4, 5),
        "mode": _MODES,
        "cval": _CVALS,
        "clip": Boolean(),
        "preserve_range": Boolean(),
        "anti_aliasing": OneOf(None, True, False),
        "anti_aliasing_sigma": Maybe(spec=Real(0.0, 2.0)),
    },
    agreement=AsReference(coordinates_of="image", jumps="pipeport.references.jumps.resize"),
    proven_against=">=0.26,<0.27",
    valid=_fits,
    differences=_differences({"output_shape": (2, 2)}),
    stock=Stock(
        "tf.image.resize",
        "float32 always, other borders, another cubic, another anti-aliasing filter",
        "pipeport.references.stock.resize",
    ),
)
def resize(
    image: Any,
    output_shape: Any,
    order: int | None = None,
    mode: str = "reflect",
    cval: float = 0,
    clip: bool = True,
    preserve_range: bool = False,
    anti_aliasing: bool | None = None,
    anti_aliasing_sigma: Any = None,
) -> Any:
    """Resize an image to a shape.

    Native equivalent of `skimage.transform.resize`.

    Parameters
    ----------
    image : tf.Tensor, any rank above 0, bool, integers or floats
        Image, image with channels or volume; integers are read on their full range (see
        `preserve_range`). Sizes may be unknown while tracing, the rank must be known.
    output_shape : sequence of int
        One size per axis; the last may be left out, and then keeps its size (channels). More sizes
        than axes add axes of size one first.
    order : {0, 1, 2, 3, 4, 5}, optional
        Order of the spline; None is 0 for bool images, else 1.
    mode : {'constant', 'edge', 'symmetric', 'reflect', 'wrap'}, default 'reflect'
        Border rule, named as in `numpy.pad`.
    cval : float, default 0
        Value outside the image in mode 'constant', on the scale of the output.
    clip : bool, default True
        Whether the output is clipped to the range of the input.
    preserve_range : bool, default False
        Whether integer images keep their range instead of being scaled to [0, 1]
        (signed: [-1, 1]).
    anti_aliasing : bool, optional
        Whether to smooth with a Gaussian first. None smooths where a side shrinks, but not bool
        images, and integers only if they are interpolated.
    anti_aliasing_sigma : float or one per axis, optional
        Standard deviation of that Gaussian in pixels; ``max(0, (factor - 1) / 2)`` when None, with
        the factor by which a side shrinks.

    Returns
    -------
    tf.Tensor, shape `output_shape`
        float64 for integer and float64 images, float32 for float16 and float32; order 0: dtype of
        the image (float32 for float16).

    Raises
    ------
    UnsupportedArgument
        `order` not from 0 to 5, a `mode` not listed, anti-aliasing of bool images or of integers
        with order 0, an order other than 0 for a bool image, or a tensor where a Python value is needed.
    OutsideDomain
        The image is empty or of a dtype scikit-image does not take; `output_shape` has too few or
        not positive sizes; a sigma is negative; `cval` is not finite.
    WrongType
        An argument is of no use at all, for instance text.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    Differences from the reference:

    - Anti-aliasing an integer image without interpolation (order 0) is refused; the reference
      truncates the smoothed values axis by axis.

    The reference warns of a sigma above zero where nothing shrinks; nothing is said here.

    Agreement: as accurate as the reference, judged against it in float64.

    Graph: one axis after the other, compiled with XLA when traced with static sizes
    (`pipeport.config`). The output's shape is static.

    Source: `skimage/transform/_warps.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.transform import resize
    >>> resize(tf.constant([[0.0, 1.0, 2.0, 3.0]]), (1, 2), anti_aliasing=False).numpy().tolist()
    [[0.5, 2.5]]
    """
    tensor = _image(image)
    found = _resized(
        tensor[tf.newaxis],
        _sizes(output_shape),
        order,
        mode,
        cval,
        clip,
        preserve_range,
        anti_aliasing,
        anti_aliasing_sigma,
    )
    return tf.squeeze(found, [0])


@batch_form(resize)
def _resize_batch(
    image: Any,
    output_shape: Any,
    order: int | None = None,
    mode: str = "reflect",
    cval: float = 0,
    clip: bool = True,
    preserve_range: bool = False,
    anti_aliasing: bool | None = None,
    anti_aliasing_sigma: Any = None,
) -> Any:
    """Resize a batch: images with a leading axis, one shape for all."""
    return _resized(
        _image(image, 2),
        _sizes(output_shape),
        order,
        mode,
        cval,
        clip,
        preserve_range,
        anti_aliasing,
        anti_aliasing_sigma,
    )


@replaces(
    "skimage.transform.rescale",
    domain={
        "image": Array(dtypes=_DTYPES, ranks=(2, 3), sides=(1, 8), values=(-1.0, 1.0)),
        "scale": PerAxis(spec=Real(0.2, 2.5), of="image", typical=0.875),
        "order": OneOf(None, 0, 1, 2, 3, 4, 5),
        "mode": _MODES,
        "cval": _CVALS,
        "clip": Boolean(),
        "preserve_range": Boolean(),
        "anti_aliasing": OneOf(None, True, False),
        "anti_aliasing_sigma": Maybe(spec=Real(0.0, 2.0)),
        "channel_axis": OneOf(None, typical=-1),
    },
    agreement=AsReference(coordinates_of="image", jumps="pipeport.references.jumps.rescale"),
    proven_against=">=0.26,<0.27",
    valid=_scales,
    differences=_differences({"scale": 0.5}),
)
def rescale(
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

    Native equivalent of `skimage.transform.rescale`.

    Parameters
    ----------
    image : tf.Tensor, any rank above 0, bool, integers or floats
        Image or volume; every axis is scaled but `channel_axis`. Sizes may be unknown while
        tracing, the rank must be known.
    scale : float or one per axis that is scaled
        Factors, Python numbers: each side becomes ``max(1, round(side * scale))``.
    order : {0, 1, 2, 3, 4, 5}, optional
        Order of the spline; None is 0 for bool images, else 1.
    mode : {'constant', 'edge', 'symmetric', 'reflect', 'wrap'}, default 'reflect'
        Border rule, named as in `numpy.pad`.
    cval : float, default 0
        Value outside the image in mode 'constant', on the scale of the output.
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
        `order` not from 0 to 5, a `mode` not listed, anti-aliasing of bool images or of integers
        with order 0, an order other than 0 for a bool image, or a tensor where a Python value is needed.
    OutsideDomain
        The image is empty or of a dtype scikit-image does not take; `scale` has another length than
        the axes that are scaled, or is not finite; a sigma is negative; `cval` is not finite.
    BadAxis
        The image has no such `channel_axis`.
    WrongType
        An argument is of no use at all, for instance text.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    Differences from the reference:

    - Anti-aliasing an integer image without interpolation (order 0) is refused; the reference
      truncates the smoothed values axis by axis.

    Agreement: as accurate as the reference, judged against it in float64.

    Graph: as `resize`.

    Source: `skimage/transform/_warps.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.transform import rescale
    >>> rescale(tf.zeros([10, 20, 3]), 0.5, channel_axis=-1).shape
    TensorShape([5, 10, 3])
    """
    tensor = _image(image)
    found = _rescaled(
        tensor[tf.newaxis],
        scale,
        order,
        mode,
        cval,
        clip,
        preserve_range,
        anti_aliasing,
        anti_aliasing_sigma,
        channel_axis,
    )
    return tf.squeeze(found, [0])


@batch_form(rescale)
def _rescale_batch(
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
    """Rescale a batch: images with a leading axis, which `channel_axis` does not count."""
    return _rescaled(
        _image(image, 2),
        scale,
        order,
        mode,
        cval,
        clip,
        preserve_range,
        anti_aliasing,
        anti_aliasing_sigma,
        channel_axis,
    )


# ------------------------------------------------------------------------------------- checks


def _image(image: Any, least: int = 1) -> Any:
    tensor = as_tensor(image, "image")
    rank = tensor.shape.rank
    if rank is None:
        raise UnsupportedArgument(
            explain("image", "an unknown rank", "a known rank", "State it with tf.ensure_shape.")
        )
    if rank < least:
        raise OutsideDomain(
            explain("image", f"rank {rank}", f"at least {least} axes", "Add axes with tf.newaxis.")
        )
    _checks.dtype_among(tensor, _splines.DTYPES, "image")
    return tensor


def _sizes(output_shape: Any) -> list[int]:
    if tf.is_tensor(output_shape):
        constant = tf.get_static_value(output_shape)
        if constant is None:
            advice = "Give Python integers, or resize with pipeport.cv2.resize, which takes a tensor."
            raise UnsupportedArgument(explain("output_shape", "a tensor", "a tuple of integers", advice))
        output_shape = constant
    try:
        sizes = [float(side) for side in output_shape]
    except (TypeError, ValueError) as error:
        raise WrongType(
            explain("output_shape", repr(output_shape), "a tuple of integers", "One size per axis.")
        ) from error
    if not all(math.isfinite(side) and side >= 1 and round(side) == side for side in sizes):
        raise OutsideDomain(
            explain("output_shape", repr(output_shape), "whole sizes, 1 or more", "Round them first.")
        )
    if math.prod(sizes) > 2**31 - 1:
        advice = "Work on smaller pieces."
        raise OutsideDomain(
            explain("output_shape", repr(output_shape), f"at most {2**31 - 1} elements", advice)
        )
    return [int(side) for side in sizes]


def _sigmas(sigma: Any, rank: int) -> list[float] | None:
    if sigma is None:
        return None
    if tf.is_tensor(sigma):
        constant = tf.get_static_value(sigma)
        if constant is None:
            raise UnsupportedArgument(
                explain("anti_aliasing_sigma", "a tensor", "Python numbers", "It shapes the graph.")
            )
        sigma = constant
    try:
        given = np.atleast_1d(np.asarray(sigma, np.float64))
        values = given * np.ones(rank)
    except (TypeError, ValueError) as error:
        allowed = f"a number or {rank} of them"
        raise OutsideDomain(
            explain("anti_aliasing_sigma", repr(sigma), allowed, "One per axis of image.")
        ) from error
    if not (np.isfinite(values).all() and (values >= 0).all()):
        raise OutsideDomain(
            explain("anti_aliasing_sigma", repr(sigma), "finite numbers, none negative", "0 does not smooth.")
        )
    return [float(value) for value in values]


# ------------------------------------------------------------------------------------ resizing


def _rescaled(
    images: Any,
    scale: Any,
    order: Any,
    mode: Any,
    cval: Any,
    clip: Any,
    preserve_range: Any,
    anti_aliasing: Any,
    anti_aliasing_sigma: Any,
    channel_axis: Any,
) -> Any:
    rank = images.shape.rank - 1
    channel = _channel(channel_axis, rank)
    if channel is not None and channel != rank - 1:
        # The reference moves channels to the end, and with them their sigma.
        there = tf.transpose(images, [*(a for a in range(rank + 1) if a != channel + 1), channel + 1])
        found = _rescaled(
            there, scale, order, mode, cval, clip, preserve_range, anti_aliasing, anti_aliasing_sigma, -1
        )
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
    return _resized(
        images, sizes, order, mode, cval, clip, preserve_range, anti_aliasing, anti_aliasing_sigma
    )


def _channel(channel_axis: Any, rank: int) -> int | None:
    if channel_axis is None:
        return None
    if not hasattr(channel_axis, "__index__") or isinstance(channel_axis, bool):
        raise WrongType(explain("channel_axis", repr(channel_axis), "None or an integer", "Name one axis."))
    axis = int(channel_axis)
    if not -rank <= axis < rank:
        raise BadAxis(
            explain("channel_axis", str(axis), f"an axis of rank {rank}", "Count from 0 or from -1.")
        )
    return axis % rank


def _factors(scale: Any, count: int) -> list[float]:
    if tf.is_tensor(scale):
        constant = tf.get_static_value(scale)
        if constant is None:
            advice = "The output's size would be unknown: give Python numbers."
            raise UnsupportedArgument(explain("scale", "a tensor", "Python numbers", advice))
        scale = constant
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


def _resized(
    images: Any,
    sizes: Sequence[Any],
    order: Any,
    mode: Any,
    cval: Any,
    clip: Any,
    preserve_range: Any,
    anti_aliasing: Any,
    anti_aliasing_sigma: Any,
) -> Any:
    images, sizes = _same_rank(images, list(sizes))
    rank = images.shape.rank - 1
    order, mode = _splines.checked_order(images.dtype, order), _splines.checked_mode(mode)
    clip, preserve_range = _checks.flag(clip, "clip"), _checks.flag(preserve_range, "preserve_range")
    cval = _checks.finite_scalar(cval, "cval")
    own = [tf.shape(images)[n + 1] if side is None else side for n, side in enumerate(images.shape[1:])]
    smooths = _smooth_wanted(images.dtype, order, anti_aliasing, own, sizes)
    sigmas = _sigmas(anti_aliasing_sigma, rank)
    images = _checks.not_empty(images, "image", element=slice(1, None))
    if images.dtype == tf.float16:
        images = tf.cast(images, tf.float32)
    images = _splines.as_sampled(images, order, preserve_range)
    fill = tf.convert_to_tensor(cval, tf.float64)
    narrow = images.dtype == tf.float32 and order <= 1
    compute = images.dtype if order == 0 or narrow else tf.float64
    settings = Settings(order, _splines.NDIMAGE[mode], compute, images.dtype)
    axes = [
        _axis(settings, own[n], sizes[n], smooths, None if sigmas is None else sigmas[n]) for n in range(rank)
    ]
    if all(_same(a, b) for a, b in zip(own, sizes, strict=True)):
        axes = [Axis(None, axis.kernel) for axis in axes]
    result = tf.squeeze(resample(settings, images[..., tf.newaxis], axes, fill), [-1])
    if order and images.dtype.is_floating and _may_fit(own, sizes):
        still = images
        if sigmas is not None and any(sigmas):
            kernels = [Axis(None, axis.kernel) for axis in axes]
            still = tf.squeeze(resample(settings, images[..., tf.newaxis], kernels, fill), [-1])
        result = _spared(result, still, own, sizes)
    overshoots = order >= 2 or mode == "constant"
    return clipped(result, images, mode, fill) if clip and overshoots and images.dtype != tf.bool else result


def _may_fit(own: Sequence[Any], sizes: Sequence[Any]) -> bool:
    """Whether it may turn out when the graph runs that an image has the size already."""
    open_pairs = [(a, b) for a, b in zip(own, sizes, strict=True) if not _same(a, b)]
    return bool(open_pairs) and not any(isinstance(a, int) and isinstance(b, int) for a, b in open_pairs)


def _spared(result: Any, images: Any, own: Sequence[Any], sizes: Sequence[Any]) -> Any:
    """Return images that turn out to have the size already: the reference does not sample them.

    But for NaN, which filters spread, and infinities, which weights of zero turn into NaN, the result
    is the same.
    """
    pairs = list(zip(own, sizes, strict=True))
    fitted = images
    for axis, (size, wanted) in enumerate(pairs, 1):
        fitted = tf.gather(fitted, tf.minimum(tf.range(wanted), size - 1), axis=axis)
    same = tf.reduce_all([tf.equal(a, b) for a, b in pairs if not _same(a, b)])
    return tf.where(same, tf.cast(fitted, result.dtype), result)


def _same_rank(images: Any, sizes: list[Any]) -> tuple[Any, list[Any]]:
    rank = images.shape.rank - 1
    if len(sizes) > rank:
        for _ in range(len(sizes) - rank):
            images = images[..., tf.newaxis]
    elif len(sizes) == rank - 1:
        sizes = [*sizes, tf.shape(images)[-1] if images.shape[-1] is None else images.shape[-1]]
    elif len(sizes) < rank:
        given = f"{len(sizes)} sizes for rank {rank}"
        raise OutsideDomain(
            explain(
                "output_shape",
                given,
                f"{rank} or {rank - 1} sizes",
                "One per axis; channels may be left out.",
            )
        )
    return images, sizes


def _smooth_wanted(dtype: Any, order: int, asked: Any, own: list[Any], sizes: list[Any]) -> Any:
    """Say whether to smooth: a Python value, or a tensor where that hangs on unknown sizes."""
    if asked is None:
        if dtype == tf.bool or (dtype.is_integer and order == 0):
            return False
        pairs = list(zip(own, sizes, strict=True))
        if any(isinstance(a, int) and isinstance(b, int) and b < a for a, b in pairs):
            return True
        unknown = [tf.less(b, a) for a, b in pairs if tf.is_tensor(a) or tf.is_tensor(b)]
        return tf.reduce_any(tf.stack(unknown)) if unknown else False
    asked = _checks.flag(asked, "anti_aliasing")
    if asked and dtype == tf.bool:
        raise UnsupportedArgument(
            explain(
                "anti_aliasing", "True for a bool image", "None or False", "Cast the image to a float first."
            )
        )
    if asked and dtype.is_integer and order == 0:
        raise UnsupportedArgument(
            explain(
                "anti_aliasing",
                "True for integers with order 0",
                "None or False, or another order",
                "Cast the image to a float first.",
            )
        )
    return asked


def _same(own: Any, size: Any) -> bool:
    return size is own or (isinstance(own, int) and isinstance(size, int) and size == own)


def _axis(settings: Settings, own: Any, size: Any, smooths: Any, sigma: float | None) -> Axis:
    known = isinstance(own, int) and isinstance(size, int)
    same = _same(own, size)
    kernel: Any = None
    if smooths is not False:
        if sigma is None and not same:
            if known:
                kernel = gaussian_kernel(max(0.0, (own / size - 1) / 2))
            else:
                factor = divided(own, size)
                kernel = dynamic_gaussian_kernel(tf.maximum((factor - 1) / 2, 0.0))
        elif sigma is not None and smooths is True:
            kernel = gaussian_kernel(sigma)
        elif sigma is not None:
            kernel = dynamic_gaussian_kernel(tf.where(smooths, tf.constant(sigma, tf.float64), 0.0))
    if same:
        return replace(unmoved(settings, own), kernel=kernel)
    if known:
        return Axis((np.arange(size, dtype=np.float64) + 0.5) * (own / size) - 0.5, kernel)
    target = tf.cast(size, tf.float64)
    index = tf.range(target, dtype=tf.float64)
    where = (index + 0.5) * divided(own, target) - 0.5
    return Axis(tf.ensure_shape(where, [size if isinstance(size, int) else None]), kernel)
