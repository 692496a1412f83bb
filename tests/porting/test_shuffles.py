"""Lists that a body brings into a drawn order, in place."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.porting.modes import every_mode

X = np.arange(12.0).reshape(4, 3)


def of_numbers(x):
    order = [0, 1, 2, 3]
    random.shuffle(order)
    return x[order], order[0]


def of_known_range(x):
    order, whole = list(range(5)), [1.5, 2.5, 4.5]
    np.random.shuffle(order)
    np.random.shuffle(whole)
    return np.array(order), x * whole[-1]


def of_arrays(x):
    rows = [np.full(3, x[0, 1]), np.full(3, x[2, 1]), np.full(3, x[3, 1])]
    same = rows
    random.shuffle(rows)
    return same[0] - rows[1]


def of_an_argument(x):
    def reorder(values):
        random.shuffle(values)

    kept = {"order": [3, 1, 2]}
    reorder(kept["order"])
    return x[kept["order"]]


@pytest.mark.parametrize("body", [of_numbers, of_known_range, of_arrays, of_an_argument])
def test_a_list_is_in_the_order_that_is_drawn(monkeypatch, body):
    every_mode(monkeypatch, body, X, compiled=False)
