"""`cv2.resize`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport import config
from pipeport._lazy import tf
from pipeport.contract import (
    CannotServe,
    Difference,
    Image,
    Integer,
    Maybe,
    OneOf,
    PerAxis,
    Within,
    WithinLevels,
    batchable,
    replaces,
)
from pipeport.cv2 import _images
from pipeport.cv2 import _resize_arguments as given
from pipeport.cv2._constants import INTER_LINEAR, INTER_LINEAR_EXACT
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.inputs.arrays import as_tensor
from pipeport.kernels.layout._channel_order import before_turning
from pipeport.kernels.opencv import _resize as kernel
from pipeport.kernels.opencv._resize_axis import measured

_COPIED = (kernel.NEAREST, kernel.NEAREST_EXACT)


def _empty(arguments: Mapping[str, Any]) -> bool:
    return 0 in np.shape(arguments["src"])


def _not_finite(arguments: Mapping[str, Any]) -> bool:
    image = np.asarray(arguments["src"])
    copies = arguments.get("interpolation") in _COPIED
    return image.dtype.kind == "f" and not copies and not np.isfinite(image).all()


def _wide_exact(arguments: Mapping[str, Any]) -> bool:
    wide = np.asarray(arguments["src"]).dtype.name in ("int32", *_images.WIDE)
    return wide and arguments.get("interpolation") == INTER_LINEAR_EXACT


def _area_of_bytes(arguments: Mapping[str, Any]) -> bool:
    is_area = arguments.get("interpolation") == kernel.AREA
    return is_area and arguments.get("dsize") is not None and arguments["src"].dtype == np.uint8


def _valid(arguments: Mapping[str, Any]) -> bool:
    """Leave out what would only repeat a refusal, or a tie; tests/natives has those."""
    image, size = np.asarray(arguments["src"]), arguments["dsize"]
    dtype, kind = image.dtype.name, arguments.get("interpolation", INTER_LINEAR)
    factors = (arguments.get("fx", 0), arguments.get("fy", 0))
    nearest = kind in (kernel.NEAREST, kernel.NEAREST_EXACT)
    served = dtype in _images.served_dtypes() and (nearest or dtype in (*given.MIXABLE, "int8"))
    if not served or (size is None and min(factors) <= 0):
        return False
    # Where rows or columns repeat, so does a tie: then a fraction of the pixels says nothing.
    near = (kernel.CUBIC, kernel.LINEAR, kernel.AREA)
    if nearest or not (dtype in ("uint16", "int16") or (dtype == "uint8" and kind in near)):
        return True
    out = size or (image.shape[1] * factors[0], image.shape[0] * factors[1])
    return bool(min(image.shape[:2]) >= 3 and min(out) >= 5)


@replaces(
    "cv2.resize",
    domain={
        "src": Image(dtypes=_images.DTYPES, channels=(None, 1, 2, 3, 4, 5), sides=(1, 16), non_finite=False),
        "dsize": Maybe(spec=PerAxis(spec=Integer(1, 20), count=2, single=False), typical=(224, 224)),
        "fx": OneOf(0, 0.5, 0.37, 1.0, 1 / 3, 1.7, 2),
        "fy": OneOf(0, 0.5, 0.61, 1.0, 1 / 3, 1.3, 2),
        "interpolation": OneOf(*given.NAMES),
    },
    agreement=WithinLevels(
        1,
        0.4,  # of images this small, full of ties; tests/natives holds photographs and noise to 7 %
        floats=Within(
            2e-6,
            "sums in another order on values in [-1, 1]; an OpenCV without Intel's code rounds the "
            "coordinates of linear and cubic to float32, up to 2e-5 apart at 256 pixels",
        ),
    ),
    refused={"dst": "tensors are not written in place"},
    valid=_valid,
    cannot_serve=(
        CannotServe(
            "xla",
            "INTER_AREA of bytes is TensorFlow's own kernel, which XLA lacks; for a graph that you compile "
            "with XLA yourself call pipeport.config.set_bit_equal(True)",
            witness=lambda: {
                "src": np.arange(120, dtype=np.uint8).reshape(10, 12),
                "dsize": (5, 4),
                "interpolation": kernel.AREA,
            },
            when=_area_of_bytes,
        ),
    ),
    differences=(
        Difference(
            "An image of int32 is refused by INTER_LINEAR_EXACT, whose 64-bit fixed point is not served.",
            witness=lambda: {
                "src": np.arange(12, dtype=np.int32).reshape(3, 4),
                "dsize": (5, 5),
                "interpolation": INTER_LINEAR_EXACT,
            },
            applies=_wide_exact,
        ),
        Difference(
            "Whether a NaN or an infinity counts where its weight is zero, beside the border or under a "
            "centre exactly on a pixel, is not matched.",
            witness=lambda: {"src": np.array([[[0, 0], [np.nan, np.nan]]], np.float32), "dsize": (4, 1)},
            applies=_not_finite,
            only={"src": "f", "interpolation": tuple(kind for kind in range(8) if kind not in _COPIED)},
        ),
    ),
)
@batchable
def resize(
    batch_axes: int,
    src: Any,
    dsize: Any,
    dst: Any = None,
    fx: Any = 0,
    fy: Any = 0,
    interpolation: Any = INTER_LINEAR,
) -> Any:
    """Resample an image to another size.

    Parameters
    ----------
    src : tf.Tensor, shape (H, W) or (H, W, C), bool or any number
        The image; H and W may be unknown while tracing. The nearest-pixel interpolations take
        every dtype (int64 is cast to int32, as in OpenCV), INTER_LINEAR_EXACT also int8, the
        others uint8, uint16, int16, float32 and float64.
    dsize : (int, int), None, or integer tensor of shape (2,)
        **(width, height)** of the result; either may be a scalar tensor. None, or a side of zero or
        less, leaves it to `fx` and `fy`.
    fx, fy : float or scalar tensor, default 0
        Factors along the width and the height, used where `dsize` says nothing; the size is
        rounded to even, and the exact factor, not the ratio of sizes, maps the coordinates.
    interpolation : int, default INTER_LINEAR
        INTER_NEAREST (0), INTER_LINEAR (1), INTER_CUBIC (2), INTER_AREA (3), INTER_LANCZOS4 (4),
        INTER_LINEAR_EXACT (5) or INTER_NEAREST_EXACT (6). None smooths before it shrinks, apart
        from INTER_AREA.

    Returns
    -------
    tf.Tensor, shape (height, width) or (height, width, C), dtype of `src`
        Integers are rounded and saturated; without the axis of a single channel. Sizes are
        unknown while tracing where they depend on tensors.

    Raises
    ------
    OutsideDomain
        The image is empty, has another rank or dtype, a dtype the interpolation does not mix, or
        more than 128 channels (four for INTER_AREA, unless it shrinks by whole factors); neither
        a positive size nor positive factors that leave a pixel.
    UnsupportedArgument
        `dsize` is not two integers, a factor no number, the interpolation another, `dst` is
        given, or rank or channels are unknown while tracing.
    tf.errors.InvalidArgumentError
        The same, found out when the graph runs.

    Notes
    -----
    Agreement: uint8 to a `dsize` is at most one grey level off with INTER_LINEAR, on 7 % of the pixels
    of photographs and of noise, and with INTER_AREA, on 0.1 %; `pipeport.config.bit_equal` asks for
    every bit, in two to four times the time. All else of uint8 is bit for bit (fixed point as in OpenCV)
    but INTER_CUBIC, where a tie may round the other way (on 0.01 % of a photograph's pixels). 16-bit
    images are within one level on 0.4 %; floats to the rounding of the sum, in the coordinates of
    OpenCV's Intel build. OpenCV 4 and 5 differ in INTER_NEAREST_EXACT alone: where a centre falls
    between two pixels (`pipeport.config.opencv`).

    Graph: INTER_LINEAR and INTER_AREA of uint8 are TensorFlow's own kernels, of which XLA lacks the
    second: where you compile INTER_AREA with XLA yourself, set `bit_equal`. All else is compiled with
    XLA when sizes are known while tracing (see `pipeport.config`), else plain graph ops. Static shape
    is kept.
    Speed: float32 is slower than OpenCV in `tf.numpy_function`, 0.7x for 256x256.

    Source: `modules/imgproc/src/resize.cpp` of OpenCV, and its results.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport import cv2
    >>> cv2.resize(tf.constant([[0.0, 1.0]]), (4, 1)).numpy().tolist()
    [[0.0, 0.25, 0.75, 1.0]]
    >>> cv2.resize(tf.zeros([10, 20, 3]), None, fx=0.5, fy=0.5).shape
    TensorShape([5, 10, 3])
    """
    # Fewer pixels have their channels turned round after than before.
    before = before_turning(src)
    turn = before is not None
    src = before if turn else src
    _images.refuse_dst(dst)
    kind = given.interpolation_of(interpolation)
    src = as_tensor(src, "src")
    name = src.dtype.name
    x = _images.as_images(src, batch_axes)
    rows, columns = given.axes(x, dsize, fx, fy)
    if kind == INTER_LINEAR_EXACT and x.dtype == tf.int32:
        advice = "Use INTER_NEAREST, or cast the image first."
        found = f"dtype {name} for INTER_LINEAR_EXACT"
        raise OutsideDomain(explain("src", found, ", ".join(given.MIXABLE), advice))
    x, copied = given.check_dtype(x, kind, rows, columns, name)
    settings = config.opencv(), config.bit_equal()
    if x.shape[3] > given.AREA_CHANNELS or kernel.needs_ratios(x, rows, columns, kind, settings[1]):
        rows, columns = measured(x, rows, columns)
    x = given.check_cells(x, kind, rows, columns)
    kind = kernel.NEAREST if copied else kind
    return _images.as_result(kernel.resize(x, rows, columns, kind, *settings, turn=turn), batch_axes)
