"""Lists and tuples with an element of an array, as operands and as parameters of ported bodies."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from pipeport.errors import UnsupportedArgument
from pipeport.porting import port


def times(x):
    return x * [x.mean(), 1.0]


def list_first(x):
    return [x.max(), 2] - x


def added_to_columns(x):
    d = x.max()
    x[:, :2] += (d, d)
    return x


def compared(x):
    return x > (x[0, 0], 2)


def multiplied(x):
    return [[x[0, 0], 1], [2, x.max()]] @ x.T


def sizes_times(x):
    return x.shape * np.array([2, 1]), np.array([2, 1]) - x.shape


def sizes_added(x):
    return x.shape + np.array([1, 2]), np.array([1, 2]) + x.shape, np.array(x.shape + (1,))  # noqa: RUF005 - the sum is the test


def counted(x):
    whole, total = x.astype(np.int64)[0], 0
    for i, s in zip(range(whole.sum()), whole, strict=False):
        total = total + s * i
    return total


def windows(x):
    return x * np.hanning(x.shape[0])[:, None], np.hamming(x.shape[1]), np.blackman(int(x[1, 1]))


BODIES = [times, list_first, added_to_columns, compared, multiplied, sizes_times, sizes_added,
          counted, windows]  # fmt: skip


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
@pytest.mark.parametrize("function", BODIES)
def test_lists_of_elements_are_arrays(function, dtype):
    x = np.array([[3, 2], [1, 4], [2, 5]], dtype)
    right = function(x.copy())
    ported = port(function)
    data = tf.data.Dataset.from_tensors(x)
    unknown = data.batch(2).unbatch().padded_batch(1, [None, None]).unbatch()
    assert unknown.element_spec.shape.as_list() == [None, None]
    results = [ported(x.copy()), next(iter(data.map(ported))), next(iter(unknown.map(ported)))]
    for found in results:
        rows = zip(tf.nest.flatten(found), right if isinstance(right, tuple) else [right], strict=True)
        for ours, theirs in rows:
            ours, theirs = ours.numpy(), np.asarray(theirs)
            assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
            np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-15)


def repeated(x, k):
    return np.concatenate([x] * k), np.stack(k * (x[0], x[1])), np.array([1, 2] * int(x[0, 0]))


def test_a_list_times_a_number_is_repeated():
    x = np.array([[3, 2], [1, 4]], np.float32)
    k = np.int64(2)
    for ours, theirs in zip(port(repeated)(x, k), repeated(x, k), strict=True):
        np.testing.assert_array_equal(ours, theirs, strict=True)


def test_a_tuple_times_what_only_the_graph_knows_is_refused():
    traced = tf.function(port(repeated), autograph=False)
    with pytest.raises(
        UnsupportedArgument, match=r"a tuple repeated a number of times known only at run time.*np\.tile"
    ):
        traced(tf.ones([2, 2]), tf.constant(2))
