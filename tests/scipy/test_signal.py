"""scipy.signal: a second of audio, unknown sizes, what is not finite, refusals."""

from __future__ import annotations

import decimal
import functools
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
import scipy.signal as reference
import tensorflow as tf

import pipeport
from pipeport.errors import BadAxis, OutsideDomain, UnsupportedArgument, WrongType
from pipeport.scipy import signal

pytestmark = pytest.mark.newest_only

RANDOM = np.random.default_rng(41)
WAVE = RANDOM.standard_normal(16000).astype(np.float32)
SMOOTH = np.cumsum(RANDOM.standard_normal(1000))
BUTTER = reference.butter(4, 0.2)
NARROW = reference.butter(2, [0.05, 0.1], "band")


def ways(function: Any, x: Any, *, compiled: bool = True) -> Any:
    """Give the results eagerly, in a graph of unknown sizes, and compiled."""
    yield function(tf.constant(x))
    spec = tf.TensorSpec([None] * np.ndim(x), x.dtype)
    yield tf.function(function, input_signature=[spec], autograph=False)(x)
    if compiled:
        yield tf.function(function, jit_compile=True, autograph=False)(tf.constant(x))


def _called(name: str, options: Any, x: Any) -> Any:
    return getattr(signal, name)(x=x, **options)


def close(found: Any, right: Any, levels: float = 64) -> None:
    assert found.dtype == right.dtype
    assert found.shape == right.shape
    bound = levels * np.finfo(right.dtype).eps * max(1.0, np.nanmax(np.abs(right), initial=0.0))
    np.testing.assert_allclose(found, right, rtol=0, atol=bound)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("lfilter", {"b": [1.0, -0.97], "a": [1.0]}),
        ("lfilter", {"b": BUTTER[0], "a": BUTTER[1]}),
        ("lfilter", {"b": NARROW[0].astype(np.float32), "a": NARROW[1].astype(np.float32)}),
        ("lfilter", {"b": [1.0], "a": [1.0, -1.0]}),
        ("lfilter", {"b": reference.firwin(101, 0.3), "a": 1.0}),
        ("filtfilt", {"b": BUTTER[0], "a": BUTTER[1]}),
        ("filtfilt", {"b": NARROW[0], "a": NARROW[1], "padtype": "even", "padlen": 100}),
        ("filtfilt", {"b": reference.firwin(31, 0.3), "a": [2.0], "padtype": "constant"}),
        ("filtfilt", {"b": [3.0, 1.0], "a": [2.0], "padtype": None}),
        ("resample_poly", {"up": 1, "down": 2}),
        ("resample_poly", {"up": 160, "down": 441}),
        ("resample_poly", {"up": 441, "down": 320, "padtype": "mean"}),
        ("resample_poly", {"up": 3, "down": 1, "window": [0.25, 0.5, 0.75, 1.0]}),
        ("resample_poly", {"up": 4, "down": 2.0, "window": "blackman", "cval": 0}),
        ("resample_poly", {"up": 2, "down": 2}),
        ("decimate", {"q": 2}),
        ("decimate", {"q": 10, "ftype": "fir"}),
        ("decimate", {"q": 4, "n": 5, "zero_phase": False}),
        ("decimate", {"q": 4, "n": 31, "ftype": "fir", "zero_phase": False}),
        ("resample", {"num": 8000}),
        ("resample", {"num": 22051}),
        ("resample", {"num": 16000}),
        ("resample", {"num": 8000, "window": RANDOM.random(16000)}),
    ],
)
def test_a_second_of_audio(name, options):
    right = getattr(reference, name)(x=WAVE, **options)
    for found in ways(functools.partial(_called, name, options), WAVE):
        close(found, right, 4096)


