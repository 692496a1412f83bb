"""What stands at a key is what NumPy finds there: eagerly, and in a graph that knows no size."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeport.arrays._getitem import getitem
from pipeport.errors import BadIndex, OutsideDomain, UnsupportedArgument, WrongType

DTYPES = ["bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64"]
DTYPES += ["float16", "float32", "float64", "complex64", "complex128"]
SHAPES = [(4, 5, 3), (6,), (1, 0, 2), ()]


def array_of(shape, dtype="float32"):
    numbers = np.arange(int(np.prod(shape)))
    if dtype.startswith("float"):
        numbers = np.where(numbers % 7 == 3, np.nan, numbers - 3.5)
    return numbers.reshape(shape).astype(dtype)


def slices():
    bound = st.none() | st.integers(-7, 7)
    return st.builds(slice, bound, bound, st.none() | st.sampled_from([-3, -2, -1, 1, 2, 3]))


@st.composite
def keys(draw, shape, basic=False):
    """Keys that NumPy takes, most of the time."""
    key, left = [], list(shape)
    count = draw(st.integers(1, 4)) if draw(st.booleans()) else 0
    for _ in range(draw(st.integers(0, 5))):
        kinds = ["whole", "slice", "slice", "new", "rest"]
        kinds += [] if basic else ["many", "many", "mask", "bool"]
        kind = draw(st.sampled_from(kinds))
        if kind == "new":
            key.append(None)
        elif kind == "bool":
            key.append(draw(st.booleans()))
        elif kind == "rest" and Ellipsis not in [one for one in key if not isinstance(one, np.ndarray)]:
            skipped = draw(st.integers(0, len(left)))
            left = left[skipped:]
            key.append(Ellipsis)
        elif not left:
            continue
        elif kind == "mask":
            rank = draw(st.integers(1, len(left)))
            taken, left = left[:rank], left[rank:]
            bits = draw(st.lists(st.booleans(), min_size=4, max_size=4))
            mask = np.resize(np.array(bits), int(np.prod(taken))).reshape(taken)
            if any(isinstance(one, np.ndarray) for one in key):  # must broadcast with the others
                mask = np.zeros(taken, bool)
                if mask.size:
                    mask.flat[-1] = True
            key.append(mask)
        else:
            size, left = left[0], left[1:]
            if kind in ("slice", "rest") or not size:
                key.append(draw(slices()))
            elif kind == "whole":
                key.append(draw(st.integers(-size, size - 1)))
            else:
                places = st.integers(-size, size - 1)
                many = np.array(draw(st.lists(places, min_size=count, max_size=count)), np.int64)
                key.append(many[:, None] if draw(st.booleans()) else many)
    return key[0] if len(key) == 1 and draw(st.booleans()) else tuple(key)


def expected(x, key):
    """NumPy's answer, or None where it refuses."""
    try:
        return x[key]
    except (IndexError, ValueError):
        return None


def same(found, wanted):
    found = found.numpy()
    assert found.dtype == wanted.dtype
    assert found.shape == wanted.shape
    assert found.tobytes() == np.ascontiguousarray(wanted).tobytes()


def parts(key):
    """Take what can be drawn out of a key: a list of tensors, and a function that puts them back."""
    leaves = []

    def out(one):
        if isinstance(one, slice):
            return ("slice", [out(part) for part in (one.start, one.stop, one.step)])
        if isinstance(one, (bool, int, np.ndarray)):
            leaves.append(np.asarray(one))
            return ("leaf", len(leaves) - 1)
        return ("as it is", one)

    tree = [out(one) for one in key] if isinstance(key, tuple) else out(key)

    def back(one, tensors):
        what, inner = one
        if what == "slice":
            return slice(*[back(part, tensors) for part in inner])
        return tensors[inner] if what == "leaf" else inner

    def put(tensors):
        return tuple(back(one, tensors) for one in tree) if isinstance(tree, list) else back(tree, tensors)

    return leaves, put


