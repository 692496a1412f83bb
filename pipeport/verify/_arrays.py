"""Contents of arrays: ramps first, because they shrink best, then noise, extremes and NaN.

Large arrays are noise, as a rule: where pixels are alike, one taken for its neighbour is not seen. They are
told by how they were made: a counterexample of them stays short.
"""

from __future__ import annotations

import hashlib
import math
from collections import OrderedDict
from typing import Any

import numpy as np
from hypothesis import strategies as st

Array = np.ndarray[Any, Any]
Strategy = st.SearchStrategy[Any]
Spots = tuple[tuple[int, float], ...]

# Beyond so many elements an array is made by `large_array`.
LARGE_SIZE = 2000
_CAPACITY = 256
_recipes: OrderedDict[bytes, str] = OrderedDict()


def contents(
    dtype: str,
    shape: tuple[int, ...],
    low: float | None,
    high: float | None,
    *,
    nan: bool = False,
    inf: bool = False,
    open_low: bool = False,
    open_high: bool = False,
    step: int = 0,
) -> Strategy:
    """Return a strategy for arrays of one dtype and shape.

    `low`, `high`: range of values; None means the dtype's whole range (integers, bool). `nan`, `inf`: whether
    a few elements may be NaN or infinite (floating dtypes alone). `open_low`, `open_high`: whether the ends
    themselves are left out. `step`: where positive, floats are multiples of one part in so many.
    """
    kind = np.dtype(dtype).kind
    low, high = _bounds(dtype, low, high, open_low=open_low, open_high=open_high)
    size = math.prod(shape)
    if size > LARGE_SIZE:
        specials = [v for v, on in ((math.nan, nan), (math.inf, inf)) if on]
        return _large(dtype, shape, low, high, specials, step)
    single = _element(kind, low, high)
    plain = st.one_of(
        st.just(_ramp(size, dtype, low, high)),
        st.integers(0, 2**32 - 1).map(lambda seed: _noise(seed, size, dtype, low, high)),
        single.map(lambda value: np.full(size, value, dtype)),
        st.lists(single, min_size=size, max_size=size).map(lambda v: np.array(v, dtype))
        if size <= 16
        else st.lists(single, min_size=1, max_size=8).map(lambda v: np.resize(np.array(v, dtype), size)),
    )
    specials = [v for on, vs in ((nan, [math.nan]), (inf, [math.inf, -math.inf])) if on for v in vs]
    if kind == "f" and specials and size:
        spots = st.lists(st.tuples(st.integers(0, size - 1), st.sampled_from(specials)), max_size=3)
        plain = st.builds(_place, plain, st.one_of(st.just([]), spots))
    return plain.map(lambda flat: _flush(_snapped(flat, low, high, step)).reshape(shape))


def _large(
    dtype: str, shape: tuple[int, ...], low: Any, high: Any, specials: list[float], step: int
) -> Strategy:
    """Return the strategy of large arrays: noise, one in five a ramp; one in five has special elements."""
    low, high = (v.item() if isinstance(v, np.generic) else v for v in (low, high))
    size = math.prod(shape)
    spots: Strategy = st.just(())
    if np.dtype(dtype).kind == "f" and specials:
        one = st.tuples(st.integers(0, size - 1), st.sampled_from(specials))
        some = st.lists(one, min_size=1, max_size=3).map(tuple)
        spots = st.integers(0, 4).flatmap(lambda n: some if n == 4 else st.just(()))
    seeds = st.integers(0, 4).flatmap(lambda n: st.just(-1) if n == 4 else st.integers(0, 2**32 - 1))
    return st.builds(lambda s, at: large_array(s, dtype, shape, low, high, at, step), seeds, spots)


def large_array(
    seed: int, dtype: str, shape: tuple[int, ...], low: Any, high: Any, spots: Spots = (), step: int = 0
) -> Array:
    """Return a large array: noise of a seed, or a ramp.

    `seed`: seed of the noise; -1 stands for the ramp. `spots`: elements, by their place in the flat array,
    with another value. `step`: where positive, floats are multiples of one part in so many. Returns: the same
    for the same arguments.
    """
    size = math.prod(shape)
    flat = _ramp(size, dtype, low, high) if seed < 0 else _noise(seed, size, dtype, low, high)
    flat = _snapped(flat, low, high, step)
    array = _flush(_place(flat, list(spots))).reshape(shape)
    text = f"large_array({seed}, {dtype!r}, {shape}, {low!r}, {high!r}, {spots!r}, {step})"
    _recipes[_digest(array)] = text
    while len(_recipes) > _CAPACITY:
        _recipes.popitem(last=False)
    return array


