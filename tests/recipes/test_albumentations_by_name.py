"""The recipe for a pipeline of albumentations: alike given the draw, reproducible, and every bug it names."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport.porting import sides
from tests.recipes.recipe_tools import boundaries, collected, photographs, program
from tests.recipes.test_port_a_body import functions

before = program("albumentations-by-name", "before")
after = program("albumentations-by-name", "after")
pitfalls = program("albumentations-by-name", "pitfalls")

# One level of a byte behind `Normalize`, whose smallest deviation is 0.224.
LEVEL = 1 / 255 / 0.224


def elements() -> tuple[np.ndarray, ...]:
    images = photographs(4, 120, 160)
    boxes = np.float32([[[20, 30, 90, 80], [60, 10, 150, 110]]] * 4)
    return images, images[..., 0] // 100, boxes, np.int64([[1, 2]] * 4)


@pytest.fixture(scope="module")
def augmented() -> tf.data.Dataset:
    """Return the dataset of after.py, traced once for those who look at it."""
    return after.build_dataset(*elements(), parallel_calls=1)


def test_before_and_after_agree():
    ported, given = pipeport.port(after.augment), [one[0] for one in elements()]
    seen = set()
    for index in range(6):
        old, new = (side(*given) for side in sides(ported, (7, index)))
        # Where a warp takes the other of two pixels, or a level next to it, a hue moves it further.
        assert np.mean(np.abs(new[0].numpy() - old[0]) > 3 * LEVEL) < 0.01
        assert np.mean(new[1].numpy() != old[1]) < 0.01
        np.testing.assert_allclose(new[2], old[2], atol=1e-3)
        np.testing.assert_array_equal(new[3], old[3])
        assert [one.dtype for one in new] == [one.dtype for one in old]
        seen.add(old[0].tobytes())
    assert len(seen) > 3


def test_the_function_and_the_pipeline_are_the_same():
    """What the README says: only the map changes."""
    old, new = (functions("albumentations-by-name", file) for file in ("before.py", "after.py"))
    assert [name for name in old if old[name] != new.get(name)] == ["tf_augment", "build_dataset"]
    assert before.AUGMENT.to_dict() == after.AUGMENT.to_dict()


def test_boundaries(augmented):
    assert boundaries(augmented) == set()
    assert boundaries(before.build_dataset(*elements())) == {"PyFunc"}


def test_static_shapes(augmented):
    shapes = [spec.shape.as_list() for spec in augmented.element_spec]
    assert shapes == [[None, 120, 160, 3], [None, 120, 160], [None, None, 4], [None, None]]
    assert before.build_dataset(*elements()).element_spec[0].shape.as_list() == [None, None, None, 3]


def test_reproducible(augmented):
    again = after.build_dataset(*elements(), parallel_calls=4)
    for one, other in zip(collected(augmented), collected(again), strict=True):
        tf.nest.map_structure(np.testing.assert_array_equal, one, other)


def test_before_is_not_reproducible():
    first, second = (collected(before.build_dataset(*elements())) for _ in range(2))
    assert any(not np.array_equal(one[0], other[0]) for one, other in zip(first, second, strict=True))


def test_parts_without_a_native():
    told, spec = pitfalls.parts_without_a_native()
    assert "RandomFog has no native equivalent" in told
    assert "ThinPlateSpline has no native equivalent" in told
    assert spec == tf.TensorSpec([4, 4, 3], tf.uint8)


def test_functions_of_your_own():
    told, spec = pitfalls.functions_of_your_own()
    assert "Lambda, functions of yours" in told
    assert spec == tf.TensorSpec([4, 4, 3], tf.uint8)


def test_seed_of_the_pipeline():
    assert "Compose(seed=...), a seed of its own" in pitfalls.seed_of_the_pipeline()


def test_arguments_without_a_native():
    told = pitfalls.arguments_without_a_native()
    assert "GridDistortion: keypoint_remapping_method: got 'direct'; allowed: 'mask'" in told


def test_one_draw_for_all():
    traced, ported = pitfalls.one_draw_for_all()
    assert traced == 1
    assert ported > 1
