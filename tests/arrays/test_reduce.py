import warnings

import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given
from hypothesis import strategies as st

from pipeport.arrays import _reduce
from pipeport.errors import BadAxis, OutsideDomain, UnsupportedArgument, WrongType
from tests.arrays.engines import (
    COMPLEX,
    ENGINES,
    FLOATS,
    INTEGERS,
    NUMBERS,
    REALS,
    SEEDS,
    close,
    compiled,
    drawn,
    eager,
    graph,
    refuses,
    same,
)

pytestmark = pytest.mark.both

_SHAPE = (5, 33, 3)
_AXES = (None, 0, -1, (0, 1), (2, -3), ())
_WHERE = st.sampled_from([(axis, keep) for axis in _AXES for keep in (False, True)])
_ENGINE = st.sampled_from(ENGINES)
_EXACT = ("bool", *INTEGERS)
_PAIRS = {
    _reduce.total: np.sum,
    _reduce.prod: np.prod,
    _reduce.mean: np.mean,
    _reduce.std: np.std,
    _reduce.var: np.var,
    _reduce.largest: np.max,
    _reduce.smallest: np.min,
    _reduce.ptp: np.ptp,
    _reduce.any_: np.any,
    _reduce.all_: np.all,
}
_CUMULATIVE = {_reduce.cumsum: np.cumsum, _reduce.cumprod: np.cumprod}


def _numpy(function, x, **options):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        return np.asarray(function(x, **options))


def _wide(dtype):
    return np.complex128 if np.dtype(dtype).kind == "c" else np.float64


def _judged(function, found, x, **options):
    """Compare with NumPy's result in float64, by the sum of the magnitudes."""
    exact = _numpy(_PAIRS[function], x.astype(_wide(x.dtype)), **options)
    dtype = _numpy(_PAIRS[function], x, **options).dtype
    with np.errstate(all="ignore"):
        magnitude = np.where(np.isfinite(x), np.abs(x), 0).astype(np.float64)
        largest = np.max(magnitude, initial=0)
    eps = np.finfo(dtype).eps
    # float16 is added in float32 and rounded once: less than what NumPy loses along other axes than the last.
    bound = {
        _reduce.total: x.size * largest * min(eps, 1e-6) + eps * np.abs(exact),
        _reduce.mean: largest * (200 * min(eps, 1e-6) + eps),
        _reduce.var: largest**2 * (400 * min(eps, 1e-6) + eps),
        _reduce.std: largest * np.sqrt(400 * min(eps, 1e-6)) + eps * largest,
    }[function]
    with np.errstate(over="ignore"):
        close(found, exact.astype(dtype), bound)


@given(SEEDS, st.sampled_from(_EXACT), _WHERE, _ENGINE)
def test_integers_to_the_bit(seed, dtype, where, engine):
    x = drawn(seed, _SHAPE, dtype)
    axis, keep = where
    for function in (_reduce.total, _reduce.prod):
        wanted = _numpy(_PAIRS[function], x, axis=axis, keepdims=keep)
        same(engine(function, x, axis=axis, keepdims=keep), wanted)
    found = engine(_reduce.mean, x, axis=axis, keepdims=keep)
    if x.dtype.itemsize <= 4:
        same(found, _numpy(np.mean, x, axis=axis, keepdims=keep))
    else:
        _judged(_reduce.mean, found, x, axis=axis, keepdims=keep)


@given(SEEDS, st.sampled_from((*FLOATS, *COMPLEX)), _WHERE, _ENGINE, st.booleans())
def test_sums_and_means(seed, dtype, where, engine, special):
    if special and dtype in COMPLEX:
        special = False  # of a complex infinity one part is NaN in one of the two, sooner or later
    x = drawn(seed, _SHAPE, dtype, special=special)
    for function in (_reduce.total, _reduce.mean):
        found = engine(function, x, axis=where[0], keepdims=where[1])
        _judged(function, found, x, axis=where[0], keepdims=where[1])


@given(SEEDS, st.sampled_from(NUMBERS), _WHERE, _ENGINE, st.sampled_from((0, 1, 2.5, 1000)))
def test_spread(seed, dtype, where, engine, ddof):
    x = drawn(seed, _SHAPE, dtype, special=np.dtype(dtype).kind == "f", few=np.dtype(dtype).kind in "iu")
    for function in (_reduce.var, _reduce.std):
        found = engine(function, x, axis=where[0], keepdims=where[1], ddof=ddof)
        _judged(function, found, x, axis=where[0], keepdims=where[1], ddof=ddof)


@given(SEEDS, st.sampled_from(REALS), _WHERE, _ENGINE)
def test_extremes_to_the_bit(seed, dtype, where, engine):
    x = drawn(seed, _SHAPE, dtype)
    functions = [_reduce.largest, _reduce.smallest, _reduce.ptp]
    for function in functions[: 2 if dtype == "bool" else 3]:
        wanted = _numpy(_PAIRS[function], x, axis=where[0], keepdims=where[1])
        same(engine(function, x, axis=where[0], keepdims=where[1]), wanted)


