"""What a function was wrapped in, and functions of libraries as bodies."""

from __future__ import annotations

import functools

import cv2
import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport.errors import OutsideDomain, PortRefused
from pipeport.porting import port

pytestmark = pytest.mark.both


def scaled(x, y):
    return x / 255, 1 - x / 255, x * y, y // x, x[0] / 2, x.numpy() / 255, np.mean(x), x.numpy() * y.numpy()


def counted(x, y):
    total = tf.zeros([], tf.float32)
    for row in x:
        total = total + tf.cast(tf.reduce_mean(row / 2), tf.float32)
    return total if total > 3 else total * np.float64(2), tf.reduce_sum(y), tf.reduce_max(x)


def of_numpy(x, y):
    """What NumPy makes of a tensor is an array."""
    wide = np.asarray(x) * 0.3
    return wide, np.reshape(x, -1) / 255, np.transpose(x) / np.float32(7), np.array(y) * 2.5, x / 2


@pytest.mark.parametrize("dtype", ["uint8", "int16", "int32", "float32", "float64"])
@pytest.mark.parametrize("function", [scaled, counted, of_numpy])
def test_arguments_of_a_py_function_are_tensors(function, dtype):
    x, y = np.array([[3, 2], [1, 4]], dtype), np.array([[5, 6], [7, 8]], dtype)
    right = function(tf.constant(x), tf.constant(y))
    ported = port(function, wrapper="py_function", example=(x, y))
    data = tf.data.Dataset.from_tensors((x, y))
    unknown = data.padded_batch(1, ([None, None], [None, None])).unbatch()
    for found in [ported(x, y), next(iter(data.map(ported))), next(iter(unknown.map(ported)))]:
        for ours, theirs in zip(tf.nest.flatten(found), tf.nest.flatten(right), strict=True):
            ours, theirs = np.asarray(ours), np.asarray(theirs)
            assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
            np.testing.assert_allclose(ours, theirs, rtol=1e-6)


def crop(image, start, size, names, label, flip):
    """What a py_function is given besides tensors are tensors, too."""
    rows = np.zeros((size.numpy(), 2), np.float32)
    if flip:
        image = image[::-1]
    first, last = start.numpy()
    text = tf.strings.join([names[1], bytes.decode(label.numpy())], "/")
    return image[first:last] / 2 + rows[: last - first, :1], text, label == "cat", size + 1


@pytest.mark.parametrize("flip", [True, False])
def test_python_arguments_of_a_py_function_are_tensors(flip):
    x = np.arange(12, dtype=np.float32).reshape(6, 2)
    rest = ([1, 4], 5, ["train", "test"], "cat", flip)
    right = crop(tf.constant(x), *map(tf.constant, rest))
    ported = port(crop, wrapper="py_function", example=(x, *rest))
    data = tf.data.Dataset.from_tensors(x).map(lambda x: ported(x, *rest))
    for found in [ported(x, *rest), next(iter(data))]:
        for ours, theirs in zip(found, right, strict=True):
            np.testing.assert_array_equal(ours, theirs, strict=True)
    assert port(lambda x, k: x * k, wrapper="py_function")(x, k=2).dtype == tf.float32  # by keyword: as it is


def test_arguments_of_a_numpy_function_are_arrays():
    found = port(lambda x: x / 255)(np.array([51], np.uint8))
    assert found.dtype == tf.float64
    assert port(lambda x: x / 255, wrapper="numpy_function")(tf.constant([51], tf.uint8)).dtype == tf.float64


def test_methods_keep_their_wrapper():
    class Scale:
        @functools.partial(port, wrapper="py_function")
        def scaled(self, x):
            return x / 255

    assert Scale().scaled(np.array([51], np.uint8)).dtype == tf.float32


@pytest.mark.parametrize("wrapper", ["py_func", None, 3])
def test_an_unknown_wrapper_is_refused(wrapper):
    with pytest.raises(OutsideDomain, match=r"wrapper.*'numpy_function' or 'py_function'"):
        pipeport.port(scaled, wrapper=wrapper)


@pytest.mark.parametrize(
    "function",
    [
        np.squeeze, np.sqrt, np.fliplr, abs, tf.image.flip_left_right, pipeport.numpy.rot90,
        functools.partial(np.mean, axis=0, keepdims=True), functools.partial(cv2.resize, dsize=(4, 6)),
        functools.partial(functools.partial(np.clip, a_max=3), a_min=1), functools.partial(tf.math.add, 1.0),
    ],
)  # fmt: skip
def test_a_function_of_a_library_becomes_its_native(function):
    x = np.arange(6, dtype=np.float32).reshape(2, 3, 1)
    right = np.asarray(function(x))
    ported = port(function, example=x)
    assert not ported.report()[0].refused
    for found in [ported(x), tf.function(ported)(x), next(iter(tf.data.Dataset.from_tensors(x).map(ported)))]:
        assert (found.dtype, found.shape) == (right.dtype, right.shape)
        np.testing.assert_allclose(found, right, rtol=1e-6)


def test_a_reader_becomes_its_native(tmp_path):
    file, picture = str(tmp_path / "x.npy"), str(tmp_path / "x.png")
    x = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
    np.save(file, x)
    cv2.imwrite(picture, x)
    np.testing.assert_array_equal(port(functools.partial(np.load, allow_pickle=False))(file), x, strict=True)
    for found in [
        port(cv2.imread)(picture),
        next(iter(tf.data.Dataset.from_tensors(picture).map(port(cv2.imread)))),
    ]:
        np.testing.assert_array_equal(found, x, strict=True)


@pytest.mark.parametrize(
    ("function", "near"),
    [
        (np.piecewise, r"piecewise.*no native"),
        (functools.partial(np.lexsort, axis=0), r"lexsort.*no native"),
        (cv2.grabCut, r"grabCut.*no native"),
        (np.array_equiv, r"array_equiv.*Write `numpy.array_equal`"),
    ],
)
def test_one_without_a_native_is_refused(function, near):
    with pytest.raises(PortRefused, match=rf"(?s){near}"):
        port(function)
