"""Where functions of `tensorflow_addons.image` are discontinuous: their kernel, a rounding apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf

Array = np.ndarray[Any, Any]


def rotate(images: Any, angles: float, **how: Any) -> list[Array]:
    """Run the projective kernel for a rotation, as `transform` does for any map.

    `images`: array_like, shape (H, W) or (H, W, C). `interpolation`: {'nearest', 'bilinear'}. `fill_mode`:
    {'constant', 'reflect', 'wrap', 'nearest'}. Returns: as `transform` returns it.
    """
    bottom, right = (np.float32(side - 1) for side in np.shape(images)[:2])
    angle = tf.constant([angles], tf.float32)
    (cosine,), (sine,) = tf.cos(angle).numpy(), tf.sin(angle).numpy()
    across = (right - (cosine * right - sine * bottom)) / np.float32(2)
    down = (bottom - (sine * right + cosine * bottom)) / np.float32(2)
    matrix = (cosine, -sine, across, sine, cosine, down, 0, 0)
    return transform(images, matrix, **how)


def transform(
    images: Any,
    transforms: Any,
    interpolation: str = "nearest",
    fill_mode: str = "constant",
    output_shape: Any = None,
    name: str | None = None,
    fill_value: float = 0.0,
) -> list[Array]:
    """Run the projective kernel on floats, and truncate its sums after a rounding up and one down.

    `images`: array_like, shape (H, W) or (H, W, C). `transforms`: array_like, shape (8,). `interpolation`:
    {'nearest', 'bilinear'}. `fill_mode`: {'constant', 'reflect', 'wrap', 'nearest'}. Returns: for integer
    images, where truncation jumps at every whole number, the unmoved result first; else nothing: coordinates
    are the reference's own, so there is no other side.
    """
    del name
    image = np.asarray(images)
    if image.dtype.kind == "f" or interpolation.lower() == "nearest":
        return []
    batch = image.reshape(1, *image.shape[:2], -1).astype(np.float32)
    sums = tf.raw_ops.ImageProjectiveTransformV3(
        images=batch,
        transforms=np.asarray(transforms, np.float32).reshape(1, 8),
        output_shape=image.shape[:2] if output_shape is None else output_shape,
        fill_value=np.trunc(fill_value),
        interpolation=interpolation.upper(),
        fill_mode=fill_mode.upper(),
    ).numpy()
    values = sums[0].reshape(sums.shape[1:3] + image.shape[2:]).astype(np.float64)
    rounding = 8 * float(np.finfo(np.float32).eps) * max(1.0, float(np.abs(values).max(initial=0)))
    return [np.trunc(values + move).astype(image.dtype) for move in (0, -rounding, rounding)]


def translate(images: Any, translations: Any, **how: Any) -> list[Array]:
    """Run the projective kernel for a translation, as `transform` does for any map.

    `images`: array_like, shape (H, W) or (H, W, C). `interpolation`: {'nearest', 'bilinear'}. `fill_mode`:
    {'constant', 'reflect', 'wrap', 'nearest'}. Returns: as `transform` returns it.
    """
    right, down = np.asarray(translations, np.float32)
    matrix = (1, 0, -right, 0, 1, -down, 0, 0)
    return transform(images, matrix, **how)


def sharpness(image: Any, factor: float, name: str | None = None) -> list[Array]:
    """Mix an image with a smoothed one whose sums are a rounding lower, as they are, or higher.

    `image`: floating, shape (H, W) or (H, W, C). Returns: three results, which are rounded to whole levels.
    """
    del name
    exact = np.asarray(image, np.float64)
    weights = np.ones((3, 3))
    weights[1, 1] = 5
    height, width = exact.shape[:2]
    if factor in (0.0, 1.0) or min(height, width) < 3:
        return []
    inner = sum(
        weights[row, column] / 13 * exact[row : height - 2 + row, column : width - 2 + column]
        for row in range(3)
        for column in range(3)
    )
    results = []
    for nudge in (-1e-4, 0.0, 1e-4):
        smooth = exact.copy()
        smooth[1:-1, 1:-1] = inner + nudge
        mixed = smooth + factor * (exact - smooth)
        results.append(
            np.round(mixed if 0 < factor < 1 else np.clip(mixed, 0, 255)).astype(np.asarray(image).dtype)
        )
    return results
