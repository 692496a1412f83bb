import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given
from hypothesis import strategies as st

from pipeport import config
from pipeport.arrays import _shapes
from pipeport.errors import BadAxis, OutsideDomain, UnsupportedArgument, WrongType
from tests.arrays.engines import BYTES, ENGINES, NUMBERS, SEEDS, compiled, drawn, eager, graph, refuses, same

_ENGINE = st.sampled_from(ENGINES)
_DTYPE = st.sampled_from(("uint8", "float32", "bool", "complex64"))
_FORMS = [-1, 24, (24,), (4, 6), [2, 3, 4], (-1, 2), (2, -1, 3), (1, 24, 1), (-7, 12), np.array([6, 4])]


def _sized(function):
    """The function of an array and of tensors in its shape, unknown while tracing."""

    def call(x, *sizes):
        return function(x, sizes[0] if len(sizes) == 1 else sizes)

    return tf.function(call, autograph=False)


@given(SEEDS, _DTYPE, st.sampled_from(range(len(_FORMS))), _ENGINE)
def test_reshape(seed, dtype, form, engine):
    x, shape = drawn(seed, (2, 3, 4), dtype), _FORMS[form]
    known = tuple(shape) if isinstance(shape, (list, np.ndarray)) else shape
    same(engine(_shapes.reshape, x, shape=known), np.reshape(x, shape))
    same(_shapes.reshape(tf.constant(x), shape), np.reshape(x, shape))


def test_reshape_to_drawn_sizes():
    x = drawn(1, (2, 3, 4), "float32")
    n = tf.constant
    for sizes in ((n(6), n(4)), (n(6), -1), (-1, n(4)), (n(2), 3, n(4)), (n(2, tf.int64), n(12, tf.uint8))):
        static = tuple(int(one) for one in sizes)
        same(_sized(_shapes.reshape)(tf.constant(x), *sizes), x.reshape(static))
        same(_shapes.reshape(tf.constant(x), sizes), x.reshape(static))
    for whole in (n([4, 6]), n([-1, 2], tf.int64), n(24), n(-1)):
        same(_sized(_shapes.reshape)(tf.constant(x), whole), x.reshape(whole.numpy()))
    with pytest.raises(tf.errors.InvalidArgumentError):
        _sized(_shapes.reshape)(tf.constant(x), n(5), n(5))
    for bad in (n(2.0), n([[2]])):
        with pytest.raises(WrongType, match="shape"):
            _sized(_shapes.reshape)(tf.constant(x), bad, 3)


def test_static_sizes_survive_drawn_ones():
    @tf.function(input_signature=[tf.TensorSpec([None, 4, 3]), tf.TensorSpec([], tf.int32)], autograph=False)
    def check(x, n):
        assert _shapes.reshape(x, (n, 4, 3)).shape.as_list() == [None, 4, 3]
        assert _shapes.reshape(x, (-1, 12)).shape.as_list() == [None, 12]
        assert _shapes.ravel(x[0]).shape.as_list() == [12]
        assert _shapes.broadcast_to(x, (2, n, 4, 3)).shape.as_list() == [2, None, 4, 3]
        assert _shapes.transpose(x).shape.as_list() == [3, 4, None]
        assert _shapes.repeat(x, 2, 1).shape.as_list() == [None, 8, 3]
        assert _shapes.repeat(x, n, 1).shape.as_list() == [None, None, 3]
        assert _shapes.repeat(x, n, 0).shape.as_list() == [None, 4, 3]
        assert _shapes.repeat(x, [1, 0, 2], -1).shape.as_list() == [None, 4, 3]
        assert _shapes.expand_dims(x, (0, -1)).shape.as_list() == [1, None, 4, 3, 1]
        assert _shapes.squeeze(x[:, :1], 1).shape.as_list() == [None, 3]
        return x

    check.get_concrete_function()


def test_reshape_of_empty_and_scalar_arrays():
    for x, shape in ((np.zeros((0, 3)), (-1, 3)), (np.zeros((0, 3)), (7, 0)), (np.zeros((0, 3)), -1)):
        for engine in ENGINES:
            same(engine(_shapes.reshape, x, shape=shape), x.reshape(shape))
    for shape in ((), (1, 1), -1, (-1,)):
        same(eager(_shapes.reshape, np.array(3), shape=shape), np.array(3).reshape(shape))
    same(eager(_shapes.reshape, np.array([3]), shape=()), np.array(3))
    same(eager(_shapes.ravel, np.array(3)), np.array([3]))
    same(eager(_shapes.flatten, np.ones((2, 3))), np.ones(6))


def _in_orders(x, order):
    sizes = (24, (4, 6), (-1, 3), (2, -1, 2), (3, 2, 2, 2))
    letters = (order, "K")
    if isinstance(x, np.ndarray):
        shaped = [np.reshape(x, one, order) for one in sizes]
        return shaped + [one for letter in letters for one in (np.ravel(x, letter), x.flatten(letter))]
    shaped = [_shapes.reshape(x, one, order) for one in sizes]
    return shaped + [
        function(x, letter) for letter in letters for function in (_shapes.ravel, _shapes.flatten)
    ]


