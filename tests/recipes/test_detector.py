"""The recipe for a detector: each target is an object of its mosaic; one distribution; every bug."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf
from scipy import stats

import pipeport
from tests.recipes.recipe_tools import boundaries, collected, program
from tests.recipes.test_port_a_body import functions

pytest.importorskip("cv2")
before, after = program("detector", "before"), program("detector", "after")
pitfalls = program("detector", "pitfalls")

# One false alarm in a million; the draws are the same on every run.
FALSE_ALARM = 1e-6
MOSAICS = 40


def objects() -> tuple[np.ndarray, np.ndarray]:
    """Return grey images with two brighter squares each, and their boxes."""
    boxes = np.float32([[8, 12, 56, 60], [70, 30, 110, 70]])
    image = np.full((90, 120, 3), 60, np.uint8)
    for (left, top, right, bottom), level in zip(boxes.astype(int), (140, 220), strict=True):
        image[top:bottom, left:right] = level
    return np.stack([image] * 4 * MOSAICS), np.stack([boxes] * 4 * MOSAICS)


@pytest.fixture(scope="module")
def augmented() -> tf.data.Dataset:
    return after.build_dataset(*objects(), parallel_calls=2)


def described(image: np.ndarray, grid: np.ndarray) -> tuple[float, float, float]:
    """Return how many targets there are, their area and where they are; raise unless each is an object."""
    assert (image.dtype, grid.dtype) == (np.float32, np.float32)
    filled = np.argwhere(grid[..., 0])
    for row, column in filled:
        left, top, right, bottom = grid[row, column, 1:] * before.SIDE
        x, y = (left + right) / 2, (top + bottom) / 2
        assert (int(y / before.SIDE * 8), int(x / before.SIDE * 8)) == (row, column)
        assert image[int(y), int(x), 0] > 130 / 255
    found = grid[grid[..., 0] > 0][:, 1:]
    areas = (found[:, 2] - found[:, 0]) * (found[:, 3] - found[:, 1])
    return len(filled), areas.sum(), found[:, 0].mean()


def test_before_and_after_agree(augmented):
    np.random.seed(0)
    old = np.array([described(*one) for one in collected(before.build_dataset(*objects()))])
    new = np.array([described(*one) for one in collected(augmented)])
    assert old.shape == new.shape == (MOSAICS, 3)
    for column in range(3):
        assert stats.ks_2samp(old[:, column], new[:, column]).pvalue > FALSE_ALARM
        assert len(set(new[:, column])) > 1, "nothing is drawn"


def test_a_target_elsewhere_is_noticed(augmented):
    image, grid = collected(augmented)[0]
    with pytest.raises(AssertionError):
        described(image, np.roll(grid, 1, axis=0))
    with pytest.raises(AssertionError):
        described(image * 0, grid)


def test_under_the_same_draws():
    """`example` draws as the function does, and raises if they differ."""
    images, boxes = objects()
    image, moved = before.letterbox(images[0], boxes[0])
    ported = pipeport.port(before.letterbox, example=(images[0], boxes[0]))
    assert np.abs(np.asarray(ported(images[0], boxes[0])[0]).astype(int) - image).max() <= 1
    four = np.stack([image] * 4), np.stack([moved] * 4)
    assert pipeport.port(before.prepare, example=four).original is before.prepare


def test_reproducible():
    images, boxes = objects()
    runs = [after.build_dataset(images[:32], boxes[:32], parallel_calls=count) for count in (1, 8)]
    for one, other in zip(*map(collected, runs), strict=True):
        np.testing.assert_array_equal(one[0], other[0])
        np.testing.assert_array_equal(one[1], other[1])


def test_the_body_is_the_same():
    old, new = (functions("detector", file) for file in ("before.py", "after.py"))
    changed = [name for name in old if old[name] != new.get(name)]
    assert changed == ["tf_letterbox", "tf_prepare", "build_dataset"]


def test_boundaries(augmented):
    assert boundaries(augmented) == set()
    images, boxes = objects()
    assert boundaries(before.build_dataset(images[:4], boxes[:4])) == {"PyFunc"}


def test_static_shapes(augmented):
    assert [one.shape.as_list() for one in augmented.element_spec] == [[256, 256, 3], [8, 8, 5]]


def test_images_with_other_numbers_of_boxes():
    message, left = pitfalls.images_with_other_numbers_of_boxes()
    assert "Cannot batch tensors with different shapes" in message
    assert left == 3


def test_boxes_outside_of_their_part():
    assert pitfalls.boxes_outside_of_their_part() == [3, 2]


def test_two_boxes_in_a_cell():
    assert pitfalls.two_boxes_in_a_cell() == [30, 30]


def test_a_draw_for_each_image():
    apart, together = pitfalls.a_draw_for_each_image()
    assert apart > 1
    assert together == 1
