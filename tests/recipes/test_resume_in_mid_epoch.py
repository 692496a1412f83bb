"""Resume in mid-epoch: an iterator that is saved and goes on, in another process, and every bug."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import tensorflow as tf

from tests.recipes.recipe_tools import RECIPES, boundaries, collected, program
from tests.recipes.test_port_a_body import functions

NAME = "resume-in-mid-epoch"
before, after = program(NAME, "before"), program(NAME, "after")
pitfalls = program(NAME, "pitfalls")

IMAGES = np.arange(10 * 6 * 6, dtype=np.float32).reshape(10, 6, 6) + 1
# The run that goes on: it knows the program, the images and the folder of the checkpoint.
RESUMED = """
import sys
import numpy as np

sys.path.insert(0, sys.argv[1])
import after

dataset = after.build_dataset(np.load(sys.argv[2] + "/images.npy"))
iterator, _manager = after.begun_or_resumed(dataset, sys.argv[2] + "/saved")
np.save(sys.argv[2] + "/rest.npy", [element.numpy() for element in iterator])
"""


def test_before_and_after_agree():
    """Each element is its image, mirrored or not, times a gain in the range."""
    for one in (before, after):
        found = collected(one.build_dataset(IMAGES))
        assert len(found) == 30
        for image, element in zip(np.concatenate([IMAGES] * 3), found, strict=True):
            gains = [element / image, element / image[:, ::-1]]
            (gain,) = [ratio for ratio in gains if np.ptp(ratio) < 1e-5]
            assert 0.8 <= gain.mean() <= 1.2


def test_a_run_goes_on_in_another_process(tmp_path):
    whole = collected(after.build_dataset(IMAGES))
    iterator, manager = after.begun_or_resumed(after.build_dataset(IMAGES), str(tmp_path / "saved"))
    first = [next(iterator).numpy() for _ in range(13)]
    manager.save()
    np.save(tmp_path / "images.npy", IMAGES)
    command = [sys.executable, "-c", RESUMED, str(RECIPES / NAME), str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    np.testing.assert_array_equal([*first, *np.load(tmp_path / "rest.npy")], whole)


def test_before_cannot_be_saved(tmp_path):
    iterator, manager = before.begun_or_resumed(before.build_dataset(IMAGES), str(tmp_path))
    next(iterator)
    with pytest.raises(tf.errors.FailedPreconditionError, match="PyFunc is stateful"):
        manager.save()


def test_the_body_is_the_same():
    old, new = (functions(NAME, file) for file in ("before.py", "after.py"))
    assert [name for name in old if old[name] != new.get(name)] == ["tf_augment", "build_dataset"]


def test_boundaries():
    assert boundaries(after.build_dataset(IMAGES)) == set()
    assert boundaries(before.build_dataset(IMAGES)) == {"PyFunc"}


def test_static_shapes():
    assert after.build_dataset(IMAGES).element_spec.shape == (6, 6)


def test_passes_counted_in_a_variable():
    assert "AssignAddVariableOp is stateful" in pitfalls.passes_counted_in_a_variable()


def test_resume_by_skip():
    assert pitfalls.resume_by_skip() == (True, True)


def test_size_of_the_shuffle_buffer():
    of_images, of_numbers = pitfalls.size_of_the_shuffle_buffer()
    assert of_images > 10 * of_numbers


def test_more_threads_than_before():
    assert pitfalls.more_threads_than_before() is True


def test_shuffle_without_a_seed():
    assert pitfalls.shuffle_without_a_seed() == (True, 0)
