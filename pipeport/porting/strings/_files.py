"""Files that Python and NumPy read, read when the graph runs.

What only a file knows (the dtype of an array, the number of its axes) is noted where the body runs eagerly,
as on an `example`, for the place of the call; a graph states it then, and stops at a file that differs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, Self

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._cast import cast
from pipeport.arrays._making import fresh
from pipeport.errors import PortRefused, UnsupportedArgument, explain
from pipeport.kernels.decode._npy import CODES, header_of, numbers_of, typed
from pipeport.kernels.decode._source import python_path
from pipeport.porting._values import is_text, weak, without_text
from pipeport.porting.strings._numbers import parsed
from pipeport.porting.strings._text import BYTES, STR, Text, Words, checked, literal

_TOLD = "Give `port` an example, which shows it"


class File:
    """An open file.

    Parameters
    ----------
    content : Text
        What it holds.
    """

    def __init__(self, content: Text) -> None:
        self._content = content

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *told: object) -> None:
        return None

    def close(self) -> None:
        """Do nothing: the file was read at once."""

    def read(self) -> Text:
        """Return the content, as of a file that was not read before."""
        return self._content

    def readlines(self) -> Words:
        """Return the lines, with their ends."""
        parts = self._content.split("\n" if self._content.kind is STR else b"\n").tensor
        ended = tf.strings.join([parts[:-1], tf.fill([tf.size(parts) - 1], "\n")])
        rest = tf.boolean_mask(parts[-1:], tf.not_equal(parts[-1:], ""))
        return Words(tf.concat([ended, rest], 0), self._content.kind)


def open_(file: Any, mode: Any = "r", buffering: Any = -1, encoding: Any = None, **options: Any) -> File:
    """Open a file for reading."""
    del buffering  # it is read at once
    if mode not in ("r", "rt", "rb") or any(value is not None for value in options.values()):
        given = f"mode={mode!r}" if mode not in ("r", "rt", "rb") else ", ".join(options)
        advice = "A graph writes no files: write after the pipeline, in a loop outside."
        raise PortRefused(explain("open", given, "modes 'r' and 'rb', `encoding`", advice))
    content = Text(tf.io.read_file(_path(file)), BYTES)
    if mode == "rb":
        return File(content)
    text = content.decode(encoding or "utf-8")
    return File(text.new(tf.strings.regex_replace(text.tensor, r"\r\n?", "\n")))


def _path(file: Any) -> Any:
    known = python_path(file)
    return tf.constant(known) if known is not None else without_text(file)


# Arrays of files of NumPy's.


class Stored:
    """An array in a file whose dtype only the file knows: it must be cast before anything else.

    Parameters
    ----------
    path : tf.Tensor, shape (), string
        The file.
    rank : int or None
        How many axes it has, as far as that was seen.
    """

    def __init__(self, path: Any, rank: int | None) -> None:
        self.path = path
        self.rank = rank

    def astype(self, dtype: Any, **options: Any) -> Any:
        """Return the array in another dtype."""
        if dtype is None:
            self._refuse()
        options.pop("copy", None)
        if options:
            raise UnsupportedArgument(explain("astype", ", ".join(options), "a dtype", "Leave them out."))
        return fresh(self.read(np.dtype(dtype)))

    def read(self, dtype: Any) -> Any:
        """Return the array as a tensor of a dtype: one way for each dtype that the file may have."""
        data = tf.io.read_file(self.path)
        header = header_of(data, "file", 10000)
        names = [name for name in CODES if dtype.kind == "c" or not name.startswith("complex")]
        codes = tf.constant([CODES[name] for name in names])
        same = tf.equal(codes, tf.strings.substr(header.code, 1, 2))
        message = explain("file", "an array of another dtype", ", ".join(names), "Convert the file.")
        with tf.control_dependencies([one for one in header.checks if one is not None]):
            number = checked(tf.reduce_any(same), tf.argmax(tf.cast(same, tf.uint8)), message, header.code)
        swapped = tf.equal(tf.strings.substr(header.code, 0, 1), ">")
        turned = header.by_column & (tf.size(header.shape) > 1)
        sizes = tf.cond(turned, lambda: tf.reverse(header.shape, [0]), lambda: header.shape)
        start = tf.cast(header.start, tf.int64)

        def way(name: str) -> Callable[[], Any]:
            return lambda: cast(numbers_of(data, start, sizes, name, "file", [], swapped), dtype)

        found = tf.switch_case(tf.cast(number, tf.int32), list(map(way, names)))
        found = tf.cond(turned, lambda: tf.transpose(found), lambda: found)
        return found if self.rank is None else tf.ensure_shape(found, [None] * self.rank)

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        advice = f"{_TOLD}; or cast first: `np.load(path).astype(np.float32)`."
        given = "an array whose dtype only the file knows"
        raise PortRefused(explain("numpy.load", given, "a dtype known while tracing", advice))

    def __getattr__(self, name: str) -> Any:
        return self._refuse()

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _refuse
    __getitem__ = __len__ = __iter__ = __neg__ = __pow__ = __mod__ = __matmul__ = __array__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = _refuse


def load(
    run: Callable[..., Any],
    notes: dict[str, Any],
    cast_next: bool,
    file: Any,
    mmap_mode: Any = None,
    **options: Any,
) -> Any:
    """Load an `.npy` file; what it holds is noted where it is seen.

    Parameters
    ----------
    run : callable
        The native.
    notes : dict
        Those of the place of the call.
    cast_next : bool
        Whether the array is cast at once, so that any dtype will do.
    file : object
        The path.
    mmap_mode : str, optional
        Read as without.
    **options
        Further arguments of `numpy.load`.

    Returns
    -------
    ndarray or Stored
        The array.
    """
    if mmap_mode not in (None, "r", "c", "r+"):
        options["mmap_mode"] = mmap_mode
    path = without_text(file)
    if "dtype" in options:
        return run(path, **options)
    if tf.executing_eagerly():
        found = run(path, **options)
        note(notes, "dtype", found.dtype)
        note(notes, "rank", found.ndim)
        return found
    if python_path(file) is not None:
        return run(path, **options)
    dtype, rank = notes.get("dtype"), notes.get("rank")
    if cast_next or dtype is None or rank is None:
        return Stored(path, rank)
    return run(path, dtype=dtype, shape=(None,) * rank, **options)


def note(notes: dict[str, Any], name: str, seen: Any) -> None:
    """Note what a file holds; None where files differ."""
    if notes.setdefault(name, seen) != seen:
        notes[name] = None


def fromfile(file: Any, dtype: Any = float, count: Any = -1, sep: Any = "", offset: Any = 0) -> Any:
    """Do what `numpy.fromfile` does, of a path."""
    if sep:
        content = Text(tf.io.read_file(_path(file)), BYTES).decode()
        return fromstring(content, dtype, count, sep=sep)
    data = tf.io.read_file(_path(file)) if not isinstance(file, File) else file.read().tensor
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
        advice = f"{_TOLD}, or write `ndmin=2`."
        given = "a table whose number of axes only the file knows"
        raise PortRefused(explain("numpy.loadtxt", given, "a number of axes known while tracing", advice))
    longer = tf.reduce_sum(tf.cast(tf.not_equal(tf.shape(table), 1), tf.int32))
    message = explain("loadtxt", "a table of another number of axes", f"{rank}, as seen", "Write ndmin=2.")
    table = checked(tf.equal(tf.maximum(longer, ndmin), rank), table, message)
    return fresh(table if rank == 2 else tf.reshape(table, [-1] if rank else []))


def wav(filename: Any, mmap: Any = False, *, notes: dict[str, Any]) -> Any:
    """Do what `scipy.io.wavfile.read` does, of files of 16 bits."""
    del mmap
    found = tf.audio.decode_wav(tf.io.read_file(_path(filename)))
    samples = tf.cast(found.audio * 32768.0, tf.int16)  # whole numbers again, exactly
    if tf.executing_eagerly():
        rank = 1 if samples.shape[1] == 1 else 2
        note(notes, "rank", rank)
    elif notes.get("rank") is not None:
        rank = notes["rank"]
    else:
        given = "a file of whose channels nothing is known"
        advice = f"{_TOLD}, or write tf.audio.decode_wav(tf.io.read_file(path), desired_channels=1)."
        raise PortRefused(explain("scipy.io.wavfile.read", given, "one number of axes", advice))
    message = explain("wavfile.read", "another number of channels", "that of the example", "Read them apart.")
    samples = checked(tf.equal(tf.shape(samples)[1] == 1, rank == 1), samples, message)
    return weak(tf.cast(found.sample_rate, tf.int64)), fresh(samples[:, 0] if rank == 1 else samples)


FUNCTIONS: dict[Any, Callable[..., Any]] = {
    open: open_, np.fromfile: fromfile, np.frombuffer: frombuffer, np.fromstring: fromstring,
    np.loadtxt: loadtxt,
}  # fmt: skip
BY_NAME: dict[str, Callable[..., Any]] = {"scipy.io.wavfile.read": wav}
# They note what a file holds.
NOTING = (loadtxt, wav)
