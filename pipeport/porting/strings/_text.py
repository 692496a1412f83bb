"""A string, or a list of strings, known only at run time.

Methods have Python's names, arguments and results. What `tf.strings` finds byte by byte is right for strings
too, because UTF-8 of one string stands in UTF-8 of another only where the string does.
"""

from __future__ import annotations

import codecs
import functools
import sys
from collections.abc import Callable
from operator import methodcaller
from pathlib import PurePath
from typing import Any, ClassVar, Self

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._making import fresh
from pipeport.errors import BadIndex, UnsupportedArgument, WrongType, explain
from pipeport.porting._protocol import StandIn
from pipeport.porting._values import is_array, is_text, python_number, tensor_of, weak

STR, BYTES = str, bytes
_LINES: dict[type, str] = {STR: r"\r\n|[\n-\r\x1c-\x1e\x{85}\x{2028}\x{2029}]", BYTES: r"\r\n?"}
_CONSTANT = "Give a constant of Python's."


def literal(value: str | bytes) -> str:
    """Return the regular expression that matches a string."""
    if isinstance(value, bytes):
        try:
            value = value.decode()
        except UnicodeDecodeError:
            advice = "Decode the string first, or compare arrays of bytes: numpy.frombuffer(b, numpy.uint8)."
            raise UnsupportedArgument(explain("bytes", repr(value), "bytes of UTF-8", advice)) from None
    return "".join(one if one.isascii() and one.isalnum() else rf"\x{{{ord(one):x}}}" for one in value)


def checked(truth: Any, tensor: Any, message: str, *shown: Any) -> Any:
    """Return a tensor, computed where a condition holds; the graph stops with the message where not."""
    known = tf.get_static_value(truth)
    if known is not None and bool(known):
        return tensor
    check = tf.debugging.Assert(truth, [message, *shown])
    with tf.control_dependencies([] if check is None else [check]):  # eagerly the check is done already
        return tf.identity(tensor)


_ASCII = r"[\x00-\x7f]*"
# Ranges of bytes of which a method says yes.
_BYTES_OF = {
    "isalpha": "A-Za-z", "isalnum": "0-9A-Za-z", "isspace": r"\t-\r ", "isupper": "A-Z", "islower": "a-z",
    "istitle_alone": "",
}  # fmt: skip
# A letter such as \u01c5, which is neither upper nor lower case.
_TELLS: dict[str, Callable[[str], bool]] = {"istitle_alone": lambda one: one.istitle() and not one.isupper()}


@functools.cache
def class_of(method: str) -> str:
    """Return the regular expression of the characters of which a method of strings says yes."""
    ranges: list[list[int]] = []
    for code in range(sys.maxunicode + 1):
        if _TELLS.get(method, methodcaller(method))(chr(code)):
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
    return "".join(rf"\x{{{first:x}}}-\x{{{last:x}}}" for first, last in ranges)


def number_of(value: Any) -> Any:
    """Return a place, which may be an array, as Python's number or a scalar tensor of int32."""
    value = python_number(value)
    if is_array(value):
        if value.dtype.kind not in "iu" or tensor_of(value).shape.rank != 0:
            raise WrongType(explain("index", f"{value.dtype}", "a whole number", "Cast it with int()."))
        return tf.cast(tensor_of(value), tf.int32)
    return None if value is None else value.__index__()


class Strings(StandIn):
    """What a string and a list of strings have in common.

    `tensor`: the bytes, those of UTF-8 where `kind` is str. `kind`: which kind Python has: str or bytes.
    """

    __pipeport_text__ = True
    advice = "Use its methods, `+`, f-strings, and comparisons with constants."

    def __init__(self, tensor: Any, kind: type) -> None:
        self.tensor = tensor
        self.kind = kind

    def constant(self, value: Any, parameter: str) -> Any:
        """Return an argument that must be a constant string of the same kind."""
        if is_text(value):
            given = "a string known only at run time"
            raise UnsupportedArgument(explain(parameter, given, "constants", _CONSTANT))
        if not isinstance(value, self.kind):
            self._refuse_kind(parameter, value)
        return value

    def other(self, value: Any, parameter: str) -> Any:
        """Return an argument, a string of the same kind, as a tensor."""
        if isinstance(value, Text) and value.kind is self.kind:
            return value.tensor
        if hasattr(type(value), "pipeport_choice") and {*map(type, value.values.values())} == {self.kind}:
            return value.tensor()
        if isinstance(value, Strings) or not isinstance(value, self.kind):
            self._refuse_kind(parameter, value)
        return tf.constant(value)

    def _refuse_kind(self, parameter: str, value: Any) -> None:
        given = value.kind.__name__ if isinstance(value, Text) else type(value).__name__
        advice = "Convert with `decode` or `encode`, or a number with `str`."
        raise WrongType(explain(parameter, given, self.kind.__name__, advice))

    def in_python(self) -> Callable[[Any], Any]:
        """Return what makes Python's value of one of the tensor, bytes or an array of bytes."""
        return functools.partial(_in_python, self.kind)

    def words(self, tensor: Any) -> Words:
        """Return a list of strings of this kind."""
        return Words(tensor, self.kind)


