"""Quarter turns of images (B, H, W, C): a transposition and a reversal."""

from __future__ import annotations

from typing import Any

from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.layout._transposed import transposed

# Bytes a pixel for which OpenCV has a transposition.
_PIXEL_SIZES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)


def refuse_wide_pixels(images: Any) -> None:
    """Refuse pixels OpenCV cannot transpose.

    `images`: shape (B, H, W, C).
    """
    size = images.dtype.size * images.shape[3]
    if size not in _PIXEL_SIZES:
        given = f"{images.shape[3]} channels of {images.dtype.name}, {size} bytes a pixel"
        allowed = ", ".join(map(str, _PIXEL_SIZES)) + " bytes a pixel"
        raise OutsideDomain(explain("src", given, allowed, "Use pipeport.numpy.transpose or rot90."))


def turned(images: Any, reverse: int | None = None) -> Any:
    """Return images with rows and columns exchanged, one of these axes reversed before."""
    return transposed(images, (0, 2, 1, 3), () if reverse is None else (reverse,))
