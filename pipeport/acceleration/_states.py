"""States of random generators, kept while a body is tried."""

from __future__ import annotations

import contextlib
import random
import types
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from pipeport._tensorflow_private import _upstream as inside

# Objects looked into, from those that a body reads.
_MOST = 5000


@contextlib.contextmanager
def put_back(values: Iterable[Any]) -> Iterator[None]:
    """Give random generators the states back that they have now.

    `values`: where generators are looked for, beside those of `random`, of `numpy.random` and of TensorFlow.
    """
    generators = list(_generators(values))
    python, numpy, tensorflow = random.getstate(), np.random.get_state(), inside.eager_seeds()  # noqa: NPY002
    states = [_state(one) for one in generators]
    try:
        yield
    finally:
        random.setstate(python)
        np.random.set_state(numpy)  # noqa: NPY002
        tensorflow()
        for one, state in zip(generators, states, strict=True):
            _restore(one, state)


def _generators(values: Iterable[Any]) -> Iterator[Any]:
    """Yield generators in objects, in their attributes and in what containers hold."""
    seen: set[int] = set()
    todo = list(values)
    while todo and len(seen) < _MOST:
        one = todo.pop()
        if id(one) in seen or isinstance(one, (type, types.ModuleType, str, bytes, np.ndarray)):
            continue
        seen.add(id(one))
        if isinstance(one, (np.random.Generator, np.random.RandomState, random.Random)):
            yield one
        elif isinstance(one, dict):
            todo += one.values()
        elif isinstance(one, (list, tuple, set, frozenset)):
            todo += one
        else:
            todo += getattr(one, "__dict__", {}).values()


def _state(generator: Any) -> Any:
    if isinstance(generator, np.random.Generator):
        return generator.bit_generator.state
    return generator.get_state() if isinstance(generator, np.random.RandomState) else generator.getstate()


def _restore(generator: Any, state: Any) -> None:
    if isinstance(generator, np.random.Generator):
        generator.bit_generator.state = state
    elif isinstance(generator, np.random.RandomState):
        generator.set_state(state)
    else:
        generator.setstate(state)
