"""Readers of sound: WAV of 16 bits, which `tf.audio` reads."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._cast import cast
from pipeport.arrays._making import fresh
from pipeport.errors import UnsupportedArgument, explain
from pipeport.porting._values import tensor_of, weak
from pipeport.porting.strings._seen import TOLD, learnt, path_of
from pipeport.porting.strings._text import checked

_DTYPES = ("float64", "float32", "int16")
_ONE_CHANNEL = f"{TOLD}, or write tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1)."


def wav(filename: Any, mmap: Any = False, *, notes: dict[str, Any]) -> Any:
    """Do what `scipy.io.wavfile.read` does, of files of 16 bits."""
    del mmap
    samples, rate = _read(filename)
    return weak(rate), fresh(_squeezed(_whole(samples), filename, notes, "scipy.io.wavfile.read"))


def soundfile_read(
    file: Any, frames: Any = -1, start: Any = 0, stop: Any = None, dtype: Any = "float64",
    always_2d: Any = False, fill_value: Any = None, out: Any = None, samplerate: Any = None,
    channels: Any = None, format: Any = None, subtype: Any = None, endian: Any = None,
    closefd: Any = True, *, notes: dict[str, Any],
) -> Any:  # fmt: skip
    """Do what `soundfile.read` does, of WAV files of 16 bits."""
    del closefd
    given = {"fill_value": fill_value, "out": out, "samplerate": samplerate, "channels": channels,
             "format": format, "subtype": subtype, "endian": endian}  # fmt: skip
    _refuse("soundfile.read", {name: one for name, one in given.items() if one is not None})
    if dtype not in _DTYPES:
        advice = "Read another dtype, and cast."
        raise UnsupportedArgument(explain("dtype", repr(dtype), ", ".join(_DTYPES), advice))
    if not isinstance(frames, (int, np.integer)):
        advice = "Cut the array instead, or state how many frames there are."
        raise UnsupportedArgument(explain("frames", "a number known only at run time", "integers", advice))
    samples, rate = _read(file)
    if stop is None and frames >= 0:
        stop = start + frames
    samples = tensor_of(fresh(samples)[start:stop])
    samples = _whole(samples) if dtype == "int16" else cast(samples, np.dtype(dtype))
    if not always_2d:
        samples = _squeezed(samples, file, notes, "soundfile.read")
    return fresh(samples), weak(rate)


def librosa_load(
    path: Any, *, sr: Any = 22050, mono: Any = True, offset: Any = 0.0, duration: Any = None,
    dtype: Any = np.float32, res_type: Any = "soxr_hq", notes: dict[str, Any],
) -> Any:  # fmt: skip
    """Do what `librosa.load` does, of WAV files of 16 bits that need no resampling."""
    del res_type  # nothing is resampled
    cut = {"offset": offset or None, "duration": duration}
    _refuse("librosa.load", {name: one for name, one in cut.items() if one is not None})
    samples, rate = _read(path)
    if sr is not None:
        advice = "Write `sr=None`, or convert the files once."
        message = explain("librosa.load", "a file of another rate, to be resampled", f"sr={sr}", advice)
        samples = checked(tf.equal(rate, int(sr)), samples, message, rate)
    if mono:
        sums = fresh(cast(tf.reduce_sum(samples, axis=1), np.dtype(dtype)))
        count = fresh(cast(tf.shape(samples)[1], np.dtype(dtype)))
        found = sums / count
    else:
        found = fresh(cast(_squeezed(samples, path, notes, "librosa.load"), np.dtype(dtype))).T
    return found, weak(rate) if sr is None else sr


def _refuse(called: str, given: dict[str, Any]) -> None:
    if given:
        told = ", ".join(given)
        raise UnsupportedArgument(explain(called, told, "whole files", "Leave it out, and cut the array."))


def _read(file: Any) -> tuple[Any, Any]:
    """Return the samples of a file, float32 (N, C), and its rate, int64."""
    found = tf.audio.decode_wav(tf.io.read_file(path_of(file)))
    return found.audio, tf.cast(found.sample_rate, tf.int64)


def _whole(samples: Any) -> Any:
    """Return samples as the integers they are in the file, exactly."""
    return tf.cast(samples * 32768.0, tf.int16)


def _squeezed(samples: Any, file: Any, notes: dict[str, Any], called: str) -> Any:
    """Return samples without their second axis where there is one channel, as was seen of the files."""

    def look(path: Any) -> int:
        return 1 if tf.audio.decode_wav(tf.io.read_file(path)).audio.shape[1] == 1 else 2

    rank = learnt(
        notes, "rank", file, look, (called, "a file of whose channels nothing is known", _ONE_CHANNEL)
    )
    message = explain(called, "another number of channels", "that of the example", "Read them apart.")
    samples = checked(tf.equal(tf.equal(tf.shape(samples)[1], 1), rank == 1), samples, message)
    return samples[:, 0] if rank == 1 else samples
