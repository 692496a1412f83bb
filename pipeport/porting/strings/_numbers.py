"""Strings known only at run time to numbers and back: `float`, `int`, `str`, formats."""

from __future__ import annotations

import re
import string
from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._cast import cast
from pipeport.arrays._making import fresh
from pipeport.arrays._shape import Shape
from pipeport.errors import PortRefused, UnsupportedArgument, explain
from pipeport.kernels.inputs.dtypes import NUMPY_2
from pipeport.porting._protocol import refuse_stand_ins
from pipeport.porting._values import (
    as_array,
    holds_array,
    is_array,
    is_tensor,
    is_text,
    known,
    python_number,
    tensor_of,
    weak,
)
from pipeport.porting.strings._text import BYTES, STR, Strings, Text, Words, as_text, checked

_INT64, _FLOAT64 = np.dtype("int64"), np.dtype("float64")
_PLACE = re.compile(r"%(?:\((\w+)\))?([-#0 +]*)(\d*)(?:\.(\d+))?([%a-zA-Z])")
# Where a text stands in its width: `>6`, `*^20`, and behind that what the value needs.
_ALIGNED = re.compile(
    r"(?:(?P<fill>[^{}])?(?P<align>[<>^]))?(?P<width>[1-9]\d*)(?P<rest>(?:\.\d+)?[a-zA-Z]?)", re.DOTALL
)
_FORM = re.compile(r"(0?)(\d*)(?:\.(\d+))?([dfeFE]?)")
_CONVERTERS: dict[int, Callable[[Any], Any]] = {115: str, 114: repr, 97: ascii}
_CONSTANT_FORMS = "'', 'd', '03d', '.2f' and '>6'"
_FORM_ADVICE = "Format what is known outside of the function."


def parsed(tensor: Any, dtype: Any) -> Any:
    """Return strings of numbers as numbers, as Python and NumPy read them.

    `tensor`: the strings. `dtype`: of the numbers. Returns: the numbers; the graph stops at what is none.
    """
    if dtype.kind in "iu":
        # TensorFlow 2.15 reads no plus.
        wide = tf.strings.to_number(tf.strings.regex_replace(tensor, r"\A\s*\+([0-9])", r"\1"), tf.int64)
        if dtype == _INT64:
            return wide
        limits = np.iinfo(dtype)
        fits = tf.reduce_all((wide >= int(limits.min)) & (wide <= min(int(limits.max), 2**63 - 1)))
        message = explain("string", f"a number beyond {dtype}", f"numbers of {dtype}", "Take a wider dtype.")
        return tf.cast(checked(fits, wide, message), dtype)
    if dtype.kind != "f":
        advice = "Convert to float32 or int64 first."
        raise UnsupportedArgument(explain("dtype", str(dtype), "integers and floats", advice))
    # What TensorFlow reads beside Python's numbers has an x (0x1p3) or brackets (nan(1)): made unreadable.
    strict = tf.strings.regex_replace(tensor, "[xX(]", "?")
    return cast(tf.strings.to_number(strict, tf.float64), dtype)


def number(name: str, arguments: Any, named: Any) -> Any:
    """Return `int(text)` or `float(text)`."""
    if len(arguments) != 1 or named or not isinstance(arguments[0], Text):
        given = "a base" if isinstance(arguments[0], Text) else "a list of strings"
        raise UnsupportedArgument(explain(name, given, "one string of decimal digits", "Convert one by one."))
    return weak(parsed(arguments[0].tensor, _INT64 if name == "int" else _FLOAT64))


def holds_text(value: Any) -> bool:
    """Say whether a value is a string of the graph, or a list with one."""
    if isinstance(value, (list, tuple)):
        return any(map(holds_text, value))
    return is_text(value) or _is_table(value)


def _is_table(value: Any) -> bool:
    return is_tensor(value) and value.dtype == tf.string


def array(values: Any, dtype: Any) -> Any:
    """Return `numpy.array(values, dtype)` of strings; the strings themselves without a dtype."""
    if dtype is None:
        if isinstance(values, Strings):
            return values.as_numpy_has_it() if isinstance(values, Words) else values
        if _is_table(values) or not all(isinstance(one, (Text, str, bytes)) for one in values):
            advice = "Give the dtype: `numpy.array(rows, numpy.float32)`."
            raise PortRefused(explain("array", "lists of strings", "strings or numbers", advice))
        return Words(tf.stack([_tensor(one) for one in values]), STR).as_numpy_has_it()
    if isinstance(values, Strings) or _is_table(values):
        return fresh(parsed(tensor_of(values), np.dtype(dtype)))
    return fresh(tf.stack([tensor_of(array(one, dtype)) for one in values]))


