"""Ports within a `tf.function`: differentiated, saved, and read by a process without pipeport."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import scipy.ndimage
import skimage.transform
import tensorflow as tf

from pipeport import port

pytestmark = pytest.mark.both

X = tf.random.stateless_uniform([24, 20, 3], [1, 2])
READS = """
import sys
import numpy as np
import tensorflow as tf

folder = sys.argv[1]
np.save(f"{folder}/found.npy", tf.saved_model.load(folder).run(np.load(f"{folder}/x.npy")))
assert "pipeport" not in sys.modules
"""


def smaller(x):
    return skimage.transform.resize(x, (12, 10))


def rotated(x):
    return skimage.transform.rotate(x, 10)


def smoothed_twice(x):
    return scipy.ndimage.gaussian_filter(scipy.ndimage.gaussian_filter(x, 1), 2)


def chosen(x):
    if x.mean() > 0.4:
        return skimage.transform.resize(x, (12, 10)) * 2
    return skimage.transform.resize(x, (12, 10))


def added(x):
    total = np.zeros((8, 9), np.float32)
    for k in range(x.shape[0]):
        total = total + skimage.transform.resize(x[k], (8, 9))
    return total


def looped_in_a_branch(x):
    y = x * 2
    if x.mean() > 0.4:
        for k in range(int(x[0, 0, 0] * 3) + 2):
            y[k % 4] += x[0, 0] + k
    return y


def gradient_of(function):
    with tf.GradientTape() as tape:
        tape.watch(X)
        size = tf.reduce_sum(tf.cast(function(X), tf.float32) ** 2)
    return tape.gradient(size, X)


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("body", [smaller, rotated, smoothed_twice, chosen, added, looped_in_a_branch])
def test_a_port_in_a_graph_is_differentiated_and_saved(body, known, tmp_path):
    ported = port(body)
    module = tf.Module()
    shape = X.shape if known else [None, None, 3]
    module.run = tf.function(ported, input_signature=[tf.TensorSpec(shape, tf.float32)])
    np.testing.assert_allclose(gradient_of(module.run), gradient_of(ported), rtol=1e-4, atol=1e-5)
    expected = module.run(X)
    tf.saved_model.save(module, tmp_path)
    np.save(tmp_path / "x.npy", X)
    subprocess.run([sys.executable, "-c", READS, tmp_path], check=True, cwd=tmp_path)
    np.testing.assert_array_equal(np.load(tmp_path / "found.npy"), expected)


@pytest.mark.parametrize("body", [smaller, smoothed_twice])
def test_gradients_are_restored(body, tmp_path):
    module = tf.Module()
    module.run = tf.function(port(body), input_signature=[tf.TensorSpec([None, None, 3], tf.float32)])
    expected = gradient_of(module.run)
    tf.saved_model.save(module, tmp_path)
    del module
    np.testing.assert_array_equal(gradient_of(tf.saved_model.load(tmp_path).run), expected)
