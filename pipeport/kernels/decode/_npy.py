"""The `.npy` format: its header read and checked in the graph, and the numbers behind it.

The header is the text of a Python dictionary with the keys descr, fortran_order and shape, written
by NumPy in this order, by others in any. What NumPy itself writes for an array by row fits one regular
expression over the first 128 bytes; anything else takes the long way, where one expression checks the
grammar and three take out the values. Each op costs more than its work here, so the short way is fast.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import UnsupportedArgument, explain
from pipeport.kernels.decode._formats import refuse_unless
from pipeport.kernels.xla._one_call import cold_branch, stored
from pipeport.kernels.xla._stored import stored_as

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
_SHAPE = r"\(\s*(?:\d+L?\s*,\s*(?:\d+L?\s*(?:,\s*\d+L?\s*)*,?\s*)?)?\)"  # (3) is not a tuple
_ITEM = (
    rf"""['"](?:descr['"]\s*:\s*{_DESCR}|fortran_order['"]\s*:\s*(?:True|False)|shape['"]\s*:\s*{_SHAPE})"""
)
_HEADER = rf"\s*\{{\s*{_ITEM}\s*,\s*{_ITEM}\s*,\s*{_ITEM}\s*,?\s*\}}\s*"
# How a file of version 1, 2 or 3 begins, but for its first byte, which is no character; and one of 2 or 3.
_BEGIN, _WIDE = r"(?s)\CNUMPY[\x01-\x03]\x00\C*", r"(?s)\C{6}[\x02\x03]\C*"
# What NumPy writes for most arrays: version 1, by row, 118 bytes of header, and 128 bytes in all.
_PLAIN_SIZE = 128
_PLAIN_SHAPE = r"\((|[0-9]+,|[0-9]+(?:, [0-9]+)+)\)"
_PLAIN = (
    r"^\CNUMPY\x01\x00v\x00\{'descr': 'CODE', 'fortran_order': False, 'shape': " + _PLAIN_SHAPE + r", \} *\n$"
)
# The longest header that NumPy reads, in bytes.
MOST = 10_000
RECIPE = "The recipe npz-to-tfrecord converts such files once."


@dataclass(frozen=True)
class Header:
    """The fields of a header, as tensors.

    `start`: shape (), int32. `code`: shape (), string; byte order, kind and size: '<f4'. `by_column`: shape
    (), bool; whether the first axis varies fastest. `shape`: shape (rank,), int64. `ok`: shape (), bool;
    whether it is a header. The other fields have values where it is none, too. `why`: gives what holds of a
    header, as conditions with the message where one does not.
    """

    start: Any
    code: Any
    by_column: Any
    shape: Any
    ok: Any
    why: Callable[[], list[tuple[Any, Any]]]


def _value(header: Any, key: str, value: str) -> Any:
    """Return the text of one value, or all of the header where the key is missing."""
    return tf.strings.regex_replace(header, rf"""^(?s:.*)['"]{key}['"]\s*:\s*{value}(?s:.*)$""", r"\1")


def _header_of(data: Any, name: str, most: int) -> Header:
    """Read the header of an `.npy` file.

    `data`: shape (), string. `name`: name of the parameter, for messages. `most`: longest header allowed, in
    bytes. Returns: what it says; `_stopped` raises tf.errors.InvalidArgumentError when the graph runs.
    """
    # Sixteen bytes whatever comes: a shorter file is filled up, and refused for what it then says.
    filled = tf.strings.join([tf.strings.substr(data, 0, 16), tf.constant(b"\0" * 16)])
    first = tf.strings.substr(filled, 0, 16)
    is_npy = tf.equal(tf.strings.substr(first, 0, 1), MAGIC[:1]) & tf.strings.regex_full_match(first, _BEGIN)
    is_wide = tf.strings.regex_full_match(first, _WIDE)
    eight = tf.squeeze(tf.io.decode_raw(tf.strings.substr(first, 8, 8), tf.int64))
    length = tf.bitwise.bitwise_and(eight, tf.where(is_wide, tf.constant(2**32 - 1, tf.int64), 2**16 - 1))
    size = tf.strings.length(data)
    begin = tf.minimum(tf.where(is_wide, 12, 10), size)
    taken = tf.cast(tf.minimum(length, most), tf.int32)
    text = tf.strings.substr(data, begin, taken)
    code = _value(text, "descr", r"""['"]([^'"]*)['"]""")
    order = _value(text, "fortran_order", "(True|False)")
    shape = _value(text, "shape", r"\(([^)]*)\)")
    complete = tf.reduce_all(tf.not_equal(tf.stack([code, order, shape]), text))
    fits = (length <= most) & (taken <= size - begin)
    ok = is_npy & fits & tf.strings.regex_full_match(text, _HEADER) & complete
    return Header(
        start=begin + taken,
        code=code,
        by_column=tf.equal(order, "True"),
        # Checked before it is used, but evaluated beside the checks: only digits may get here.
        shape=_sizes(tf.where(ok, shape, "")),
        ok=ok,
        why=lambda: _why(ok, first, text, name, most, fits, is_npy),
    )


