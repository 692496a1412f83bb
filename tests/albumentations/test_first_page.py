"""The pipeline of albumentations' first page, ported as it stands: image, mask and boxes."""

from __future__ import annotations

import warnings

import albumentations as A
import numpy as np
import tensorflow as tf

import pipeport
from pipeport.porting import sides
from pipeport.seeds import seeded_map
from tests.catalog import graphs

RANDOM = np.random.default_rng(4)
SMALL = RANDOM.integers(0, 256, (18, 24, 3)).astype(np.uint8)
IMAGE = np.kron(SMALL, np.ones((8, 8, 1), np.uint8))  # 144 x 192, without noise
MASK = IMAGE[..., 0] // 100
BOXES = np.array([[20, 30, 90, 80], [60, 10, 180, 130]], np.float32)
LABELS = np.array([1, 2])

with warnings.catch_warnings():
    warnings.simplefilter("ignore", UserWarning)  # ShiftScaleRotate recommends Affine
    AUGMENT = A.Compose(
        [
            A.HorizontalFlip(p=0.5),
            A.ShiftScaleRotate(shift_limit=0.0625, scale_limit=0.2, rotate_limit=45, p=0.5),
            A.OneOf(
                [A.MotionBlur(p=0.2), A.MedianBlur(blur_limit=3, p=0.1), A.Blur(blur_limit=3, p=0.1)], p=0.5
            ),
            A.OneOf([A.CLAHE(clip_limit=2), A.RandomBrightnessContrast()], p=0.6),
            A.OneOf([A.HueSaturationValue(), A.GaussNoise()], p=0.6),
            A.CoarseDropout(
                num_holes_range=(1, 4), hole_height_range=(8, 32), hole_width_range=(8, 32), p=0.5
            ),
            A.Normalize(),
        ],
        bbox_params=A.BboxParams("pascal_voc", label_fields=["labels"]),
    )


def augmented(image, mask, boxes, labels):
    out = AUGMENT(image=image, mask=mask, bboxes=boxes, labels=labels)
    return out["image"], out["mask"], np.array(out["bboxes"], np.float32), np.array(out["labels"])


def test_the_port_does_what_the_pipeline_does_for_its_draws() -> None:
    ported = pipeport.port(augmented)
    given = IMAGE, MASK, BOXES, LABELS

    def natively(seed, *tensors):
        return sides(ported, seed)[1](*tensors)

    tensors = [tf.constant(one) for one in given]
    graph = tf.function(natively, autograph=False).get_concrete_function(
        tf.TensorSpec([2], tf.int64), *map(tf.TensorSpec.from_tensor, tensors)
    )
    assert not graphs.boundaries(graph)
    seen = set()
    for index in range(8):
        seed = (5, index)
        image, mask, boxes, labels = sides(ported, seed)[0](*given)
        found = graph(tf.constant(seed, tf.int64), *tensors)
        # A level of a byte is 1 / 57 here; tiles and hues move a level that a warp rounds otherwise further.
        apart = np.abs(found[0].numpy() - image)
        assert np.mean(apart > 3 / 57) < 0.01
        assert np.mean(found[1].numpy() != mask) < 0.01
        np.testing.assert_allclose(found[2], boxes.reshape(-1, 4), atol=1e-3)
        np.testing.assert_array_equal(found[3], labels)
        seen.add(found[0].numpy().tobytes())
    assert len(seen) == 8


def test_it_runs_in_a_dataset_again_alike() -> None:
    elements = tf.data.Dataset.from_tensors((IMAGE, MASK, BOXES, LABELS)).repeat(4)
    ported = pipeport.port(augmented)
    mapped = elements.apply(seeded_map(ported, 42, epoch=0, num_parallel_calls=2))
    once, again = (list(mapped.as_numpy_iterator()) for _ in range(2))
    tf.nest.map_structure(np.testing.assert_array_equal, once, again)
    assert len({one[0].tobytes() for one in once}) == 4
    assert mapped.element_spec[0].shape == IMAGE.shape
