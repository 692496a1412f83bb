"""What the tests of pure functions share: arrays with every kind of value, and the engines they run in."""

from __future__ import annotations

import functools

import numpy as np
import pytest
import tensorflow as tf
from hypothesis import strategies as st

BYTES = ("bool", "int8", "uint8")
INTEGERS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
FLOATS = ("float16", "float32", "float64")
COMPLEX = ("complex64", "complex128")
REALS = ("bool", *INTEGERS, *FLOATS)
NUMBERS = (*REALS, *COMPLEX)
SEEDS = st.integers(0, 2**32 - 1)
_SPECIAL = (np.nan, np.inf, -np.inf, -0.0, 0.0, 1.0, -1.0)


def drawn(seed, shape, dtype, *, special=True, few=False, scale=100.0):
    """An array from a seed: of integers any value, of floats NaN and infinities among others.

    With `few` there are many equal elements.
    """
    rng, dtype = np.random.default_rng(seed), np.dtype(dtype)
    if dtype.kind == "b":
        return rng.random(shape) < rng.choice([0.1, 0.5, 0.95])
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        low, high = (0, 4) if few else (limits.min, limits.max)
        return rng.integers(low, high, shape, dtype, endpoint=True)
    if dtype.kind == "c":
        values = np.empty(shape, dtype)
        own = {"special": special, "few": few, "scale": scale}
        values.real, values.imag = (drawn(seed + one, shape, values.real.dtype, **own) for one in (0, 1))
        return values
    values = (
        rng.integers(-3, 4, shape).astype(dtype) if few else (rng.normal(size=shape) * scale).astype(dtype)
    )
    if special:
        chosen = rng.random(shape) < rng.choice([0.0, 0.03, 0.3])
        values = np.where(chosen, rng.choice(np.array(_SPECIAL, dtype), shape), values).astype(dtype)
    return values


@functools.cache
def _graph(function, signature, options, jit):
    specs = [tf.TensorSpec(shape, dtype) for shape, dtype in signature]

    def call(*arrays):
        return function(*arrays, **dict(options))

    return tf.function(call, input_signature=specs, jit_compile=jit, autograph=False)


def graph(function, *arrays, **options):
    """The result in a graph that does not know sizes."""
    signature = tuple(((None,) * one.ndim, one.dtype.name) for one in arrays)
    return _graph(function, signature, tuple(options.items()), False)(*map(tf.constant, arrays))


def compiled(function, *arrays, **options):
    """The result of XLA."""
    signature = tuple((one.shape, one.dtype.name) for one in arrays)
    return _graph(function, signature, tuple(options.items()), True)(*map(tf.constant, arrays))


def compiled_of_unknown_size(function, *arrays, **options):
    """The result of XLA, where the function was traced without knowing sizes."""
    signature = tuple(((None,) * one.ndim, one.dtype.name) for one in arrays)
    return _graph(function, signature, tuple(options.items()), True)(*map(tf.constant, arrays))


def eager(function, *arrays, **options):
    """The result outside graphs."""
    return function(*map(tf.constant, arrays), **options)


ENGINES = (eager, graph)


def refuses(error, function, *arrays, **options):
    """Check that the arguments are refused with that error, in four parts."""
    with pytest.raises(error, match=r"^\w+: got .+; allowed: .+\. .+\.$"):
        function(*map(tf.constant, arrays), **options)


def same(found, wanted):
    """Compare dtype, shape and values, NaN with NaN."""
    wanted = np.asarray(wanted)
    found = found.numpy()
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    np.testing.assert_array_equal(found, wanted)


def close(found, wanted, bound):
    """Compare dtype, shape and values, these with a bound; what is not finite must be equal."""
    wanted = np.asarray(wanted)
    found = found.numpy()
    assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
    finite = np.isfinite(wanted) & np.isfinite(found)
    np.testing.assert_array_equal(np.where(finite, 0, found), np.where(finite, 0, wanted))
    with np.errstate(invalid="ignore"):
        off = np.abs(np.where(finite, found, 0).astype(np.complex128) - np.where(finite, wanted, 0))
    assert np.all(off <= np.where(finite, bound, np.inf)), (off, bound)
