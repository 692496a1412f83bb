"""Functions that call themselves."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from tests.porting.modes import every_size, refused_in_graphs

pytestmark = pytest.mark.both


def factorial(n):
    return 1 if n <= 1 else n * factorial(n - 1)


def halved(x, times):
    if x[0] > 2:
        x = x + 1
    return x if times == 0 else halved(x[::2], times - 1)


def of_a_known_depth(x):
    def doubled(times):
        if times == 0:
            return x
        return doubled(times - 1) * 2

    return x * factorial(4), halved(x, 2), doubled(3)


def of_a_drawn_depth(x):
    return factorial(x[0])


def test_as_deep_as_is_known():
    every_size(of_a_known_depth, np.array([1.0, 4.0, 3.0, 2.0, 5.0], np.float32))
    refused_in_graphs(of_a_drawn_depth, "factorial: It calls itself", tf.TensorSpec([2], tf.int64))