def _sizes(text: Any) -> Any:
    digits = tf.strings.regex_replace(text, r"[^0-9]+", " ")
    # The op itself: tf.strings.split wraps it in a ragged tensor.
    words = tf.raw_ops.StringSplitV2(input=digits[tf.newaxis], sep="").values
    return tf.strings.to_number(words, tf.int64)


def _why(
    ok: Any, first: Any, text: Any, name: str, most: int, fits: Any, is_npy: Any
) -> list[tuple[Any, Any]]:
    zipped = tf.strings.regex_full_match(first, r"(?s)PK\C*")
    pickled = tf.strings.regex_full_match(text, r"(?s).*['\"]\|O['\"].*")
    allowed = "an .npy file of numbers, version 1, 2 or 3"
    told = (
        (~zipped, "an .npz archive", RECIPE),
        (is_npy, "another kind of file, a pickle perhaps", RECIPE),
        (fits, f"a header that is cut short, or longer than max_header_size={most}", "Check the file."),
        (~pickled, "an array of Python objects (a pickle)", RECIPE),
        (ok, "a header that names no array of numbers", RECIPE),
    )
    return [(condition, explain(name, given, allowed, advice)) for condition, given, advice in told]


def _stopped(header: Header, told: Sequence[tuple[Any, Any]] = ()) -> list[Any]:
    """Return one check: the graph stops with the message of the first condition that fails.

    Which one it is, is found out only where one does.
    """

    def fail() -> Any:
        *rows, (_, message) = [*header.why(), *told]
        for condition, words in reversed(rows):
            message = tf.where(condition, message, words)
        with tf.control_dependencies(refuse_unless(tf.constant(False), message)):
            return tf.constant(False)

    fine = tf.reduce_all(tf.stack([header.ok, *(condition for condition, _ in told)]))
    return [tf.cond(fine, lambda: tf.constant(True), cold_branch(fail))]


def end_of(data: Any, name: str, most: int) -> Any:
    """Return where the array that begins a file ends, as a scalar of int64.

    `data`: shape (), string; the file, or what is left of it. `name`: name of the parameter, for messages.
    `most`: longest header allowed, in bytes. Returns: shape (), int64; the place of the first byte behind its
    numbers.
    """
    header = _header_of(data, name, most)
    with tf.control_dependencies(_stopped(header)):
        digits = tf.strings.regex_replace(header.code, "[^0-9]", "")
    item = tf.strings.to_number(tf.strings.join(["0", digits]), tf.int64)
    return tf.cast(header.start, tf.int64) + tf.reduce_prod(header.shape) * item


def seen_in(data: Any) -> tuple[str, tuple[int, ...]]:
    """Return dtype and shape of the array in an `.npy` file that can be looked into while tracing.

    `data`: shape (), string. Returns: a key of `CODES`, and the sizes.
    """
    header = _header_of(data, "file", 2**31 - 1)
    with tf.control_dependencies(_stopped(header)):
        code = header.code.numpy().decode()
    name = next((name for name, known in CODES.items() if code[1:] == known), None)
    if name is None:
        advice = f"State another file, or convert it. {RECIPE}"
        raise UnsupportedArgument(explain("file", f"an array of dtype {code}", ", ".join(CODES), advice))
    return name, tuple(int(size) for size in header.shape.numpy())


def array_in(data: Any, dtype: str, shape: tuple[int | None, ...] | None, name: str, most: int) -> Any:
    """Return the array in an `.npy` file.

    `data`: shape (), string. `dtype`: the file's dtype, as stated; a key of `CODES`. `shape`: the file's
    shape, as stated: an int or None per axis; None for any rank. `name`: name of the parameter, for messages.
    `most`: longest header allowed, in bytes. Returns: the graph stops where the file is not as stated.
    """
    array = stored(_reader, dtype, name, most)(data)
    return array if shape is None else _ensured(array, shape, name)


@stored_as("decode_npy-reader")
def _reader(dtype: str, name: str, most: int) -> Callable[[Any], Any]:
    item = np.dtype(dtype).itemsize
    pattern = _PLAIN.replace("CODE", re.escape(("|" if item == 1 else "<") + CODES[dtype]))
    given, allowed = f"a file of another dtype than {dtype}", f"dtype={dtype!r}, as stated"
    message = explain(name, given, allowed, "State dtype and shape of the files.")

    def run(data: Any) -> Any:
        first = tf.strings.substr(data, 0, _PLAIN_SIZE)
        text = tf.strings.regex_replace(first, pattern, r"\1")
        # Patterns are of characters, so the byte that is none is compared apart.
        plain = tf.not_equal(text, first) & tf.equal(tf.strings.substr(first, 0, 1), MAGIC[:1])

        def short() -> Any:
            sizes = _sizes(text)
            end = _PLAIN_SIZE + tf.reduce_prod(sizes) * item
            with tf.control_dependencies(refuse_unless(*_whole(data, end, name))):
                raw = tf.io.decode_raw(data, tf.uint8)[_PLAIN_SIZE:end]
            return tf.reshape(typed(raw, dtype), sizes)

        def long() -> Any:
            header = _header_of(data, name, most)
            stated = tf.strings.regex_full_match(header.code, f"[<>=|]{CODES[dtype]}")
            raw = _raw(data, header, [(stated, message)], name, item, _word(dtype))
            return _arranged(typed(raw, dtype), header)

        return tf.cond(plain, short, cold_branch(long)) if most >= _PLAIN_SIZE - 10 else long()

    return run


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


