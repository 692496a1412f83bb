"""Python's built-in functions on arrays: conversions, extremes, rounding, printing."""

from __future__ import annotations

import contextlib
import functools
import itertools
import operator
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._cast import cast
from pipeport.arrays._making import fresh
from pipeport.arrays._operators import binary, operand
from pipeport.arrays._promotion import common, fitted
from pipeport.errors import PipeportError, UnsupportedArgument, WrongType, explain
from pipeport.porting._protocol import StandIn, python_type, refuse_stand_ins
from pipeport.porting._values import (
    as_array,
    holds_array,
    is_array,
    is_symbolic_list,
    is_tensor,
    is_text,
    plain_number,
    python_number,
    tensor_of,
    weak,
)
from pipeport.porting.control import _flow, _ordered
from pipeport.porting.control import _symbolic_range as ranges
from pipeport.porting.strings import _numbers as numbers
from pipeport.porting.strings import _text as texts

_INT, _FLOAT, _BOOL = np.dtype("int64"), np.dtype("float64"), np.dtype("bool")


def _scalar(value: Any, name: str) -> Any:
    """Return a value as a scalar tensor, an axis of one element dropped as NumPy does."""
    array = as_array(value)
    if array is None:
        raise WrongType(explain(name, type(value).__name__, "a number", "Convert strings with tf.strings."))
    tensor = tensor_of(array)
    if tensor.shape.rank != 0:
        if tensor.shape.num_elements() != 1:
            advice = "Use `astype` for arrays."
            raise WrongType(explain(name, f"shape {tensor.shape}", "one number", advice))
        tensor = tf.reshape(tensor, [])
    return tensor


def int_(*arguments: Any, **named: Any) -> Any:
    """Return `int(x)`: the fraction is dropped."""
    arguments = texts.with_text(arguments)
    if any(map(is_text, arguments)):
        return numbers.number("int", arguments, named)
    if named or len(arguments) != 1 or not holds_array(arguments):
        return int(*arguments, **named)
    return weak(cast(_scalar(arguments[0], "int"), _INT))


def float_(*arguments: Any) -> Any:
    """Return `float(x)`."""
    arguments = texts.with_text(arguments)
    if any(map(is_text, arguments)):
        return numbers.number("float", arguments, {})
    if not holds_array(arguments):
        return float(*arguments)
    return weak(cast(_scalar(arguments[0], "float"), _FLOAT))


def bool_(*arguments: Any) -> Any:
    """Return `bool(x)`: of a scalar; a list is true where it has elements."""
    if len(arguments) == 1 and is_text(arguments[0]):
        return arguments[0].truth()
    if len(arguments) == 1 and (is_array(arguments[0]) or is_tensor(arguments[0])):
        return weak(cast(_scalar(arguments[0], "bool"), _BOOL))
    return bool(*arguments)


def round_(number: Any, ndigits: Any = None) -> Any:
    """Return `round(x)`: without digits Python's integer, halves to even; of an array as NumPy does."""
    if not holds_array([number]):
        return round(number, ndigits)
    array = as_array(number)
    if ndigits is None and tensor_of(array).shape.rank == 0 and array.dtype.kind in "biuf":
        return weak(cast(tf.round(tensor_of(array)) if array.dtype.kind == "f" else tensor_of(array), _INT))
    found = array.round(0 if ndigits is None else ndigits)
    return weak(tensor_of(found)) if array.weak else found


def _extreme(name: str, python: Callable[..., Any], operation: str) -> Callable[..., Any]:
    def function(*values: Any, **named: Any) -> Any:
        if len(values) == 1:
            found = ranges.taken(values[0])
            values = (list(found) if isinstance(found, Iterator) else found,)
        if "default" in named and len(values) == 1:
            default = named.pop("default")
            return _or_default(values[0], lambda: function(*values, **named), default)
        if list(named) == ["key"] and len(values) == 1:
            return _ordered.by_key(name, python, values[0], named["key"])
        if not holds_array(values):
            return python(*values, **named)
        if named:
            advice = "Give `key` with one list."
            raise UnsupportedArgument(explain(name, ", ".join(named), "values alone", advice))
        steps = ranges.rounds(values[0]) if len(values) == 1 else None
        if isinstance(steps, ranges.SymbolicRange):
            rest = ranges.SymbolicRange(steps.count - 1, lambda number: steps.at(number + 1))
            return _over(rest, steps.at(tf.zeros([], tf.int64)), functools.partial(_chosen, name, operation))
        row = list(ranges.listed(values[0])) if len(values) == 1 else list(values)
        result = row[0]
        for other in row[1:]:
            result = _chosen(name, operation, other, result)
        return result

    return function


def _or_default(values: Any, extreme: Callable[[], Any], default: Any) -> Any:
    """Return the extreme of some values, or a default where there are none."""
    count = ranges.length(values)
    if not is_array(count):
        return extreme() if count else default
    return _flow.if_exp(count > 0, extreme, lambda: default)


