"""Other libraries' ways to the same end, which the bench wraps in `numpy_function`."""

from __future__ import annotations

from typing import Any

import numpy as np


def rotate_cv2(
    image: Any,
    angle: float,
    resize: bool = False,
    center: Any = None,
    order: int | None = None,
    mode: str = "constant",
    cval: float = 0,
    clip: bool = True,  # noqa: ARG001 - linear mixing never leaves the range
    preserve_range: bool = True,  # noqa: ARG001 - OpenCV always does
) -> Any:
    """Rotate by `cv2.warpAffine`, with the angle and centre of `skimage.transform.rotate`.

    `image`: array_like, shape (H, W) or (H, W, C); of dtype uint8, uint16 or float32; the dtype stays.
    `center`: column and row; None is the middle of the pixels. `order`: {None, 1}. `mode`: {'constant'}.
    `clip`: without effect: linear mixing never leaves the range. Returns: shape and dtype of `image`.
    """
    import cv2

    if resize or order not in (None, 1) or mode != "constant":
        raise ValueError("rotate_cv2 serves resize=False, order=1 and mode='constant'")
    image = np.asarray(image)
    height, width = image.shape[:2]
    middle = ((width - 1) / 2, (height - 1) / 2) if center is None else tuple(map(float, center))
    matrix = cv2.getRotationMatrix2D(middle, float(angle), 1.0)
    return cv2.warpAffine(
        image,
        matrix,
        (width, height),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=(float(cval),) * 4,
    ).reshape(image.shape)