@given(SEEDS, st.sampled_from(NUMBERS), _WHERE, _ENGINE)
def test_any_and_all(seed, dtype, where, engine):
    x = drawn(seed, _SHAPE, dtype, few=True)
    if x.dtype.kind == "c":
        (x.imag if seed % 2 else x.real)[...] = 0
    x = x if seed % 3 else np.zeros_like(x)
    for function in (_reduce.any_, _reduce.all_):
        wanted = _PAIRS[function](x, axis=where[0], keepdims=where[1])
        same(engine(function, x, axis=where[0], keepdims=where[1]), wanted)


@given(SEEDS, st.sampled_from(NUMBERS), st.sampled_from((None, 0, -2, 2)), _ENGINE)
def test_running(seed, dtype, axis, engine):
    x = drawn(seed, _SHAPE, dtype, special=np.dtype(dtype).kind == "f", scale=1)
    for function, reference in _CUMULATIVE.items():
        if x.dtype.kind == "c" and function is _reduce.cumprod:
            x = x / np.abs(x)
        wanted = _numpy(reference, x, axis=axis)
        found = engine(function, x, axis=axis)
        if x.dtype.kind == "c":
            close(found, wanted, 2e-4 * (1 + np.abs(wanted)))
        else:  # TensorFlow's threads flush subnormal numbers
            close(found, wanted, np.finfo(dtype).tiny if x.dtype.kind == "f" else 0)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int64", "float16", "float32", "complex64"])
def test_dtype_asked_for(engine, dtype):
    for own in ("bool", "uint8", "int32", "float32"):
        x = drawn(7, (4, 6), own, special=False, scale=3)
        if np.dtype(dtype).kind == "u":
            x = np.abs(x)  # a negative float in an unsigned integer is what the processor makes of it
        for function in (_reduce.total, _reduce.prod, _reduce.mean, _reduce.cumsum, _reduce.cumprod):
            reference = {**_PAIRS, **_CUMULATIVE}[function]
            wanted = _numpy(reference, x, axis=1, dtype=dtype)
            with np.errstate(all="ignore"):
                inexact = wanted.dtype.kind in "fc"
                bound = 60 * np.finfo(dtype).eps * (np.abs(wanted) + 60) if inexact else 0
            if inexact and not np.isfinite(wanted).all():
                continue
            close(engine(function, x, axis=1, dtype=dtype), wanted, bound)


def test_float16_does_not_overflow_in_a_mean():
    x = np.full((300, 3), 60000, np.float16)
    for engine in (*ENGINES, compiled):
        same(engine(_reduce.mean, x), np.mean(x))
        same(engine(_reduce.total, np.ones((4096, 2), np.float16), axis=0), np.full(2, 4096, np.float16))


@pytest.mark.parametrize("dtype", ["int16", "uint16"])
def test_sums_beyond_int32(dtype):
    for extreme in (np.iinfo(dtype).min, np.iinfo(dtype).max):
        for size in (32767, 65535, 65537, 70000):
            x = np.full((size, 2), extreme, dtype)
            for engine in ENGINES:
                same(engine(_reduce.total, x, axis=0), np.sum(x, axis=0))
                same(engine(_reduce.mean, x), np.mean(x))


def test_empty_arrays():
    defined = (_reduce.total, _reduce.prod, _reduce.mean, _reduce.std, _reduce.any_, _reduce.all_)
    for dtype in ("uint8", "float16", "float64"):
        x = np.zeros((0, 3), dtype)
        for engine in ENGINES:
            for axis in (None, 0, 1):
                for function in defined:
                    same(engine(function, x, axis=axis), _numpy(_PAIRS[function], x, axis=axis))
                same(engine(_reduce.cumsum, x, axis=axis), np.cumsum(x, axis))
            same(engine(_reduce.largest, x, axis=1), np.max(x, 1))
        refuses(OutsideDomain, _reduce.largest, x)
        refuses(OutsideDomain, _reduce.smallest, x, axis=(0, 1))
        refuses(OutsideDomain, _reduce.ptp, x, axis=0)
        with pytest.raises(tf.errors.InvalidArgumentError, match="a: got no element at run time"):
            graph(_reduce.largest, x, axis=0)


def test_scalars():
    for dtype in ("bool", "uint8", "float32"):
        x = np.array(1, dtype)
        for function, reference in _PAIRS.items():
            if function is _reduce.ptp and dtype == "bool":
                continue
            for options in ({}, {"keepdims": True}, {"axis": ()}):
                same(eager(function, x, **options), _numpy(reference, x, **options))
            if reference in (np.mean, np.std, np.var):
                refuses(BadAxis, function, x, axis=0)
            else:
                same(eager(function, x, axis=-1), reference(x, axis=-1))
                refuses(BadAxis, function, x, axis=1)
        same(eager(_reduce.cumsum, x), np.cumsum(x))
        same(eager(_reduce.cumsum, x, axis=0), np.cumsum(x, axis=0))
        refuses(BadAxis, _reduce.cumsum, x, axis=1)