@pytest.mark.parametrize("size", [1, 2, 63, 64, 65, 129])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_lines_of_any_length_along_any_axis(size, axis):
    x = np.moveaxis(RANDOM.random((size, 3, 2)), 0, axis)
    for name, options in (
        ("lfilter", {"b": BUTTER[0], "a": BUTTER[1]}),
        ("lfilter", {"b": [0.5, 0.5, 1.0], "a": [2.0]}),
        ("filtfilt", {"b": BUTTER[0], "a": BUTTER[1], "padlen": 0}),
        ("resample_poly", {"up": 3, "down": 2}),
        ("decimate", {"q": 3, "ftype": "fir"}),
        ("decimate", {"q": 3, "zero_phase": False}),
        ("resample", {"num": 10}),
        ("resample", {"num": 7}),
    ):
        options = {**options, "axis": axis}
        right = getattr(reference, name)(x=x, **options)
        native = functools.partial(_called, name, options)
        for found in ways(native, x, compiled=size == 65):
            close(found, right)


@pytest.mark.parametrize(
    ("shape", "sides"),
    [
        ((16000,), 5),
        ((16000,), 71),
        ((16000,), 601),
        ((90, 80), 11),
        ((224, 200), 3),
        ((64, 65, 3), (3, 3, 1)),
        ((5, 9), 1),
    ],
)  # fmt: skip
@pytest.mark.parametrize("dtype", ["uint8", "int16", "int64", "float32", "float64"])
def test_medians_of_signals_and_images(shape, sides, dtype):
    x = (RANDOM.standard_normal(shape) * 100).astype(dtype)
    right = reference.medfilt(x, sides)
    native = functools.partial(signal.medfilt, kernel_size=sides)
    for found in ways(native, x, compiled=dtype == "float32" and sides != 71):
        assert found.dtype == right.dtype
        np.testing.assert_array_equal(found, right)


@pytest.mark.filterwarnings("ignore:kernel_size exceeds")
@pytest.mark.parametrize("big", [2**62, -(2**62)])
def test_medians_of_large_integers_of_one_axis(big):
    x = np.array([big + 1, big, big + 3, big + 2, 7])
    for sides in (1, 3, 5):
        np.testing.assert_array_equal(signal.medfilt(x, sides), reference.medfilt(x, sides))
    unsigned = x.astype(np.uint64)
    np.testing.assert_array_equal(signal.medfilt(unsigned, 3), reference.medfilt(unsigned, 3))


@pytest.mark.parametrize("mode", ["full", "same", "valid"])
@pytest.mark.parametrize(
    ("first", "second", "axes"),
    [
        ((1000,), (300,), None),
        ((7,), (1,), None),
        ((9, 12), (4, 3), None),
        ((9, 12), (4, 12), 0),
        ((2, 9, 12), (2, 4, 3), (1, 2)),
        ((9, 1, 12), (3, 5, 4), (-1, 0)),
        ((5, 6, 7), (2, 3, 4), None),
    ],
)
def test_arrays_are_convolved(mode, first, second, axes):
    one, other = RANDOM.standard_normal(first), RANDOM.standard_normal(second)
    right = reference.fftconvolve(one, other, mode, axes)
    for found in ways(lambda x: signal.fftconvolve(x, other, mode, axes), one):
        close(found, right)
    narrow = signal.fftconvolve(one.astype(np.float32), other.astype(np.float32), mode, axes)
    close(narrow, reference.fftconvolve(one.astype(np.float32), other.astype(np.float32), mode, axes))


def test_the_smaller_array_may_come_first():
    one, other = RANDOM.random(5), RANDOM.random(12)
    for mode in ("same", "valid"):
        close(signal.fftconvolve(one, other, mode), reference.fftconvolve(one, other, mode))


def test_what_is_not_a_number_reaches_no_earlier_element():
    x = np.array(SMOOTH)
    x[500] = np.nan
    for name, options in (
        ("lfilter", {"b": BUTTER[0], "a": BUTTER[1]}),
        ("lfilter", {"b": [1.0, 0.0, -0.97], "a": [1.0]}),
        ("resample_poly", {"up": 3, "down": 2}),
        ("resample_poly", {"up": 1, "down": 4}),
        ("decimate", {"q": 2, "zero_phase": False}),
        ("decimate", {"q": 2, "ftype": "fir", "n": 30}),
    ):
        right = getattr(reference, name)(x=x, **options)
        for found in ways(functools.partial(_called, name, options), x):
            np.testing.assert_allclose(found, right, rtol=1e-9, atol=1e-9)


