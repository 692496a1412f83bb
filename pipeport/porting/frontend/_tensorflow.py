"""Calls of TensorFlow's own functions in a ported body: arguments and results.

Where the body ran before, in Python, they were given NumPy's arrays, which they cast to the dtype they need,
and gave tensors, beside which arrays are cast. A ported body has tensors for both.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.arrays import _sharing
from pipeport.arrays._cast import cast
from pipeport.arrays._give import closed as _as_arrays
from pipeport.arrays._give import opened
from pipeport.arrays._making import as_of_tensorflow
from pipeport.errors import explain
from pipeport.porting._values import holds_array, is_array, tensor_of
from pipeport.porting.control._aliases import doubtful
from pipeport.seeds._ambient import in_part


class _Given:
    """An array as TensorFlow takes one of NumPy's: in whatever dtype it asks for."""

    def __init__(self, array: Any, usual: Any) -> None:
        self._values = tensor_of(array)
        self._usual = (
            _usual(array) if usual is None else cast(tensor_of(array), usual)
        )  # where it asks for none

    def __tf_tensor__(self, dtype: Any = None, name: Any = None) -> Any:
        return self._usual if dtype is None else cast(self._values, np.dtype(dtype.as_numpy_dtype))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._values, name)


# In which dtypes TensorFlow takes Python's numbers where it asks for none.
_USUAL = {"b": "bool", "i": "int32", "f": "float32", "c": "complex128"}


def _usual(array: Any, beside: Any = None) -> Any:
    """Return an array as a tensor; one that stands for a number of Python's in TensorFlow's dtype for it."""
    if not array.weak:
        return tensor_of(array)
    return cast(tensor_of(array), beside or np.dtype(_USUAL[array.dtype.kind]))


def converted(value: Any, dtype: Any = None, *_: Any, **__: Any) -> Any:
    """Do what `tf.convert_to_tensor` does."""
    if dtype is None:
        return tf.convert_to_tensor(_together(value))
    wanted = tf.as_dtype(dtype)
    return tf.convert_to_tensor(_in_dtype(value, np.dtype(wanted.as_numpy_dtype)), wanted)


def _in_dtype(value: Any, dtype: Any) -> Any:
    if type(value) in (list, tuple):
        return type(value)(_in_dtype(one, dtype) for one in value)
    tensor = opened(value)
    return cast(tensor, dtype) if tf.is_tensor(tensor) else tensor


def _constant(value: Any, dtype: Any = None, shape: Any = None, name: Any = None) -> Any:
    """Do what `tf.constant` does."""
    if shape is None:
        return converted(value, dtype)
    if not holds_array([value, shape]):
        return tf.constant(value, dtype, shape, name)
    tensor, sizes = converted(value, dtype), opened(shape)
    if not isinstance(sizes, (list, tuple, tf.TensorShape)):  # the size of one axis
        sizes = tf.reshape(sizes, [-1])
    return tf.reshape(tensor, sizes) if tensor.shape.rank else tf.fill(sizes, tensor)


def _central_crop(image: Any, central_fraction: Any) -> Any:
    """Do what `tf.image.central_crop` does where all is known: in a graph it would round the fraction."""
    x, fraction = tf.convert_to_tensor(opened(image)), opened(central_fraction)
    known = tf.get_static_value(fraction) if tf.is_tensor(fraction) else fraction
    sizes = x.shape[-3:-1].as_list() if x.shape.rank in (3, 4) else []
    if not sizes or (known is not None and (None not in sizes or not 0 < known <= 1)):
        return tf.image.central_crop(x, fraction if known is None else known)
    if known is None:
        fraction = cast(fraction, (1.0 * np.ones([], fraction.dtype.as_numpy_dtype)[()]).dtype)
        text = explain("central_fraction", "another number", "above 0, 1 at most", "Clip it: np.clip.")
        inside = tf.debugging.Assert((fraction > 0) & (fraction <= 1), [text, fraction])
        with tf.control_dependencies([inside]):
            fraction = tf.identity(fraction)
    else:
        fraction = tf.constant(np.asarray(1.0 * known))
    shape, bounds = x.shape.as_list(), []
    for at, size in enumerate(sizes, start=x.shape.rank - 3):
        if size is None or known is None:
            size = tf.shape(x)[at]
            whole = tf.cast(size, fraction.dtype)
            start = tf.cast((whole - whole * fraction) / 2, tf.int32)
        else:
            start = int((size - 1.0 * size * known) / 2)
        shape[at] = size - 2 * start if isinstance(size, int) else None
        bounds.append((start, size - start))
    (top, bottom), (left, right) = bounds
    return tf.ensure_shape(x[..., top:bottom, left:right, :], shape)


def _each(original: Any, fn: Any, elems: Any, *args: Any, **kwargs: Any) -> Any:
    """Call `tf.map_fn` or `tf.vectorized_map` with a function that draws anew for each element."""
    elems = opened(elems)
    if any(isinstance(one, tf.RaggedTensor) for one in tf.nest.flatten(elems)):
        return original(fn, elems, *args, **kwargs)
    elems = tf.nest.map_structure(tf.convert_to_tensor, elems)
    stated = args or kwargs.get("dtype") is not None or kwargs.get("fn_output_signature") is not None
    if original is tf.map_fn and not stated:
        kwargs["fn_output_signature"] = tf.nest.map_structure(lambda one: one.dtype, elems)

    def run(pair: Any) -> Any:
        number, element = pair
        with in_part(), seeds.keyed(number):
            return opened(fn(element))

    pairs = tf.range(tf.shape(tf.nest.flatten(elems)[0])[0]), elems
    if original is tf.vectorized_map and tf.executing_eagerly():
        return one_by_one(run, pairs)
    return original(run, pairs, *args, **kwargs)


