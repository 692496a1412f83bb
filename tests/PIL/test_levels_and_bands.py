"""Levels, bands and blurs of Pillow: methods of images that hold tensors, in graphs and in ported bodies."""

from __future__ import annotations

from typing import Any

import numpy as np
import PIL.Image
import PIL.ImageFilter
import PIL.ImageOps
import pytest
import tensorflow as tf

import pipeport
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType
from pipeport.PIL import Image, ImageFilter, ImageOps

pytestmark = pytest.mark.newest_only

NOISE = np.random.default_rng(0).integers(0, 256, (30, 41, 3), np.uint8)


def levels(pixels):
    image = PIL.Image.fromarray(pixels)
    image = PIL.ImageOps.autocontrast(PIL.ImageOps.equalize(image), cutoff=3)
    grey = PIL.ImageOps.grayscale(PIL.ImageOps.invert(image))
    return np.array(image), np.array(grey.point(lambda level: level * 1.2 - 9))


def bands(pixels):
    red, green, blue = PIL.Image.fromarray(pixels).split()
    image = PIL.Image.merge("RGB", (blue, red, green))
    return np.array(image), np.array(image.getchannel("G").point([level // 2 for level in range(256)]))


def blurred(pixels):
    image = PIL.Image.fromarray(pixels).filter(PIL.ImageFilter.GaussianBlur(radius=2))
    return np.array(image.convert("L").filter(PIL.ImageFilter.GaussianBlur((0, 1.5))))


@pytest.mark.parametrize("body", [levels, bands, blurred])
@pytest.mark.parametrize("shape", [(30, 41, 3), (None, None, 3)])
def test_bodies_as_they_are(body: Any, shape: Any) -> None:
    port = pipeport.port(body)
    found = tf.function(port, input_signature=[tf.TensorSpec(shape, tf.uint8)])(NOISE)
    expected = body(NOISE)
    for one, other in zip(tf.nest.flatten(found), tf.nest.flatten(expected), strict=True):
        np.testing.assert_array_equal(one, other)


def test_a_drawn_radius() -> None:
    @tf.function
    def drawn(pixels: Any, radius: Any) -> Any:
        return tf.convert_to_tensor(Image.fromarray(pixels).filter(ImageFilter.GaussianBlur(radius)))

    for radius in (0.0, 0.7, 3.0, 30.0):
        expected = PIL.Image.fromarray(NOISE).filter(PIL.ImageFilter.GaussianBlur(radius))
        np.testing.assert_array_equal(drawn(NOISE, tf.constant(radius, tf.float64)), np.asarray(expected))
    with pytest.raises(tf.errors.InvalidArgumentError, match="radius"):
        drawn(NOISE, tf.constant(-1.0, tf.float64))


def test_the_default_of_a_filter() -> None:
    ours = Image.fromarray(tf.constant(NOISE)).filter(ImageFilter.GaussianBlur)
    theirs = PIL.Image.fromarray(NOISE).filter(PIL.ImageFilter.GaussianBlur)
    np.testing.assert_array_equal(np.asarray(ours), np.asarray(theirs))


def test_a_table_of_each_band() -> None:
    table = [*range(256), *range(255, -1, -1), *([7] * 256)]
    ours = Image.point(tf.constant(NOISE), table)
    np.testing.assert_array_equal(ours, np.asarray(PIL.Image.fromarray(NOISE).point(table)))
    grey = PIL.Image.fromarray(NOISE[..., 0])
    found = Image.fromarray(tf.constant(NOISE[..., 0])).point(lambda level: level > 100, "1")
    assert found.mode == "1"
    np.testing.assert_array_equal(np.asarray(found), np.asarray(grey.point(lambda level: level > 100, "1")))


def test_bands_of_other_modes() -> None:
    image = Image.fromarray(tf.constant([[1.5, 2.5]]))
    (band,) = image.split()
    assert {band.mode, image.getchannel("F").mode} == {"F"}
    np.testing.assert_array_equal(np.asarray(Image.merge("F", [band])), [[1.5, 2.5]])


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: ImageOps.equalize(NOISE, mask=NOISE), UnsupportedArgument, ("mask",)),
        (lambda: ImageOps.equalize(NOISE[..., 0] > 9), UnsupportedArgument, ("image", "mode 1")),
        (lambda: ImageOps.invert(np.zeros((2, 2), np.float32)), UnsupportedArgument, ("image", "mode F")),
        (lambda: ImageOps.autocontrast(NOISE, cutoff="a"), WrongType, ("cutoff",)),
        (lambda: ImageOps.autocontrast(NOISE, cutoff=(1, 101)), OutsideDomain, ("cutoff", "0 to 100")),
        (lambda: ImageOps.autocontrast(NOISE, ignore=256), OutsideDomain, ("ignore",)),
        (lambda: Image.getchannel(NOISE, "A"), OutsideDomain, ("channel", "R, G, B")),
        (lambda: Image.getchannel(NOISE, 0.5), WrongType, ("channel",)),
        (lambda: Image.point(NOISE, range(256)), OutsideDomain, ("lut", "768")),
        (lambda: Image.point(NOISE, ["a"] * 768), WrongType, ("lut",)),
        (lambda: Image.point(NOISE, tf.range(768)), UnsupportedArgument, ("lut", "tensor")),
        (lambda: Image.point(NOISE, lambda level: level, "L"), UnsupportedArgument, ("mode",)),
        (lambda: Image.merge("RGB", [NOISE[..., 0]] * 2), OutsideDomain, ("bands", "3 bands")),
        (lambda: Image.merge("RGB", [NOISE] * 3), OutsideDomain, ("bands", "mode L")),
        (lambda: Image.merge("RGB", [NOISE[..., 0], *[NOISE[:3, :, 0]] * 2]), OutsideDomain, ("one size",)),
        (lambda: ImageFilter.GaussianBlur(-1), OutsideDomain, ("radius",)),
        (lambda: ImageFilter.GaussianBlur("a"), WrongType, ("radius",)),
        (lambda: Image.fromarray(NOISE).filter(3), UnsupportedArgument, ("filter", "GaussianBlur")),
    ],
)
def test_mistakes(call: Any, error: type[Exception], words: tuple[str, ...]) -> None:
    with pytest.raises(error) as raised:
        call()
    assert all(word in str(raised.value) for word in words), raised.value
