"""Pipelines in datasets: reproducible, with static shapes, without Python, replayed, saved."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import tensorflow as tf

import pipeport.albumentations as A
from pipeport import seeds
from pipeport.errors import PipeportWarning
from tests.albumentations.driven import IMAGE, SQUARE
from tests.catalog import graphs

COUNT = 12


def pipeline_of() -> A.Compose:
    return A.Compose(
        [A.OneOf([A.HorizontalFlip(), A.Sequential([A.VerticalFlip()])], p=0.8), A.RandomRotate90(p=0.7)],
        bbox_params=A.BboxParams("yolo", label_fields=["labels"], min_area=3),
        keypoint_params=A.KeypointParams("xya"),
    )


def elements() -> tf.data.Dataset:
    random = np.random.default_rng(3)
    return tf.data.Dataset.from_tensor_slices(
        {
            "image": random.integers(0, 255, (COUNT, 7, 7, 3), dtype=np.uint8),
            "mask": random.integers(0, 9, (COUNT, 7, 7), dtype=np.uint8),
            "bboxes": np.tile(np.float32([[0.5, 0.5, 0.4, 0.6], [0.3, 0.6, 0.2, 0.2]]), (COUNT, 1, 1)),
            "labels": np.tile([["one", "two"]], (COUNT, 1)),
            "keypoints": random.integers(0, 7, (COUNT, 4, 3)).astype(np.float32),
        }
    )


def seen(dataset: tf.data.Dataset) -> list[bytes]:
    """Return every element as bytes."""
    found = []
    for element in dataset.as_numpy_iterator():
        leaves = tf.nest.flatten(element)
        found.append(b"|".join(repr(v).encode() if v.dtype == object else v.tobytes() for v in leaves))
    return found


def test_a_whole_epoch_twice_at_any_parallelism_is_byte_identical() -> None:
    pipeline = pipeline_of()

    def epochs(calls: int, deterministic: bool) -> tf.data.Dataset:
        how = {"num_parallel_calls": calls, "deterministic": deterministic}
        return elements().apply(seeds.seeded_map(lambda element: pipeline(**element), 42, epochs=2, **how))

    alone, parallel = epochs(1, True), epochs(tf.data.AUTOTUNE, False)
    one = seen(alone)
    assert one == seen(alone)
    assert sorted(one) == sorted(seen(parallel)) == sorted(seen(parallel))
    assert one[:COUNT] != one[COUNT:]


def test_ambient_and_explicit_seeds() -> None:
    pipeline = A.Compose([A.D4()])
    with seeds.ambient((1, 2)):
        seed = seeds.look_up()
    with seeds.ambient((1, 2)):
        out = pipeline(image=IMAGE)
        other = pipeline.plan(seeds.look_up(), False)
    np.testing.assert_array_equal(out["image"], pipeline(image=IMAGE, seed=seed)["image"])
    assert other.keys() == {"applied", "transforms"}
    folded = A.Compose([A.D4()], seed=7)(image=IMAGE, seed=seed)["image"]
    np.testing.assert_array_equal(folded, pipeline(image=IMAGE, seed=seeds.fold_in(seed, 7))["image"])


def traced(pipeline, **specs: tf.TensorSpec) -> tf.types.experimental.ConcreteFunction:
    function = tf.function(lambda **data: pipeline(**data, seed=(1, 2)))
    return function.get_concrete_function(**specs)


def test_shapes_are_kept_where_they_can_be_known() -> None:
    wide, square = tf.TensorSpec([6, 9, 3], tf.uint8), tf.TensorSpec([7, 7, 3], tf.uint8)
    kept = A.Compose([A.HorizontalFlip(), A.OneOf([A.VerticalFlip(), A.NoOp()]), A.Transpose(p=1.0)], p=1.0)
    assert traced(kept, image=wide).structured_outputs["image"].shape == [9, 6, 3]
    turned = A.Compose([A.D4(), A.RandomRotate90(p=0.5), A.Transpose()], p=0.5)
    assert traced(turned, image=square).structured_outputs["image"].shape == [7, 7, 3]
    assert traced(turned, image=wide).structured_outputs["image"].shape.as_list() == [None, None, 3]
    rows = {"bboxes": tf.TensorSpec([5, 4]), "keypoints": tf.TensorSpec([5, 5])}
    lone = traced(A.D4(), image=wide, **rows).structured_outputs
    assert lone["bboxes"].shape == [5, 4]
    assert lone["keypoints"].shape == [5, 5]


def test_no_python_in_the_graph_and_unknown_sizes_give_the_same() -> None:
    pipeline = pipeline_of()
    element = next(iter(elements()))
    free = {"image": (0, 1), "mask": (0, 1), "bboxes": (0,), "labels": (0,), "keypoints": (0,)}
    specs = {}
    for name, value in element.items():
        shape = [None if axis in free[name] else side for axis, side in enumerate(value.shape)]
        specs[name] = tf.TensorSpec(shape, value.dtype)
    concrete = traced(pipeline, **specs)
    assert graphs.boundaries(concrete) == set()
    ours, eager = concrete(**element), pipeline(**element, seed=(1, 2))
    for name in eager:
        np.testing.assert_array_equal(ours[name], eager[name])


def test_a_draw_is_replayed_on_other_data() -> None:
    transforms = [A.OneOf([A.HorizontalFlip(), A.VerticalFlip()]), A.RandomRotate90(p=0.7)]
    pipeline = A.ReplayCompose(transforms, keypoint_params={"format": "xya"}, p=0.9)

    def twice(element):
        given = {name: element[name] for name in ("image", "mask", "keypoints")}
        out = pipeline(**given)
        return out, pipeline.replay(out["replay"], **{**given, "image": given["mask"]})

    for first, second in elements().take(4).apply(seeds.seeded_map(twice, 42, epoch=0)):
        np.testing.assert_array_equal(second["image"], first["mask"])
        np.testing.assert_array_equal(second["keypoints"], first["keypoints"])
    plain = list(elements().take(4))[-1]
    arrays = tf.nest.map_structure(lambda part: part.numpy(), first["replay"])
    np.testing.assert_array_equal(pipeline.replay(arrays, image=plain["image"])["image"], first["image"])


def test_a_pipeline_survives_a_saved_model(tmp_path: Path) -> None:
    pipeline = pipeline_of()
    module, element = tf.Module(), next(iter(elements()))
    specs = {name: tf.TensorSpec(value.shape, value.dtype, name) for name, value in element.items()}
    module.augment = tf.function(lambda seed, **data: pipeline(**data, seed=seed))
    module.augment.get_concrete_function(tf.TensorSpec([2], tf.int64, "seed"), **specs)
    tf.saved_model.save(module, str(tmp_path))
    restored = tf.saved_model.load(str(tmp_path))
    for index in range(4):
        seed = tf.constant([1, index], tf.int64)
        ours, theirs = pipeline(**element, seed=seed), restored.augment(seed, **element)
        for name in element:
            np.testing.assert_array_equal(ours[name], theirs[name])


def test_a_pipeline_left_inside_a_boundary_warns() -> None:
    flip = A.HorizontalFlip(p=1.0)

    def augment(image):
        return flip(image=image, seed=(1, 2))["image"].numpy()

    with pytest.warns(PipeportWarning, match="HorizontalFlip runs inside a Python boundary"):
        tf.numpy_function(augment, [SQUARE], tf.uint8)
