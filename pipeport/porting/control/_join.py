"""The value of a name after two branches or another loop round: one dtype, rank and kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport._tensorflow_private import is_undefined
from pipeport.arrays import _lines
from pipeport.arrays._making import as_of_tensorflow, fresh
from pipeport.arrays._operators import operand
from pipeport.arrays._promotion import Operand, common, fitted
from pipeport.arrays._shape import Shape
from pipeport.errors import PortRefused, WrongType, explain
from pipeport.PIL.Image import Image
from pipeport.porting._outside import refusal
from pipeport.porting._values import as_array, is_array, is_symbolic_list, is_tensor, is_text, tensor_of
from pipeport.porting.control._choice import (
    Arrays,
    Choice,
    is_choice,
    key_of_dtype,
    may_be_one,
    united,
)
from pipeport.porting.control._copies import note_copy

# What the new name of an array ends with that had the name of a list; what decides between values.
RENAMED = "_pipeport"
IN_BRANCHES = "in two branches of a run-time condition"

# The key of None among arrays, and what of Python's a name is in each of two branches.
_NONE = key_of_dtype(None, weak=False)
_CONSTANTS = frozenset({bool, int, float, type(None)})


@dataclass(frozen=True)
class Kind:
    """The common kind of the tensors of a name.

    `dtype`: None of strings. `weak`: whether it stands for a Python number. `shape`: sizes that all share.
    `of_tensorflow`: whether it promotes as a tensor of TensorFlow's. `text`: of a string of the graph: its
    class, and its kind in Python. `other`: the dtype of tensors that are not numbers.
    """

    dtype: Any
    weak: bool
    shape: Any
    of_tensorflow: bool = False
    text: tuple[Any, type] | None = None
    other: Any = None

    def fit(self, value: Any) -> Any:
        """Return a value as a tensor of this kind; an undefined one as zeros."""
        if is_undefined(value):
            sizes = [size or 0 for size in self.shape.as_list()] if self.shape.rank is not None else []
            empty = tf.zeros(sizes, self.dtype) if self.dtype is not None else tf.fill(sizes, "")
            return (
                empty
                if self.shape.is_fully_defined()
                else tf.compat.v1.placeholder_with_default(empty, self.shape)
            )
        if self.dtype is None:
            return tf.constant(value) if isinstance(value, (str, bytes)) else tensor_of(value)
        return fitted(as_array(value).__pipeport_operand__(), self.dtype)

    @property
    def spec(self) -> Any:
        """The tensors, as TensorFlow declares them."""
        return tf.TensorSpec(self.shape, self.other if self.dtype is None else self.dtype)

    def array(self, tensor: Any) -> Any:
        """Return a tensor of this kind as a ported body has it."""
        if self.dtype is None:
            return tensor if self.text is None else self.text[0](tensor, self.text[1])
        array = fresh(tensor, weak=self.weak)
        return as_of_tensorflow(array) if self.of_tensorflow else array


@dataclass(frozen=True)
class Made:
    """Stands for a tensor made in a branch.

    `number`: which of its outputs. `kind`: its dtype and shape. `origin`: the array or tensor.
    """

    number: int
    kind: Kind
    origin: Any = field(default=None, compare=False)


@dataclass(frozen=True)
class Seen(Made):
    """Stands for an array, in a branch, that shares a storage of outside; of number -1 where it was not read.

    `storage`: the storage. `chain`: how the array is taken from it.
    """

    storage: Any = None
    chain: Any = None


@dataclass(frozen=True)
class Undefined:
    """Stands for a name without a value, as AutoGraph's mark of the same name does.

    `symbol_name`: the name.
    """

    symbol_name: str


@dataclass(frozen=True)
class Perhaps:
    """Stands for a name that has a value where a condition holds.

    `symbol_name`: the name. `truth`: the condition. `value`: the value; anything of its form where the
    condition does not hold.
    """

    symbol_name: str
    truth: Any
    value: Any


def is_result(name: str) -> bool:
    """Say whether a part of the state belongs to the result of `return`, as AutoGraph names it."""
    return name.partition("[")[0] == "retval_"


def readable(name: str) -> str:
    """Return the name of a part of the state as messages have it."""
    return {"retval_": "the result of `return`"}.get(name, name.removesuffix(RENAMED))


def kind_of(value: Any) -> Kind | None:
    """Return the kind of a number, an array or a tensor of strings, or None of anything else."""
    if isinstance(value, Made):
        return value.kind
    if is_text(value):
        return Kind(None, False, value.tensor.shape, text=(type(value), value.kind), other=tf.string)
    if is_tensor(value) and value.dtype in (tf.string, tf.variant):
        return Kind(None, False, value.shape, other=value.dtype)
    other = isinstance(value, (list, tuple, dict, str, bytes)) or value is None or is_undefined(value)
    side = None if other else operand(value)
    if side is None:
        return None
    shape = tf.TensorShape([]) if side.plain else side.value.shape
    return Kind(side.dtype, side.weak, shape, side.of_tensorflow)


def same(one: Any, other: Any) -> bool:
    """Say whether two values are one thing of Python's, or one array."""
    if one is other:
        return True
    if is_undefined(one) and is_undefined(other):
        return True
    plain = (bool, int, float, complex, str, bytes, type(None), np.dtype)
    if type(one) is type(other) and isinstance(one, plain):
        return bool(one == other) or (one != one and other != other)
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.dtype == other.dtype and np.array_equal(one, other)
    return False


