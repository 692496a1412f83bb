"""The recipe for elastic deformation: equal given the draws, of one distribution, and every bug it names."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf
from scipy import stats

import pipeport
from tests.recipes.recipe_tools import boundaries, collected, program
from tests.recipes.test_port_a_body import functions

before, after = program("elastic-volumes", "before"), program("elastic-volumes", "after")
pitfalls = program("elastic-volumes", "pitfalls")

SIZES = (20, 18, 16)
# One false alarm in a million; the draws are the same on every run.
FALSE_ALARM = 1e-6
COUNT = 60


def volumes(count: int = COUNT) -> tuple[np.ndarray, np.ndarray]:
    """Return volumes whose voxels are their row, and labels that say which third of the rows it is."""
    rows = np.broadcast_to(np.arange(SIZES[0], dtype=np.float32)[:, None, None], SIZES)
    return np.stack([rows] * count), np.stack([(rows // 7).astype(np.uint8)] * count)


@pytest.fixture(scope="module")
def augmented() -> tf.data.Dataset:
    return after.build_dataset(*volumes(), parallel_calls=2)


@pytest.fixture(scope="module")
def bent(augmented) -> list[tuple[np.ndarray, np.ndarray]]:
    return collected(augmented)


def moves(pairs: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """Return how far the middle of each volume moved along the rows; labels must have moved alike."""
    for volume, labels in pairs:
        inside = (volume % 7 > 0.5) & (volume % 7 < 6)  # not between two classes
        np.testing.assert_array_equal(labels[inside], (volume[inside] // 7).astype(np.uint8))
    return np.array([volume[10, 9, 8] - 10 for volume, _labels in pairs])


def test_before_and_after_agree(bent):
    np.random.seed(0)
    old, new = moves(collected(before.build_dataset(*volumes()))), moves(bent)
    assert stats.ks_2samp(old, new).pvalue > FALSE_ALARM
    assert np.std(new) > 0.1, "nothing moves"


def test_another_distribution_is_noticed(bent):
    assert stats.ks_2samp(moves(bent) + 1, moves(bent)).pvalue < FALSE_ALARM


def test_the_same_draws_give_the_same_volume():
    volume, labels = (one[0] for one in volumes(1))
    ported = pipeport.port(before.deform, example=(volume, labels))
    assert ported.original is before.deform


def test_reproducible(bent):
    again = collected(after.build_dataset(*volumes(), parallel_calls=8))
    for one, other in zip(bent, again, strict=True):
        np.testing.assert_array_equal(one[0], other[0])
        np.testing.assert_array_equal(one[1], other[1])


def test_the_body_is_the_same():
    old, new = (functions("elastic-volumes", file) for file in ("before.py", "after.py"))
    assert [name for name in old if old[name] != new.get(name)] == ["tf_deform", "build_dataset"]


def test_boundaries(augmented):
    assert boundaries(augmented) == set()
    assert boundaries(before.build_dataset(*volumes(2))) == {"PyFunc"}


def test_static_shapes(augmented):
    assert [spec.shape for spec in augmented.element_spec] == [SIZES, SIZES]


def test_fields_of_their_own():
    apart, together = pitfalls.fields_of_their_own()
    assert apart > 1000
    assert together == 0


def test_classes_invented_by_interpolation():
    linear, nearest = pitfalls.classes_invented_by_interpolation()
    assert len(linear) > 4
    assert nearest == [0, 6]


def test_border_left_at_its_default():
    holes, none = pitfalls.border_left_at_its_default()
    assert holes > 1000
    assert none == 0


def test_alpha_is_no_distance():
    narrow, wide = pitfalls.alpha_is_no_distance()
    assert narrow > 5 * wide


def test_map_without_seeds():
    message = pitfalls.map_without_seeds()
    assert message is not None
    assert message.startswith("seed: got none")
    assert "seeded_map" in message