def array_cast(data: Any, dtype: str, name: str, most: int) -> Any:
    """Return the array in an `.npy` file of any numbers, in a dtype, as NumPy casts.

    `data`: shape (), string; the file. Complex numbers are taken only where the dtype is complex. `dtype`: of
    the result; a key of `CODES`. `name`: name of the parameter, for messages. `most`: longest header allowed,
    in bytes.
    """
    return stored(_caster, dtype, name, most)(data)


@stored_as("decode_npy-caster")
def _caster(dtype: str, name: str, most: int) -> Callable[[Any], Any]:
    wanted = tf.as_dtype(dtype)
    names = [one for one in CODES if wanted.is_complex or not one.startswith("complex")]

    def run(data: Any) -> Any:
        header = _header_of(data, name, most)
        same = tf.equal([CODES[one] for one in names], tf.strings.regex_replace(header.code, "^[<>=|]", ""))
        number = tf.argmax(tf.cast(same, tf.uint8), output_type=tf.int32)
        message = explain(name, "an array of another dtype", ", ".join(names), "Convert the file.")
        known = (tf.reduce_any(same), tf.strings.join([message, "] [", header.code]))
        item = tf.gather(tf.constant([np.dtype(one).itemsize for one in names], tf.int64), number)
        words = [_word(one) for one in names]
        word = tf.gather(tf.constant(words, tf.int64), number) if wanted.is_complex else item
        raw = _raw(data, header, [known], name, item, word)
        rows = tf.reshape(raw, tf.stack([-1, item]))
        return _arranged(_switched(number, rows, names, wanted), header)

    return run


def _switched(number: Any, rows: Any, names: Sequence[str], wanted: Any) -> Any:
    """Return numbers of one of some dtypes in another.

    `rows`: the bytes of each number in a row of their own.
    """

    def way(own: str) -> Callable[[], Any]:
        return lambda: in_dtype(tf.cast(rows, own) if own == "bool" else tf.bitcast(rows, own), wanted)

    return tf.switch_case(number, [way(own) for own in names])


def in_dtype(x: Any, dtype: Any) -> Any:
    """Cast numbers as NumPy assigns: in two steps where a narrow target saturates.

    `x`: no complex numbers, or a complex target. `dtype`: of the result.
    """
    wanted = tf.as_dtype(dtype)
    narrow = x.dtype.is_floating and wanted.is_integer and wanted.size < np.dtype("int64").itemsize
    return tf.cast(tf.cast(x, tf.int64) if narrow else x, wanted)


def _word(dtype: str) -> int:
    """Return the bytes that a byte order turns around together: half a complex number."""
    return np.dtype(dtype).itemsize // (2 if dtype.startswith("complex") else 1)


def _whole(data: Any, end: Any, name: str) -> tuple[Any, str]:
    message = explain(name, "a file that ends before its numbers", "a whole file", "Write it again.")
    return end <= tf.cast(tf.strings.length(data), tf.int64), message


def _raw(data: Any, header: Header, told: Sequence[tuple[Any, Any]], name: str, item: Any, word: Any) -> Any:
    """Return the bytes of all numbers in the machine's byte order; the graph stops where they are none."""
    start = tf.cast(header.start, tf.int64)
    end = start + tf.reduce_prod(header.shape) * item
    with tf.control_dependencies(_stopped(header, [*told, _whole(data, end, name)])):
        # The slice shares memory with what was read: NumPy pads its headers to 64 bytes.
        raw = tf.io.decode_raw(data, tf.uint8)[start:end]
    swapped = tf.strings.regex_full_match(header.code, ">.*")
    return tf.cond(
        swapped, lambda: tf.reshape(tf.reverse(tf.reshape(raw, [-1, word]), [1]), [-1]), lambda: raw
    )


def typed(raw: Any, dtype: str) -> Any:
    """Return bytes as numbers in a row."""
    item = np.dtype(dtype).itemsize
    if item == 1:
        return tf.cast(raw, tf.bool) if dtype == "bool" else tf.bitcast(raw, dtype)
    return tf.bitcast(tf.reshape(raw, [-1, item]), dtype)


def _arranged(numbers: Any, header: Header) -> Any:
    """Return numbers in a row as the array of a header."""
    axes = tf.range(tf.size(header.shape))
    axes = tf.where(header.by_column, tf.size(header.shape) - 1 - axes, axes)
    # Nothing is moved where axes stay in order.
    return tf.transpose(tf.reshape(numbers, tf.gather(header.shape, axes)), axes)
