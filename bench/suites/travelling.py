"""Programs that `pipeport bench --export` writes beside those of pairs: bodies, pipelines with seeds, turns.

Turns by multiples of 45 degrees put coordinates on whole pixels. Where a compiler computes the index of a
pixel and its weight apart, single pixels are up to 225 levels off there, and hardly any elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf
from bodies import PORTED

import pipeport
import pipeport.albumentations as A
from pipeport import seeds
from pipeport.cv2 import remap, warpAffine
from pipeport.scipy import ndimage
from pipeport.skimage.transform import rotate

GEOMETRY = [
    A.HorizontalFlip(p=0.5),
    A.Affine(rotate=(-30, 30), scale=(0.8, 1.2), p=1.0),
    A.CoarseDropout(p=0.5),
]
COLOURS = [
    A.RandomBrightnessContrast(p=1.0),
    A.HueSaturationValue(p=0.5),
    A.GaussianBlur(p=0.5),
]


def _images(elements: int, size: tuple[int, int]) -> Any:
    return np.random.default_rng(0).integers(0, 256, (elements, *size, 3)).astype(np.uint8)


def _degrees(elements: int) -> Any:
    return 45.0 * np.arange(elements) - 180


def _matrices(elements: int, size: tuple[int, int]) -> Any:
    """Return what turns about the corner between the pixels in the middle, (elements, 2, 3)."""
    middle = np.array([size[1] / 2, size[0] / 2])
    cosine, sine = np.cos(np.radians(_degrees(elements))), np.sin(np.radians(_degrees(elements)))
    turns = np.stack([np.stack([cosine, sine], -1), np.stack([-sine, cosine], -1)], 1)
    return np.concatenate([turns, (middle - turns @ middle)[..., np.newaxis]], -1)


def _turned(native: Callable[..., Any], of: Callable[[int, tuple[int, int]], Any], **how: Any) -> Any:
    """Return what makes the program of a native that turns images, each by another angle."""

    def make(elements: int, size: tuple[int, int]) -> Any:
        more = {"dsize": size[::-1]} if native is warpAffine else {}
        agreement = {"levels": 1, "units": 64, "rtol": 0.0, "atol": 1e-4 if native is warpAffine else 0.0}

        def function(images: Any, turns: Any) -> Any:
            return pipeport.batched(native)(images, turns, **more, **how)

        return function, (_images(elements, size), of(elements, size)), agreement

    return make


def _of_computed_maps(elements: int, size: tuple[int, int]) -> Any:
    """Return the program of `cv2.remap` at coordinates that are computed beside it, as people do."""

    def function(images: Any, turns: Any) -> Any:
        x, y = (tf.range(float(side), dtype=tf.float32) for side in size[::-1])
        entries = tf.unstack(tf.cast(turns, tf.float32)[..., tf.newaxis, tf.newaxis], axis=2)
        maps = entries[0] * x + entries[1] * y[:, tf.newaxis] + entries[2]
        return pipeport.batched(remap)(images, maps[:, 0], maps[:, 1], 1)

    agreement = {"levels": 1, "units": 0, "rtol": 0.0, "atol": 0.0}
    return function, (_images(elements, size), _matrices(elements, size)), agreement


def _of(one: Callable[[Any], Any], levels: int, relative: float) -> Callable[..., Any]:
    """Return what makes the program of a function of one image, called with a seed for each."""

    def make(elements: int, size: tuple[int, int]) -> Any:
        images = _images(elements, size)
        numbers = np.stack([np.full(elements, 42), np.arange(elements)], -1).astype(np.int32)

        def with_seed(given: Any) -> Any:
            image, seed = given
            with seeds.ambient(seed):
                return one(image)

        def function(batch: Any, own: Any) -> Any:
            rows = (tf.TensorSpec(batch.shape[1:], batch.dtype), tf.TensorSpec([2], own.dtype))
            traced = tf.function(with_seed, autograph=False).get_concrete_function(rows)
            signature = tf.nest.map_structure(tf.TensorSpec.from_tensor, traced.structured_outputs)
            return tf.map_fn(with_seed, (batch, own), fn_output_signature=signature)

        return function, (images, numbers), {"levels": levels, "units": 0, "rtol": relative, "atol": 0.0}

    return make


def _ported(name: str) -> Callable[..., Any]:
    body = PORTED[name]
    return _of(body.ported(), body.levels, body.relative)


def _composed(transforms: list[Any]) -> Callable[..., Any]:
    return _of(lambda image: A.Compose(transforms)(image=image)["image"], 1, 1e-5)


PROGRAMS = {
    **{
        f"bodies.{name}": _ported(name)
        for name in (
            "rotation_about_centre",
            "pasted_letterbox",
            "contrast_by_mean",
            "channels_first",
            "colour_jitter",
        )
    },
    "turns.warpAffine": _turned(warpAffine, _matrices),
    "turns.warpAffine, reflected": _turned(warpAffine, _matrices, borderMode=4),
    "turns.warpAffine, cubic": _turned(warpAffine, _matrices, flags=2),
    "turns.remap of computed maps": _of_computed_maps,
    "turns.ndimage.rotate": _turned(
        ndimage.rotate, lambda elements, size: _degrees(elements), reshape=False, order=1, axes=(0, 1)
    ),
    "turns.skimage.rotate": _turned(rotate, lambda elements, size: _degrees(elements)),
    "albumentations.Compose of geometry": _composed(GEOMETRY),
    "albumentations.Compose of colours": _composed(COLOURS),
}
