"""Files that Python and NumPy read, read when the graph runs.

What only a file knows (the axes of a table, the channels of a sound) is noted where the body runs eagerly, as
on an `example`, for the place of the call; a graph states it then, and stops at a file that differs.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._making import fresh
from pipeport.errors import PortRefused, UnsupportedArgument, explain
from pipeport.kernels.decode._npy import CODES, typed
from pipeport.porting._values import is_symbolic_list, is_text, weak
from pipeport.porting.strings import _packed as packed
from pipeport.porting.strings import _sound as sound
from pipeport.porting.strings import _volumes as volumes
from pipeport.porting.strings._matplotlib import imread
from pipeport.porting.strings._numbers import array, parsed
from pipeport.porting.strings._opened import File
from pipeport.porting.strings._seen import TOLD, note
from pipeport.porting.strings._text import STR, Words, checked, literal, number_of

# What Python reads as a float, for RE2.
_DIGITS = "[0-9]+(?:_[0-9]+)*"
_NUMBER = (
    rf"[+-]?(?:(?:{_DIGITS}(?:\.(?:{_DIGITS})?)?|\.{_DIGITS})(?:[eE][+-]?{_DIGITS})?|(?i:nan|inf(?:inity)?))"
)


def open_(file: Any, mode: Any = "r", buffering: Any = -1, encoding: Any = None, **options: Any) -> File:
    """Open a file for reading."""
    del buffering  # it changes no result
    if mode not in ("r", "rt", "rb") or any(value is not None for value in options.values()):
        given = f"mode={mode!r}" if mode not in ("r", "rt", "rb") else ", ".join(options)
        advice = "A graph writes no files: write after the pipeline, in a loop outside."
        raise PortRefused(explain("open", given, "modes 'r' and 'rb', `encoding`", advice))
    return File(file, mode, encoding)


def fromfile(file: Any, dtype: Any = float, count: Any = -1, sep: Any = "", offset: Any = 0) -> Any:
    """Do what `numpy.fromfile` does, of a path or an open file."""
    if not isinstance(file, File):
        file = File(file)
    if sep:
        return fromstring(file.read(), dtype, count, sep=sep)
    kind, rest = np.dtype(dtype), file.bytes("numpy.fromfile")
    raw = _part(rest.tensor, kind, count, offset)
    raw = raw[: tf.size(raw) // kind.itemsize * kind.itemsize]
    file.move(lambda: rest[weak(tf.size(raw) + number_of(offset)) :])
    return _numbers(raw, kind)


def frombuffer(buffer: Any, dtype: Any = float, count: Any = -1, offset: Any = 0) -> Any:
    """Do what `numpy.frombuffer` does."""
    if not is_text(buffer):
        return np.frombuffer(buffer, dtype, count, offset)
    kind = np.dtype(dtype)
    raw, count, size = _part(buffer.tensor, kind, count, offset), number_of(count), kind.itemsize
    if not isinstance(count, int) or count >= 0:
        message = explain("count", "more elements than there are", "those of the buffer", "Check the file.")
        raw = checked(tf.size(raw) >= count * size, raw, message)
    if not isinstance(count, int) or count < 0:
        message = explain("buffer", "another size", f"whole elements of {size} bytes", "Check the dtype.")
        raw = checked(tf.equal(tf.size(raw) % size, 0), raw, message)
    return _numbers(raw, kind)


def _part(data: Any, dtype: Any, count: Any, offset: Any) -> Any:
    """Return the bytes of as many elements, or of all there are."""
    if dtype.newbyteorder("=").name not in CODES:
        advice = "Read bytes, and cast or reshape them."
        raise UnsupportedArgument(explain("dtype", str(dtype), ", ".join(CODES), advice))
    raw, count = tf.io.decode_raw(data, tf.uint8)[number_of(offset) :], number_of(count)
    if isinstance(count, int):
        return raw if count < 0 else raw[: count * dtype.itemsize]
    return raw[: tf.where(count < 0, tf.size(raw), count * dtype.itemsize)]


def _numbers(raw: Any, dtype: Any) -> Any:
    size = dtype.itemsize
    if size > 1 and dtype.byteorder == ">":
        word = size // 2 if dtype.kind == "c" else size
        raw = tf.reshape(tf.reverse(tf.reshape(raw, [-1, word]), [1]), [-1])
    return fresh(typed(raw, dtype.newbyteorder("=").name))


def fromstring(string: Any, dtype: Any = float, count: Any = -1, *, sep: Any) -> Any:
    """Do what `numpy.fromstring` does, of text."""
    if not is_text(string):
        return fresh(tf.constant(np.fromstring(string, dtype, count, sep=sep)))
    text = string if string.kind is STR else string.decode()
    parts = text.split() if not sep.strip() else text.split(sep.strip())
    return fresh(parsed(parts.tensor if count < 0 else parts.tensor[:count], np.dtype(dtype)))


def loadtxt(
    fname: Any, dtype: Any = float, comments: Any = "#", delimiter: Any = None, converters: Any = None,
    skiprows: Any = 0, usecols: Any = None, unpack: Any = False, ndmin: Any = 0, encoding: Any = None,
    max_rows: Any = None, *, notes: dict[str, Any],
) -> Any:  # fmt: skip
    """Do what `numpy.loadtxt` does, of a path, an open file or a list of lines."""
    if (
        converters is not None
        or max_rows is not None
        or (comments is not None and not isinstance(comments, str))
    ):
        given = "converters, max_rows or several comments"
        advice = "Leave them out; cut the array instead."
        raise UnsupportedArgument(explain("loadtxt", given, "numbers of one dtype", advice))
    lines = _lines_of(fname, None if encoding == "bytes" else encoding)[skiprows:]
    table = _table(_rows(lines, comments), delimiter, usecols, "loadtxt")
    whole = _squeezed(parsed(table, np.dtype(dtype)), ndmin, notes)
    return whole.T if unpack else whole


def genfromtxt(
    fname: Any, dtype: Any = float, comments: Any = "#", delimiter: Any = None, skip_header: Any = 0,
    skip_footer: Any = 0, converters: Any = None, missing_values: Any = None, filling_values: Any = None,
    usecols: Any = None, names: Any = None, *, unpack: Any = None, encoding: Any = None,
    max_rows: Any = None, ndmin: Any = 0, notes: dict[str, Any],
) -> Any:  # fmt: skip
    """Do what `numpy.genfromtxt` does of floating numbers: what is not a number becomes NaN."""
    refused = (converters, missing_values, names, max_rows)
    widths = delimiter is not None and not isinstance(delimiter, str)
    fills = filling_values is None or isinstance(filling_values, (int, float))
    if any(one is not None for one in refused) or np.dtype(dtype).kind != "f" or widths or not fills:
        given = "converters, names, max_rows, widths of columns or another dtype"
        advice = "Leave them out; cast or cut the array instead."
        raise UnsupportedArgument(explain("genfromtxt", given, "floating numbers", advice))
    lines = _lines_of(fname, None if encoding == "bytes" else encoding)
    rows = _rows(lines[skip_header:], comments)
    rows = rows[: tf.maximum(tf.shape(rows)[0] - skip_footer, 0)]
    table = tf.strings.strip(_table(rows, delimiter, usecols, "genfromtxt"))
    fill = str(float("nan" if filling_values is None else filling_values))
    is_number = tf.strings.regex_full_match(table, _NUMBER)
    numbers = tf.where(is_number, tf.strings.regex_replace(table, "_", ""), fill)
    whole = _squeezed(parsed(numbers, np.dtype(dtype)), ndmin, notes)
    return whole.T if unpack else whole


def _rows(lines: Any, comments: Any) -> Any:
    """Return lines without comments, but for those that are empty then."""
    if comments:
        lines = tf.strings.regex_replace(lines, rf"{literal(comments)}\C*", "")
    return tf.boolean_mask(lines, ~tf.strings.regex_full_match(lines, r"\s*"))


def _table(lines: Any, delimiter: Any, usecols: Any, name: str) -> Any:
    """Return the fields of lines that are not empty, as strings (rows, columns)."""
    parts = tf.raw_ops.StringSplitV2(input=lines, sep=delimiter or "")
    count = tf.shape(lines)[0]
    columns = [usecols] if isinstance(usecols, int) else list(usecols or ())
    # Without a row there is one column, or those that are used.
    least = max([1, *(one + 1 if one >= 0 else -one for one in columns)])
    fields = tf.where(count > 0, tf.cast(parts.shape[1], tf.int32), least)
    message = explain(name, "rows of several lengths", "one number of columns", "Check the file.")
    even = tf.equal(tf.size(parts.values), count * fields)
    table = tf.reshape(checked(even, parts.values, message), [count, fields])
    if usecols is None:
        return table
    places = [one if one >= 0 else fields + one for one in columns]
    return tf.gather(table, tf.stack(places), axis=1)


def _lines_of(source: Any, encoding: Any) -> Any:
    """Return the lines of a file, given by its path or open, or of a list of them."""
    if is_symbolic_list(source):
        source = source.array()
    if isinstance(source, (list, tuple)):
        source = array(source, None) if source else Words(tf.constant([], tf.string), STR)
    if isinstance(source, Words):
        return tf.strings.regex_replace(source.tensor, r"\r?\n\z", "")
    file = source if isinstance(source, File) else open_(source, encoding=encoding)
    return file.read().split("\n").tensor


def _squeezed(table: Any, ndmin: Any, notes: dict[str, Any]) -> Any:
    """Return a table without axes of one, as many as the file asks for."""
    if ndmin == 2:
        return fresh(table)
    if tf.executing_eagerly():
        rank = max(sum(size != 1 for size in table.shape), ndmin)
        note(notes, "rank", rank)
    elif notes.get("rank") is not None:
        rank = notes["rank"]
    else:
        advice = f"{TOLD}, or write `ndmin=2`."
        given = "a table whose number of axes only the file knows"
        raise PortRefused(explain("numpy.loadtxt", given, "a number of axes known while tracing", advice))
    longer = tf.reduce_sum(tf.cast(tf.not_equal(tf.shape(table), 1), tf.int32))
    message = explain("loadtxt", "a table of another number of axes", f"{rank}, as seen", "Write ndmin=2.")
    table = checked(tf.equal(tf.maximum(longer, ndmin), rank), table, message)
    return fresh(table if rank == 2 else tf.reshape(table, [-1] if rank else []))


FUNCTIONS: dict[Any, Callable[..., Any]] = {
    open: open_, np.fromfile: fromfile, np.frombuffer: frombuffer, np.fromstring: fromstring,
    np.loadtxt: loadtxt, np.genfromtxt: genfromtxt, struct.unpack: packed.unpack,
    int.from_bytes: packed.from_bytes,
}  # fmt: skip
# By name, as pipeport imports none of these libraries.
BY_NAME: dict[str, Callable[..., Any]] = {
    "scipy.io.wavfile.read": sound.wav,
    "soundfile.read": sound.soundfile_read,
    "librosa.core.audio.load": sound.librosa_load,
    "matplotlib.image.imread": imread,
    "matplotlib.pyplot.imread": imread,
    "nibabel.loadsave.load": volumes.load,
}
# They note what a file holds.
NOTING = (loadtxt, genfromtxt, sound.wav, sound.soundfile_read, sound.librosa_load, imread, volumes.load)