@given(SEEDS, st.sampled_from(NUMBERS), _ENGINE, st.sampled_from("CFAf"))
def test_orders(seed, dtype, engine, order):
    for shape in ((2, 3, 4), (6, 4), (24,)):
        x = drawn(seed, shape, dtype)
        for found, wanted in zip(engine(_in_orders, x, order=order), _in_orders(x, order), strict=True):
            same(found, wanted)


def test_static_shape_in_the_order_of_fortran():
    @tf.function(input_signature=[tf.TensorSpec([None, 4], tf.uint8), tf.TensorSpec([], tf.int32)])
    def check(x, size):
        assert _shapes.reshape(x, (-1, 2, 2), "F").shape.as_list() == [None, 2, 2]
        assert _shapes.reshape(x, (2, size), "F").shape.as_list() == [2, None]
        assert _shapes.ravel(x, "F").shape.as_list() == [None]
        assert _shapes.ravel(tf.ones([3, 4]), "F").shape.as_list() == [12]
        return _shapes.reshape(x, (2, size), "F")

    x = np.arange(12, dtype=np.uint8).reshape(3, 4)
    same(check(x, 6), x.reshape(2, 6, order="F"))


def test_refused_shapes():
    x = np.ones((2, 3))
    for shape in (5, (4, -1), (-1, -1), (7, 0), ()):
        refuses(OutsideDomain, _shapes.reshape, x, shape=shape)
    refuses(OutsideDomain, _shapes.reshape, np.ones((0, 3)), shape=(-1, 0))
    for shape in (6.0, (2.0, 3), "6", ((2, 3),)):
        refuses(WrongType, _shapes.reshape, x, shape=shape)
    for function in (_shapes.ravel, _shapes.flatten):
        refuses(UnsupportedArgument, function, x, order="R")
    refuses(UnsupportedArgument, _shapes.reshape, x, shape=6, order="K")
    refuses(UnsupportedArgument, _shapes.reshape, x, shape=6, order=1)
    with pytest.raises(tf.errors.InvalidArgumentError):
        graph(_shapes.reshape, x, shape=(4, 2))


@given(SEEDS, st.sampled_from(NUMBERS), st.sampled_from((None, (1, 0, 2), (2, 0, 1), (-1, 0, -2))), _ENGINE)
def test_transpose(seed, dtype, axes, engine):
    x = drawn(seed, (2, 3, 4), dtype)
    same(engine(_shapes.transpose, x, axes=axes), np.transpose(x, axes))
    first, second = (axes or (0, -1))[:2]
    same(engine(_shapes.swapaxes, x, axis1=first, axis2=second), np.swapaxes(x, first, second))


def test_transpose_of_unknown_rank():
    x = drawn(2, (2, 3, 4), "float32")

    @tf.function(input_signature=[tf.TensorSpec(None)], autograph=False)
    def both(x):
        return (
            _shapes.transpose(x),
            _shapes.transpose(x, (2, 0, 1)),
            _shapes.ravel(x),
            _shapes.expand_dims(x, 0),
        )

    wanted = np.transpose(x), np.transpose(x, (2, 0, 1)), x.ravel(), x[None]
    for one, other in zip(both(tf.constant(x)), wanted, strict=True):
        same(one, other)
    # On TensorFlow 2.15 the kernel may complain before the check does.
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"axes|transpose"):
        both(tf.ones([2, 3]))


def test_refused_axes():
    x = np.ones((2, 3))
    refuses(UnsupportedArgument, _shapes.transpose, x, axes=(0,))
    refuses(UnsupportedArgument, _shapes.transpose, x, axes=(0, 0))
    refuses(BadAxis, _shapes.transpose, x, axes=(0, 2))
    refuses(WrongType, _shapes.transpose, x, axes=(0, 1.0))
    refuses(BadAxis, _shapes.swapaxes, x, axis1=0, axis2=2)
    refuses(WrongType, _shapes.swapaxes, x, axis1=0, axis2=None)
    refuses(OutsideDomain, _shapes.squeeze, x, axis=0)
    refuses(BadAxis, _shapes.squeeze, x, axis=2)
    refuses(UnsupportedArgument, _shapes.squeeze, np.ones((1, 1)), axis=(0, -2))
    refuses(BadAxis, _shapes.expand_dims, x, axis=3)
    refuses(UnsupportedArgument, _shapes.expand_dims, x, axis=(0, 0))
    refuses(WrongType, _shapes.expand_dims, x, axis=0.5)
    with pytest.raises(tf.errors.InvalidArgumentError):
        graph(_shapes.squeeze, x, axis=0)


@given(SEEDS, _DTYPE, st.sampled_from((None, 1, -1, (1, 3), (-3,), ())), _ENGINE)
def test_squeeze(seed, dtype, axis, engine):
    x = drawn(seed, (2, 1, 3, 1), dtype)
    same(engine(_shapes.squeeze, x, axis=axis), np.squeeze(x, axis))


