"""Witnesses of a contract as calls of verify."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import tensorflow as tf

from pipeport.contract import Array, Image, LabelOf
from pipeport.verify._call import Call, Trace, inner
from pipeport.verify._pair import Pair

ARRAYS = (Array, Image, LabelOf)


def call_of(pair: Pair, arguments: Mapping[str, Any], trace: Trace) -> Call:
    """Return the call that a witness describes; arrays beside the array parameters are tensors."""
    given: dict[str, Any] = {}
    tensors: dict[str, str] = {}
    for name, value in arguments.items():
        held = value.numpy() if tf.is_tensor(value) else value
        spec = pair.specs.get(name)
        if isinstance(held, (np.ndarray, np.generic)) and not (spec and isinstance(inner(spec), ARRAYS)):
            tensors[name] = held.dtype.name
            held = held.tolist()
        given[name] = held
    return Call(elements=(given,), tensors=tensors, trace=trace)


def elements_of_batch(pair: Pair, arguments: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the elements of a witness that is a batch: arrays, and tensors of one rank more, split."""
    held = {name: value.numpy() if tf.is_tensor(value) else value for name, value in arguments.items()}
    split = set()
    for name, value in held.items():
        spec = pair.specs.get(name)
        if spec is None or not isinstance(value, np.ndarray):
            continue
        kind = inner(spec)
        if isinstance(kind, ARRAYS) or value.ndim == kind.element_rank + 1:
            split.add(name)
    count = min(len(held[name]) for name in split)
    return [
        {name: _python(value[index], pair, name) if name in split else value for name, value in held.items()}
        for index in range(count)
    ]


def _python(value: Any, pair: Pair, name: str) -> Any:
    return value if isinstance(inner(pair.specs[name]), ARRAYS) else value.tolist()