def _same(value: Any) -> Any:
    return value


def _in_python(kind: type, value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return [_in_python(kind, one) for one in value.tolist()]
    return value.decode() if kind is STR else value


def _given(value: Any, kind: type, parameter: str) -> Text:
    """Return a constant, or a string of the graph, as one of the graph."""
    if isinstance(value, Text):
        return value
    if not isinstance(value, kind):
        advice = "Give a string."
        raise WrongType(explain(parameter, type(value).__name__, kind.__name__, advice))
    return Text(tf.constant(value), kind)


def as_text(value: Any) -> Text:
    """Return a string of Python's or of the graph as one of the graph."""
    return value if isinstance(value, Text) else Text(tf.constant(value), type(value))


class Text(Strings, stands_for=(str, bytes)):  # noqa: PLW1641 - `StandIn` refuses it
    """A string known only at run time; see `Strings`."""

    described = "a string known only at run time"
    as_path: ClassVar[Callable[..., Any]]  # joins parts to a path; `_paths` gives it

    @property
    def python_type(self) -> type:
        """The class that the value has in Python."""
        return self.kind

    def new(self, tensor: Any) -> Self:
        """Return another string of this kind."""
        return type(self)(tensor, self.kind)

    def _unit(self) -> str:
        return "UTF8_CHAR" if self.kind is STR else "BYTE"

    # Operators.

    def __add__(self, other: Any) -> Any:
        return self.new(tf.strings.join([self.tensor, self.other(other, "+")]))

    def __radd__(self, other: Any) -> Any:
        return self.new(tf.strings.join([self.other(other, "+"), self.tensor]))

    def __mul__(self, other: Any) -> Any:
        times = tf.maximum(number_of(other), 0)
        return self.new(tf.strings.reduce_join(tf.fill([times], self.tensor)))

    __rmul__ = __mul__

    def __mod__(self, other: Any) -> Any:
        given = "a pattern known only at run time"
        raise UnsupportedArgument(explain("%", given, "constant patterns", _CONSTANT))

    def __rtruediv__(self, other: Any) -> Any:
        return Text.as_path(other, self) if isinstance(other, PurePath) else NotImplemented

    def __eq__(self, other: Any) -> Any:
        if isinstance(other, Text) and type(other) is type(self) and other.kind is self.kind:
            return weak(tf.equal(self.tensor, other.tensor))
        if isinstance(other, self.kind) and type(self) is Text:
            return weak(tf.equal(self.tensor, tf.constant(other)))
        return False

    def __ne__(self, other: Any) -> Any:
        found = self == other
        return weak(tf.logical_not(tensor_of(found))) if is_array(found) else not found

    def _order(self, other: Any) -> Any:
        """Return a number below, at or above zero, as the string stands before, at or behind another.

        Bytes of UTF-8 stand in the order of their characters.
        """
        left, right = (tf.io.decode_raw(one, tf.uint8) for one in (self.tensor, self.other(other, "<")))
        least = tf.minimum(tf.size(left), tf.size(right))
        steps = tf.cast(left[:least], tf.int32) - tf.cast(right[:least], tf.int32)
        # The first that is not zero; else the longer string is behind.
        steps = tf.concat([steps, [tf.size(left) - tf.size(right)]], 0)
        return steps[tf.argmax(tf.cast(tf.not_equal(steps, 0), tf.uint8))]

    def __lt__(self, other: Any) -> Any:
        return weak(self._order(other) < 0)

    def __le__(self, other: Any) -> Any:
        return weak(self._order(other) <= 0)

    def __gt__(self, other: Any) -> Any:
        return weak(self._order(other) > 0)

    def __ge__(self, other: Any) -> Any:
        return weak(self._order(other) >= 0)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return self._part(key)
        place, size = number_of(key), self._size()
        at = tf.where(tf.convert_to_tensor(place) < 0, place + size, place)
        message = explain(
            "index", "one beyond the end of a string", "a character of it", "Ask for its `len`."
        )
        at = checked((at >= 0) & (at < size), at, message, self.tensor)
        found = tf.strings.substr(self.tensor, at, 1, unit=self._unit())
        if self.kind is BYTES:
            return weak(tf.cast(tf.io.decode_raw(found, tf.uint8)[0], tf.int64))
        return self.new(found)

    def _part(self, key: slice) -> Any:
        step = number_of(key.step)
        if isinstance(step, int) and not step:
            told = "slice step cannot be zero"
            raise ValueError(told)
        if step in (None, 1):
            first, count = self._bounds(key.start, key.stop)
            return self.new(tf.strings.substr(self.tensor, first, count, unit=self._unit()))
        return self.new(
            tf.strings.reduce_join(self._units()[number_of(key.start) : number_of(key.stop) : step])
        )

    def _units(self) -> Any:
        """Return its characters, or its bytes."""
        if self.kind is STR:
            return tf.strings.unicode_split(self.tensor, "UTF-8")
        row = self.tensor[tf.newaxis]
        return tf.raw_ops.StringSplit(input=row, delimiter="", skip_empty=False).values

    def _bounds(self, start: Any, stop: Any) -> tuple[Any, Any]:
        start, stop, size = number_of(start), number_of(stop), self._size()

        def place(value: Any, default: Any) -> Any:
            if value is None:
                return default
            value = tf.convert_to_tensor(value, tf.int32)
            return tf.clip_by_value(tf.where(value < 0, value + size, value), 0, size)

        first = place(start, tf.constant(0))
        return first, tf.maximum(place(stop, size) - first, 0)

    def _between(self, sub: Any, start: Any, end: Any) -> tuple[Text, Any]:
        """Return the part in which a method looks, and where it begins."""
        if start is None and end is None:
            return self, 0
        if any(is_text(one) or not one for one in (sub if isinstance(sub, tuple) else (sub,))):
            of_graph = "an empty string, or one known only at run time,"
            given, advice = f"{of_graph} between places", "Leave the places out."
            raise UnsupportedArgument(explain("sub", given, "strings with characters", advice))
        first, count = self._bounds(start, end)
        return self.new(tf.strings.substr(self.tensor, first, count, unit=self._unit())), first

    def _size(self) -> Any:
        return tf.strings.length(self.tensor, unit=self._unit())

    def truth(self) -> Any:
        """Return whether it has characters."""
        return weak(tf.not_equal(self.tensor, ""))

    def length(self) -> Any:
        """Return how many characters, or bytes, it has."""
        return weak(tf.cast(self._size(), tf.int64))

    def elements(self) -> tuple[Any, Callable[[Any], Any]]:
        """Return what an iteration takes: a tensor with one axis, and what makes a value of one of it."""
        if self.kind is STR:
            return tf.strings.unicode_split(self.tensor, "UTF-8"), lambda one: Text(one, STR)
        return tf.cast(tf.io.decode_raw(self.tensor, tf.uint8), tf.int64), weak

    def code(self) -> Any:
        """Return the number of its one character, or of its one byte."""
        tensor, number = self.elements()
        if self.kind is STR:
            tensor, number = tf.strings.unicode_decode(self.tensor, "UTF-8"), weak
        message = explain("ord", "another string than one character", "one", "Take one with `text[0]`.")
        tensor = checked(tf.equal(tf.size(tensor), 1), tensor, message, self.tensor)
        return number(tf.cast(tensor[0], tf.int64))

    def holds(self, part: Any) -> Any:
        """Return `part in text`."""
        if isinstance(part, Text):
            sep = self.other(part, "in")
            return weak(tf.equal(sep, "") | (tf.size(self._parts(sep)) > 1))
        return self._matches(rf"\C*{literal(self.constant(part, 'in'))}\C*")

    def _matches(self, pattern: str) -> Any:
        return weak(tf.strings.regex_full_match(self.tensor, pattern))

    def _replaced(self, pattern: str, new: str = "", *, all_of_them: bool = True) -> Any:
        return self.new(tf.strings.regex_replace(self.tensor, pattern, new, replace_global=all_of_them))

    # Methods.

    def decode(self, encoding: Any = "utf-8", errors: Any = "strict") -> Any:
        """Do what `bytes.decode` does."""
        if errors != "strict":
            advice = "Leave it out: what is not a UTF-8 stops the graph."
            raise UnsupportedArgument(explain("errors", repr(errors), "'strict'", advice))
        name = codecs.lookup(encoding).name
        if name not in ("utf-8", "ascii"):
            advice = "Use tf.strings.unicode_transcode before."
            raise UnsupportedArgument(explain("encoding", repr(encoding), "'utf-8' or 'ascii'", advice))
        if name == "ascii":
            message = explain("decode", "other bytes than those of ASCII", "ASCII", "Decode as UTF-8.")
            is_ascii = tf.strings.regex_full_match(self.tensor, _ASCII)
            return Text(checked(is_ascii, self.tensor, message, self.tensor), STR)
        return Text(tf.strings.unicode_transcode(self.tensor, "UTF-8", "UTF-8", errors="strict"), STR)

    def encode(self, encoding: Any = "utf-8", errors: Any = "strict") -> Any:
        """Do what `str.encode` does."""
        if codecs.lookup(encoding).name != "utf-8" or errors != "strict":
            raise UnsupportedArgument(
                explain("encoding", repr(encoding), "'utf-8'", "Encode as UTF-8, without `errors`.")
            )
        return Text(self.tensor, BYTES)

    def lower(self) -> Any:
        """Do what the method of Python's strings does."""
        return self._cased(tf.strings.lower)

    def upper(self) -> Any:
        """Do what the method of Python's strings does."""
        return self._cased(tf.strings.upper)

    def _cased(self, change: Callable[..., Any]) -> Any:
        if self.kind is BYTES:
            return self.new(change(self.tensor))
        # Of UTF-8 the op ends at a NUL, and takes an I as the user's language does, which `LANG` names.
        parts = change(change(self._parts("\0")), encoding="utf-8")
        return self.new(tf.strings.reduce_join(parts, separator="\0"))

    def replace(self, old: Any, new: Any, count: Any = -1) -> Any:
        """Do what the method of Python's strings does."""
        old, new = self.constant(old, "old"), self.constant(new, "new")
        if not old or count not in (-1, 1):
            given = "an empty string" if not old else f"count={count!r}"
            advice = "Give a part to replace, everywhere or once."
            raise UnsupportedArgument(explain("replace", given, "parts; count of -1 or 1", advice))
        text = new if isinstance(new, str) else new.decode()
        return self._replaced(literal(old), text.replace("\\", r"\\"), all_of_them=count == -1)

    def _stripped(self, chars: Any, pattern: str) -> Any:
        inside = self._class("isspace") if chars is None else literal(self.constant(chars, "chars"))
        if self.kind is BYTES and chars is not None and not chars.isascii():
            advice = "Decode the string first."
            raise UnsupportedArgument(explain("chars", repr(chars), "characters of ASCII", advice))
        return self._replaced(pattern.replace("#", f"[{inside}]+")) if inside else self

    def strip(self, chars: Any = None) -> Any:
        """Do what the method of Python's strings does."""
        return self._stripped(chars, r"\A#|#\z")

    def lstrip(self, chars: Any = None) -> Any:
        """Do what the method of Python's strings does."""
        return self._stripped(chars, r"\A#")

    def rstrip(self, chars: Any = None) -> Any:
        """Do what the method of Python's strings does."""
        return self._stripped(chars, r"#\z")

    def removeprefix(self, prefix: Any) -> Any:
        """Do what the method of Python's strings does."""
        return self._replaced(rf"\A{literal(self.constant(prefix, 'prefix'))}")

    def removesuffix(self, suffix: Any) -> Any:
        """Do what the method of Python's strings does."""
        return self._replaced(rf"{literal(self.constant(suffix, 'suffix'))}\z")

    def _ends(self, parts: Any, parameter: str, pattern: str) -> Any:
        row = parts if isinstance(parts, tuple) else (parts,)
        one_of = "|".join(literal(self.constant(part, parameter)) for part in row)
        return self._matches(pattern.replace("#", f"(?:{one_of})")) if row else False

    def startswith(self, prefix: Any, start: Any = None, end: Any = None) -> Any:
        """Do what the method of Python's strings does."""
        return self._between(prefix, start, end)[0]._ends(prefix, "prefix", r"#\C*")

    def endswith(self, suffix: Any, start: Any = None, end: Any = None) -> Any:
        """Do what the method of Python's strings does."""
        return self._between(suffix, start, end)[0]._ends(suffix, "suffix", r"\C*#")

    def _class(self, method: str) -> str:
        return class_of(method) if self.kind is STR else _BYTES_OF.get(method, "0-9")

    def _only(self, method: str) -> Any:
        return self._matches(f"[{self._class(method)}]+")

    def isalpha(self) -> Any:
        """Do what the method of Python's strings does."""
        return self._only("isalpha")

    def isalnum(self) -> Any:
        """Do what the method of Python's strings does."""
        return self._only("isalnum")

    def isspace(self) -> Any:
        """Do what the method of Python's strings does."""
        return self._only("isspace")

    def isascii(self) -> Any:
        """Do what the method of Python's strings does."""
        return self._matches(_ASCII)

    def _only_cased(self, wanted: str, others: str) -> Any:
        other = rf"[^{self._class(others)}{self._class('istitle_alone')}]*"
        return self._matches(f"{other}[{self._class(wanted)}]{other}")

    def isupper(self) -> Any:
        """Do what the method of Python's strings does."""
        return self._only_cased("isupper", "islower")

    def islower(self) -> Any:
        """Do what the method of Python's strings does."""
        return self._only_cased("islower", "isupper")

    def isdigit(self) -> Any:
        """Do what the method of Python's strings does."""
        return self._only("isdigit")

    def isdecimal(self) -> Any:
        """Do what the method of Python's strings does."""
        return self._only("isdecimal")

    def isnumeric(self) -> Any:
        """Do what the method of Python's strings does."""
        return self._only("isnumeric")

    def _parts(self, sep: Any, most: int = -1) -> Any:
        # The op itself: tf.strings.split wraps it in a ragged tensor.
        return tf.raw_ops.StringSplitV2(input=self.tensor[tf.newaxis], sep=sep, maxsplit=most).values

    def split(self, sep: Any = None, maxsplit: Any = -1) -> Any:
        """Do what the method of Python's strings does."""
        most = python_number(maxsplit)
        if sep is None:
            if self.kind is STR:
                if most >= 0:
                    advice = "Give `sep`, or leave `maxsplit` out."
                    raise UnsupportedArgument(explain("maxsplit", repr(most), "-1 of words", advice))
                return self.words(self._replaced(f"[{self._class('isspace')}]+", " ")._parts(""))
            return self.words(self._parts("", most))
        return self.words(self._parts(self._separator(sep), most))

    def _separator(self, sep: Any) -> Any:
        if not self.constant(sep, "sep"):
            raise UnsupportedArgument(explain("sep", "an empty string", "a separator", "Give one."))
        return sep

    def rsplit(self, sep: Any = None, maxsplit: Any = -1) -> Any:
        """Do what the method of Python's strings does."""
        most = python_number(maxsplit)
        if sep is None:
            if most >= 0:
                raise UnsupportedArgument(explain("sep", "None with maxsplit", "a separator", "Give one."))
            return self.split()
        return self.words(self._parts_from_right(self._separator(sep), most))

    def _parts_from_right(self, sep: Any, most: int = -1) -> Any:
        if any(sep[:size] == sep[-size:] for size in range(1, len(sep))):
            return self._backwards(sep, most)
        parts = self._parts(sep)  # matches do not overlap: they are the same from both sides
        if most < 0:
            return parts
        cut = tf.maximum(tf.size(parts) - most, 1)
        first = tf.strings.reduce_join(parts[:cut], separator=sep)
        return tf.concat([first[tf.newaxis], parts[cut:]], 0)

    def _backwards(self, sep: Any, most: int) -> Any:
        mirrored = Text(self.tensor, BYTES)[::-1]
        sep = sep.encode() if isinstance(sep, str) else sep
        sizes = tf.strings.length(mirrored._parts(sep[::-1], most))[::-1]
        starts = tf.cumsum(sizes + len(sep), exclusive=True)
        return tf.strings.substr(tf.fill(tf.shape(sizes), self.tensor), starts, sizes)

    def partition(self, sep: Any) -> Any:
        """Do what the method of Python's strings does."""
        parts = self._parts(self._separator(sep), 1)
        return self._three(parts[0], tf.size(parts) > 1, parts[-1], sep, first=True)

    def rpartition(self, sep: Any) -> Any:
        """Do what the method of Python's strings does."""
        parts = self._parts_from_right(self._separator(sep), 1)
        return self._three(parts[0], tf.size(parts) > 1, parts[-1], sep, first=False)

    def _three(self, one: Any, found: Any, other: Any, sep: Any, *, first: bool) -> Any:
        middle = tf.where(found, tf.constant(sep), "")
        if first:
            return self.new(one), self.new(middle), self.new(tf.where(found, other, ""))
        return self.new(tf.where(found, one, "")), self.new(middle), self.new(other)

    def splitlines(self, keepends: Any = False) -> Any:
        """Do what the method of Python's strings does; without line ends."""
        if keepends:
            advice = "Leave it out, or read the lines from the open file."
            raise UnsupportedArgument(explain("keepends", repr(keepends), "False", advice))
        flat = self._replaced(_LINES[self.kind], "\n")
        parts = flat._parts("\n")
        more = tf.cast(tf.equal(parts[-1], ""), tf.int32)
        return self.words(parts[: tf.size(parts) - more])

    def _found(self, part: Any, start: Any, end: Any, *, last: bool) -> Any:
        text, first = self._between(part, start, end)
        place = text._place(part, last=last)
        return tf.where(place < 0, place, place + tf.cast(first, tf.int64))

    def _place(self, part: Any, *, last: bool) -> Any:
        if isinstance(part, Text) and not last:
            sep = self.other(part, "sub")
            parts = self._parts(sep, 1)  # at spaces, where it is empty
            place = tf.where(tf.size(parts) > 1, self.new(parts[0])._size(), -1)
            return tf.cast(tf.where(tf.equal(sep, ""), 0, place), tf.int64)
        if not self.constant(part, "sub"):
            return tf.cast(self._size() if last else 0, tf.int64)
        parts = self._parts_from_right(part, 1) if last else self._parts(part, 1)
        place = self.new(parts[0])._size()
        return tf.cast(tf.where(tf.size(parts) > 1, place, -1), tf.int64)

    def find(self, sub: Any, start: Any = None, end: Any = None) -> Any:
        """Do what the method of Python's strings does."""
        return weak(self._found(sub, start, end, last=False))

    def rfind(self, sub: Any, start: Any = None, end: Any = None) -> Any:
        """Do what the method of Python's strings does."""
        return weak(self._found(sub, start, end, last=True))

    def index(self, sub: Any, start: Any = None, end: Any = None) -> Any:
        """Do what the method of Python's strings does."""
        return weak(self._must(self._found(sub, start, end, last=False)))

    def rindex(self, sub: Any, start: Any = None, end: Any = None) -> Any:
        """Do what the method of Python's strings does."""
        return weak(self._must(self._found(sub, start, end, last=True)))

    def _must(self, place: Any) -> Any:
        message = explain("index", "a part that is not there", "a part of the string", "Use `find`.")
        return checked(place >= 0, place, message, self.tensor)

    def count(self, sub: Any, start: Any = None, end: Any = None) -> Any:
        """Do what the method of Python's strings does."""
        if isinstance(sub, Text):
            text, sep = self._between(sub, start, end)[0], self.other(sub, "sub")
            times = tf.where(tf.equal(sep, ""), text._size() + 1, tf.size(text._parts(sep)) - 1)
            return weak(tf.cast(times, tf.int64))
        if not self.constant(sub, "sub"):
            return self._between(sub, start, end)[0].length() + 1
        return weak(tf.size(self._between(sub, start, end)[0]._parts(sub), tf.int64) - 1)

    def zfill(self, width: Any) -> Any:
        """Do what the method of Python's strings does."""
        missing = tf.maximum(number_of(width) - self._size(), 0)
        zeros = tf.strings.reduce_join(tf.fill([missing], "0"))
        sign = tf.strings.regex_replace(self.tensor, r"\A([+-]?)\C*\z", r"\1")
        rest = tf.strings.regex_replace(self.tensor, r"\A[+-]", "")
        return self.new(tf.strings.join([sign, zeros, rest]))

    def _in_ascii(self, name: str) -> Self:
        message = explain(name, "characters beyond ASCII", "ASCII", "Use `lower` or `upper`.")
        is_ascii = tf.strings.regex_full_match(self.tensor, _ASCII)
        return self.new(checked(is_ascii, self.tensor, message, self.tensor))

    def capitalize(self) -> Any:
        """Do what the method of Python's strings does, of ASCII."""
        text = self._in_ascii("capitalize")
        return text[:1].upper() + text[1:].lower()

    def title(self) -> Any:
        """Do what the method of Python's strings does, of ASCII."""
        codes = tf.cast(tf.io.decode_raw(self._in_ascii("title").lower().tensor, tf.uint8), tf.int32)
        letters = (codes >= ord("a")) & (codes <= ord("z"))
        begins = letters & ~tf.concat([[False], letters[:-1]], 0)[: tf.size(codes)]
        codes -= tf.cast(begins, tf.int32) * (ord("a") - ord("A"))
        return self.new(tf.strings.unicode_encode(codes, "UTF-8"))

    def casefold(self) -> Any:
        """Do what the method of Python's strings does, of ASCII."""
        return self._in_ascii("casefold").lower()

    def _filled(self, width: Any, fillchar: Any, left: Callable[[Any, Any], Any]) -> Any:
        if fillchar is None:
            fillchar = " " if self.kind is STR else b" "
        if len(self.constant(fillchar, "fillchar")) != 1:
            raise WrongType(explain("fillchar", repr(fillchar), "one character", "Give one."))
        width = number_of(width)
        missing = tf.maximum(width - self._size(), 0)
        before = left(missing, width)
        parts = [tf.strings.reduce_join(tf.fill([count], fillchar)) for count in (before, missing - before)]
        return self.new(tf.strings.join([parts[0], self.tensor, parts[1]]))

    def ljust(self, width: Any, fillchar: Any = None) -> Any:
        """Do what the method of Python's strings does."""
        return self._filled(width, fillchar, lambda missing, _: tf.zeros_like(missing))

    def rjust(self, width: Any, fillchar: Any = None) -> Any:
        """Do what the method of Python's strings does."""
        return self._filled(width, fillchar, lambda missing, _: missing)

    def aligned(self, align: str, width: int, fill: str) -> Any:
        """Return it as `format` places it, by `<`, `>` or `^`."""
        places = {
            "<": lambda missing: 0 * missing,
            ">": lambda missing: missing,
            "^": lambda missing: missing // 2,
        }
        return self._filled(width, fill, lambda missing, _: places[align](missing))

    def center(self, width: Any, fillchar: Any = None) -> Any:
        """Do what the method of Python's strings does."""
        return self._filled(
            width, fillchar, lambda missing, width: missing // 2 + (missing % 2) * (width % 2)
        )

    def join(self, parts: Any) -> Any:
        """Do what the method of Python's strings does."""
        between = tf.get_static_value(self.tensor)
        if isinstance(parts, Words):
            if between is None:
                self.constant(self, "separator")
            return self.new(
                tf.strings.reduce_join(parts.tensor, separator=np.asarray(between).item().decode())
            )
        row = [self.other(one, "join") for one in parts]
        with_between = [one for part in row for one in (self.tensor, part)][1:]
        return self.new(tf.strings.join(with_between)) if row else self.new(tf.constant(""))


class Words(Strings, stands_for=(list,)):  # noqa: PLW1641 - `StandIn` refuses it
    """A list of strings known only at run time: how many there are, too.

    `tensor`: tf.Tensor, shape (count,); the strings. `kind`: which kind they are.
    """

    described = "a list of strings known only at run time"
    is_array = False  # whether Python has an array of them

    def in_python(self) -> Callable[[Any], Any]:
        """Return what makes Python's value of one of the tensor."""
        return _same if self.is_array else super().in_python()

    def one(self, tensor: Any) -> Text:
        """Return one of the strings."""
        return Text(tensor, self.kind)

    def elements(self) -> tuple[Any, Callable[[Any], Any]]:
        """Return what an iteration takes: a tensor with one axis, and what makes a value of one of it."""
        return self.tensor, self.one

    def length(self) -> Any:
        """Return how many there are."""
        return weak(tf.size(self.tensor, tf.int64))

    def truth(self) -> Any:
        """Return whether there are any."""
        return weak(tf.size(self.tensor) > 0)

    def as_numpy_has_it(self) -> Words:
        """Return them as an array."""
        found = self.words(self.tensor)
        found.is_array = True
        return found

    def _beside(self, other: Any) -> Any:
        """Return what an array of strings is compared with, as a tensor."""
        row = other.tolist() if isinstance(other, np.ndarray) else other
        if isinstance(row, Words) and row.kind is self.kind:
            return row.tensor
        if isinstance(row, (list, tuple)) and row:
            return tf.stack([self.other(one, "==") for one in row])
        return self.other(row, "==")

    def __eq__(self, other: Any) -> Any:
        if self.is_array or (isinstance(other, Words) and other.is_array):
            return fresh(tf.equal(self.tensor, self._beside(other)))
        if not isinstance(other, (Words, list)):
            return False
        if not isinstance(other, Words):
            if not all(isinstance(one, (Text, self.kind)) for one in other):
                self.refuse("comparison")
            other = self.words(
                tf.stack([self.other(one, "==") for one in other]) if other else tf.zeros([0], tf.string)
            )
        if other.kind is not self.kind:
            self.refuse("comparison")
        least = tf.minimum(tf.size(self.tensor), tf.size(other.tensor))
        alike = tf.reduce_all(tf.equal(self.tensor[:least], other.tensor[:least]))
        return weak(alike & tf.equal(tf.size(self.tensor), tf.size(other.tensor)))

    def __ne__(self, other: Any) -> Any:
        found = self == other
        return fresh(tf.logical_not(tensor_of(found)), weak=found.weak) if is_array(found) else not found

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Words):
            return self.words(tf.concat([self.tensor, other.tensor], 0))
        row = [self.other(one, "+") for one in other]
        return self.words(tf.concat([self.tensor, tf.stack(row)], 0)) if row else self

    def __radd__(self, other: Any) -> Any:
        row = [self.other(one, "+") for one in other]
        return self.words(tf.concat([tf.stack(row), self.tensor], 0)) if row else self

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            parts = (number_of(key.start), number_of(key.stop), number_of(key.step))
            found = self.words(self.tensor[slice(*parts)])
            return found.as_numpy_has_it() if self.is_array else found
        place, size = number_of(key), tf.size(self.tensor)
        at = place if isinstance(place, int) and place >= 0 else None
        known = self.tensor.shape[0]
        if known is not None and isinstance(place, int) and not -known <= place < known:
            raise BadIndex(
                explain("index", str(place), f"{-known} to {known - 1}", "Split at what is there.")
            )
        if at is None:
            at = size + place if isinstance(place, int) else tf.where(place < 0, size + place, place)
        message = explain(
            "index", "one beyond the end of a list of strings", "a place in it", "Ask for its `len`."
        )
        at = checked((at >= 0) & (at < size), tf.convert_to_tensor(at), message, self.tensor)
        return self.one(tf.gather(self.tensor, at))

    def holds(self, part: Any) -> Any:
        """Return `part in words`."""
        return weak(tf.reduce_any(tf.equal(self.tensor, self.other(part, "in"))))

    def index(self, part: Any) -> Any:
        """Return the first place of a string."""
        same = tf.equal(self.tensor, self.other(part, "index"))
        message = explain("index", "a string that is not there", "a string of the list", "Ask with `in`.")
        place = tf.argmax(tf.cast(same, tf.uint8))
        return weak(checked(tf.reduce_any(same), place, message, self.tensor))

    def count(self, part: Any) -> Any:
        """Return how often a string is there."""
        return weak(tf.math.count_nonzero(tf.equal(self.tensor, self.other(part, "count"))))


def with_text(value: Any) -> Any:
    """Return nested arguments with strings of the graph, bytes as in NumPy, in the place of tensors."""
    if type(value) in (list, tuple):
        return type(value)(with_text(one) for one in value)
    if type(value) is dict:
        return {name: with_text(one) for name, one in value.items()}
    if not isinstance(value, tf.Tensor) or value.dtype != tf.string or value.shape.rank not in (0, 1):
        return value
    if value.shape.rank == 0:
        return Text(value, BYTES)
    return Words(value, BYTES).as_numpy_has_it()


def words_of(value: Any) -> Words | None:
    """Return a list of strings known only at run time as one; None of anything else."""
    if isinstance(value, Words):
        return value
    kinds = {type(one) for one in value} if isinstance(value, (list, tuple)) else set()
    if kinds != {Text} or len({one.kind for one in value}) > 1:
        return None
    return Words(tf.stack([one.tensor for one in value]), value[0].kind)
