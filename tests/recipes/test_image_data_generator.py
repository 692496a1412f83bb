"""The recipe for ImageDataGenerator: equal given the draws, of one distribution, argument by argument."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf
from scipy import stats

import pipeport
from tests.recipes.recipe_tools import boundaries, collected, photographs, program
from tests.recipes.test_port_a_body import functions

before, after = program("image-data-generator", "before"), program("image-data-generator", "after")
pitfalls = program("image-data-generator", "pitfalls")

# One false alarm in a million; the draws are the same on every run.
FALSE_ALARM = 1e-6
COUNT = 80


def images() -> np.ndarray:
    """Return copies of an image that grows brighter from left to right, and redder from top to bottom."""
    rows, columns = np.mgrid[:24, :32]
    one = np.stack([40 + 6 * rows, 40 + 5 * columns, np.full_like(rows, 100)], -1).astype(np.uint8)
    return np.stack([one] * COUNT)


def quantities(dataset: tf.data.Dataset) -> dict[str, np.ndarray]:
    """Return what images show of their draws: levels at the middle, and which side is brighter."""
    found = np.stack(collected(dataset))
    assert found.shape == (COUNT, 24, 32, 3)
    assert found.dtype == np.float32
    sides = found[:, 12, 20, 1] > found[:, 12, 11, 1]
    return {"red": found[:, 12, 16, 0], "blue": found[:, 12, 16, 2], "mirrored": sides.astype(float)}


@pytest.fixture(scope="module")
def augmented() -> tf.data.Dataset:
    return after.build_dataset(images(), parallel_calls=2)


def test_before_and_after_agree(augmented):
    np.random.seed(0)
    old, new = quantities(before.build_dataset(images())), quantities(augmented)
    for name in old:
        assert stats.ks_2samp(old[name], new[name]).pvalue > FALSE_ALARM, name
        assert np.std(new[name]) > 0, "nothing is drawn"


def test_another_distribution_is_noticed(augmented):
    found = quantities(augmented)
    assert stats.ks_2samp(found["red"], found["red"] + 0.2).pvalue < FALSE_ALARM


def test_the_same_draws_give_the_same_image():
    ported = pipeport.port(before.augment, example=(photographs(1)[0],))
    assert ported.original is before.augment


def test_reproducible():
    first, again = (collected(after.build_dataset(images(), parallel_calls=count)) for count in (1, 8))
    np.testing.assert_array_equal(first, again)
    assert len({one.tobytes() for one in first}) == COUNT


def test_the_body_is_the_same():
    old, new = (functions("image-data-generator", file) for file in ("before.py", "after.py"))
    assert [name for name in old if old[name] != new.get(name)] == ["tf_augment", "build_dataset"]


def test_boundaries(augmented):
    assert boundaries(augmented) == set()
    assert boundaries(before.build_dataset(images())) == {"PyFunc"}


def test_static_shapes(augmented):
    assert augmented.element_spec.shape == (24, 32, 3)


@pytest.mark.filterwarnings("ignore:This ImageDataGenerator specifies:UserWarning")
def test_parameter_by_parameter():
    said = pitfalls.parameter_by_parameter()
    assert set(said) == {"zca_whitening"}
    assert "tf.linalg.matvec" in said["zca_whitening"]


def test_iterators_of_the_generator():
    message = pitfalls.iterators_of_the_generator()
    assert "Write `Dataset.map` of a ported function that calls `random_transform(image)`" in message


def test_image_and_mask():
    apart, together = pitfalls.image_and_mask()
    assert apart > 20
    assert together == 0


def test_rescale_left_out():
    without, whole = pitfalls.rescale_left_out()
    assert without > 100
    assert whole == pytest.approx(without / 255)


def test_ranges_of_other_units():
    between, pixels = pitfalls.ranges_of_other_units()
    assert between < pixels / 100


def test_seed_of_a_call():
    message = pitfalls.seed_of_a_call()
    assert message.startswith("seed: got 1; allowed: None.")
    assert "generator.apply_transform(image, params)" in message
