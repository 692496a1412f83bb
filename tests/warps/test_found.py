"""The calls in which compiled graphs once gave single pixels their neighbour's value."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
import scipy.ndimage
import skimage.transform
import tensorflow as tf

import pipeport.cv2 as cv2_natives
from pipeport.idioms import rotate_volume
from pipeport.scipy import ndimage
from pipeport.skimage import transform

pytestmark = pytest.mark.newest_only

RANDOM = np.random.default_rng(0)
COMPILED = (False, True)


def traced(native, compiled):
    return tf.function(native, jit_compile=compiled or None)


def python_and_tensors(*angles):
    """Return the first angle as a Python number, a trace of its own, and all as tensors, which share one."""
    return [(angles[0], angles[0]), *((angle, tf.constant(angle, tf.float64)) for angle in angles)]


@pytest.mark.parametrize("compiled", COMPILED, ids=("graph", "compiled by the user"))
@pytest.mark.parametrize(
    ("side", "dtype", "flags", "most"),
    [
        (32, "uint8", 1, 0),
        (224, "uint8", 1, 0),
        (224, "float32", 1, 4e-5),
        (224, "uint8", 2, 1),
        (224, "uint8", 0, 0),
    ],
)
def test_warp_affine_by_whole_degrees(side, dtype, flags, most, compiled):
    image = RANDOM.integers(0, 256, (side, side)).astype(dtype)
    image = image / np.float32(255) if dtype == "float32" else image
    native = traced(lambda src, M: cv2_natives.warpAffine(src, M, (side, side), flags=flags), compiled)
    wrong = []
    # A graph compiles the same by itself: every degree there, every fourth where the user compiles.
    every = side == 32 or (flags == 1 and not compiled)
    for degrees in range(1, 360, 1 if every else 4):
        turn = cv2.getRotationMatrix2D((side / 2, side / 2), degrees, 1)
        ours, theirs = native(image, turn).numpy(), cv2.warpAffine(image, turn, (side, side), flags=flags)
        if np.abs(ours.astype(float) - theirs).max() > most:
            wrong.append(degrees)
    assert wrong == []


def test_warp_affine_of_a_full_frame():
    image = RANDOM.integers(0, 256, (1080, 1920), np.uint8)
    turn = cv2.getRotationMatrix2D((960, 540), 33.3, 1.1)
    native = traced(lambda src, M: cv2_natives.warpAffine(src, M, (1920, 1080)), False)
    assert (
        np.abs(native(image, turn).numpy().astype(int) - cv2.warpAffine(image, turn, (1920, 1080))).max() == 0
    )


@pytest.mark.parametrize("compiled", COMPILED, ids=("graph", "compiled by the user"))
@pytest.mark.parametrize("mode", ["constant", "nearest"])
def test_ndimage_rotate_at_its_default_order(mode, compiled):
    # A graph compiles the same by itself: one of the two sizes each.
    side = 9 if compiled else 35
    image = RANDOM.random((side, side)) * 100
    native = traced(lambda x, angle: ndimage.rotate(x, angle, reshape=False, mode=mode), compiled)
    for angle, given in python_and_tensors(45.0, 135.0, 225.0, 315.0):
        right = scipy.ndimage.rotate(image, angle, reshape=False, mode=mode)
        np.testing.assert_allclose(native(image, given), right, atol=1e-9, err_msg=f"{angle}")


@pytest.mark.parametrize("compiled", COMPILED, ids=("graph", "compiled by the user"))
def test_affine_transform_by_thirds(compiled):
    image = RANDOM.random((17, 17)) * 100
    matrix = np.array([[1 / 3, 1 / 3], [-1 / 3, 2 / 3]])
    native = traced(ndimage.affine_transform, compiled)
    np.testing.assert_allclose(
        native(image, matrix), scipy.ndimage.affine_transform(image, matrix), atol=1e-9
    )


@pytest.mark.parametrize("order", [1, 3])
def test_skimage_rotate(order):
    for side in (9, 64):
        image = RANDOM.random((side, side))
        native = traced(lambda x, angle: transform.rotate(x, angle, order=order), False)
        for angle, given in python_and_tensors(45.0, 135.0, 225.0):
            right = skimage.transform.rotate(image, angle, order=order)
            np.testing.assert_allclose(native(image, given), right, atol=1e-9, err_msg=f"{side}, {angle}")


@pytest.mark.parametrize("angle", [135.0, 225.0])
def test_rotate_volume(angle):
    volume = RANDOM.random((9, 9, 3)).astype(np.float32)
    native = traced(rotate_volume, False)
    right = scipy.ndimage.rotate(volume, angle, axes=(0, 1), reshape=False)
    np.testing.assert_allclose(native(volume, angle, limits=(-9.0, 9.0)), right, atol=1e-5)


@pytest.mark.parametrize("compiled", COMPILED, ids=("graph", "compiled by the user"))
def test_coordinates_the_user_computed(compiled):
    """A user's own products are rounded as they like; the index and the weight come from one of them."""
    image = RANDOM.random((33, 33))

    def moved(x, matrix):
        row, column = tf.meshgrid(*[tf.range(33, dtype=tf.float64)] * 2, indexing="ij")
        at = [matrix[k, 0] * row + matrix[k, 1] * column + matrix[k, 2] for k in (0, 1)]
        return ndimage.map_coordinates(x, tf.stack(at), order=1, mode="mirror")

    native = traced(moved, compiled)
    for k in range(1, 12):
        matrix = np.array([[k / 3, 1 / 3, 0.5], [-1 / 7, k / 6, 2 / 3]])
        np.testing.assert_allclose(native(image, matrix), moved(tf.constant(image), matrix), atol=1e-9)