def joined(name: str, one: Any, other: Any, where: str) -> Kind:
    """Return the kind of a name that is one thing or another.

    `name`: for messages. `one`, `other`: its values. `where`: what decides between them. Returns: of both.
    Raises PortRefused: there is none.
    """
    for value in (one, other):
        if isinstance(value, np.ndarray) and (why := refusal(value)):
            raise PortRefused(why)
    left, right = _kinds(one, other)
    if is_undefined(one) and right is not None:
        return right
    if is_undefined(other) and left is not None:
        return left
    if (
        left is None
        or right is None
        or (left.dtype is None) != (right.dtype is None)
        or left.text != right.text
    ):
        advice = "Only numbers and arrays can differ; draw a number, and compute with it."
        given = f"{_quoted(name)}, {_shown(one)} or {_shown(other)} {where}"
        raise PortRefused(explain("condition", given, "numbers and arrays of one dtype", advice))
    if left.shape.rank != right.shape.rank and None not in (left.shape.rank, right.shape.rank):
        given = f"{_quoted(name)} with {left.shape.rank} or {right.shape.rank} axes {where}"
        raise PortRefused(explain("condition", given, "one number of axes", "Reshape one of them."))
    shape = left.shape.most_specific_compatible_shape(right.shape)
    if left.dtype is None:
        return Kind(None, False, shape, text=left.text, other=left.other)
    dtype, weak = _common(name, left, right, where)
    return Kind(dtype, weak, shape, left.of_tensorflow and right.of_tensorflow)


def _kinds(one: Any, other: Any) -> tuple[Kind | None, Kind | None]:
    """Return the kinds of two values; a string of Python's is one of the graph beside one of the graph."""
    left, right = kind_of(one), kind_of(other)
    for mine, theirs in ((left, other), (right, one)):
        if mine is not None and mine.text is not None and type(theirs) is mine.text[1]:
            return mine, mine
    return left, right


def _common(name: str, left: Kind, right: Kind, where: str) -> tuple[Any, bool]:
    if left.dtype == right.dtype:
        return left.dtype, left.weak and right.weak
    if not (left.weak or right.weak):
        given = f"{_quoted(name)} of dtype {left.dtype} or {right.dtype} {where}"
        advice = "Cast one with `astype`, so that the dtype does not depend on the condition."
        raise PortRefused(explain("condition", given, "one dtype", advice))
    try:
        dtype, weak = common([Operand(0, left.dtype, left.weak), Operand(0, right.dtype, right.weak)])
    except WrongType as error:
        raise PortRefused(str(error)) from None
    strong = left if right.weak else right
    if not (left.weak and right.weak) and dtype != strong.dtype:
        python = _python(left if left.weak else right)
        given = f"{_quoted(name)} of dtype {strong.dtype} or a Python {python} {where}"
        advice = "Cast both with `astype`, so that the dtype does not depend on the condition."
        raise PortRefused(explain("condition", given, "one dtype", advice))
    return dtype, weak


