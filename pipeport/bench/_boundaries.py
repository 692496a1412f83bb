"""`tf.numpy_function` around a body, with the Tout and the set_shape that people write by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.bench._arguments import Arguments

Function = Callable[..., Any]


def elements(arguments: Arguments) -> list[dict[str, Any]]:
    """Return the elements' values as the reference gets them, one dict each."""
    columns = {**arguments.arrays, **arguments.per_element_values}
    count = len(next(iter(columns.values())))
    return [{name: values[i] for name, values in columns.items()} for i in range(count)]


def _outputs(value: Any) -> tuple[Any, ...]:
    """Return the results of a call one by one, in the order in which a nest of tensors has them."""
    if isinstance(value, dict):
        return tuple(value[name] for name in sorted(value))
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _text(value: Any) -> Any:
    """Return a path as `str`: through a boundary it comes as bytes."""
    return value.decode() if isinstance(value, bytes) else value


def _common(sizes: list[tuple[int, ...]]) -> list[int | None]:
    return [axis[0] if len(set(axis)) == 1 else None for axis in zip(*sizes, strict=True)]


def in_boundary(call: Function, arguments: Arguments, *, batched: bool, random: bool = False) -> Function:
    """Wrap a NumPy body for `Dataset.map`.

    Dtype and shape are found by calling the body on a few elements (on all where it draws), once and
    outside every timed region: the person who wrote the pipeline knew them too. A size that is the same in
    all of those is set, any other is left None.

    `call`: takes the values of one element as keyword arguments. `batched`: whether values come with a batch
    axis; the body then loops and stacks. `random`: whether it draws, and with it perhaps the sizes of its
    results. Returns: takes a dict of tensors, returns a tensor or a tuple of tensors.
    """
    names = arguments.shared
    tried = elements(arguments)[: None if random else 4]
    trials = [[np.asarray(o) for o in _outputs(call(**e))] for e in tried]
    dtypes = [tf.as_dtype(output.dtype) for output in trials[0]]
    shapes = [_common([trial[i].shape for trial in trials]) for i in range(len(dtypes))]
    one = len(dtypes) == 1

    def body(*values: Any) -> Any:
        results = _outputs(call(**dict(zip(names, map(_text, values), strict=True))))
        return results[0] if one else list(results)

    def body_of_batch(*values: Any) -> Any:
        each = [_outputs(call(**dict(zip(names, row, strict=True)))) for row in zip(*values, strict=True)]
        stacked = [np.stack(column) for column in zip(*each, strict=True)]
        return stacked[0] if one else stacked

    def mapped(element: dict[str, Any]) -> Any:
        results = tf.numpy_function(
            body_of_batch if batched else body,
            [element[name] for name in names],
            dtypes[0] if one else dtypes,
        )
        results = [results] if one else results
        for result, shape in zip(results, shapes, strict=True):
            result.set_shape([None, *shape] if batched else shape)
        return results[0] if one else tuple(results)

    return mapped
