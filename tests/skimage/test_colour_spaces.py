"""`skimage.color`: every colour of a grid there and back, all axes, illuminants, refusals."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from skimage import color as reference

import pipeport
from pipeport.errors import BadAxis, OutsideDomain, UnsupportedArgument, WrongType
from pipeport.porting import port
from pipeport.skimage import color

RANDOM = np.random.default_rng(47)
LEVELS = np.arange(0, 256, 15, np.uint8)
GRID = np.stack(np.meshgrid(LEVELS, LEVELS, LEVELS), -1).reshape(-1, len(LEVELS), 3)
NAMES = [
    "rgb2hsv", "hsv2rgb", "rgb2hed", "hed2rgb", "rgb2xyz",
    "xyz2rgb", "rgb2lab", "lab2rgb", "xyz2lab", "lab2xyz",
]  # fmt: skip
# Of the largest value; what float32 loses by the reference itself is many times as much.
CLOSE = {"uint8": 4e-15, "float64": 4e-14, "float32": 4e-6}


def _run(name: str, *args: Any, **kwargs: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return getattr(reference, name)(*args, **kwargs)


def _given(name: str, dtype: str) -> Any:
    """Return every colour of the grid in the space that a function takes."""
    if name.startswith("rgb"):
        return GRID if dtype == "uint8" else (GRID / 255).astype(dtype)
    return _run(f"rgb2{name[:3]}", GRID).astype(dtype)


@pytest.mark.parametrize("dtype", ["uint8", "float32", "float64"])
@pytest.mark.parametrize("name", NAMES)
def test_every_colour_of_a_grid(name: str, dtype: str) -> None:
    if dtype == "uint8" and not name.startswith("rgb"):
        pytest.skip("no space of bytes")
    image = _given(name, dtype)
    right = _run(name, image)
    bound = CLOSE[dtype] * max(1.0, float(np.abs(right).max()))
    for spec in (tf.TensorSpec(image.shape, dtype), tf.TensorSpec([None, None, 3], dtype)):
        found = tf.function(getattr(color, name), input_signature=[spec], autograph=False)(image).numpy()
        assert found.dtype == right.dtype
        np.testing.assert_allclose(found, right, 0, bound)


@pytest.mark.parametrize("axis", [0, 1, -2])
@pytest.mark.parametrize("name", NAMES)
def test_channels_on_every_axis(name: str, axis: int) -> None:
    image = np.ascontiguousarray(np.moveaxis(_given(name, "float64"), -1, axis))
    right = _run(name, image, channel_axis=axis)
    batch = np.stack([image, image[::-1] if axis else image])
    found = pipeport.batched(getattr(color, name))(batch, channel_axis=axis).numpy()
    np.testing.assert_allclose(found[0], right, 0, CLOSE["float64"] * max(1.0, float(np.abs(right).max())))


@pytest.mark.parametrize("illuminant", ["A", "B", "C", "d50", "D55", "D65", "D75", "e"])
@pytest.mark.parametrize("observer", ["2", "10", "r"])
def test_illuminants(illuminant: str, observer: str) -> None:
    image = GRID[::40] / 255
    right = _run("rgb2lab", image, illuminant, observer)
    np.testing.assert_allclose(color.rgb2lab(image, illuminant, observer), right, 0, 1e-12)
    back = _run("lab2rgb", right, illuminant, observer)
    np.testing.assert_allclose(color.lab2rgb(right, illuminant, observer), back, 0, 1e-12)


def test_a_drawn_background() -> None:
    image = RANDOM.random((20, 31, 4), np.float32)
    graph = tf.function(color.rgba2rgb, autograph=False)
    colour = np.array([0.2, 0.3, 0.9], np.float32)
    np.testing.assert_allclose(graph(image, tf.constant(colour)), reference.rgba2rgb(image, colour), 0, 2e-7)
    with pytest.raises(tf.errors.InvalidArgumentError, match="beyond 0 or 1"):
        graph(image, tf.constant(colour + 0.5))


def test_in_a_ported_body() -> None:
    def prepared(image, turn):
        hsv = reference.rgb2hsv(image)
        hsv[..., 0] = (hsv[..., 0] + turn) % 1.0
        return reference.hsv2rgb(hsv)

    np.testing.assert_allclose(port(prepared)(GRID, 0.25), prepared(GRID, 0.25), 0, 1e-14)


X = np.zeros((5, 6, 3))


@pytest.mark.parametrize(
    ("error", "words", "call"),
    [
        (OutsideDomain, "4 channels", lambda: color.rgb2hsv(np.zeros((5, 6, 4)))),
        (OutsideDomain, "3 channels", lambda: color.rgba2rgb(X)),
        (OutsideDomain, "uint8", lambda: color.lab2rgb(X.astype(np.uint8))),
        (OutsideDomain, "2 numbers", lambda: color.rgba2rgb(np.zeros((5, 6, 4)), (0, 1))),
        (OutsideDomain, "background", lambda: color.rgba2rgb(np.zeros((5, 6, 4)), (0, 1, 2))),
        (BadAxis, "channel_axis", lambda: color.rgb2lab(X, channel_axis=3)),
        (UnsupportedArgument, "'F2'", lambda: color.rgb2lab(X, "F2")),
        (UnsupportedArgument, "'3'", lambda: color.xyz2lab(X, observer="3")),
        (WrongType, "observer: got int", lambda: color.xyz2lab(X, observer=2)),
    ],
)
def test_what_is_refused(error: type, words: str, call: Any) -> None:
    with pytest.raises(error, match=words):
        call()


def test_two_axes_of_channels_are_refused():
    with pytest.raises(WrongType, match=r"channel_axis: got \(0, 1\); allowed: one whole number"):
        color.rgb2hsv(np.zeros((3, 3, 3)), channel_axis=(0, 1))