def exactly(b, a, x):
    """Filter a line in decimals, by the coefficients as they stand."""
    with decimal.localcontext(prec=200):
        order = max(len(b), len(a)) - 1
        b, a = ([*map(Decimal, np.divide(one, a[0]).tolist())] for one in (b, a))
        b, a = (one + [Decimal(0)] * (order + 1 - len(one)) for one in (b, a))
        states, found = [Decimal(0)] * (order + 1), []
        for number in map(Decimal, x.tolist()):
            out = b[0] * number + states[0]
            for at in range(order):
                states[at] = b[at + 1] * number + states[at + 1] - a[at + 1] * out
            found.append(float(out))
    return np.array(found)


DESIGNS = {
    "ecg": reference.butter(3, [0.5 / 180, 40 / 180], "band"),
    "eeg": reference.butter(4, [0.5 / 250, 45 / 250], "band"),
    "drift": reference.butter(5, 0.01, "high"),
    "slow": reference.butter(8, 0.02),
    "decimated": reference.cheby1(8, 0.05, 0.08),
    "elliptic": reference.ellip(6, 1, 60, 0.3),
    "mains": reference.iirnotch(50, 30, 1000),
    "stop": reference.butter(4, [0.19, 0.21], "stop"),
    "steep": reference.butter(16, 0.3),
    "leaky": ([1.0], [1.0, -0.9999]),
    "common root": ([1.0, -0.5], [1.0, -1.4, 0.45]),
}


@pytest.mark.parametrize("name", DESIGNS)
def test_filters_that_people_design_lose_no_digits(name):
    b, a = DESIGNS[name]
    x = np.sin(np.arange(300.0) ** 1.5) + 3
    right = exactly(b, a, x)
    for found in ways(lambda x: signal.lfilter(b, a, x), x):
        close(found, right)
    theirs = np.abs(reference.lfilter(b, a, x) - right).max()
    both_ways = reference.filtfilt(b, a, x)
    # As far as the reference is from the exact result, which goes through it twice.
    bound = 1e4 * theirs + 1e-12 * np.abs(both_ways).max()
    np.testing.assert_allclose(signal.filtfilt(b, a, x), both_ways, rtol=0, atol=bound)


@pytest.mark.parametrize("taps", [5, 1001])
@pytest.mark.parametrize("padtype", ["odd", "even", None])
def test_without_feedback_a_nan_reaches_as_far_as_the_taps(taps, padtype):
    x = WAVE.astype(np.float64)
    x[7000] = np.nan
    b, options = reference.firwin(taps, 0.2), {"a": [2.0], "padtype": padtype}
    right = reference.filtfilt(b, x=x, **options)
    assert np.isnan(right).sum() == 2 * taps - 1
    for found in ways(functools.partial(_called, "filtfilt", {"b": b, **options}), x, compiled=taps == 5):
        close(found.numpy(), right)


def test_filters_that_grow_keep_their_coefficients():
    x = np.sin(np.arange(300.0) ** 1.5)
    for a in ([1.0, -1.0], [1.0, -2.0, 1.0], [1.0, -1.01], [1.0, 0.0, 1.0]):
        right = exactly([1.0], a, x)
        for found in ways(lambda x, a=a: signal.lfilter([1.0], a, x), x):
            close(found, right, 2**13)


def test_a_filter_of_a_high_order_keeps_its_coefficients():
    b, a = np.array([1.0]), np.zeros(41)
    a[0], a[40] = 1, -0.5  # an echo
    x = np.sin(np.arange(300.0) ** 1.5)
    for found in ways(lambda x: signal.lfilter(b, a, x), x):
        close(found, reference.lfilter(b, a, x))


