"""Arguments with few possible values, as in `cv2.flip(x, random.choice([0, 1]))`: a choice between calls.

What a native must know while tracing may be a number known only at run time, if that is one of few. Then
the native is called under a condition with each of them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays import _lines
from pipeport.errors import PipeportError, explain
from pipeport.porting._values import is_array, is_symbolic, tensor_of, weak
from pipeport.porting.control._branches import RaisedError
from pipeport.porting.control._choice import Choice, is_choice
from pipeport.porting.control._flow import if_exp
from pipeport.porting.optimise._facts import fact_in
from pipeport.porting.optimise._intervals import interval_of
from pipeport.porting.optimise._loops import noted_parts
from pipeport.seeds._ambient import taker_back

_MOST = 16
_PASSED = frozenset({"Identity", "EnsureShape", "Reshape", "Squeeze"})
_BINARY: dict[str, Callable[..., Any]] = {
    "AddV2": np.add, "Sub": np.subtract, "Mul": np.multiply, "FloorDiv": np.floor_divide,
    "FloorMod": np.mod, "Maximum": np.maximum, "Minimum": np.minimum,
}  # fmt: skip


def possible(tensor: Any) -> frozenset[Any] | None:
    """Return the values that a scalar of a graph may have.

    `tensor`: the scalar. Returns: numbers of NumPy's; None where they are not known, or more than 16.
    """
    try:
        found = _values(tensor)
    except ArithmeticError:
        return None
    fact = fact_in(tf.compat.v1.get_default_graph(), tensor)  # of the branch at hand
    if found is None:
        bounds = interval_of(tensor)
        if bounds is None and fact is not None and not tensor.dtype.is_floating:
            bounds = int(fact.low), int(fact.high)
        if bounds is None or bounds[1] - bounds[0] >= _MOST:
            return None
        kind = tensor.dtype.as_numpy_dtype
        found = frozenset(kind(one) for one in range(bounds[0], bounds[1] + 1))
    if fact is not None:
        found = frozenset(one for one in found if fact.low <= one <= fact.high)
    return found if 0 < len(found) <= _MOST else None


def _values(tensor: Any) -> frozenset[Any] | None:
    """Return the values that follow from the operation of a scalar."""
    known = tf.get_static_value(tensor)
    if known is not None:
        return frozenset({known[()]})
    node = tensor.op
    if node.type == "Placeholder":
        outer = [one for one, inner in getattr(tensor.graph, "captures", ()) if inner is tensor]
        return possible(outer[0]) if outer and getattr(outer[0], "graph", None) is not None else None
    if node.type == "GatherV2":
        row = tf.get_static_value(node.inputs[0])
        return None if row is None or row.ndim != 1 else frozenset(row)
    if node.type in ("If", "StatelessIf"):
        parts = noted_parts(node)
        graphs = [] if parts is None else [parts.first, parts.second]
        sides = [one.outputs[tensor.value_index] for one in graphs]
        return _union(sides)
    if node.type == "SelectV2":
        return _union(node.inputs[1:])
    if node.type in _PASSED or node.type == "Cast":
        inner = possible(node.inputs[0]) if node.inputs[0].shape.num_elements() == 1 else None
        return None if inner is None else frozenset(tensor.dtype.as_numpy_dtype(one) for one in inner)
    if node.type in _BINARY:
        left, right = map(possible, node.inputs)
        if left is None or right is None or len(left) * len(right) > _MOST**2:
            return None
        with np.errstate(all="raise", under="ignore"):
            return frozenset(_BINARY[node.type](one, other) for one in left for other in right)
    return None


def _union(tensors: Any) -> frozenset[Any] | None:
    sides = [possible(one) for one in tensors]
    if not sides or any(one is None for one in sides):
        return None
    return frozenset().union(*(one for one in sides if one is not None))


def chosen(run: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], left: int = _MOST) -> Any:
    """Call a native; with each value that an argument may have, where the native must know that.

    `run`: the native. `args`, `kwargs`: its arguments. `left`: how many calls it may become. Returns: its
    result. Raises PipeportError: the native refuses its arguments, and none of them has few values; or it
    refuses one of the values.
    """
    take_back = taker_back()
    try:
        return run(*args, **kwargs)
    except PipeportError as error:
        found = None if tf.executing_eagerly() else _choice(run, args, kwargs, error.parameter, left)
        if found is None:
            raise
    take_back()
    tensor, calls = found

    def among(some: list[Any]) -> Any:
        if len(some) == 1:
            now, named = args, kwargs
            for scalar, number in calls[some[0]]:
                now = tuple(_with(one, scalar, number) for one in now)
                named = {name: _with(one, scalar, number) for name, one in named.items()}
            take_back()
            return chosen(run, now, named, left // len(calls))
        middle = len(some) // 2
        first = tf.logical_not(tensor) if tensor.dtype.is_bool else tensor < some[middle]
        return if_exp(weak(first), lambda: among(some[:middle]), lambda: among(some[middle:]))

    return among(sorted(calls))


def distributed(value: Choice, run: Callable[[Any], Any]) -> Any:
    """Return what a function gives of the value that the graph decides on.

    `value`: the values it may be. `run`: is called with each of them, under a condition. Returns: its result.
    """
    take_back = taker_back()

    def of_one(key: int) -> Any:
        take_back()
        try:
            return run(value.values[key])
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            kind, told = type(error), str(error)
            if kind.__module__ != "builtins":
                raise
        # Python raises it where it is this value.
        message = explain(
            "choice", f"{value.values[key]!r}", "values that serve here", f"{kind.__name__}: {told}"
        )
        raise RaisedError(message, f"{_lines.here()}: {kind.__name__}", (told,))

    def among(keys: list[int]) -> Any:
        if len(keys) == 1:
            return of_one(keys[0])
        middle = len(keys) // 2
        first = weak(tensor_of(value.index) < keys[middle])
        return if_exp(first, lambda: among(keys[:middle]), lambda: among(keys[middle:]))

    return among(list(value.values))


Choice.each = staticmethod(distributed)


def first_choice(value: Any) -> Choice | None:
    """Return the first value that the graph decides on, in nested lists, tuples, dictionaries and slices."""
    if isinstance(value, dict):
        value = list(value.values())
    elif isinstance(value, slice):
        value = (value.start, value.stop, value.step)
    if isinstance(value, (list, tuple)):
        return next((found for one in value if (found := first_choice(one)) is not None), None)
    return value if is_choice(value) else None


def replaced(value: Any, old: Any, new: Any) -> Any:
    """Return nested lists, tuples, dictionaries and slices with a value in the place of another."""
    if isinstance(value, dict):
        return {name: replaced(one, old, new) for name, one in value.items()}
    if isinstance(value, slice):
        return slice(*replaced((value.start, value.stop, value.step), old, new))
    if isinstance(value, (list, tuple)):
        parts = [replaced(one, old, new) for one in value]
        return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)
    return new if value is old else value


def _choice(
    run: Callable[..., Any], args: Any, kwargs: Any, parameter: str, left: int
) -> tuple[Any, dict[Any, list[tuple[Any, Any]]]] | None:
    """Return a scalar with few values, and for each of them the numbers that scalars of the call are then.

    One that the native must know; of elements of one list at one place, such as a tuple of `random.choice`,
    that place.
    """
    given = _named(run, args, kwargs).get(parameter)
    every = [*_scalars([args, kwargs])]
    for tensor in (*_scalars(given), *every):
        values = possible(tensor)
        if values is None or len(values) > left or not np.isfinite(list(values)).all():
            continue
        index, _ = _element_of(tensor)
        alike = [] if index is None else [one for one in every if _element_of(one)[0] is index]
        if len({id(one) for one in alike}) > 1:
            rows = [(one, _element_of(one)[1], possible(one) or ()) for one in alike]
            places = range(len(rows[0][1]))
            calls = {
                place: [(one, row[place].item()) for one, row, _ in rows]
                for place in places
                if all(row[place] in inside for _, row, inside in rows)
            }
            if 0 < len(calls) <= left:
                return index, calls
        return tensor, {one: [(tensor, one.item())] for one in values}
    return None


def _element_of(tensor: Any) -> tuple[Any, Any]:
    """Return the place at which a scalar was taken from a row that is known, and that row; or None."""
    dtype = tensor.dtype.as_numpy_dtype
    while True:
        outer = [one for one, inner in getattr(tensor.graph, "captures", ()) if inner is tensor]
        if outer and getattr(outer[0], "graph", None) is not None:
            tensor = outer[0]
        elif tensor.op.type in _PASSED and tensor.op.inputs[0].shape.num_elements() == 1:
            tensor = tensor.op.inputs[0]
        else:
            break
    row = tf.get_static_value(tensor.op.inputs[0]) if tensor.op.type == "GatherV2" else None
    if row is None or row.ndim != 1 or tensor.op.inputs[1].shape.rank != 0:
        return None, None
    return tensor.op.inputs[1], row.astype(dtype)


def _named(run: Callable[..., Any], args: Any, kwargs: Any) -> dict[str, Any]:
    try:
        return inspect.signature(run).bind(*args, **kwargs).arguments
    except (TypeError, ValueError):
        return kwargs  # type: ignore[no-any-return]


def _scalars(value: Any) -> Iterator[Any]:
    """Give the scalars known only at run time, in nested lists, tuples and dictionaries."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for one in value:
            yield from _scalars(one)
    elif is_symbolic(value):
        tensor = tensor_of(value) if is_array(value) else value
        if tensor.shape.rank == 0 and (
            tensor.dtype.is_bool or tensor.dtype.is_integer or tensor.dtype.is_floating
        ):
            yield tensor


def _with(value: Any, tensor: Any, number: Any) -> Any:
    """Return nested arguments with a number in the place of a scalar."""
    if isinstance(value, dict):
        return {name: _with(one, tensor, number) for name, one in value.items()}
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return type(value)([_with(one, tensor, number) for one in value])
    return number if value is tensor or (is_array(value) and tensor_of(value) is tensor) else value