def test_unknown_rank():
    x = drawn(3, (4, 5), "float32")

    @tf.function(input_signature=[tf.TensorSpec(None, tf.float32)], autograph=False)
    def all_of_them(x):
        return [function(x) for function in _PAIRS], [function(x, axis=(-1, 0)) for function in _PAIRS]

    for found in all_of_them(tf.constant(x)):
        for function, one in zip(_PAIRS, found, strict=True):
            wanted = _numpy(_PAIRS[function], x)
            np.testing.assert_allclose(one.numpy(), wanted, rtol=1e-5)


def test_static_shapes():
    @tf.function(input_signature=[tf.TensorSpec([None, 4, 3], tf.uint8)], autograph=False)
    def check(x):
        for function in _PAIRS:
            assert function(x, axis=0).shape.as_list() == [4, 3]
            assert function(x, axis=(1, -1), keepdims=True).shape.as_list() == [None, 1, 1]
            assert function(x).shape.as_list() == []
        assert _reduce.cumsum(x, axis=0).shape.as_list() == [None, 4, 3]
        return x

    check.get_concrete_function()


def test_compiled():
    def every(array, functions, axis):
        return [function(array, axis=axis) for function in functions]

    def same_as_numpy(function, found, array, axis):
        same(found, _numpy(_PAIRS[function], array, axis=axis))

    x = drawn(11, (6, 40, 3), "float32")
    assert np.isnan(x).any()
    bytes_ = drawn(11, (6, 40, 3), "uint8")
    half = drawn(12, (6, 40, 3), "float16", special=False)
    for axis in (None, 1, (0, 1), -1):
        for array, functions, judge in (
            (x, (_reduce.largest, _reduce.smallest), same_as_numpy),
            (bytes_, (_reduce.total, _reduce.largest, _reduce.mean, _reduce.any_), same_as_numpy),
            (half, (_reduce.total, _reduce.mean, _reduce.std), _judged),
        ):
            for function, found in zip(
                functions, compiled(every, array, functions=functions, axis=axis), strict=True
            ):
                judge(function, found, array, axis=axis)
    for dtype in ("bool", "uint8", "uint64", "int16"):
        y = drawn(13, (7, 5), dtype)
        same(compiled(_reduce.cumsum, y, axis=0), np.cumsum(y, 0))
        same(compiled(_reduce.cumprod, y), np.cumprod(y))
    z = drawn(14, (7, 5), "complex64", special=False)
    close(compiled(_reduce.cumsum, z, axis=0), np.cumsum(z, 0), 1e-3)


@pytest.mark.parametrize("function", [*_PAIRS, *_CUMULATIVE])
def test_refusals(function):
    x = np.ones((2, 3), np.float32)
    refuses(BadAxis, function, x, axis=2)
    refuses(BadAxis, function, x, axis=-3)
    refuses(WrongType, function, x, axis=1.0)
    refuses(WrongType, function, x, axis=[0])
    refuses(WrongType, function, x, axis="0")
    if function in _CUMULATIVE:
        refuses(WrongType, function, x, axis=(0,))
        return
    refuses(BadAxis, function, x, axis=(0, 2))
    refuses(UnsupportedArgument, function, x, axis=(0, -2))
    refuses(WrongType, function, x, keepdims="yes")
    unknown = tf.function(lambda axis: function(tf.constant(x), axis=axis), autograph=False)
    with pytest.raises(UnsupportedArgument, match="axis"):
        unknown(tf.constant(0))


def test_refused_dtypes():
    x = np.ones((2, 3), np.complex64)
    for function in (_reduce.largest, _reduce.smallest, _reduce.ptp):
        refuses(OutsideDomain, function, x)
    refuses(WrongType, _reduce.ptp, x == 1)
    for function in (_reduce.total, _reduce.mean, _reduce.var, _reduce.cumsum):
        refuses(WrongType, function, np.ones(3), dtype="text")
    refuses(UnsupportedArgument, _reduce.var, np.ones(3), dtype="int32")
    refuses(UnsupportedArgument, _reduce.std, np.ones(3), dtype="complex64")
    refuses(UnsupportedArgument, _reduce.var, x, dtype="float32")
    refuses(WrongType, _reduce.var, np.ones(3), ddof="one")
    refuses(UnsupportedArgument, _reduce.var, np.ones(3), ddof=1, correction=1)
    same(eager(_reduce.var, np.arange(4.0), correction=1), np.var(np.arange(4.0), ddof=1))
    same(eager(_reduce.var, np.arange(4), dtype="float32"), np.var(np.arange(4), dtype="float32"))
