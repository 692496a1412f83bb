"""Coordinates have one value, also where a compiler computes them anew in each loop that needs them."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from pipeport.kernels.addons import _maps as addons_maps
from pipeport.kernels.opencv import _warp_maps as opencv_maps
from pipeport.kernels.pillow import _affine as pillow
from pipeport.kernels.sampling import _affine_maps, _coordinates, _maps
from tests.warps import geometries

pytestmark = pytest.mark.newest_only

OUT = (35, 33)
EXACT = opencv_maps.Form(True, False)
STEPS, PIXELS = opencv_maps.Form(False, False), opencv_maps.Form(False, True)


def drawn(draw, count=100):
    """Return matrices that put samples on ties, whole pixels and borders."""
    random = np.random.default_rng(0)
    return np.stack([draw(random, *OUT) for _ in range(count)])


def flat(matrices):
    return matrices.reshape(len(matrices), -1)


AFFINE, PROJECTIVE = drawn(geometries.matrix), drawn(geometries.homography)
ADDONS = flat(PROJECTIVE).astype(np.float32)[:, :8]
SIZE = np.array(OUT, np.int32)
SIZES = tuple(float(side) for side in OUT)
ANGLES = np.arange(100.0) * 3.6 - 180


def of_addons(make):
    """Return a map of Addons, which stores by a function that it is given, as others are."""

    def coordinates(*parameters):
        found = make(parameters, OUT, SIZE, lambda stored: stored())
        return _coordinates.whole([found[0] + tf.zeros([1, *OUT]), found[1] + tf.zeros([1, *OUT])])

    return coordinates


def of_opencv(make, form):
    return lambda matrix: make((matrix,), OUT, form)


# Coordinates as functions of tensors, and those.
MAPS = {
    "plane": (lambda m: _affine_maps.coordinates(m, *OUT), flat(AFFINE)),
    "plane, projective": (lambda m: _affine_maps.coordinates(m, *OUT), flat(PROJECTIVE)),
    "affine": (lambda m, o: _maps.affine((m, o), OUT, OUT), AFFINE[:, :, :2], AFFINE[:, :, 2]),
    "projective": (lambda m: _maps.plane_projective((m,), OUT, OUT), PROJECTIVE),
    "scaled": (lambda f, o: _maps.scaled((f, o), OUT, OUT), 1 / (AFFINE[:, 0, :2] + 4.1), AFFINE[:, :, 2]),
    "of a matrix": (
        lambda m: _maps.plane_of(_affine_maps.of_matrix)((m,), OUT, OUT),
        flat(AFFINE),
    ),
    "cv2.warpAffine": (of_opencv(opencv_maps.affine, EXACT), flat(AFFINE)),
    "cv2.warpAffine, inverted": (of_opencv(opencv_maps.inverse_affine, EXACT), flat(AFFINE)),
    "cv2.warpAffine, steps": (of_opencv(opencv_maps.affine, STEPS), flat(AFFINE)),
    "cv2.warpAffine, pixels": (of_opencv(opencv_maps.affine, PIXELS), flat(AFFINE)),
    "cv2.warpPerspective": (of_opencv(opencv_maps.projective, EXACT), flat(PROJECTIVE)),
    "cv2.warpPerspective, inverted": (of_opencv(opencv_maps.inverse_projective, EXACT), flat(PROJECTIVE)),
    "cv2.warpPerspective, steps": (of_opencv(opencv_maps.projective, STEPS), flat(PROJECTIVE)),
    "PIL.Image.transform": (lambda m: pillow._points(m, OUT), flat(AFFINE)),
    "tensorflow_addons.image.transform": (of_addons(addons_maps.projective), ADDONS),
    "tensorflow_addons.image.rotate": (
        of_addons(addons_maps.about_middle),
        np.cos(np.radians(ANGLES)).astype(np.float32),
        np.sin(np.radians(ANGLES)).astype(np.float32),
    ),
    "shear": (of_addons(addons_maps.along_columns), (ANGLES / 97).astype(np.float32)),
}
# Where XLA of today multiplies in the loop that adds. It stores other products, which many pixels need.
SPLIT = (
    "plane",
    "plane, projective",
    "of a matrix",
    "cv2.warpAffine",
    "cv2.warpAffine, inverted",
    "cv2.warpPerspective",
    "cv2.warpPerspective, inverted",
    "tensorflow_addons.image.rotate",
)


def computed(name):
    """Return pixels and parts, by operations and by one program that keeps nothing in memory."""
    make, *parameters = MAPS[name]
    tensors = [tf.constant(one) for one in parameters]

    def positions(*given):
        found = _coordinates.in_memory(lambda: make(*given), tf.constant(True))()
        return [_coordinates.split(axis) if axis.dtype.is_floating else (axis,) for axis in found]

    program = tf.function(positions, jit_compile=True, autograph=False)
    return [[axis.numpy() for axis in tf.nest.flatten(run(*tensors))] for run in (positions, program)]


@pytest.fixture(autouse=True)
def _nothing_in_memory(monkeypatch):
    monkeypatch.setattr(_coordinates, "materialize", lambda holds, make: make())


@pytest.mark.parametrize("name", MAPS)
def test_no_compiler_can_split_a_coordinate(name):
    for one, again in zip(*computed(name), strict=True):
        np.testing.assert_array_equal(one, again)


@pytest.mark.parametrize("name", SPLIT)
def test_products_that_are_not_rounded_alone_move_pixels(monkeypatch, name):
    monkeypatch.setattr(_coordinates, "alone", lambda number: number)
    apart = [(one != again).sum() for one, again in zip(*computed(name), strict=True)]
    assert sum(apart[::2]) > 0


def test_a_number_alone_is_the_number_and_has_its_gradient():
    numbers = np.array([0.0, -0.0, 1.5, -3e-45, np.inf, -np.inf, np.nan], np.float32)

    def run(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            found = _coordinates.alone(x)
        return found, tape.gradient(found, x)

    for dtype in (tf.float32, tf.float64):
        given = tf.cast(numbers, dtype)
        for compiled in (False, True):
            found, gradient = tf.function(run, jit_compile=compiled)(given)
            assert found.dtype == dtype
            np.testing.assert_array_equal(found, given)
            np.testing.assert_array_equal(np.signbit(found), np.signbit(given))
            np.testing.assert_array_equal(gradient, np.ones(numbers.shape))
