"""Arguments that decide shapes, and arrays given one by one: reading them, and their contracts."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays import _access
from pipeport.arrays._making import tensors_in
from pipeport.arrays._sizes import dimensions
from pipeport.contract import CannotServe, Integer, PerAxis
from pipeport.errors import OutsideDomain, explain

BITS = "bit for bit."
SHAPE = "int or sequence of int\nThe sizes; tensors and drawn numbers among them too."
DTYPE = "dtype or None, default None\n"
SIZES = PerAxis(spec=Integer(0, 4), count=2, tensor=True)
RAISES = {
    "OutsideDomain": "A size is negative, or the value does not fit.",
    "tf.errors.InvalidArgumentError": "A size unknown while tracing turns out to be negative.",
}
GRAPH = "a few ops; what is known of the sizes is the static shape."


def shown(values: str, shape: str = "(2,)", dtype: str = "float64") -> str:
    """Return how a tensor is printed, for an example of a docstring.

    `shape`, `dtype`: its shape and dtype.
    """
    line = "\n" if "\n" in values else ""
    return f"<tf.Tensor: shape={shape}, dtype={dtype}, numpy={line}array({values})>"


def sizes_of(shape: Any, parameter: str = "shape") -> list[Any]:
    """Return the sizes one by one.

    `shape`: arrays and tensors among them too. Returns: None is negative, as far as tracing knows.
    """
    sizes = dimensions(tensors_in(_access.sizes(shape)), parameter)
    if any(not tf.is_tensor(size) and size < 0 for size in sizes):
        raise OutsideDomain(explain(parameter, shape, "sizes from 0", "Clip them at 0."))
    return sizes


def no_batch(witness: Mapping[str, Any]) -> tuple[CannotServe]:
    """Declare that a native without arrays serves no batch."""
    reason = "there is no array with a leading axis"
    return (CannotServe("batched", reason, lambda: dict(witness)),)


def one_size(parameter: str, sizes: Any, witness: Mapping[str, Any]) -> tuple[CannotServe]:
    """Declare that a native whose sizes may be tensors serves no batch.

    `witness`: the other arguments of a batch of two.
    """

    def batch() -> dict[str, Any]:
        return {**witness, parameter: tf.constant(sizes)}

    def drawn(arguments: Mapping[str, Any]) -> bool:
        return bool(tf.is_tensor(arguments[parameter]))

    return (
        CannotServe("batched", f"one `{parameter}` per element gives results of several sizes", batch, drawn),
    )


def first_by_position(arguments: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Call a reference whose first parameter has no name."""
    rest = dict(arguments)
    return (rest.pop(next(iter(rest))),), rest


def one_by_one(name: str) -> CannotServe:
    """Declare that a native of positional arrays serves no batch."""
    reason = "arrays that are given by position have no names"
    return CannotServe("batched", reason, lambda: {name: [np.zeros((2, 3))]})


def listed_by_position(arguments: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Call a reference that takes any number of arrays by position.

    `arguments`: drawn arguments, the arrays as a list.
    """
    rest = dict(arguments)
    name = next(key for key, value in rest.items() if isinstance(value, list))
    return tuple(rest.pop(name)), rest


def by_position(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Let a function of a list, its first parameter, take any number of arrays by position.

    `name`: of the parameter; as a name it is still taken, for a call made of names alone.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        def spread(*arrays: Any, **options: Any) -> Any:
            return function(list(options.pop(name, arrays)), **options)

        signature = inspect.signature(function)
        first, *others = signature.parameters.values()
        several = first.replace(kind=inspect.Parameter.VAR_POSITIONAL)
        spread.__signature__ = signature.replace(parameters=[several, *others])  # type: ignore[attr-defined]
        spread.__name__, spread.__qualname__ = function.__name__, function.__qualname__
        spread.__module__ = function.__module__
        return spread

    return decorate