def _quoted(name: str) -> str:
    return name if " " in name else f"`{name}`"


def _python(kind: Kind) -> str:
    return {"b": "bool", "i": "int", "f": "float", "c": "complex"}[kind.dtype.kind]


def _shown(value: Any) -> str:
    if is_undefined(value):
        return "without a value"
    if is_array(value) or is_tensor(value) or isinstance(value, Made):
        return "an array"
    if is_symbolic_list(value):
        return "a list that grows"
    if is_choice(value):
        return "one of several values"
    if isinstance(value, (list, tuple, dict)):
        return f"a {type(value).__name__} of {len(value)}"
    return (
        repr(value)
        if isinstance(value, (str, bytes, int, float, type(None)))
        else f"a {type(value).__name__}"
    )


def mapped(function: Callable[..., Any], name: str, *values: Any, where: str = "") -> Any:
    """Apply a function to the leaves of nests of one structure.

    `function`: takes the name of a leaf and a leaf of each nest. `name`: of the nest, for messages.
    `*values`: the nests. `where`: what decides between them. Returns: a nest of the results. Raises
    PortRefused: the structures differ.
    """
    given = [one for one in values if not is_undefined(one)]
    if len(values) > 1 and all(same(values[0], one) for one in values):
        return function(name, *values)
    if any(isinstance(one, Perhaps) for one in given):
        return _of_perhaps(function, name, values, where)
    if any(is_symbolic_list(one) for one in given):
        return _of_rows(function, name, values, given, where)
    if any(isinstance(one, Arrays) for one in given) or (where == IN_BRANCHES and _differ_in_dtype(given)):
        return _of_dtypes(function, name, values, where)
    if any(is_choice(one) for one in given) or (len(given) > 1 and all(map(_may_differ, given))):
        return _of_choice(function, name, values, given, where)
    if any(_mode(one) for one in given):
        return _pictures(function, name, values, given, where)
    if given and isinstance(given[0], (list, tuple, dict)):
        _refuse_structures(name, given, where)
        keys = list(given[0]) if isinstance(given[0], dict) else range(len(given[0]))
        rows = []
        for key in keys:
            parts = [one if is_undefined(one) else one[key] for one in values]
            rows.append(mapped(function, f"{name}[{key!r}]", *parts, where=where))
        if len(values) == 1 and all(row is given[0][key] for key, row in zip(keys, rows, strict=True)):
            return given[0]  # still the list it was
        made = _rebuilt(given[0], keys, rows)
        if not isinstance(made, tuple):
            note_copy(made, given)
        return made
    return function(name, *values)


def _of_perhaps(function: Callable[..., Any], name: str, values: Any, where: str) -> Any:
    """Apply a function to the truth that there is a value, and to the value."""
    sides = [one if isinstance(one, Perhaps) else Perhaps(name, not is_undefined(one), one) for one in values]
    truth = function(name, *(one.truth for one in sides))
    value = mapped(function, name, *(one.value for one in sides), where=where)
    if len(values) == 1 and truth is sides[0].truth and value is sides[0].value:
        return values[0]
    return Perhaps(next(one for one in values if isinstance(one, Perhaps)).symbol_name, truth, value)


