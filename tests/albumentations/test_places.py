"""Resize and the crops: pipelines, sizes people use, refusals, and what does otherwise is noticed."""

from __future__ import annotations

import re
from typing import Any

import cv2
import numpy as np
import pytest
import tensorflow as tf

import pipeport.albumentations as native
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType
from tests.albumentations.driven import IMAGE, POINTS, assert_same, both, boxes_as, proof_of
from tests.catalog import arguments, graphs

RANDOM = np.random.default_rng(13)
LARGE = RANDOM.integers(0, 256, (300, 260, 3), np.uint8)
in_main = pytest.mark.skipif(arguments.in_addons(), reason="environment: driven alike in the main one")


def cropped(package, **settings):
    parts = [package.HorizontalFlip(p=0.5), package.RandomCrop(5, 6), package.CenterCrop(3, 4, p=0.5)]
    return package.Compose([*parts, package.RandomCrop(3, 4)], **settings)


def test_all_targets_of_crops() -> None:
    def build(package):
        return cropped(
            package,
            bbox_params=package.BboxParams("pascal_voc", label_fields=["labels"], min_area=0.01),
            keypoint_params=package.KeypointParams("xy", label_fields=["names"]),
            additional_targets={"image2": "image", "more": "masks"},
        )

    element = {
        "image": IMAGE,
        "image2": IMAGE[..., 0].astype(np.float32),
        "mask": IMAGE[..., 1],
        "masks": [IMAGE[..., 0], IMAGE[..., 2]],
        "more": np.stack([IMAGE, IMAGE[::-1]]),
        "bboxes": boxes_as("pascal_voc"),
        "labels": [1, 2, 3],
        "keypoints": POINTS,
        "names": ["a", "b", "c", "d"],
    }
    kept = set()
    for index in range(12):
        ours, theirs = both(build, element, (21, index))
        assert_same(ours, theirs)
        kept.add(len(ours["bboxes"]))
    assert len(kept) > 1


def test_a_crop_alone_leaves_boxes_and_points_outside() -> None:
    rows = np.array([[2, 3, 0, 1.5, 2, 11], [8, 0, 1, 4.5, 1, 12]], np.float32)
    element = {"image": IMAGE, "masks": np.stack([IMAGE, IMAGE[::-1]]), "keypoints": rows}
    element["bboxes"] = np.concatenate([boxes_as("albumentations"), np.float32([[5], [6], [7]])], 1)
    for name in ("CenterCrop", "RandomCrop"):
        for index in range(4):
            assert_same(*both(lambda package, n=name: getattr(package, n)(4, 5), element, (22, index)))


@pytest.mark.parametrize("shape", [LARGE.shape, (None, None, 3), (300, None, 3)])
def test_sizes_are_known_while_tracing(shape: tuple[Any, ...]) -> None:
    def build(package):
        sizes = [package.RandomCrop(224, 200), package.Resize(96, 128, interpolation=cv2.INTER_NEAREST)]
        return package.Compose([*sizes, package.CenterCrop(64, 100)])

    rows = tf.TensorSpec(shape, tf.uint8), tf.TensorSpec([2], tf.int64)
    traced = tf.function(lambda image, seed: build(native)(image=image, seed=seed)["image"], autograph=False)
    run = traced.get_concrete_function(*rows)
    assert run.structured_outputs.shape.as_list() == [64, 100, shape[2]]
    for index in range(4):
        _ours, theirs = both(build, {"image": LARGE}, (23, index))
        np.testing.assert_array_equal(
            run(tf.constant(LARGE), tf.constant([23, index], tf.int64)), theirs["image"]
        )


def test_a_graph_that_the_user_compiles_is_compiled_once() -> None:
    crop = native.RandomCrop(224, 200)
    compiled = tf.function(lambda image, seed: crop(image=image, seed=seed)["image"], jit_compile=True)
    for index in range(3):
        seed = (24, index)
        found = compiled(tf.constant(LARGE), tf.constant(seed, tf.int64))
        np.testing.assert_array_equal(found, crop(image=LARGE, seed=seed)["image"])


