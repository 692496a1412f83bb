"""The recipe for NIfTI volumes: patches of the volume, of one distribution, reproducible, and every bug."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf
from scipy import stats

from tests.recipes.recipe_tools import boundaries, collected, program
from tests.recipes.test_port_a_body import functions

nibabel = pytest.importorskip("nibabel")
before, after = program("nifti-patches", "before"), program("nifti-patches", "after")
pitfalls = program("nifti-patches", "pitfalls")

SIZES = (40, 36, 34)
# One false alarm in a million; the draws are the same on every run.
FALSE_ALARM = 1e-6
COUNT = 60


@pytest.fixture(scope="module")
def paths(tmp_path_factory) -> list[str]:
    """Scans whose voxels say where they are, and labels that say what their voxel is."""
    folder = tmp_path_factory.mktemp("nifti")
    place = np.arange(np.prod(SIZES)).reshape(SIZES) % 1400 - 1000
    for name, values in (("scan", place.astype(np.int16)), ("labels", (place % 7).astype(np.uint8))):
        nibabel.save(nibabel.Nifti1Image(values, np.eye(4)), folder / f"{name}0.nii.gz")
    return [str(folder / "scan0.nii.gz")]


@pytest.fixture(scope="module")
def augmented(paths) -> tf.data.Dataset:
    return after.build_dataset(paths * COUNT, parallel_calls=2)


@pytest.fixture(scope="module")
def patches(augmented) -> list[tuple[np.ndarray, np.ndarray]]:
    """The first pass, the only one over this dataset."""
    return collected(augmented)


def corner(scan: np.ndarray, labels: np.ndarray) -> tuple[int, int, int, bool]:
    """Return where a patch is from and whether it is mirrored; raise unless it is of the volume."""
    whole = (np.arange(np.prod(SIZES)).reshape(SIZES) % 1400) / np.float32(1400)
    assert scan.shape == (32, 32, 32, 1)
    assert (scan.dtype, labels.dtype) == (np.float32, np.uint8)
    for mirrored in (False, True):
        given = scan[::-1, ..., 0] if mirrored else scan[..., 0]
        for found in np.argwhere(np.abs(whole[:9, :5, :3] - given[0, 0, 0]) < 1e-6):
            x, y, z = map(int, found)
            part = np.s_[x : x + 32, y : y + 32, z : z + 32]
            if np.allclose(whole[part], given, atol=1e-6):
                classes = (np.rint(whole[part] * 1400).astype(int) - 1000) % 7
                np.testing.assert_array_equal(labels[::-1] if mirrored else labels, classes)
                return x, y, z, mirrored
    raise AssertionError("no part of the volume")


def test_before_and_after_agree(paths, patches):
    np.random.seed(0)
    old = np.array([corner(*patch) for patch in collected(before.build_dataset(paths * COUNT))])
    new = np.array([corner(*patch) for patch in patches])
    for column in range(4):
        assert stats.ks_2samp(old[:, column], new[:, column]).pvalue > FALSE_ALARM
        assert len(set(new[:, column])) > 1, "nothing is drawn"


def test_another_volume_is_noticed(patches):
    scan, labels = patches[0]
    with pytest.raises(AssertionError):
        corner(scan + 0.5, labels)
    with pytest.raises(AssertionError):
        corner(scan, labels + 1)


def test_reproducible(paths, patches):
    again = collected(after.build_dataset(paths * COUNT, parallel_calls=8))
    for one, other in zip(patches, again, strict=True):
        np.testing.assert_array_equal(one[0], other[0])
        np.testing.assert_array_equal(one[1], other[1])


def test_the_body_is_the_same():
    old, new = (functions("nifti-patches", file) for file in ("before.py", "after.py"))
    assert [name for name in old if old[name] != new.get(name)] == ["tf_patch", "build_dataset"]


def test_boundaries(paths, augmented):
    assert boundaries(augmented) == set()
    assert boundaries(before.build_dataset(paths)) == {"PyFunc"}


def test_static_shapes(augmented):
    scan, labels = augmented.element_spec
    assert scan.shape == (32, 32, 32, 1)
    assert labels.shape == (32, 32, 32)


def test_number_of_axes():
    message, known = pitfalls.number_of_axes()
    assert "unknown rank" in message
    assert known == [4, None, None]


def test_sizes_of_another_volume():
    assert pitfalls.sizes_of_another_volume() == (4, None)


def test_volume_smaller_than_the_patch():
    old, new = pitfalls.volume_smaller_than_the_patch()
    assert "high <= 0" in old
    assert "an empty range" in new


def test_slope_in_the_header():
    old, new = pitfalls.slope_in_the_header()
    assert old == new == 2 * (np.prod(pitfalls.SIZES) - 1) - 1000


def test_labels_as_floats():
    assert pitfalls.labels_as_floats() == ["float64", "uint8"]
