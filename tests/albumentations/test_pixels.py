"""Transforms of pixels: pipelines, sizes people use, refusals, and what does otherwise is noticed."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import pipeport.albumentations as native
from pipeport import config
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType
from tests.albumentations.driven import IMAGE, assert_same, both, boxes_as, proof_of
from tests.catalog import arguments

RANDOM = np.random.default_rng(11)
LARGE = RANDOM.integers(0, 256, (300, 260, 3), np.uint8)
in_main = pytest.mark.skipif(arguments.in_addons(), reason="environment: driven alike in the main one")


def augmentation(package, **settings):
    """Return the pipeline that is copied from tutorial to tutorial."""
    levels = package.OneOf([package.RandomGamma(p=1.0), package.InvertImg(p=0.2), package.NoOp()], p=0.7)
    parts = [package.HorizontalFlip(p=0.5), package.RandomBrightnessContrast(p=0.8), levels]
    return package.Compose([*parts, package.Normalize()], **settings)


@pytest.mark.parametrize(
    "image", [IMAGE, IMAGE[..., :1], IMAGE[..., 0], LARGE], ids=lambda one: str(one.shape)
)
def test_a_pipeline_with_all_that_belongs_to_the_image(image: Any) -> None:
    def build(package):
        return augmentation(
            package,
            bbox_params=package.BboxParams("albumentations", label_fields=["labels"]),
            additional_targets={"image2": "image"},
        )

    mask = image[..., 0] if image.ndim == 3 else image
    boxes = boxes_as("albumentations")
    for index in range(8):
        element = {"image": image, "image2": image[::-1], "mask": mask, "bboxes": boxes, "labels": [1, 2, 3]}
        assert_same(*both(build, element, (8, index)))


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
@pytest.mark.parametrize("policy", ["auto", "never"])
def test_large_images_in_graphs_of_known_and_unknown_sizes(dtype: str, policy: str) -> None:
    image = LARGE if dtype == "uint8" else (LARGE / np.float32(255)).astype(np.float32)

    def build(package):
        return package.Compose([package.RandomBrightnessContrast(0.6, 0.6, p=1.0), package.Normalize()])

    def run(image, seed):
        return build(native)(image=image, seed=seed)["image"]

    for shape in (image.shape, (None, None, 3)):
        with config.use_jit(policy):
            rows = tf.TensorSpec(shape, dtype), tf.TensorSpec([2], tf.int64)
            traced = tf.function(run).get_concrete_function(*rows)
        assert traced.structured_outputs.shape.as_list() == list(shape)
        for index in range(6):
            seed = tf.constant([9, index], tf.int64)
            _ours, theirs = both(build, {"image": image}, (9, index))
            np.testing.assert_array_equal(traced(tf.constant(image), seed), theirs["image"])


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
@pytest.mark.parametrize("shape", [LARGE.shape, (None, None, 3)], ids=str)
def test_colours_of_large_images(dtype: str, shape: tuple[int | None, ...]) -> None:
    # Whole vectors of OpenCV, which truncates there; 260 columns are not.
    image = LARGE[:, :256] if dtype == "uint8" else (LARGE[:, :256] / np.float32(255)).astype(np.float32)
    shape = image.shape if shape[0] else shape
    level = 1 if dtype == "uint8" else 1 / 255 + 1e-6

    def build(package):
        return package.Compose([package.HueSaturationValue(90, 60, 60, p=1.0), package.ToGray(p=0.3)])

    def run(image, seed):
        return build(native)(image=image, seed=seed)["image"]

    traced = tf.function(run, autograph=False).get_concrete_function(
        tf.TensorSpec(shape, dtype), tf.TensorSpec([2], tf.int64)
    )
    assert traced.structured_outputs.shape.as_list() == list(shape)
    for index in range(6):
        _ours, theirs = both(build, {"image": image}, (10, index))
        found = traced(tf.constant(image), tf.constant([10, index], tf.int64))
        apart = np.abs(np.subtract(found, theirs["image"], dtype=np.float64))
        assert apart.max() <= level
        assert np.mean(apart > 1e-6) < 3e-3


def test_a_graph_that_the_user_compiles_rounds_alike() -> None:
    def build(package):
        return package.Compose([package.RandomBrightnessContrast(0.6, 0.6, p=1.0)])

    compiled = tf.function(
        lambda image, seed: build(native)(image=image, seed=seed)["image"], jit_compile=True
    )
    for index in range(10):
        _ours, theirs = both(build, {"image": LARGE}, (10, index))
        found = compiled(tf.constant(LARGE), tf.constant([10, index], tf.int64))
        np.testing.assert_array_equal(found, theirs["image"])


@pytest.mark.parametrize("shape", [IMAGE.shape, (None, None, 3)])
def test_the_mean_of_bytes(shape: tuple[Any, ...]) -> None:
    def build(package):
        return package.RandomBrightnessContrast(0.4, 0.2, brightness_by_max=False, p=1.0)

    rows = tf.TensorSpec(shape, tf.uint8), tf.TensorSpec([2], tf.int64)
    traced = tf.function(lambda image, seed: build(native)(image=image, seed=seed)["image"])
    run = traced.get_concrete_function(*rows)
    for index in range(5):
        _ours, theirs = both(build, {"image": IMAGE}, (12, index))
        np.testing.assert_array_equal(
            run(tf.constant(IMAGE), tf.constant([12, index], tf.int64)), theirs["image"]
        )


@in_main  # NumPy 1 clips -0.0 to 0.0
@pytest.mark.parametrize("limit", [0, 0.2])
@pytest.mark.parametrize("contrast", [(-1, -1), (0.2, 0.2)])
def test_zeros_keep_their_sign_where_the_reference_keeps_it(limit: Any, contrast: Any) -> None:
    def build(package):
        return package.RandomBrightnessContrast(limit, contrast, p=1.0)

    image = np.array([[-0.0, 0.0, 0.5]], np.float32)
    ours, theirs = both(build, {"image": image}, (14, 1))
    run = tf.function(lambda x: build(native)(image=x, seed=(14, 1))["image"], autograph=False)
    for found in (ours["image"], run(tf.constant(image))):
        assert np.asarray(found).tobytes() == theirs["image"].tobytes()


@pytest.mark.parametrize("channels", [1, 2, 3, 5])
@pytest.mark.parametrize("numbers", [(0.5,), (0.4, 0.6), (0.1, 0.2, 0.3), 0.3])
def test_the_mean_of_each_channel_or_the_first_of_all(channels: int, numbers: Any) -> None:
    image = RANDOM.integers(0, 256, (5, 4, channels), np.uint8)

    def build(package):
        return package.Normalize(mean=numbers, std=numbers, max_pixel_value=200)

    assert_same(*both(build, {"image": image}, (1, 2)))


@pytest.mark.parametrize("build", [
    lambda package: package.ToFloat(max_value=65535.0),
    lambda package: package.ToFloat(),
    lambda package: package.ToFloat(max_value=1000.7),
    lambda package: package.Normalize(max_pixel_value=65535.0),
    lambda package: package.Compose([package.HorizontalFlip(p=0.5), package.Normalize(0.5, 0.25, 4095.0)]),
])  # fmt: skip
def test_whole_numbers_of_16_bits(build: Any) -> None:
    every = np.arange(2**16, dtype=np.uint16).reshape(256, 256)
    for image in (every, np.stack([every, every.T, every[::-1]], -1)):
        assert_same(*both(build, {"image": image}, (8, 1)))


def test_what_is_not_applied_leaves_the_dtype() -> None:
    out = native.Normalize(p=0.0)(image=IMAGE, seed=(1, 2))["image"]
    assert out.dtype == tf.uint8
    half = native.Normalize(max_pixel_value=1.0, p=0.5)
    assert half(image=IMAGE / np.float32(255), seed=(1, 2))["image"].dtype == tf.float32


@pytest.mark.filterwarnings("ignore::UserWarning:albumentations")
@pytest.mark.parametrize(("at", "limit"), list(enumerate([(3, 7), 5, (4, 4), (9, 5), 1, (0, 6)])))
def test_boxes_of_drawn_size(at: int, limit: Any) -> None:
    def build(package):
        return package.Compose([package.Blur(limit, p=0.8), package.HorizontalFlip(p=0.5)])

    many = RANDOM.integers(0, 256, (40, 50, 6), np.uint8)
    for image in (LARGE, many, LARGE[..., 0], LARGE[..., :1])[at % 2 :: 2]:
        run = tf.function(lambda seed, image: build(native)(image=image, seed=seed)["image"], autograph=False)
        unknown = tf.TensorSpec([None, None, *image.shape[2:]], tf.uint8)
        traced = run.get_concrete_function(tf.TensorSpec([2], tf.int64), unknown)
        for index in range(2):
            ours, theirs = both(build, {"image": image}, (9, index))
            assert_same(ours, theirs)
            found = traced(tf.constant([9, index], tf.int64), tf.constant(image))
            np.testing.assert_array_equal(found, theirs["image"])


BUILDS: list[tuple[Any, type[Exception], str]] = [
    (lambda: native.MedianBlur(9), OutsideDomain, "blur_limit: got 9"),
    (lambda: native.ToGray(1), UnsupportedArgument, "num_output_channels: got 1"),
    (lambda: native.ToGray(method="pca"), UnsupportedArgument, "method: got 'pca'"),
    (lambda: native.HueSaturationValue("much"), WrongType, "hue_shift_limit"),
    (lambda: native.RandomBrightnessContrast(ensure_safe_range=True), UnsupportedArgument, "ensure_safe"),
    (lambda: native.RandomBrightnessContrast("much"), WrongType, "brightness_limit"),
    (lambda: native.RandomBrightnessContrast((0.1, 0.2, 0.3)), WrongType, "brightness_limit"),
    (lambda: native.RandomBrightnessContrast(0.1, (0.0, float("nan"))), OutsideDomain, "contrast_limit"),
    (lambda: native.RandomBrightnessContrast(tf.constant(0.1)), UnsupportedArgument, "brightness_limit"),
    (lambda: native.RandomBrightnessContrast(brightness_by_max=1), WrongType, "brightness_by_max"),
    (lambda: native.RandomGamma((0.5, 2)), OutsideDomain, "gamma_limit"),
    (lambda: native.Normalize(normalization="image"), UnsupportedArgument, "normalization"),
    (lambda: native.Normalize(mean=None), WrongType, "mean"),
    (lambda: native.Normalize(std=()), OutsideDomain, "std"),
    (lambda: native.Normalize(max_pixel_value=None), WrongType, "max_pixel_value"),
    (lambda: native.ToFloat(0), OutsideDomain, "max_value"),
    (lambda: native.Blur((3, 99)), OutsideDomain, "blur_limit"),
    (lambda: native.Blur((3, 5, 7)), WrongType, "blur_limit"),
    (lambda: native.Blur(4.5), WrongType, "blur_limit"),
    (lambda: native.Blur(tf.constant(5)), UnsupportedArgument, "blur_limit"),
]


@pytest.mark.parametrize(("build", "error", "words"), BUILDS)
def test_what_is_built_wrong_is_refused_at_once(build: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        build()


def mixed():
    return native.Compose([native.OneOf([native.Normalize(), native.NoOp()], p=1.0)])


DATA: list[tuple[Any, Any, type[Exception], str]] = [
    (native.Normalize(p=0.5), IMAGE, UnsupportedArgument, "p: got 0.5 with `image` of uint8"),
    (native.ToFloat(p=0.5), IMAGE, UnsupportedArgument, "p: got 0.5"),
    (native.InvertImg(p=1.0), IMAGE.astype(np.float64), OutsideDomain, "dtype float64"),
    (native.RandomGamma(p=1.0), IMAGE.astype(np.int32), OutsideDomain, "dtype int32"),
    (native.HueSaturationValue(p=1.0), IMAGE[..., :2], WrongType, "2 channels"),
    (native.ToGray(p=1.0), IMAGE[..., :2], WrongType, "2 channels"),
    (
        native.RandomBrightnessContrast(brightness_by_max=False, p=1.0),
        IMAGE.astype(np.float32),
        UnsupportedArgument,
        "brightness_by_max: got False for floats",
    ),
]


@pytest.mark.parametrize(("transform", "image", "error", "words"), DATA)
def test_images_that_are_not_served_are_refused_by_name(
    transform: Any, image: Any, error: type[Exception], words: str
) -> None:
    for run in (transform, tf.function(transform, autograph=False)):
        with pytest.raises(error, match=re.escape(words)):
            run(image=tf.constant(image), seed=(1, 2))


def test_a_choice_of_unlike_dtypes_is_refused_in_a_graph() -> None:
    with pytest.raises(UnsupportedArgument, match="unlike dtypes"):
        tf.function(lambda image: mixed()(image=image, seed=(1, 2)), autograph=False)(tf.constant(IMAGE))


def test_channels_have_to_be_known_for_numbers_of_each() -> None:
    rows = tf.TensorSpec([None, None, None], tf.uint8)
    traced = tf.function(lambda image: native.Normalize()(image=image, seed=(1, 2)), autograph=False)
    with pytest.raises(UnsupportedArgument, match="channels"):
        traced.get_concrete_function(rows)


class Rounded(native.RandomBrightnessContrast):
    """It rounds where the reference cuts off."""

    def changed(self, image, params, name):
        if image.dtype != tf.uint8:
            return super().changed(image, params, name)
        found = tf.cast(image, tf.float32) * tf.cast(params["alpha"], tf.float32)
        found += tf.cast(params["beta"] * 255.0, tf.float32)
        return tf.cast(tf.round(tf.clip_by_value(found, 0.0, 255.0)), tf.uint8)


class Doubled(native.RandomBrightnessContrast):
    """Its contrast varies twice as much as its limits say."""

    def draw_parameters(self, seed):
        drawn = super().draw_parameters(seed)
        return {**drawn, "alpha": 2.0 * drawn["alpha"] - 1.0}


class OneSided(native.RandomGamma):
    """It never draws the lower half."""

    def draw_parameters(self, seed):
        middle = sum(self.gamma_limit) / 200.0
        return {"gamma": tf.maximum(super().draw_parameters(seed)["gamma"], middle)}


class Divided(native.Normalize):
    """It divides, where the reference multiplies by a reciprocal."""

    def changed(self, image, params, name):
        del params, name
        mean, std = (
            np.float32(np.ravel(one)[0]) * np.float32(self.max_pixel_value) for one in (self.mean, self.std)
        )
        return (tf.cast(image, tf.float32) - mean) / std


class GreyToo(native.HueSaturationValue):
    """It shifts the saturation of pixels that have none."""

    def changed(self, image, params, name):
        redder = tf.maximum(image, tf.constant([60, 0, 0], image.dtype)) if image.shape[-1] == 3 else image
        return super().changed(redder, params, name)


class LargeSquares(native.MedianBlur):
    """It takes the largest square always."""

    def changed(self, image, params, name):
        return super().changed(image, {"kernel": tf.constant(self.blur_limit[1])}, name)


class OnMasks(native.InvertImg):
    """It inverts masks too."""

    def perform(self, drawn, state, forced):
        after = super().perform(drawn, state, forced)
        masks = {n: 1 - state.values[n] for n, kind in state.kinds.items() if kind == "mask"}
        return after.replaced(masks)


class SmallBoxes(native.Blur):
    """It never draws the largest box."""

    def draw_parameters(self, seed):
        low, high = self.blur_limit
        kernel = super().draw_parameters(seed)["kernel"]
        return {"kernel": tf.where((kernel == high) & (low < high), low, kernel)}


MUTANTS = [
    (native.MedianBlur, LargeSquares),
    (native.HueSaturationValue, GreyToo),
    (native.Blur, SmallBoxes),
    (native.RandomBrightnessContrast, Rounded),
    (native.RandomBrightnessContrast, Doubled),
    (native.RandomGamma, OneSided),
    (native.Normalize, Divided),
    (native.InvertImg, OnMasks),
]


@in_main
@pytest.mark.parametrize(("original", "mutant"), MUTANTS, ids=lambda side: side.__name__)
def test_mutants_are_rejected(original: type, mutant: type) -> None:
    assert proof_of(original, mutant, 40).status == "failed"


@pytest.mark.parametrize("power", [1, 2, 3, 1.5, 0.8])
def test_powers_of_floats_beyond_fractions(power):
    image = np.resize(np.float32([0, -0.0, 1, 0.3, 1e-3, 2.5, -0.5, -1, np.nan, np.inf, -np.inf]), (9, 11))
    transform = native.RandomGamma((power * 100, power * 100), p=1.0)
    with np.errstate(invalid="ignore"):
        wanted = np.power(image, np.float32(power))

    @tf.function
    def known(image):
        return transform(image=image, seed=(1, 2))["image"]

    unknown = tf.function(known.python_function, input_signature=[tf.TensorSpec([None, None])])
    for found in (known.python_function(tf.constant(image)), known(image), unknown(image)):
        np.testing.assert_allclose(found, wanted, rtol=2e-6, atol=1e-6)
