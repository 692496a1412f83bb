import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given
from hypothesis import strategies as st

from pipeport.arrays import _products
from pipeport.errors import OutsideDomain, UnsupportedArgument
from tests.arrays.engines import ENGINES, NUMBERS, SEEDS, close, compiled, drawn, eager, graph, refuses

_ENGINE = st.sampled_from(ENGINES)
_DOT = [((), ()), ((), (4,)), ((2, 3), ()), ((5,), (5,)), ((3, 5), (5,)), ((5,), (5, 2)), ((3, 5), (5, 2))]
_DOT += [((2, 3, 5), (5, 2)), ((2, 3, 5), (4, 5, 2)), ((2, 3, 5), (5,)), ((5,), (4, 5, 2)), ((2, 0), (0, 3))]
_MATMUL = [((5,), (5,)), ((3, 5), (5,)), ((5,), (5, 2)), ((3, 5), (5, 2)), ((2, 3, 5), (5, 2))]
_MATMUL += [((2, 3, 5), (5,)), ((5,), (4, 5, 2)), ((3, 5), (4, 5, 2)), ((4, 3, 5), (4, 5, 2))]
_MATMUL += [((6, 1, 3, 5), (4, 5, 2)), ((2, 0), (0, 3)), ((4, 2, 0), (4, 0, 3)), ((0, 3, 5), (5, 2))]


def _compared(function, reference, seed, dtype, shapes, engine):
    kind = np.dtype(dtype).kind
    a, b = (drawn(seed + one, shape, dtype, special=False, scale=10) for one, shape in enumerate(shapes))
    wanted = np.asarray(reference(a, b))
    bound = 0
    if kind in "fc":
        wide = np.float64 if kind == "f" else np.complex128
        wanted = np.asarray(reference(a.astype(wide), b.astype(wide)))
        eps = np.finfo(dtype).eps
        # float16 is added in float32, and rounded once, as NumPy does.
        bound = eps * np.abs(wanted) + 16 * min(eps, 1e-6) * np.asarray(
            reference(np.abs(a), np.abs(b))
        ).astype(float)
        wanted = wanted.astype(dtype)
    close(engine(function, a, b), wanted, bound)


@given(SEEDS, st.sampled_from(NUMBERS), st.sampled_from(_DOT), _ENGINE)
def test_dot(seed, dtype, shapes, engine):
    _compared(_products.dot, np.dot, seed, dtype, shapes, engine)


@given(SEEDS, st.sampled_from(NUMBERS), st.sampled_from(_MATMUL), _ENGINE)
def test_matmul(seed, dtype, shapes, engine):
    _compared(_products.matmul, np.matmul, seed, dtype, shapes, engine)


@pytest.mark.parametrize("dtype", NUMBERS)
def test_compiled(dtype):
    _compared(_products.dot, np.dot, 3, dtype, ((2, 3, 5), (4, 5, 2)), compiled)
    _compared(_products.matmul, np.matmul, 3, dtype, ((4, 3, 5), (4, 5, 2)), compiled)
    _compared(_products.matmul, np.matmul, 3, dtype, ((3, 5), (5,)), compiled)


def test_float16_is_added_in_float32():
    a, b = np.full((1, 4096), 0.1, np.float16), np.ones((4096, 1), np.float16)
    for engine in (*ENGINES, compiled):
        found = engine(_products.matmul, a, b).numpy()
        np.testing.assert_array_equal(found, np.matmul(a, b))


def test_static_shapes():
    @tf.function(input_signature=[tf.TensorSpec([None, 4, 3], tf.uint8)], autograph=False)
    def check(x):
        square, vector = tf.zeros([3, 3], tf.uint8), tf.zeros([3], tf.uint8)
        for function in (_products.matmul, _products.dot):
            assert function(x, square).shape.as_list() == [None, 4, 3]
            assert function(x, vector).shape.as_list() == [None, 4]
        assert _products.matmul(square[None], tf.transpose(x, [0, 2, 1])).shape.as_list() == [None, 3, 4]
        return x

    check.get_concrete_function()


def test_refusals():
    for function in (_products.matmul, _products.dot):
        refuses(OutsideDomain, function, np.ones((2, 3)), np.ones(2))
        refuses(OutsideDomain, function, np.ones((2, 3)), np.ones((2, 3)))
        refuses(OutsideDomain, function, np.ones(3), np.ones((4, 2, 3)))
        with pytest.raises(tf.errors.InvalidArgumentError):
            graph(function, np.ones((2, 3)), np.ones((2, 3)))
        unknown = tf.function(lambda a, call=function: call(a, a), input_signature=[tf.TensorSpec(None)])
        with pytest.raises(UnsupportedArgument, match="unknown rank"):
            unknown.get_concrete_function()
    refuses(OutsideDomain, _products.matmul, np.ones(()), np.ones(3))
    refuses(OutsideDomain, _products.matmul, np.ones(3), np.ones(()))
    refuses(OutsideDomain, _products.matmul, np.ones((3, 2, 2)), np.ones((2, 2, 2)))
    assert eager(_products.dot, np.array(2.0), np.array(3.0)).numpy() == 6
