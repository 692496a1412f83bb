"""Files that Python and NumPy read, read when the graph runs.

What only a file knows (the axes of a table, the channels of a sound) is noted where the body runs eagerly, as
on an `example`, for the place of the call; a graph states it then, and stops at a file that differs.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, Self

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._making import fresh
from pipeport.errors import PortRefused, UnsupportedArgument, explain
from pipeport.kernels.decode._npy import CODES, typed
from pipeport.porting._values import is_text
from pipeport.porting.strings import _sound as sound
from pipeport.porting.strings._matplotlib import imread
from pipeport.porting.strings._numbers import parsed
from pipeport.porting.strings._seen import TOLD, note, path_of
from pipeport.porting.strings._text import BYTES, STR, Text, Words, checked, literal


class File:
    """An open file.

    Parameters
    ----------
    file : object
        Its path, which the graph may know alone.
    mode : str
        As `open` takes it.
    encoding : str or None
        Of text.
    """

    def __init__(self, file: Any, mode: str, encoding: Any) -> None:
        self.file = file
        self._mode, self._encoding = mode, encoding
        self._kind = BYTES if mode == "rb" else STR
        self._graph = tf.compat.v1.get_default_graph()
        self._users: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *told: object) -> None:
        return None

    @property
    def path(self) -> Any:
        """Return its path as a tensor."""
        return path_of(self.file)

    def close(self) -> None:
        """Do nothing: each use opens it."""

    def read(self) -> Text:
        """Return the content, as of a file that was not read before."""
        if any(self._users):
            self._refuse("read", f"{self._users[0]} has read from")
        self._users.append("")
        content = Text(tf.io.read_file(self.path), BYTES)
        if self._kind is BYTES:
            return content
        text: Text = content.decode(self._encoding or "utf-8")
        return text.new(tf.strings.regex_replace(text.tensor, r"\r\n?", "\n"))

    def readlines(self) -> Words:
        """Return the lines, with their ends."""
        parts = self.read().split("\n" if self._kind is STR else b"\n").tensor
        ended = tf.strings.join([parts[:-1], tf.fill([tf.size(parts) - 1], "\n")])
        rest = tf.boolean_mask(parts[-1:], tf.not_equal(parts[-1:], ""))
        return Words(tf.concat([ended, rest], 0), self._kind)

    def opened(self, path: bytes) -> IO[Any]:
        """Return the file as Python opens it."""
        return Path(os.fsdecode(path)).open(self._mode, encoding=self._encoding)

    def use(self, where: str) -> None:
        """Note a call of Python's that reads it from its beginning."""
        if self._users:
            self._refuse(where, f"{self._users[0] or 'read'} has read from")
        if tf.compat.v1.get_default_graph() is not self._graph:
            self._refuse(where, "was opened outside of a drawn condition or loop")
        self._users.append(where)

    def _refuse(self, what: str, why: str) -> None:
        advice = "Open it again where it is read, or read all of it in one call."
        raise PortRefused(explain("file", f"{what}, of a file that {why}", "one call for each file", advice))


def open_(file: Any, mode: Any = "r", buffering: Any = -1, encoding: Any = None, **options: Any) -> File:
    """Open a file for reading."""
    del buffering  # it changes no result
    if mode not in ("r", "rt", "rb") or any(value is not None for value in options.values()):
        given = f"mode={mode!r}" if mode not in ("r", "rt", "rb") else ", ".join(options)
        advice = "A graph writes no files: write after the pipeline, in a loop outside."
        raise PortRefused(explain("open", given, "modes 'r' and 'rb', `encoding`", advice))
    return File(file, mode, encoding)


def fromfile(file: Any, dtype: Any = float, count: Any = -1, sep: Any = "", offset: Any = 0) -> Any:
    """Do what `numpy.fromfile` does, of a path."""
    if sep:
        content = Text(tf.io.read_file(path_of(file)), BYTES).decode()
        return fromstring(content, dtype, count, sep=sep)
    data = tf.io.read_file(path_of(file)) if not isinstance(file, File) else file.read().tensor
    return _numbers(data, np.dtype(dtype), count, offset, whole=False)


