"""Sums of many elements: NumPy adds in pairs, TensorFlow and XLA add some in a row."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import pipeport.numpy as natives
from pipeport.arrays import body

# By what is compared, a function of a module, which is NumPy or ours, and of (520, 520, 3) of float32.
SUMS = {
    "sum": lambda np, x: np.sum(x),
    "sum of rows": lambda np, x: np.sum(x, axis=(1, 2)),
    "sum of one channel": lambda np, x: np.sum(x[:, :, :1], axis=(0, 1), keepdims=True),
    "mean": lambda np, x: np.mean(x),
    "mean of columns": lambda np, x: np.mean(x, axis=0),
    "mean of float16": lambda np, x: np.mean(np.asarray(x - 1e4 + 3, np.float16)),
    "var": lambda np, x: np.var(x, ddof=1),
    "var of columns": lambda np, x: np.var(x, axis=0),
    "std": lambda np, x: np.std(x),
    "average": lambda np, x: np.average(x),
    "average by weights": lambda np, x: np.average(x, weights=x - 9e3),
    "nansum": lambda np, x: np.nansum(x),
    "nanmean": lambda np, x: np.nanmean(x),
    "nanstd": lambda np, x: np.nanstd(x),
    "norm": lambda np, x: np.linalg.norm(np.ravel(x), 1),
    "einsum": lambda np, x: np.einsum("ij->", x[:, :, 0]),
}
PRODUCTS = {
    "dot": lambda np, x: np.dot(np.ravel(x), np.ravel(x)),
    "dot of a matrix": lambda np, x: np.dot(np.reshape(x, (8, 101400)), np.reshape(x, (8, 101400))[0]),
    "vdot": lambda np, x: np.vdot(x, x),
    "inner": lambda np, x: np.inner(np.ravel(x), np.ravel(x)),
    "matmul": lambda np, x: np.matmul(np.reshape(x, (2, -1)), np.transpose(np.reshape(x, (2, -1)))),
    "matmul of stacks": lambda np, x: np.matmul(np.reshape(x, (2, 1, 405600)), np.reshape(x, (2, 405600, 1))),
    "tensordot": lambda np, x: np.tensordot(x, x, 3),
    "einsum": lambda np, x: np.einsum("ijk,ijl->kl", x, x),
}


@functools.cache
def _image() -> Any:
    return (1e4 + np.random.default_rng(3).normal(size=(520, 520, 3))).astype(np.float32)


def _compare(calls: dict[str, Any], found: Any) -> None:
    """Check errors: twice those of NumPy, and four units in the last place."""
    x = _image()
    off = {}
    for (name, call), one in zip(calls.items(), found, strict=True):
        theirs, exact = call(np, x), call(np, x.astype(np.float64))
        assert (one.dtype, one.shape) == (theirs.dtype, theirs.shape)
        own = np.max(np.abs(theirs - exact))
        bound = 2 * own + 4 * np.spacing(np.abs(exact).astype(theirs.dtype))
        if not np.all(np.abs(one.numpy().astype(np.float64) - exact) <= bound):
            off[name] = np.max(np.abs(one - exact)), own
    assert not off


@pytest.mark.parametrize("calls", [SUMS, PRODUCTS], ids=["sums", "products"])
@pytest.mark.parametrize("compiled", [False, True], ids=["graph", "compiled"])
@pytest.mark.parametrize("known", [False, True], ids=["unknown", "known"])
def test_large_images(calls: dict[str, Any], compiled: bool, known: bool) -> None:
    shape = (520, 520, 3) if known else (None, None, 3)

    @tf.function(input_signature=[tf.TensorSpec(shape, tf.float32)], jit_compile=compiled, autograph=False)
    def every(x: Any) -> Any:
        return [call(natives, x) for call in calls.values()]

    _compare(calls, every(tf.constant(_image())))


def test_methods_of_arrays() -> None:
    calls = {
        "sum": lambda _, x: x.sum(),
        "mean": lambda _, x: x.mean(),
        "std": lambda _, x: x.std(),
        "var": lambda _, x: x.var(axis=0),
        "dot": lambda _, x: x.ravel().dot(x.ravel()),
        "@": lambda _, x: x.ravel() @ x.ravel(),
    }
    every = tf.function(body(lambda x: [call(None, x) for call in calls.values()]), jit_compile=True)
    _compare(calls, every(tf.constant(_image())))


def test_vectors_of_sizes_that_do_not_match() -> None:
    spec = tf.TensorSpec([None], tf.float32)
    dot = tf.function(natives.dot, input_signature=[spec, spec], autograph=False)
    assert dot(tf.ones(4), tf.ones(4)) == 4
    with pytest.raises(tf.errors.InvalidArgumentError):
        dot(tf.ones(4), tf.ones(1))  # which would spread in a product