def _tensor(value: Any) -> Any:
    return value.tensor if isinstance(value, Text) else tf.constant(value)


# NumPy's functions that read numbers from strings, and the dtype they give.
READERS: dict[Any, Any] = {
    np.array: None, np.asarray: None, np.asanyarray: None,
    **{kind: kind for kind in (np.float16, np.float32, np.float64, np.int8, np.int16, np.int32, np.int64,
                               np.uint8, np.uint16, np.uint32)},
}  # fmt: skip


def is_reader(function: Any) -> bool:
    """Say whether a function is one of `READERS`."""
    return any(function is one for one in READERS)


def reads(function: Any, args: Any) -> bool:
    """Say whether a function is one of `READERS`, and is given strings."""
    return bool(args) and is_reader(function) and holds_text(args[0])


def is_of_names(function: Any, args: Any) -> bool:
    """Say whether a function makes an array of constant strings, which stays NumPy's."""
    makes = function is np.array or function is np.asarray
    if not makes or not args or not isinstance(args[0], (list, tuple)):
        return False
    names = tf.nest.flatten(args[0])
    return bool(names) and {type(one) for one in names} in ({str}, {bytes})


def read(function: Any, args: Any, kwargs: Any) -> Any:
    """Call one of `READERS` with strings."""
    return array(args[0], dtype_of(function, args[1:], kwargs))


def dtype_of(function: Any, rest: Any, kwargs: Any) -> Any:
    """Return the dtype that one of `READERS` is asked for; None without one."""
    dtype = READERS[function]
    options = dict(kwargs)
    if dtype is None:
        dtype = rest[0] if rest else options.pop("dtype", None)
    if options or len(rest) > 1:
        given = ", ".join(options) or "more arguments"
        raise UnsupportedArgument(explain(function.__name__, given, "strings and a dtype", "Leave them out."))
    return dtype


# Numbers to strings.


def text(value: Any, form: str = "", *, conversion: int = -1) -> Any:
    """Return a value in a string, as `format` does.

    `value`: a string or a number of the graph, or anything of Python's. `form`: as behind the colon of an
    f-string. `conversion`: as of an f-string: the code of `s`, `r` or `a`, -1 without. Returns: the string.
    """
    value = _constant(value)
    if not holds_array(value):
        refuse_stand_ins("text", value)
        return format(_CONVERTERS[conversion](value) if conversion in _CONVERTERS else value, form)
    if form and conversion in _CONVERTERS:
        given, allowed = f"{form!r} behind a conversion", "one of both"
        raise UnsupportedArgument(explain("format", given, allowed, "Leave the conversion out."))
    as_shown = conversion in (114, 97)
    aligned = _ALIGNED.fullmatch(form)
    if aligned is not None and (aligned["align"] or isinstance(value, Text)):
        made = as_text(text(value, aligned["rest"], conversion=conversion))
        return made.aligned(aligned["align"] or "<", int(aligned["width"]), aligned["fill"] or " ")
    if isinstance(value, Text):
        if value.kind is BYTES or as_shown or form not in ("", "s"):
            given = "bytes" if value.kind is BYTES else f"a string with {form or 'a conversion'!r}"
            advice = "Decode it first." if value.kind is BYTES else "Leave the format out."
            raise UnsupportedArgument(explain("format", given, "strings as they are", advice))
        return Text(value.tensor, STR)
    if type(value) in (list, tuple, Shape) and not form:
        return _row(value)
    made = Text(_formatted(value, form), STR)
    of_numpy = as_shown and NUMPY_2 and is_array(value) and not value.weak
    return joined([f"np.{value.dtype}(", made, ")"]) if of_numpy else made


def _constant(value: Any) -> Any:
    """Return a scalar whose value is known as Python or NumPy has it; all else unchanged."""
    if is_array(value) and not value.weak and tensor_of(value).shape.rank == 0:
        found = known(value)
        return value if found is None else np.asarray(found)[()]
    return python_number(value)


def _row(values: Any) -> Any:
    parts = [", ", *(part for one in values for part in (text(one, conversion=114), ", "))][1:-1]
    if isinstance(values, list):
        return joined(["[", *parts, "]"])
    return joined(["(", *parts, "," if len(parts) == 1 else "", ")"])