def _chosen(name: str, operation: str, other: Any, so_far: Any) -> Any:
    sides = operand(other), operand(so_far)
    if sides[0] is None or sides[1] is None:
        raise WrongType(explain(name, "something that is not a number", "numbers", "Compare numbers alone."))
    better, _ = binary(operation, sides[0], sides[1])
    if better.shape.rank != 0:
        advice = f"Use numpy.{name}imum for arrays, or x.{name}() for the extreme of one."
        raise WrongType(explain(name, "arrays with axes", "numbers", advice))
    dtype, loose = common((sides[0], sides[1]))
    chosen = tf.where(better, fitted(sides[0], dtype), fitted(sides[1], dtype))
    return plain_number(fresh(chosen, weak=loose))


def sum_(values: Any, start: Any = 0) -> Any:
    """Return `sum(values)`, added from the left."""
    total = start
    steps = ranges.rounds(values)
    if isinstance(steps, ranges.SymbolicRange):
        return _over(steps, start, lambda one, so_far: so_far + one)
    for one in steps:
        total = total + one
    return total


def _over(steps: Any, start: Any, add: Callable[[Any, Any], Any]) -> Any:
    """Take in the elements of a sequence one by one, in a loop of the graph."""
    box = [start]

    def put(state: Any) -> None:
        box[0] = state[0]

    def body(one: Any) -> None:
        box[0] = add(one, box[0])

    _flow.for_stmt(steps, None, body, lambda: (box[0],), put, ("the result",), None)
    return box[0]


def any_(values: Any) -> Any:
    """Return `any(values)`."""
    return _joined(values, any, tf.reduce_any)


def all_(values: Any) -> Any:
    """Return `all(values)`."""
    return _joined(values, all, tf.reduce_all)


def _joined(values: Any, python: Callable[..., Any], reduce: Any) -> Any:
    values = ranges.taken(values)
    if is_symbolic_list(values):
        values = values.array()
    if is_array(values) and values.ndim == 1:
        return weak(reduce(cast(tensor_of(values), _BOOL)))
    row = list(ranges.listed(values))
    if not holds_array(row):
        return python(row)
    return weak(reduce(tf.stack([cast(_scalar(one, "bool"), _BOOL) for one in row])))


def divmod_(one: Any, other: Any) -> Any:
    """Return the whole quotient and the rest."""
    return one // other, one % other


def pow_(base: Any, exponent: Any, modulus: Any = None) -> Any:
    """Return `pow(x, y)`."""
    if modulus is not None and holds_array([base, exponent, modulus]):
        raise UnsupportedArgument(explain("mod", "a third argument", "two", "Write `x ** y % z`."))
    return pow(base, exponent) if modulus is None else pow(base, exponent, modulus)


def isinstance_(value: Any, kinds: Any) -> bool:
    """Return `isinstance`: an array is NumPy's array, a weak one Python's number, a scalar NumPy's number."""
    wanted = kinds if isinstance(kinds, tuple) else (kinds,)
    if any(isinstance(one, tuple) for one in wanted):
        return any(isinstance_(value, one) for one in wanted)
    if any(issubclass(python_type(value), one) for one in wanted):
        return True
    return not isinstance(value, StandIn) and isinstance(value, wanted)


def hasattr_(value: Any, name: str) -> bool:
    """Return `hasattr`: of what a value stands in for, as Python has it."""
    kind = python_type(value)
    return hasattr(value if kind in (type(value), tf.Tensor) else kind, name)


def type_(*arguments: Any) -> type:
    """Return `type(x)`."""
    return python_type(*arguments) if len(arguments) == 1 else type(*arguments)


def callable_(value: Any) -> bool:
    """Return `callable(x)`."""
    return not isinstance(value, StandIn) and callable(value)


def print_(*values: Any, sep: str = " ", end: str = "\n", file: Any = None, flush: bool = False) -> None:
    """Print whenever the graph runs, not while it is traced."""
    del flush  # TensorFlow prints at once
    if file not in (None, sys.stdout, sys.stderr):
        advice = "Print to sys.stdout or sys.stderr."
        raise UnsupportedArgument(explain("file", repr(file), "a standard stream", advice))
    shown = [
        tensor_of(one) if is_array(one) or is_text(one) else one if holds_array([one]) else str(one)
        for one in values
    ]
    tf.print(*shown, sep=sep or "", end=end, output_stream=file or sys.stdout)


def str_(*arguments: Any, **named: Any) -> Any:
    """Return `str(x)`: of strings, of bytes with an encoding, and of whole numbers."""
    if not holds_array(arguments):
        refuse_stand_ins("str", list(arguments))
        return str(*arguments, **named)
    if isinstance(arguments[0], texts.Text) and (len(arguments) > 1 or named):
        return arguments[0].decode(*arguments[1:], **named)
    return numbers.text(arguments[0])


