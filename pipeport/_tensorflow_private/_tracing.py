"""How a tf.function was made and when it is traced.

Public interfaces give the number of traces, the arguments and the Python function. They do not say when
a trace ends, which were there before, how a tf.function was made, or whose method it is.
"""

from __future__ import annotations

import importlib
import types
from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport._tensorflow_private._releases import FIRST, LAST, release
from pipeport.errors import UnsupportedArgument, explain


def check() -> None:
    """Refuse a TensorFlow whose inside nobody has looked at, before anything is replaced in it."""
    if not FIRST <= release() <= LAST:
        advice = "Install one of these, or read experimental_get_tracing_count() of the function yourself."
        raise UnsupportedArgument(explain("TensorFlow", tf.__version__, "2.15 to 2.21", advice))


def function_class() -> Any:
    """Return the class of all tf.functions; `__call__` and `get_concrete_function` are replaced on it."""
    return type(tf.function(_nothing))


def on_trace() -> list[Callable[[Any], None]]:
    """Return the list of what TensorFlow calls with each concrete function, before that runs."""
    module = importlib.import_module("tensorflow.python.eager.polymorphic_function.transform")
    callbacks: list[Callable[[Any], None]] = module.CONCRETE_FUNCTION_CALLBACKS
    return callbacks


def traces_of(function: Any) -> list[Any]:
    """Return the concrete functions that a tf.function holds."""
    return list(function._function_cache.values())


def forget_traces(function: Any) -> None:
    """Let a tf.function be traced anew where it is called next; a release without this cache keeps them."""
    cache = getattr(function, "_function_cache", None)
    if cache is not None:
        cache.clear()


def options_of(function: Any) -> tuple[Any, ...]:
    """Return the options of a `tf.function`."""
    return (
        function.input_signature,
        function._jit_compile,
        function._reduce_retracing,
        function._autograph,
    )


def body_of(function: Any) -> Any:
    """Return the Python function in a tf.function, or the method of its object."""
    instance = instance_of(function)
    return (
        function.python_function
        if instance is None
        else types.MethodType(_bound(function).__func__, instance)
    )


def _bound(function: Any) -> Any:
    bound = function.python_function
    while not hasattr(bound, "__self__") and hasattr(bound, "__wrapped__"):
        bound = bound.__wrapped__
    return bound


def instance_of(function: Any) -> Any:
    """Return the object whose method a tf.function is; None for a plain function."""
    bound = _bound(function)
    target = getattr(bound, "__self__", None)
    # A method that was a tf.function in its class is bound to a stand-in, so that the object may die.
    stand_in = importlib.import_module("tensorflow.python.eager.polymorphic_function.tf_method_target")
    if not isinstance(target, stand_in.TfMethodTarget):
        return target
    return target if target.target is None else target.target


def serves_dataset(function: Any) -> bool:
    """Say whether tf.data made this tf.function of what was given to `map`, `filter` and so on."""
    module: str = getattr(function.python_function, "__module__", None) or ""
    return module == "tensorflow.python.data.ops.structured_function"


def _nothing() -> None:
    pass