def in_graph(function, x, key, *others):
    """Run with a key whose numbers and arrays are drawn, and unknown sizes all over."""
    leaves, put = parts(key)
    tensors = [tf.constant(x), *map(tf.constant, others), *map(tf.constant, leaves)]
    specs = [tf.TensorSpec([None] * one.shape.rank, one.dtype) for one in tensors]
    count = 1 + len(others)

    def body(*given):
        return function(given[0], put(given[count:]), *given[1:count])

    body = tf.function(body, input_signature=specs, autograph=False)
    return body(*tensors)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@given(data=st.data())
def test_eager(shape, data):
    x = array_of(shape)
    key = data.draw(keys(shape))
    wanted = expected(x, key)
    if wanted is None:
        with pytest.raises((BadIndex, OutsideDomain)):
            getitem(tf.constant(x), key)
        return
    try:
        found, shares = getitem(tf.constant(x), key)
    except BadIndex:
        assert not x.size  # NumPy takes a mask of another shape there
        return
    same(found, wanted)
    if x.size and wanted.size:
        assert shares == (isinstance(wanted, np.ndarray) and np.shares_memory(wanted, x))


@pytest.mark.parametrize("shape", SHAPES[:2], ids=str)
@settings(max_examples=25)
@given(data=st.data())
def test_drawn(shape, data):
    x = array_of(shape)
    key = data.draw(keys(shape))
    wanted = expected(x, key)
    if wanted is None:
        return
    same(in_graph(lambda t, k: getitem(t, k)[0], x, key), wanted)


@settings(max_examples=25)
@given(data=st.data())
def test_basic_keys_of_any_rank(data):
    x = array_of((4, 5, 3))
    key = data.draw(keys(x.shape, basic=True))
    wanted = expected(x, key)
    if wanted is not None:
        body = tf.function(lambda t: getitem(t, key)[0], autograph=False)
        body = body.get_concrete_function(tf.TensorSpec(None, tf.float32))
        same(body(tf.constant(x)), wanted)


@settings(max_examples=25)
@given(data=st.data())
def test_shapes_are_known(data):
    x = array_of((4, 5, 3))
    key = data.draw(keys(x.shape))
    wanted = expected(x, key)
    if wanted is not None:
        seen = []
        body = tf.function(lambda t: seen.append(getitem(t, key)[0].shape) or t, autograph=False)
        body.get_concrete_function(tf.TensorSpec(x.shape, tf.float32))
        assert seen[0].as_list() == list(wanted.shape)


KEYS = {
    "reversed rows": np.s_[::-1],
    "reversed columns": np.s_[:, ::-1],
    "reversed channels": np.s_[..., ::-1],
    "steps": np.s_[::2, 4:0:-2],
    "channels in another order": np.s_[..., [2, 1, 0]],
    "rows": np.s_[[1, -1, 1]],
    "pairs": np.s_[[0, 1], :, [2, 0]],
    "mask": np.arange(20).reshape(4, 5) % 3 == 0,
}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", KEYS)
def test_every_dtype(name, dtype):
    x = array_of((4, 5, 3), dtype)
    same(getitem(tf.constant(x), KEYS[name])[0], x[KEYS[name]])


@pytest.mark.parametrize("name", KEYS)
def test_compiled(name):
    x = array_of((4, 5, 3))
    body = tf.function(lambda t: getitem(t, KEYS[name])[0], jit_compile=True)
    same(body(tf.constant(x)), x[KEYS[name]])


@pytest.mark.parametrize("sizes", [(1, 1), (None, None)], ids=["static", "unknown"])
def test_compiled_with_a_mask_of_one_element(sizes):
    x = array_of((1, 1, 3))
    specs = [tf.TensorSpec([*sizes, 3], x.dtype), tf.TensorSpec(sizes, tf.bool)]
    keys = {"whole": lambda m: m, "parts": lambda m: (m[0], m[:, 0], slice(None))}
    for name, key in keys.items():
        body = tf.function(lambda t, m, k=key: getitem(t, k(m))[0], specs, jit_compile=True)
        for mask in (np.zeros((1, 1), bool), np.ones((1, 1), bool)):
            assert body(tf.constant(x), tf.constant(mask)).shape == x[key(mask)].shape, name
            same(body(tf.constant(x), tf.constant(mask)), x[key(mask)])