def repr_(value: Any) -> str:
    """Return `repr(x)` of what is known while tracing."""
    if holds_array([value]):
        advice = "Print with `print`, which runs in the graph, or take `str`."
        raise UnsupportedArgument(
            explain("repr", "a value known only at run time", "values known while tracing", advice)
        )
    refuse_stand_ins("repr", value)
    return repr(value)


def reduce_(function: Callable[..., Any], values: Any, *initial: Any) -> Any:
    """Return `functools.reduce` over a sequence of known length."""
    return functools.reduce(function, list(ranges.listed(values)), *initial)


def map_(function: Callable[..., Any], *sequences: Any) -> Any:
    """Return `map`, of sequences of known lengths."""
    rows = ranges.rounds(ranges.zip_(*sequences))
    return _flow.generated(rows, lambda row: [function(*one) for one in row])


def filter_(function: Callable[..., Any] | None, values: Any) -> Any:
    """Return `filter`; its conditions must be known."""

    def kept(row: list[Any]) -> list[Any]:
        return [one for one in row if _is_true(one if function is None else function(one))]

    return _flow.generated(ranges.listed(values), kept)


def _is_true(value: Any) -> bool:
    value = python_number(value)
    if is_array(value):
        advice = "Use a mask, as in `x[x > 0]`."
        given = "a condition known only at run time"
        raise UnsupportedArgument(explain("filter", given, "conditions known while tracing", advice))
    return bool(value)


def nothing(*arguments: Any, **named: Any) -> Any:  # noqa: ARG001 - a graph raises no warnings
    """Return a context that does nothing."""
    return contextlib.nullcontext()


def ord_(value: Any) -> Any:
    """Return `ord(x)`."""
    return value.code() if isinstance(value, texts.Text) else ord(value)


def chr_(value: Any) -> Any:
    """Return `chr(x)`."""
    place = texts.number_of(value)
    if isinstance(place, int):
        return chr(place)
    message = explain("chr", "a number of no character", "0 to 0x10ffff", "Look at the number.")
    place = texts.checked((place >= 0) & (place <= sys.maxunicode), place, message, place)
    return texts.Text(tf.strings.unicode_encode(place[tf.newaxis], "UTF-8"), str)


def _set(kind: type) -> Callable[..., Any]:
    """Return `set` or `frozenset`, of what is known while tracing."""

    def function(*arguments: Any) -> Any:
        try:
            return kind(*arguments)
        except PipeportError:
            advice = "Of numbers write `numpy.unique(x)`, which gives each once and in order."
            given = "values known only at run time"
            message = explain(kind.__name__, given, "values known while tracing", advice)
            raise UnsupportedArgument(message) from None

    return function


def list_(*arguments: Any) -> Any:
    """Return `list(x)`: of an array its rows."""
    arguments = tuple(map(ranges.taken, arguments))
    if arguments and is_symbolic_list(arguments[0]):
        return arguments[0]
    return [] if not arguments else _flow.collected(ranges.rounds(arguments[0]), list)


def tuple_(*arguments: Any) -> Any:
    """Return `tuple(x)`: of an array its rows."""
    found = list_(*arguments)
    return tuple(found) if isinstance(found, list) else found


FUNCTIONS: dict[Any, Callable[..., Any]] = {
    int: int_, float: float_, bool: bool_, round: round_, sum: sum_, any: any_, all: all_,
    min: _extreme("min", min, "lt"), max: _extreme("max", max, "gt"), divmod: divmod_, pow: pow_,
    len: ranges.length, range: ranges.range_, enumerate: ranges.enumerate_, zip: ranges.zip_,
    reversed: ranges.reversed_, isinstance: isinstance_, print: print_, str: str_, repr: repr_,
    ord: ord_, chr: chr_,
    hasattr: hasattr_, type: type_, callable: callable_, sorted: _ordered.sorted_,
    itertools.product: _ordered.product, np.ndindex: _ordered.ndindex,
    functools.reduce: reduce_, map: map_, filter: filter_,
    np.errstate: nothing, warnings.catch_warnings: nothing, np.printoptions: nothing,
    list: list_, tuple: tuple_, set: _set(set), frozenset: _set(frozenset),
    **{function: _ordered.over_rows(function) for function in (
        itertools.chain, itertools.combinations, itertools.combinations_with_replacement, itertools.islice,
        itertools.pairwise, itertools.permutations, itertools.zip_longest,
    )},
}  # fmt: skip

_OPERATORS = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "neg", "lt", "le", "gt", "ge", "eq", "ne",
    "and_", "or_", "xor", "matmul", "itemgetter",
)  # fmt: skip
# Run as they are: they look at Python's objects alone, or call an array's own operator.
AS_THEY_ARE = frozenset(
    {abs, slice, getattr, complex, issubclass, bytes, dict, dict.fromkeys}
    | {getattr(operator, name) for name in _OPERATORS}
)