def frombuffer(buffer: Any, dtype: Any = float, count: Any = -1, offset: Any = 0) -> Any:
    """Do what `numpy.frombuffer` does."""
    if not is_text(buffer):
        return np.frombuffer(buffer, dtype, count, offset)
    return _numbers(buffer.tensor, np.dtype(dtype), count, offset, whole=True)


def _numbers(data: Any, dtype: Any, count: Any, offset: Any, *, whole: bool) -> Any:
    name = dtype.newbyteorder("=").name
    if name not in CODES:
        advice = "Read bytes, and cast or reshape them."
        raise UnsupportedArgument(explain("dtype", str(dtype), ", ".join(CODES), advice))
    size = dtype.itemsize
    raw = tf.io.decode_raw(data, tf.uint8)[offset:]
    if count >= 0:
        message = explain("count", f"{count}", "no more than there are", "Check the file.")
        if whole:
            raw = checked(tf.size(raw) >= count * size, raw, message)
        raw = raw[: count * size]
    if whole:
        message = explain("buffer", "another size", f"whole elements of {size} bytes", "Check the dtype.")
        raw = checked(tf.equal(tf.size(raw) % size, 0), raw, message)
    else:
        raw = raw[: tf.size(raw) // size * size]
    if size > 1 and dtype.byteorder == ">":
        word = size // 2 if dtype.kind == "c" else size
        raw = tf.reshape(tf.reverse(tf.reshape(raw, [-1, word]), [1]), [-1])
    return fresh(typed(raw, name, size, None))


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
    """Do what `numpy.loadtxt` does, of a path."""
    if (
        converters is not None
        or max_rows is not None
        or (comments is not None and not isinstance(comments, str))
    ):
        given = "converters, max_rows or several comments"
        advice = "Leave them out; cut the array instead."
        raise UnsupportedArgument(explain("loadtxt", given, "numbers of one dtype", advice))
    text = (
        open_(fname, encoding=None if encoding == "bytes" else encoding).read()
        if not isinstance(fname, File)
        else fname.read()
    )
    lines = text.split("\n").tensor[skiprows:]
    if comments:
        lines = tf.strings.regex_replace(lines, rf"{literal(comments)}\C*", "")
    lines = tf.boolean_mask(lines, ~tf.strings.regex_full_match(lines, r"\s*"))
    parts = tf.raw_ops.StringSplitV2(input=lines, sep=delimiter or "")
    count = tf.shape(lines)[0]
    fields = tf.cast(parts.shape[1], tf.int32)
    message = explain("loadtxt", "rows of several lengths", "one number of columns", "Check the file.")
    even = tf.equal(tf.size(parts.values), count * fields)
    table = tf.reshape(checked(even, parts.values, message), [count, fields])
    if usecols is not None:
        columns = [usecols] if isinstance(usecols, int) else list(usecols)
        places = [one if one >= 0 else fields + one for one in columns]
        table = tf.gather(table, tf.stack(places), axis=1)
    whole = _squeezed(parsed(table, np.dtype(dtype)), ndmin, notes)
    return whole.T if unpack else whole


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
    np.loadtxt: loadtxt,
}  # fmt: skip
# By name, as pipeport imports none of these libraries.
BY_NAME: dict[str, Callable[..., Any]] = {
    "scipy.io.wavfile.read": sound.wav,
    "soundfile.read": sound.soundfile_read,
    "librosa.core.audio.load": sound.librosa_load,
    "matplotlib.image.imread": imread,
    "matplotlib.pyplot.imread": imread,
}
# They note what a file holds.
NOTING = (loadtxt, sound.wav, sound.soundfile_read, sound.librosa_load, imread)
