"""`cv2.getStructuringElement`, and kernels of morphology that are known while tracing."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import CannotServe, Exact, OneOf, replaces
from pipeport.cv2 import _constants as constants
from pipeport.cv2 import _filtering as filtering
from pipeport.cv2 import _images
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain

_SHAPES = (constants.MORPH_RECT, constants.MORPH_CROSS, constants.MORPH_ELLIPSE)
_MIDDLE = (-1, -1)


def anchor_of(anchor: Any, height: int, width: int) -> tuple[int, int]:
    """Return the row and column of the anchor, given as OpenCV has it: column first, -1 for the middle."""
    column, row = filtering.pair_of(_MIDDLE if anchor is None else anchor, "anchor")
    row, column = height // 2 if row == -1 else row, width // 2 if column == -1 else column
    if not (0 <= row < height and 0 <= column < width):
        allowed = f"(column, row) inside of {width} x {height}"
        raise OutsideDomain(explain("anchor", repr(anchor), allowed, "(-1, -1) is the middle."))
    return row, column


def kernel_of(kernel: Any) -> Any:
    """Return a kernel as an array of bytes, 3 x 3 ones for None."""
    if kernel is None:
        return np.ones((3, 3), np.uint8)
    known = tf.get_static_value(tf.convert_to_tensor(kernel))
    if known is None:
        advice = "Make it outside of the function, or of numbers known while tracing."
        raise UnsupportedArgument(explain("kernel", "a tensor", "values known while tracing", advice))
    if known.dtype != np.uint8 or known.ndim != 2 or not known.size:
        given = f"{known.dtype} of shape {known.shape}"
        advice = "For example np.ones((3, 3), np.uint8)."
        raise OutsideDomain(explain("kernel", given, "uint8 of two axes that are not empty", advice))
    if not known.any():
        raise OutsideDomain(
            explain("kernel", "zeros alone", "at least one pixel", "Name the pixels by ones.")
        )
    return known


@replaces(
    "cv2.getStructuringElement",
    domain={
        "shape": OneOf(*_SHAPES),
        "ksize": OneOf((3, 3), (5, 5), (1, 1), (4, 7), (15, 2), (31, 31), typical=(5, 5)),
        "anchor": OneOf(_MIDDLE, (0, 0), (0, -1)),
    },
    agreement=Exact(),
    cannot_serve=(
        CannotServe(
            "batched",
            "there is no array with a leading axis",
            witness=lambda: {"shape": constants.MORPH_RECT, "ksize": (3, 3)},
        ),
    ),
)
def getStructuringElement(shape: Any, ksize: Any, anchor: Any = _MIDDLE) -> Any:
    """Return a kernel of morphology.

    Parameters
    ----------
    shape : int
        MORPH_RECT, MORPH_CROSS or MORPH_ELLIPSE.
    ksize : (int, int)
        Width and height, up to 255.
    anchor : (int, int), default (-1, -1)
        Column and row where the bars of a cross meet; (-1, -1) is the middle.

    Returns
    -------
    tf.Tensor, shape (height, width), uint8
        Ones inside the shape, known while tracing.

    Raises
    ------
    OutsideDomain
        A side is none or more than 255, or the anchor lies outside.
    UnsupportedArgument
        Another shape, or an argument is not known while tracing.

    Notes
    -----
    Agreement: equal.
    Graph: a constant.

    Examples
    --------
    >>> from pipeport import cv2
    >>> cv2.getStructuringElement(cv2.MORPH_CROSS, (3, 3)).numpy().tolist()
    [[0, 1, 0], [1, 1, 1], [0, 1, 0]]
    """
    kind = _images.whole_number(shape, "shape", default=-1)
    if kind not in _SHAPES:
        allowed = "MORPH_RECT, MORPH_CROSS or MORPH_ELLIPSE"
        raise UnsupportedArgument(explain("shape", repr(shape), allowed, "Give the kernel as an array."))
    width, height = filtering.checked(*filtering.pair_of(ksize, "ksize"), odd=False)
    row, column = anchor_of(anchor, height, width)
    kernel = np.zeros((height, width), np.uint8)
    if kind == constants.MORPH_RECT or (height, width) == (1, 1):
        kernel[:] = 1
    elif kind == constants.MORPH_CROSS:
        kernel[row], kernel[:, column] = 1, 1
    else:
        for line, (begin, end) in enumerate(_spans(height, width)):
            kernel[line, begin:end] = 1
    return tf.constant(kernel)


def _spans(height: int, width: int) -> list[tuple[int, int]]:
    """Return where each row of an ellipse begins and ends."""
    down, across = height // 2, width // 2
    share = 1 / (down * down) if down else 0.0
    spans = []
    for line in range(height):
        rest = down * down - (line - down) ** 2
        reach = round(across * math.sqrt(rest * share)) if rest >= 0 else -1
        spans.append((max(across - reach, 0), min(across + reach + 1, width)) if reach >= 0 else (0, 0))
    return spans
