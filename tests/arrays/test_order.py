import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given
from hypothesis import strategies as st

from pipeport.arrays import _order
from pipeport.errors import BadAxis, OutsideDomain, UnsupportedArgument, WrongType
from tests.arrays.engines import (
    ENGINES,
    FLOATS,
    NUMBERS,
    REALS,
    SEEDS,
    compiled,
    compiled_of_unknown_size,
    drawn,
    eager,
    graph,
    refuses,
    same,
)

_SHAPE = (4, 37, 3)
_AXIS = st.sampled_from((None, 0, 1, -1))
_ENGINE = st.sampled_from(ENGINES)
_DTYPE = st.sampled_from(REALS)


@given(SEEDS, _DTYPE, _AXIS, st.booleans(), st.booleans(), _ENGINE)
def test_places_of_extremes(seed, dtype, axis, keepdims, few, engine):
    x = drawn(seed, _SHAPE, dtype, few=few)
    for function, reference in ((_order.argmax, np.argmax), (_order.argmin, np.argmin)):
        wanted = reference(x, axis=axis, keepdims=keepdims)
        same(engine(function, x, axis=axis, keepdims=keepdims), wanted)


@given(SEEDS, _DTYPE, _AXIS, st.booleans(), _ENGINE)
def test_sort(seed, dtype, axis, few, engine):
    x = drawn(seed, _SHAPE, dtype, few=few)
    found = engine(_order.sort, x, axis=axis)
    same(found, np.sort(x, axis=axis))
    same(engine(_order.argsort, x, axis=axis), np.argsort(x, axis=axis, kind="stable"))


def test_subnormal_numbers_are_no_zeros():
    for dtype in FLOATS:
        tiny = np.finfo(dtype).smallest_subnormal
        x = np.array([tiny, 0, -tiny, -0.0, 2 * tiny, -0.0, 0], dtype)
        for engine in (*ENGINES, compiled):
            same(engine(_order.argsort, x), np.argsort(x, kind="stable"))
            found = engine(_order.sort, x).numpy()
            np.testing.assert_array_equal(found, np.sort(x))
            assert np.signbit(found).tolist() == [True] * 3 + [False] * 4  # no zero has lost its sign


@given(SEEDS, st.sampled_from(NUMBERS), st.sampled_from([(7,), (5, 6), (2, 0, 3)]), _ENGINE)
def test_nonzero(seed, dtype, shape, engine):
    x = drawn(seed, shape, dtype, few=True)
    if x.dtype.kind == "c":
        (x.imag if seed % 2 else x.real)[...] = 0
    for found, wanted in zip(engine(_order.nonzero, x), np.nonzero(x), strict=True):
        same(found, wanted)


def test_the_only_element_is_found_where_it_is_not_zero():
    for shape in ((1,), (1, 1, 1)):
        for x in (np.zeros(shape, np.float32), np.ones(shape, bool), np.full(shape, np.nan)):
            for engine in (*ENGINES, compiled, compiled_of_unknown_size):
                for found, wanted in zip(engine(_order.nonzero, x), np.nonzero(x), strict=True):
                    same(found, wanted)


def test_compiled():
    def every(x):
        functions = (_order.sort, _order.argsort, _order.argmax, _order.argmin)
        return [function(x, axis=axis) for axis in (0, None) for function in functions]

    for dtype in REALS:
        for few in (False, True):
            x = drawn(5, (6, 9), dtype, few=few)
            if x.dtype.kind == "f":
                x[2] = -np.inf
                x[0, 3] = np.nan
            found = iter(compiled(every, x))
            for axis in (0, None):
                same(next(found), np.sort(x, axis=axis))
                same(next(found), np.argsort(x, axis=axis, kind="stable"))
                same(next(found), np.argmax(x, axis=axis))
                same(next(found), np.argmin(x, axis=axis))


def test_unknown_rank():
    x = drawn(2, (3, 4, 5), "float32")

    @tf.function(input_signature=[tf.TensorSpec(None, tf.float32)], autograph=False)
    def some(x):
        flat = [_order.argmax(x), _order.argmin(x, keepdims=True), _order.sort(x, None)]
        return [*flat, _order.argmax(x, -1), _order.sort(x), _order.argsort(x)]

    found = some(tf.constant(x))
    wanted = [np.argmax(x), np.argmin(x, keepdims=True), np.sort(x, None)]
    wanted += [np.argmax(x, -1), np.sort(x), np.argsort(x, kind="stable")]
    for one, other in zip(found, wanted, strict=True):
        same(one, other)
    refused = tf.function(lambda x: _order.sort(x, 0), input_signature=[tf.TensorSpec(None)], autograph=False)
    with pytest.raises(UnsupportedArgument, match="unknown rank"):
        refused.get_concrete_function()


def test_static_shapes():
    @tf.function(input_signature=[tf.TensorSpec([None, 4, 3], tf.float32)], autograph=False)
    def check(x):
        assert _order.argmax(x, 0).shape.as_list() == [4, 3]
        assert _order.argmin(x, 1, keepdims=True).shape.as_list() == [None, 1, 3]
        assert _order.argmin(x, keepdims=True).shape.as_list() == [1, 1, 1]
        for axis in (0, 1, 2):
            assert _order.sort(x, axis).shape.as_list() == [None, 4, 3]
            assert _order.argsort(x, axis).shape.as_list() == [None, 4, 3]
        assert [one.shape.as_list() for one in _order.nonzero(x)] == [[None]] * 3
        return x

    check.get_concrete_function()


def test_empty_and_scalar_arrays():
    x = np.zeros((0, 3), np.float32)
    for engine in ENGINES:
        for axis in (None, 0, 1):
            same(engine(_order.sort, x, axis=axis), np.sort(x, axis))
            same(engine(_order.argsort, x, axis=axis), np.argsort(x, axis))
        same(engine(_order.argmax, x, axis=1), np.argmax(x, 1))
        for one in (np.array(3.0), np.array(True)):
            same(engine(_order.argmax, one), 0)
            same(engine(_order.argmin, one, axis=-1, keepdims=True), 0)
            same(engine(_order.sort, one, axis=None), one.reshape(1))
            same(engine(_order.argsort, one), [0])
    refuses(OutsideDomain, _order.argmax, x)
    refuses(OutsideDomain, _order.argmin, x, axis=0)
    with pytest.raises(tf.errors.InvalidArgumentError, match="a: got no element at run time"):
        graph(_order.argmax, x, axis=0)
    refuses(OutsideDomain, _order.sort, np.array(3.0))
    refuses(BadAxis, _order.argsort, np.array(3.0), axis=1)
    refuses(OutsideDomain, _order.nonzero, np.array(3.0))


def test_refusals():
    x = np.ones((2, 3), np.float32)
    for function in (_order.argmax, _order.argmin, _order.sort, _order.argsort):
        refuses(BadAxis, function, x, axis=2)
        refuses(WrongType, function, x, axis=(0, 1))
        refuses(WrongType, function, x, axis=0.0)
        refuses(OutsideDomain, function, x.astype(np.complex64))
    for function in (_order.sort, _order.argsort):
        refuses(UnsupportedArgument, function, x, kind="fast")
        refuses(UnsupportedArgument, function, x, order="name")
        refuses(UnsupportedArgument, function, x, kind="stable", stable=True)
        for options in ({"kind": "mergesort"}, {"kind": "quicksort"}, {"stable": True}, {"stable": False}):
            same(eager(_order.sort, x, **options), x)
    refuses(UnsupportedArgument, _order.argmax, np.ones([1] * 8), axis=0)
    refuses(UnsupportedArgument, _order.nonzero, np.ones([1] * 9))
