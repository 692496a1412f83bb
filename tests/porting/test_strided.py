"""`as_strided` of windows in ported bodies, and `put_along_axis` where it is refused."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf
from numpy.lib.stride_tricks import as_strided

from pipeport.errors import BadIndex, OutsideDomain, UnsupportedArgument, WrongType
from pipeport.porting import port

WAVE = np.arange(20, dtype=np.float32)
PLANE = np.arange(42, dtype=np.uint8).reshape(6, 7)
VOLUME = np.arange(60.0).reshape(3, 4, 5)


def frames(x):
    step = x.strides[0]
    return as_strided(x, shape=(1 + (x.shape[0] - 6) // 3, 6), strides=(step * 3, step))


def frames_by_itemsize(x):
    return as_strided(x, (len(x) - 3, 4), (x.itemsize, x.itemsize), writeable=False).sum(axis=-1)


def neighbourhoods(x):
    height, width = x.shape
    return as_strided(x, (height - 2, width - 2, 3, 3), x.strides + x.strides).max(axis=(2, 3))


def blocks(x):
    height, width = x.shape
    down, right = x.strides
    return as_strided(x, (height // 2, width // 3, 2, 3), (2 * down, 3 * right, down, right))


def fewer_blocks(x):
    return as_strided(x, (2, 2, 2, 3), (2 * x.strides[0], 3 * x.strides[1], *x.strides)) * 2


def lines_in_windows(x):
    rows, columns = x.shape
    down, right = x.strides
    return as_strided(x, (rows, (columns - 3) // 2 + 1, 3), (down, 2 * right, right))


def repeated(x):
    return as_strided(x, (3, *x.shape), (0, *x.strides)) + 1


def diagonal(x):
    return as_strided(x, (min(x.shape),), (sum(x.strides),))


def of_three_axes(x):
    return as_strided(x, (2, 3, 4, 2, 2, 2), x.strides * 2).mean(axis=(3, 4, 5)), x.strides


def as_it_is(x):
    return as_strided(x) + as_strided(x, x.shape)


def written_blocks(x):
    x = x.copy()
    down, right = x.strides
    parts = as_strided(x, (3, 2, 2, 3), (2 * down, 3 * right, down, right))
    parts[1, :, 0] = 200
    parts[..., 2] //= 2
    return x, parts


def of_no_elements(x):
    return as_strided(x, (0, 100), (x.itemsize, x.itemsize))


@pytest.mark.parametrize(
    ("function", "x"),
    [
        (frames, WAVE), (frames, WAVE[:6]), (frames_by_itemsize, WAVE), (neighbourhoods, PLANE),
        (blocks, PLANE), (fewer_blocks, PLANE), (lines_in_windows, PLANE), (repeated, PLANE),
        (diagonal, PLANE), (of_three_axes, VOLUME), (as_it_is, PLANE), (written_blocks, PLANE),
        (of_no_elements, PLANE),
    ],
)  # fmt: skip
def test_windows_in_steps_of_memory(function, x):
    right, ported = function(x), port(function)
    spec = tf.TensorSpec(x.shape, x.dtype)
    # Whether blocks of unknown sizes lie apart only the graph would know.
    unknown = spec if function is written_blocks else tf.TensorSpec([None] * x.ndim, x.dtype)
    sized = tf.function(ported, input_signature=[spec], autograph=False)
    for run in (
        ported,
        sized,
        tf.function(ported, input_signature=[unknown], autograph=False),
        tf.function(ported, input_signature=[spec], autograph=False, jit_compile=True),
        lambda x: next(iter(tf.data.Dataset.from_tensors(x).map(ported))),
    ):
        for found, one in zip(tf.nest.flatten(run(x)), tf.nest.flatten(right), strict=True):
            np.testing.assert_array_equal(found, one, strict=True)
    for found, one in zip(
        tf.nest.flatten(sized.get_concrete_function().structured_outputs), tf.nest.flatten(right), strict=True
    ):
        assert found.shape == np.shape(one)


def reaching_outside(x):
    return as_strided(x, (x.shape[0], 3), x.strides * 2)


def reaching_back(x):
    return as_strided(x[::1], (3,), (-x.strides[0],))


def part_of_an_element(x):
    return as_strided(x, (3,), (x.strides[0] // 2,))


def strides_too_few(x):
    return as_strided(x, (3, 2), x.strides)


def with_gaps(x):
    return as_strided(x[::2], (3,), (x.itemsize,))


def strides_with_gaps(x):
    return x[::2].strides


def with_subclasses(x):
    return as_strided(x, (3,), x.strides, subok=True)


def written_although_read_only(x):
    y = as_strided(x, (3,), x.strides, writeable=False)
    y[0] = 1
    return x


def written_where_windows_overlap(x):
    y = as_strided(x, (3, 3), x.strides * 2)
    y[0] = 1
    return x


def put_at_fractions(x):
    np.put_along_axis(x, np.array([0.5]), 1, 0)
    return x


def put_in_other_ranks(x):
    np.put_along_axis(x, np.array([[0]]), 1, 0)
    return x


def put_outside(x):
    np.put_along_axis(x, np.array([99]), 1, 0)
    return x


def put_what_is_no_number(x):
    np.put_along_axis(x, np.array([0]), "1", 0)
    return x


@pytest.mark.parametrize(
    ("function", "error", "words"),
    [
        (reaching_outside, OutsideDomain, "places outside of the array"),
        (reaching_back, OutsideDomain, "places outside of the array"),
        (part_of_an_element, OutsideDomain, "whole elements, of 4 bytes"),
        (strides_too_few, OutsideDomain, "one stride per axis"),
        (with_gaps, UnsupportedArgument, "Copy it first"),
        (strides_with_gaps, UnsupportedArgument, "Copy it first"),
        (with_subclasses, UnsupportedArgument, "subok"),
        (written_although_read_only, UnsupportedArgument, "read-only"),
        (written_where_windows_overlap, UnsupportedArgument, "windows that may overlap"),
        (put_at_fractions, BadIndex, "whole numbers"),
        (put_in_other_ranks, OutsideDomain, "rank 1, that of arr"),
        (put_outside, BadIndex, "99"),
        (put_what_is_no_number, WrongType, "values"),
    ],
)
def test_what_is_refused(function, error, words):
    with pytest.raises(error, match=words):
        port(function)(WAVE)


@pytest.mark.parametrize("function", [reaching_outside, put_outside])
def test_what_the_graph_finds_outside(function):
    spec = [tf.TensorSpec([None], tf.float32)]
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.function(port(function), input_signature=spec, autograph=False)(WAVE)


def test_blocks_of_unknown_sizes_are_not_written():
    spec = [tf.TensorSpec([None, None], tf.uint8)]
    with pytest.raises(UnsupportedArgument, match="windows that may overlap"):
        tf.function(port(written_blocks), input_signature=spec, autograph=False)(PLANE)
