import numpy as np
import pytest
import tensorflow as tf
from hypothesis import given
from hypothesis import strategies as st

from pipeport.arrays import _rounding
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType
from tests.arrays.engines import (
    ENGINES,
    FLOATS,
    INTEGERS,
    REALS,
    SEEDS,
    compiled,
    drawn,
    eager,
    refuses,
    same,
)

pytestmark = pytest.mark.both

_ENGINE = st.sampled_from(ENGINES)
_BOUNDS = st.sampled_from([(), (3,), (5, 1), (6, 5, 3)])


@given(SEEDS, st.sampled_from(REALS), _BOUNDS, _BOUNDS, _ENGINE)
def test_clip(seed, dtype, low, high, engine):
    x = drawn(seed, (5, 3), dtype)
    low, high = drawn(seed + 1, low, dtype), drawn(seed + 2, high, dtype)
    same(engine(_rounding.clip, x, low, high), np.clip(x, low, high))
    same(engine(_rounding.clip, x, low), np.clip(x, low, None))
    same(engine(_above, x, high), np.clip(x, None, high))


def _above(x, high):
    return _rounding.clip(x, None, high)


@pytest.mark.parametrize("dtype", FLOATS)
def test_clip_of_and_to_nan(dtype):
    special = np.array([np.nan, np.inf, -np.inf, 0, 1, -1], dtype)
    x, low, high = (one.ravel() for one in np.meshgrid(special, special, special))
    for engine in (*ENGINES, compiled):
        same(engine(_rounding.clip, x, low, high), np.clip(x, low, high))
    for low in special:
        wanted = np.clip(x, low, np.array(0.5, dtype))
        for engine in (*ENGINES, compiled):
            same(engine(_rounding.clip, x, low=float(low), high=0.5), wanted)


def test_clip_with_numbers_and_without_bounds():
    x = drawn(1, (40,), "uint8")
    same(eager(_rounding.clip, x, low=10, high=np.uint8(200)), np.clip(x, 10, 200))
    same(eager(_rounding.clip, x, low=200, high=10), np.clip(x, 200, 10))
    same(eager(_rounding.clip, x), x)
    refuses(OutsideDomain, _rounding.clip, np.ones(3, np.complex64), low=1)


def test_clip_keeps_static_shapes():
    @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32), tf.TensorSpec([], tf.float32)])
    def check(x, low):
        assert _rounding.clip(x, low, 1.0).shape.as_list() == [None, 3]
        assert _rounding.round_(x, 2).shape.as_list() == [None, 3]
        return x

    check.get_concrete_function()


def _rounded(x, decimals):
    """NumPy 2's rounding, of which version 1 differs where a power of ten has no room in the dtype."""
    with np.errstate(all="ignore"):
        if x.dtype.kind != "f" or not decimals:
            return np.round(x, decimals)
        power = np.array(np.prod([10.0] * abs(decimals))).astype(x.dtype)
        above = np.multiply(x, power) if decimals > 0 else np.divide(x, power)
        return np.divide(np.rint(above), power) if decimals > 0 else np.multiply(np.rint(above), power)


_DECIMALS = st.sampled_from((0, 1, 2, 3, -1, -2, -3, 5, -5, 40, -40))


@given(SEEDS, st.sampled_from(FLOATS), _DECIMALS, st.booleans(), _ENGINE)
def test_round_of_floats(seed, dtype, decimals, few, engine):
    x = drawn(seed, (50,), dtype)
    if few:  # halves, of which every other is rounded down
        x = drawn(seed, (50,), dtype, few=True, special=False) / np.array(2, dtype)
        decimals = min(decimals, 0)
        with np.errstate(over="ignore"):
            x = (x * np.array(10.0 ** min(-decimals, 3), dtype)).astype(dtype)
    wanted = _rounded(x, decimals)
    same(engine(_rounding.round_, x, decimals=decimals), wanted)
    if np.__version__ >= "2":
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal(np.round(x, decimals), wanted)


@given(SEEDS, st.sampled_from(INTEGERS), st.sampled_from((0, 2, -1, -2, -3, -12)), _ENGINE)
def test_round_of_integers(seed, dtype, decimals, engine):
    limits = np.iinfo(dtype)
    x = drawn(seed, (50,), dtype)
    if decimals < 0:  # what has no room for its multiple is what the processor makes of it
        room = min(10**-decimals, limits.max)
        x = np.clip(x, limits.min + room if limits.min else 0, limits.max - room)
    same(engine(_rounding.round_, x, decimals=decimals), np.round(x, decimals))


def test_round_compiled():
    for dtype, decimals in (("float32", 2), ("float64", -1), ("float16", 1), ("uint8", -1), ("int64", -2)):
        x = drawn(9, (40,), dtype)
        if dtype in INTEGERS:
            x = x // 2
        same(compiled(_rounding.round_, x, decimals=decimals), _rounded(x, decimals))


def test_round_of_others():
    flags = np.array([True, False])
    same(eager(_rounding.round_, flags), np.round(flags))
    refuses(WrongType, _rounding.round_, flags, decimals=1)
    refuses(WrongType, _rounding.round_, flags, decimals=-1)
    x = drawn(4, (30,), "complex64", special=False)
    same(eager(_rounding.round_, x, decimals=1), np.round(x, 1))
    same(eager(_rounding.round_, x), np.round(x))
    for dtype in ("float32", "uint8"):
        for shape in ((), (0, 3)):
            for decimals in (1, 0, -1):
                x = np.full(shape, 15, dtype)
                same(eager(_rounding.round_, x, decimals=decimals), np.round(x, decimals))


def test_decimals_are_one_whole_number():
    x = np.ones(3)
    refuses(WrongType, _rounding.round_, x, decimals=1.0)
    refuses(WrongType, _rounding.round_, x, decimals=(1,))
    unknown = tf.function(lambda decimals: _rounding.round_(tf.constant(x), decimals), autograph=False)
    with pytest.raises(UnsupportedArgument, match="decimals"):
        unknown(tf.constant(0))
