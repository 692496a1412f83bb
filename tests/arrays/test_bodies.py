"""Everyday bodies run by changing the import: one text, on NumPy and on the mirrors, with equal answers."""

from __future__ import annotations

import cv2 as reference_cv2
import numpy as reference_np
import pytest
import tensorflow as tf

from pipeport import cv2 as native_cv2
from pipeport import numpy as native_np
from pipeport.arrays import body

RANDOM = reference_np.random.default_rng(3)
IMAGE = RANDOM.integers(0, 256, (96, 72, 3), dtype=reference_np.uint8)
VOLUME = RANDOM.normal(size=(12, 10, 8)).astype(reference_np.float32)


def scaled(np, cv2, image):
    image = cv2.resize(image, (48, 64), interpolation=cv2.INTER_NEAREST)
    return image.astype(np.float32) / 255.0


def standardised(np, cv2, image):
    image = image.astype("float32")
    mean, std = (
        np.array([123.7, 116.3, 103.5], dtype=np.float32),
        np.array([58.4, 57.1, 57.4], dtype=np.float32),
    )
    image = (image - mean) / std
    return np.transpose(image, (2, 0, 1))


def by_its_own_contrast(np, cv2, image):
    image = image / 255
    mean = image.mean(axis=(0, 1), keepdims=True)
    return np.clip((image - mean) * 1.5 + mean, 0, 1).astype(np.float32)


def letterboxed(np, cv2, image):
    height, width = image.shape[:2]
    canvas = np.full((128, 128, 3), 114, dtype=np.uint8)
    top, left = (128 - height) // 2, (128 - width) // 2
    canvas[top : top + height, left : left + width] = image
    return canvas


def cut_out(np, cv2, image):
    image = image.copy()
    height, width = image.shape[:2]
    y, x = height // 3, width // 4
    image[y : y + 16, x : x + 16, :] = 0
    return image


def dark_parts_cleared(np, cv2, image):
    grey = image.mean(axis=2)
    image = image.copy()
    image[grey < 100] = 0
    return image, (grey < 100).sum()


def channels_of_mask(np, cv2, image):
    mask = image[..., 0] > 128
    planes = np.stack([mask, np.logical_not(mask)], axis=-1).astype(np.float32)
    return planes, np.where(mask, image[..., 1], 0)


def centre_crop(np, cv2, image):
    side = min(48, 64)
    top = (image.shape[0] - side) // 2
    left = (image.shape[1] - side) // 2
    crop = image[top : top + side, left : left + side]
    crop = crop[:, ::-1]
    return np.ascontiguousarray(crop)


def gamma(np, cv2, image):
    scale = np.power(image / 255.0, 0.8) * 255.0
    return np.round(scale).astype(np.uint8)


def brightness_in_place(np, cv2, image):
    image = image.astype(np.float32)
    image *= 1.2
    image += 10
    np_max = np.minimum(image, 255)
    return np_max.astype(np.uint8), np_max.max(), np_max.std()


def boxes_clipped(np, cv2, image):
    boxes = np.array([[-5.0, 10.0, 50.0, 200.0], [20.0, 30.0, 90.0, 60.0]])
    height, width = image.shape[:2]
    boxes[:, [0, 2]] = np.clip(boxes[:, [0, 2]], 0, width)
    boxes[:, [1, 3]] = np.clip(boxes[:, [1, 3]], 0, height)
    sizes = boxes[:, 2:] - boxes[:, :2]
    return boxes, np.prod(sizes, axis=1)


def one_hot(np, cv2, image):
    labels = image[:10, 0, 0] % 4
    return np.eye(4, dtype=np.float32)[labels]


def window_of_volume(np, cv2, image):
    volume = np.clip(image, -1.0, 1.0)
    volume = (volume - volume.min()) / (volume.max() - volume.min())
    return np.expand_dims(volume, -1)


BODIES = {
    one.__name__: one
    for one in (
        scaled, standardised, by_its_own_contrast, letterboxed, cut_out, dark_parts_cleared, channels_of_mask,
        centre_crop, gamma, brightness_in_place, boxes_clipped, one_hot,
    )
}  # fmt: skip


def same(found, right):
    found, right = (one if isinstance(one, tuple) else (one,) for one in (found, right))
    for ours, theirs in zip(found, right, strict=True):
        assert ours.dtype.as_numpy_dtype == reference_np.asarray(theirs).dtype
        reference_np.testing.assert_allclose(ours, theirs, rtol=2e-5, atol=1e-5)


@pytest.mark.parametrize("known", [True, False], ids=["eager", "unknown sizes"])
@pytest.mark.parametrize("name", BODIES)
def test_the_same_text_gives_the_same_answer(name, known):
    written = BODIES[name]
    right = written(reference_np, reference_cv2, IMAGE)

    @body
    def ours(image):
        return written(native_np, native_cv2, image)

    if known:
        found = ours(IMAGE)
    else:
        data = tf.data.Dataset.from_generator(
            lambda: iter([IMAGE]), output_signature=tf.TensorSpec([None, None, 3], tf.uint8)
        )
        found = next(iter(data.map(ours)))
    same(found, right)


def test_volumes():
    right = window_of_volume(reference_np, None, VOLUME)
    found = body(lambda volume: window_of_volume(native_np, None, volume))(VOLUME)
    same(found, right)


def test_the_comparison_tells_a_wrong_dtype():
    with pytest.raises(AssertionError):
        same(tf.constant([1.0]), reference_np.array([1.0]))
    with pytest.raises(AssertionError):
        same(tf.constant([1.0]), reference_np.array([1.1], reference_np.float32))