def _of_rows(function: Callable[..., Any], name: str, values: Any, given: list[Any], where: str) -> Any:
    """Apply a function to the parts of lists of a length known only at run time."""
    if not all(is_symbolic_list(one) for one in given):
        advice = "Begin with an empty list before the condition or the loop, and append to it."
        told = " or ".join(_shown(one) for one in given[:2])
        raise PortRefused(explain("condition", f"{_quoted(name)}, {told} {where}", "one list", advice))
    parts = [given[0].parts if is_undefined(one) else one.parts for one in values]
    rows = [
        [one if is_undefined(one) else part for one, part in zip(values, leaves, strict=True)]
        for leaves in zip(*parts, strict=True)
    ]
    found = [function(name, *row) for row in rows]
    if len(values) == 1 and all(one is row[0] for one, row in zip(found, rows, strict=True)):
        return given[0]
    return given[0].made_of(found, given[1:])


def _differ_in_dtype(values: list[Any]) -> bool:
    """Say whether two numbers or arrays have no common dtype, or one value is None beside such or a tuple."""
    kinds = [None if isinstance(one, Arrays) else kind_of(one) for one in values]
    if len(kinds) == 2 and any(one is None for one in values):
        return any(type(one) is tuple for one in values) or any(
            one is not None and one.dtype is not None for one in kinds
        )
    if len(kinds) < 2 or any(one is None or one.dtype is None for one in kinds):
        return False
    try:
        _common("", kinds[0], kinds[1], "")  # type: ignore[arg-type]
    except PortRefused:
        return True
    return False


def _is_constant(value: Any) -> bool:
    """Say whether a value is a number of Python's or None, or a tuple of such."""
    return all(map(_is_constant, value)) if type(value) is tuple else type(value) in _CONSTANTS


def _python_or_dtype(value: Any) -> str:
    kind = kind_of(value)
    if kind is None or kind.dtype is None:
        return _shown(value)
    return f"a Python {_python(kind)}" if kind.weak else str(kind.dtype)


def _several(name: str, values: Any, where: str) -> str:
    """Return the refusal of a name that has several dtypes."""
    arrays = [v for one in values for v in (one.values.values() if isinstance(one, Arrays) else [one])]
    plain = (tuple, type(None))
    kinds = {_python_or_dtype(one) for one in arrays if type(one) in plain or kind_of(one) is not None}
    told = f"{_quoted(readable(name))} of dtype {' or '.join(sorted(kinds))} {where}"
    advice = "Cast it with `astype`, so that the dtype does not depend on the condition."
    dtypes = [kind.dtype for one in arrays if (kind := kind_of(one)) is not None and not kind.weak]
    if readable(name).isidentifier() and len(dtypes) == len(arrays) and None not in dtypes:
        line = f"`{readable(name)} = {readable(name)}.astype(np.{np.result_type(*dtypes).name})`"
        advice = f"Cast it before the condition, {line}, or behind it in each branch."
    return explain("condition", told, "one dtype", advice)


def _of_dtypes(function: Callable[..., Any], name: str, values: Any, where: str) -> Any:
    """Apply a function to the arrays of each dtype, and to what says which dtype it is."""

    def parts(value: Any) -> tuple[Any, dict[int, Any]]:
        if is_undefined(value):
            return value, {}
        if isinstance(value, Arrays):
            return value.index, dict(value.values)
        if where != IN_BRANCHES:
            raise PortRefused(_several(name, values, where))
        if value is None:
            return _NONE, {_NONE: None}
        if type(value) is tuple:
            key = key_of_dtype(f"tuple of {len(value)}", weak=False)
            return key, {key: value}
        kind = kind_of(value)
        if kind is None or kind.dtype is None:
            given = f"{_quoted(name)}, an array or {_shown(value)} {where}"
            raise PortRefused(explain("condition", given, "numbers and arrays", "Use two names."))
        key = key_of_dtype(kind.dtype, kind.weak)
        return key, {key: value}

    sides = [parts(one) for one in values]
    keys = sorted({key for _, arrays in sides for key in arrays})
    if where != IN_BRANCHES and any(arrays and sorted(arrays) != keys for _, arrays in sides):
        raise PortRefused(_several(name, values, where))
    found: dict[int, Any] = {}
    for key in keys:
        row = [arrays.get(key, Undefined(name)) for _, arrays in sides]
        defined = [one for one in row if not is_undefined(one)]
        constant = all(map(_is_constant, defined)) and len(set(map(repr, defined))) == 1
        found[key] = defined[0] if constant else mapped(function, name, *row, where=where)
    index = function(name, *(one for one, _ in sides))
    if len(values) > 1:
        return Arrays(index, found, _several(name, values, where), f"The dtypes part in {_lines.here()}")
    (start,) = values
    if index is start.index and all(one is start.values[key] for key, one in found.items()):
        return start
    return Arrays(index, found, start.told, start.note)


