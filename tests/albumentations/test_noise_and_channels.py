"""What is added to pixels, channels in another order, and jitter: sizes people use, refusals, mutants."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import scipy.stats
import tensorflow as tf

import pipeport.albumentations as native
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType
from tests.albumentations.driven import IMAGE, assert_same, both, proof_of
from tests.catalog import arguments

RANDOM = np.random.default_rng(12)
LARGE = RANDOM.integers(0, 256, (130, 192, 3), np.uint8)
in_main = pytest.mark.skipif(arguments.in_addons(), reason="environment: driven alike in the main one")


def as_dtype(image: Any, dtype: str) -> Any:
    return image if dtype == "uint8" else (image / np.float32(255)).astype(np.float32)


def traced(build: Any, image: Any, shape: tuple[int | None, ...]) -> Any:
    """Return the pipeline as a graph for images of a shape; it is given image and seed."""

    def run(image, seed):
        return build(native)(image=image, seed=seed)["image"]

    rows = tf.TensorSpec(shape, image.dtype), tf.TensorSpec([2], tf.int64)
    found = tf.function(run, autograph=False).get_concrete_function(*rows)
    assert found.structured_outputs.shape.as_list() == list(shape)
    return lambda seed: found(tf.constant(image), tf.constant(seed, tf.int64)).numpy()


PARTS: list[Any] = [
    lambda a: a.GaussNoise(mean_range=(-0.2, 0.2), p=1.0),
    lambda a: a.GaussNoise(per_channel=False, p=0.8),
    lambda a: a.RGBShift(60, (-0.2, 0.4), (3, 90), p=1.0),
    lambda a: a.ChannelShuffle(p=0.9),
    lambda a: a.Downscale((0.2, 0.9), p=0.7),
    lambda a: a.Posterize((2, 7), p=0.7),
    lambda a: a.Solarize((0.1, 0.9), p=0.8),
    lambda a: a.PixelDropout(0.2, drop_value=None, p=0.8),
    lambda a: a.PixelDropout(0.2, per_channel=True, drop_value=0.5, mask_drop_value=1, p=0.8),
    lambda a: a.RandomToneCurve(0.3, p=0.8),
    lambda a: a.RandomToneCurve(0.3, per_channel=True, p=0.8),
    lambda a: a.MultiplicativeNoise((0.5, 1.7), p=0.8),
    lambda a: a.MultiplicativeNoise((0.5, 1.7), per_channel=True, elementwise=True, p=0.7),
    lambda a: a.ChannelDropout((1, 2), fill=7.5, p=0.8),
]


@pytest.mark.parametrize("shape", [LARGE.shape, (None, None, 3)], ids=str)
def test_16_bits(shape: tuple[int | None, ...]) -> None:
    def build(package):
        parts = package.ChannelShuffle(p=0.9), package.ChannelDropout((1, 2), fill=40000.5, p=0.8)
        return package.Compose([*parts, package.InvertImg(p=0.5)])

    image = LARGE.astype(np.uint16) * 257
    run = traced(build, image, shape)
    for index in range(4):
        ours, theirs = both(build, {"image": image}, (8, index))
        assert theirs["image"].dtype == np.uint16
        assert_same(ours, theirs)
        np.testing.assert_array_equal(run((8, index)), theirs["image"])


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
@pytest.mark.parametrize("shape", [LARGE.shape, (None, None, 3)], ids=str)
def test_large_images_in_graphs(dtype: str, shape: tuple[int | None, ...]) -> None:
    def build(package):
        return package.Compose([part(package) for part in PARTS])

    image = as_dtype(LARGE, dtype)
    run = traced(build, image, shape)
    for index in range(4):
        ours, theirs = both(build, {"image": image, "mask": image[..., 0]}, (8, index))
        assert_same(ours, theirs)
        np.testing.assert_array_equal(run((8, index)), theirs["image"])


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
@pytest.mark.parametrize("shape", [LARGE.shape, (None, None, 3)], ids=str)
def test_jitter_of_large_images(dtype: str, shape: tuple[int | None, ...]) -> None:
    def build(package):
        return package.ColorJitter(0.3, 0.3, 0.3, 0.2, p=1.0)

    image = as_dtype(LARGE, dtype)
    run = traced(build, image, shape)
    for index in range(4):
        apart = np.abs(
            np.subtract(run((9, index)), both(build, {"image": image}, (9, index))[1]["image"], dtype=float)
        )
        assert apart.max() <= (2 if dtype == "uint8" else 1e-5)
        # Whole vectors of OpenCV, whose hues are equal; sums next to a half are not.
        assert np.mean(apart > 1e-5) < 0.02


@pytest.mark.parametrize("channels", [0, 1, 2, 3, 5])
@pytest.mark.parametrize("known", [True, False])
def test_jpeg_of_any_quality(channels: int, known: bool) -> None:
    """Noise on a slope, so that every frequency counts."""

    def build(package):
        return package.ImageCompression(quality_range=(1, 100), p=1.0)

    slope = np.linspace(0, 255, 130)[:, np.newaxis, np.newaxis]
    many = np.clip(slope + RANDOM.normal(0, 25, (130, 97, channels or 1)), 0, 255).astype(np.uint8)
    for dtype in ("uint8", "float32"):
        image = as_dtype(many if channels else many[..., 0], dtype)
        run = traced(build, image, image.shape if known else (None, None, *image.shape[2:]))
        for index in range(4):
            right = both(build, {"image": image}, (12, index))[1]["image"]
            np.testing.assert_array_equal(run((12, index)), right)
            assert (right != image).mean() > 0.2


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
@pytest.mark.parametrize("shape", [LARGE.shape, (None, None, 3)], ids=str)
def test_noise_of_a_camera(shape: tuple[int | None, ...], dtype: str) -> None:
    def build(package):
        return package.ISONoise((0.1, 0.9), (0.3, 2.0), p=1.0)

    image = as_dtype(LARGE[:, :256], dtype)  # whole vectors of OpenCV
    run = traced(build, image, image.shape if shape[0] else shape)
    for index in range(3):
        apart = np.abs(
            np.subtract(run((13, index)), both(build, {"image": image}, (13, index))[1]["image"], dtype=float)
        )
        assert apart.max() <= (1 if dtype == "uint8" else 1e-5)
        assert np.mean(apart > 1e-5) < 1e-3


@pytest.mark.parametrize("largest", [0.0, 0.25, 10.0])
def test_counts_have_a_poisson_distribution(largest: float) -> None:
    count = 2**16
    for mean in {0.0, largest / 3, largest}:
        u = tf.constant((np.arange(count) + 0.5) / count, tf.float32)
        counts = native._iso_noise._poisson(u, tf.constant(mean, tf.float64), largest).numpy()
        expected = scipy.stats.poisson.ppf((np.arange(count) + 0.5) / count, mean)
        assert (counts != np.maximum(expected, 0)).mean() < 1e-4


def test_boxes_of_which_too_little_is_left() -> None:
    def build(package, **how):
        boxes = package.BboxParams("albumentations", min_visibility=0.62, min_area=3)
        return package.Compose([package.PixelDropout(0.35, p=1.0, **how)], bbox_params=boxes)

    image, kept = RANDOM.integers(0, 256, (12, 18, 3), np.uint8), set()
    corners = RANDOM.uniform(0, 0.5, (9, 2))
    boxes = np.concatenate([corners, corners + RANDOM.uniform(0.1, 0.5, (9, 2))], 1).astype(np.float32)
    for index in range(8):
        ours, theirs = both(build, {"image": image, "bboxes": boxes}, (14, index))
        assert_same(ours, theirs)
        kept.add(len(theirs["bboxes"]))
    assert len(kept) > 2
    alone = both(lambda package: build(package, per_channel=True), {"image": image, "bboxes": boxes}, (14, 1))
    assert_same(*alone)
    assert len(alone[0]["bboxes"]) == len(boxes)


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
@pytest.mark.parametrize("shape", [LARGE.shape, (None, None, 3)], ids=str)
def test_sepia_of_large_images(shape: tuple[int | None, ...], dtype: str) -> None:
    def build(package):
        return package.ToSepia(p=1.0)

    image = as_dtype(LARGE, dtype)
    right = both(build, {"image": image}, (1, 2))[1]["image"]
    apart = np.abs(np.subtract(traced(build, image, shape)((1, 2)), right, dtype=float))
    assert apart.max() <= (1 if dtype == "uint8" else 1e-6)
    assert np.mean(apart > 1e-6) < 1e-3  # the end of an image alone


@pytest.mark.parametrize("by_channels", [True, False])
@pytest.mark.parametrize("shape", [LARGE.shape, (None, None, 3)], ids=str)
def test_equalised_channels(shape: tuple[int | None, ...], by_channels: bool) -> None:
    def build(package):
        return package.Equalize(by_channels=by_channels, p=1.0)

    dark = (LARGE // 3 + 20).astype(np.uint8)
    right = both(build, {"image": dark}, (1, 2))[1]["image"]
    np.testing.assert_array_equal(traced(build, dark, shape)((1, 2)), right)
    assert right.std() > 2 * dark.std()


@pytest.mark.parametrize("channels", [1, 2, 4])
def test_other_numbers_of_channels(channels: int) -> None:
    parts = PARTS if channels == 4 else PARTS[:-1]
    parts = [part for part in parts if channels < 4 or part is not PARTS[2]]

    def build(package):
        return package.Compose([part(package) for part in parts])

    image = RANDOM.integers(0, 256, (9, 7, channels), np.uint8)
    for index in range(3):
        assert_same(*both(build, {"image": image}, (10, index)))


def test_images_of_one_size_get_one_noise() -> None:
    def build(package):
        return package.Compose([package.GaussNoise(p=1.0)], additional_targets={"image2": "image"})

    assert_same(*both(build, {"image": IMAGE, "image2": IMAGE[::-1]}, (11, 1)))


BUILDS: list[tuple[Any, type[Exception], str]] = [
    (lambda: native.GaussNoise(0.2), WrongType, "std_range: got 0.2"),
    (lambda: native.GaussNoise((0.4, 0.2)), OutsideDomain, "std_range"),
    (lambda: native.GaussNoise(mean_range=(0, 2)), OutsideDomain, "mean_range"),
    (lambda: native.GaussNoise(noise_scale_factor=0.5), UnsupportedArgument, "noise_scale_factor: got 0.5"),
    (lambda: native.GaussNoise(per_channel=1), WrongType, "per_channel"),
    (lambda: native.RGBShift((1, 2, 3)), WrongType, "r_shift_limit"),
    (lambda: native.RGBShift(b_shift_limit=300), OutsideDomain, "b_shift_limit: got 300"),
    (lambda: native.ChannelDropout((0, 1)), OutsideDomain, "channel_drop_range"),
    (lambda: native.ChannelDropout((1.0, 2.0)), WrongType, "channel_drop_range"),
    (lambda: native.Posterize([1, 2, 3]), UnsupportedArgument, "num_bits: got 3 numbers"),
    (lambda: native.Posterize(8), OutsideDomain, "num_bits"),
    (lambda: native.Solarize((0.2, 1.5)), OutsideDomain, "threshold_range"),
    (lambda: native.Equalize("pil"), UnsupportedArgument, "mode: got 'pil'"),
    (lambda: native.Equalize(mask=IMAGE), UnsupportedArgument, "mask"),
    (lambda: native.Downscale((0.5, 1.5)), OutsideDomain, "scale_range"),
    (
        lambda: native.Downscale(interpolation_pair={"upscale": 1, "downscale": 0}),
        UnsupportedArgument,
        "pair",
    ),
    (lambda: native.ImageCompression("webp"), UnsupportedArgument, "compression_type: got 'webp'"),
    (lambda: native.ImageCompression("png"), UnsupportedArgument, "compression_type: got 'png'"),
    (lambda: native.ImageCompression(quality_range=(0, 50)), OutsideDomain, "quality_range"),
    (lambda: native.ImageCompression(quality_range=(20.0, 50.0)), WrongType, "quality_range"),
    (lambda: native.PixelDropout(1.5), OutsideDomain, "dropout_prob"),
    (lambda: native.PixelDropout(drop_value="random"), WrongType, "drop_value"),
    (lambda: native.RandomToneCurve(1.5), OutsideDomain, "scale"),
    (lambda: native.ISONoise(intensity=(0.5, 30)), OutsideDomain, "intensity"),
    (lambda: native.ISONoise((0.5, 0.1)), OutsideDomain, "color_shift"),
    (lambda: native.MultiplicativeNoise((1.1, 0.9)), OutsideDomain, "multiplier"),
    (lambda: native.MultiplicativeNoise(1.1), WrongType, "multiplier"),
    (lambda: native.ColorJitter(-0.1), OutsideDomain, "brightness"),
    (lambda: native.ColorJitter(hue=(0.3, 0.1)), OutsideDomain, "hue"),
    (lambda: native.ColorJitter(contrast=tf.constant(0.1)), UnsupportedArgument, "contrast"),
]


@pytest.mark.parametrize(("build", "error", "words"), BUILDS)
def test_what_is_built_wrong_is_refused_at_once(build: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        build()


DATA: list[tuple[Any, Any, type[Exception], str]] = [
    (native.RGBShift(p=1.0), np.zeros((2, 2, 4), np.uint8), OutsideDomain, "4 channels"),
    (native.ChannelDropout(p=1.0), IMAGE[..., :1], OutsideDomain, "1 channels"),
    (native.ChannelDropout(fill=300, p=1.0), IMAGE, OutsideDomain, "fill: got 300"),
    (native.ColorJitter(p=1.0), IMAGE[..., :2], WrongType, "2 channels"),
    (native.ISONoise(p=1.0), IMAGE[..., :1], WrongType, "1 channels"),
    (native.PixelDropout(drop_value=(1, 2), p=1.0), IMAGE, OutsideDomain, "drop_value: got 2 numbers"),
    (native.Downscale((0.01, 0.01), p=1.0), IMAGE, OutsideDomain, "an image without pixels"),
    (native.GaussNoise(p=1.0), IMAGE.astype(np.float64), OutsideDomain, "dtype float64"),
]


@pytest.mark.parametrize(("transform", "image", "error", "words"), DATA)
def test_images_that_are_not_served_are_refused_by_name(
    transform: Any, image: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=re.escape(words)):
        transform(image=tf.constant(image), seed=(1, 2))


class Rounded(native.RGBShift):
    """It rounds what the reference cuts off."""

    def changed(self, image, params, name):
        return super().changed(image, {key: tf.round(one * 255) / 255 for key, one in params.items()}, name)


class OneNoise(native.GaussNoise):
    """Its noise does not depend on the seed."""

    def draw_parameters(self, seed):
        return {**super().draw_parameters(seed), "noise": tf.constant([1, 2], tf.int64)}


class InOrder(native.ColorJitter):
    """It draws no order."""

    def draw_parameters(self, seed):
        return {**super().draw_parameters(seed), "order": tf.range(4, dtype=tf.int64)}


class Backwards(native.ChannelShuffle):
    """It puts channels into the inverse order."""

    def changed(self, image, params, name):
        del name
        if image.shape.rank == 2 or image.shape[-1] != 3:
            return image
        order = native._channels.seeds.permutation(params["channels"], 3)
        return tf.gather(image, tf.argsort(order), axis=-1)


class Above(native.Solarize):
    """Its threshold lies higher."""

    def changed(self, image, params, name):
        return super().changed(image, {"threshold": params["threshold"] + 0.05}, name)


class FewBits(native.Posterize):
    """It never keeps the most bits."""

    def draw_parameters(self, seed):
        low, high = self.num_bits
        bits = super().draw_parameters(seed)["num_bits"]
        return {"num_bits": tf.where((bits == high) & (low < high), low, bits)}


class NextQuality(native.ImageCompression):
    """It compresses a little more."""

    def changed(self, image, params, name):
        return super().changed(image, {"quality": tf.maximum(params["quality"] - 1, 1)}, name)


class Swapped(native.ToSepia):
    """It takes blue for red."""

    def changed(self, image, params, name):
        turned = image if image.shape.rank == 2 else tf.reverse(image, [-1])
        return super().changed(turned, params, name)


class SharedPixels(native.PixelDropout):
    """It fills all channels of a pixel."""

    def hit(self, seed, value, batch_axes=0):
        found = super().hit(seed, value, batch_axes)
        return found if value.shape.rank - batch_axes == 2 else found[..., :1]


class HalfCurve(native.RandomToneCurve):
    """Its curves vary half as much."""

    def points(self, params, image):
        return (super().points(params, image) + np.float64([[0.25], [0.75]])) / 2


class OtherHue(native.ISONoise):
    """It shifts hues the other way."""

    def changed(self, image, params, name):
        params = {**params, "color_shift": -params["color_shift"]}
        return super().changed(image, params, name)


class OneFactor(native.MultiplicativeNoise):
    """It multiplies every channel by the same number."""

    def factors(self, params, image):
        found = super().factors(params, image)
        return found * 0 + found[..., :1] if self.per_channel else found


class AlwaysOne(native.ChannelDropout):
    """It fills one channel always."""

    def draw_parameters(self, seed):
        return {**super().draw_parameters(seed), "count": tf.constant(1)}


MUTANTS = [
    (native.ImageCompression, NextQuality),
    (native.ToSepia, Swapped),
    (native.MultiplicativeNoise, OneFactor),
    (native.PixelDropout, SharedPixels),
    (native.ISONoise, OtherHue),
    (native.RandomToneCurve, HalfCurve),
    (native.RGBShift, Rounded),
    (native.GaussNoise, OneNoise),
    (native.ColorJitter, InOrder),
    (native.ChannelShuffle, Backwards),
    (native.ChannelDropout, AlwaysOne),
    (native.Posterize, FewBits),
    (native.Solarize, Above),
]


@in_main
@pytest.mark.parametrize(("original", "mutant"), MUTANTS, ids=lambda side: side.__name__)
def test_mutants_are_rejected(original: type, mutant: type) -> None:
    assert proof_of(original, mutant, 30).status == "failed"
