"""scipy.ndimage's natives: dtypes, truth values, wide integers and many axes, as in the reference."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.ndimage as reference
import tensorflow as tf

from pipeport import numpy as natives
from pipeport.errors import UnsupportedArgument, WrongType
from pipeport.kernels.inputs.dtypes import dtype_of
from pipeport.scipy import ndimage
from pipeport.skimage import transform

pytestmark = pytest.mark.newest_only

RANDOM = np.random.default_rng(15)
PICTURE = RANDOM.random((6, 7)).astype(np.float32)
MASK = PICTURE > 0.4


def same(native, right, far: float = 1e-6) -> None:
    native, right = np.asarray(native), np.asarray(right)
    assert native.shape == right.shape
    assert native.dtype == right.dtype
    if right.dtype == bool:
        assert np.array_equal(native, right)
    else:
        np.testing.assert_allclose(native.astype(float), right.astype(float), rtol=far, atol=far)


# ----------------------------------------------------------------------------------- dtypes

NAMES = (float, "float", "f8", "d", "f", int, "int", "i", "u1", np.int16, np.dtype("f8"), "double", ">f4")


@pytest.mark.parametrize("name", NAMES, ids=str)
def test_a_dtype_means_what_it_means_in_numpy(name):
    native = ndimage.rotate(PICTURE * 3, 30, output=name, order=1)
    right = reference.rotate(PICTURE * 3, 30, output=name, order=1)
    same(native, right.astype(right.dtype.newbyteorder("=")))


def test_tensorflows_dtypes_count_too():
    assert ndimage.zoom(PICTURE, 2, tf.float64).dtype == tf.float64
    assert dtype_of(tf.bfloat16, "dtype") == tf.bfloat16


@pytest.mark.parametrize(
    "call",
    [
        lambda dtype: natives.asarray([1], dtype=dtype),
        lambda dtype: natives.concatenate([[1.0], [2.0]], dtype=dtype),
        lambda dtype: natives.stack([[1.0], [2.0]], dtype=dtype),
        lambda dtype: transform.integral_image(PICTURE, dtype=dtype),
        lambda dtype: transform.warp_coords(lambda at: at, (2, 3), dtype=dtype),
        lambda dtype: transform.rotate(PICTURE, 30, dtype=dtype),
        lambda dtype: ndimage.spline_filter(PICTURE, output=dtype),
        lambda dtype: ndimage.shift(PICTURE, 0.5, output=dtype),
    ],
    ids=[
        "asarray",
        "concatenate",
        "stack",
        "integral_image",
        "warp_coords",
        "rotate",
        "spline_filter",
        "shift",
    ],
)
def test_every_native_reads_dtypes_alike(call):
    assert call(float).dtype == call("float").dtype == call("d").dtype == tf.float64
    assert call("f").dtype == call("f4").dtype == call(np.float32).dtype == tf.float32
    for nonsense in ("bogus", 3, "S3", object()):
        with pytest.raises(WrongType):
            call(nonsense)


@pytest.mark.parametrize("output", [np.zeros((6, 7)), np.float32(1.0), tf.zeros([6, 7])], ids=type)
def test_an_array_to_write_into_is_refused(output):
    with pytest.raises(UnsupportedArgument, match="A graph returns its result"):
        ndimage.shift(PICTURE, 1, output=output)


@pytest.mark.parametrize("output", ["half", complex, "uint128"])
def test_dtypes_that_scipy_does_not_write_are_refused(output):
    with pytest.raises((UnsupportedArgument, WrongType), match="output"):
        ndimage.shift(PICTURE, 1, output=output)


@pytest.mark.parametrize("output", [np.int32, np.uint8, np.int8, np.uint32, np.uint64, np.int64])
def test_spline_filters_cut_fractions_off_as_scipy_does(output):
    line = np.linspace(-3, 3, 30).reshape(5, 6) * 20
    same(ndimage.spline_filter1d(line, 2, output=output), reference.spline_filter1d(line, 2, output=output))
    same(ndimage.spline_filter1d(line, 1, output=output), reference.spline_filter1d(line, 1, output=output))


# ------------------------------------------------------------------------------ truth values


@pytest.mark.parametrize("cval", [0.25, 0.99, 1.0, -0.5, -1.0])
@pytest.mark.parametrize("mode", ["constant", "grid-constant"])
def test_a_fill_of_a_fraction_is_false(cval, mode):
    options = {"order": 0, "mode": mode, "cval": cval}
    same(ndimage.rotate(MASK, 30, **options), reference.rotate(MASK, 30, **options) != 0)
    same(ndimage.shift(MASK, (1.3, -2), **options), reference.shift(MASK, (1.3, -2), **options) != 0)
    areas = {"grid_mode": mode == "grid-constant", **options}
    same(ndimage.zoom(MASK, 1.3, **areas), reference.zoom(MASK, 1.3, **areas))
    where = np.indices((6, 7)) * 1.3 - 1.1
    right = reference.map_coordinates(MASK, where, **options)
    same(ndimage.map_coordinates(MASK, where, **options), right)
    same(ndimage.affine_transform(MASK, np.eye(2) * 0.8, 0.3, **options),
         reference.affine_transform(MASK, np.eye(2) * 0.8, 0.3, **options))  # fmt: skip


def test_a_number_becomes_a_truth_value_without_its_fraction():
    numbers = np.array([-1.5, -0.9, 0.0, 0.5, 0.99, 1.0, 1.7])
    right = reference.shift(numbers, 1, output=bool, order=0, cval=0.5)
    same(ndimage.shift(numbers, 1, output=bool, order=0, cval=0.5), right)


@pytest.mark.parametrize("order", [1, 3])
@pytest.mark.parametrize("mode", ["constant", "grid-constant", "nearest"])
def test_truth_values_may_become_numbers_by_any_order(order, mode):
    options = {"order": order, "mode": mode, "cval": 0.25, "output": float}
    same(ndimage.rotate(MASK, 30, **options), reference.rotate(MASK, 30, **options))
    same(ndimage.zoom(MASK, 1.3, **options), reference.zoom(MASK, 1.3, **options))


@pytest.mark.parametrize("call", [{"input": MASK}, {"input": PICTURE, "output": bool}], ids=["own", "asked"])
def test_numbers_between_truth_values_are_refused_early(call):
    with pytest.raises(UnsupportedArgument, match="Give another `output`"):
        ndimage.zoom(zoom=2, order=1, **call)


# ----------------------------------------------------------------------------- wide integers


@pytest.mark.parametrize("order", [0, 1])
@pytest.mark.parametrize("output", [None, "uint8", "int8", "int32", "int64", "uint64", "float32"])
@pytest.mark.parametrize("dtype", ["uint32", "uint64", "int64"])
def test_wide_integers_saturate_as_scipys_do(dtype, output, order):
    picture = RANDOM.integers(0, 2**31, (5, 6)).astype(dtype)
    options = {"order": order, "output": output, "cval": 300.0}
    same(ndimage.rotate(picture, 30, **options), reference.rotate(picture, 30, **options))
    same(ndimage.shift(picture, 1, **options), reference.shift(picture, 1, **options))


def test_wide_integers_in_compiled_code():
    picture = RANDOM.integers(0, 2**31, (5, 6)).astype("uint64")
    for output in ("uint8", "uint64"):
        moved = tf.function(
            lambda x, to=output: ndimage.shift(x, (1, 0.6), to, 0, "mirror"), jit_compile=True
        )
        same(moved(picture), reference.shift(picture, (1, 0.6), output, 0, "mirror"))


def test_labels_of_64_bits_keep_their_value():
    labels = np.full((3, 3), 2**60 + 1)
    assert ndimage.zoom(labels, 2, order=0).numpy().max() == 2**60 + 1
    assert reference.zoom(labels, 2, order=0).max() != 2**60 + 1


# -------------------------------------------------------------------------------- many axes


@pytest.mark.parametrize("mode", ["mirror", "constant", "nearest"])
@pytest.mark.parametrize("rank", [4, 5, 6])
def test_arrays_of_many_axes(rank, mode):
    picture = RANDOM.random((3, 2, 3, 2, 2, 2)[:rank]).astype(np.float32)
    same(ndimage.zoom(picture, 1.5, order=1, mode=mode), reference.zoom(picture, 1.5, order=1, mode=mode))
    same(ndimage.shift(picture, 0.3, order=0, mode=mode), reference.shift(picture, 0.3, order=0, mode=mode))
    scale = np.eye(rank) * 0.9
    right = reference.affine_transform(picture, scale, order=1, mode=mode)
    same(ndimage.affine_transform(picture, scale, order=1, mode=mode), right)
    where = RANDOM.random((rank, 5)) * 2
    right = reference.map_coordinates(picture, where, order=1, mode=mode)
    same(ndimage.map_coordinates(picture, where, order=1, mode=mode), right)


def test_many_axes_of_unknown_sizes():
    picture = RANDOM.random((3, 2, 4, 2)).astype(np.float32)
    spec = tf.TensorSpec([None] * 4, tf.float32)
    moved = tf.function(lambda x: ndimage.shift(x, 0.3, mode="mirror"), input_signature=[spec])
    same(moved(picture), reference.shift(picture, 0.3, mode="mirror"), 1e-5)


def test_too_many_axes_are_refused_while_tracing():
    spec = tf.TensorSpec([2] * 7, tf.float32)
    for call in (
        lambda x: ndimage.zoom(x, 2),
        lambda x: ndimage.shift(x, 1),
        lambda x: transform.resize(x, [1] * 7),
    ):
        with pytest.raises(UnsupportedArgument, match="got rank 7; allowed: rank 6 or less"):
            tf.function(call).get_concrete_function(spec)


@pytest.mark.parametrize("order", [2, 3])
def test_an_array_without_axes_is_filtered_as_scipy_does(order):
    number = np.array(3.0, np.float32)
    same(ndimage.spline_filter(number, order), reference.spline_filter(number, order))
    same(ndimage.spline_filter1d(number, 1), reference.spline_filter1d(number, 1))
