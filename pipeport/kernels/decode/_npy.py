"""The `.npy` format: its header read and checked in the graph, and the numbers behind it.

The header is the text of a Python dictionary with the keys descr, fortran_order and shape, written
by NumPy in this order, by others in any. What NumPy itself writes for an array by row fits one regular
expression over the first 128 bytes; anything else takes the long way, where one expression checks the
grammar and three take out the values. Each op costs more than its work here, so the short way is fast.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import UnsupportedArgument, explain
from pipeport.kernels.decode._formats import refuse_unless

MAGIC = b"\x93NUMPY"
# Codes of NumPy's array interface, by TensorFlow's dtype.
CODES = {
    "bool": "b1",
    "int8": "i1",
    "int16": "i2",
    "int32": "i4",
    "int64": "i8",
    "uint8": "u1",
    "uint16": "u2",
    "uint32": "u4",
    "uint64": "u8",
    "float16": "f2",
    "float32": "f4",
    "float64": "f8",
    "complex64": "c8",
    "complex128": "c16",
}
_DESCR = r"""(?:'[<>=|][a-z]\d+'|"[<>=|][a-z]\d+")"""
_SHAPE = r"\(\s*(?:\d+L?\s*,\s*(?:\d+L?\s*(?:,\s*\d+L?\s*)*,?\s*)?)?\)"  # (3) is no tuple
_ITEM = (
    rf"""['"](?:descr['"]\s*:\s*{_DESCR}|fortran_order['"]\s*:\s*(?:True|False)|shape['"]\s*:\s*{_SHAPE})"""
)
_HEADER = rf"\s*\{{\s*{_ITEM}\s*,\s*{_ITEM}\s*,\s*{_ITEM}\s*,?\s*\}}\s*"
# What NumPy writes for most arrays: version 1, by row, 118 bytes of header, and 128 bytes in all.
_PLAIN_SIZE = 128
_PLAIN_SHAPE = r"\((|[0-9]+,|[0-9]+(?:, [0-9]+)+)\)"
_PLAIN = (
    r"^\CNUMPY\x01\x00v\x00\{'descr': 'CODE', 'fortran_order': False, 'shape': " + _PLAIN_SHAPE + r", \} *\n$"
)
RECIPE = "The recipe npz-to-tfrecord converts such files once."


@dataclass(frozen=True)
class Header:
    """The fields of a header, as tensors.

    Attributes
    ----------
    start : tf.Tensor, shape (), int32
        Where the numbers begin.
    code : tf.Tensor, shape (), string
        Byte order, kind and size: '<f4'.
    by_column : tf.Tensor, shape (), bool
        Whether the first axis varies fastest.
    shape : tf.Tensor, shape (rank,), int64
        The sizes.
    checks : list
        Control inputs that stop the graph on anything else than a header.
    """

    start: Any
    code: Any
    by_column: Any
    shape: Any
    checks: list[Any]


def _value(header: Any, key: str, value: str) -> Any:
    """Return the text of one value, or all of the header where the key is missing."""
    return tf.strings.regex_replace(header, rf"""^(?s:.*)['"]{key}['"]\s*:\s*{value}(?s:.*)$""", r"\1")


def header_of(data: Any, name: str, most: int) -> Header:
    """Read the header of an `.npy` file.

    Parameters
    ----------
    data : tf.Tensor, shape (), string
        The file.
    name : str
        Name of the parameter, for messages.
    most : int
        Longest header allowed, in bytes.

    Returns
    -------
    Header
        What it says; `checks` raise tf.errors.InvalidArgumentError when the graph runs.
    """
    # Twelve bytes whatever comes: a shorter file is filled up, and refused for what it then says.
    filled = tf.strings.join([tf.strings.substr(data, 0, 12), tf.constant(b"\0" * 12)])
    first = tf.strings.substr(filled, 0, 12)
    b = tf.cast(tf.io.decode_raw(first, tf.uint8), tf.int64)
    length = (
        b[8]
        + 256 * b[9]
        + tf.where(b[6] > 1, 65536 * b[10] + (65536 * 256) * b[11], tf.constant(0, tf.int64))
    )
    return _parsed(data, first, b, length, name, most)


