"""scipy.ndimage's natives: what their contracts' generated proofs do not reach."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.ndimage as reference
import tensorflow as tf

import pipeport
from pipeport import config
from pipeport.errors import BadAxis, OutsideDomain, UnsupportedArgument, WrongType
from pipeport.scipy import ndimage

pytestmark = pytest.mark.newest_only

MODES = ("reflect", "constant", "grid-constant", "nearest", "mirror", "grid-wrap", "wrap")


def image(*shape: int, dtype: str = "float32") -> np.ndarray:
    values = np.random.default_rng(sum(shape)).random(shape)
    return (values * 200).astype(dtype) if np.dtype(dtype).kind in "iu" else values.astype(dtype)


def far(native: tf.Tensor, right: np.ndarray) -> float:
    assert native.shape == right.shape
    assert native.dtype.as_numpy_dtype == right.dtype
    return float(np.abs(native.numpy().astype(float) - right.astype(float)).max())


@pytest.mark.parametrize("order", range(6))
@pytest.mark.parametrize("mode", MODES)
def test_coordinates_far_outside_read_what_scipy_reads(mode, order):
    values = image(5, 7, dtype="float64")
    where = np.random.default_rng(1).uniform(-40, 60, (2, 50))
    right = reference.map_coordinates(values, where, order=order, mode=mode, cval=0.75)
    assert far(ndimage.map_coordinates(values, where, order=order, mode=mode, cval=0.75), right) < 1e-10


@pytest.mark.parametrize("size", [1, 2, 3, 5, 30, 49, 50, 51, 70])
@pytest.mark.parametrize("order", [2, 3, 4, 5])
def test_the_reflect_filter_starts_as_scipys_does(size, order):
    line = image(size, dtype="float64")
    right = reference.spline_filter1d(line, order, mode="reflect")
    assert far(ndimage.spline_filter1d(line, order, mode="reflect"), right) < 1e-13 * 10**order


def test_an_exact_reflect_filter_would_differ_from_scipys():
    """What the test above tells apart: mirror images added by hand make the exact filter."""
    line = image(4, dtype="float64")
    wide = np.concatenate([line[::-1], line, line[::-1]] * 9)[52:56]
    assert np.array_equal(wide, line)
    exact = reference.spline_filter1d(np.concatenate([line[::-1], line] * 20), 5, mode="mirror")[84:88]
    assert np.abs(exact - reference.spline_filter1d(line, 5, mode="reflect")).max() > 1e-5


@pytest.mark.parametrize("axes", [(0, 1), (1, 0), (0, 2), (2, 1), (-1, 0)])
@pytest.mark.parametrize("reshape", [True, False])
def test_volumes_turn_in_every_plane(axes, reshape):
    volume = image(6, 7, 5)
    right = reference.rotate(volume, 33.0, axes, reshape)
    assert far(ndimage.rotate(volume, 33.0, axes, reshape), right) < 1e-6


@pytest.mark.parametrize("jit", ["never", "always"])
def test_graph_and_compiled_forms_agree_with_scipy(jit):
    picture = image(20, 31, 3)
    with config.use_jit(jit):
        turned = tf.function(lambda x, angle: ndimage.rotate(x, angle, reshape=False))
        answer = turned(tf.constant(picture), tf.constant(17.0, tf.float64))
    assert far(answer, reference.rotate(picture, 17.0, reshape=False)) < 1e-6
    assert answer.shape == (20, 31, 3)


@pytest.mark.parametrize("order", [1, 3])
def test_sizes_unknown_while_tracing(order):
    spec = tf.TensorSpec([None, None, 3], tf.float32)
    turned = tf.function(lambda x: ndimage.rotate(x, 17.0, order=order), input_signature=[spec])
    zoomed = tf.function(lambda x: ndimage.zoom(x, (0.5, 2, 1), order=order), input_signature=[spec])
    for shape in ((20, 31, 3), (8, 5, 3)):
        picture = image(*shape)
        assert far(turned(picture), reference.rotate(picture, 17.0, order=order)) < 1e-6
        assert far(zoomed(picture), reference.zoom(picture, (0.5, 2, 1), order=order)) < 1e-6
    assert turned.get_concrete_function().output_shapes.rank == 3


@pytest.mark.parametrize("angle", [0, 90, 180, 270, -90, 360, 450])
@pytest.mark.parametrize("order", range(6))
def test_right_angles_move_whole_pixels(angle, order):
    picture = image(5, 8)
    turned = ndimage.rotate(picture, angle, order=order)
    assert np.abs(turned.numpy() - np.rot90(picture, angle // 90)).max() < 1e-6


def test_per_element_angles_matrices_and_shifts():
    pictures = np.stack([image(9, 8) + k for k in range(3)])
    angles = np.array([0.0, 30.0, -75.0])
    turned = pipeport.batched(ndimage.rotate)(pictures, tf.constant(angles), reshape=False)
    shifts = np.array([[0.5, 1.0], [-2.25, 0.0], [3.0, 3.0]])
    moved = pipeport.batched(ndimage.shift)(pictures, tf.constant(shifts))
    matrices = np.stack([np.eye(2), [[0.5, 0.1], [0, 2]], [[0, 1], [1, 0]]])
    mapped = pipeport.batched(ndimage.affine_transform)(pictures, tf.constant(matrices))
    for k in range(3):
        assert far(turned[k], reference.rotate(pictures[k], angles[k], reshape=False)) < 1e-5
        assert far(moved[k], reference.shift(pictures[k], shifts[k])) < 1e-5
        assert far(mapped[k], reference.affine_transform(pictures[k], matrices[k])) < 1e-5


def test_a_homogeneous_matrix_brings_its_own_offset():
    picture = image(6, 7)
    matrix = np.array([[0.8, 0.1, 1.5], [-0.2, 1.1, 0.25], [0, 0, 1]])
    right = reference.affine_transform(picture, matrix)
    assert far(ndimage.affine_transform(picture, matrix), right) < 1e-6
    assert far(ndimage.affine_transform(picture, matrix[:2]), right) < 1e-6
    with pytest.raises(OutsideDomain, match="matrix"):
        ndimage.affine_transform(picture, matrix + np.eye(3))
    late = tf.function(lambda m: ndimage.affine_transform(picture, m))
    with pytest.raises(tf.errors.InvalidArgumentError, match="matrix"):
        late(tf.constant(matrix + np.eye(3)))


@pytest.mark.parametrize("order", [0, 1, 3])
def test_a_volume_is_zoomed_to_a_size_that_follows_from_its_own(order):
    def to_eight(volume):
        sizes = tf.unstack(tf.cast(tf.shape(volume), tf.float64))
        return ndimage.zoom(volume, [0.5, *(8 / size for size in sizes[1:])], order=order)

    zoomed = tf.function(to_eight, input_signature=[tf.TensorSpec([12, None, None], tf.float32)])
    assert zoomed.get_concrete_function().output_shapes == [6, None, None]
    for shape in ((12, 16, 5), (12, 8, 30), (12, 1, 3)):
        volume = image(*shape)
        right = reference.zoom(volume, (0.5, 8 / shape[1], 8 / shape[2]), order=order)
        assert zoomed(volume).shape == (6, 8, 8)
        assert far(zoomed(volume), right) < 1e-6
    assert ndimage.zoom(volume, tf.Variable(2.0)).shape == (24, 2, 6)


@pytest.mark.parametrize(
    ("factor", "words"), [(np.nan, "finite"), (np.inf, "finite"), (-1.0, "finite"), (0.01, "one pixel")]
)
def test_factors_that_only_the_graph_knows_are_checked_in_it(factor, words):
    spec = [tf.TensorSpec([], tf.float64)]
    zoomed = tf.function(lambda z: ndimage.zoom(image(4, 4), (1.0, z), order=1), input_signature=spec)
    assert zoomed(0.5).shape == (4, 2)
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        zoomed(factor)


def test_a_diagonal_is_a_zoom_with_an_offset():
    picture = image(6, 7)
    right = reference.affine_transform(picture, [0.5, 2.0], offset=[0.25, -1.0])
    assert far(ndimage.affine_transform(picture, [0.5, 2.0], offset=[0.25, -1.0]), right) < 1e-6


def test_spline_coefficients_can_be_reused():
    picture = image(11, 13, dtype="float64")
    filtered = ndimage.spline_filter(picture, mode="mirror")
    once = ndimage.rotate(filtered, 20.0, reshape=False, mode="mirror", prefilter=False)
    assert far(once, ndimage.rotate(picture, 20.0, reshape=False, mode="mirror").numpy()) < 1e-12


@pytest.mark.parametrize("dtype", ["uint8", "int16", "uint16", "int32"])
def test_integers_are_rounded_and_saturated(dtype):
    """Cubic splines overshoot beside edges."""
    edges = np.zeros((12, 12), dtype)
    edges[3:9, 3:9] = np.iinfo(dtype).max
    right = reference.rotate(edges, 10.0, reshape=False)
    assert far(ndimage.rotate(edges, 10.0, reshape=False), right) == 0
    assert right.max() == np.iinfo(dtype).max


def test_nan_spreads_as_in_scipy():
    picture = image(7, 7, 3)
    picture[2, 2, 1] = np.nan
    for order in (0, 1, 3):
        right = reference.zoom(picture, (1.5, 0.75, 1), order=order, mode="mirror")
        got = ndimage.zoom(picture, (1.5, 0.75, 1), order=order, mode="mirror")
        assert np.array_equal(np.isnan(right), np.isnan(got.numpy())), order


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda x: ndimage.rotate(x, 10, order=6), UnsupportedArgument),
        (lambda x: ndimage.rotate(x, 10, order=1.5), WrongType),
        (lambda x: ndimage.rotate(x, 10, mode="edge"), UnsupportedArgument),
        (lambda x: ndimage.rotate(x, np.nan), OutsideDomain),
        (lambda x: ndimage.rotate(x, 10, axes=(0, 5)), BadAxis),
        (lambda x: ndimage.rotate(x, 10, axes=(0, 0)), OutsideDomain),
        (lambda x: ndimage.rotate(x[0], 10), OutsideDomain),
        (lambda x: ndimage.rotate(x, 10, output=np.zeros((4, 4))), UnsupportedArgument),
        (lambda x: ndimage.rotate(x.astype(bool), 10), UnsupportedArgument),
        (lambda x: ndimage.rotate(x[:0], 10), OutsideDomain),
        (lambda x: ndimage.shift(x, [1, 2, 3]), OutsideDomain),
        (lambda x: ndimage.shift(x, np.inf), OutsideDomain),
        (lambda x: ndimage.zoom(x, 0.01), OutsideDomain),
        (lambda x: ndimage.zoom(x, -1), OutsideDomain),
        (lambda x: ndimage.zoom(x, 1e6), OutsideDomain),
        (lambda x: ndimage.map_coordinates(x, np.zeros((3, 4))), OutsideDomain),
        (lambda x: ndimage.map_coordinates(x, np.zeros(2)), OutsideDomain),
        (lambda x: ndimage.affine_transform(x, np.eye(4)), OutsideDomain),
        (lambda x: ndimage.affine_transform(x, np.eye(2), output_shape=(10**6, 10**6)), OutsideDomain),
        (lambda x: ndimage.geometric_transform(x, lambda at: at[:1]), OutsideDomain),
        (lambda x: ndimage.geometric_transform(x, "map"), WrongType),
        (lambda x: ndimage.spline_filter(x, order=1), UnsupportedArgument),
        (lambda x: ndimage.spline_filter1d(x, axis=2), BadAxis),
    ],
)
def test_bad_input_is_refused_while_tracing(call, error):
    with pytest.raises(error):
        call(image(4, 4))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("order", range(6))
@pytest.mark.parametrize("line", [(1.0, 2.0, 3.0, np.inf), (np.inf, 2.0, 3.0, 4.0), (5.0,), (np.inf,)])
def test_weights_of_zero_meet_the_same_pixels_as_in_scipy(line, order, mode):
    if order > 1 and not np.isfinite(line).all():
        pytest.skip("declared: what a recursion makes of infinities is nobody's promise")
    where = np.array([[*np.arange(-30, 30, 0.25), 1e9 + 0.25, -1e9 - 0.25]])
    right = reference.map_coordinates(np.array(line), where, order=order, mode=mode, cval=0.5)
    found = ndimage.map_coordinates(np.array(line), where, order=order, mode=mode, cval=0.5)
    np.testing.assert_allclose(found, right, atol=1e-9)
    for by in (0.25, 5.3, -7.75, -40.25):
        right = reference.shift(np.array(line), by, order=order, mode=mode, cval=0.5)
        np.testing.assert_allclose(
            ndimage.shift(np.array(line), by, order=order, mode=mode, cval=0.5), right, atol=1e-9
        )


def test_a_long_axis_does_not_put_its_indices_into_the_graph() -> None:
    @tf.function(input_signature=[tf.TensorSpec([100_000], tf.float32)])
    def read(line: tf.Tensor) -> tf.Tensor:
        return ndimage.map_coordinates(line, [[1.5]], order=3, mode="wrap")

    assert read.get_concrete_function().graph.as_graph_def().ByteSize() < 100_000
