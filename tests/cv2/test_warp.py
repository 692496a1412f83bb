"""OpenCV's warps beyond what the contracts draw: known answers, both versions, forms, sizes, refusals."""

from __future__ import annotations

import math

import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport import config
from pipeport.cv2 import (
    BORDER_REFLECT,
    BORDER_TRANSPARENT,
    INTER_CUBIC,
    INTER_LANCZOS4,
    INTER_LINEAR,
    INTER_NEAREST,
    WARP_INVERSE_MAP,
    WARP_RELATIVE_MAP,
    getAffineTransform,
    getPerspectiveTransform,
    getRotationMatrix2D,
    invertAffineTransform,
    remap,
    warpAffine,
    warpPerspective,
)
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType
from pipeport.kernels.opencv._warp_solve import solve
from pipeport.kernels.opencv._warp_tables import SCALE, byte_weights, weights

pytestmark = pytest.mark.both

cv2 = pytest.importorskip("cv2")
VERSION = int(cv2.__version__.split(".")[0])
IMAGE = np.random.default_rng(0).integers(0, 256, (33, 41, 3)).astype(np.uint8)
TURN = np.array([[0.87, 0.5, -3.2], [-0.5, 0.87, 9.4]])


@pytest.fixture(autouse=True)
def _installed_version():
    with config.use_opencv(VERSION):
        yield


def compiled(function, *arguments):
    return tf.function(function, autograph=False)(*map(tf.constant, arguments)).numpy()


@pytest.mark.parametrize("flags", [INTER_NEAREST, INTER_LINEAR, INTER_LANCZOS4])
@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_bytes_are_opencv_s_but_for_ties(flags, channels):
    image = np.tile(IMAGE, (1, 1, 2))[..., :channels]
    expected = cv2.warpAffine(image, TURN, (64, 48), flags=flags)
    found = [warpAffine(image, TURN, (64, 48), flags=flags).numpy()]
    # Compiled in every interpolation, and in the usual one for every number of channels.
    if channels == 3 or flags == INTER_LINEAR:
        found.append(compiled(lambda i, m: warpAffine(i, m, (64, 48), flags=flags), image, TURN))
    for got in found:
        assert got.shape == expected.shape
        assert (got != expected).mean() < 1e-3


def test_versions_differ_by_the_grid_of_a_thirty_second():
    shift = np.array([[1.0, 0.0, -0.26], [0.0, 1.0, 0.0]])
    ramp = np.arange(0, 320, 32, dtype=np.float32)[np.newaxis]
    with config.use_opencv(5):
        exact = warpAffine(ramp, shift, (9, 1)).numpy()
    with config.use_opencv(4):
        stepped = warpAffine(ramp, shift, (9, 1)).numpy()
    np.testing.assert_allclose(exact, ramp[:, :9] + 32 * 0.26, rtol=1e-6)
    np.testing.assert_array_equal(stepped, ramp[:, :9] + 8)  # 8.32 of 32 steps


def test_setting_is_checked_and_restored(monkeypatch):
    with pytest.raises(UnsupportedArgument, match="version"):
        config.set_opencv(3)
    with config.use_opencv(4):
        assert config.opencv() == 4
    config.set_opencv(None)
    monkeypatch.setenv("PIPEPORT_OPENCV", "4")
    assert config.opencv() == 4
    monkeypatch.setenv("PIPEPORT_OPENCV", "latest")
    with pytest.raises(UnsupportedArgument, match="PIPEPORT_OPENCV"):
        config.opencv()


@pytest.mark.parametrize("taps", [4, 8])
def test_weights_sum_to_one(taps):
    np.testing.assert_allclose(weights(taps).sum(axis=1), 1, atol=1e-6)
    assert (byte_weights(taps).sum(axis=(1, 2)) == SCALE).all()


def test_unknown_sizes_give_the_same():
    expected = compiled(lambda i: warpAffine(i, TURN, (50, 40), borderValue=(9, 8, 7)), IMAGE)
    spec = tf.TensorSpec([None, None, 3], tf.uint8)
    traced = tf.function(lambda i: warpAffine(i, TURN, (50, 40), borderValue=(9, 8, 7)), autograph=False)
    graph = traced.get_concrete_function(spec)
    assert graph.structured_outputs.shape == (40, 50, 3)
    np.testing.assert_array_equal(graph(tf.constant(IMAGE)).numpy(), expected)


