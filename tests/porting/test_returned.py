"""Arrays that a loop or a condition returns, and that it writes to where it does not."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from pipeport.errors import UnsupportedArgument
from pipeport.porting import port

pytestmark = pytest.mark.both


def erased(x):
    for attempt in range(100):
        h = (int(x[attempt % 4, 0]) * 7 + attempt) % 9
        if h < 4:
            x[h : h + 2] = -1
            return x
        x[attempt % 3] += 1
    return x


def with_a_view(x):
    y = x * 2
    for k in range(50):
        if y[k % 4, 1] % 5 == k % 7:
            y[0] = 100
            return y[1:], y, k
        y[1] -= 1
    return y[:3], y, -1


def from_a_while(x):
    n = 0
    while n < 40:
        x[n % 4] += 3
        if x.sum() > 200:
            return x
        n += 1
        x[0, 0] -= 1
    return x + 1


def from_an_inner_loop(x):
    for i in range(30):
        for j in range(4):
            x[j] += i
            if x[j].sum() % 11 == 3:
                return x
        x[0] *= 2
        x %= 97
    return x


def from_an_inner_branch(x):
    for i in range(30):
        if x[i % 4].sum() % 3 == 1:
            x[2] = 5
            if x[0, 0] % 2 == 1:
                return x
        else:
            x[i % 4] += 1
    return x


def of_two(x):
    y = x + 1
    for i in range(20):
        if x[i % 4, 0] % 4 == 1:
            return y
        if y[i % 4, 1] % 5 == 2:
            return x
        x[0] += y[1]
        y[2] -= 1
    return x + y


def halved(x):
    if x[0, 0] % 2 == 0:
        x[0] //= 2
        return x
    x[1] += 1
    return x * 2


def halved_or_not(x):
    if x[0, 0] % 2 == 0:
        x[0] //= 2
        return x
    x[1] += 1
    if x[1, 1] % 2 == 0:
        return x
    x[2] = 7
    return x * 2


def written_to_later(x):
    y = halved(x)
    x[0] = 50
    return y, x


def written_to_itself(x):
    y = halved(x)
    y[0] = 50
    return y, x


def arrays(seed):
    return np.random.default_rng(seed).integers(0, 20, (4, 3))


BODIES = [
    erased, with_a_view, from_a_while, from_an_inner_loop, from_an_inner_branch, of_two, written_to_later,
    written_to_itself,
]  # fmt: skip


@pytest.mark.parametrize("shape", [(4, 3), (None, None)])
@pytest.mark.parametrize("body", BODIES)
def test_what_is_returned_from_the_middle_is_that_of_numpy(body, shape):
    graph = tf.function(port(body), autograph=False, input_signature=[tf.TensorSpec(shape, tf.int64)])
    for seed in range(12):
        right, found = body(arrays(seed)), graph(arrays(seed))
        for ours, theirs in zip(tf.nest.flatten(found), tf.nest.flatten(right), strict=True):
            np.testing.assert_array_equal(ours, theirs)


def after_a_loop(x):
    y = erased(x)
    x[0] = 100
    return y, x


def after_two_conditions(x):
    y = halved_or_not(x)
    y[0] = 100
    return y, x


@pytest.mark.parametrize("body", [after_a_loop, after_two_conditions])
def test_a_write_after_the_end_is_refused_where_it_is_not_known_what_was_returned(body):
    graph = tf.function(port(body), autograph=False)
    with pytest.raises(UnsupportedArgument, match=r"the result of `return`"):
        graph.get_concrete_function(tf.TensorSpec([4, 3], tf.int64))
    np.testing.assert_array_equal(port(halved_or_not)(arrays(1)), halved_or_not(arrays(1)))
