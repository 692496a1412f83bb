"""Call Pillow with arrays, and compare its images."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import LazyModule, tf

_image = LazyModule("PIL.Image")


def on_image(arguments: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return how to call a reference whose first parameter is an image: with one made of the array."""
    rest = {name: value for name, value in arguments.items() if name != "image"}
    return (_image.fromarray(np.asarray(arguments["image"])),), rest


def on_array(arguments: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return how to call a reference that takes the array itself."""
    return (np.asarray(arguments["obj"]),), {n: v for n, v in arguments.items() if n != "obj"}


def unchanged(result: Any) -> Any:
    """Return a result as it is."""
    return result


def pixels(image: Any) -> Any:
    """Return the pixels of Pillow's image."""
    return np.asarray(image)


def tensor_of(image: Any) -> Any:
    """Return the pixels of ours."""
    return image.__pipeport_array__()


def colour(image: Any) -> Any:
    """Return the colours of our image."""
    return image.convert("RGB").__pipeport_array__()


def colour_pixels(image: Any) -> Any:
    """Return the colours of Pillow's image."""
    return np.asarray(image.convert("RGB"))


def pixels_of_each(images: Any) -> tuple[Any, ...]:
    """Return the pixels of some of Pillow's images."""
    return tuple(np.asarray(image) for image in images)


def on_bands(arguments: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return how to call `merge`: with images made of the bands."""
    return (arguments["mode"], [_image.fromarray(np.asarray(one)) for one in arguments["bands"]]), {}


def _scenes() -> list[Any]:
    """Return images to filter: of several modes and sizes, noise and a few bright pixels."""
    shapes = [(1, 1), (2, 9), (40, 33), (64, 65, 3), (520, 67, 4)]
    draws = np.random.default_rng(0)
    noise = [draws.integers(0, 256, shape, np.uint8) for shape in shapes]
    return [*noise, np.where(noise[2] > 250, 255, 0).astype(np.uint8), np.full((5, 7), 255, np.uint8)]


def blurred_tensors(blur: Any) -> list[Any]:
    """Return images filtered by one of our filters."""
    modes = {1: "L", 3: "RGB", 4: "RGBA"}
    pixels = [one.reshape(1, *one.shape[:2], -1) for one in _scenes()]
    return [blur.applied(tf.constant(one), modes[one.shape[3]])[0] for one in pixels]


def blurred_pixels(blur: Any) -> list[Any]:
    """Return images filtered by one of Pillow's filters."""
    found = [np.asarray(_image.fromarray(one).filter(blur)) for one in _scenes()]
    return [one.reshape(*one.shape[:2], -1) for one in found]


_FACTORS = (0.0, 0.3, 1.0, 1.7, 2.75, -0.4)


def enhanced_tensors(enhancer: Any) -> list[Any]:
    """Return the images of one of our enhancers."""
    return [enhancer.enhance(factor) for factor in _FACTORS]


def enhanced_pixels(enhancer: Any) -> list[Any]:
    """Return the images of one of Pillow's enhancers."""
    return [np.asarray(enhancer.enhance(factor)) for factor in _FACTORS]


def stock_resize(
    image: Any, size: Any, resample: Any = None, box: Any = None, reducing_gap: Any = None
) -> Any:
    """Resize with `tf.image`, antialiased, as near to BICUBIC as it comes."""
    del resample, box, reducing_gap
    resized = tf.image.resize(image, size[::-1], "bicubic", antialias=True)
    return tf.saturate_cast(tf.round(resized), image.dtype) if image.dtype.is_integer else resized


def stock_grey(
    image: Any, mode: Any = None, matrix: Any = None, dither: Any = None, palette: Any = 0, colors: Any = 256
) -> Any:
    """Turn colours into grey with `tf.image`."""
    del mode, matrix, dither, palette, colors
    return tf.squeeze(tf.image.rgb_to_grayscale(image), -1)


def stock_mirror(image: Any) -> Any:
    """Mirror with `tf.image`."""
    return tf.image.flip_left_right(image)


def stock_flip(image: Any) -> Any:
    """Flip with `tf.image`."""
    return tf.image.flip_up_down(image)
