"""Margins of kernels: mirrored ends are those of NumPy, in every form."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from pipeport.kernels.sampling._margins import extended


@pytest.mark.parametrize(("rule", "name"), [("mirror", "reflect"), ("reflect", "symmetric")])
@pytest.mark.parametrize("dtype", ["bool", "uint8", "float64"])
@pytest.mark.parametrize(("axes", "count"), [([1], 1), ([1, 2], 3), ([2], 4)])
def test_mirrored_margins(rule: str, name: str, dtype: str, axes: list[int], count: int) -> None:
    table = np.random.default_rng(0).integers(0, 99, (2, 5, 6, 3)).astype(dtype)
    widths = [(count, count) if axis in axes else (0, 0) for axis in range(4)]

    def run(x: tf.Tensor) -> tf.Tensor:
        return extended(x, axes, rule, count, tf.zeros([], tf.float64))

    for form in (run, tf.function(run), tf.function(run, jit_compile=True)):
        np.testing.assert_array_equal(form(tf.constant(table)), np.pad(table, widths, name))


def test_an_empty_batch_keeps_its_sides() -> None:
    assert extended(tf.zeros([0, 5, 6]), [1], "mirror", 2, 0.0).shape == (0, 9, 6)
