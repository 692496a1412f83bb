"""Bad arguments and bad data: refused by name, no later than by the reference, and in a graph too."""

from __future__ import annotations

import re
from typing import Any

import albumentations as reference
import numpy as np
import pytest
import tensorflow as tf

import pipeport.albumentations as A
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType
from tests.albumentations.driven import IMAGE, boxes_as

VALUE = (OutsideDomain, UnsupportedArgument)
CORNERS = boxes_as("pascal_voc")
BOXES = A.BboxParams("pascal_voc", label_fields=["labels"])
PLAIN = A.BboxParams("pascal_voc")


@pytest.mark.parametrize("p", [-0.1, 1.5, float("nan"), None, "often"])
@pytest.mark.parametrize("name", ["HorizontalFlip", "D4", "NoOp"])
def test_a_probability_is_one_as_in_the_reference(name: str, p: Any) -> None:
    with pytest.raises(ValueError, match="p"):
        getattr(reference, name)(p=p)
    with pytest.raises(OutsideDomain, match="p: got"):
        getattr(A, name)(p=p)


BUILDS: list[tuple[Any, type[Exception], str]] = [
    (lambda: A.HorizontalFlip(p=tf.constant(0.5)), UnsupportedArgument, "p: got a tensor"),
    (lambda: A.Compose([reference.HorizontalFlip()]), WrongType, "transforms"),
    (lambda: A.Compose(3), WrongType, "transforms"),
    (lambda: A.Compose([], p=2), OutsideDomain, "p: got"),
    (lambda: A.OneOf([A.NoOp(p=0.0)]), OutsideDomain, "transforms"),
    (lambda: A.Compose([], bbox_params="coco"), UnsupportedArgument, "bbox_params"),
    (lambda: A.Compose([], bbox_params=reference.BboxParams("coco")), UnsupportedArgument, "bbox_params"),
    (lambda: A.Compose([], additional_targets={"a": "video"}), UnsupportedArgument, "additional_targets"),
    (lambda: A.Compose([], additional_targets=["a"]), WrongType, "additional_targets"),
    (lambda: A.Compose([], save_applied_params=True), UnsupportedArgument, "save_applied_params"),
    (lambda: A.Compose([], seed=1.5), WrongType, "seed"),
    (lambda: A.Compose([], seed=2**70), OutsideDomain, "seed"),
    (lambda: A.Compose([], strict=1), WrongType, "strict"),
    (lambda: A.Compose([A.Compose([], seed=1)]), UnsupportedArgument, "settings of its own"),
    (lambda: A.Compose([A.Compose([], bbox_params=BOXES)]), UnsupportedArgument, "settings of its own"),
    (lambda: A.OneOf([A.ReplayCompose([])]), UnsupportedArgument, "ReplayCompose"),
    (lambda: A.ReplayCompose([], save_key=3), WrongType, "save_key"),
    (lambda: A.BboxParams("corners"), UnsupportedArgument, "format"),
    (lambda: A.BboxParams("coco", min_area=-1), OutsideDomain, "min_area"),
    (lambda: A.BboxParams("coco", min_visibility=1.5), OutsideDomain, "min_visibility"),
    (lambda: A.BboxParams("coco", min_width="1"), WrongType, "min_width"),
    (lambda: A.BboxParams("coco", max_accept_ratio=0.5), OutsideDomain, "max_accept_ratio"),
    (lambda: A.BboxParams("coco", label_fields="labels"), WrongType, "label_fields"),
    (lambda: A.BboxParams("coco", clip=1), WrongType, "clip"),
    (lambda: A.KeypointParams("xyq"), UnsupportedArgument, "format"),
    (lambda: A.KeypointParams("xy", remove_invisible="no"), WrongType, "remove_invisible"),
]


@pytest.mark.parametrize(("build", "error", "words"), BUILDS)
def test_what_is_built_wrong_is_refused_at_once(build: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=re.escape(words)):
        build()


def flip(**settings: Any) -> A.Compose:
    return A.Compose([A.HorizontalFlip(p=1.0)], **settings)


DATA: list[tuple[Any, dict[str, Any], str]] = [
    (A.D4(), {}, "image: got none"),
    (flip(), {"mask": IMAGE}, "image: got none"),
    (A.D4(), {"image": IMAGE, "volume": IMAGE}, "volume"),
    (flip(additional_targets={"a": "image"}), {"image": IMAGE, "images": IMAGE}, "images"),
    (A.D4(), {"image": IMAGE[0, 0]}, "image"),
    (flip(), {"image": IMAGE[np.newaxis]}, "image"),
    (A.D4(), {"image": IMAGE, "bboxes": np.zeros((2, 3))}, "bboxes"),
    (flip(), {"image": IMAGE, "mask": IMAGE[:-1]}, "mask"),
    (flip(), {"image": IMAGE, "masks": [IMAGE, IMAGE[:, :-1]]}, "masks[1]"),
    (flip(additional_targets={"b": "image"}), {"image": IMAGE, "b": IMAGE[1:]}, "b"),
    (flip(), {"image": IMAGE, "bboxes": boxes_as("coco")}, "bbox_params"),
    (flip(), {"image": IMAGE, "keypoints": [[1.0, 2.0]]}, "keypoint_params"),
    (flip(strict=True), {"image": IMAGE, "weather": 3}, "weather"),
    (flip(bbox_params=BOXES), {"image": IMAGE, "bboxes": boxes_as("pascal_voc")}, "labels"),
    (flip(bbox_params=BOXES), {"image": IMAGE, "bboxes": CORNERS, "labels": [1, 2]}, "labels"),
    (flip(bbox_params=BOXES), {"image": IMAGE}, "labels"),
    (flip(bbox_params=PLAIN), {"image": IMAGE, "bboxes": [[-1.0, 0, 3, 3]]}, "outside"),
    (flip(bbox_params=PLAIN), {"image": IMAGE, "bboxes": [[3.0, 1, 3, 3]]}, "without area"),
    (flip(bbox_params=A.BboxParams("yolo")), {"image": IMAGE, "bboxes": [[9.0, 1, 3, 3]]}, "outside"),
    (flip(keypoint_params=A.KeypointParams("xy")), {"image": IMAGE, "keypoints": [[9.0, 1.0]]}, "outside"),
    (
        flip(bbox_params=BOXES, additional_targets={"more": "bboxes"}),
        {"image": IMAGE, "bboxes": CORNERS, "labels": [1, 2, 3], "more": CORNERS},
        "more",
    ),
]