def one_by_one(fn: Callable[[Any], Any], elems: Any, *_: Any, **__: Any) -> Any:
    """Do what `tf.vectorized_map` does eagerly, in a loop: so draws come one after the other."""
    rows = zip(*map(tf.unstack, tf.nest.flatten(elems)), strict=True)
    found = [fn(tf.nest.pack_sequence_as(elems, row)) for row in rows]
    return tf.nest.map_structure(lambda *parts: tf.stack(parts), *found)


def _table() -> dict[Callable[..., Any], Callable[..., Any]]:
    return {
        tf.convert_to_tensor: converted,
        tf.constant: _constant,
        tf.is_tensor: _sharing.is_of_tensorflow,
        tf.executing_eagerly: lambda: True,
        tf.inside_function: lambda: False,
        tf.image.central_crop: _central_crop,
        tf.map_fn: functools.partial(_each, tf.map_fn),
        tf.vectorized_map: functools.partial(_each, tf.vectorized_map),
    }


def call(function: Any, args: Any, kwargs: Any) -> Any:
    """Call a function of TensorFlow's.

    Parameters
    ----------
    function : callable
        The function.
    args, kwargs : tuple, dict
        Its arguments.

    Returns
    -------
    object
        Its result, with arrays for tensors of numbers, which promote as tensors.
    """
    while isinstance(function, functools.partial):
        function, args, kwargs = function.func, (*function.args, *args), {**function.keywords, **kwargs}
    for one, ours in _table().items():
        if function is one:
            return closed(ours(*args, **kwargs))
    given = [*args, *kwargs.values()]
    arrays = [one for one in given if is_array(one)]
    if len({None if one.weak else one.dtype for one in arrays}) < 2:
        found = function(*map(_together, args), **{name: _together(one) for name, one in kwargs.items()})
    else:
        leads = [one for one in arrays if _sharing.is_of_tensorflow(one)] or arrays[:1]
        found = _with_casts(function, args, kwargs, {one.dtype for one in leads})
    return doubtful(closed(found), given)


def _with_casts(function: Callable[..., Any], args: Any, kwargs: Any, leads: set[Any]) -> Any:
    """Call a function with arrays of several dtypes, some of which it may want in one."""

    def run(dtype: Any) -> Any:
        def give(value: Any) -> Any:
            if not is_array(value) or _sharing.is_of_tensorflow(value):
                return _together(value)
            return _Given(value, dtype)

        return function(*map(give, args), **{name: give(one) for name, one in kwargs.items()})

    failures = (TypeError, ValueError, AttributeError, tf.errors.InvalidArgumentError)
    try:
        return run(None)
    except failures:
        if len(leads) != 1:
            raise
    try:
        # TensorFlow gives NumPy's arrays the dtype of the tensors beside, or else of the first.
        return run(next(iter(leads)))
    except failures as error:
        try:  # it computes with sizes itself
            return function(*map(_together, args), **{name: _together(one) for name, one in kwargs.items()})
        except failures:
            raise error from None


def _together(value: Any) -> Any:
    """Return an argument with tensors for arrays; in a list, those beside a tensor in its dtype."""
    if is_array(value):
        return _usual(value)
    if not isinstance(value, (list, tuple)):
        return opened(value)
    arrays = [one for one in value if is_array(one)]
    leads = [one for one in arrays if _sharing.is_of_tensorflow(one)]
    if leads:
        parts = [cast(tensor_of(one), leads[0].dtype) if is_array(one) else opened(one) for one in value]
    else:
        beside = next((one.dtype for one in arrays if not one.weak), None)
        if any(isinstance(one, float) or (is_array(one) and one.dtype.kind == "f") for one in value):
            beside = beside or np.dtype("float32")
        parts = [_usual(one, beside) if is_array(one) else _together(one) for one in value]
    return type(value)(*parts) if hasattr(value, "_fields") else type(value)(parts)


def closed(value: Any) -> Any:
    """Return nested tensors of numbers as arrays that promote as tensors."""
    found = _as_arrays(value)
    mark(found)
    return found


def key(value: Any) -> Any:
    """Return a key with tensors in the place of arrays, also in slices."""
    if isinstance(value, tuple):
        return tuple(map(key, value))
    if isinstance(value, slice):
        return slice(opened(value.start), opened(value.stop), opened(value.step))
    return opened(value)


def handed(value: Any) -> Any:
    """Return an argument as a `tf.py_function` hands it over: numbers and strings of Python's as tensors."""
    if isinstance(value, dict):
        return {name: handed(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        whole = value and all(map(is_pythons, tf.nest.flatten(value)))
        return tf.constant(value) if whole else type(value)(map(handed, value))
    is_numpys = isinstance(value, (np.ndarray, np.generic))
    return tf.convert_to_tensor(value) if is_numpys or is_pythons(value) else value


def is_pythons(value: Any) -> bool:
    """Say whether a value is a number or a string of Python's."""
    return isinstance(value, (bool, int, float, complex, str, bytes))


def mark(value: Any) -> None:
    """Let new arrays in a nest promote as tensors."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for one in value:
            mark(one)
    elif is_array(value):
        as_of_tensorflow(value)
