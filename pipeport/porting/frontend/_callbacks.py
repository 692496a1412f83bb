"""Functions of the user that TensorFlow calls: in a `tf.function`, or as arguments of `tf.map_fn`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport._tensorflow_private import body_of
from pipeport.arrays._give import opened
from pipeport.meanings import BOUNDARIES
from pipeport.porting._values import is_array
from pipeport.porting.frontend import _meaning as meanings
from pipeport.porting.frontend import _tensorflow
from pipeport.porting.frontend._source import is_inner


def inside(function: Any) -> Any:
    """Return the user's function in a `tf.function`, or None of anything else.

    TensorFlow Addons has functions in one, which have natives.
    """
    if not hasattr(function, "python_function") or meanings.mirrored(function) is not None:
        return None
    if meanings.meaning(function).kind == meanings.TENSORFLOW:
        return None
    return body_of(function)


def as_traced(
    function: Any, run: Callable[..., Any], args: Any, kwargs: Any, made: Callable[[Any], Any]
) -> Any:
    """Call what is in a `tf.function` with tensors, and return tensors.

    `function`: the function. `run`: another form of what is in it. `args`, `kwargs`: its arguments: arrays
    become tensors, those of an `input_signature` in its dtypes. `made`: gives what stands for a tensor.
    Returns: its result, nested, with tensors for numbers too.
    """
    names = list(inspect.signature(function.python_function).parameters)
    specs = dict(zip(names, function.input_signature or (), strict=False))

    def tensor(value: Any, dtype: Any = None) -> Any:
        if dtype is not None or isinstance(value, (np.ndarray, np.generic)):
            value = _tensorflow.converted(value, dtype)
        return made(value)

    def handed(name: str | None, value: Any) -> Any:
        spec = specs.get(name or "")
        return tensor(value, spec.dtype) if isinstance(spec, tf.TensorSpec) else _mapped(tensor, value)

    def returned(value: Any) -> Any:
        is_number = _tensorflow.is_pythons(value) or (is_array(value) and value.weak)
        return tensor(_tensorflow.converted(value) if is_number else value)

    places = [*names[: len(args)], *[None] * len(args)]
    given = [handed(name, one) for name, one in zip(places, args, strict=False)]
    return _mapped(returned, run(*given, **{name: handed(name, one) for name, one in kwargs.items()}))


def _mapped(function: Callable[[Any], Any], value: Any) -> Any:
    if type(value) in (list, tuple):
        return type(value)(_mapped(function, one) for one in value)
    if type(value) is dict:
        return {name: _mapped(function, one) for name, one in value.items()}
    return function(value)


def as_array(value: Any) -> Any:
    """Return what stands in a ported body for a tensor: an array that promotes as one."""
    if is_array(value) and value.weak:  # stands for a number of Python's
        return value
    return _tensorflow.closed(opened(value))


def called_by(function: Any, call: Callable[..., Any], value: Any, made: Callable[[Any], Any]) -> Any:
    """Return an argument of a function of TensorFlow's with another form of the user's functions.

    `function`: TensorFlow's; one that hands its functions to Python takes them as they are. `call`: takes an
    object and its arguments, and calls that form. `value`: the argument, nested. `made`: gives what stands
    for a tensor. Returns: the same, with functions that take and give tensors.
    """
    if meanings.dotted(function).endswith(BOUNDARIES):
        return value

    def one(value: Any) -> Any:
        data = not callable(value) or isinstance(value, type) or is_inner(value)
        if data or meanings.meaning(value).kind == meanings.TENSORFLOW:
            return value

        def run(*args: Any, **kwargs: Any) -> Any:
            return opened(call(value, *_mapped(made, args), **_mapped(made, kwargs)))

        return run

    return _mapped(one, value)