def _formatted(value: Any, form: str) -> Any:
    found = as_array(value) if is_array(value) or is_tensor(value) else None
    parts = _FORM.fullmatch(form)
    if found is None or tensor_of(found).shape.rank != 0 or parts is None or found.dtype.kind not in "biuf":
        given = "a value known only at run time" + (f" with {form!r}" if form else "")
        advice = (
            "Print with `print(a, b)`, which runs in the graph; text of whole numbers and strings is served."
        )
        raise PortRefused(explain("format", given, _CONSTANT_FORMS, advice))
    if found.dtype.kind == "b" and not form:
        return tf.where(tensor_of(found), "True", "False")
    zeros, width, digits, letter = parts.groups()
    options: dict[str, Any] = {"width": int(width or -1), "fill": "0" if zeros else ""}
    if found.dtype.kind in "iu" and letter in ("", "d") and digits is None:
        return tf.strings.as_string(tensor_of(found), **options)
    if letter not in ("f", "F") or (found.dtype.kind in "iu" and letter == "d"):
        given = "a float known only at run time" + (f" with {form!r}" if form else "")
        raise PortRefused(explain("format", given, "a number of digits, as '.2f'", "State the digits."))
    wide = cast(tensor_of(found), _FLOAT64)
    wide = tf.where(tf.math.is_nan(wide), tf.constant(np.nan, tf.float64), wide)  # without a sign
    return tf.strings.as_string(wide, precision=int(digits or 6), **options)


def joined(parts: Any) -> Any:
    """Return strings of Python's and of the graph as one."""
    if not any(is_text(part) for part in parts):
        return "".join(parts)
    return Text(tf.strings.join([_tensor(part) for part in parts if is_text(part) or part]), STR)


def formatted(pattern: str, args: Any, kwargs: Any) -> Any:
    """Return `pattern.format(*args, **kwargs)`."""
    parts: list[Any] = []
    count = 0
    for before, field, form, conversion in string.Formatter().parse(pattern):
        parts.append(before)
        if field is None:
            continue
        if not field:
            field, count = str(count), count + 1
        if not re.fullmatch(r"\w*", field) or "{" in (form or ""):
            raise UnsupportedArgument(explain("format", repr(field), "names and places", _FORM_ADVICE))
        value = args[int(field)] if field.isdigit() else kwargs[field]
        parts.append(text(value, form or "", conversion=ord(conversion) if conversion else -1))
    return joined(parts)


def filled(pattern: Any, values: Any) -> Any:
    """Return `pattern % values`."""
    if isinstance(pattern, bytes):
        raise UnsupportedArgument(explain("%", "a pattern of bytes", "strings", "Decode the parts first."))
    row = list(values) if isinstance(values, tuple) else [values]
    parts: list[Any] = []
    end = count = 0
    for place in _PLACE.finditer(pattern):
        parts.append(pattern[end : place.start()])
        end = place.end()
        name, flags, width, digits, letter = place.groups()
        if letter == "%":
            parts.append("%")
            continue
        if name is None and count >= len(row):
            raise WrongCount(explain("%", f"{len(row)} values", "one for each place", "Give as many."))
        value = values[name] if name is not None else row[count]
        count += name is None
        parts.append(_in_place(value, flags, width, digits, letter))
    if count != len(row) and not isinstance(values, dict):
        raise WrongCount(explain("%", f"{len(row)} values", f"{count}, as places", "Give as many."))
    return joined([*parts, pattern[end:]])


class WrongCount(UnsupportedArgument, TypeError):
    """A pattern has another number of places than values."""


def _in_place(value: Any, flags: str, width: str, digits: Any, letter: str) -> Any:
    value = _constant(value)
    if not holds_array(value):
        return f"%{flags}{width}{'' if digits is None else '.' + digits}{letter}" % (value,)
    if letter == "s" or not (is_array(value) or is_tensor(value)):
        if letter != "s" or flags or width or digits is not None:
            given = f"a string with {flags}{width}{letter}"
            raise UnsupportedArgument(explain("%", given, "%s", _FORM_ADVICE))
        return text(value)
    if letter not in "dif" or flags not in ("", "0"):
        raise UnsupportedArgument(explain("%", f"%{flags}{letter}", "%d, %i, %s and %f", _FORM_ADVICE))
    if letter in "di":
        if digits is not None:
            raise UnsupportedArgument(explain("%", f"%.{digits}{letter}", "%d", _FORM_ADVICE))
        array_ = as_array(value)
        value = value if array_.dtype.kind in "iu" else weak(cast(tensor_of(array_), _INT64))
        return text(value, f"{flags}{width}d")
    return text(value, f"{flags}{width}.{digits or 6}f")
