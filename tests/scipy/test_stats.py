"""scipy.stats: scores and percentiles of sizes known when the graph runs, of bytes, and refusals."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from scipy import stats as reference

from pipeport.errors import BadAxis, OutsideDomain, UnsupportedArgument, WrongType
from pipeport.scipy import stats

pytestmark = pytest.mark.newest_only

RANDOM = np.random.default_rng(42)
FLOATS = RANDOM.random((40, 50, 3)).astype(np.float32)
BYTES = RANDOM.integers(0, 256, (40, 50)).astype(np.uint8)


def ways(function: Any, x: Any) -> Any:
    yield function(tf.constant(x))
    spec = tf.TensorSpec([None] * np.ndim(x), x.dtype)
    yield tf.function(function, input_signature=[spec], autograph=False)(x)
    yield tf.function(function, jit_compile=True, autograph=False)(tf.constant(x))


@pytest.mark.parametrize("array", [FLOATS, BYTES], ids=["floats", "bytes"])
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("zscore", {}),
        ("zscore", {"axis": None, "ddof": 1}),
        ("zscore", {"axis": (0, 1)}),
        ("zscore", {"axis": -1, "ddof": 50}),
        ("scoreatpercentile", {"per": 0.5}),
        ("scoreatpercentile", {"per": [0, 12.5, 100], "axis": 1}),
        ("scoreatpercentile", {"per": 99, "interpolation_method": "lower"}),
        ("scoreatpercentile", {"per": [30.0], "interpolation_method": "higher", "axis": 0}),
    ],
)
def test_images_of_any_size(array, name, options):
    right = np.asarray(getattr(reference, name)(array, **options))
    for found in ways(functools.partial(getattr(stats, name), **options), array):
        assert found.dtype == right.dtype
        np.testing.assert_allclose(found, right, rtol=1e-5, atol=1e-5)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_lines_without_scores():
    lines = np.array([[1.0, 2.0, 3.0], [7.0, 7.0, 7.0], [1.0, np.nan, 3.0], [1.0, np.inf, 3.0]])
    for found in ways(functools.partial(stats.zscore, axis=1), lines):
        np.testing.assert_allclose(found, reference.zscore(lines, axis=1))


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (UnsupportedArgument, lambda: stats.zscore(FLOATS, nan_policy="omit")),
        (OutsideDomain, lambda: stats.zscore(FLOATS, nan_policy="none")),
        (UnsupportedArgument, lambda: stats.zscore(FLOATS * 1j)),
        (BadAxis, lambda: stats.zscore(FLOATS, axis=3)),
        (WrongType, lambda: stats.zscore(FLOATS, ddof=0.5)),
        (OutsideDomain, lambda: stats.scoreatpercentile(FLOATS, 101)),
        (OutsideDomain, lambda: stats.scoreatpercentile(FLOATS[:0], 50)),
        (OutsideDomain, lambda: stats.scoreatpercentile(FLOATS, 50, interpolation_method="nearest")),
        (UnsupportedArgument, lambda: stats.scoreatpercentile(FLOATS, 50, (0, 1))),
        (UnsupportedArgument, lambda: stats.scoreatpercentile(FLOATS, [])),
        (UnsupportedArgument, lambda: stats.scoreatpercentile(FLOATS > 0, 50)),
        (WrongType, lambda: stats.scoreatpercentile(FLOATS, "50")),
        (BadAxis, lambda: stats.scoreatpercentile(FLOATS, 50, axis=3)),
    ],
)
def test_what_is_refused(error, call):
    with pytest.raises(error):
        call()


def test_no_elements_are_found_in_the_graph():
    score = tf.function(lambda x: stats.scoreatpercentile(x, 50))
    score = tf.function(score, input_signature=[tf.TensorSpec([None], tf.float32)])
    with pytest.raises(tf.errors.InvalidArgumentError, match="no elements"):
        score(FLOATS[0, 0, :0])