def test_a_batch_is_its_images_one_by_one():
    images = np.stack([IMAGE, IMAGE[::-1]])
    matrices = np.stack([TURN, TURN * 0.9])
    got = compiled(lambda i, m: pipeport.batched(warpAffine)(i, m, (30, 20)), images, matrices)
    for image, matrix, one in zip(images, matrices, got, strict=True):
        assert (one != warpAffine(image, matrix, (30, 20)).numpy()).mean() < 1e-3


def test_one_map_of_pairs_is_two_planes():
    columns, rows = (np.random.default_rng(k).uniform(-9, 50, (8, 9)).astype(np.float32) for k in (1, 2))
    both = remap(IMAGE, np.stack([columns, rows], axis=-1), None, INTER_LINEAR)
    np.testing.assert_array_equal(both.numpy(), remap(IMAGE, columns, rows, INTER_LINEAR).numpy())


def test_relative_maps_of_zeros_change_nothing():
    zeros = np.zeros(IMAGE.shape[:2], np.float32)
    same = remap(IMAGE, zeros, zeros, INTER_LINEAR | WARP_RELATIVE_MAP)
    np.testing.assert_array_equal(same.numpy(), IMAGE)


def test_far_cubic_coordinates_are_brought_near_as_in_opencv():
    columns = np.array([[-100.25, -30.5, 80.25, 300.75]], np.float32)
    rows = np.full_like(columns, 7.5)
    image = IMAGE.astype(np.float32)
    expected = cv2.remap(image, columns, rows, INTER_CUBIC, borderMode=BORDER_REFLECT)
    got = remap(image, columns, rows, INTER_CUBIC, borderMode=BORDER_REFLECT).numpy()
    np.testing.assert_allclose(got, expected, atol=1e-3)


def test_perspective_of_an_affine_map_is_the_affine_warp():
    matrix = np.vstack([TURN, [0, 0, 1]])
    flags = INTER_LINEAR | WARP_INVERSE_MAP
    affine = warpAffine(IMAGE, TURN, (40, 30), flags=flags).numpy().astype(int)
    projective = warpPerspective(IMAGE, matrix, (40, 30), flags=flags).numpy().astype(int)
    # OpenCV 4 rounds the two kinds of coordinates at different places.
    assert (np.abs(affine - projective) > 0).mean() < (0.5 if VERSION == 4 else 1e-3)


def test_matrices_are_constants_when_nothing_is_a_tensor():
    @tf.function
    def graph():
        return getRotationMatrix2D((5, 5), 30, 1.0)

    concrete = graph.get_concrete_function()
    assert not any(node.op in ("Cos", "Sin") for node in concrete.graph.as_graph_def().node)
    assert math.isclose(float(concrete()[0, 0]), math.cos(math.pi / 6))


def test_matrices_of_batches():
    angles = np.array([0.0, 30.0, 90.0])
    together = pipeport.batched(getRotationMatrix2D)((3.0, 4.0), angles, 2.0).numpy()
    for angle, one in zip(angles, together, strict=True):
        np.testing.assert_allclose(one, cv2.getRotationMatrix2D((3.0, 4.0), angle, 2.0), atol=1e-12)
    source = np.random.default_rng(3).uniform(0, 50, (2, 4, 2)).astype(np.float32)
    target = source[0]
    maps = pipeport.batched(getPerspectiveTransform)(source, target).numpy()
    np.testing.assert_allclose(maps[1], cv2.getPerspectiveTransform(source[1], target), atol=1e-9)
    inverse = pipeport.batched(invertAffineTransform)(np.stack([TURN, 2 * TURN])).numpy()
    np.testing.assert_allclose(inverse[1], cv2.invertAffineTransform(2 * TURN), atol=1e-12)


def test_points_in_a_line_and_maps_without_inverse_give_zeros():
    line = np.array([[1, 1], [2, 2], [7, 7]], np.float32)
    assert not getAffineTransform(line, line + 1).numpy().any()
    assert not invertAffineTransform(np.array([[1.0, 2.0, 3.0], [2.0, 4.0, 5.0]])).numpy().any()


