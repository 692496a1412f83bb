"""The one place that decides whether natives give arrays or tensors.

A native gives arrays when it is given one, or inside `giving`; else tensors (`numpy.array` alone always
gives an array). Natives see tensors only, unless they are marked with `heeds_arrays` (see `_heeds`),
because they treat a Python number otherwise than an array.
"""

from __future__ import annotations

import contextlib
import contextvars
import functools
from collections.abc import Callable, Iterator
from typing import Any

from pipeport._lazy import tf
from pipeport.arrays._shape import Shape
from pipeport.contract import _arrays as hook

# Natives whose results are views of their first argument in NumPy, where they have its dtype.
SHARING = frozenset(
    f"numpy.{name}"
    for name in (
        "array_split", "asarray", "ascontiguousarray", "broadcast_to", "dsplit", "expand_dims", "flip",
        "fliplr", "flipud", "hsplit", "moveaxis", "ravel", "reshape", "rollaxis", "rot90", "split",
        "squeeze", "swapaxes", "transpose", "vsplit",
    )
) | {"skimage.util.crop", "skimage.util.view_as_blocks", "skimage.util.view_as_windows"}  # fmt: skip

# Natives that take several arrays by position, and give a view of each.
SHARING_EACH = frozenset({"numpy.atleast_1d", "numpy.atleast_2d", "numpy.atleast_3d"})

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
    """Return nested lists, tuples and dictionaries with tensors in the place of arrays.

    Parameters
    ----------
    value : object
        Anything.

    Returns
    -------
    object
        The same without arrays.
    """
    if not _holds(value):
        return value
    if type(value) in (tuple, Shape):
        return tuple(opened(one) for one in value)
    if type(value) is list:
        return [opened(one) for one in value]
    if type(value) is dict:
        return {name: opened(one) for name, one in value.items()}
    return value._values


def closed(value: Any, base: Any = None) -> Any:
    """Return nested results with arrays in the place of tensors of numbers.

    Parameters
    ----------
    value : object
        A native's result; what is no tensor stays.
    base : object
        The array of which the results are views in NumPy, where they have its dtype: a cast is a copy.

    Returns
    -------
    object
        The same with arrays.
    """
    if type(value) in (list, tuple):
        return type(value)(closed(one, base) for one in value)
    if type(value) is dict:
        return {name: closed(one, base) for name, one in value.items()}
    if not isinstance(value, tf.Tensor) or not (
        value.dtype.is_bool or value.dtype.is_integer or value.dtype.is_floating or value.dtype.is_complex
    ):
        return value
    from pipeport.arrays._making import fresh, view_of

    shares = _is_array(base) and base._values.dtype == value.dtype
    return view_of(base, value) if shares else fresh(value)


def call(reference: str, function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """Call a native, with arrays in and out where that is decided.

    Parameters
    ----------
    reference : str
        Name of what it replaces.
    function : callable
        The native.
    args, kwargs : tuple, dict
        Its arguments.

    Returns
    -------
    object
        Its result.
    """
    given = _holds(list(args)) or _holds(kwargs)
    if not given and not _inside.get() and reference not in ALWAYS:
        return function(*args, **kwargs)
    if reference in SHARING_EACH:
        bases = args or tuple(kwargs.get("arys", ()))
    else:
        bases = (_first((*args, *kwargs.values())) if reference in SHARING else None,)
    if not hasattr(function, "__pipeport_heeds_arrays__"):
        args, kwargs = tuple(opened(one) for one in args), opened(kwargs)
    token = _inside.set(False)  # what natives call among themselves stays tensors
    try:
        found = function(*args, **kwargs)
    finally:
        _inside.reset(token)
    if len(bases) == 1:
        return closed(found, bases[0])
    return tuple(closed(one, base) for one, base in zip(found, bases, strict=True))


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
        args, kwargs = _entered(args), _entered(kwargs)
        with giving():
            found = function(*args, **kwargs)
        return opened(found)

    return on_arrays


def _entered(value: Any) -> Any:
    import numpy as np

    if type(value) in (list, tuple):
        return type(value)(_entered(one) for one in value)
    if type(value) is dict:
        return {name: _entered(one) for name, one in value.items()}
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "biufc":
        value = tf.constant(value)
    return closed(tf.convert_to_tensor(value) if isinstance(value, tf.Variable) else value)
