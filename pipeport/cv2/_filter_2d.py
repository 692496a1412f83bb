"""`cv2.filter2D`."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Image, OneOf, Real, Within, WithinLevels, batchable, replaces
from pipeport.cv2 import _constants as constants
from pipeport.cv2 import _filtering as filtering
from pipeport.cv2 import _images
from pipeport.cv2._structuring import anchor_of
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs.arrays import as_tensor
from pipeport.kernels.opencv._correlate import Correlation, Groups, correlated, groups_of, is_box
from pipeport.kernels.sampling._box_sums import MOST

_MIDDLE = (-1, -1)
_KERNELS = OneOf(
    np.array([[0, -1, 0], [-1, 5, -1], [0, -1, 0]]),
    np.full((5, 5), 1 / 25, np.float32),
    np.array([[0.25, -0.7, 1.3, 0.0]]),
    np.outer([1, 4, 6, 4, 1], [-1, -2, 0, 2, 1]).astype(np.float64) / 3,
    np.eye(9, dtype=np.float32) / 9,
    np.array([[-2]], np.int8),
    np.outer(np.hanning(19)[1:-1], np.hanning(20)[1:-1]).astype(np.float32) / 90,
)
_DEPTHS = (-1, constants.CV_8U, constants.CV_16S, constants.CV_32F, constants.CV_64F)
# Products and their sums stay below it, where all are whole numbers.
_LARGEST_SUM = 2**31 - 1


def work_of(dtype: str, result: str, kernel: Any, scale: float = 1.0, delta: float = 0.0) -> tuple[str, Any]:
    """Return the dtype of the sums, and the kernel in it: int32 where no number has a fraction.

    `dtype`, `result`: of the image, and of the result. `scale`, `delta`: what the sums are multiplied by, and
    what is added. Returns: the dtype, and the kernel.
    """
    if not dtype.startswith("float") and scale == 1 and delta.is_integer():
        whole = np.round(kernel)
        most = np.abs(whole).sum() * np.iinfo(dtype).max + abs(delta)
        if np.array_equal(whole, kernel) and most < _LARGEST_SUM:
            return "int32", whole
    work = "float64" if "float64" in (dtype, result) else "float32"
    return work, np.asarray(kernel, work)


def _kernel_of(kernel: Any, batch_axes: int) -> Any:
    """Return the weights, as a tensor (h, w) or (B, h, w)."""
    weights = as_tensor(kernel, "kernel")
    ranks = (2, 3) if batch_axes else (2,)
    if weights.shape.rank not in ranks or not weights.shape[-2:].is_fully_defined():
        given = f"shape {weights.shape}"
        raise OutsideDomain(explain("kernel", given, "(h, w), known while tracing", "Reshape it."))
    if weights.dtype.is_bool or weights.dtype.is_complex or not weights.shape[-2:].num_elements():
        given = f"{weights.dtype.name} of shape {weights.shape}"
        raise OutsideDomain(explain("kernel", given, "real numbers, at least one", "Cast it to float32."))
    return weights


@replaces(
    "cv2.filter2D",
    domain={
        "src": Image(dtypes=tuple(filtering.RESULTS), channels=filtering.CHANNELS, non_finite=False),
        "ddepth": OneOf(*_DEPTHS, typical=-1),
        "kernel": _KERNELS,
        "anchor": OneOf(_MIDDLE, (0, 0), typical=_MIDDLE),
        "delta": Real(-10.0, 10.0, typical=0.0),
        "borderType": OneOf(*filtering.RULES, typical=constants.BORDER_DEFAULT),
    },
    agreement=WithinLevels(
        1,
        1.0,  # where a sum lies between two levels; kernels of whole numbers are equal in tests/cv2
        floats=Within(1e-3, "float32 sums of up to 12,000 in another order; in [-1, 1] within 2e-5"),
    ),
    refused={"dst": "tensors are not written in place"},
    valid=filtering.can_be,
)
@batchable
def filter2D(
    batch_axes: int,
    src: Any,
    ddepth: Any,
    kernel: Any,
    dst: Any = None,
    anchor: Any = _MIDDLE,
    delta: Any = 0,
    borderType: Any = constants.BORDER_DEFAULT,
) -> Any:
    """Sum the pixels around each one, multiplied by the weights of a kernel.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W) or (H, W, C), uint8, uint16, int16, float32 or float64
        The image, of one to four channels; H and W may be unknown while tracing.
    ddepth : int
        The dtype of the result: -1 for that of the image, CV_16U or CV_16S of uint8 alone, CV_32F or CV_64F
        of whole numbers.
    kernel : array_like, shape (h, w)
        The weights, at most 255 along each axis, of any real dtype; as a tensor with values that are not
        known while tracing, too.
    anchor : (int, int), default (-1, -1)
        Column and row of the kernel that lies on the pixel; -1 is the middle.
    delta : float, default 0
        What is added to each sum.
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
        The image is empty, or has another rank or dtype or more channels; the kernel has another rank or
        dtype, or is empty; the anchor lies outside of it.
    UnsupportedArgument
        Another `ddepth`, `borderType`, `dst` or `delta`; the kernel is too large; rank or channels are
        unknown while tracing.
    tf.errors.InvalidArgumentError
        An image of unknown size turns out to be empty.

    Notes
    -----
    Agreement: whole numbers are equal where weights and `delta` are whole numbers too, else within one level:
    OpenCV adds products with one rounding or two as the processor can, and takes Fourier transforms for
    kernels of 50 to 130 pixels and more, so that a sum between two levels may fall to either. Floats in
    [-1, 1] are within 2e-5. NaN and infinities spread as far as the weights that are not zero; those of a
    drawn kernel, or of more than 255, all count.
    Graph: one program; for 16 and more equal weights two, of columns and of rows; for more than 255 that
    differ one of a few rows of the kernel, which is called for all of them. Where sizes are unknown one of
    each per bucket of sizes. Static shape is kept.
    Speed: slower than OpenCV in `tf.numpy_function` where many weights differ, faster for 3x3.

    Examples
    --------
    >>> import numpy as np
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> row = tf.constant([[0, 10, 40, 10, 0]], tf.uint8)
    >>> cv2.filter2D(row, -1, np.array([[-1, 3, -1]])).numpy().tolist()
    [[0, 0, 100, 0, 0]]
    """
    _images.refuse_dst(dst)
    more, rule = filtering.real_of(delta, "delta"), filtering.rule_of(borderType)
    x = filtering.images_of(src, batch_axes, tuple(filtering.RESULTS))
    result = filtering.depth_of(ddepth, x.dtype.name)
    weights = _kernel_of(kernel, batch_axes)
    height, width = size = tuple(weights.shape[-2:])
    at = anchor_of(anchor, height, width)
    known = tf.get_static_value(weights) if weights.shape.rank == 2 else None
    groups: Groups = ()
    given: tuple[Any, ...] = ()
    if known is None:
        work = "float64" if "float64" in (x.dtype.name, result) else "float32"
        given = (weights if weights.shape.rank == 3 else weights[tf.newaxis],)
    else:
        work, held = work_of(x.dtype.name, result, np.asarray(known, np.float64), delta=more)
        groups = groups_of(held)
        if np.count_nonzero(held) > MOST and not is_box(groups, size):
            given, groups = (tf.constant(held[np.newaxis], work),), ()
    if max(size) > filtering.MOST:
        allowed, advice = (
            f"at most {filtering.MOST} pixels a side",
            "Filter twice, or shrink the image first.",
        )
        raise UnsupportedArgument(explain("kernel", f"{height} x {width}", allowed, advice))
    how = Correlation(groups, size, work, result, delta=more)
    return _images.as_result(correlated(x, how, rule, at, *given), batch_axes)
