"""Splines of 'reflect' as SciPy filters them before 1.18 and since, whichever of them is installed."""

from __future__ import annotations

import numpy as np
import pytest
import scipy
import tensorflow as tf
from scipy import ndimage

from pipeport import config
from pipeport._followed import SCIPY
from pipeport.kernels.sampling import _spline
from pipeport.scipy import ndimage as native
from pipeport.skimage import transform

pytestmark = pytest.mark.both

HERE, _ = SCIPY.of_release(scipy.__version__)
VERSIONS = ("1.17", "1.18")
RNG = np.random.default_rng(3)
LINES = [RNG.uniform(-1, 1, size) for size in range(1, 28)]
IMAGE = RNG.uniform(0, 1, (4, 5, 3))


def recursion(line, order, version):
    """Filter as `ni_splines.c` does; before 1.18 the sum of the first pixel reads itself at the end."""
    c = line.copy()
    if len(c) == 1:
        return c
    for z in _spline.POLES[order]:
        c *= (1 - z) * (1 - 1 / z)
        n, first, total = len(c), c[0], c[0] + z ** len(c) * c[-1]
        for i in range(1, n):
            end = total if version == "1.17" and i == n - 1 else c[n - 1 - i]
            total += z**i * (c[i] + z**n * end)
        c[0] = total * z / (1 - z ** (2 * n)) + first
        for i in range(1, n):
            c[i] += z * c[i - 1]
        c[-1] *= z / (z - 1)
        for i in range(n - 2, -1, -1):
            c[i] = z * (c[i + 1] - c[i])
    return c


@pytest.mark.parametrize("order", [2, 3, 4, 5])
def test_each_version_is_followed(order):
    """Of known and of unknown length; in the installed version as SciPy itself."""
    for line in LINES:
        here = ndimage.spline_filter1d(line, order, mode="reflect")
        np.testing.assert_allclose(recursion(line, order, HERE), here, rtol=0, atol=2e-14)
        for version in VERSIONS:
            right = recursion(line, order, version)
            with config.use_scipy(version):
                found = native.spline_filter1d(tf.constant(line), order, mode="reflect")
            np.testing.assert_allclose(found, right, rtol=0, atol=2e-14)


def test_lines_of_unknown_length_follow_it_too():
    for version in VERSIONS:

        @tf.function(input_signature=[tf.TensorSpec([None], tf.float64)])
        def filtered(line, version=version):
            with config.use_scipy(version):
                return native.spline_filter1d(line, 5, mode="reflect")

        for line in LINES:
            np.testing.assert_allclose(filtered(line), recursion(line, 5, version), rtol=0, atol=2e-14)


CALLS = {
    "affine_transform": lambda: native.affine_transform(IMAGE, np.eye(3), 0.3, order=3, mode="reflect"),
    "geometric_transform": lambda: native.geometric_transform(
        IMAGE, lambda at: tuple(one + 0.3 for one in at), order=3, mode="grid-mirror"
    ),
    "map_coordinates": lambda: native.map_coordinates(IMAGE, [[0.3], [1.2], [0.7]], order=3, mode="reflect"),
    "ndimage.rotate": lambda: native.rotate(IMAGE, 30, order=3, mode="reflect"),
    "shift": lambda: native.shift(IMAGE, 0.3, order=3, mode="reflect"),
    "spline_filter": lambda: native.spline_filter(IMAGE, mode="nearest"),
    "zoom": lambda: native.zoom(IMAGE, 1.5, order=3, mode="reflect"),
    "resize": lambda: transform.resize(IMAGE, (6, 7), order=3, mode="symmetric"),
    "rotate": lambda: transform.rotate(IMAGE, 30, order=4, mode="symmetric"),
    "warp": lambda: transform.warp(IMAGE, np.eye(3), order=5, mode="symmetric"),
}


@pytest.mark.parametrize("name", CALLS)
def test_what_samples_follows_it_in_one_process(name):
    found = {}
    for version in (*VERSIONS, "1.17"):
        with config.use_scipy(version):
            found.setdefault(version, []).append(np.asarray(CALLS[name]()))
    np.testing.assert_array_equal(*found["1.17"])
    apart = np.abs(found["1.17"][0] - found["1.18"][0]).max()
    assert 1e-7 < apart < 0.05


def test_nothing_else_depends_on_it(monkeypatch):
    """Other borders, lower orders and long axes do not even ask."""
    monkeypatch.setattr(config, "scipy", lambda: pytest.fail("asked which SciPy is followed"))
    long = RNG.uniform(0, 1, (25, 26))
    for mode in ("constant", "grid-constant", "nearest", "mirror", "grid-wrap", "wrap"):
        native.shift(IMAGE, 0.3, order=3, mode=mode)
    native.shift(IMAGE, 0.3, order=1, mode="reflect")
    native.rotate(long, 30, order=5, mode="reflect")
    transform.rotate(IMAGE, 30, order=3, mode="symmetric")  # scikit-image's own cubic convolution
    with pytest.raises(pytest.fail.Exception):
        native.rotate(long[1:], 30, order=5, mode="reflect")
