"""The bugs of this migration, one function each; what a function returns is the evidence."""

import tempfile
from pathlib import Path

import numpy as np
import tensorflow as tf
from scipy.io import wavfile

from pipeport import port
from pipeport.errors import PipeportError

RATE, FRAME, STEP = 16_000, 400, 160
TONE = np.sin(2 * np.pi * 440 / RATE * np.arange(RATE // 2))


def saved(samples, rate=RATE):
    """Write a WAV file and return its path."""
    path = Path(tempfile.mkdtemp()) / "tone.wav"
    wavfile.write(path, rate, samples)
    return str(path).encode()


def read(path):
    _, wave = wavfile.read(path.decode())
    return wave / 32768


def of_file(function, path, example=None):
    """Return what a ported function gives of a file."""
    paths = tf.data.Dataset.from_tensors(path)
    return next(paths.map(port(function, example=example and (example,))).as_numpy_iterator())


def mono_or_stereo():
    """A file has one channel or two, and nothing says so until it is read: an example does."""
    mono = saved((TONE * 20_000).astype(np.int16))
    stereo = saved((np.stack([TONE, TONE], 1) * 20_000).astype(np.int16))
    shapes = [of_file(read, path, example=path).shape for path in (mono, stereo)]
    try:
        of_file(read, stereo, example=mono)
    except tf.errors.InvalidArgumentError as error:
        return shapes, error.message


def samples_of_other_widths():
    """The native reads 16 bits: what it says of a file of floats."""
    path = saved(TONE.astype(np.float32))
    try:
        of_file(read, path, example=path)
    except (PipeportError, tf.errors.InvalidArgumentError) as error:
        return str(error)


def second_without_a_size():
    """How much to pad only the file knows, so the result has no static size; a written one has."""

    def padded(path):
        wave = read(path)
        return np.pad(wave, (0, RATE - len(wave)))

    def written(path):
        second, wave = np.zeros(RATE), read(path)
        second[: len(wave)] = wave
        return second

    path = saved((TONE * 20_000).astype(np.int16))
    paths = tf.data.Dataset.from_tensors(path)
    shapes = [paths.map(port(body, example=(path,))).element_spec.shape for body in (padded, written)]
    return [shape.as_list() for shape in shapes]


def quiet_bands():
    """Decibels between two FFTs where a band is quiet: the largest difference in float64, and in float32."""

    def spectrum(wave):
        return 10 * np.log10(np.abs(np.fft.rfft(wave * np.hanning(len(wave)).astype(wave.dtype))) ** 2)

    apart = []
    for dtype in (np.float64, np.float32):
        wave = TONE[:FRAME].astype(dtype)
        apart.append(float(np.abs(port(spectrum)(wave) - spectrum(wave)).max()))
    return apart


def log_of_silence():
    """Zeros have no logarithm: values that are not number without an offset, and with one."""
    silence = np.zeros(FRAME)

    def log_spectrum(wave, offset):
        return np.log(np.abs(np.fft.rfft(wave)) + offset)

    return [int(np.isinf(port(log_spectrum)(silence, offset)).sum()) for offset in (0.0, 1e-6)]


def stock_kernel():
    """`tf.signal.stft` has another window (it is periodic): how much of the loudest value they differ."""
    wave = TONE.astype(np.float32)
    stock = np.abs(tf.signal.stft(wave, FRAME, STEP, fft_length=FRAME))
    frames = np.lib.stride_tricks.sliding_window_view(wave, FRAME)[::STEP]
    ours = np.abs(np.fft.rfft(frames * np.hanning(FRAME)))
    return float(np.abs(stock - ours).max() / ours.max())
