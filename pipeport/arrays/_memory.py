"""Arrays whose elements are known while tracing: Python reads and writes them, and the graph gets the end.

A storage that holds a constant of a graph keeps its elements in NumPy's memory, too. What is written there at
known places leaves no operation; a constant is made where an operation of the graph next needs the elements.
So a table that loops fill is made once, while tracing.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays import _making, _sharing
from pipeport.arrays._views import At, Chain

# Elements of a storage that is kept in NumPy's memory, and bytes of the constants that are made of it:
# written to and read by turns it is left to the graph, which else would hold it as often.
_MOST, _MOST_BYTES = 1 << 20, 1 << 24
_KINDS = "biufc"
# Before NumPy 2 numbers of NumPy's promote by their values, arrays of ours never.
BY_DTYPE = np.lib.NumpyVersion(np.__version__) >= "2.0.0"


def known(value: Any) -> Any:
    """Return the values of an array or tensor, or None where known only at run time."""
    tensor = value
    if isinstance(value, _sharing.Tracked):
        if (memory := memory_of(value)) is not None:
            return memory.copy()
        tensor = value._values
    if tf.executing_eagerly() and hasattr(tensor, "numpy"):
        return tensor.numpy()
    return tf.get_static_value(tensor)


def memory_of(array: Any) -> Any:
    """Return the memory with the elements of an array, to be read alone; None where there is none."""
    track = _sharing.track_of(array)
    return None if track is None else _of_track(track)


def _of_track(track: _sharing.Track) -> Any:
    storage = track.storage
    if storage.lost is not None or storage.order is not None or storage.graph is None:
        return None
    if storage.constants > _MOST_BYTES:
        return None
    memory = storage.memory
    if memory is None:
        memory = storage.memory = _of_tensor(storage.tensor)
    return memory if memory is None or track.chain is None else track.chain.known(memory)


def _of_tensor(tensor: Any) -> Any:
    if hasattr(tensor, "numpy") or tensor.op.type not in ("Const", "Fill"):
        return None
    if (tensor.shape.num_elements() or 0) > _MOST:
        return None
    if np.dtype(tensor.dtype.as_numpy_dtype).kind not in _KINDS:
        return None
    found = tf.get_static_value(tensor)
    return None if found is None else np.array(found)


def number_at(array: Any, key: Any) -> Any:
    """Return `array[key]` as NumPy's number where it is one and known; else None."""
    found = _taken(array, key)
    return found if isinstance(found, np.generic) else None


def view_at(array: Any, key: Any) -> Any:
    """Return `array[key]` where it is a view of known elements, not read yet; else None."""
    found = _taken(array, key)
    if not isinstance(found, np.ndarray) or not found.ndim:
        return None
    return _making.unread_view(array, Chain(array._track.chain, At(key)))


def _taken(array: Any, key: Any) -> Any:
    if not BY_DTYPE or tf.executing_eagerly() or _sharing.is_of_tensorflow(array) or not _is_basic(key):
        return None
    memory = memory_of(array)
    try:
        return None if memory is None else memory[key]
    except IndexError:  # said by the other way
        return None


def written(track: _sharing.Track, key: Any, value: Any) -> bool:
    """Write to known elements of an array, if all of it is known; say whether.

    `track`: of the array, which may be written to.
    """
    storage = track.storage
    if tf.executing_eagerly() or storage.aliases or storage.graph is not _sharing.graph_here():
        return False
    if not BY_DTYPE or not _is_basic(key) or (memory := _of_track(track)) is None:
        return False
    found = _known(value)
    if found is None or (found.dtype.kind == "c" and memory.dtype.kind != "c"):
        return False
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            memory[key] = value if type(value) in (bool, int, float, complex) else found
        except (ArithmeticError, IndexError, TypeError, ValueError, Warning):  # said by the other way
            return False
    storage.touched()
    return True


def _known(value: Any) -> Any:
    """Return a value that is written as NumPy's, or None where known only at run time."""
    if isinstance(value, _sharing.Tracked):
        return memory_of(value)
    if tf.is_tensor(value):
        return _of_tensor(value)
    if isinstance(value, (bool, int, float, complex, np.generic, np.ndarray)):
        found = np.asarray(value)
        return found if found.dtype.kind in _KINDS else None
    return None


def _is_basic(key: Any) -> bool:
    parts = key if type(key) is tuple else (key,)
    return all(
        type(one) is int
        or isinstance(one, np.integer)
        or one is Ellipsis
        or one is None
        or (isinstance(one, slice) and all(_is_bound(part) for part in (one.start, one.stop, one.step)))
        for one in parts
    )


def _is_bound(value: Any) -> bool:
    return value is None or type(value) is int or isinstance(value, np.integer)