def traced(build: Any, element: dict[str, Any], shape: list[int]) -> Any:
    """Return a native as a graph that knows no size and no number of rows; it is given the seed."""
    rows = {name: tf.TensorSpec([None] * value.ndim, value.dtype) for name, value in element.items()}
    rows["image"] = tf.TensorSpec([None, None, 3], tf.uint8)
    rows["keypoints"], rows["bboxes"] = tf.TensorSpec([None, 3]), tf.TensorSpec([None, 4])
    run = tf.function(lambda seed, **each: build(native)(**each, seed=seed), autograph=False)
    graph = run.get_concrete_function(tf.TensorSpec([2], tf.int64), **rows)
    assert graph.structured_outputs["image"].shape.as_list() == shape
    given = {name: tf.constant(value) for name, value in element.items()}
    return lambda seed: graph(tf.constant(seed, tf.int64), **given)


@pytest.mark.parametrize("area", [None, "image", "image_mask"])
@pytest.mark.parametrize("size", [(40, 50), (350, 300), (350, 200)])
@pytest.mark.parametrize("known", [True, False])
def test_resizing_of_all_targets(area: Any, size: tuple[int, int], known: bool) -> None:
    def build(package):
        parts = [package.Resize(*size, area_for_downscale=area), package.HorizontalFlip(p=0.5)]
        points = package.KeypointParams("xys", remove_invisible=False)
        boxes = package.BboxParams("coco")
        return package.Compose(parts, bbox_params=boxes, keypoint_params=points)

    mask = (LARGE[..., 0] // 64).astype(np.uint8)
    points = np.array([[3.5, 40, 2], [250, 299, 1.5]], np.float32)
    boxes = np.array([[3, 4, 100, 120]], np.float32)
    element = {"image": LARGE, "mask": mask, "masks": np.stack([mask, 3 - mask])}
    element |= {"keypoints": points, "bboxes": boxes}
    graph = None if known else traced(build, element, [*size, 3])
    for index in range(2):
        ours, theirs = both(build, element, (25, index))
        if not known:
            ours = graph((25, index))
        levels = np.abs(np.asarray(ours["image"], int) - theirs["image"])
        assert levels.max() <= 1
        assert (levels > 0).mean() < 0.15
        by_area = area == "image_mask" and (size[0] < 300 or size[1] < 260)
        for name in ("mask", "masks"):
            apart = np.abs(np.asarray(ours[name], int) - np.asarray(theirs[name], int))
            assert apart.max() <= (1 if by_area else 0)
        np.testing.assert_allclose(ours["keypoints"], theirs["keypoints"], atol=1e-3)
        np.testing.assert_allclose(ours["bboxes"], theirs["bboxes"], atol=1e-2)


def test_the_mask_interpolation_of_a_whole_pipeline_comes_first() -> None:
    def build(package):
        resize = package.Resize(40, 50, interpolation=cv2.INTER_NEAREST)
        return package.Compose([package.OneOf([resize], p=1.0)], mask_interpolation=cv2.INTER_LINEAR)

    element = {"image": LARGE, "mask": LARGE[..., 0]}
    ours, theirs = both(build, element, (26, 0))
    np.testing.assert_array_equal(ours["image"], theirs["image"])
    assert np.abs(np.asarray(ours["mask"], int) - theirs["mask"]).max() <= 1
    assert (np.asarray(ours["mask"]) != cv2.resize(LARGE[..., 0], (50, 40), interpolation=0)).mean() > 0.5


def test_a_channel_that_stands_alone_stays() -> None:
    for package in (lambda p: p.Resize(3, 4), lambda p: p.RandomCrop(3, 4)):
        ours, theirs = both(package, {"image": IMAGE[..., :1], "masks": np.stack([IMAGE[..., :1]])}, (27, 1))
        assert ours["image"].shape == theirs["image"].shape == (3, 4, 1)
        assert ours["masks"].shape == np.shape(theirs["masks"]) == (1, 3, 4, 1)


def test_a_crop_replayed_on_an_image_of_another_size_lies_alike() -> None:
    pipeline = native.ReplayCompose([native.RandomCrop(3, 4)])
    drawn = pipeline(image=IMAGE, seed=(1, 2))["replay"]
    corners = np.indices((30, 40)).transpose(1, 2, 0).astype(np.int32)
    corner = pipeline.replay(drawn, image=corners)["image"][0, 0]
    params = drawn["transforms"][0]["params"]
    assert corner.numpy().tolist() == [int(28 * params["h_start"]), int(37 * params["w_start"])]


@pytest.mark.parametrize("area", [None, "image", "image_mask"])
@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("sized", [True, False])
def test_a_part_of_drawn_size_is_resized(area: Any, known: bool, sized: bool) -> None:
    def build(package):
        if sized:
            crop = package.RandomSizedCrop((80, 200), (96, 128), 1.3, area_for_downscale=area)
        else:
            crop = package.RandomResizedCrop((96, 128), (0.08, 0.6), area_for_downscale=area)
        parts = [crop, package.HorizontalFlip(p=0.5)]
        points = package.KeypointParams("xys", remove_invisible=False)
        boxes = package.BboxParams("coco", min_area=1)
        return package.Compose(parts, bbox_params=boxes, keypoint_params=points)

    mask = (LARGE[..., 0] // 64).astype(np.uint8)
    element = {"image": LARGE, "mask": mask, "masks": np.stack([mask, 3 - mask])}
    element["keypoints"] = np.array([[3.5, 40, 2], [250, 299, 1.5]], np.float32)
    element["bboxes"] = np.array([[3, 4, 100, 120], [10, 200, 30, 40], [200, 20, 30, 40]], np.float32)
    graph = None if known else traced(build, element, [96, 128, 3])
    kept = set()
    for index in range(4):
        ours, theirs = both(build, element, (28, index))
        kept.add(len(theirs["bboxes"]))
        if not known:
            ours = graph((28, index))
        levels = np.abs(np.asarray(ours["image"], int) - theirs["image"])
        assert levels.max() <= 1
        assert (levels > 0).mean() < 0.15
        for name in ("mask", "masks"):
            apart = np.abs(np.asarray(ours[name], int) - np.asarray(theirs[name], int))
            assert apart.max() <= (1 if area == "image_mask" else 0)
        np.testing.assert_allclose(ours["keypoints"], theirs["keypoints"], atol=1e-3)
        np.testing.assert_allclose(ours["bboxes"], theirs["bboxes"], atol=1e-2)
    assert len(kept) > 1


def test_no_window_that_fits_gives_the_largest_one_in_the_middle() -> None:
    for shape, ratio in [((20, 400), (0.5, 2.0)), ((400, 20), (0.5, 2.0)), ((30, 40), (1.0, 2.0))]:
        image = RANDOM.integers(0, 256, (*shape, 3), np.uint8)
        ours, theirs = both(
            lambda package, r=ratio: package.RandomResizedCrop(
                (16, 24), scale=(1.0, 1.0), ratio=r, interpolation=cv2.INTER_NEAREST
            ),
            {"image": image},
            (29, 1),
        )
        np.testing.assert_array_equal(ours["image"], theirs["image"])


@pytest.mark.parametrize("name", ["RandomSizedCrop", "RandomResizedCrop"])
def test_a_graph_that_the_user_compiles_copies_the_same_pixels(name: str) -> None:
    """Drawn sizes are divided by known ones, twice: as one division every thirtieth part is off."""

    def build(package):
        how = {"interpolation": cv2.INTER_NEAREST}
        if name == "RandomSizedCrop":
            return package.RandomSizedCrop((2, 90), (16, 24), 0.7, **how)
        return package.RandomResizedCrop((16, 24), (0.05, 1.0), **how)

    image = LARGE[:130, :97]
    crop = build(native)
    compiled = tf.function(lambda seed: crop(image=image, seed=seed)["image"], jit_compile=True)
    for index in range(12):
        _, theirs = both(build, {"image": image}, (4, index))
        np.testing.assert_array_equal(compiled(tf.constant([4, index], tf.int64)), theirs["image"])


@pytest.mark.parametrize("shape", [(300, 260, 3), (None, None, 3)])
@pytest.mark.parametrize("place", ["center", "bottom_left", "random"])
def test_a_crop_of_an_image_that_is_padded(place: str, shape: tuple[Any, ...]) -> None:
    def build(package):
        how = {"pad_if_needed": True, "pad_position": place}
        parts = [package.CenterCrop(200, 300, border_mode=cv2.BORDER_REPLICATE, **how)]
        parts += [package.RandomCrop(280, 290, fill=(9, 8, 7), fill_mask=5, **how), package.HorizontalFlip()]
        boxes = package.BboxParams("coco", min_area=1)
        points = package.KeypointParams("xy")
        return package.Compose(parts, bbox_params=boxes, keypoint_params=points)

    mask = (LARGE[..., 0] // 64).astype(np.uint8)
    element = {"image": LARGE, "mask": mask, "masks": np.stack([mask, 3 - mask])}
    element["keypoints"] = np.array([[3.5, 80], [250, 150]], np.float32)
    element["bboxes"] = np.array([[3, 60, 100, 120], [200, 20, 30, 40]], np.float32)
    run = tf.function(lambda seed, image: build(native)(image=image, seed=seed)["image"], autograph=False)
    traced = run.get_concrete_function(tf.TensorSpec([2], tf.int64), tf.TensorSpec(shape, tf.uint8))
    assert traced.structured_outputs.shape.as_list() == [280, 290, 3]
    for index in range(3):
        ours, theirs = both(build, element, (31, index))
        for name in ("image", "mask", "masks"):
            np.testing.assert_array_equal(ours[name], theirs[name])
        np.testing.assert_allclose(ours["keypoints"], theirs["keypoints"], atol=1e-3)
        np.testing.assert_allclose(ours["bboxes"], theirs["bboxes"], atol=1e-2)
        found = traced(tf.constant([31, index], tf.int64), tf.constant(LARGE))
        np.testing.assert_array_equal(found, theirs["image"])


def test_boxes_and_points_under_a_border_that_reflects_are_not_cropped() -> None:
    crop = native.RandomCrop(9, 9, pad_if_needed=True, border_mode=cv2.BORDER_REFLECT_101)
    pipeline = native.Compose([crop], bbox_params=native.BboxParams("albumentations"))
    assert pipeline(image=IMAGE, seed=(1, 2))["image"].shape == (9, 9, 3)
    with pytest.raises(UnsupportedArgument, match="PadIfNeeded"):
        pipeline(image=IMAGE, bboxes=boxes_as("albumentations"), seed=(1, 2))


def tiles_of(package, **settings):
    return package.Compose([package.RandomGridShuffle((3, 4), p=1.0)], **settings)


@pytest.mark.parametrize("shape", [LARGE.shape, (None, None, 3)])
def test_tiles_of_all_targets(shape: tuple[Any, ...]) -> None:
    def build(package):
        return tiles_of(package, keypoint_params=package.KeypointParams("xy"))

    element = {"image": LARGE, "mask": LARGE[..., 0], "masks": np.stack([LARGE, LARGE[::-1]])}
    element["keypoints"] = RANDOM.uniform(0, 259, (40, 2)).astype(np.float32)
    run = tf.function(lambda seed, image: build(native)(image=image, seed=seed)["image"], autograph=False)
    traced = run.get_concrete_function(tf.TensorSpec([2], tf.int64), tf.TensorSpec(shape, tf.uint8))
    for index in range(3):
        ours, theirs = both(build, element, (32, index))
        assert_same(ours, theirs)
        found = traced(tf.constant([32, index], tf.int64), tf.constant(LARGE))
        np.testing.assert_array_equal(found, theirs["image"])
        assert (theirs["image"] != LARGE).mean() > 0.5


def test_boxes_are_not_divided_into_tiles() -> None:
    pipeline = tiles_of(native, bbox_params=native.BboxParams("albumentations"))
    with pytest.raises(UnsupportedArgument, match="bboxes: got boxes in a Compose"):
        pipeline(image=IMAGE, bboxes=boxes_as("albumentations"), seed=(1, 2))


def test_a_part_is_at_most_the_image() -> None:
    def build(package):
        return package.RandomSizedCrop((30, 60), (7, 8), 2.0, interpolation=cv2.INTER_NEAREST)

    for shape in ((20, 90, 3), (90, 20, 3), (1, 1, 3)):
        assert_same(*both(build, {"image": RANDOM.integers(0, 256, shape, np.uint8)}, (30, 1)))


def test_a_pipeline_of_images_of_unknown_size_has_no_state() -> None:
    """So a map of it uses all cores by itself; its checks, of sizes and of channels, count for nothing."""
    parts = [native.RandomCrop(3, 4, p=0.5), native.Blur(p=0.5), native.RandomResizedCrop((6, 6), p=0.5)]
    parts += [native.OneOf([native.Rotate(), native.VerticalFlip(), native.CenterCrop(2, 2)], p=0.5)]
    pipeline = native.Compose([*parts, native.D4(p=0.5)])
    run = tf.function(lambda image, seed: pipeline(image=image, seed=seed)["image"], autograph=False)
    rows = tf.TensorSpec([None, None, 3], tf.uint8), tf.TensorSpec([2], tf.int64)
    assert graphs.with_state(run.get_concrete_function(*rows)) == set()


BUILDS: list[tuple[Any, type[Exception], str]] = [
    (lambda: native.RandomCrop(0, 3), OutsideDomain, "height"),
    (lambda: native.RandomCrop(3, 2.5), WrongType, "width"),
    (lambda: native.CenterCrop(3, tf.constant(2)), UnsupportedArgument, "width"),
    (lambda: native.CenterCrop(3, 3, pad_if_needed=1), WrongType, "pad_if_needed"),
    (lambda: native.CenterCrop(3, 3, fill=(1, 2, 3, 4, 5)), OutsideDomain, "fill"),
    (lambda: native.RandomCrop(3, 3, pad_position="middle"), UnsupportedArgument, "position"),
    (lambda: native.RandomCrop(3, 3, border_mode=77), UnsupportedArgument, "border_mode"),
    (lambda: native.Resize(3, -3), OutsideDomain, "width"),
    (lambda: native.Resize(3, 3, interpolation=77), UnsupportedArgument, "interpolation"),
    (lambda: native.Resize(3, 3, area_for_downscale="mask"), UnsupportedArgument, "area_for_downscale"),
    (lambda: native.RandomResizedCrop(3), WrongType, "size"),
    (lambda: native.RandomResizedCrop((3, 0)), OutsideDomain, "size"),
    (lambda: native.RandomResizedCrop((3, 3), scale=(0.5, 1.5)), OutsideDomain, "scale"),
    (lambda: native.RandomResizedCrop((3, 3), scale=0.5), WrongType, "scale"),
    (lambda: native.RandomResizedCrop((3, 3), ratio=(0, 1)), OutsideDomain, "ratio"),
    (lambda: native.RandomResizedCrop((3, 3), ratio=(2, 1)), OutsideDomain, "ratio"),
    (lambda: native.RandomGridShuffle((3, 0)), OutsideDomain, "grid"),
    (lambda: native.RandomGridShuffle(3), WrongType, "grid"),
    (lambda: native.RandomSizedCrop((3, 5), (3, 0)), OutsideDomain, "size"),
    (lambda: native.RandomSizedCrop((0, 5), (3, 3)), OutsideDomain, "min_max_height"),
    (lambda: native.RandomSizedCrop((5, 3), (3, 3)), OutsideDomain, "min_max_height"),
    (lambda: native.RandomSizedCrop("all", (3, 3)), WrongType, "min_max_height"),
    (
        lambda: native.RandomSizedCrop((3, 5), (3, 3), 0.2),
        OutsideDomain,
        "w2h_ratio: got 0.2 with a height",
    ),
]


@pytest.mark.parametrize(("build", "error", "words"), BUILDS)
def test_what_is_built_wrong_is_refused_at_once(build: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        build()


@pytest.mark.parametrize("name", ["RandomCrop", "CenterCrop"])
def test_an_image_that_is_too_small_is_refused(name: str) -> None:
    crop = getattr(native, name)(7, 4)
    words = re.escape("image: got a smaller image; allowed: at least 7 x 4")
    with pytest.raises(OutsideDomain, match=words):
        crop(image=IMAGE, seed=(1, 2))
    run = tf.function(lambda image: crop(image=image, seed=(1, 2))["image"], autograph=False)
    traced = run.get_concrete_function(tf.TensorSpec([None, None, 3], tf.uint8))
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        traced(tf.constant(IMAGE))


def test_channels_have_to_be_known_to_be_resized() -> None:
    run = tf.function(lambda image: native.Resize(3, 4)(image=image, seed=(1, 2)), autograph=False)
    with pytest.raises(UnsupportedArgument, match="image: got an unknown number of channels"):
        run.get_concrete_function(tf.TensorSpec([None, None, None], tf.uint8))


class OneOff(native.RandomCrop):
    """It never reaches the far end."""

    def draw_parameters(self, seed):
        return {name: value * 0.7 for name, value in super().draw_parameters(seed).items()}


class OtherWay(native.RandomGridShuffle):
    """It takes where tiles go for where they come from."""

    def geometry(self, params, size):
        found = super().geometry(params, size)
        return found._replace(source=found.target)


class Left(native.CenterCrop):
    """Of odd room it leaves the larger part on the other side."""

    def geometry(self, params, size):
        geometry = super().geometry(params, size)
        return geometry._replace(left=(geometry.width - self.width + 1) // 2)


class SmoothMasks(native.Resize):
    """It interpolates masks."""

    def plane(self, value, geometry, kind, batch_axes):
        return super().plane(value, geometry, "image", batch_axes)


class OneScale(native.Resize):
    """It scales points as if both sides changed alike."""

    def points(self, points, geometry):
        return super().points(points, (geometry[0], geometry[0]))


class EvenRatios(native.RandomResizedCrop):
    """It draws the ratio itself, not its logarithm."""

    def draw_parameters(self, seed):
        found = super().draw_parameters(seed)
        low, high = self.ratio
        if low == high:
            return found
        part = tf.math.log(found["ratio"] / low) / np.log(high / low)
        return {**found, "ratio": low + (high - low) * part}


class LastFitting(native.RandomResizedCrop):
    """It takes the last window that fits."""

    def geometry(self, params, size):
        turned = {name: tf.reverse(params[name], [0]) for name in ("area", "ratio")}
        return super().geometry({**params, **turned}, size)


class Narrow(native.RandomSizedCrop):
    """It never draws the largest heights."""

    def draw_parameters(self, seed):
        low, high = self.min_max_height
        found = super().draw_parameters(seed)
        return {**found, "height": tf.minimum(found["height"], (low + high + 1) // 2)}


MUTANTS = [
    (native.RandomGridShuffle, OtherWay),
    (native.RandomSizedCrop, Narrow),
    (native.RandomResizedCrop, EvenRatios),
    (native.RandomResizedCrop, LastFitting),
    (native.RandomCrop, OneOff),
    (native.CenterCrop, Left),
    (native.Resize, SmoothMasks),
    (native.Resize, OneScale),
]


@in_main
@pytest.mark.parametrize(("original", "mutant"), MUTANTS, ids=lambda side: side.__name__)
def test_mutants_are_rejected(original: type, mutant: type) -> None:
    assert proof_of(original, mutant, 40).status == "failed"
