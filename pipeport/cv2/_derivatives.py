"""`cv2.Sobel`, `cv2.Scharr` and `cv2.Laplacian`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport.contract import Image, Integer, OneOf, Real, Within, WithinLevels, batchable, replaces
from pipeport.cv2 import _constants as constants
from pipeport.cv2 import _filtering as filtering
from pipeport.cv2 import _images
from pipeport.cv2._filter_2d import work_of
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.opencv._correlate import Correlation, correlated, correlated_apart, groups_of

_DEPTHS = (-1, constants.CV_16S, constants.CV_32F, constants.CV_64F)
_SIDES = (1, 3, 5, 7)
# Of larger kernels there are no sums that float32 holds.
_LARGE = tuple(range(9, 32, 2))
_DRAWN = (*_SIDES, 9, 15)
_SCHARR = {0: np.array([3, 10, 3]), 1: np.array([-1, 0, 1])}
_IMAGES = Image(dtypes=tuple(filtering.RESULTS), channels=filtering.CHANNELS, non_finite=False)
_AGREEMENT = WithinLevels(
    1,
    1.0,  # where a product with `scale` lies between two levels; without one equal in tests/cv2
    floats=Within(0.1, "float32 sums of up to 400,000 in another order; in [-1, 1] within 2e-4"),
)
_SCALED = {
    "scale": OneOf(1, 0.5, 0.3, 2, typical=1),
    "delta": Real(-10.0, 10.0, typical=0.0),
    "borderType": OneOf(*filtering.RULES, typical=constants.BORDER_DEFAULT),
}
_NO_DST = {"dst": "tensors are not written in place"}


def difference(side: int, order: int) -> Any:
    """Return the weights of a derivative along one axis: sums of neighbours, and `order` differences."""
    weights = np.ones(1, np.int64)
    for step in range(side - 1):
        weights = np.convolve(weights, [-1, 1] if step < order else [1, 1])
    return weights


def _asked(
    src: Any, ddepth: Any, dst: Any, rest: tuple[Any, ...], batch_axes: int
) -> tuple[Any, str, float, float, str]:
    """Return images, the dtype of the result, what sums are multiplied by, what is added, and the border."""
    scale, delta, border = rest
    _images.refuse_dst(dst)
    factor, more = filtering.real_of(scale, "scale"), filtering.real_of(delta, "delta")
    rule = filtering.rule_of(border)
    x = filtering.images_of(src, batch_axes, tuple(filtering.RESULTS))
    result = filtering.depth_of(ddepth, x.dtype.name)
    return x, result, factor, more, rule


def _applied(src: Any, ddepth: Any, kernel: Any, dst: Any, rest: tuple[Any, ...], batch_axes: int) -> Any:
    x, result, factor, more, rule = _asked(src, ddepth, dst, rest, batch_axes)
    work, weights = work_of(x.dtype.name, result, kernel, factor, more)
    how = Correlation(groups_of(weights), weights.shape, work, result, factor, more)
    middle = (weights.shape[0] // 2, weights.shape[1] // 2)
    return _images.as_result(correlated(x, how, rule, middle), batch_axes)


def _applied_apart(
    src: Any, ddepth: Any, pairs: Any, dst: Any, rest: tuple[Any, ...], batch_axes: int, whole: bool = True
) -> Any:
    """Apply large kernels, each along columns, then along rows.

    `pairs`: weights along columns and along rows, of each of the kernels whose results are added. `whole`:
    whether OpenCV has sums of whole numbers for int16, which wrap around.
    """
    x, result, factor, more, rule = _asked(src, ddepth, dst, rest, batch_axes)
    work = "float64" if result.startswith("float") else "int32"
    exact = whole and (x.dtype.name, result) == ("uint8", "int16") and factor == 1 and more.is_integer()
    if work == "int32" and not exact:
        allowed = "CV_32F or CV_64F for sides of 9 and more"
        if whole:
            allowed += ", and CV_16S of uint8 where scale is 1 and delta a whole number"
        raise UnsupportedArgument(explain("ddepth", repr(ddepth), allowed, "Cast the result with tf.cast."))
    rounded = np.float32 if work == "int32" else np.float64  # as OpenCV keeps weights
    lines = tuple(tuple(tuple(np.asarray(one, rounded).tolist()) for one in pair) for pair in pairs)
    how = Correlation((), (len(lines[0][0]), len(lines[0][1])), work, result, factor, more)
    return _images.as_result(correlated_apart(x, how, rule, lines), batch_axes)


def _orders(dx: Any, dy: Any) -> tuple[int, int]:
    orders = _images.whole_number(dx, "dx"), _images.whole_number(dy, "dy")
    if min(orders) < 0 or max(orders) == 0:
        advice = "For example 1 and 0: the derivative along rows."
        raise OutsideDomain(explain("dx, dy", orders, "0 or more, and one of them positive", advice))
    return orders


def _refuse_side(ksize: Any, allowed: str) -> None:
    raise OutsideDomain(explain("ksize", repr(ksize), allowed, "OpenCV has no others."))


def _scharr(dx: Any, dy: Any) -> Any:
    across, down = _orders(dx, dy)
    if across + down != 1:
        advice = "Call it twice, once for each direction."
        raise OutsideDomain(explain("dx, dy", (across, down), "1 and 0, or 0 and 1", advice))
    return np.outer(_SCHARR[down], _SCHARR[across])


def _fits(arguments: Mapping[str, Any]) -> bool:
    """Whether there is such a derivative, of an image that is filtered into that dtype."""
    orders = arguments["dx"], arguments["dy"]
    side = arguments["ksize"]
    if not any(orders) or (side == constants.FILTER_SCHARR and sum(orders) != 1):
        return False
    return max(orders) < max(side, 3) and _has_room(arguments) and filtering.can_be(arguments)


def _fits_laplacian(arguments: Mapping[str, Any]) -> bool:
    """Whether it is an image that is filtered into that dtype; large kernels OpenCV applies in float32."""
    large = arguments["ksize"] in _LARGE and np.asarray(arguments["src"]).dtype != np.float64
    return not large and filtering.can_be(arguments)


def _has_room(arguments: Mapping[str, Any]) -> bool:
    """Whether the sums of a large kernel are held: in float64, or of bytes in int32."""
    dtype, depth = np.asarray(arguments["src"]).dtype, arguments["ddepth"]
    if arguments["ksize"] not in _LARGE or depth == constants.CV_64F or dtype == np.float64:
        return True
    numbers = arguments.get("scale", 1) == 1 and float(arguments.get("delta", 0)).is_integer()
    return numbers and dtype == np.uint8 and depth == constants.CV_16S


def _fits_scharr(arguments: Mapping[str, Any]) -> bool:
    return arguments["dx"] + arguments["dy"] == 1 and filtering.can_be(arguments)


@replaces(
    "cv2.Sobel",
    domain={
        "src": _IMAGES,
        "ddepth": OneOf(*_DEPTHS, typical=constants.CV_16S),
        "dx": Integer(0, 2, typical=1),
        "dy": Integer(0, 2, typical=0),
        "ksize": OneOf(*_DRAWN, constants.FILTER_SCHARR, typical=3),
        **_SCALED,
    },
    agreement=_AGREEMENT,
    refused=_NO_DST,
    valid=_fits,
)
@batchable
def Sobel(
    batch_axes: int,
    src: Any,
    ddepth: Any,
    dx: Any,
    dy: Any,
    dst: Any = None,
    ksize: Any = 3,
    scale: Any = 1,
    delta: Any = 0,
    borderType: Any = constants.BORDER_DEFAULT,
) -> Any:
    """Take a derivative of an image, smoothed across its direction.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W) or (H, W, C), uint8, uint16, int16, float32 or float64
        The image, of one to four channels; H and W may be unknown while tracing.
    ddepth : int
        The dtype of the result: -1 for that of the image, CV_16U or CV_16S of uint8 alone, CV_32F or CV_64F
        of whole numbers.
    dx, dy : int
        Orders of the derivative along rows and along columns.
    ksize : int, default 3
        Side of the kernel: an odd number from 1 to 31, or FILTER_SCHARR. 1 is 3 without smoothing. From 9 on
        `ddepth` is CV_32F or CV_64F, or of uint8 CV_16S, with neither `scale` nor a fraction of `delta`.
    scale : float, default 1
        What the derivative is multiplied by.
    delta : float, default 0
        What is added.
    borderType : int, default BORDER_REFLECT_101
        What lies around the image: BORDER_REFLECT_101, BORDER_REFLECT, BORDER_REPLICATE or BORDER_CONSTANT,
        which is zeros.

    Returns
    -------
    tf.Tensor, shape of `src`
        (H, W) for (H, W, 1). Whole numbers are rounded, and saturate.

    Raises
    ------
    OutsideDomain
        The image is empty, or has another rank or dtype or more channels; another `ksize`; orders that such
        a kernel does not have.
    UnsupportedArgument
        Another `ddepth`, `borderType` or `dst`; a number is a tensor; rank or channels are unknown while
        tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty.

    Notes
    -----
    Agreement: whole numbers are equal, but within one level where `scale` or `delta` has a fraction: OpenCV
    multiplies the weights by `scale`, and rounds products as the processor does. Floats in [-1, 1] are within
    2e-4. Of sides from 9 on floats are within roundings of sums that grow to 4**(ksize - 1) times the pixels,
    2e-7 of these in float32 and 4e-16 in float64; int16 wraps around where OpenCV's does, from 15 on.
    Graph: one program, from 9 on three; where sizes are unknown one of each per bucket of sizes. Static shape
    is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> cv2.Sobel(tf.constant([[0, 10, 40, 50, 50]], tf.uint8), cv2.CV_16S, 1, 0).numpy().tolist()
    [[0, 160, 160, 40, 0]]
    """
    side = _images.whole_number(ksize, "ksize", default=3)
    if side == constants.FILTER_SCHARR:
        return _applied(src, ddepth, _scharr(dx, dy), dst, (scale, delta, borderType), batch_axes)
    across, down = _orders(dx, dy)
    if side not in _SIDES + _LARGE:
        _refuse_side(ksize, "odd numbers from 1 to 31, or FILTER_SCHARR")
    kernels = []
    for order in (down, across):
        length = 3 if side == 1 and order else side
        if order >= max(length, 2):
            advice = "Take a larger kernel, or derive twice."
            raise OutsideDomain(explain("dx, dy", (across, down), f"less than {length}", advice))
        kernels.append(difference(length, order))
    if side in _LARGE:
        return _applied_apart(src, ddepth, [kernels], dst, (scale, delta, borderType), batch_axes)
    return _applied(src, ddepth, np.outer(*kernels), dst, (scale, delta, borderType), batch_axes)


@replaces(
    "cv2.Scharr",
    domain={
        "src": _IMAGES,
        "ddepth": OneOf(*_DEPTHS, typical=constants.CV_16S),
        "dx": Integer(0, 1, typical=1),
        "dy": Integer(0, 1, typical=0),
        **_SCALED,
    },
    agreement=_AGREEMENT,
    refused=_NO_DST,
    valid=_fits_scharr,
)
@batchable
def Scharr(
    batch_axes: int,
    src: Any,
    ddepth: Any,
    dx: Any,
    dy: Any,
    dst: Any = None,
    scale: Any = 1,
    delta: Any = 0,
    borderType: Any = constants.BORDER_DEFAULT,
) -> Any:
    """Take the first derivative of an image along rows or columns, with the weights of Scharr.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W) or (H, W, C), uint8, uint16, int16, float32 or float64
        The image, of one to four channels; H and W may be unknown while tracing.
    ddepth : int
        The dtype of the result, as in `Sobel`.
    dx, dy : int
        1 and 0 for the derivative along rows, 0 and 1 for that along columns.
    scale : float, default 1
        What the derivative is multiplied by.
    delta : float, default 0
        What is added.
    borderType : int, default BORDER_REFLECT_101
        What lies around the image, as in `Sobel`.

    Returns
    -------
    tf.Tensor, shape of `src`
        (H, W) for (H, W, 1). Whole numbers are rounded, and saturate.

    Raises
    ------
    OutsideDomain
        The image is empty, or has another rank or dtype or more channels; other orders.
    UnsupportedArgument
        Another `ddepth`, `borderType` or `dst`; a number is a tensor; rank or channels are unknown while
        tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty.

    Notes
    -----
    Agreement and graph: as of `Sobel`.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> cv2.Scharr(tf.constant([[0, 10, 40, 50, 50]], tf.uint8), cv2.CV_16S, 1, 0).numpy().tolist()
    [[0, 640, 640, 160, 0]]
    """
    return _applied(src, ddepth, _scharr(dx, dy), dst, (scale, delta, borderType), batch_axes)


@replaces(
    "cv2.Laplacian",
    domain={
        "src": _IMAGES,
        "ddepth": OneOf(*_DEPTHS, typical=constants.CV_64F),
        "ksize": OneOf(*_DRAWN, typical=1),
        **_SCALED,
    },
    agreement=_AGREEMENT,
    refused=_NO_DST,
    valid=_fits_laplacian,
)
@batchable
def Laplacian(
    batch_axes: int,
    src: Any,
    ddepth: Any,
    dst: Any = None,
    ksize: Any = 1,
    scale: Any = 1,
    delta: Any = 0,
    borderType: Any = constants.BORDER_DEFAULT,
) -> Any:
    """Sum the second derivatives of an image along rows and columns.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W) or (H, W, C), uint8, uint16, int16, float32 or float64
        The image, of one to four channels; H and W may be unknown while tracing.
    ddepth : int
        The dtype of the result, as in `Sobel`.
    ksize : int, default 1
        Side of the kernel: an odd number from 1 to 31. 1 is the four neighbours less the pixel. From 9 on
        `ddepth` is CV_32F or CV_64F.
    scale : float, default 1
        What the sum is multiplied by.
    delta : float, default 0
        What is added.
    borderType : int, default BORDER_REFLECT_101
        What lies around the image, as in `Sobel`.

    Returns
    -------
    tf.Tensor, shape of `src`
        (H, W) for (H, W, 1). Whole numbers are rounded, and saturate.

    Raises
    ------
    OutsideDomain
        The image is empty, or has another rank or dtype or more channels; another `ksize`.
    UnsupportedArgument
        Another `ddepth`, `borderType` or `dst`; a number is a tensor; rank or channels are unknown while
        tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty.

    Notes
    -----
    Agreement and graph: as of `Sobel`.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> cv2.Laplacian(tf.constant([[0, 0, 9, 0, 0]], tf.uint8), cv2.CV_16S).numpy().tolist()
    [[0, 9, -18, 9, 0]]
    """
    side = _images.whole_number(ksize, "ksize", default=1)
    if side not in _SIDES + _LARGE:
        _refuse_side(ksize, "odd numbers from 1 to 31")
    if side in _LARGE:
        smooth, bent = difference(side, 0), difference(side, 2)
        pairs = [(smooth, bent), (bent, smooth)]
        return _applied_apart(src, ddepth, pairs, dst, (scale, delta, borderType), batch_axes, False)
    if side == 1:
        kernel = np.array([[0, 1, 0], [1, -4, 1], [0, 1, 0]])
    elif side == 3:
        kernel = np.array([[2, 0, 2], [0, -8, 0], [2, 0, 2]])
    else:
        half = np.outer(difference(side, 0), difference(side, 2))
        kernel = half + half.T
    return _applied(src, ddepth, kernel, dst, (scale, delta, borderType), batch_axes)