def test_squeeze_of_little():
    for x in (np.array(3), np.ones((1, 1)), np.ones((2, 0)), np.ones((1, 0))):
        same(eager(_shapes.squeeze, x), np.squeeze(x))
    same(eager(_shapes.squeeze, np.array(3), axis=-1), np.array(3))


@given(SEEDS, _DTYPE, st.sampled_from((0, 1, -1, -3, (0, 1), (-1, 0, 2), ())), _ENGINE)
def test_expand_dims(seed, dtype, axis, engine):
    x = drawn(seed, (2, 3), dtype)
    same(engine(_shapes.expand_dims, x, axis=axis), np.expand_dims(x, axis))
    same(_shapes.expand_dims(tf.constant(x), [2]), np.expand_dims(x, [2]))


@given(SEEDS, _DTYPE, st.sampled_from(((2, 3), (4, 2, 3), (1, 2, 3), (0, 2, 3))), _ENGINE)
def test_broadcast_to(seed, dtype, shape, engine):
    for own in ((2, 3), (1, 3), (2, 1), (3,), ()):
        x = drawn(seed, own, dtype)
        same(engine(_shapes.broadcast_to, x, shape=shape), np.broadcast_to(x, shape))
    sizes = [tf.constant(size) for size in shape]
    same(_sized(_shapes.broadcast_to)(tf.constant(x), *sizes), np.broadcast_to(x, shape))


def test_refused_broadcasts():
    x = np.ones((2, 3))
    for shape in (3, (3,), (2, 4), (3, 3), (-1, 3), ()):
        refuses(OutsideDomain, _shapes.broadcast_to, x, shape=shape)
    refuses(WrongType, _shapes.broadcast_to, x, shape=(2.0, 3))
    same(eager(_shapes.broadcast_to, np.ones(1), shape=3), np.ones(3))
    same(eager(_shapes.broadcast_to, np.array(1), shape=()), np.array(1))
    with pytest.raises(tf.errors.InvalidArgumentError):
        graph(_shapes.broadcast_to, x, shape=(2, 4))


_REPEATS = st.sampled_from([(0, None), (2, None), (3, 0), (1, -1), ((1, 0, 2), 1), ((3,), 1), ((2, 1), 0)])


@given(SEEDS, st.sampled_from(("float32", *BYTES)), _REPEATS, _ENGINE)
def test_repeat(seed, dtype, how, engine):
    x = drawn(seed, (2, 3, 2), dtype)
    repeats, axis = how
    wanted = np.repeat(x, repeats, axis)
    same(engine(_shapes.repeat, x, repeats=repeats, axis=axis), wanted)
    same(engine(_shapes.repeat, x, np.asarray(repeats), axis=axis), wanted)


def test_repeat_by_all_kinds_of_numbers():
    x = np.arange(3.0)
    for repeats in (
        np.uint8(2),
        [1, 2, 0],
        np.array([0, 0, 0]),
        True,
        tf.constant(2),
        [tf.constant(1), 2, 3],
    ):
        known = [int(one) for one in repeats] if isinstance(repeats, list) else np.asarray(repeats)
        same(_shapes.repeat(tf.constant(x), repeats), np.repeat(x, known))
    same(eager(_shapes.repeat, np.array(3), repeats=2, axis=0), np.array([3, 3]))
    same(eager(_shapes.repeat, np.zeros((0, 2)), repeats=2, axis=0), np.zeros((0, 2)))
    same(eager(_shapes.repeat, np.zeros((0, 2)), repeats=(), axis=0), np.zeros((0, 2)))
    for repeats in (-1, (1, 2), ((1, 2, 3),), (1, -1, 1)):
        refuses(OutsideDomain, _shapes.repeat, x, repeats=repeats, axis=0)
    refuses(WrongType, _shapes.repeat, x, repeats=1.5, axis=0)
    refuses(BadAxis, _shapes.repeat, x, repeats=2, axis=1)
    with pytest.raises(tf.errors.InvalidArgumentError, match="repeats: got a negative number"):
        graph(_shapes.repeat, x, np.array(-1))
    with pytest.raises(tf.errors.InvalidArgumentError, match="repeats: got 2 numbers"):
        graph(_shapes.repeat, x, repeats=(1, 2))


def test_compiled_where_shapes_are_known():
    x = drawn(8, (4, 5, 3), "uint8")
    with config.use_jit("always"):
        same(compiled(_shapes.transpose, x, axes=(1, 2, 0)), np.transpose(x, (1, 2, 0)))
        same(compiled(_shapes.repeat, x, repeats=(2, 0, 1), axis=-1), np.repeat(x, (2, 0, 1), -1))
        same(compiled(_shapes.reshape, x, shape=(-1, 3)), x.reshape(-1, 3))
        same(compiled(_shapes.broadcast_to, x, shape=(2, 4, 5, 3)), np.broadcast_to(x, (2, 4, 5, 3)))
        same(compiled(_shapes.squeeze, x[:1], axis=0), x[0])
        repeated = tf.function(lambda x: _shapes.repeat(x, 2, 0), autograph=False)
        same(repeated(tf.constant(x)), np.repeat(x, 2, 0))
