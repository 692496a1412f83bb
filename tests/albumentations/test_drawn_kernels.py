"""Filters whose kernels are drawn: sizes people use, sizes that are drawn, refusals, mutants."""

from __future__ import annotations

from collections import Counter
from typing import Any

import albumentations as reference
import numpy as np
import pytest
import tensorflow as tf
from scipy.stats import chi2_contingency

import pipeport.albumentations as native
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType
from pipeport.verify._augmentation import many_draws
from tests.albumentations.driven import both, proof_of
from tests.albumentations.test_noise_and_channels import LARGE, as_dtype, in_main, traced

PARTS: dict[str, Any] = {
    "gaussian": lambda a: a.GaussianBlur(p=1.0),
    "gaussian of drawn size": lambda a: a.GaussianBlur((0, 9), (0.2, 2.0), p=1.0),
    "advanced": lambda a: a.AdvancedBlur(p=1.0),
    "motion": lambda a: a.MotionBlur(p=1.0),
    "long motion": lambda a: a.MotionBlur((9, 11), allow_shifted=False, direction_range=(-0.5, 0.5), p=1.0),
    "sharpen": lambda a: a.Sharpen(p=1.0),
    "sharpen by a blur": lambda a: a.Sharpen(method="gaussian", kernel_size=7, p=1.0),
    "emboss": lambda a: a.Emboss(p=1.0),
    "tiles": lambda a: a.CLAHE(p=1.0),
}


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
@pytest.mark.parametrize("part", PARTS)
def test_large_images_in_graphs(part: str, dtype: str) -> None:
    image = as_dtype(LARGE, dtype)
    # Sizes are known of bytes or of floats, in turns: each is programs to compile.
    known = (list(PARTS).index(part) + (dtype == "uint8")) % 2
    run = traced(PARTS[part], image, image.shape if known else (None, None, 3))
    for index in range(3):
        right = both(PARTS[part], {"image": image}, (8, index))[1]["image"]
        apart = np.abs(np.subtract(run((8, index)), right, dtype=np.float64))
        assert apart.max() <= (1 if dtype == "uint8" else 1e-5)
        # Sums next to a half; the means of four or six pixels of a line are such.
        assert np.mean(apart > 1e-5) < (0.02 if "motion" in part else 1e-3)


SMALL = [(1, 1), (2, 5, 3), (1, 40), (9, 7, 1)]
# There the reference subtracts what has lost its last axis, and fails.
COMPARED = [
    (part, shape) for part in PARTS for shape in SMALL if (part, shape[2:]) != ("sharpen by a blur", (1,))
]


@pytest.mark.parametrize(("part", "shape"), COMPARED, ids=str)
def test_small_images(part: str, shape: tuple[int, ...]) -> None:
    image = np.random.default_rng(3).integers(0, 256, shape, np.uint8)
    for index in range(2):
        ours, theirs = both(PARTS[part], {"image": image}, (9, index))
        assert ours["image"].shape == theirs["image"].shape
        assert np.abs(np.subtract(ours["image"], theirs["image"], dtype=np.int32)).max() <= 1


@pytest.mark.parametrize("name", ["MotionBlur", "AdvancedBlur"])
def test_sizes_are_drawn_as_often_as_in_the_reference(name: str) -> None:
    ours, theirs = (getattr(package, name)(blur_limit=(5, 11)) for package in (native, reference))
    drawn = many_draws(ours, 3, compiled=False)["params"]
    sides = Counter(drawn["side" if name == "MotionBlur" else "kernel"].tolist())
    right = Counter(theirs.get_params()["kernel"].shape[0] for _ in range(2000))
    assert set(sides) == set(right) == {5, 7, 9, 11}
    table = [[count[side] for side in sorted(right)] for count in (sides, right)]
    assert chi2_contingency(table).pvalue > 1e-6


BUILDS: list[tuple[Any, type[Exception], str]] = [
    (lambda: native.GaussianBlur((7, 3)), OutsideDomain, "blur_limit"),
    (lambda: native.GaussianBlur(2.5), WrongType, "blur_limit"),
    (lambda: native.GaussianBlur(99), OutsideDomain, "a kernel of 99 pixels"),
    (lambda: native.GaussianBlur(0, (1.0, 30.0)), OutsideDomain, "a kernel of 211 pixels"),
    (lambda: native.GaussianBlur(3, 0), OutsideDomain, "sigma_limit"),
    (lambda: native.GaussianBlur(3, -1), OutsideDomain, "sigma_limit"),
    (lambda: native.AdvancedBlur(13), OutsideDomain, "blur_limit: got 13"),
    (lambda: native.AdvancedBlur(beta_limit=(1.5, 2)), OutsideDomain, "beta_limit"),
    (lambda: native.AdvancedBlur(sigma_x_limit=1, sigma_y_limit=1), OutsideDomain, "sigma_x_limit"),
    (lambda: native.MotionBlur(angle_range=(0, 400)), OutsideDomain, "angle_range"),
    (lambda: native.MotionBlur(direction_range=0.5), WrongType, "direction_range"),
    (lambda: native.MotionBlur(33), OutsideDomain, "blur_limit"),
    (lambda: native.Sharpen(0.5), WrongType, "alpha"),
    (lambda: native.Sharpen(method="laplace"), UnsupportedArgument, "method: got 'laplace'"),
    (lambda: native.Sharpen(kernel_size=4), OutsideDomain, "kernel_size"),
    (lambda: native.Sharpen(sigma=0), OutsideDomain, "sigma"),
    (lambda: native.Emboss(strength=(-1, 1)), OutsideDomain, "strength"),
    (lambda: native.CLAHE(0.5), OutsideDomain, "clip_limit"),
    (lambda: native.CLAHE(tile_grid_size=8), WrongType, "tile_grid_size"),
]


@pytest.mark.parametrize(("build", "error", "words"), BUILDS)
def test_what_is_built_wrong_is_refused_at_once(build: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        build()


class Uneven(native.GaussianBlur):
    """Its sizes are one pixel smaller where they are even."""

    def draw_parameters(self, seed):
        drawn = super().draw_parameters(seed)
        return {**drawn, "side": tf.maximum(drawn["side"] - 1, 3)}


class Upright(native.AdvancedBlur):
    """It turns no kernel."""

    def blurred(self, image, side, params):
        return super().blurred(image, side, {**params, "angle": tf.zeros_like(params["angle"])})


class Mirrored(native.MotionBlur):
    """Its lines run the other way."""

    def changed(self, image, params, name):
        return super().changed(image, {**params, "angle": -params["angle"]}, name)


class Whole(native.Sharpen):
    """It takes the sharpened image alone."""

    def changed(self, image, params, name):
        return super().changed(image, {**params, "alpha": tf.ones_like(params["alpha"])}, name)


MUTANTS = [
    (native.GaussianBlur, Uneven),
    (native.AdvancedBlur, Upright),
    (native.MotionBlur, Mirrored),
    (native.Sharpen, Whole),
]


@in_main
@pytest.mark.parametrize(("original", "mutant"), MUTANTS, ids=lambda side: side.__name__)
def test_mutants_are_rejected(original: type, mutant: type) -> None:
    assert proof_of(original, mutant, 40).status == "failed"
