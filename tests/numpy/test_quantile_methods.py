"""Percentiles by other methods, frequencies of real transforms."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from pipeport import numpy as natives

RANDOM = np.random.default_rng(42)
X = RANDOM.random((3, 4, 5)).astype(np.float32)


@pytest.mark.parametrize("method", ["linear", "lower", "higher", "nearest", "midpoint"])
@pytest.mark.parametrize("dtype", ["uint8", "int32", "float32", "float64"])
def test_quantiles_by_every_method(method, dtype):
    x = (X * 200).astype(dtype)
    for q in ([0.0, 0.125, 0.5, 0.61, 1.0], 0.375):
        native = tf.function(lambda x, q=q: natives.quantile(x, q, method=method))(x)
        right = np.quantile(x, q, method=method)
        np.testing.assert_allclose(native, right, rtol=1e-6)
        if dtype != "float32":  # before NumPy 2 some results were wider
            assert native.dtype == right.dtype


def test_frequencies_of_real_transforms():
    for n in (1, 4, 5):
        assert np.array_equal(natives.fft.rfftfreq(n, 0.1), np.fft.rfftfreq(n, 0.1))
