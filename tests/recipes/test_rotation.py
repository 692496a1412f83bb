"""The rotation recipe: the nearest grey level, and every bug it names."""

from __future__ import annotations

import numpy as np
import pytest
from skimage.transform import rotate

from tests.recipes.recipe_tools import boundaries, collected, photographs, program

before, after = program("rotation", "before"), program("rotation", "after")
pitfalls = program("rotation", "pitfalls")

# One angle per photograph; right angles are where interpolation weights are exactly 0 and 1.
ANGLES = np.array([0.0, 30.0, -90.0, 45.0, 180.0, 7.25])


def test_before_and_after_agree():
    old = collected(before.build_dataset(photographs(), ANGLES))
    new = collected(after.build_dataset(photographs(), ANGLES))
    assert len(old) == len(new) == len(ANGLES)
    for image, angle, expected, got in zip(photographs(), ANGLES, old, new, strict=True):
        assert got.dtype == expected.dtype == np.uint8
        assert got.shape == expected.shape
        exact = rotate(image.astype(np.float64), angle, mode="reflect", preserve_range=True)
        # Rounding may go either way only where the exact value is half-way between two levels.
        between = np.abs(exact % 1 - 0.5) < 1e-9
        np.testing.assert_array_equal(got[~between], expected[~between])
        assert np.abs(got.astype(int) - expected).max(initial=0) <= 1
        assert between.mean() < 0.3


def test_boundaries():
    assert boundaries(after.build_dataset(photographs(), ANGLES)) == set()
    assert boundaries(before.build_dataset(photographs(), ANGLES)) == {"PyFunc"}


def test_static_shapes():
    assert after.build_dataset(photographs(), ANGLES).element_spec.shape == (48, 64, 3)
    assert before.build_dataset(photographs(), ANGLES).element_spec.shape.rank is None


def test_uint8_comes_back_as_float64():
    assert "is double, but expects uint8" in pitfalls.uint8_comes_back_as_float64()


def test_cast_without_preserve_range():
    assert pitfalls.cast_without_preserve_range().max() <= 1


def test_cast_without_rounding():
    assert 0.4 < pitfalls.cast_without_rounding() < 0.6


def test_classes_invented_by_interpolation():
    linear, nearest, native = pitfalls.classes_invented_by_interpolation()
    assert set(linear) == set(range(8))
    assert set(nearest) == set(native) == {0, 7}


def test_radians_for_degrees():
    given, right = pitfalls.radians_for_degrees()
    assert given > 0.5
    assert right < 1e-9


def test_stock_kernel_borders():
    errors = pitfalls.stock_kernel_borders()
    assert all(native < 1e-4 for _stock, native in errors.values())
    assert all(errors[mode][0] < 1e-4 for mode in ("constant", "edge", "symmetric"))
    assert all(errors[mode][0] > 0.1 for mode in ("reflect", "wrap"))


def test_stock_kernel_truncates_bytes():
    stock, native = pitfalls.stock_kernel_truncates_bytes()
    assert 0.4 < stock < 0.6
    assert native < 1e-3


def test_rotations_of_opencv_4_and_5():
    most, fraction = pitfalls.rotations_of_opencv_4_and_5()
    assert most == 4
    assert 0.09 < fraction < 0.11


def test_import_changed_wrapper_left():
    messages = pitfalls.import_changed_wrapper_left()
    assert len(messages) == 1
    assert "pipeport.skimage.transform.rotate" in messages[0]
    assert "pitfalls.py" in messages[0]


def test_stalls_while_python_is_busy():
    behind, native = pitfalls.stalls_while_python_is_busy()
    assert behind == 0
    assert native > 0


@pytest.mark.parametrize("resize", [False, True])
def test_shape_with_resize(resize):
    """With a tensor angle and `resize` the size depends on data, as the README says."""
    import tensorflow as tf

    from pipeport.skimage.transform import rotate as native

    rotated = tf.data.Dataset.from_tensor_slices((photographs(), ANGLES)).map(
        lambda image, angle: native(image, angle, resize=resize)
    )
    assert rotated.element_spec.shape.as_list() == ([None, None, 3] if resize else [48, 64, 3])
