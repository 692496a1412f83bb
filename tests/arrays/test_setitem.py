"""An assignment gives the array NumPy's gives: eagerly, and in a graph that knows no size."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeport.arrays._getitem import getitem
from pipeport.arrays._setitem import setitem
from pipeport.errors import BadIndex, OutsideDomain, UnsupportedArgument, WrongType
from tests.arrays.test_getitem import DTYPES, KEYS, SHAPES, array_of, expected, in_graph, keys, same


def assign(x, key, value):
    x = x.copy()
    x[key] = value
    return x


@st.composite
def values(draw, shape):
    """What broadcasts to a shape; values that differ, so that the order counts."""
    shape = [1 if draw(st.integers(0, 4)) == 0 else size for size in shape]
    drop = draw(st.integers(0, len(shape))) if draw(st.booleans()) else 0
    shape = shape[drop:]
    return (np.arange(int(np.prod(shape))).reshape(shape) + 100).astype("float32")


def drawn(data, shape):
    """Draw an array, a key that NumPy takes, and a value; or None."""
    x = array_of(shape)
    key = data.draw(keys(shape))
    found = expected(x, key)
    if found is None:
        return None
    value = data.draw(values(found.shape))
    try:
        return x, key, value, assign(x, key, value)
    except (TypeError, ValueError):  # a mask of all elements takes no more than one axis
        return x, key, value, None


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@given(data=st.data())
def test_eager(shape, data):
    case = drawn(data, shape)
    if case is None:
        return
    x, key, value, wanted = case
    if wanted is None:
        with pytest.raises((WrongType, OutsideDomain)):
            setitem(tf.constant(x), key, value)
    else:
        try:
            found = setitem(tf.constant(x), key, value)
        except BadIndex:
            assert not x.size  # NumPy takes a mask of another shape there
        else:
            same(found, wanted)


@pytest.mark.parametrize("shape", SHAPES[:2], ids=str)
@settings(max_examples=25)
@given(data=st.data())
def test_drawn(shape, data):
    case = drawn(data, shape)
    if case is not None and case[3] is not None:
        x, key, value, wanted = case
        same(in_graph(setitem, x, key, value), wanted)


@settings(max_examples=25)
@given(data=st.data())
def test_graph_of_known_sizes(data):
    case = drawn(data, (4, 5, 3))
    if case is not None and case[3] is not None:
        x, key, value, wanted = case
        shapes = []

        @tf.function(autograph=False)
        def body(t, v):
            found = setitem(t, key, v)
            shapes.append(found.shape)
            return found

        same(body(tf.constant(x), tf.constant(value)), wanted)
        assert shapes[0] == x.shape


@pytest.mark.parametrize("value", ["number", "array"])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", [*KEYS, "block", "channel", "long rows"])
def test_every_dtype(name, dtype, value):
    x = array_of((4, 5, 3) if name != "long rows" else (4, 40), dtype)
    key = {"block": np.s_[1:3, 1:4], "channel": np.s_[..., 1], "long rows": np.array([True, False] * 2)}
    key = KEYS.get(name, key.get(name))
    value = True if value == "number" else array_of(x[key].shape, dtype)[::-1].copy()
    same(setitem(tf.constant(x), key, value), assign(x, key, value))


def test_no_bit_of_nan_is_lost():
    for dtype, whole in (("float16", "uint16"), ("float32", "uint32"), ("float64", "uint64")):
        bits = np.array([0x7C01, 0xFE05, 0x8000, 0x0001], "uint16")
        x = np.resize(bits.astype(whole) << (0 if whole == "uint16" else 16), (4, 2)).view(dtype)
        for key in (np.s_[1:2, 0], np.array([True, False, True, False]), np.eye(4, 2, dtype=bool), [0, 2]):
            value = np.asarray(x[3, 0])
            same(setitem(tf.constant(x), key, tf.constant(value)), assign(x, key, value))


@pytest.mark.parametrize("name", [*KEYS, "block", "channel"])
@pytest.mark.parametrize("scalar", [True, False])
def test_compiled(name, scalar):
    x = array_of((4, 5, 3))
    key = {"block": np.s_[1:3, 1:4], "channel": np.s_[..., 1]}
    key = KEYS.get(name, key.get(name))
    value = np.float32(7) if scalar else np.arange(x[key].size, dtype="float32").reshape(x[key].shape)
    drawn_mask = isinstance(key, np.ndarray) and key.dtype == bool
    body = tf.function(lambda t, v, k: setitem(t, k if drawn_mask else key, v), jit_compile=True)
    mask = tf.constant(key if drawn_mask else True)
    same(body(tf.constant(x), tf.constant(value), mask), assign(x, key, value))


@pytest.mark.parametrize("compiled", [False, True])
def test_the_last_of_repeated_places_wins(compiled):
    generator = np.random.default_rng(5)
    x = np.zeros((50, 3), "float32")
    body = tf.function(setitem, jit_compile=compiled, autograph=False)
    for _ in range(5):
        places = generator.integers(-50, 50, 5000)
        value = generator.random((5000, 3)).astype("float32")
        wanted = assign(x, places, value)
        same(body(tf.constant(x), tf.constant(places), tf.constant(value)), wanted)
        same(setitem(tf.constant(x), places, value), wanted)
        same(setitem(tf.constant(x), (places, np.array(1)), value[:, 0]), assign(x, (places, 1), value[:, 0]))


def test_what_is_given_stays():
    x = tf.constant(array_of((4, 5, 3)))
    before = x.numpy().copy()
    for key in (0, np.s_[1:2], np.s_[..., 0], np.s_[::2], [0, 0], np.eye(4, 5, dtype=bool)):
        setitem(x, key, 5)
        same(x, before)


def test_in_a_dataset():
    x = array_of((8, 6, 3))

    def body(t):
        found = setitem(tf.constant(x), np.s_[t : t + 3, 1:-1], 9.0)
        found = setitem(found, (t, 0), [1, 2, 3])
        return setitem(found, found[..., 0] > 20, tf.cast(t, tf.float32))

    for t, found in enumerate(tf.data.Dataset.range(5).map(body)):
        wanted = assign(assign(x, np.s_[t : t + 3, 1:-1], 9.0), (t, 0), [1, 2, 3])
        same(found, assign(wanted, wanted[..., 0] > 20, t))


def test_gradients_pass():
    x, value = tf.constant(array_of((4, 5, 3), "float64") * 0), tf.constant(2.0, tf.float64)
    for key in (0, np.s_[1:3, 1:4], np.s_[..., 0], np.s_[::2, ::-1], [0, 2], np.eye(4, 5, dtype=bool)):
        with tf.GradientTape() as tape:
            tape.watch([x, value])
            total = tf.reduce_sum(setitem(x, key, value))
        to_x, to_value = tape.gradient(total, [x, value])
        assert to_value.numpy() == getitem(x, key)[0].numpy().size
        same(tf.convert_to_tensor(to_x), assign(np.ones(x.shape), key, 0))


VALUES = [
    300,
    -1,
    300.7,
    2.7,
    np.int64(300),
    np.float64(300.7),
    [300, 1],
    [np.int64(300), 1],
    [300.7, 1],
    True,
]
VALUES += [
    np.array([300, -1]),
    [True, 2.5],
    [2**31, 1],
    10**30,
    2**63,
    2**64 - 1,
    np.nan,
    np.inf,
    [np.nan, 1],
]
VALUES += [1j, [1j, 2], np.complex64(3 + 1j), [np.complex64(3 + 1j), 2], np.array([3 + 1j, 1]), 1e40, 10**400]
VALUES += ["5", None, [None, 1], [[1, 2], [3]], [1, 2, 3], [], np.array([[3, 4]])]

NONE = next(at for at, one in enumerate(VALUES) if isinstance(one, list) and one[:1] == [None])


@pytest.mark.filterwarnings("ignore:Casting complex values", "ignore:overflow encountered")
@pytest.mark.parametrize("dtype", ["bool", "uint8", "int64", "uint64", "float32", "complex64"])
@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_values(value, dtype):
    x = np.zeros(2, dtype)
    if isinstance(value, (str, type(None))) or value is VALUES[NONE]:  # NumPy reads text, and NaN for None
        with pytest.raises(WrongType):
            setitem(tf.constant(x), slice(None), value)
        return
    try:
        python = type(value) in (float, list) and repr(value) in ("300.7", "[300.7, 1]")
        if python and dtype == "uint8":  # NumPy 1 wraps these around
            raise OverflowError
        wanted = assign(x, slice(None), value)
    except (OverflowError, ValueError, TypeError, DeprecationWarning) as error:
        refused = WrongType if isinstance(error, TypeError) else OutsideDomain
        with pytest.raises(refused):
            setitem(tf.constant(x), slice(None), value)
    else:
        same(setitem(tf.constant(x), slice(None), value), wanted)


@pytest.mark.parametrize(
    ("key", "shape"),
    [
        (np.s_[1:3], (3, 5, 3)),
        (np.s_[0], (3, 3)),
        (np.s_[..., 0], (4, 4)),
        (np.s_[::2], (4, 5, 3)),
        ([0, 1], (3, 5, 3)),
        (([0, 1], [0, 1]), (2, 2)),
        (np.eye(4, 5, dtype=bool), (3, 3)),
        (np.eye(4, 5, dtype=bool), (4, 2)),
        (np.eye(4, 5, dtype=bool), (5, 4, 3)),
        (np.ones((4, 5, 3), bool), (59,)),
        (np.zeros((4, 5, 3), bool), (2,)),
        (np.ones((4, 5, 3), bool), (1, 60)),
        (np.s_[None, :, :0], (5, 0, 3)),
    ],
    ids=repr,
)
def test_values_that_do_not_fit(key, shape):
    x, value = array_of((4, 5, 3)), np.ones(shape, "float32")
    with pytest.raises((ValueError, TypeError)):
        assign(x, key, value)
    with pytest.raises((OutsideDomain, WrongType)):
        setitem(tf.constant(x), key, value)
    with pytest.raises((tf.errors.InvalidArgumentError, OutsideDomain, WrongType)):
        in_graph(setitem, x, key, value)


@pytest.mark.parametrize(
    "key", [4, np.s_[:, -6], np.s_[..., 3], np.array([0, 4]), np.ones((4, 4), bool)], ids=repr
)
def test_places_beyond_the_array(key):
    x, value = array_of((4, 5, 3)), np.float32(1)
    with pytest.raises(BadIndex):
        setitem(tf.constant(x), key, value)
    with pytest.raises(tf.errors.InvalidArgumentError):
        in_graph(setitem, x, key, value)


def test_unknown_ranks_are_refused():
    anything = tf.TensorSpec(None, tf.float32)
    body = tf.function(lambda x, v: setitem(x, 0, v), input_signature=[anything, anything])
    with pytest.raises(UnsupportedArgument, match="array"):
        body(tf.zeros([2]), tf.zeros([]))
    body = tf.function(lambda v: setitem(tf.zeros([2]), 0, v), input_signature=[anything])
    with pytest.raises(UnsupportedArgument, match="value"):
        body(tf.zeros([]))


def test_bounds_that_cross_or_leave_the_array():
    x = array_of((6, 4))
    body = tf.function(lambda a, b, c: setitem(tf.constant(x), np.s_[a:b, c:], -1.0), autograph=False)
    for a in range(-8, 9, 2):
        for b in range(-8, 9, 3):
            for c in (-5, -2, 0, 3, 5):
                bounds = [tf.constant(a), tf.constant(b, tf.int64), tf.constant(c, tf.int8)]
                same(body(*bounds), assign(x, np.s_[a:b, c:], -1))


@pytest.mark.parametrize("jit", [False, True], ids=["graph", "jit"])
@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint16", "int16", "float16", "int32"])
@pytest.mark.parametrize("row", [(16,), (4, 4, 3), (4, 6), (5,)], ids=str)
def test_many_narrow_rows(dtype, row, jit):
    generator = np.random.default_rng(3)
    x = generator.integers(0, 100, (600, *row)).astype(dtype)
    index = generator.permutation(np.r_[0:400, -150:0])
    for value in (7, generator.integers(0, 100, (len(index), *row)).astype(dtype)):
        function = tf.function(setitem, autograph=False, jit_compile=jit)
        found = function(tf.constant(x), tf.constant(index), tf.constant(value, dtype))
        same(found, assign(x, index, value))
    words = {
        node.type
        for node in function.get_concrete_function(
            tf.TensorSpec(x.shape, dtype),
            tf.TensorSpec(index.shape, tf.int64),
            tf.TensorSpec(x[index].shape, dtype),
        ).graph.get_operations()
    }
    whole = np.dtype(dtype).itemsize * np.prod(row) % 8 == 0
    assert ("Bitcast" in words) == (whole and dtype not in ("float16", "int32"))


def test_many_narrow_rows_of_two_axes():
    generator = np.random.default_rng(4)
    x = generator.integers(0, 100, (30, 20, 16)).astype("uint8")
    index = generator.integers(0, 30, (40, 10)), generator.permutation(400).reshape(40, 10) % 20
    value = generator.integers(0, 100, (40, 10, 16)).astype("uint8")
    function = tf.function(lambda x, *index: setitem(x, index, value), autograph=False)
    same(function(x, *index), assign(x, index, value))
    with pytest.raises(tf.errors.InvalidArgumentError):
        function(x, index[0] + 1, index[1])
