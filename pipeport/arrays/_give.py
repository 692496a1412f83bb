"""The one place that decides whether natives give arrays or tensors.

A native gives arrays when it is given one, or inside `giving`; else tensors (`numpy.array` alone always
gives an array). Natives see tensors only, unless they are marked with `accepts_ndarray`,
because they treat a Python number otherwise than an array.
"""

from __future__ import annotations

import contextlib
import contextvars
import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays import _sharing
from pipeport.arrays._making import fresh
from pipeport.arrays._shape import Shape
from pipeport.arrays._shared import Sharer, ordered
from pipeport.contract import _arrays as hook

# Natives that always give an array: the way into them.
ALWAYS = frozenset({"numpy.array"})

_inside: contextvars.ContextVar[bool] = contextvars.ContextVar("pipeport_arrays", default=False)


@contextlib.contextmanager
def giving() -> Iterator[None]:
    """Let every native called in the `with` block give arrays.

    Yields
    ------
    None
        Nothing; what was before holds again afterwards.
    """
    token = _inside.set(True)
    try:
        yield
    finally:
        _inside.reset(token)


def _is_array(value: Any) -> bool:
    return hasattr(type(value), "__pipeport_operand__")


def _holds(value: Any) -> bool:
    if type(value) in (list, tuple, Shape):
        return any(_holds(one) for one in value)
    if type(value) is dict:
        return any(_holds(one) for one in value.values())
    return _is_array(value)


def _first(values: Any) -> Any:
    return next((value for value in values if _is_array(value)), None)


def opened(value: Any) -> Any:
    """Return nested lists, tuples and dictionaries with tensors in the place of arrays."""
    if not _holds(value):
        return value
    if type(value) in (tuple, Shape):
        return tuple(opened(one) for one in value)
    if type(value) is list:
        return [opened(one) for one in value]
    if type(value) is dict:
        return {name: opened(one) for name, one in value.items()}
    return value._values


def closed(value: Any, sharer: Sharer | None = None) -> Any:
    """Return nested results with arrays in the place of tensors of numbers.

    `value`: a native's result; what is not a tensor stays. `sharer`: knows the array of which the results are
    views in NumPy.
    """
    return _closed(value, sharer, ())


def _closed(value: Any, sharer: Sharer | None, path: tuple[Any, ...]) -> Any:
    if type(value) in (list, tuple):
        return type(value)(_closed(one, sharer, (*path, at)) for at, one in enumerate(value))
    if type(value) is dict:
        return {name: _closed(one, sharer, (*path, name)) for name, one in value.items()}
    if not isinstance(value, tf.Tensor) or not (
        value.dtype.is_bool or value.dtype.is_integer or value.dtype.is_floating or value.dtype.is_complex
    ):
        return value
    return fresh(value) if sharer is None else sharer.array(value, path)


def call(
    reference: str, function: Callable[..., Any], args: Any, kwargs: Any, view_of: str | None = None
) -> Any:
    """Call a native, with arrays in and out where that is decided.

    `view_of`: {'first', 'each', 'itself'} or None.
    """
    given = _holds(list(args)) or _holds(kwargs)
    if not given and not _inside.get() and reference not in ALWAYS:
        return function(*args, **kwargs)
    run = _on_tensors(function)
    tensors, named = tuple(opened(one) for one in args), opened(kwargs)
    heeds = hasattr(function, "__pipeport_accepts_ndarray__")
    found = _adopted(run(*args, **kwargs) if heeds else run(*tensors, **named))
    if not given:
        made = closed(found)
    elif view_of == "each":
        bases = args or tuple(kwargs.get("arys", ()))
        rows = [found] if len(bases) == 1 else found
        parts = [
            closed(row, _sharer(reference, run, (base,), {}, (opened(base),), {}))
            for row, base in zip(rows, bases, strict=True)
        ]
        made = parts[0] if len(bases) == 1 else tuple(parts)
    elif view_of == "itself":
        pairs = zip((*args, *kwargs.values()), (*tensors, *named.values()), strict=True)
        made = next((one for one, tensor in pairs if _is_array(one) and tensor is found), None)
        made = closed(found) if made is None else made
    else:
        # `numpy.array` does as `asarray` where a copy is not asked for.
        shares = view_of or (reference == "numpy.array" and kwargs.get("copy", True) is None)
        sharer = _sharer(reference, run, args, kwargs, tensors, named) if shares else None
        made = closed(found if sharer is None else opened(found), sharer)
    return ordered(reference, made, args, kwargs)


def _on_tensors(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function whose natives call each other with tensors."""

    def run(*args: Any, **kwargs: Any) -> Any:
        token = _inside.set(False)
        try:
            return function(*args, **kwargs)
        finally:
            _inside.reset(token)

    return run


def _sharer(
    reference: str, run: Callable[..., Any], args: Any, kwargs: Any, tensors: Any, named: Any
) -> Sharer | None:
    """Return the track of the first array argument, of which the results are views."""
    places = [*enumerate(args), *kwargs.items()]
    base = next(((at, one) for at, one in places if _is_array(one)), None)
    return None if base is None else Sharer(reference, run, tensors, named, *base)


def _adopted(value: Any) -> Any:
    """Return results with a storage, which arrays that TensorFlow's functions gave have not."""
    if type(value) in (list, tuple):
        return type(value)(_adopted(one) for one in value)
    if not _is_array(value) or _sharing.track_of(value) is not None:
        return value
    return fresh(value._values, weak=value.weak)


hook.install(call)


def body(function: Callable[..., Any]) -> Callable[..., Any]:
    """Run a function written for NumPy on arrays: `Dataset.map(body(augment))`.

    Its imports must name mirrors (`import pipeport.numpy as np`). Tensors and NumPy arrays it is given
    arrive as arrays, natives it calls give arrays, and its results leave as tensors, of NumPy's dtypes.

    Parameters
    ----------
    function : callable
        Takes and gives arrays, or nested tuples, lists and dictionaries of them.

    Returns
    -------
    callable
        Takes tensors and gives tensors.

    Examples
    --------
    >>> import numpy as np
    >>> from pipeport.arrays import body
    >>> @body
    ... def standardise(image):
    ...     image = image.astype("float32") / 255
    ...     return (image - image.mean()) / image.std()
    >>> standardise(np.arange(12, dtype=np.uint8)).dtype
    tf.float32
    """

    @functools.wraps(function)
    def on_arrays(*args: Any, **kwargs: Any) -> Any:
        args, kwargs = entered(args), entered(kwargs)
        with giving():
            found = function(*args, **kwargs)
        return opened(found)

    return on_arrays


def entered(value: Any, *, apart: bool = False) -> Any:
    """Return nested arguments with arrays in the place of tensors and NumPy arrays.

    `value`: an argument of a function written for NumPy. `apart`: whether arrays get elements of their own,
    so that the caller's are never written to.
    """
    if type(value) in (list, tuple):
        return type(value)(entered(one, apart=apart) for one in value)
    if type(value) is dict:
        return {name: entered(one, apart=apart) for name, one in value.items()}
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "biufc":
        value = tf.constant(value)
    if _is_array(value):
        storage = _sharing.storage_of(value)
        if apart or storage is None or not storage.is_of_here():
            return fresh(value._values, weak=value.weak)
    return closed(tf.convert_to_tensor(value) if isinstance(value, tf.Variable) else value)