def _may_differ(value: Any) -> bool:
    return not isinstance(value, Made) and kind_of(value) is None and may_be_one(value)


def _of_choice(function: Callable[..., Any], name: str, values: Any, given: list[Any], where: str) -> Any:
    """Apply a function to the keys of values of Python, of which the graph decides on one."""
    other = next((one for one in given if not may_be_one(one)), None)
    if other is not None:
        told = f"{_quoted(name)}, {_shown(given[0])} or {_shown(given[-1])} {where}"
        if isinstance(other, int):  # the number of a value of a loop
            told = f"{_quoted(name)}, which stands for other strings or functions {where}"
        advice = "Choose between strings, functions and None, or between numbers and arrays."
        raise PortRefused(explain("condition", told, "values of one kind", advice))
    indices, found = united(given, same, f"{_quoted(name)}, functions of one name {where}")
    rest = iter(indices)
    made = function(name, *(one if is_undefined(one) else next(rest) for one in values))
    if is_undefined(made):
        return made
    if len(values) == 1 and made is values[0].index:
        return values[0]
    return Choice(made, found)


def _rebuilt(like: Any, keys: Any, rows: list[Any]) -> Any:
    if isinstance(like, dict):
        return dict(zip(keys, rows, strict=True))
    if isinstance(like, Shape):
        return tuple(rows)
    return type(like)(*rows) if hasattr(like, "_fields") else type(like)(rows)


@dataclass(frozen=True)
class Picture:
    """Stands for a PIL image, with something in the place of its pixels."""

    mode: str
    pixels: Any


def _mode(value: Any) -> str | None:
    if isinstance(value, Picture):
        return value.mode
    return value.mode if type(value) is Image else None


def _pictures(function: Callable[..., Any], name: str, values: Any, given: list[Any], where: str) -> Any:
    """Apply a function to the pixels of PIL images of one mode."""
    modes = {_mode(one) for one in given}
    if len(modes) > 1:
        told = " or ".join(f"a PIL image of mode {mode}" if mode else "something else" for mode in modes)
        advice = "Convert it, so that the mode does not depend on the condition."
        raise PortRefused(explain("condition", f"{_quoted(name)}, {told} {where}", "one mode", advice))

    def pixels(one: Any) -> Any:
        if isinstance(one, Picture):
            return one.pixels
        return fresh(one._array) if type(one) is Image else one

    found = function(name, *map(pixels, values))
    if (
        len(values) == 1
        and is_array(found)
        and type(values[0]) is Image
        and tensor_of(found) is values[0]._array
    ):
        return values[0]
    mode = next(iter(modes)) or ""
    return Image(tensor_of(found), mode) if is_array(found) else Picture(mode, found)


def _refuse_structures(name: str, given: list[Any], where: str) -> None:
    def form(one: Any) -> Any:
        return (
            (
                tuple if isinstance(one, Shape) else type(one),
                tuple(one) if isinstance(one, dict) else len(one),
            )
            if isinstance(one, (list, tuple, dict))
            else None
        )

    if any(form(one) != form(given[0]) for one in given):
        advice = "A list cannot grow there: assign to the elements of an array of known size."
        told = " or ".join(_shown(one) for one in given[:2])
        raise PortRefused(explain("condition", f"{_quoted(name)}, {told} {where}", "one structure", advice))
