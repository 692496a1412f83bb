"""The user's functions behind a tf.function that TensorFlow or Keras made of them."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Any

from pipeport._lazy import tf
from pipeport._tensorflow_private._keras import compiled_metrics
from pipeport.trace._user_code import is_users, plain_function
from pipeport.trace._watch_state import Root

_DEEPEST = 5


def roots(function: Any, instance: Any) -> list[Root]:
    """Return the functions of the user's that run when a tf.function is traced.

    `function`: the Python function of a tf.function. `instance`: the object whose method it is, or None.
    Returns: the function itself where it is the user's; those that a dataset maps, or those of a Keras model:
    its methods, and those of its layers, losses and metrics.
    """
    plain = plain_function(function)
    if isinstance(plain, types.FunctionType) and is_users(plain.__code__.co_filename):
        return [(function, instance)]
    found: list[Root] = []
    for value in _enclosed(function, instance):
        if is_model(value):
            found += _of_model(value)
        elif isinstance(value, (types.FunctionType, types.MethodType)):
            inner = plain_function(value)
            if isinstance(inner, types.FunctionType) and is_users(inner.__code__.co_filename):
                found.append((inner, getattr(value, "__self__", None)))
    return found


def is_model(value: Any) -> bool:
    """Say whether a value is a model of Keras."""
    return all(hasattr(type(value), name) for name in ("fit", "layers", "train_step"))


def _enclosed(function: Any, instance: Any) -> Iterator[Any]:
    """Yield what a library's function encloses, and its functions in turn."""
    todo = [(function, 0), (instance, 0)]
    seen: set[int] = set()
    while todo:
        value, depth = todo.pop()
        if value is None or id(value) in seen or depth > _DEEPEST:
            continue
        seen.add(id(value))
        yield value
        plain = plain_function(value) if callable(value) and not is_model(value) else value
        if isinstance(plain, types.FunctionType) and not is_users(plain.__code__.co_filename):
            for cell in plain.__closure__ or ():
                try:
                    todo.append((cell.cell_contents, depth + 1))
                except ValueError:  # the name has no value yet
                    continue
        elif type(value).__name__ == "StructuredFunctionWrapper":
            todo.append((getattr(value, "_func", None), depth + 1))


def _of_model(model: Any) -> Iterator[Root]:
    parts = [*tf.nest.flatten(getattr(model, "loss", None)), *compiled_metrics(model), *model.metrics]
    for owner in (model, *model.layers, *parts):
        for kind in type(owner).__mro__:
            for name, value in list(vars(kind).items()):
                if (
                    isinstance(value, types.FunctionType)
                    and name != "__init__"  # it has run
                    and is_users(value.__code__.co_filename)
                ):
                    yield value, owner
    for part in parts:
        # Keras's own losses and metrics of a function keep it.
        for function in (part, getattr(part, "fn", None), getattr(part, "_fn", None)):
            plain = plain_function(function) if callable(function) else function
            if isinstance(plain, types.FunctionType) and is_users(plain.__code__.co_filename):
                yield plain, getattr(function, "__self__", None)
