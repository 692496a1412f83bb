"""What OpenCV's filters take: images, sizes of kernels and borders."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.cv2 import _constants as constants
from pipeport.cv2 import _images
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain

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


def images_of(src: Any, batch_axes: int) -> Any:
    """Return images (B, H, W, C) of the dtypes and channels that are filtered."""
    x = _images.as_images(src, batch_axes)
    if x.dtype.name not in DTYPES:
        advice = "Cast it first with tf.cast."
        raise OutsideDomain(explain("src", f"dtype {x.dtype.name}", " or ".join(DTYPES), advice))
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
