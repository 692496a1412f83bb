"""NumPy's dtypes by name: where they stand for a dtype, and what a call of them gives."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import tensorflow as tf

import pipeport.numpy as pnp
from pipeport.arrays import body
from pipeport.arrays._making import weak_scalar
from pipeport.errors import OutsideDomain
from pipeport.numpy import _dtypes

pytestmark = pytest.mark.both

NAMES = [name for name, value in vars(_dtypes).items() if isinstance(value, _dtypes.ScalarType)]
NAMES = [name for name in NAMES if name[0] != "_"]
ONES = pytest.mark.parametrize("name", NAMES)


def both(name):
    return getattr(_dtypes, name), getattr(np, name)


def test_all_are_there():
    assert {"bool_", "uint8", "int64", "float16", "complex128", "intp", "single", "double"} <= set(NAMES)


@ONES
def test_numpy_takes_it_for_its_own(name):
    ours, theirs = both(name)
    assert np.dtype(ours) == np.dtype(theirs)
    assert np.zeros(2, ours).astype(ours).dtype == theirs
    array = np.zeros(2, theirs)
    assert array.dtype == ours
    assert ours == array.dtype
    assert array.dtype.type == ours
    assert ours == theirs
    assert theirs == ours
    assert hash(ours) == hash(theirs)
    assert array.dtype in (ours,)
    assert np.issubdtype(ours, theirs)
    assert np.issubdtype(array.dtype, ours)
    assert isinstance(array[0], ours)
    assert issubclass(theirs, ours)
    other = _dtypes.uint8 if name != "uint8" else _dtypes.int8
    assert not isinstance(array[0], other)
    assert array.dtype != other
    assert ours != other


@ONES
def test_tensorflow_takes_it_too(name):
    ours, theirs = both(name)
    assert tf.as_dtype(ours) == tf.as_dtype(theirs)
    assert tf.cast(1, ours).dtype == ours
    assert tf.zeros([2], ours).dtype == tf.as_dtype(theirs)


@ONES
def test_a_call_gives_numpys_scalar_or_an_array(name):
    ours, theirs = both(name)
    assert type(ours(1)) is type(ours()) is theirs
    tensor = ours(tf.constant([1, 0]))
    assert tensor.dtype == tf.as_dtype(theirs)
    assert tf.is_tensor(ours([1, 0]))
    assert isinstance(ours(pnp.array([1.0, 0.0])), pnp.ndarray)


MODERN = np.lib.NumpyVersion(np.__version__) >= "2.0.0"


def test_values_that_do_not_fit():
    for dtype, value in ((_dtypes.uint8, 300), (_dtypes.uint8, -28), (_dtypes.int8, 200)):
        counted = tf.function(lambda x, dtype=dtype: dtype(weak_scalar(x))._values)
        if MODERN:
            with pytest.raises(OutsideDomain, match=f"int8: got {value}"):
                dtype(value)
            with pytest.raises(tf.errors.InvalidArgumentError, match="a Python integer"):
                counted(tf.constant(value))
        else:
            with pytest.warns(DeprecationWarning, match="out-of-bound"):
                right = dtype.dtype.type(value)
            with pytest.warns(DeprecationWarning, match="out-of-bound"):
                assert dtype(value) == right
            assert counted(tf.constant(value)) == right
        assert dtype(np.int64(value)) == np.int64(value).astype(dtype.dtype)
        assert tf.function(dtype)(tf.constant(value)) == np.int64(value).astype(dtype.dtype)
    with pytest.raises(OutsideDomain, match="int64: got"):
        _dtypes.int64(2**63)
    assert _dtypes.uint8(pnp.array([300.7])).tolist() == [44]
    assert np.isnan(_dtypes.float64("nan"))


def test_in_a_body():
    @body
    def standardise(image):
        assert image.dtype == _dtypes.uint8
        assert np.issubdtype(image.dtype, _dtypes.integer)
        rows = _dtypes.float32(image.shape[0])
        return image.astype(_dtypes.float32) / rows, _dtypes.float32(2) * rows

    elements = tf.data.Dataset.from_tensors(np.arange(4, dtype=np.uint8)).map(standardise)
    values, rows = next(iter(elements))
    assert values.dtype == rows.dtype == tf.float32
    assert values.numpy().tolist() == [0, 0.25, 0.5, 0.75]
    assert rows.numpy() == 8


@pytest.mark.parametrize("name", ["hypot", "arctan2", "heaviside"])
def test_functions_of_two_floats_take_the_floats_that_hold_both(name):
    kinds = ("bool", "uint8", "int8", "uint16", "int16", "uint32", "int64", "float16", "float32", "float64")
    for first, second in itertools.product(kinds, repeat=2):
        x, y = np.ones(2, first), np.ones(2, second)
        found = getattr(pnp, name)(x, y).dtype.as_numpy_dtype
        assert found == getattr(np, name)(x, y).dtype, (first, second)
