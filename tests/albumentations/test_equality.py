"""Whole pipelines do what their references do for the same draw: every target, every format."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from albumentations.augmentations.geometric import functional

import pipeport.albumentations as native
from pipeport.errors import OutsideDomain
from tests.albumentations.driven import (
    IMAGE,
    POINTS,
    SQUARE,
    assert_same,
    both,
    boxes_as,
    plan_of,
    points_as,
)

LABELS = ["cat", "dog", "cat"]
FORMATS = ("coco", "pascal_voc", "albumentations", "yolo")
POINT_FORMATS = ("xy", "yx", "xya", "xys", "xyas", "xysa", "xyz")


def nested(package, **settings):
    """Return a pipeline with every transform and composition."""
    flips = package.OneOf([package.HorizontalFlip(p=0.7), package.VerticalFlip(p=0.2)], p=0.8)
    turns = package.Sequential([package.Transpose(p=0.5), package.RandomRotate90(p=0.9)], p=0.7)
    inner = package.Compose([package.NoOp(), package.D4(p=0.6)], p=0.9)
    either = package.OneOrOther(package.VerticalFlip(p=0.1), package.Sequential([package.Transpose(p=0.5)]))
    return package.Compose([flips, turns, inner, either], **settings)


def assert_varied(build, seeds):
    """The draws of these seeds are not all the same, so that equality says something."""
    drawn = {repr(plan_of(build(native), seed)) for seed in seeds}
    assert len(drawn) > len(seeds) // 2


@pytest.mark.parametrize("form", FORMATS)
def test_boxes_of_every_format(form: str) -> None:
    def build(package):
        return nested(package, bbox_params=package.BboxParams(form, label_fields=["labels"]))

    seeds = [(3, index) for index in range(6)]
    assert_varied(build, seeds)
    for seed in seeds:
        element = {"image": IMAGE, "bboxes": boxes_as(form), "labels": LABELS}
        assert_same(*both(build, element, seed))


@pytest.mark.parametrize("form", POINT_FORMATS)
def test_points_of_every_format(form: str) -> None:
    def build(package):
        return nested(package, keypoint_params=package.KeypointParams(form))

    for index in range(4):
        element = {"image": IMAGE, "keypoints": points_as(form)}
        assert_same(*both(build, element, (4, index)), degrees=(form.index("a"),) if "a" in form else ())


@pytest.mark.parametrize("element", ["h", "v", "t", "r90", "r180", "r270", "hvt", "e"])
def test_angles_of_every_symmetry(element: str) -> None:
    """In radians, around the circle, the seams included."""
    angles = np.linspace(0, 2 * np.pi, 25, dtype=np.float32)[:-1]
    points = np.stack([np.full_like(angles, 2), np.full_like(angles, 3), angles], 1)
    seed = next(
        (5, index)
        for index in range(200)
        if native.D4().plan((5, index), False)["params"]["group_element"]
        == ("e", "r90", "r180", "r270", "v", "hvt", "h", "t").index(element)
    )

    # A composition gives its parts seeds of their own: replay the draw of the lone transform.
    alone = native.ReplayCompose([native.D4()], keypoint_params={"format": "xya", "angle_in_degrees": False})
    part = native.D4().plan(seed, False)
    out = alone.replay({"applied": True, "transforms": (part,)}, image=IMAGE, keypoints=points)
    internal = np.concatenate([points[:, :2], np.zeros((24, 1)), points[:, 2:], np.zeros((24, 1))], 1)
    expected = functional.keypoints_d4(internal.astype(np.float32), element, IMAGE.shape)
    np.testing.assert_allclose(out["keypoints"][:, :2], expected[:, :2], atol=1e-5)
    apart = (out["keypoints"][:, 2].numpy() - expected[:, 3] + np.pi) % (2 * np.pi) - np.pi
    np.testing.assert_allclose(apart, 0, atol=1e-5)


def test_all_targets_together() -> None:
    def build(package):
        return nested(
            package,
            bbox_params=package.BboxParams("coco", label_fields=["labels", "weights"]),
            keypoint_params=package.KeypointParams("xya", label_fields=["names"]),
            additional_targets={"image2": "image", "depth": "mask", "more": "masks"},
        )

    element = {
        "image": IMAGE,
        "image2": IMAGE[..., 0].astype(np.float32),
        "mask": IMAGE[..., 1],
        "masks": [IMAGE[..., 0], IMAGE[..., 2]],
        "depth": IMAGE[..., :1].astype(np.float32),
        "more": np.stack([IMAGE, IMAGE[::-1]]),
        "bboxes": boxes_as("coco"),
        "labels": LABELS,
        "weights": np.array([1.5, 2.5, 3.5]),
        "keypoints": points_as("xya"),
        "names": ["a", "b", "c", "d"],
        "other": np.arange(3),
    }
    for index in range(5):
        ours, theirs = both(build, element, (6, index))
        ours["other"] = tf.constant(ours["other"])
        assert_same(ours, theirs, degrees=(2,))


@pytest.mark.parametrize(
    "settings",
    [
        {"clip": True},
        {"clip": True, "filter_invalid_bboxes": True},
        {"filter_invalid_bboxes": True, "min_area": 4.5},
        {"clip": True, "filter_invalid_bboxes": True, "min_width": 2, "check_each_transform": False},
        {"filter_invalid_bboxes": True, "min_height": 2.5, "max_accept_ratio": 2.0},
        {"filter_invalid_bboxes": True, "min_visibility": 0.6},
    ],
    ids=str,
)
def test_boxes_are_cut_and_dropped_alike(settings: dict[str, Any]) -> None:
    corners = np.array([[-3, 1, 5, 4], [2, 2, 4, 5], [1, 1, 3, 2.5], [6, 4, 12, 7], [8, 1, 9, 6]], np.float32)
    if not settings.get("clip"):
        corners[0, 0], corners[3] = 0, (6, 4, 9, 6)
    if settings.get("filter_invalid_bboxes"):
        corners = np.concatenate([corners, [[4, 4, 4, 5]]]).astype(np.float32)
    labels = np.arange(len(corners))

    def build(package):
        params = package.BboxParams("pascal_voc", label_fields=["labels"], **settings)
        return nested(package, bbox_params=params)

    dropped = 0
    for index in range(4):
        ours, theirs = both(build, {"image": IMAGE, "bboxes": corners, "labels": labels}, (8, index))
        assert_same(ours, theirs)
        dropped += len(corners) - len(theirs["bboxes"])
    assert dropped or not settings.get("filter_invalid_bboxes")


def test_further_boxes_and_points() -> None:
    def build(package):
        return nested(
            package,
            bbox_params=package.BboxParams("coco", filter_invalid_bboxes=True),
            keypoint_params=package.KeypointParams("yx"),
            additional_targets={"boxes2": "bboxes", "points2": "keypoints"},
        )

    element = {"image": IMAGE, "boxes2": boxes_as("coco")[:2], "points2": points_as("yx")[1:]}
    for index in range(3):
        assert_same(*both(build, element, (11, index)))
        assert_same(*both(build, {**element, "bboxes": boxes_as("coco")}, (11, index)))


@pytest.mark.parametrize("each", [False, True])
@pytest.mark.parametrize("remove", [False, True])
def test_points_are_dropped_alike(remove: bool, each: bool) -> None:
    """A point between the last pixel and the border leaves the image when it is mirrored."""
    points = np.concatenate([POINTS, [[8.5, 5.5], [8.75, 1]]]).astype(np.float32)

    def build(package):
        params = package.KeypointParams("xy", remove_invisible=remove, check_each_transform=each)
        return nested(package, keypoint_params=params)

    counts = set()
    for index in range(8):
        ours, theirs = both(build, {"image": IMAGE, "keypoints": points}, (9, index))
        assert_same(ours, theirs)
        counts.add(len(theirs["keypoints"]))
    assert len(counts) > 1 if remove else counts == {6}


@pytest.mark.parametrize("empty", [[], np.zeros((0, 4), np.float32)], ids=["list", "array"])
def test_an_element_without_boxes_survives(empty: Any) -> None:
    def build(package):
        return nested(package, bbox_params=package.BboxParams("coco", label_fields=["labels"]))

    ours, theirs = both(build, {"image": IMAGE, "bboxes": empty, "labels": []}, (1, 2))
    assert ours["bboxes"].shape == (0, 4)
    assert np.shape(theirs["bboxes"]) in ((0,), (0, 4))
    assert ours["labels"].shape == (0,)
    np.testing.assert_array_equal(ours["image"], theirs["image"])


def test_one_transform_alone_takes_fractions_and_whole_points() -> None:
    rows = np.array([[2, 3, 0, 1.5, 2, 11], [8, 0, 1, 4.5, 1, 12]], np.float32)
    for name in ("HorizontalFlip", "VerticalFlip", "Transpose", "NoOp"):
        element = {
            "image": IMAGE,
            "mask": None,
            "masks": np.stack([IMAGE, IMAGE[::-1]]),
            "bboxes": np.concatenate([boxes_as("albumentations"), np.float32([[5], [6], [7]])], 1),
            "keypoints": rows,
        }
        ours, theirs = both(lambda package, name=name: getattr(package, name)(p=1.0), element, (1, 2))
        assert ours.pop("mask") is theirs.pop("mask") is None
        assert_same(ours, theirs)


def test_forced_is_whatever_is_drawn_but_for_no_chance_at_all() -> None:
    for p, expected in ((0.0, IMAGE), (1e-9, IMAGE[:, ::-1])):
        out = native.HorizontalFlip(p=p)(image=IMAGE, force_apply=True, seed=(1, 2))
        np.testing.assert_array_equal(out["image"], expected)
    pipeline = native.Compose([native.HorizontalFlip(p=1.0)], p=0.0)
    out = pipeline(image=IMAGE, force_apply=True, seed=(1, 2))
    np.testing.assert_array_equal(out["image"], IMAGE[:, ::-1])
    alone = native.OneOf([native.HorizontalFlip(p=0.1)], p=1.0)
    np.testing.assert_array_equal(alone(image=IMAGE, seed=(1, 2))["image"], IMAGE[:, ::-1])
    assert native.OneOf([], p=1.0)(image=IMAGE, seed=(1, 2))["image"].shape == IMAGE.shape


def test_one_or_other_is_applied_always_and_what_has_no_probability_never() -> None:
    first, none = native.HorizontalFlip(p=0.1), native.HorizontalFlip(p=0.0)
    for parts, p in (([first, none], 1.0), ([none, first], 0.0), ([none, none, first], 0.0)):
        with contextlib.nullcontext() if len(parts) == 2 else pytest.warns(UserWarning, match="got 3"):
            one = native.OneOrOther(transforms=parts, p=p)
        np.testing.assert_array_equal(one(image=IMAGE, seed=(1, 2))["image"], IMAGE[:, ::-1])
    for one in (native.OneOrOther(first, none, p=0.0), native.OneOrOther(none, first, p=1.0)):
        np.testing.assert_array_equal(one(image=IMAGE, seed=(1, 2))["image"], IMAGE)
    for given in ({"first": first}, {"transforms": []}):
        with pytest.raises(OutsideDomain, match="transforms"):
            native.OneOrOther(**given)


@pytest.mark.parametrize("p", [0.0, 0.5])
def test_a_pipeline_that_is_not_applied_leaves_all_as_it_was(p: float) -> None:
    """Not even boxes outside the image are refused then, as in the reference."""
    outside = np.array([[-4, 0, 20, 5, 3]], np.float32)

    def build(package):
        return package.Compose([package.HorizontalFlip(p=1.0)], bbox_params={"format": "pascal_voc"}, p=p)

    seed = next((2, index) for index in range(50) if not plan_of(build(native), (2, index))["applied"])
    ours, theirs = both(build, {"image": SQUARE, "bboxes": outside}, seed)
    assert_same(ours, theirs)
    np.testing.assert_array_equal(ours["bboxes"], outside)
