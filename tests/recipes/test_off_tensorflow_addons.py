"""The recipe that leaves TensorFlow Addons: one import changed, the same images, and every bug it names."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
import tensorflow as tf
from scipy import ndimage

from tests.recipes.recipe_tools import RECIPES, boundaries, collected, photographs, program

pytestmark = pytest.mark.both

after, pitfalls = (program("off-tensorflow-addons", file) for file in ("after", "pitfalls"))
LABELS = np.arange(len(photographs()))

with_addons = pytest.mark.skipif(
    importlib.util.find_spec("tensorflow_addons") is None,
    reason="before.py needs TensorFlow Addons, which this TensorFlow cannot load; `nox -s addons` runs it",
)


def before():
    return program("off-tensorflow-addons", "before")


def kernel(image: np.ndarray, maps: np.ndarray, mode: str) -> np.ndarray:
    """Warp as Addons does: with the kernel that every TensorFlow has."""
    return tf.raw_ops.ImageProjectiveTransformV3(
        images=image[np.newaxis],
        transforms=np.asarray(maps, np.float32)[np.newaxis],
        output_shape=image.shape[:2],
        interpolation="BILINEAR",
        fill_mode=mode,
        fill_value=0.0,
    )[0].numpy()


def by_hand(image: np.ndarray, seed: tf.Tensor) -> np.ndarray:
    """Return what before.py is to give, with neither Addons nor pipeport."""
    turn, move, tilt, bend = tf.unstack(tf.random.split(seed, 4))
    height, width = image.shape[:2]
    angle, (right, down) = after.draw(turn, [], 0.3).numpy(), after.draw(move, [2], 6.0).numpy()
    x, y, cos, sin = (width - 1) / 2, (height - 1) / 2, np.cos(angle), np.sin(angle)
    image = (image / np.float32(255)).astype(np.float32)
    image = kernel(
        image, [cos, -sin, x - cos * x + sin * y, sin, cos, y - sin * x - cos * y, 0, 0], "REFLECT"
    )
    image = kernel(image, [1, 0, -right, 0, 1, -down, 0, 0], "NEAREST")
    image = kernel(image, [1, 0, 0, 0, 1, 0, *after.draw(tilt, [2], 4e-4).numpy()], "NEAREST")
    coarse = after.draw(bend, [1, 6, 6, 2], 4.0)
    flow = tf.image.resize(coarse, (height, width), method="bicubic")[0].numpy()
    places = np.indices((height, width)) - np.moveaxis(flow, -1, 0)
    planes = [
        ndimage.map_coordinates(plane, places, order=1, mode="nearest") for plane in np.moveaxis(image, -1, 0)
    ]
    return np.stack(planes, axis=-1)


@with_addons
def test_before_and_after_agree():
    old = collected(before().build_dataset(photographs(), LABELS))
    new = collected(after.build_dataset(photographs(), LABELS))
    assert len(old) == len(new) == len(LABELS)
    for (expected, label), (image, number) in zip(old, new, strict=True):
        assert image.dtype == expected.dtype == np.float32
        np.testing.assert_allclose(image, expected, atol=1e-4)
        assert number == label


def test_after_is_the_kernels_answer():
    """On every TensorFlow, without Addons; a tenth of a pixel would be noticed."""
    moved = []
    for index, (image, label) in enumerate(collected(after.build_dataset(photographs(), LABELS))):
        expected = by_hand(photographs()[index], tf.constant([42, index], tf.int64))
        assert label == index
        np.testing.assert_allclose(image, expected, atol=1e-4)
        moved.append(np.abs(ndimage.shift(expected, (0, 0.1, 0), order=1, mode="nearest") - image).max())
    assert min(moved) > 1e-3


def test_only_the_import_changed():
    old, new = (
        (RECIPES / "off-tensorflow-addons" / f"{file}.py").read_text().splitlines()[1:]
        for file in ("before", "after")
    )
    removed, added = (sorted(set(one) - set(other)) for one, other in ((old, new), (new, old)))
    assert removed == ["import tensorflow_addons as tfa"]
    assert added == ["import pipeport.tensorflow_addons as tfa"]


def test_each_image_and_each_seed_has_draws_of_its_own():
    same = np.stack([photographs()[0]] * 3)
    first, again, other = (
        np.stack([image for image, _label in after.build_dataset(same, LABELS[:3], seed=seed)])
        for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first, again)
    assert len({image.tobytes() for image in (*first, *other)}) == 6


def test_boundaries():
    """A graph already: what is wrong with Addons is not a boundary."""
    assert boundaries(after.build_dataset(photographs(), LABELS)) == set()


@with_addons
def test_boundaries_before():
    assert boundaries(before().build_dataset(photographs(), LABELS)) == set()


def test_static_shapes():
    image, label = after.build_dataset(photographs(), LABELS).element_spec
    assert image.shape == (48, 64, 3)
    assert label.shape == ()


@with_addons
def test_static_shapes_before():
    specs = [side.build_dataset(photographs(), LABELS).element_spec for side in (before(), after)]
    assert specs[0] == specs[1]


def test_degrees_for_radians():
    given, right = pitfalls.degrees_for_radians()
    assert given > 0.5
    assert right < 1e-6


def test_interpolated_bytes_are_truncated():
    truncated, rounded = pitfalls.interpolated_bytes_are_truncated()
    assert 0.4 < truncated < 0.6
    assert rounded < 1e-3


def test_reflect_of_another_library():
    errors = pitfalls.reflect_of_another_library()
    assert errors["symmetric"] < 1e-4
    assert errors["reflect"] > 0.1


def test_matrix_from_input_to_output():
    forward, inverted, translated = pitfalls.matrix_from_input_to_output()
    assert forward == (4, 5)
    assert inverted == translated == (4, 11)


def test_columns_first_or_rows_first():
    translated, bent = pitfalls.columns_first_or_rows_first()
    assert translated == (4, 11)
    assert bent == (7, 8)


def test_grey_batch_taken_for_one_image():
    taken, given = pitfalls.grey_batch_taken_for_one_image()
    assert not taken
    assert given


def test_interpolation_that_was_never_there():
    message = pitfalls.interpolation_that_was_never_there()
    assert "interpolation: got 'bicubic'; allowed: 'nearest', 'bilinear'" in message


def test_class_map_bent():
    bent, one_hot = pitfalls.class_map_bent()
    assert set(bent) == set(range(8))
    assert set(one_hot) == {0, 7}


def test_stock_kernel_under_xla():
    message, changed = pitfalls.stock_kernel_under_xla()
    assert "ImageProjectiveTransformV3" in message
    assert "unsupported" in message.lower()
    assert changed < 1e-6
