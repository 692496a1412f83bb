"""Ported functions that call albumentations' own objects: the mirror's, on the element's seed."""

from __future__ import annotations

import albumentations as A
import cv2
import numpy as np
import pytest
import tensorflow as tf

import pipeport
import pipeport.albumentations
from pipeport.arrays import body
from pipeport.errors import PortRefused
from pipeport.porting import sides
from pipeport.seeds import seeded_map

RANDOM = np.random.default_rng(3)
IMAGE = RANDOM.integers(0, 255, (64, 72, 3), dtype=np.uint8)
MASK = RANDOM.integers(0, 3, (64, 72), dtype=np.uint8)
BOXES = np.array([[3, 4, 30, 40], [10, 10, 60, 62]], np.float32)
LABELS = np.array([1, 2])

AUGMENT = A.Compose(
    [
        A.HorizontalFlip(p=0.5),
        A.Affine(scale=(0.9, 1.1), rotate=(-20, 20), p=0.7),
        A.RandomBrightnessContrast(p=0.5),
    ]
)
FLIP = A.HorizontalFlip(p=0.5)
MISSING = A.Compose([A.FancyPCA(), A.HorizontalFlip(), A.ThinPlateSpline()])


def of_the_module(image):
    image = AUGMENT(image=image)["image"]
    return image.astype(np.float32) / 255


def unpacked(image, mask):
    out = AUGMENT(**{"image": image, "mask": mask})
    return out["image"], out["mask"]


def built_inside(image):
    turns = A.OneOf([A.VerticalFlip(), A.Rotate(limit=30, border_mode=cv2.BORDER_REFLECT_101)], p=0.8)
    return A.Compose([A.RandomCrop(40, 40), turns, A.Normalize()])(image=image)["image"]


def one_transform(image):
    image = FLIP(image=image)["image"]
    if np.random.rand() < 0.5:
        image = image[::-1]
    return image


class Loader:
    def __init__(self):
        boxes = A.BboxParams("pascal_voc", label_fields=["labels"])
        self.augment = A.Compose([A.Rotate(p=0.5), A.Resize(32, 32)], bbox_params=boxes)

    def __call__(self, image, boxes, labels):
        out = self.augment(image=image, bboxes=boxes, labels=labels)
        return out["image"], np.array(out["bboxes"], np.float32), np.array(out["labels"])


def closed_over():
    augment = A.Compose([A.RandomRotate90(), A.RandomGamma()])

    def twice(image):
        return augment(image=image)["image"], augment(image=image)["image"]

    return twice


BODIES = [
    (of_the_module, (IMAGE,)),
    (unpacked, (IMAGE, MASK)),
    (built_inside, (IMAGE,)),
    (one_transform, (IMAGE,)),
    (Loader(), (IMAGE, BOXES, LABELS)),
    (closed_over(), (IMAGE,)),
]


@pytest.mark.parametrize(
    ("function", "arguments"), BODIES, ids=lambda value: getattr(value, "__name__", None)
)
def test_a_port_does_what_the_function_does_for_its_draws(function, arguments):
    ported = pipeport.port(function)
    tensors = [tf.constant(one) for one in arguments]
    results = set()
    for seed in [(1, 2), (3, 4), (5, 9)]:
        old, new = sides(ported, seed)
        ours, theirs = tf.nest.flatten(new(*tensors)), tf.nest.flatten(old(*arguments))
        assert len(ours) == len(theirs)
        for one, other in zip(ours, theirs, strict=True):
            assert (one.dtype.as_numpy_dtype, one.shape) == (other.dtype, other.shape)
            level = 1 if other.dtype == np.uint8 else 1 / 50  # interpolated bytes; normalised they are larger
            np.testing.assert_allclose(np.float64(one), np.float64(other), rtol=0, atol=level)
        results.add(ours[0].numpy().tobytes())
    assert len(results) > 1


