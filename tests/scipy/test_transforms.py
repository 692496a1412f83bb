"""Distances, cosine transforms, trends, spectra and pseudo-inverses of SciPy at the sizes people use."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.fft
import scipy.fftpack
import scipy.linalg
import scipy.ndimage
import scipy.signal
import tensorflow as tf

import pipeport
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType
from pipeport.scipy import fft, linalg, ndimage, signal
from pipeport.scipy.signal._windows import named

pytestmark = pytest.mark.newest_only

RANDOM = np.random.default_rng(7)
WAVE = RANDOM.standard_normal(4001)


def same(found: Any, expected: Any, rtol: float = 1e-9) -> None:
    expected = np.asarray(expected)
    assert found.dtype.as_numpy_dtype == expected.dtype
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=rtol, atol=rtol * max(1.0, np.abs(expected).max()))


def graphs(function: Any, x: Any) -> Any:
    """Give the results eagerly, in a graph, and in one of unknown sizes."""
    yield function(tf.constant(x))
    yield tf.function(function)(x)
    yield tf.function(function, input_signature=[tf.TensorSpec([None] * np.ndim(x), x.dtype)])(x)


@pytest.mark.parametrize(
    ("shape", "sampling"), [((300,), 2.0), ((97, 128), None), ((20, 31, 9), (1, 2, 0.5))]
)
def test_distances(shape: tuple[int, ...], sampling: Any) -> None:
    volume = RANDOM.uniform(size=shape) < 0.97
    right = scipy.ndimage.distance_transform_edt(volume, sampling)
    for found in graphs(lambda x: ndimage.distance_transform_edt(x, sampling), volume):
        same(found, right)
    assert np.isinf(ndimage.distance_transform_edt(np.ones((2, 3), bool))).all()
    pair = np.stack([volume, np.roll(volume, 3, 0)])
    each = pipeport.batched(ndimage.distance_transform_edt)(pair, sampling)
    same(each[1], scipy.ndimage.distance_transform_edt(pair[1], sampling))


def _ways(kind: str) -> Any:
    """Return truth values in which components are long, many or none."""
    if kind == "snake":
        found = np.zeros((81, 60), bool)
        found[::2], found[1::4, -1], found[3::4, 0] = True, True, True
        return found
    shapes = {"line": (300,), "plane": (97, 128), "volume": (20, 31, 9), "empty": (0, 4), "narrow": (5, 4, 1)}
    return RANDOM.uniform(size=shapes[kind]) < 0.55


@pytest.mark.parametrize("kind", ["line", "plane", "volume", "empty", "narrow", "snake"])
def test_components(kind: str) -> None:
    x = _ways(kind)
    steps = np.abs(np.indices((3,) * x.ndim) - 1).sum(0)
    for structure in (None, np.zeros_like(steps), *(steps <= most for most in range(1, x.ndim + 1))):
        for turned in (x, x.T, x[::-1]):
            right, count = scipy.ndimage.label(turned, structure)
            for found, number in graphs(_with(structure), turned):
                np.testing.assert_array_equal(found, right)
                assert (found.dtype, int(number)) == (tf.int32, count)


def _with(structure: Any) -> Any:
    return lambda x: ndimage.label(x, structure)


def test_components_of_a_batch_and_of_slanted_structures() -> None:
    pair = np.stack([_ways("plane"), np.zeros((97, 128), bool), _ways("plane")])
    found, counts = pipeport.batched(ndimage.label)(pair)
    for number, one in enumerate(pair):
        right, count = scipy.ndimage.label(one)
        np.testing.assert_array_equal(found[number], right)
        assert int(counts[number]) == count
    for _ in range(20):
        structure = RANDOM.uniform(size=(3, 3)) < 0.4
        structure |= structure[::-1, ::-1]
        right, count = scipy.ndimage.label(pair[0], structure)
        np.testing.assert_array_equal(ndimage.label(pair[0], structure)[0], right)


@pytest.mark.parametrize("norm", [None, "ortho", "forward"])
@pytest.mark.parametrize("size", [1, 64, 97, 224])
def test_cosine_transforms(norm: Any, size: int) -> None:
    x = RANDOM.standard_normal((3, size))
    for found in graphs(lambda x: fft.dct(x, norm=norm), x):
        same(found, scipy.fft.dct(x, norm=norm), 1e-11)
    same(fft.dct(x, n=40, axis=0, norm=norm), scipy.fft.dct(x, n=40, axis=0, norm=norm))
    same(fft.dct(x.astype(np.float32), norm=norm), scipy.fft.dct(x.astype(np.float32), norm=norm), 1e-5)
    if norm in (None, "ortho"):  # its older name
        ported = pipeport.port(lambda x: scipy.fftpack.dct(x, 2, 40, norm=norm)[..., 1:13])
        for found in graphs(ported, x):
            same(found, scipy.fftpack.dct(x, 2, 40, norm=norm)[..., 1:13], 1e-11)


@pytest.mark.parametrize("kind", [1, 3, 4])
@pytest.mark.parametrize("size", [2, 3, 64, 97])
def test_cosine_transforms_of_other_types_and_their_inverses(kind: int, size: int) -> None:
    x = RANDOM.standard_normal((3, size))
    for norm, orthogonal in ((None, None), ("ortho", None), ("forward", True), ("ortho", False)):
        options = {"norm": norm, "orthogonalize": orthogonal}
        for name in ("dct", "idct"):
            right = getattr(scipy.fft, name)(x, kind, **options)
            for found in graphs(lambda x, name=name, o=options: getattr(fft, name)(x, kind, **o), x):
                same(found, right, 1e-11)
            many = getattr(fft, name)(x.astype(np.float32), kind, 40, 0, **options)
            same(many, getattr(scipy.fft, name)(x.astype(np.float32), kind, 40, 0, **options), 1e-5)
            same(pipeport.batched(getattr(fft, name))(x, kind, **options), right)


def test_blocks_are_transformed_and_back() -> None:
    def blurred(image: Any) -> Any:
        spectrum = scipy.fft.dct(scipy.fft.dct(image.T, norm="ortho").T, norm="ortho")
        spectrum[9:] = 0
        return scipy.fft.idct(scipy.fft.idct(spectrum.T, norm="ortho").T, norm="ortho")

    image = RANDOM.standard_normal((64, 97)).astype(np.float32)
    for found in graphs(pipeport.port(blurred, example=(image,)), image):
        same(found, blurred(image), 1e-5)
    unknown = tf.function(
        lambda x: fft.dct(x, 1), input_signature=[tf.TensorSpec([None], tf.float64)], autograph=False
    )
    with pytest.raises(tf.errors.InvalidArgumentError, match="type 1"):
        unknown(WAVE[:1])


@pytest.mark.parametrize("kind", ["linear", "constant"])
def test_trends(kind: str) -> None:
    slopes = (WAVE + np.arange(4001) * 0.3).reshape(1, -1).repeat(2, 0)
    for found in graphs(lambda x: signal.detrend(x, type=kind), slopes):
        same(found, scipy.signal.detrend(slopes, type=kind))
    same(signal.detrend(np.arange(7), 0, kind), scipy.signal.detrend(np.arange(7), 0, kind))
    for bp in (1000, [4000, 7], np.array([0, 2000, 2000, 4001])):
        right = scipy.signal.detrend(slopes, type=kind, bp=bp)
        ported = pipeport.port(lambda x: scipy.signal.detrend(x, -1, kind, bp), example=(slopes,))  # noqa: B023
        for found in graphs(ported, slopes):
            same(found, right)


def test_a_break_behind_the_end_is_found_in_the_graph() -> None:
    spec = [tf.TensorSpec([None], tf.float64)]
    pieces = tf.function(lambda x: signal.detrend(x, bp=[3]), input_signature=spec, autograph=False)
    same(pieces(WAVE[:3]), scipy.signal.detrend(WAVE[:3], bp=[3]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="bp"):
        pieces(WAVE[:2])


@pytest.mark.parametrize("dtype", ["float64", "float32", "int16"])
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("stft", {}),
        ("stft", {"window": "hamming", "nperseg": 400, "noverlap": 240, "nfft": 512, "boundary": None}),
        ("stft", {"padded": False, "scaling": "psd", "detrend": "linear", "nperseg": 101}),
        ("spectrogram", {}),
        ("spectrogram", {"window": ("kaiser", 8.0), "nperseg": 128, "mode": "magnitude"}),
        ("spectrogram", {"window": np.hanning(50), "scaling": "spectrum", "detrend": False}),
        ("stft", {"window": "flattop", "return_onesided": False, "nperseg": 101, "detrend": "linear"}),
        ("spectrogram", {"window": ("gaussian", 20.0), "return_onesided": False, "nfft": 300}),
        ("spectrogram", {"window": "nuttall_symmetric", "return_onesided": False, "mode": "complex"}),
    ],
)
def test_spectra(name: str, options: dict[str, Any], dtype: str) -> None:
    x = (WAVE * 100).astype(dtype)
    right = getattr(scipy.signal, name)(x, 8000, **options)
    for found in graphs(lambda x: getattr(signal, name)(x, 8000, **options), x):
        for one, other in zip(found, right, strict=True):
            same(one, other, 1e-9 if other.dtype in (np.float64, np.complex128) else 2e-4)


@pytest.mark.parametrize("dtype", ["complex128", "complex64"])
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("stft", {"detrend": "linear", "nperseg": 101}),
        ("spectrogram", {}),
        ("spectrogram", {"mode": "magnitude"}),
    ],
)
def test_spectra_of_complex_signals(name: str, options: dict[str, Any], dtype: str) -> None:
    x = (WAVE + 1j * WAVE[::-1]).astype(dtype)
    right = getattr(scipy.signal, name)(x, 8000, return_onesided=False, **options)
    for found in graphs(lambda x: getattr(signal, name)(x, 8000, return_onesided=False, **options), x):
        for one, other in zip(found, right, strict=True):
            same(one, other, 1e-9 if dtype == "complex128" or other.dtype == np.float64 else 1e-4)
    with pytest.warns(UserWarning, match="return_onesided"):
        same(getattr(signal, name)(x, 8000, **options)[2], right[2], 1e-4)


@pytest.mark.parametrize(
    "window",
    [
        "flattop", "blackmanharris", "nuttall", "bartlett", "triang", "parzen", "bohman", "barthann",
        "cosine", "lanczos", "tukey", "exponential", ("exponential", None, 3.0), ("gauss", 7.0), "boxcar",
        "hamm",
        ("general_gaussian", 1.5, 7.0), ("general hamming", 0.6), ("ksr", 8.0), ("tukey", 1.5), ("tukey", 0),
    ],
)  # fmt: skip
def test_windows_by_their_names(window: Any) -> None:
    name, *values = (window,) if isinstance(window, str) else window
    for size in (1, 2, 3, 8, 9, 64):
        for ending in ("", "_symmetric", "_periodic"):
            for periodic in (True, False):
                asked = (name + ending, *values)
                right = scipy.signal.get_window(asked, size, fftbins=periodic)
                found = named(asked, size, periodic=periodic)
                np.testing.assert_allclose(found, right, rtol=0, atol=1e-14)
    taps = signal.resample_poly(WAVE, 1, 3, window=window)
    same(taps, scipy.signal.resample_poly(WAVE, 1, 3, window=window))
    ported = pipeport.port(lambda x: scipy.signal.stft(x, 8000, window, 64)[2], example=(WAVE,))
    same(ported(WAVE), scipy.signal.stft(WAVE, 8000, window, 64)[2])


def test_short_and_several_signals() -> None:
    with pytest.warns(UserWarning, match="nperseg = 256"):
        found = signal.stft(WAVE[:100])
    with pytest.warns(UserWarning, match="nperseg"):
        right = scipy.signal.stft(WAVE[:100])
    for one, other in zip(found, right, strict=True):
        same(one, other)
    many = WAVE[:4000].reshape(1000, 2, 2)
    for one, other in zip(
        signal.spectrogram(many, axis=0), scipy.signal.spectrogram(many, axis=0), strict=True
    ):
        same(one, other)
    unknown = tf.function(signal.stft, input_signature=[tf.TensorSpec([None], tf.float64)])
    with pytest.raises(tf.errors.InvalidArgumentError, match="shorter"):
        unknown(WAVE[:100])


def test_pseudo_inverses() -> None:
    for a in (
        RANDOM.standard_normal((5, 3)),
        np.outer([1.0, 2.0], [3.0, 4.0, 5.0]),
        np.array([[1, 2], [3, 4]]),
    ):
        same(linalg.pinv(a), scipy.linalg.pinv(a))
        same(linalg.pinv(a, atol=0.1, rtol=0.3), scipy.linalg.pinv(a, atol=0.1, rtol=0.3))
    unknown = tf.function(linalg.pinv, input_signature=[tf.TensorSpec([None, None], tf.float64)])
    same(unknown(np.eye(3)[:2]), np.eye(3)[:, :2])
    with pytest.raises(tf.errors.InvalidArgumentError):
        unknown(np.full((2, 2), np.nan))


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: ndimage.distance_transform_edt([1], return_indices=True), UnsupportedArgument, ("indices",)),
        (lambda: ndimage.distance_transform_edt([1], (1, 2)), OutsideDomain, ("sampling", "2 values")),
        (lambda: ndimage.distance_transform_edt(np.ones((1,) * 4)), OutsideDomain, ("input", "4 axes")),
        (lambda: ndimage.label(np.ones((2, 2)), np.ones((3, 1))), OutsideDomain, ("structure", "(3, 1)")),
        (lambda: ndimage.label([1], [1, 1, 0]), OutsideDomain, ("structure", "without its opposite")),
        (lambda: ndimage.label([1], output=np.zeros(1)), UnsupportedArgument, ("output", "an array")),
        (lambda: fft.dct(WAVE, 5), OutsideDomain, ("type", "5")),
        (lambda: fft.idct(WAVE[:1], 1), OutsideDomain, ("x", "2 or more")),
        (lambda: fft.dct(WAVE, 1, 1), OutsideDomain, ("n", "2 or more")),
        (lambda: fft.dct(WAVE, norm="best"), OutsideDomain, ("norm", "'best'")),
        (lambda: fft.dct(WAVE, n=0), OutsideDomain, ("n", "1 or more")),
        (lambda: fft.dct(WAVE, workers=2), UnsupportedArgument, ("workers",)),
        (lambda: signal.detrend(WAVE, bp=[0, 4002]), OutsideDomain, ("bp", "4002")),
        (lambda: signal.detrend(WAVE, bp=-3), OutsideDomain, ("bp", "-3")),
        (lambda: signal.detrend(WAVE, bp=2.5), WrongType, ("bp", "2.5")),
        (lambda: signal.detrend(WAVE, bp=[[2]]), OutsideDomain, ("bp", "rank 2")),
        (lambda: signal.detrend(WAVE, type="cubic"), OutsideDomain, ("type", "'cubic'")),
        (lambda: signal.stft(WAVE, window=("dpss", 2)), UnsupportedArgument, ("window", "'hann'")),
        (lambda: signal.stft(WAVE, window=("hann", 2)), UnsupportedArgument, ("window", "('hann', 2)")),
        (lambda: signal.stft(WAVE, window=("kaiser", "a")), WrongType, ("window", "'a'")),
        (lambda: signal.stft(WAVE, window=("poisson_symmetric", 3)), OutsideDomain, ("window", "centre")),
        (lambda: signal.stft(WAVE, noverlap=256), OutsideDomain, ("noverlap", "256")),
        (lambda: signal.stft(WAVE, nfft=100), OutsideDomain, ("nfft", "100")),
        (lambda: signal.stft(WAVE, boundary="even"), UnsupportedArgument, ("boundary",)),
        (lambda: signal.stft(WAVE, fs=0), OutsideDomain, ("fs", "positive")),
        (lambda: signal.spectrogram(WAVE, mode="angle"), UnsupportedArgument, ("mode", "'psd'")),
        (lambda: signal.spectrogram(WAVE[:9], window=np.ones(10)), OutsideDomain, ("x", "10 elements")),
        (lambda: linalg.pinv(WAVE), OutsideDomain, ("a", "a matrix")),
        (lambda: linalg.pinv(np.eye(2), return_rank=True), UnsupportedArgument, ("return_rank",)),
        (lambda: linalg.pinv(np.eye(2), rtol="a"), WrongType, ("rtol",)),
        (lambda: linalg.pinv(np.full((2, 2), np.inf)), OutsideDomain, ("a", "finite")),
    ],
)
def test_mistakes(call: Any, error: type[Exception], words: tuple[str, ...]) -> None:
    with pytest.raises(error) as raised:
        call()
    assert all(word in str(raised.value) for word in words), raised.value
