"""The original with the draws of its port, which `example=` and `verify --port` compare with it."""

from __future__ import annotations

import numpy as np
import pytest

import pipeport
from pipeport.porting import Ported, sides

X = np.arange(12, dtype=np.float32).reshape(4, 3)


def collected(x):
    return np.stack([row * np.random.rand() for row in x if row.any()])


def generated(x):
    return np.stack([sum(float(v) for v in row if v > 0) for row in x])


def appended(x):
    found = []
    for row in x:
        found.append(row[::-1])
        found.extend([row])
    return np.stack(found)


@pytest.mark.parametrize("function", [collected, generated, appended])
def test_lists_that_grow(function):
    pipeport.port(function, example=(X,))
    old, new = sides(Ported(function), (3, 4))
    np.testing.assert_array_equal(old(X), new(X))


def test_what_the_port_refuses_is_said_although_draws_follow():
    def late(x):
        y = x.view(np.int32)
        return y + np.random.randint(0, 5)

    with pytest.raises(AttributeError, match="view"):
        pipeport.port(late, example=(X,))
