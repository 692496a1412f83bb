"""Distortions and Perspective: every target by one map, at the sizes people use."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest
import tensorflow as tf

import pipeport.albumentations as native
from pipeport.albumentations._rasters import moved_points, nearest
from pipeport.albumentations._state import Rows
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType
from tests.albumentations.driven import both, proof_of
from tests.albumentations.test_warps import ELEMENT, LARGE, in_main
from tests.catalog import arguments

SETTINGS: dict[str, tuple[str, dict[str, Any]]] = {
    "grid": ("GridDistortion", {"distort_limit": 0.6}),
    "free grid": ("GridDistortion", {"num_steps": 7, "normalized": False}),
    "elastic": ("ElasticTransform", {"alpha": 120, "sigma": 6}),
    "wide elastic": ("ElasticTransform", {"alpha": 800, "same_dxdy": True, "noise_distribution": "uniform"}),
    "quick elastic": ("ElasticTransform", {"alpha": 60, "sigma": 20, "approximate": True}),
    "lens": ("OpticalDistortion", {"distort_limit": 0.4}),
    "fisheye": ("OpticalDistortion", {"distort_limit": 0.4, "mode": "fisheye"}),
    "perspective": ("Perspective", {"scale": (0.05, 0.3)}),
}
# How many values may differ, where a pixel lies between two: the reference's coordinates of a fisheye come
# from sines of float32, and those of a wide blur from long sums.
OFF = dict.fromkeys(SETTINGS, 6) | {"wide elastic": 24, "fisheye": 24, "grid": 0, "free grid": 0}
in_all = pytest.mark.parametrize("name", SETTINGS)


def part(package: Any, name: str, **more: Any) -> Any:
    transform, settings = SETTINGS[name]
    return getattr(package, transform)(**{"p": 1.0, **settings, **more})


@in_all
def test_all_targets_are_moved_by_one_map(name: str) -> None:
    def build(package):
        return package.Compose(
            [part(package, name, interpolation=cv2.INTER_NEAREST, fill=(10, 20, 30), fill_mask=3)],
            bbox_params=package.BboxParams("pascal_voc", label_fields=["labels"]),
            keypoint_params=package.KeypointParams("xyas", label_fields=["names"]),
        )

    points = np.concatenate(
        [ELEMENT["keypoints"], np.float32([[11, 20.5, 0, 1], [259, 299, 0, 1], [0, 0, 5, 1]])]
    )
    element = {**ELEMENT, "keypoints": points, "names": [*"abcdef"]}
    counts = set()
    for index in range(4):
        ours, theirs = both(build, element, (41, index))
        counts.add(len(theirs["keypoints"]))
        for target in ("image", "mask", "masks"):
            assert ours[target].dtype.name == theirs[target].dtype.name
            assert (np.asarray(ours[target]) != theirs[target]).sum() <= OFF[name]
        for target in ("bboxes", "keypoints"):
            assert np.shape(ours[target]) == np.shape(theirs[target])
        np.testing.assert_allclose(ours["bboxes"], theirs["bboxes"], atol=1e-2)
        np.testing.assert_allclose(ours["keypoints"], theirs["keypoints"], atol=2e-3)
        for labels in ("labels", "names"):
            assert [one.decode() for one in ours[labels].numpy()] == list(theirs[labels])
    if name in ("free grid", "perspective"):
        assert counts != {len(points)}, "no point was ever lost"


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
@in_all
def test_interpolated_images_of_known_and_unknown_sizes(name: str, dtype: str) -> None:
    image = LARGE if dtype == "uint8" else (LARGE / 255).astype(np.float32)

    def run(image, seed):
        return part(native, name, fill=0.5)(image=image, seed=seed)["image"]

    forms = [(image.shape, None), (image.shape, True), ((None, None, 3), None)]
    for shape, compiled in forms if dtype == "uint8" else forms[:1]:
        rows = tf.TensorSpec(shape, dtype), tf.TensorSpec([2], tf.int64)
        traced = tf.function(run, autograph=False, jit_compile=compiled).get_concrete_function(*rows)
        assert traced.structured_outputs.shape.as_list() == list(shape)
        for index in range(2):
            _ours, theirs = both(lambda package: part(package, name, fill=0.5), {"image": image}, (42, index))
            found = traced(tf.constant(image), tf.constant([42, index], tf.int64)).numpy()
            apart = np.abs(found.astype(float) - theirs["image"])
            # A coordinate near 300 that is rounded to float32 moves a sample of noise by 1e-4; a sum of noise
            # that is rounded otherwise, times 800, by more.
            limit = 1 if dtype == "uint8" else 5e-4 if name == "wide elastic" else 1e-4
            if arguments.in_addons() and ("elastic" in name or name == "fisheye"):
                # There coordinates are whole 32nds of a pixel: one next to the middle may be the other.
                assert (apart > limit).mean() < 5e-4
                limit = 10 if dtype == "uint8" else 10 / 255
            assert apart.max() <= limit
            assert (apart > 0.5).mean() < 5e-3


@in_all
def test_boxes_and_points_of_unknown_number(name: str) -> None:
    pipeline = native.Compose(
        [part(native, name, p=0.5)],
        bbox_params=native.BboxParams("coco"),
        keypoint_params=native.KeypointParams("xy", remove_invisible=False),
    )

    def run(image, boxes, points, seed):
        found = pipeline(image=image, bboxes=boxes, keypoints=points, seed=seed)
        return found["image"], found["bboxes"], found["keypoints"]

    image = LARGE[:40, :50]
    specs = [tf.TensorSpec([None, None, 3], tf.uint8), tf.TensorSpec([None, 4]), tf.TensorSpec([None, 2])]
    traced = tf.function(run, autograph=False).get_concrete_function(*specs, tf.TensorSpec([2], tf.int64))
    for count in (0, 3):
        boxes = np.float32([[3, 4, 20, 10], [0, 0, 8, 8], [30, 20, 9, 9]])[:count]
        points = np.float32([[3, 4], [49, 39], [20.5, 10]])[:count]
        for index in range(3):
            seed = tf.constant([43, index], tf.int64)
            found = traced(image, boxes, points, seed)
            for one, other in zip(found, run(image, boxes, points, seed), strict=True):
                np.testing.assert_allclose(one, other, atol=1e-3)


def test_many_channels_and_the_fill_of_the_first_alone() -> None:
    for channels in (1, 2, 5, 6):
        image = np.random.default_rng(channels).integers(0, 256, (20, 30, channels), np.uint8)
        for name in ("free grid", "perspective"):
            ours, theirs = both(lambda a, name=name: part(a, name, fill=99), {"image": image}, (44, channels))
            assert ours["image"].shape == theirs["image"].shape
            assert np.abs(np.asarray(ours["image"], int) - theirs["image"]).max() <= 1


def test_a_grid_of_more_cells_than_pixels() -> None:
    # What the reference does not reach is read at 0.
    for shape in ((3, 4), (7, 9), (11, 6)):
        image = np.arange(1, 1 + np.prod(shape), dtype=np.uint8).reshape(shape)
        for index in range(3):
            ours, theirs = both(
                lambda a: a.GridDistortion(5, normalized=False, p=1.0), {"image": image}, (45, index)
            )
            np.testing.assert_array_equal(ours["image"], theirs["image"])


def test_what_moves_nothing_is_read_as_the_reference_reads_it() -> None:
    # Many a pixel lies in the middle between two.
    element = {"image": LARGE, "mask": LARGE[..., 0]}
    for shape in ((300, 260), (256, 256), (33, 49)):
        element = {"image": LARGE[: shape[0], : shape[1]], "mask": LARGE[: shape[0], : shape[1], 0]}
        ours, theirs = both(lambda a: a.GridDistortion(distort_limit=0, p=1.0), element, (46, 0))
        np.testing.assert_array_equal(ours["mask"], theirs["mask"])
        assert np.abs(np.asarray(ours["image"], int) - theirs["image"]).max() <= 1


def test_of_circles_that_overlap_the_last_lies_on_top() -> None:
    size = 5, 6
    source = nearest(
        *map(tf.constant, np.meshgrid(np.arange(6, dtype=np.float32), np.arange(5, dtype=np.float32)))
    )
    points = np.float32([[2, 2, 0, 0, 1], [2, 1, 0, 0, 1], [9, 1, 0, 0, 1], [2.5, 3.5, 7, 0, 1]])
    found = moved_points(Rows.given(tf.constant(points)), source, size)
    # The first circle is left of its own middle alone: above lies the second one, below the fourth.
    assert found.keep.numpy().tolist() == [True, True, False, True]
    assert found.values.numpy()[[0, 1, 3], :3].tolist() == [[1, 2, 0], [2, 0, 0], [2, 3, 7]]


BUILDS: list[tuple[Any, type[Exception], str]] = [
    (lambda: native.GridDistortion(0), OutsideDomain, "num_steps"),
    (lambda: native.GridDistortion(distort_limit=1.5), OutsideDomain, "distort_limit"),
    (lambda: native.GridDistortion(distort_limit=(0.3, 0.1)), OutsideDomain, "distort_limit"),
    (lambda: native.GridDistortion(normalized=1), WrongType, "normalized"),
    (
        lambda: native.GridDistortion(keypoint_remapping_method="direct"),
        UnsupportedArgument,
        "remapping_method",
    ),
    (lambda: native.GridDistortion(interpolation=cv2.INTER_LANCZOS4), UnsupportedArgument, "interpolation"),
    (lambda: native.GridDistortion(fill=(1, 2, 3, 4, 5)), OutsideDomain, "fill"),
    (lambda: native.ElasticTransform(-1), OutsideDomain, "alpha"),
    (lambda: native.ElasticTransform(sigma=0.5), OutsideDomain, "sigma"),
    (lambda: native.ElasticTransform(tf.constant(1.0)), UnsupportedArgument, "alpha"),
    (lambda: native.ElasticTransform(noise_distribution="beta"), UnsupportedArgument, "noise_distribution"),
    (lambda: native.OpticalDistortion(mode="pinhole"), UnsupportedArgument, "mode"),
    (lambda: native.OpticalDistortion("0.5"), WrongType, "distort_limit"),
    (lambda: native.Perspective(-0.1), OutsideDomain, "scale"),
    (lambda: native.Perspective(keep_size=False), UnsupportedArgument, "keep_size"),
    (lambda: native.Perspective(fit_output=True), UnsupportedArgument, "fit_output"),
    (lambda: native.Perspective(border_mode=cv2.BORDER_TRANSPARENT), UnsupportedArgument, "border_mode"),
]


@pytest.mark.parametrize(("build", "error", "words"), BUILDS)
def test_what_is_built_wrong_is_refused_at_once(build: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        build()


@pytest.mark.parametrize("transform", [native.GridDistortion(p=1.0), native.Perspective(p=1.0)])
def test_images_that_are_too_small_are_refused(transform: Any) -> None:
    small = np.zeros((20, 4, 3), np.uint8)
    with pytest.raises(OutsideDomain, match="a smaller image"):
        transform(image=small, seed=(1, 2))
    run = tf.function(
        lambda image: transform(image=image, seed=(1, 2))["image"],
        input_signature=[tf.TensorSpec([None, None, 3], tf.uint8)],
    )
    with pytest.raises(tf.errors.InvalidArgumentError, match="a smaller image"):
        run(small)


class Even(native.GridDistortion):
    """All cells along a side have one draw."""

    def draw_parameters(self, seed):
        longer = super().draw_parameters(seed)["longer"]
        return {"longer": longer[:, :1] + tf.zeros_like(longer)}


class Swapped(native.GridDistortion):
    """Columns are stretched as rows should be."""

    def geometry(self, params, size):
        return super().geometry({"longer": tf.reverse(params["longer"], [0])}, size)


class Apart(native.ElasticTransform):
    """Columns and rows are blurred apart."""

    def geometry(self, params, size):
        both_at_once = super().geometry(params, size)
        noise = self.noise

        def first_alone(params, size):
            whole = noise(params, size)
            return tf.concat([whole[:1], tf.zeros_like(whole[1:])], 0)

        self.noise = first_alone
        apart = super().geometry(params, size)
        del self.noise
        return both_at_once._replace(columns=apart.columns)


class Weaker(native.OpticalDistortion):
    """It lacks the fourth power."""

    def geometry(self, params, size):
        return super().geometry({"k": params["k"] * 0.9}, size)


class Inside(native.GridDistortion):
    """Its boxes lack the last column."""

    def boxes(self, boxes, geometry):
        return super().boxes(boxes, geometry) - tf.constant([0.0, 0.0, 0.05, 0.0], boxes.dtype)


class Unscaled(native.Perspective):
    """Points are not brought back to the size of the image."""

    def points(self, points, geometry):
        return super().points(points, geometry._replace(scale=tf.ones_like(geometry.scale)))


MUTANTS = [
    (native.GridDistortion, Even),
    (native.GridDistortion, Swapped),
    (native.ElasticTransform, Apart),
    (native.OpticalDistortion, Weaker),
    (native.GridDistortion, Inside),
    (native.Perspective, Unscaled),
]


@in_main
@pytest.mark.parametrize(("original", "mutant"), MUTANTS, ids=lambda side: side.__name__)
def test_mutants_are_rejected(original: type, mutant: type) -> None:
    assert proof_of(original, mutant, 60).status == "failed"
