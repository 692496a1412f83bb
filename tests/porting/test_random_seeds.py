"""Generators whose seed is itself drawn, or computed: `RandomState(np.random.randint(2**31))`."""

from __future__ import annotations

import random

import numpy as np
import pytest

from pipeport.porting import port, sides
from pipeport.porting._example import in_graph

pytestmark = pytest.mark.both

X = np.full((2, 3), 5.0)


def random_state(x):
    return x + np.random.RandomState(np.random.randint(1 << 30)).rand(*x.shape)


def generator(x):
    return x + np.random.default_rng(np.random.randint(1 << 30)).random(x.shape)


def of_several(x):
    return x + np.random.default_rng([np.random.randint(0, 10**6), 3]).normal(size=x.shape)


def of_python(x):
    return x + np.random.RandomState(random.randint(0, 10**6)).rand(*x.shape)


def python_generator(x):
    return x + random.Random(np.random.randint(0, 10**6)).uniform(1, 2)


def seeded_later(x):
    state = np.random.RandomState()
    state.seed(np.random.randint(0, 10**6))
    return x + state.rand(*x.shape)


def of_the_element(x):
    return x + np.random.RandomState(int(x[0, 0])).rand(*x.shape)


def of_a_sum(x):
    return x + np.random.default_rng(x.astype(int).sum()).uniform(1, 2)


DRAWN = (random_state, generator, of_several, of_python, python_generator, seeded_later)


@pytest.mark.parametrize("body", [*DRAWN, of_the_element, of_a_sum], ids=lambda body: body.__name__)
def test_a_seed_known_only_at_run_time(body):
    ported = port(body)
    old, new = sides(ported, (1, 2))
    want = old(X)
    np.testing.assert_allclose(new(X), want)
    for sized in (True, False):
        np.testing.assert_allclose(in_graph(ported, (X,), sized=sized, seed=(1, 2)), want)
        other = in_graph(ported, (X,), sized=sized, seed=(1, 3))
        assert np.array_equal(other, want) == (body not in DRAWN)
