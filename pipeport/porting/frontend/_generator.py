"""Keras' `ImageDataGenerator` in ported functions: which methods are served, and what it draws.

The sources of `random_transform`, `apply_transform` and `standardize` are ported as if they were the user's.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import PortRefused, explain
from pipeport.meanings import GENERATOR_METHODS, GENERATOR_REFUSED, IMAGE_GENERATOR
from pipeport.numpy import random
from pipeport.porting._values import is_array, tensor_of, weak

_DRAWS = "get_random_transform"


def _is_of_keras(thing: Any) -> bool:
    return str(getattr(thing, "__module__", "")).partition(".")[0] in ("keras", "tensorflow")


def is_class(function: Any) -> bool:
    """Say whether a class is Keras' own."""
    name = IMAGE_GENERATOR.rpartition(".")[2]
    return isinstance(function, type) and function.__name__ == name and _is_of_keras(function)


def is_flip(function: Any) -> bool:
    """Say whether a function is the one by which `apply_transform` flips."""
    return (
        isinstance(function, types.FunctionType)
        and function.__name__ == "flip_axis"
        and _is_of_keras(function)
    )


def method_of(function: Any) -> str:
    """Return the name of a method of a generator that is served or refused; empty of all else."""
    if not isinstance(function, types.MethodType) or not _is_of_keras(function.__func__):
        return ""
    if not any(map(is_class, type(function.__self__).__mro__)):
        return ""
    name = function.__name__
    return name if name in GENERATOR_METHODS or name in GENERATOR_REFUSED else ""


def refusal(function: Any) -> str:
    """Return why a method is not served; empty where it is."""
    name, owner = method_of(function), function.__self__
    if name != "standardize":
        return GENERATOR_REFUSED.get(name, "")
    if owner.zca_whitening:
        return "zca_whitening is a product with a matrix of all pixels: write it by `tf.linalg.matvec`."
    unfitted = (owner.featurewise_center and owner.mean is None) or (
        owner.featurewise_std_normalization and owner.std is None
    )
    if unfitted:
        return f"It has no mean: Keras warns, and leaves the step out. {GENERATOR_REFUSED['fit']}"
    return ""


def drawing(function: Any) -> Callable[..., Any] | None:
    """Return what draws the parameters of a transform, for a method that does; else None."""
    return _Drawing(function.__self__) if method_of(function) == _DRAWS else None


def called_by(function: Any) -> list[Any]:
    """Return the functions of the user that a method calls."""
    given = function.__self__.preprocessing_function
    return [given] if method_of(function) == "standardize" and given else []


class _Drawing:
    """Draws the parameters of a transform.

    They are one draw: what is recorded and handed out again is the dictionary.
    """

    def __init__(self, generator: Any) -> None:
        self._generator = generator

    def __call__(self, img_shape: Any, seed: Any = None) -> dict[str, Any]:
        """Return the parameters by name; their kinds of numbers are the original's."""
        if seed is not None:
            advice = (
                "It would seed NumPy, once, while tracing. To transform images alike draw "
                "`params = generator.get_random_transform(image.shape)`, and call "
                "`generator.apply_transform(image, params)` of each."
            )
            raise PortRefused(explain("seed", repr(seed), "None", advice))
        own = self._generator
        zx, zy = own.zoom_range
        if not zx == zy == 1:
            factors = random.uniform(zx, zy, 2)
            zx, zy = factors[0], factors[1]
        channels, brightness = own.channel_shift_range, own.brightness_range
        return {
            "theta": _about_zero(own.rotation_range) if own.rotation_range else 0,
            "tx": _shift(own.height_shift_range, img_shape[own.row_axis - 1]),
            "ty": _shift(own.width_shift_range, img_shape[own.col_axis - 1]),
            "shear": _about_zero(own.shear_range) if own.shear_range else 0,
            "zx": zx,
            "zy": zy,
            "flip_horizontal": _flip(own.horizontal_flip),
            "flip_vertical": _flip(own.vertical_flip),
            "channel_shift_intensity": None if channels == 0 else _about_zero(channels),
            "brightness": None if brightness is None else random.uniform(brightness[0], brightness[1]),
        }


def _about_zero(most: Any) -> Any:
    return random.uniform(-most, most)


def _shift(span: Any, side: Any) -> Any:
    """Return a shift in pixels: one of several, one up to a whole number, or up to a part of a side."""
    if not span:
        return 0
    if np.ndim(span) == 1 or (isinstance(span, (int, np.integer)) and span > 0):
        found = random.choice(span) * random.choice([-1, 1])
    else:
        found = _about_zero(span)
    return found * side if np.max(span) < 1 else found


def _flip(wanted: Any) -> Any:
    """Return whether to flip: a product of truth values, which is a whole number."""
    if not wanted:
        return 0
    low = random.random() < 0.5
    return (weak(tf.cast(tensor_of(low), tf.int64)) if is_array(low) else int(low)) * wanted