def _parsed(data: Any, first: Any, b: Any, length: Any, name: str, most: int) -> Header:
    begin = tf.where(b[6] > 1, 12, 10)
    size = tf.strings.length(data)
    begin = tf.minimum(begin, size)
    text = tf.strings.substr(data, begin, tf.cast(tf.minimum(length, most), tf.int32))
    code = _value(text, "descr", r"""['"]([^'"]*)['"]""")
    order = _value(text, "fortran_order", "(True|False)")
    shape = _value(text, "shape", r"\(([^)]*)\)")
    is_npy = tf.equal(tf.strings.substr(first, 0, 6), MAGIC)
    version = (b[6] >= 1) & (b[6] <= 3) & tf.equal(b[7], 0)
    grammar = tf.strings.regex_full_match(text, _HEADER)
    complete = tf.reduce_all(tf.not_equal(tf.stack([code, order, shape]), text))
    fits = (length <= most) & (tf.cast(begin, tf.int64) + length <= tf.cast(size, tf.int64))
    ok = is_npy & version & fits & grammar & complete
    return Header(
        start=begin + tf.cast(tf.minimum(length, most), tf.int32),
        code=code,
        by_column=tf.equal(order, "True"),
        # Checked before it is used, but evaluated beside the checks: only digits may get here.
        shape=_sizes(tf.where(ok, shape, "")),
        checks=_checks(ok, first, text, name, most, fits, is_npy & version),
    )


def _sizes(text: Any) -> Any:
    digits = tf.strings.regex_replace(text, r"[^0-9]+", " ")
    # The op itself: tf.strings.split wraps it in a ragged tensor.
    words = tf.raw_ops.StringSplitV2(input=digits[tf.newaxis], sep="").values
    return tf.strings.to_number(words, tf.int64)


def _checks(ok: Any, first: Any, text: Any, name: str, most: int, fits: Any, is_npy: Any) -> list[Any]:
    """Return one check where all is well; which part is not, is found out only where one is not."""
    allowed = "an .npy file of numbers, version 1, 2 or 3"

    def fail() -> Any:
        zipped = tf.strings.regex_full_match(first, r"(?s)PK\C*")
        pickled = tf.strings.regex_full_match(text, r"(?s).*['\"]\|O['\"].*")
        told = [
            (~zipped, "an .npz archive", RECIPE),
            (is_npy, "another kind of file, a pickle perhaps", RECIPE),
            (fits, f"a header that is cut short, or longer than max_header_size={most}", "Check the file."),
            (~pickled, "an array of Python objects (a pickle)", RECIPE),
            (ok, "a header that names no array of numbers", RECIPE),
        ]
        done: list[Any] = []
        for condition, given, advice in told:
            with tf.control_dependencies(done):
                done = refuse_unless(condition, explain(name, given, allowed, advice))
        with tf.control_dependencies(done):
            return tf.constant(False)

    return [tf.cond(ok, lambda: tf.constant(True), fail)]


def end_of(data: Any, name: str, most: int) -> Any:
    """Return where the array that begins a file ends, as a scalar of int64.

    Parameters
    ----------
    data : tf.Tensor, shape (), string
        The file, or what is left of it.
    name : str
        Name of the parameter, for messages.
    most : int
        Longest header allowed, in bytes.

    Returns
    -------
    tf.Tensor, shape (), int64
        The place of the first byte behind its numbers.
    """
    header = header_of(data, name, most)
    with tf.control_dependencies([one for one in header.checks if one is not None]):
        digits = tf.strings.regex_replace(header.code, "[^0-9]", "")
    item = tf.strings.to_number(tf.strings.join(["0", digits]), tf.int64)
    return tf.cast(header.start, tf.int64) + tf.reduce_prod(header.shape) * item


def seen_in(data: Any) -> tuple[str, tuple[int, ...]]:
    """Return dtype and shape of the array in an `.npy` file that can be looked into while tracing.

    Parameters
    ----------
    data : tf.Tensor, shape (), string
        The file, with a value.

    Returns
    -------
    (str, tuple of int)
        A key of `CODES`, and the sizes.

    Raises
    ------
    UnsupportedArgument
        The array has another dtype.
    tf.errors.InvalidArgumentError
        It is another kind of file.
    """
    header = header_of(data, "file", 2**31 - 1)
    with tf.control_dependencies(header.checks):
        code = header.code.numpy().decode()
    name = next((name for name, known in CODES.items() if code[1:] == known), None)
    if name is None:
        advice = f"State another file, or convert it. {RECIPE}"
        raise UnsupportedArgument(explain("file", f"an array of dtype {code}", ", ".join(CODES), advice))
    return name, tuple(int(size) for size in header.shape.numpy())


