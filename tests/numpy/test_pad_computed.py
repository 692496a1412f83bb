"""The padding modes that compute, and 'empty': bit for bit where nothing is rounded, else within it."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import pipeport.numpy as pnp
from pipeport import batched
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType

pytestmark = pytest.mark.newest_only

WHOLE = ["bool", "uint8", "int8", "uint16", "int32", "int64"]
REAL = ["float16", "float32", "float64"]
STATISTICS = ["maximum", "mean", "median", "minimum"]
LENGTHS = [None, 1, 2, 3, 99, (1, 2), ((2, 1), (4, 3)), 1.6]

RUNS: dict[str, Callable[[Callable[[Any], Any], Any], Any]] = {
    "eager": lambda f, x: f(tf.constant(x)),
    "graph": lambda f, x: tf.function(f)(tf.constant(x)),
    "unknown": lambda f, x: tf.function(f, input_signature=[tf.TensorSpec([None] * x.ndim, x.dtype)])(x),
    "xla": lambda f, x: tf.function(f, jit_compile=True)(tf.constant(x)),
}


def noise(dtype: str, shape: tuple[int, ...] = (4, 7), seed: int = 0) -> np.ndarray:
    generator = np.random.default_rng(seed)
    if np.dtype(dtype).kind == "f":
        return generator.uniform(-9, 9, shape).astype(dtype)
    if dtype == "bool":
        return generator.integers(0, 2, shape).astype(bool)
    info = np.iinfo(dtype)
    low, high = max(info.min, -(2**31)), min(info.max, 2**31 - 1)
    return generator.integers(low, high, shape, endpoint=True).astype(dtype)


def same(actual: Any, expected: np.ndarray, close: bool = False) -> None:
    value = np.asarray(actual)
    assert value.dtype == expected.dtype
    assert value.shape == expected.shape
    if close:
        eps = float(np.finfo(expected.dtype).eps)
        np.testing.assert_allclose(value, expected, rtol=8 * eps, atol=80 * eps)
    else:
        np.testing.assert_array_equal(value, expected)


@pytest.mark.parametrize(
    ("dtype", "run"),
    # A compilation each: four stand for all.
    [(d, "eager") for d in (*WHOLE, *REAL)] + [(d, "xla") for d in ("bool", "uint16", "int32", "float16")],
)
@pytest.mark.parametrize("mode", STATISTICS)
def test_statistics(mode: str, dtype: str, run: str) -> None:
    x = noise(dtype)
    every = LENGTHS if run == "eager" else [2]
    for length in every:

        def padded(t: Any, length: Any = length) -> Any:
            return pnp.pad(t, ((2, 1), (0, 3)), mode, stat_length=length)

        expected = np.pad(x, ((2, 1), (0, 3)), mode, stat_length=length)
        same(RUNS[run](padded, x), expected, close=mode == "mean" and dtype in REAL)


@pytest.mark.parametrize("mode", STATISTICS)
@pytest.mark.parametrize("dtype", ["int32", "float32"])
def test_statistics_of_sizes_unknown_while_tracing(mode: str, dtype: str) -> None:
    lengths = (None, 2, (3, 1))

    @functools.partial(tf.function, input_signature=[tf.TensorSpec([None, None], dtype)])
    def every(t: Any) -> Any:
        return [pnp.pad(t, ((0, 2), (3, 1)), mode, stat_length=length) for length in lengths]

    for shape in ((4, 7), (1, 1), (2, 3)):
        x = noise(dtype, shape)
        for found, length in zip(every(x), lengths, strict=True):
            expected = np.pad(x, ((0, 2), (3, 1)), mode, stat_length=length)
            same(found, expected, close=dtype == "float32")


@pytest.mark.parametrize("run", ["eager", "xla"])
def test_means_of_whole_numbers_are_rounded_half_to_even(run: str) -> None:
    """Every residue of sums of up to 12, as compiled code that divides by reciprocals would not."""
    for count in range(1, 13) if run == "eager" else (3, 6, 10):
        rows = np.stack([np.eye(1, count, dtype=np.int64)[0] * total for total in range(-40, 41)])
        for dtype in ("int8", "int32"):
            x = rows.astype(dtype)
            same(
                RUNS[run](lambda t: pnp.pad(t, ((0, 0), (1, 1)), "mean"), x),
                np.pad(x, ((0, 0), (1, 1)), "mean"),
            )


@pytest.mark.parametrize(
    ("dtype", "run"),
    # A trace each: two stand for all.
    [(d, "eager") for d in WHOLE] + [(d, run) for d in ("uint8", "int32") for run in RUNS if run != "eager"],
)
def test_ramps_of_whole_numbers_are_bit_equal(dtype: str, run: str) -> None:
    """Where the exact ramp meets a whole number, the rounding of each operation decides."""
    x = noise(dtype, (3, 400), seed=1)
    small = (x % 100).astype(dtype) if dtype != "bool" else x
    cases = ((0, x), ((3, 1), small), (7.5, small))
    drawn = {9: cases[:2], 10: cases[:2]}
    if run == "eager":
        drawn = dict.fromkeys((1, 3, 7, 10, 49), cases)
    elif run == "xla":  # a compilation takes a second: each width with one kind of ends
        drawn = {9: cases[:1], 10: cases[1:2]}
    for width, several in drawn.items():
        for ends, image in several:
            if np.dtype(dtype).kind == "b":
                ends = 0

            def padded(t: Any, width: int = width, ends: Any = ends) -> Any:
                return pnp.pad(t, ((width, width + 2), (0, 1)), "linear_ramp", end_values=ends)

            expected = np.pad(image, ((width, width + 2), (0, 1)), "linear_ramp", end_values=ends)
            same(RUNS[run](padded, image), expected)


@pytest.mark.parametrize("dtype", REAL)
@pytest.mark.parametrize(
    ("ends", "run"),
    [(e, "eager") for e in (0, -2.5, (1, 4), ((1, 2), (3, 4.25)))] + [((1, 4), "xla")],
    ids=str,
)
def test_ramps_of_real_numbers(ends: Any, dtype: str, run: str) -> None:
    x = noise(dtype)
    expected = np.pad(x, ((3, 0), (5, 2)), "linear_ramp", end_values=ends)
    same(RUNS[run](lambda t: pnp.pad(t, ((3, 0), (5, 2)), "linear_ramp", end_values=ends), x), expected, True)


def test_a_ramp_whose_width_is_data() -> None:
    x = noise("uint8")
    graph = tf.function(lambda t, w: pnp.pad(t, ((w, 3), (0, w)), "linear_ramp", end_values=9))
    for width in (0, 1, 10):
        same(graph(x, tf.constant(width)), np.pad(x, ((width, 3), (0, width)), "linear_ramp", end_values=9))
    graph = tf.function(lambda t, w: pnp.pad(t, ((w, 3), (0, w)), "median"))
    for width in (0, 2):
        same(graph(x, tf.constant(width)), np.pad(x, ((width, 3), (0, width)), "median"))


@pytest.mark.parametrize("run", ["eager", "xla"])
@pytest.mark.parametrize("mode", [*STATISTICS, "linear_ramp"])
def test_nan_and_infinities(mode: str, run: str) -> None:
    x = np.array([[1, np.nan, 3, 4], [np.inf, 1, 2, 3], [-np.inf, np.inf, 0, 1], [5, 6, 7, -np.inf]])
    with np.errstate(all="ignore"):
        expected = np.pad(x, ((0, 0), (2, 3)), mode)
    same(RUNS[run](lambda t: pnp.pad(t, ((0, 0), (2, 3)), mode), x), expected)


def test_complex_numbers() -> None:
    x = (noise("float64") + 1j * noise("float64", seed=1)).astype(np.complex64)
    for mode in ("mean", "linear_ramp"):
        np.testing.assert_allclose(pnp.pad(x, 2, mode), np.pad(x, 2, mode), rtol=1e-6)
    for mode in ("maximum", "minimum", "median"):
        with pytest.raises(UnsupportedArgument, match="'mean' for complex numbers"):
            pnp.pad(x, 2, mode)


@pytest.mark.parametrize("dtype", [*WHOLE, *REAL])
def test_empty_keeps_the_inside(dtype: str) -> None:
    x = noise(dtype, (3, 4, 2))
    theirs = np.pad(x, ((1, 2), (0, 3), (2, 0)), "empty")
    ours = pnp.pad(x, ((1, 2), (0, 3), (2, 0)), "empty").numpy()
    assert ours.dtype == theirs.dtype
    assert ours.shape == theirs.shape
    np.testing.assert_array_equal(ours[1:4, :4, 2:], theirs[1:4, :4, 2:])
    ours[1:4, :4, 2:] = 0
    assert not ours.any()
    assert pnp.pad(np.ones((0, 2)), 1, "empty").shape == np.pad(np.ones((0, 2)), 1, "empty").shape


@pytest.mark.parametrize("mode", [*STATISTICS, "linear_ramp"])
@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_a_batch_is_a_loop(mode: str, dtype: str) -> None:
    # One element of the batch has a step of zero, which changes the rounding of that element alone.
    several = np.stack([noise(dtype, seed=seed) for seed in range(4)])
    several[1] = 0
    expected = np.stack([np.pad(x, ((1, 2), (10, 7)), mode) for x in several])
    same(batched(pnp.pad)(several, ((1, 2), (10, 7)), mode), expected, close=dtype == "float32")


def test_a_mean_of_nothing() -> None:
    x = noise("float32")
    for mode in ("mean", "median"):
        with np.errstate(all="ignore"), pytest.warns(RuntimeWarning):
            expected = np.pad(x, ((0, 0), (1, 1)), mode, stat_length=(2, 0))
        found = pnp.pad(x, ((0, 0), (1, 1)), mode, stat_length=(2, 0)).numpy()
        same(found, expected, close=True)
        assert math.isnan(found[0, -1])
        with pytest.raises(UnsupportedArgument, match="stat_length: got 0 with mode"):
            pnp.pad(x.astype("uint8"), 1, mode, stat_length=0)
    for mode in ("maximum", "minimum"):
        with pytest.raises(ValueError, match="stat_length of 0"):
            np.pad(x, 1, mode, stat_length=0)
        with pytest.raises(OutsideDomain, match="stat_length: got 0 with mode"):
            pnp.pad(x, 1, mode, stat_length=0)


@pytest.mark.parametrize(
    ("mode", "options", "kind", "ours", "message"),
    [
        ("mean", {"stat_length": -1}, ValueError, UnsupportedArgument, "stat_length: got -1"),
        ("mean", {"stat_length": (1, 2, 3)}, ValueError, UnsupportedArgument, r"shape \(3,\)"),
        ("mean", {"stat_length": "x"}, TypeError, WrongType, "stat_length: got 'x'"),
        ("mean", {"stat_length": [[1], [1, 2]]}, ValueError, UnsupportedArgument, "stat_length"),
        ("mean", {"end_values": 1}, ValueError, UnsupportedArgument, "only `stat_length`"),
        ("empty", {"constant_values": 1}, ValueError, UnsupportedArgument, "no options for this mode"),
        ("linear_ramp", {"stat_length": 1}, ValueError, UnsupportedArgument, "only `end_values`"),
        ("linear_ramp", {"end_values": None}, TypeError, WrongType, "end_values: got None"),
        ("linear_ramp", {"end_values": (1, 2, 3)}, ValueError, UnsupportedArgument, r"shape \(3,\)"),
    ],
)
def test_what_numpy_refuses_is_refused_alike(
    mode: str, options: dict[str, Any], kind: type, ours: type, message: str
) -> None:
    x = noise("float32")
    with pytest.raises(kind):
        np.pad(x, 1, mode, **options)
    with pytest.raises(ours, match=message):
        pnp.pad(x, 1, mode, **options)
