"""`tf.numpy_function` and `tf.py_function`, which become native where that is right and faster."""

from __future__ import annotations

import functools
import importlib
import warnings
from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.acceleration._doors import Installed, installed
from pipeport.acceleration._settings import Settings
from pipeport.acceleration._traced import BoundaryCall, as_decorator
from pipeport.errors import PipeportWarning, WrongType, explain


def numpy_function(
    func: Callable[..., Any] | None = None,
    inp: Any = None,
    Tout: Any = None,
    stateful: bool = True,
    name: str | None = None,
    *,
    example: tuple[Any, ...] | None = None,
) -> Any:
    """Call a function on NumPy arrays in a graph: as `tf.numpy_function` does, or as its native form.

    Under `pipeport run` or `pipeport.install()` the elements of the dataset decide. With an example its
    arguments decide: the function is ported, compared and measured on them. Otherwise this is
    `tf.numpy_function`, and one warning says so.

    Parameters
    ----------
    func, inp, Tout, stateful, name
        As of `tf.numpy_function`.
    example : tuple, optional
        Arguments of the function, as NumPy's arrays.

    Returns
    -------
    tf.Tensor or list of tf.Tensor
        As of `tf.numpy_function`.

    Raises
    ------
    WrongType
        `example` is not a tuple.
    """
    others = {"stateful": stateful, "name": name}
    return _called("numpy_function", func, inp, Tout, others, example)


def py_function(
    func: Callable[..., Any] | None = None,
    inp: Any = None,
    Tout: Any = None,
    name: str | None = None,
    *,
    example: tuple[Any, ...] | None = None,
) -> Any:
    """Call a function on eager tensors in a graph: as `tf.py_function` does, or as its native form.

    Parameters
    ----------
    func, inp, Tout, name
        As of `tf.py_function`.
    example : tuple, optional
        Arguments of the function, as NumPy's arrays.

    Returns
    -------
    tf.Tensor or list of tf.Tensor
        As of `tf.py_function`.

    Raises
    ------
    WrongType
        `example` is not a tuple.

    See Also
    --------
    numpy_function : What decides.
    """
    return _called("py_function", func, inp, Tout, {"name": name}, example)


def _called(wrapper: str, func: Any, inp: Any, Tout: Any, others: dict[str, Any], example: Any) -> Any:
    if example is not None and not isinstance(example, tuple):
        given, advice = f"a value of type {type(example).__name__}", "Write example=(image,)."
        raise WrongType(explain("example", given, "a tuple of arguments", advice))
    if func is None and inp is None:
        return as_decorator(lambda one, tensors: _called(wrapper, one, tensors, Tout, others, example))
    # Not through the stand-in, which keeps what it was asked for: TensorFlow's may be replaced.
    original = getattr(importlib.import_module("tensorflow"), wrapper)
    if installed() is None and not tf.executing_eagerly():
        if example is not None:
            return _alone().engine.call(BoundaryCall(original, wrapper, func, inp, Tout, others, example))
        _warn_once()
    return original(func, inp, Tout, **others)


@functools.cache
def _alone() -> Installed:
    """Return what decides by examples; TensorFlow keeps its own functions."""
    return Installed(Settings())


@functools.cache
def _warn_once() -> None:
    message = (
        "pipeport.numpy_function and py_function are TensorFlow's own here. Run the script with "
        "`pipeport run`, call pipeport.install() before, or give an example."
    )
    warnings.warn(message, PipeportWarning, stacklevel=4)
