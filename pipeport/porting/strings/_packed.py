"""Numbers out of bytes, as `struct.unpack` and `int.from_bytes` read them."""

from __future__ import annotations

import re
import struct
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import UnsupportedArgument, explain
from pipeport.kernels.decode._npy import typed
from pipeport.porting._values import is_text, weak
from pipeport.porting.strings._text import checked

_CODES = "bBhHiIlLqfd"
_ITEM = re.compile(r"\s*(\d*)([a-zA-Z?])")


def unpack(format: Any, buffer: Any) -> Any:
    """Do what `struct.unpack` does, of numbers and of bytes."""
    if not is_text(buffer):
        return struct.unpack(format, buffer)
    layout = format.decode() if isinstance(format, bytes) else format
    order = layout[:1] if layout[:1] in tuple("@=<>!") else ""
    message = explain("buffer", "another size", f"{struct.calcsize(layout)} bytes", "Check the file.")
    whole = tf.equal(tf.strings.length(buffer.tensor), struct.calcsize(layout))
    data = buffer.new(checked(whole, buffer.tensor, message))
    found: list[Any] = []
    before = order
    for count, code in _ITEM.findall(layout[len(order) :]):
        for one in [f"{count}{code}"] if code in "sx" else [code] * int(count or 1):
            before += one
            end, size = struct.calcsize(before), struct.calcsize((order or "@") + one)
            if code == "s":
                found.append(data[end - size : end])
            elif code != "x":
                found.append(_number(data[end - size : end], code, order or "@"))
    return tuple(found)


def _number(part: Any, code: str, order: str) -> Any:
    if code not in _CODES:
        advice = "Read them by numpy.frombuffer."
        raise UnsupportedArgument(explain("format", repr(code), ", ".join(_CODES + "sx"), advice))
    size = struct.calcsize(order + code)
    kind = np.dtype(f"{'f' if code in 'fd' else 'u' if code.isupper() else 'i'}{size}")
    if kind == np.uint64:
        raise UnsupportedArgument(
            explain("format", repr(code), "integers below 2 ** 63", "Read 'q' instead.")
        )
    return _of_bytes(part, kind, swapped=order in (">", "!"))


def _of_bytes(part: Any, kind: np.dtype[Any], *, swapped: bool) -> Any:
    raw = tf.io.decode_raw(part.tensor, tf.uint8)
    raw = raw[::-1] if swapped else raw
    wide = tf.float64 if kind.kind == "f" else tf.int64
    return weak(tf.cast(tf.reshape(typed(raw, kind.name), []), wide))


def from_bytes(bytes: Any, byteorder: Any = "big", *, signed: Any = False) -> Any:
    """Do what `int.from_bytes` does, of at most 8 bytes."""
    if not is_text(bytes):
        return int.from_bytes(bytes, byteorder, signed=signed)
    if byteorder not in ("big", "little"):
        raise UnsupportedArgument(explain("byteorder", repr(byteorder), "big, little", "Name one of them."))
    raw = tf.io.decode_raw(bytes.tensor, tf.uint8)
    raw = raw[::-1] if byteorder == "big" else raw
    message = explain("bytes", "a number beyond 64 bits", "numbers below 2 ** 63", "Read fewer bytes.")
    raw = checked(tf.size(raw) <= 8, raw, message)
    negative = tf.reduce_any(raw[-1:] > 127) if signed else tf.constant(False)
    filled = tf.concat([raw, tf.fill([8 - tf.size(raw)], tf.where(negative, np.uint8(255), np.uint8(0)))], 0)
    number = tf.reshape(typed(filled, "int64"), [])
    return weak(number if signed else checked(number >= 0, number, message))