def test_a_solution_of_eight_equations_traces_few_operations():
    specs = [tf.TensorSpec([1, 8, 8], tf.float64), tf.TensorSpec([1, 8], tf.float64)]
    graph = tf.function(solve, autograph=False).get_concrete_function(*specs).graph
    # 983 where each element was a slice with three constants.
    assert len(graph.get_operations()) <= 700


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"dst": IMAGE}, UnsupportedArgument, "dst"),
        ({"hint": 2}, UnsupportedArgument, "hint"),
        ({"flags": 5}, UnsupportedArgument, "INTER_LANCZOS4"),
        ({"borderMode": BORDER_TRANSPARENT}, UnsupportedArgument, "BORDER_TRANSPARENT"),
        ({"borderValue": "red"}, UnsupportedArgument, "borderValue"),
        ({"borderValue": [None]}, WrongType, "borderValue"),
        ({"borderValue": (1, 2, 3, 4, 5)}, OutsideDomain, "5 numbers"),
        ({"borderValue": math.nan}, OutsideDomain, "finite"),
        ({"dsize": (3.0, 4)}, UnsupportedArgument, "dsize"),
        ({"M": np.eye(3)}, OutsideDomain, r"shape \(2, 3\)"),
        ({"M": np.full((2, 3), np.nan)}, OutsideDomain, "finite"),
        ({"src": IMAGE[:0]}, OutsideDomain, "no pixels"),
        ({"src": IMAGE.astype(np.float16)}, OutsideDomain, "float16"),
    ],
)
def test_refusals_say_what_is_allowed(arguments, error, words):
    with pytest.raises(error, match=words):
        warpAffine(**{"src": IMAGE, "M": TURN, "dsize": (5, 4), **arguments})


def test_integer_maps_are_refused_by_name():
    with pytest.raises(UnsupportedArgument, match="int16 map"):
        remap(IMAGE, np.zeros((2, 2, 2), np.int16), None, INTER_LINEAR)


def test_a_wrong_half_pixel_would_be_seen():
    expected = cv2.warpAffine(IMAGE, TURN, (64, 48))
    moved = TURN + np.array([[0, 0, 0.5], [0, 0, 0.5]])
    assert (warpAffine(IMAGE, moved, (64, 48)).numpy() != expected).mean() > 0.3


@pytest.mark.parametrize("border", range(5))
@pytest.mark.parametrize("channels", [3, 4])
def test_bytes_of_any_size_are_warped_alike_compiled_or_not(border, channels):
    images = np.random.default_rng(border).integers(0, 256, (2, 19, 23, channels)).astype(np.uint8)
    spread = np.array([[0.6, 0.3, 4.0], [-0.3, 0.7, 5.0]])

    def warp(batch, matrix):
        return pipeport.batched(warpAffine)(
            batch, matrix, (31, 27), borderMode=border, borderValue=(255, 128, 1, 9)
        )

    with config.use_opencv(5):
        with config.use_jit("never"):
            expected = tf.function(warp)(images, spread).numpy()
        for sizes in ((2, 19, 23), (None, 19, 23), (None, None, None)):
            specs = [tf.TensorSpec([*sizes, channels], tf.uint8), tf.TensorSpec([2, 3], tf.float64)]
            form = tf.function(warp, input_signature=specs)
            np.testing.assert_array_equal(form(images, spread), expected)
        several = np.stack([spread, spread[::-1]])
        with config.use_jit("never"):
            expected = tf.function(warp)(images, several).numpy()
        np.testing.assert_array_equal(tf.function(warp)(images, several), expected)


def test_bytes_beside_coordinates_that_are_none():
    columns = np.array([[np.nan, -1.5, -0.5, 0.0, 39.5, 40.5, 41.5, np.inf, -np.inf, 7.25]], np.float32)
    rows = np.array([[3.0, 3.0, -0.5, 32.5, 32.5, 5.0, 5.0, 5.0, 5.0, np.nan]], np.float32)
    with config.use_opencv(5):
        expected = remap(IMAGE, columns, rows, INTER_LINEAR, borderValue=(9, 90, 200)).numpy()
        found = compiled(
            lambda i, c, r: remap(i, c, r, INTER_LINEAR, borderValue=(9, 90, 200)), IMAGE, columns, rows
        )
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(found[0, 0], [9, 90, 200])