@pytest.mark.parametrize("size", [1, 2, 9, 64])
@pytest.mark.parametrize("window", ["hann", ("kaiser", 3.0), 2.5, "flattop_symmetric"])
def test_spectra_are_multiplied_with_windows(size, window):
    x = RANDOM.random((size, 2))
    for num in (1, 5, size, 70):
        right = reference.resample(x, num, window=window)
        close(signal.resample(x, num, window=window), right)
        given = RANDOM.random(size)
        ported = pipeport.port(lambda x: reference.resample(x, num, window=given), example=(x,))  # noqa: B023
        for found in ways(ported, x, compiled=False):
            close(found, reference.resample(x, num, window=given))


@pytest.mark.parametrize("size", [1, 2, 3, 64, 300])
@pytest.mark.parametrize(
    ("b", "a"),
    [BUTTER, ([1.0, 0.5, 0.25], [1.0]), ([2.0], 3.0), ([1.0], [2.0, 0.5]), (np.arange(1.0, 5), [2.0, 0.5])],
)
def test_states_are_handed_on(b, a, size):
    order = max(len(b), np.size(a)) - 1
    for shape, sizes, axis in (
        ((size,), (order,), -1), ((size, 3), (order, 3), 0), ((3, size), (1, order), 1)
    ):  # fmt: skip
        x, zi = RANDOM.random(shape), RANDOM.random(sizes)
        right = reference.lfilter(b, a, x, axis, zi)
        unknown = tf.function(
            lambda x, zi, axis=axis: signal.lfilter(b, a, x, axis, zi),
            input_signature=[tf.TensorSpec([None] * len(shape), tf.float64)] * 2,
        )
        for found in (signal.lfilter(b, a, x, axis, zi), unknown(x, zi)):
            for one, other in zip(found, right, strict=True):
                close(one, other)
    narrow = signal.lfilter(np.float32(b), np.float32(a), np.float32(x), 1, np.float32(zi))
    for one, other in zip(narrow, right, strict=True):
        close(one, other.astype(np.float32))


def test_a_signal_is_filtered_in_parts():
    b, a = BUTTER

    def in_parts(x):
        states = reference.lfilter_zi(b, a) * x[0]
        first, states = reference.lfilter(b, a, x[:300], zi=states)
        return np.concatenate([first, reference.lfilter(b, a, x[300:], zi=states)[0]])

    for found in ways(pipeport.port(in_parts, example=(SMOOTH,)), SMOOTH):
        close(found, in_parts(SMOOTH), 1024)
    two = np.stack([SMOOTH, SMOOTH[::-1]])
    for zi in (np.ones(4), np.stack([np.ones(4), np.zeros(4)])):
        found = pipeport.batched(signal.lfilter)(b, a, two, zi=zi)
        right = [
            reference.lfilter(b, a, x, zi=one)
            for x, one in zip(two, np.broadcast_to(zi, (2, 4)), strict=True)
        ]
        for one, other in zip(found, zip(*right, strict=True), strict=True):
            close(one, np.stack(other), 1024)
    spec = [tf.TensorSpec([None], tf.float64)] * 2
    with pytest.raises(tf.errors.InvalidArgumentError, match="zi"):
        tf.function(lambda x, zi: signal.lfilter(b, a, x, zi=zi), input_signature=spec)(SMOOTH, np.ones(3))


@pytest.mark.parametrize("place", [0, 5, 297])
def test_what_is_not_a_number_reaches_its_states(place):
    x = np.array(SMOOTH[:300])
    x[place] = np.nan
    for b, a, zi in ((*BUTTER, np.ones(4)), ([1.0, 0.5, 0.25, 1.0], [2.0], np.ones(3))):
        for one, other in zip(signal.lfilter(b, a, x, zi=zi), reference.lfilter(b, a, x, zi=zi), strict=True):
            close(one.numpy(), other)
    lost = [1.0, np.nan, 1.0, 1.0]
    for one, other in zip(
        signal.lfilter(*BUTTER, SMOOTH, zi=lost), reference.lfilter(*BUTTER, SMOOTH, zi=lost), strict=True
    ):
        close(one.numpy(), other)


