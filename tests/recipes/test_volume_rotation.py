"""The recipe for volumes: SciPy's cubic rotation, clipped, and every bug it names."""

from __future__ import annotations

import numpy as np

from tests.recipes.recipe_tools import boundaries, collected, photographs, program

before, after = program("volume-rotation", "before"), program("volume-rotation", "after")
pitfalls = program("volume-rotation", "pitfalls")

# Right angles put every coordinate on a voxel, tiny ones beside it.
ANGLES = np.array([0.0, 30.0, -90.0, 180.0, 7.25])


def volumes() -> np.ndarray:
    """Return volumes (N, H, W, D) in [0, 1]: the grey levels of photographs, drifting from slice to slice."""
    grey = photographs(count=len(ANGLES)).mean(-1).astype(np.float32) / 255
    return np.stack([np.roll(grey, shift, axis=1) for shift in range(5)], axis=-1)


def test_before_and_after_agree():
    old = collected(before.build_dataset(volumes(), ANGLES))
    new = collected(after.build_dataset(volumes(), ANGLES))
    assert len(old) == len(new) == len(ANGLES)
    for angle, expected, got in zip(ANGLES, old, new, strict=True):
        assert got.dtype == expected.dtype == np.float32
        assert got.shape == expected.shape
        assert got.min() >= 0
        assert got.max() <= 1
        # SciPy jumps to its fill at the border: a voxel on it may take either side.
        apart = np.abs(got - expected) > 1e-6
        if angle % 90:
            assert not apart.any()
        else:
            assert not apart[1:-1, 1:-1].any()


def test_boundaries():
    assert boundaries(after.build_dataset(volumes(), ANGLES)) == set()
    assert boundaries(before.build_dataset(volumes(), ANGLES)) == {"PyFunc"}


def test_static_shapes():
    assert after.build_dataset(volumes(), ANGLES).element_spec.shape == (48, 64, 5)
    assert before.build_dataset(volumes(), ANGLES).element_spec.shape.rank is None


def test_overshoot_without_a_clip():
    theirs, ours = pitfalls.overshoot_without_a_clip()
    assert theirs[0] < -0.05
    assert theirs[1] > 1.05
    np.testing.assert_allclose(ours, theirs, atol=1e-6)


def test_depth_first_with_the_default_axes():
    spread = pitfalls.depth_first_with_the_default_axes()
    assert spread[1, 0] > 1
    assert spread[1, 2] < 1e-5


def test_reshape_left_at_its_default():
    grown, kept = pitfalls.reshape_left_at_its_default()
    assert grown == [None, None, 6]
    assert kept == [24, 20, 6]


def test_classes_invented_by_the_spline():
    cubic, nearest = pitfalls.classes_invented_by_the_spline()
    assert len(set(cubic) - {0, 7}) > 3
    assert set(nearest) == {0, 7}


def test_angle_drawn_while_tracing():
    frozen, free = pitfalls.angle_drawn_while_tracing()
    assert frozen == 1
    assert free == 8
