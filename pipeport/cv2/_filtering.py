"""What OpenCV's filters take: images, sizes of kernels and borders."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.cv2 import _constants as constants
from pipeport.cv2 import _images
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs import _checks

DTYPES = ("uint8", "float32")
# More than four channels OpenCV does not surround with a constant.
CHANNELS = (None, 1, 2, 3, 4)
# Each weight is an operation of the program.
MOST = 255
RULES = {
    constants.BORDER_CONSTANT: "grid-constant",
    constants.BORDER_REPLICATE: "nearest",
    constants.BORDER_REFLECT: "reflect",
    constants.BORDER_REFLECT_101: "mirror",
}
_BORDERS = "BORDER_CONSTANT, BORDER_REPLICATE, BORDER_REFLECT or BORDER_REFLECT_101"


_DEPTHS = {
    constants.CV_8U: "uint8",
    constants.CV_16U: "uint16",
    constants.CV_16S: "int16",
    constants.CV_32F: "float32",
    constants.CV_64F: "float64",
}
# Of what dtypes OpenCV filters images, and into which.
RESULTS = {
    "uint8": ("uint8", "uint16", "int16", "float32", "float64"),
    "uint16": ("uint16", "float32", "float64"),
    "int16": ("int16", "float32", "float64"),
    "float32": ("float32",),
    "float64": ("float64",),
}


def depth_of(
    ddepth: Any, dtype: str, results: Mapping[str, tuple[str, ...]] = RESULTS, parameter: str = "ddepth"
) -> str:
    """Return the dtype that a depth names, for images of a dtype; -1 is the same."""
    depth = _images.whole_number(ddepth, parameter, default=-1)
    found = dtype if depth < 0 else _DEPTHS.get(depth)
    if found not in results[dtype]:
        allowed = f"-1 or that of {', '.join(results[dtype])} for {dtype}"
        advice = "Cast the image before, or the result after, with tf.cast."
        raise UnsupportedArgument(explain(parameter, repr(ddepth), allowed, advice))
    return found


def can_be(arguments: Mapping[str, Any]) -> bool:
    """Whether an image of its dtype is filtered into that of `ddepth`.

    Not from 16 bits to float32, where one rounding is more than what floats in [-1, 1] may differ by.
    """
    dtype, depth = np.asarray(arguments["src"]).dtype, arguments["ddepth"]
    if dtype.itemsize == 2 and depth == constants.CV_32F:
        return False
    return depth < 0 or _DEPTHS[depth] in RESULTS[dtype.name]


def real_of(value: Any, parameter: str) -> float:
    """Return a finite number that is known while tracing."""
    if tf.is_tensor(value):
        known = tf.get_static_value(value)
        value = known[()] if known is not None and known.ndim == 0 else value
    real = isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_))
    if not real or not math.isfinite(value):
        advice = "Multiply or add afterwards what is drawn."
        raise UnsupportedArgument(explain(parameter, repr(value), "a finite number", advice))
    return float(value)


def images_of(src: Any, batch_axes: int, dtypes: tuple[str, ...] = DTYPES) -> Any:
    """Return images (B, H, W, C) of the dtypes and channels that are filtered."""
    x = _images.as_images(src, batch_axes)
    _checks.dtype_among(x, dtypes, "src")
    if x.shape[3] > CHANNELS[-1]:
        raise OutsideDomain(explain("src", f"{x.shape[3]} channels", f"1 to {CHANNELS[-1]}", "Split them."))
    return x


def pair_of(value: Any, parameter: str) -> tuple[int, int]:
    """Return two integers that are known while tracing."""
    if tf.is_tensor(value):
        known = tf.get_static_value(value)
        value = value if known is None else known
    pair = isinstance(value, (tuple, list, np.ndarray)) and len(value) == 2
    if not pair or any(one is None for one in value):
        advice = "Give two integers, known while tracing."
        raise UnsupportedArgument(explain(parameter, repr(value), "two integers", advice))
    first, second = (_images.whole_number(one, parameter) for one in value)
    return first, second


def checked(width: int, height: int, *, odd: bool) -> tuple[int, int]:
    """Return the sides of a kernel, if OpenCV has such a kernel and the program is not too large."""
    for side in (width, height):
        if not 1 <= side <= MOST or (odd and side % 2 == 0):
            allowed = f"{'odd numbers' if odd else 'numbers'} from 1 to {MOST}"
            advice = (
                "With (0, 0) it follows from sigmaX."
                if odd
                else "Larger means: blur twice, or shrink the image first."
            )
            raise OutsideDomain(explain("ksize", (width, height), allowed, advice))
    return width, height


def rule_of(border: Any) -> str:
    """Return the border rule of a border type."""
    kind = _images.whole_number(border, "borderType", default=constants.BORDER_DEFAULT)
    if kind not in RULES:
        advice = "Surround the image with cv2.copyMakeBorder first, and cut the result."
        raise UnsupportedArgument(explain("borderType", kind, _BORDERS, advice))
    return RULES[kind]


def refuse_hint(hint: Any) -> None:
    """Refuse any hint but the default."""
    if _images.whole_number(hint, "hint") != constants.ALGO_HINT_DEFAULT:
        advice = "Leave it out: only one algorithm is served."
        raise UnsupportedArgument(explain("hint", repr(hint), "ALGO_HINT_DEFAULT", advice))