@pytest.mark.parametrize(("pipeline", "data", "words"), DATA)
def test_bad_data_is_refused(pipeline: Any, data: dict[str, Any], words: str) -> None:
    with pytest.raises(VALUE, match=re.escape(words)):
        pipeline(**data, seed=(1, 2))


@pytest.mark.parametrize("seed", [(1,), (1, 2, 3), [[1, 2], [3, 4]]])
def test_a_seed_of_another_shape_is_refused(seed: Any) -> None:
    with pytest.raises(OutsideDomain, match="seed"):
        flip()(image=IMAGE, seed=seed)


def test_calls_that_can_mean_nothing_are_refused() -> None:
    with pytest.raises(UnsupportedArgument, match="seed: got none"):
        flip()(image=IMAGE)
    with pytest.raises(WrongType, match="seed"):
        flip()(image=IMAGE, seed=(0.5, 1.0))
    with pytest.raises(WrongType, match="by position"):
        flip()(IMAGE, seed=(1, 2))
    with pytest.raises(WrongType, match="force_apply"):
        flip()(image=IMAGE, seed=(1, 2), force_apply="yes")
    pipeline = A.ReplayCompose([A.D4()])
    with pytest.raises(WrongType, match="self"):
        A.ReplayCompose.replay(pipeline(image=IMAGE, seed=(1, 2))["replay"], image=IMAGE)
    for wrong in (None, {}, A.ReplayCompose([A.NoOp()])(image=IMAGE, seed=(1, 2))["replay"]):
        with pytest.raises(OutsideDomain, match="saved_augmentations"):
            pipeline.replay(wrong, image=IMAGE)


def test_unknown_ranks_and_columns_are_refused_while_tracing() -> None:
    def trace(pipeline: Any, **specs: tf.TensorSpec) -> Any:
        return tf.function(lambda **data: pipeline(**data, seed=(1, 2))).get_concrete_function(**specs)

    with pytest.raises(UnsupportedArgument, match="unknown rank"):
        trace(A.D4(), image=tf.TensorSpec(None, tf.uint8))
    with pytest.raises(UnsupportedArgument, match="unknown number of columns"):
        trace(A.D4(), image=tf.TensorSpec([3, 3], tf.uint8), bboxes=tf.TensorSpec([None, None]))


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("mask", IMAGE[1:, :, 0]),
        ("labels", [1, 2]),
        ("bboxes", [[0.0, 0, 10, 3]] * 3),
        ("bboxes", [[2.0, 2, 2, 3]] * 3),
        ("keypoints", [[0.0, 7.0]]),
    ],
)
def test_bad_data_is_refused_when_the_graph_runs(name: str, wrong: Any) -> None:
    pipeline = flip(bbox_params=BOXES, keypoint_params=A.KeypointParams("xy"))
    good = {"image": IMAGE, "mask": IMAGE[..., 0], "bboxes": boxes_as("pascal_voc"), "labels": [1, 2, 3]}
    good["keypoints"] = [[1.0, 2.0]]
    tensors = {key: tf.constant(value) for key, value in good.items()}
    shapes = {"image": [None, None, 3], "mask": [None, None], "bboxes": [None, 4], "labels": [None]}
    shapes["keypoints"] = [None, 2]
    specs = {key: tf.TensorSpec(shapes[key], value.dtype) for key, value in tensors.items()}
    function = tf.function(lambda **data: pipeline(**data, seed=(1, 2))).get_concrete_function(**specs)
    function(**tensors)
    with pytest.raises(tf.errors.InvalidArgumentError, match=name):
        function(**{**tensors, name: tf.constant(wrong, tensors[name].dtype)})


def test_the_reference_refuses_such_data_too() -> None:
    """Beside `DATA`: those that both have, so that we are not stricter without saying so."""
    params = {"format": "pascal_voc", "label_fields": ["labels"]}
    pipeline = reference.Compose([reference.HorizontalFlip(p=1.0)], bbox_params=params, strict=True)
    whole = {"bboxes": boxes_as("pascal_voc"), "labels": [1, 2, 3]}
    wrong = [
        {"image": IMAGE, "mask": IMAGE[:-1], **whole},
        {"image": IMAGE, "weather": 3, **whole},
        {"image": IMAGE, "bboxes": whole["bboxes"]},
        {"image": IMAGE},
        {"image": IMAGE, **whole, "labels": [1, 2]},
        {"image": IMAGE, **whole, "bboxes": np.array([[-1.0, 0, 3, 3]] * 3)},
        {"image": IMAGE, **whole, "bboxes": np.array([[3.0, 1, 3, 3]] * 3)},
    ]
    for data in wrong:
        with pytest.raises(ValueError, match=r"."):
            pipeline(**data)
