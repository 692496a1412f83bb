"""`else` of a loop runs where nothing broke the loop."""

from __future__ import annotations

# As people write them.
# ruff: noqa: B007, PLW0120
import numpy as np
import pytest
import tensorflow as tf

from pipeport.porting import port

pytestmark = pytest.mark.both


def found_or_not(x):
    for k, v in enumerate(x):
        if v == 3:
            break
    else:
        k = -1
    return k * 1


def named_in_both(x):
    for attempt in range(10):
        size = x[attempt % 4] * 2
        if size > 7:
            start = x[0] + attempt
            break
    else:
        size = x.min()
        start = size // 2
    return size, start


def known_rounds(x):
    total = x[0]
    for k in range(4):
        total += x[k]
        if k == 5:
            break
    else:
        total = total * 2
    for k in (1, 2):
        if k == 2:
            break
    else:
        total = 0
    return total


def of_a_while(x):
    n, v = 0, x[0]
    while v > 1:
        v = v // 2
        n += 1
        if n > x[1]:
            break
    else:
        n = n + 100
    return n, v


def of_an_inner_loop(x):
    r = x[0] * 0
    for row in (x, x[::-1], x + 1):
        for v in row:
            if v == 9:
                r += 9
                break
        else:
            r = r + 1
            continue
        r = r + 50
        break
    else:
        r = r - 1
    return r


def breaks_by_the_else_of_another(x):
    r = x[0] * 0
    for row in (x, x + 1):
        for v in row:
            if v == 9:
                break
        else:
            if row[0] == 4:
                break
            r = r + 1
    else:
        r = r - 10
    return r


def returns(x):
    for v in x:
        if v > 7:
            return v
    else:
        return x[0] - 1


def never_breaks(x):
    s = x[0]
    for v in x:
        if v > 7:
            continue
        s += v
    else:
        s += 1
    return s


def in_a_function(x):
    def first_above(least):
        for v in x:
            if v > least:
                break
        else:
            v = x[0] * 0
        return v

    return first_above(2) * 100 + first_above(7)


BODIES = (
    found_or_not, named_in_both, known_rounds, of_a_while, of_an_inner_loop, breaks_by_the_else_of_another,
    returns, never_breaks, in_a_function,
)  # fmt: skip
ROWS = np.array([[1, 2, 3, 4], [1, 2, 5, 4], [9, 3, 1, 1], [4, 8, 6, 2], [64, 3, 9, 9], [0, 0, 0, 0]])


@pytest.mark.parametrize("body", BODIES, ids=lambda body: body.__name__)
@pytest.mark.parametrize("sizes", [[4], [None]], ids=["sized", "unsized"])
def test_the_else_of_a_loop(body, sizes):
    run = tf.function(port(body), input_signature=[tf.TensorSpec(sizes, tf.int64)], autograph=False)
    for row in ROWS:
        for found in (run(row), port(body)(row)):
            np.testing.assert_array_equal(
                np.stack(tf.nest.flatten(found)), np.array(body(row.copy())).ravel()
            )


def raises(x):
    for v in x:
        if v > 7:
            break
    else:
        raise ValueError("none is above seven")
    return v


def test_an_else_that_raises():
    run = tf.function(port(raises), input_signature=[tf.TensorSpec([None], tf.int64)], autograph=False)
    assert run(ROWS[3]) == 8
    with pytest.raises(tf.errors.InvalidArgumentError, match="none is above seven"):
        run(ROWS[0])