def _digest(array: Array) -> bytes:
    return hashlib.sha256(f"{array.dtype}{array.shape}".encode() + array.tobytes()).digest()


def recipe_of(array: Array) -> str | None:
    """Return the call of `large_array` that made an array, where one did."""
    return _recipes.get(_digest(array)) if array.size > LARGE_SIZE else None


def _snapped(flat: Array, low: Any, high: Any, step: int) -> Array:
    """Round finite floats to multiples of one part in `step`: where coordinates meet pixels."""
    if not step or flat.dtype.kind != "f":
        return flat
    finite = np.isfinite(flat)
    whole = np.round(np.where(finite, flat, 0).astype(np.float64) * step) / step
    inside = finite & (whole >= float(low)) & (whole <= float(high))
    return np.asarray(np.where(inside, whole, flat).astype(flat.dtype))


def _bounds(
    dtype: str, low: float | None, high: float | None, *, open_low: bool, open_high: bool
) -> tuple[Any, Any]:
    """Return the ends as values of the dtype that lie inside the range."""
    kind = np.dtype(dtype).kind
    if kind == "b":
        return False, True
    if kind in "iu":
        info = np.iinfo(dtype)
        ends = (
            info.min if low is None else math.floor(low) + 1 if open_low else math.ceil(low),
            info.max if high is None else math.ceil(high) - 1 if open_high else math.floor(high),
        )
        return max(ends[0], int(info.min)), min(ends[1], int(info.max))
    scalar = np.dtype(dtype).type
    first, last = scalar(-100.0 if low is None else low), scalar(100.0 if high is None else high)
    # As Python floats: NumPy would compare in the narrow dtype, and find them equal.
    if low is not None and (float(first) < low or (open_low and float(first) <= low)):
        first = np.nextafter(first, scalar(math.inf))
    if high is not None and (float(last) > high or (open_high and float(last) >= high)):
        last = np.nextafter(last, scalar(-math.inf))
    # Beside an open zero the next value would be a subnormal, which TensorFlow takes for zero.
    tiny = np.finfo(dtype).tiny
    return (tiny if 0 < first < tiny else first), (-tiny if -tiny < last < 0 else last)


def _element(kind: str, low: Any, high: Any) -> Strategy:
    if kind == "b":
        return st.booleans()
    if kind in "iu":
        near = [v for v in (0, 1, -1, 127, 255) if low <= v <= high]
        return st.one_of(st.sampled_from([*near, low, high]), st.integers(low, high))
    ends = [float(low), float(high)]
    inside = [v for v in (0.0, -0.0, 1.0, 0.5, -1.0) if ends[0] <= v <= ends[1]]
    return st.one_of(st.sampled_from([*inside, *ends]), st.floats(*ends, allow_subnormal=False))


def _ramp(size: int, dtype: str, low: Any, high: Any) -> Array:
    """Every element distinct where the range allows it, small whole numbers where it does."""
    kind = np.dtype(dtype).kind
    if kind == "b":
        return np.asarray(np.arange(size) % 3 == 1)
    if kind in "iu":
        start = min(max(0, low), high)
        span = min(high - start + 1, max(size, 1))  # of int64 the whole range is not an int64
        return np.asarray((start + np.arange(size) % span).astype(dtype))
    if float(low) <= 0 and float(high) >= size:
        return np.arange(size, dtype=dtype)
    # Steps of a power of two: exact in every dtype, and short when printed.
    steps = np.arange(1, size + 1) / 2 ** size.bit_length()
    ramp = (float(low) + (float(high) - float(low)) * steps).astype(dtype)
    return np.asarray(np.clip(ramp, low, high))


def _noise(seed: int, size: int, dtype: str, low: Any, high: Any) -> Array:
    generator = np.random.default_rng(seed)
    if np.dtype(dtype).kind in "biu":
        return np.asarray(generator.integers(low, high, size, endpoint=True, dtype=dtype))
    values = generator.uniform(float(low), float(high), size).astype(dtype)
    return np.asarray(np.clip(values, low, high))


def _place(flat: Array, spots: list[tuple[int, float]]) -> Array:
    flat = flat.copy()
    for index, value in spots:
        flat[index] = value
    return flat


def _flush(flat: Array) -> Array:
    """Replace subnormals by zero, as TensorFlow's kernels do."""
    if flat.dtype.kind != "f":
        return flat
    flat = flat.copy()
    flat[np.abs(flat) < np.finfo(flat.dtype).tiny] *= 0
    return flat
