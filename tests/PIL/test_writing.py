"""Images of Pillow's that are made and written into, and enhancers with drawn factors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from pipeport.errors import OutsideDomain, PortRefused, UnsupportedArgument, WrongType
from pipeport.PIL import Image, ImageEnhance
from pipeport.porting import port

pytestmark = pytest.mark.newest_only

pillow = pytest.importorskip("PIL.Image")
pillow_enhance = pytest.importorskip("PIL.ImageEnhance")

NOISE = np.random.default_rng(5).integers(0, 256, (40, 30, 4)).astype(np.uint8)
MODES = {"L": NOISE[..., 0], "RGB": NOISE[..., :3], "RGBA": NOISE, "1": NOISE[..., 0] > 99}
BOXES = [None, (0, 0), (3, 5), (-4, 25), [28, -7], (50, 50)]


def both(function: Any, *arrays: np.ndarray) -> None:
    """Compare what a function of a module and arrays gives, in eager mode and in graphs."""
    right = np.asarray(function(pillow, *(pillow.fromarray(one) for one in arrays)))

    def run(*tensors: Any) -> Any:
        return tf.convert_to_tensor(function(Image, *map(Image.fromarray, tensors)))

    np.testing.assert_array_equal(run(*arrays), right)
    for jit in (False, True):
        np.testing.assert_array_equal(tf.function(run, jit_compile=jit)(*arrays), right)
    specs = [tf.TensorSpec([None, None, *one.shape[2:]], one.dtype) for one in arrays]
    np.testing.assert_array_equal(tf.function(run, input_signature=specs)(*arrays), right)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("box", BOXES, ids=str)
def test_images_are_pasted(mode: str, box: Any) -> None:
    def pasted(module: Any, image: Any, other: Any) -> Any:
        image = image.copy()
        image.paste(other, box if box is None else tuple(box))
        return image

    both(pasted, MODES[mode], MODES[mode][7:19, 4:23])


@pytest.mark.parametrize(("mode", "other"), [("RGB", "L"), ("RGB", "RGBA"), ("L", "RGB"), ("RGBA", "RGB")])
def test_images_of_other_modes_are_converted(mode: str, other: str) -> None:
    def pasted(module: Any, image: Any, other: Any) -> Any:
        image.paste(other, (2, 3, 21, 15))
        return image

    both(pasted, MODES[mode], MODES[other][7:19, 4:23])


@pytest.mark.parametrize("mode", ["L", "RGB", "RGBA"])
@pytest.mark.parametrize("mask", ["L", "RGBA", "1"])
def test_masks_and_colours(mode: str, mask: str) -> None:
    def by_mask(module: Any, image: Any, other: Any, mask: Any) -> Any:
        image = image.copy()
        image.paste(other, (-3, 8), mask)
        image.paste(other, (20, 30), mask=mask)
        image.paste(other, mask)
        if image.mode != "RGBA":
            image.paste(77 if image.mode == "L" else (1, 250, 33), (9, 17), mask)
        image.paste(77 if image.mode == "L" else (1, 250, 33), (9, 17, 14, 60))
        return image

    both(by_mask, MODES[mode], MODES[mode][7:19, 4:23], MODES[mask][20:32, :19])


def test_what_is_not_pasted() -> None:
    image, other = Image.fromarray(NOISE), Image.fromarray(NOISE[:5, :6])
    for error, arguments in (
        (OutsideDomain, (other, (0, 0, 5, 5))),
        (OutsideDomain, (other, (0, 0), Image.fromarray(NOISE[:6, :6]))),
        (OutsideDomain, ((1, 2, 3), (5, 5, 2, 2))),
        (WrongType, ((1, 2, 3), (5, 5))),
        (WrongType, (other, 3)),
        (UnsupportedArgument, ("red", (0, 0, 5, 5))),
        (UnsupportedArgument, (other, image, image)),
        (UnsupportedArgument, ((1, 2, 3), (0, 0), other)),
        (UnsupportedArgument, (other, (0, 0), Image.new("F", (6, 5)))),
    ):
        with pytest.raises(error):
            image.paste(*arguments)
    with pytest.raises(UnsupportedArgument, match="mask"):
        Image.new("F", (6, 5)).paste(2, (0, 0), Image.new("L", (3, 3)))

    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.uint8)])
    def of_unknown_size(x: Any) -> Any:
        canvas = Image.new("L", (9, 9))
        canvas.paste(Image.fromarray(x), (0, 0, 3, 3))
        return tf.convert_to_tensor(canvas)

    assert of_unknown_size(np.ones([3, 3], np.uint8)).numpy().sum() == 9
    with pytest.raises(tf.errors.InvalidArgumentError, match="another size"):
        of_unknown_size(np.ones([3, 4], np.uint8))


def test_a_condition_of_the_graph_does_not_write() -> None:
    def body(x: Any) -> Any:
        image = pillow.fromarray(x)
        if x.mean() > 3:
            image.paste(0, (0, 0, 2, 2))
        return np.array(image)

    with pytest.raises(PortRefused, match="paste"):
        tf.function(port(body), autograph=False)(NOISE[..., 0])


def test_new_images_of_sizes_that_the_graph_knows() -> None:
    @tf.function(input_signature=[tf.TensorSpec([], tf.int64)])
    def made(side: Any) -> Any:
        return tf.convert_to_tensor(Image.new("RGB", (side, 4), (1, 2, 3)))

    for side in (3, 0):
        np.testing.assert_array_equal(made(side), np.array(pillow.new("RGB", (side, 4), (1, 2, 3))))
    with pytest.raises(tf.errors.InvalidArgumentError, match="negative"):
        made(-1)
    with pytest.raises(OutsideDomain):
        Image.new("L", (3, -1))


@pytest.mark.parametrize("name", ["Brightness", "Contrast", "Color", "Sharpness"])
def test_drawn_factors(name: str) -> None:
    enhancer, original = getattr(ImageEnhance, name), getattr(pillow_enhance, name)
    for image in (NOISE, NOISE[:1, :, 0], NOISE[:, :2, :3], NOISE[:2, :1]):
        right = original(pillow.fromarray(image))
        specs = [tf.TensorSpec([None, None, *image.shape[2:]], tf.uint8), tf.TensorSpec([], tf.float64)]
        run = tf.function(lambda x, factor: enhancer(x).enhance(factor), input_signature=specs)
        fast = tf.function(lambda x, factor: enhancer(x).enhance(factor), jit_compile=True)
        for factor in (0.0, 1.0, 0.1, 0.6000000238418579, 1.3, -2.7, 40.0):
            np.testing.assert_array_equal(run(image, factor), right.enhance(factor))
            if image is NOISE:
                fast_factor = tf.constant(factor, tf.float64)
                np.testing.assert_array_equal(fast(image, fast_factor), right.enhance(factor))
        made = enhancer(Image.fromarray(image)).enhance(0.7)
        np.testing.assert_array_equal(np.asarray(made), right.enhance(0.7))


def test_enhancers_of_other_modes_are_refused() -> None:
    for mode in ("F", "1", "I"):
        with pytest.raises(UnsupportedArgument, match="modes L, RGB and RGBA"):
            ImageEnhance.Brightness(Image.new(mode, (3, 3))).enhance(1.0)
    with pytest.raises(OutsideDomain):
        ImageEnhance.Color(NOISE).enhance(float("nan"))
