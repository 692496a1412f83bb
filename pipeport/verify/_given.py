"""Convert arguments of witnesses and kept examples into calls of verify."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._batched import always_per_element, element_rank
from pipeport._lazy import tf
from pipeport.contract import Matrix, Shaped
from pipeport.verify._example import Example, Trace, inner, is_data, unknown_axes
from pipeport.verify._examples import admissible
from pipeport.verify._pair import Pair

PARAMETERS = (Matrix, Shaped)


def call_of(pair: Pair, arguments: Mapping[str, Any], trace: Trace) -> Example:
    """Return the call that arguments describe.

    `arguments`: by name. Images enter as tensors however they are given; of everything else, tensors alone
    do. `trace`: {'eager', 'static', 'unknown'}.
    """
    given: dict[str, Any] = {}
    tensors: dict[str, str] = {}
    constants: set[str] = set()
    for name, value in arguments.items():
        held = _numpy(value)
        spec = pair.specs.get(name)
        kind = None if spec is None else inner(spec)
        image = kind is not None and always_per_element(kind)
        if is_data(held) and not image and not tf.is_tensor(value):
            constants.add(name)
        elif tf.is_tensor(value) and not _is_array(kind):
            tensors[name] = "string" if held.dtype == object else held.dtype.name
            held = held.item().decode() if held.dtype == object else held.tolist()
        given[name] = held
    return Example(
        elements=(given,),
        tensors=tensors,
        constants=frozenset(constants),
        trace=trace,
        unknown={
            name: unknown_axes(pair.specs[name], np.ndim(value[0] if isinstance(value, list) else value))
            for name, value in given.items()
            if is_data(value)
        },
    )


def kept_calls(pair: Pair, engine: str) -> list[Example]:
    """Return the examples that a contract keeps, as the calls of one engine; a batch holds each twice.

    `pair`: a pair of the catalog, or of a user, which keeps none. Returns: with known and with unknown sizes
    where the engine traces; without those it cannot serve.
    """
    if pair.contract is None:
        return []
    traces: tuple[Trace, ...] = ("eager",) if engine == "eager" else ("static", "unknown")
    calls = [call_of(pair, example(), trace) for example in pair.contract.examples for trace in traces]
    if engine == "batched":
        calls = [_twice(pair, call) for call in calls]
    return [call for call in calls if admissible(pair, engine, call)]


def _twice(pair: Pair, call: Example) -> Example:
    images = frozenset(n for n in call.inputs() if always_per_element(pair.specs[n]))
    return Example(**{**vars(call), "elements": call.elements * 2, "per_element": images})


def _numpy(value: Any) -> Any:
    if isinstance(value, list):
        return [_numpy(part) for part in value]
    if not tf.is_tensor(value):
        return value
    return np.asarray(value.numpy(), object if value.dtype == tf.string else None)


def _is_array(kind: Any) -> bool:
    return kind is not None and (always_per_element(kind) or isinstance(kind, PARAMETERS))


def elements_of_batch(pair: Pair, arguments: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the elements of a batch: arrays, and tensors of one rank more, split.

    `arguments`: by name; without a batch axis they are the arguments of one call.
    """
    held = {name: _numpy(value) for name, value in arguments.items()}
    split = set()
    for name, value in held.items():
        spec = pair.specs.get(name)
        if spec is None or not is_data(value):
            continue
        if always_per_element(spec) or np.ndim(value) == element_rank(spec) + 1:
            split.add(name)
    if not split:
        return [held]
    count = min(len(held[name][0] if isinstance(held[name], list) else held[name]) for name in split)
    return [
        {name: _one(value, index, pair, name) if name in split else value for name, value in held.items()}
        for index in range(count)
    ]


def _one(value: Any, index: int, pair: Pair, name: str) -> Any:
    if isinstance(value, list):
        return [part[index] for part in value]
    return value[index] if _is_array(inner(pair.specs[name])) else value[index].tolist()