def test_integers_wrap_around_where_the_reference_turns_them_about_their_ends():
    x = RANDOM.integers(0, 256, 50).astype(np.uint8)
    close(signal.filtfilt(*BUTTER, x), reference.filtfilt(*BUTTER, x))
    close(signal.lfilter(*BUTTER, x), reference.lfilter(*BUTTER, x))
    for one in (x, x > 9):
        close(signal.decimate(one, 2), reference.decimate(one, 2))
        close(signal.decimate(one, 2, ftype="fir"), reference.decimate(one, 2, ftype="fir"))
    close(signal.resample_poly(x, 3, 2), reference.resample_poly(x, 3, 2))
    close(signal.resample(x, 30), reference.resample(x, 30))


def test_taps_may_be_drawn():
    taps = np.array([0.5, -0.25, 1.0])

    @tf.function(input_signature=[tf.TensorSpec([None], tf.float64)])
    def filtered(b):
        return signal.lfilter(b, [2.0], WAVE)

    close(filtered(taps), reference.lfilter(taps, [2.0], WAVE))


def test_a_ported_body_decimates():
    def slower(x):
        return reference.decimate(x, 4, axis=0)[:, :1] - reference.decimate(x, 4, ftype="fir", axis=0)[:, 1:]

    x = SMOOTH.reshape(500, 2)
    for found in ways(pipeport.port(slower, example=(x,)), x):
        close(found, slower(x), 4096)
    two = np.stack([SMOOTH, SMOOTH[::-1]])
    close(pipeport.batched(signal.decimate)(two, 3), reference.decimate(two, 3))


