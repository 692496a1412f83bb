"""Loops over Python data: nodes and traces grow with the data before, and not after."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from pipeport import recipes_index
from tests.recipes.recipe_tools import claimed, counted, loaded

NAME = "loops-over-python-data"


def test_before_has_the_problem_and_after_has_not():
    before, after = counted(NAME)
    assert list(before.values()) == [33, 303, 2]
    assert list(after.values()) == [14, 14, 0]


def test_claims():
    assert list(claimed(NAME).values()) == ["29, 29, 29", "TypeError"]


def test_before_and_after_agree():
    before, after = loaded(NAME)
    expected = np.linalg.norm(np.arange(3, 8))
    assert float(before.norm(before.read(3, 5))) == pytest.approx(expected, rel=1e-6)
    assert float(after.norm(after.read(3, 5))) == pytest.approx(expected, rel=1e-6)


def test_a_tensor_gives_a_loop_too():
    """As the README says: of as many nodes for any length, and traced again for each."""
    before, _after = loaded(NAME)
    nodes = recipes_index.find(NAME).load("count").nodes
    found = [nodes(before.norm.get_concrete_function(tf.ones([length]))) for length in (10, 100)]
    assert found[0] == found[1]
    assert before.norm.experimental_get_tracing_count() == 2