def test_compiled_with_drawn_places_is_compiled_once():
    x = array_of((4, 5, 3))
    body = tf.function(lambda t, i: getitem(t, (i, slice(None), [0, 1]))[0], jit_compile=True)
    for place in (1, -1, 3):
        same(body(tf.constant(x), tf.constant(place)), x[place, :, [0, 1]])
    hlo = body.experimental_get_compiler_ir(tf.constant(x), tf.constant(2))(stage="hlo")
    assert hlo.count("parameter(1)") == 1  # the place is an argument, no constant


def test_in_a_dataset():
    x = array_of((8, 6, 3))
    dataset = tf.data.Dataset.range(5).map(lambda t: getitem(tf.constant(x), np.s_[t : t + 3, ::-1])[0])
    for t, found in enumerate(dataset):
        same(found, x[t : t + 3, ::-1])


@pytest.mark.parametrize(
    ("key", "error"),
    [
        (4, BadIndex),
        (-5, BadIndex),
        (2**70, BadIndex),
        (1.0, BadIndex),
        ("x", BadIndex),
        ([0.5], BadIndex),
        (np.array([]), BadIndex),
        ([None], BadIndex),
        ([[0, 1], [0]], BadIndex),
        (np.s_[..., ...], BadIndex),
        (np.s_[0, 0, 0, 0], BadIndex),
        ([0, 4], BadIndex),
        (([0, 1], [0, 1, 2]), BadIndex),
        (np.ones((4, 4), bool), BadIndex),
        (np.ones((1, 5), bool), BadIndex),
        (np.ones((4, 5, 3, 1), bool), BadIndex),
        (np.s_[::0], OutsideDomain),
        (np.s_[1.0:], WrongType),
        (np.s_[: np.array([1])], WrongType),
    ],
    ids=repr,
)
def test_refused(key, error):
    x = array_of((4, 5, 3))
    with pytest.raises((IndexError, ValueError, TypeError)):
        x[key]
    with pytest.raises(error):
        getitem(tf.constant(x), key)


def test_arrays_of_an_unknown_rank_are_refused():
    body = tf.function(lambda t: getitem(t, [0])[0], input_signature=[tf.TensorSpec(None, tf.float32)])
    with pytest.raises(UnsupportedArgument, match="rank"):
        body(tf.zeros([2]))


@pytest.mark.parametrize(
    "key",
    [4, np.s_[:, -6], np.s_[..., 3], np.array([0, 4]), np.ones((4, 4), bool), ([0], [5]), np.s_[::0]],
    ids=repr,
)
def test_refused_when_the_graph_runs(key):
    x = array_of((4, 5, 3))
    with pytest.raises((IndexError, ValueError)):
        x[key]
    with pytest.raises((tf.errors.InvalidArgumentError, OutsideDomain)):
        in_graph(lambda t, k: getitem(t, k)[0], x, key)


def test_other_keys():
    x = array_of((4, 5, 3))
    t = tf.constant(x)
    same(getitem(t, [True, False, True, True])[0], x[[True, False, True, True]])
    same(getitem(t, ((0, 1),))[0], x[(0, 1),])
    same(getitem(t, [])[0], x[[]])
    same(getitem(t, np.uint8(3))[0], x[3])
    same(getitem(t, np.s_[np.array(1) : np.int8(3)])[0], x[1:3])
    same(getitem(t, tf.Variable(2))[0], x[2])
    same(getitem(t, [tf.constant(1), 2])[0], x[[1, 2]])
    same(getitem(t, tf.constant([1, 3], tf.uint8))[0], x[[1, 3]])
    same(getitem(t, np.s_[: 2**70])[0], x)
    assert getitem(t, np.array(1))[1] is False  # NumPy copies there
    assert getitem(t, np.s_[0, 0, 0])[1] is False
    assert getitem(t, np.s_[0, 0, 0, ...])[1] is True
