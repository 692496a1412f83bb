"""Functions that are computed in another way where elements are bytes, or many: values as NumPy's."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport import numpy as mirror
from pipeport.arrays import body

pytestmark = pytest.mark.both

RANDOM = np.random.default_rng(5)
SPECIAL = np.array([np.nan, np.inf, -np.inf, -0.0, 0.0, 3.4e38, -1.0, 1.0, 0.5, -0.5, 2.5], np.float32)
BYTES = np.concatenate([np.arange(256), RANDOM.integers(0, 256, 1544)]).astype(np.uint8).reshape(60, 30)
FLOATS = np.concatenate([np.resize(SPECIAL, 500), RANDOM.normal(size=4000) * 3]).astype(np.float32)
FLOATS = FLOATS.reshape(90, 50)
POINTS = [-np.inf, -1.0, -0.0, 0.0, 0.0, 1.0, 2.5, np.inf, np.nan]
EVERY = {
    "ends": np.array([0, 255], np.uint8), "none": np.array([], np.float64), "beyond": np.array([-1, 256, 7]),
    "floats": np.array([0.5, 3.0, np.nan]), "halves": np.float16([2, 4]), "bools": np.array([True]),
    "signed": np.array([-5, 5], np.int8),
}  # fmt: skip


def ways(function, x):
    """Eagerly, and in graphs that know sizes and do not."""

    def native(x):
        return function(mirror, x)

    yield native(tf.constant(x))
    for shape in (x.shape, [None] * x.ndim):
        spec = [tf.TensorSpec(shape, x.dtype)]
        yield tf.function(native, autograph=False, input_signature=spec)(x)


def compare(function, x, rtol=0.0, atol=0.0):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        wanted = function(np, x)
        wanted = wanted if isinstance(wanted, tuple) else (wanted,)
        for found in ways(function, x):
            several = found if isinstance(found, tuple) else (found,)
            for one, other in zip(several, wanted, strict=True):
                assert (one.dtype.name, tuple(one.shape)) == (other.dtype.name, other.shape)
                np.testing.assert_allclose(one, other, rtol=rtol, atol=atol)


@pytest.mark.parametrize(
    "name", ["cbrt", "tan", "exp2", "arcsinh", "arccosh", "sinc", "sqrt", "expm1", "rint"]
)
def test_functions_of_bytes(name):
    near = 2e-3 if name != "sinc" else 1e-12
    for x in (BYTES, BYTES.view(np.int8), BYTES[:0]):
        compare(lambda module, x: getattr(module, name)(x), x, rtol=near, atol=1e-9)


@pytest.mark.parametrize(
    "name", ["cbrt", "tan", "exp2", "arcsinh", "sinh", "cosh", "sinc", "expm1", "arctan"]
)
@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
def test_functions_of_many_floats(name, dtype):
    if (name, dtype) == ("sinc", "float16"):
        pytest.skip("NumPy 1 divides zero by zero")
    x = (RANDOM.normal(size=(90, 50)) * 3).astype(dtype)
    x[0, :6] = [np.nan, np.inf, -np.inf, -0.0, 0.0, 1.0]
    eps = float(np.finfo(dtype).eps)
    # Beside the poles of the tangent the reference itself is no better.
    compare(
        lambda module, x: getattr(module, name)(x), x, rtol=(2000 if name == "tan" else 8) * eps, atol=4 * eps
    )


@pytest.mark.parametrize("name", ["trunc", "sign", "nan_to_num"])
def test_functions_of_many_floats_to_the_bit(name):
    compare(lambda module, x: getattr(module, name)(x), FLOATS)
    found = tf.function(getattr(mirror, name), autograph=False)(tf.constant(FLOATS))
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(np.signbit(found), np.signbit(getattr(np, name)(FLOATS)))
    compare(lambda module, x: module.nan_to_num(x, nan=-1.5, posinf=2.5, neginf=-2.5), FLOATS)


def test_powers_of_many_floats():
    x = RANDOM.random((90, 50)).astype(np.float32)
    for exponent in (0.8, 2.2, 0.0, 1.0):
        compare(lambda module, x, e=exponent: module.power(x, np.float32(e)), x, rtol=1e-6)
    compare(lambda module, x: module.power(x, x), x, rtol=1e-6)


@pytest.mark.parametrize("name", EVERY)
def test_bytes_among_others(name):
    for x in (BYTES, BYTES.view(np.int8), BYTES[:0], FLOATS):
        for invert in (False, True):
            compare(lambda module, x, no=invert: module.isin(x, EVERY[name], invert=no), x)


@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint16", "int16"])
def test_values_that_differ(dtype):
    ends = np.iinfo(dtype)
    many = RANDOM.integers(ends.min, ends.max, 20_000, dtype, endpoint=True)
    many[:3] = ends.max, ends.min, ends.max

    def unique(module, x):
        return module.unique(x, return_index=True, return_inverse=True, return_counts=True)

    for x in (many, many[:5], many[:1], many[:0], np.full(20_000, ends.min, dtype)):
        compare(unique, x)
        compare(lambda module, x: module.unique(x), x)


@pytest.mark.parametrize("right", [False, True])
def test_places_among_few_points(right):
    side = "right" if right else "left"
    for x in (BYTES, BYTES.view(np.int8), BYTES[:0], FLOATS, FLOATS.astype(np.float64)):
        compare(lambda module, x: module.searchsorted(POINTS, x, side), x)
        compare(lambda module, x: module.searchsorted(np.arange(40), x, side), x)
        compare(lambda module, x: module.searchsorted([], x, side), x)
        for bins in ([0.0, 1.0, 2.5], [60.0, 12.0, 0.0, 0.0, -50.0], [], [5.0]):
            compare(lambda module, x, bins=bins: module.digitize(x, bins, right), x)


def test_values_between_few_points():
    ways = (
        ([-50.0, 0.0, 0.0, 60.0], [0.0, 1.0, 5.0, 2.0], {}), ([3.0], [7.0], {}),
        ([0, 64, 255], [1, 0, 3], {"left": -1, "right": 9.5}), (np.arange(40), np.arange(40) ** 2, {}),
        ([-np.inf, 0.0, np.inf], [1.0, 2.0, 3.0], {}), ([0.0, 1.0, 2.0], [np.inf, 1.0, np.nan], {}),
    )  # fmt: skip
    for x in (BYTES, BYTES.view(np.int8), BYTES[:0], FLOATS):
        for points, values, ends in ways:
            compare(lambda module, x, p=points, v=values, e=ends: module.interp(x, p, v, **e), x, rtol=1e-12)


@pytest.mark.parametrize("name", ["nanmax", "nanmin", "nansum", "nanmean", "nanstd"])
def test_reductions_of_many_floats_without_nan(name):
    x = np.where(RANDOM.random((90, 50)) < 0.1, np.nan, RANDOM.random((90, 50))).astype(np.float32)
    nothing, infinite = np.full_like(x, np.nan), np.where(np.isnan(x), x, -np.inf).astype(np.float32)
    infinite[:, 3], x[:, 7] = np.nan, np.nan
    for array in (x, nothing, infinite):
        for axis in (None, 0, (0, 1)):
            compare(lambda module, x, axis=axis: getattr(module, name)(x, axis), array, rtol=1e-5)
    if name in ("nanmax", "nanmin", "nansum"):
        compare(lambda module, x: getattr(module, name)(x, 0, initial=0.25, where=x < 0.5), x, rtol=1e-5)
        compare(lambda module, x: getattr(module, name)(x, 0, initial=0.25), nothing, rtol=1e-5)


@pytest.mark.parametrize("dtype", ["uint8", "bool", "float16", "float32"])
def test_triangles_of_many_elements(dtype):
    x = (RANDOM.random((3, 40, 40)) * 3).astype(dtype)
    for offset in (-3, 0, 50):
        compare(lambda module, x, k=offset: module.tril(x, k), x)
        compare(lambda module, x, k=offset: module.triu(x, k), x)


@pytest.mark.parametrize("dtype", ["int16", "float32", "float16"])
def test_quantiles_of_many_elements(dtype):
    x = (RANDOM.normal(size=(90, 60)) * 100).astype(dtype)
    with_nan = np.where(RANDOM.random(x.shape) < 0.001, np.nan, x).astype(dtype) if dtype[0] == "f" else x
    near = {"float16": 2e-3, "float32": 1e-6}.get(dtype, 1e-12)

    def several(module, x):
        return (
            module.median(x, keepdims=True),
            *(module.percentile(x, q, method=method)
              for q, method in (([1, 99], "linear"), ([0, 50, 100], "nearest"), (30, "inverted_cdf"),
                                (np.linspace(0, 100, 9), "midpoint"))),
        )  # fmt: skip

    for array in (x, with_nan, np.tile(x, 4)):
        wanted = several(np, array)
        for found in ways(several, array):
            for one, other in zip(found, wanted, strict=True):
                np.testing.assert_allclose(one, other, rtol=near)


def test_as_a_part_of_a_ported_body():
    def changed(image):
        levels = np.unique(image)
        mask = np.isin(image, [3, 7])
        curve = np.interp(image, [0, 128, 255], [0.0, 0.7, 1.0]).astype(np.float32)
        curve = np.where(mask, 0.0, np.cbrt(curve) + np.sinh(curve)).astype(np.float32)
        return levels, np.digitize(curve, [0.5, 1.0]), np.float32(np.median(curve)), np.trunc(curve * 9)

    wanted = changed(BYTES)
    found = tf.function(pipeport.port(changed, example=(BYTES,)))(tf.constant(BYTES))
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6)


def test_methods_of_arrays_stay():
    @body
    def powers(x):
        return x**0.5 + x**3.3

    x = RANDOM.random((90, 50)).astype(np.float32)
    np.testing.assert_allclose(tf.function(powers)(tf.constant(x)), x**0.5 + x**3.3, rtol=1e-6)