def flipped_boxes(form, lists):
    boxes = A.BboxParams(form, label_fields=["labels"])
    points = A.KeypointParams("xy", label_fields=["names"])
    augment = A.Compose([A.HorizontalFlip(p=0.5), A.CenterCrop(50, 60)], boxes, points)

    def run(image, boxes, labels, points):
        if lists:
            boxes, labels, points = (
                [[*row] for row in boxes],
                [1, len(labels) + 1],
                [[30.5, 20.0], [31.0, 40.0]],
            )
        names = ["a", "b"] if lists else np.arange(2, dtype=np.int32)
        out = augment(image=image, bboxes=boxes, labels=labels, keypoints=points, names=names)
        return [np.array(out[name]) for name in ("image", "bboxes", "labels", "keypoints")]

    return run


@pytest.mark.parametrize("form", ["pascal_voc", "albumentations"])
@pytest.mark.parametrize("lists", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
def test_boxes_points_and_labels_have_the_dtypes_of_albumentations(form, lists, dtype):
    if form == "albumentations" and dtype == "int64":
        pytest.skip("fractions are not whole numbers")
    boxes = (BOXES / 72 if form == "albumentations" else BOXES).astype(dtype)
    points = np.array([[30, 20], [31, 40]], np.float32)
    labels = np.array([1, 3], np.float32 if lists else dtype)
    # albumentations learns from the first labels what later ones are: an object for each.
    arguments = IMAGE, boxes, labels, points
    ported = pipeport.port(flipped_boxes(form, lists))
    old, new = sides(ported, (1, 2))
    right = old(*arguments)
    specs = [tf.TensorSpec(one.shape, one.dtype) for one in arguments]
    unsized = [tf.TensorSpec([None, *one.shape[1:]], one.dtype) for one in arguments]
    runs = (
        [new]
        if lists
        else [new, *(tf.function(new, input_signature=one, autograph=False) for one in (specs, unsized))]
    )
    for run in runs:
        for one, other in zip(run(*arguments), right, strict=True):
            assert (one.dtype.as_numpy_dtype, one.shape) == (other.dtype, other.shape)
            np.testing.assert_allclose(one, other, rtol=0, atol=1e-6)


@pytest.mark.parametrize("known", [True, False])
def test_every_element_has_a_draw_of_its_own(known):
    images = tf.data.Dataset.from_tensors(IMAGE).repeat(6)
    if not known:
        images = images.map(
            lambda x: tf.ensure_shape(tf.py_function(lambda y: y, [x], tf.uint8), [None, None, 3])
        )
    once, again = (
        list(images.apply(seeded_map(pipeport.port(of_the_module), 42)).as_numpy_iterator()) for _ in range(2)
    )
    np.testing.assert_array_equal(once, again)
    assert len({one.tobytes() for one in once}) > 3


def test_two_calls_draw_apart():
    ported = pipeport.port(closed_over())
    drawn = tf.data.Dataset.from_tensors(IMAGE[:64, :64]).repeat(8).apply(seeded_map(ported, 1))
    assert any((one != other).any() for one, other in drawn.as_numpy_iterator())


def test_what_is_missing_is_named_with_the_line_before_anything_runs():
    def function(image):
        return MISSING(image=image)["image"]

    def other(image):
        return A.Compose([A.FancyPCA(), A.HorizontalFlip()])(image=image)["image"]

    with pytest.raises(PortRefused) as caught:
        pipeport.port(function)(tf.constant(IMAGE))
    text = str(caught.value)
    assert "test_albumentations.py" in text
    assert "FancyPCA has no native equivalent" in text
    assert "ThinPlateSpline has no native equivalent" in text
    with pytest.raises(PortRefused, match=r"A\.FancyPCA"):
        pipeport.port(other)(tf.constant(IMAGE))


def test_natives_take_and_give_arrays_in_a_body():
    mirror = pipeport.albumentations
    pipeline = mirror.Compose(
        [mirror.Rotate(p=0.5), mirror.Resize(32, 30), mirror.RandomBrightnessContrast()]
    )

    @body
    def function(image, seed):
        image = pipeline(image=image, seed=seed)["image"]
        image[:4] = 0
        return image.astype("float32") / 255

    for trace in (function, tf.function(function)):
        found = trace(tf.constant(IMAGE), tf.constant([1, 2]))
        assert (found.dtype, found.shape) == (tf.float32, (32, 30, 3))
        assert not found[:4].numpy().any()