def test_a_batch_is_filtered_at_once():
    two = np.stack([SMOOTH, SMOOTH[::-1]])
    right = np.stack([reference.filtfilt(*BUTTER, one) for one in two])
    close(pipeport.batched(signal.filtfilt)(*BUTTER, two), right, 1024)
    right = np.stack([reference.resample_poly(one, 2, 3) for one in two])
    close(pipeport.batched(signal.resample_poly)(two, 2, 3), right)


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (OutsideDomain, lambda: signal.lfilter([1.0], [1.0, 0.5], SMOOTH, zi=[0.0, 1.0])),
        (OutsideDomain, lambda: signal.lfilter([1.0], [1.0, 0.5], SMOOTH, zi=[[0.0]])),
        (OutsideDomain, lambda: signal.lfilter([1.0], [1.0, 0.5], SMOOTH, zi=[1j])),
        (OutsideDomain, lambda: signal.lfilter([1.0], [0.0, 0.5], SMOOTH)),
        (OutsideDomain, lambda: signal.lfilter([], [1.0, 0.5], SMOOTH)),
        (OutsideDomain, lambda: signal.lfilter([1.0], [1.0, 0.5], SMOOTH[:0])),
        (WrongType, lambda: signal.lfilter([1], [1, 2], np.arange(5))),
        (BadAxis, lambda: signal.lfilter([1.0], [1.0], SMOOTH, axis=1)),
        (UnsupportedArgument, lambda: signal.lfilter([1.0], [1.0], SMOOTH * 1j)),
        (UnsupportedArgument, lambda: signal.filtfilt(*BUTTER, SMOOTH, method="gust")),
        (UnsupportedArgument, lambda: signal.filtfilt(*BUTTER, SMOOTH, irlen=5)),
        (OutsideDomain, lambda: signal.filtfilt(*BUTTER, SMOOTH[:15])),
        (OutsideDomain, lambda: signal.filtfilt(*BUTTER, SMOOTH, padtype="mean")),
        (OutsideDomain, lambda: signal.filtfilt([1.0], [1.0, -1.0], SMOOTH)),
        (OutsideDomain, lambda: signal.filtfilt([1.0], [2.0], SMOOTH)),
        (WrongType, lambda: signal.filtfilt(*BUTTER, SMOOTH > 0)),
        (OutsideDomain, lambda: signal.decimate(SMOOTH, 0)),
        (OutsideDomain, lambda: signal.decimate(SMOOTH, 1, ftype="fir")),
        (OutsideDomain, lambda: signal.decimate(SMOOTH[:27], 2)),
        (OutsideDomain, lambda: signal.decimate(SMOOTH, 2, 0)),
        (OutsideDomain, lambda: signal.decimate(SMOOTH, 2, ftype=reference.dlti([1.0], [1.0, 0.5]))),
        (WrongType, lambda: signal.decimate(SMOOTH, 2.0)),
        (OutsideDomain, lambda: signal.resample_poly(SMOOTH, 0, 1)),
        (WrongType, lambda: signal.resample_poly(SMOOTH, 1.5, 1)),
        (UnsupportedArgument, lambda: signal.resample_poly(SMOOTH, 9999, 10000)),
        (UnsupportedArgument, lambda: signal.resample_poly(SMOOTH, 1, 2, window=("dpss", 2))),
        (UnsupportedArgument, lambda: signal.resample_poly(SMOOTH, 1, 2, padtype="line")),
        (UnsupportedArgument, lambda: signal.resample_poly(SMOOTH, 1, 2, cval=1.0)),
        (OutsideDomain, lambda: signal.resample_poly(SMOOTH, 1, 2, padtype="mean", cval=1.0)),
        (UnsupportedArgument, lambda: signal.resample(SMOOTH, 5, t=SMOOTH)),
        (UnsupportedArgument, lambda: signal.resample(SMOOTH, 5, window=("dpss", 2))),
        (UnsupportedArgument, lambda: signal.resample(SMOOTH, 5, window=np.abs)),
        (OutsideDomain, lambda: signal.resample(SMOOTH, 5, window=np.ones(999))),
        (WrongType, lambda: signal.resample(SMOOTH, 5, window=np.ones(1000, int))),
        (UnsupportedArgument, lambda: signal.resample(SMOOTH, 5, domain="freq")),
        (OutsideDomain, lambda: signal.resample(SMOOTH, 0)),
        (OutsideDomain, lambda: signal.medfilt(SMOOTH, 4)),
        (OutsideDomain, lambda: signal.medfilt(SMOOTH, (3, 3))),
        (OutsideDomain, lambda: signal.medfilt(SMOOTH > 0)),
        (WrongType, lambda: signal.medfilt(SMOOTH, 3.0)),
        (OutsideDomain, lambda: signal.fftconvolve(SMOOTH, [[1.0]])),
        (OutsideDomain, lambda: signal.fftconvolve(SMOOTH, SMOOTH, "most")),
        (OutsideDomain, lambda: signal.fftconvolve(np.ones((2, 5)), np.ones((3, 5)), axes=1)),
        (OutsideDomain, lambda: signal.fftconvolve(np.ones((2, 5)), np.ones((3, 4)), "valid")),
    ],
)  # fmt: skip
def test_what_is_refused(error, call):
    with pytest.raises(error):
        call()


def test_a_short_signal_is_found_in_the_graph():
    filtered = tf.function(
        lambda x: signal.filtfilt(*BUTTER, x), input_signature=[tf.TensorSpec([None], tf.float64)]
    )
    with pytest.raises(tf.errors.InvalidArgumentError, match="padlen"):
        filtered(SMOOTH[:15])


def test_a_window_of_another_length_is_found_in_the_graph():
    spec = [tf.TensorSpec([None], tf.float64)]
    weighted = tf.function(lambda x: signal.resample(x, 5, window=np.ones(9)), input_signature=spec)
    close(weighted(SMOOTH[:9]), reference.resample(SMOOTH[:9], 5))
    with pytest.raises(tf.errors.InvalidArgumentError, match="window"):
        weighted(SMOOTH[:8])
    with pytest.raises(UnsupportedArgument, match="window"):
        tf.function(lambda x: signal.resample(x, 5, window="hann"), input_signature=spec)(SMOOTH)