def array_in(data: Any, dtype: str, shape: tuple[int | None, ...] | None, name: str, most: int) -> Any:
    """Return the array in an `.npy` file.

    Parameters
    ----------
    data : tf.Tensor, shape (), string
        The file.
    dtype : str
        The file's dtype, as stated; a key of `CODES`.
    shape : tuple or None
        The file's shape, as stated: an int or None per axis; None for any rank.
    name : str
        Name of the parameter, for messages.
    most : int
        Longest header allowed, in bytes.

    Returns
    -------
    tf.Tensor
        The array; the graph stops where the file is not as stated.

    Raises
    ------
    tf.errors.InvalidArgumentError
        The file is another kind of file, is cut short, or is not as stated.
    """
    first = tf.strings.substr(data, 0, _PLAIN_SIZE)
    order = "|" if np.dtype(dtype).itemsize == 1 else "<"
    text = tf.strings.regex_replace(first, _PLAIN.replace("CODE", re.escape(order + CODES[dtype])), r"\1")
    # Patterns are of characters, so the byte that is none is compared apart.
    plain = tf.not_equal(text, first) & tf.equal(tf.strings.substr(first, 0, 1), MAGIC[:1])

    def short() -> Any:
        return numbers_of(data, tf.constant(_PLAIN_SIZE, tf.int64), _sizes(text), dtype, name, [])

    def long() -> Any:
        header = header_of(data, name, most)
        stated = tf.strings.regex_full_match(header.code, f"[<>=|]{CODES[dtype]}")
        given, allowed = f"a file of another dtype than {dtype}", f"dtype={dtype!r}, as stated"
        message = explain(name, given, allowed, "State dtype and shape of the files.")
        checks = [*header.checks, *refuse_unless(stated, message)]
        swapped = tf.equal(tf.strings.substr(header.code, 0, 1), ">")
        turned = header.by_column & (tf.size(header.shape) > 1)
        sizes = tf.cond(turned, lambda: tf.reverse(header.shape, [0]), lambda: header.shape)
        start = tf.cast(header.start, tf.int64)
        array = numbers_of(data, start, sizes, dtype, name, checks, swapped)
        return tf.cond(turned, lambda: tf.transpose(array), lambda: array)

    array = tf.cond(plain, short, long) if most >= _PLAIN_SIZE - 10 else long()
    if shape is None:
        return array
    return _ensured(array, shape, name)


def _ensured(array: Any, shape: tuple[int | None, ...], name: str) -> Any:
    found = tf.shape(array, tf.int64)
    message = explain(
        name, "a file of another shape", f"shape={shape}, as stated", "State dtype and shape of the files."
    )
    known = [axis for axis, size in enumerate(shape) if size is not None]
    with tf.control_dependencies(refuse_unless(tf.equal(tf.size(found), len(shape)), message)):
        found = tf.identity(found)
    checks = [found]
    if known:
        wanted = tf.constant([shape[axis] for axis in known], tf.int64)
        checks = refuse_unless(tf.reduce_all(tf.equal(tf.gather(found, known), wanted)), message)
    with tf.control_dependencies(checks):
        array = tf.identity(array)
    return tf.ensure_shape(array, shape)


def numbers_of(
    data: Any,
    start: Any,
    sizes: Any,
    dtype: str,
    name: str,
    checks: list[Any],
    swapped: Any = None,
) -> Any:
    """Return the numbers behind the header, as an array by row."""
    item = np.dtype(dtype).itemsize
    end = start + tf.reduce_prod(sizes) * item
    message = explain(name, "a file that ends before its numbers", "a whole file", "Write it again.")
    whole = end <= tf.cast(tf.strings.length(data), tf.int64)
    with tf.control_dependencies([*checks, *refuse_unless(whole, message)]):
        # The slice shares memory with what was read: NumPy pads its headers to 64 bytes.
        raw = tf.io.decode_raw(data, tf.uint8)[start:end]
    return tf.reshape(typed(raw, dtype, item, swapped), sizes)


def typed(raw: Any, dtype: str, item: int, swapped: Any) -> Any:
    """Return bytes as numbers; those of the other byte order are turned around first."""
    if item == 1:
        return tf.cast(raw, tf.bool) if dtype == "bool" else tf.bitcast(raw, dtype)
    if swapped is not None:
        words = tf.reshape(raw, [-1, item // 2 if dtype.startswith("complex") else item])
        raw = tf.cond(swapped, lambda: tf.reverse(words, [1]), lambda: words)
    return tf.bitcast(tf.reshape(raw, [-1, item]), dtype)
