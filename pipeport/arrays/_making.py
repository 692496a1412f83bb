"""Arrays made of tensors, and tensors out of arrays."""

from __future__ import annotations

import functools
from typing import Any

from pipeport._lazy import LazyModule
from pipeport.arrays import _aliasing, _lines, _sharing
from pipeport.arrays._strides import UNKNOWN, has_strides, is_view_in
from pipeport.arrays._views import Chain

# The class is TensorFlow's and is made on first use; its methods use this module.
_ndarray = LazyModule("pipeport.arrays._ndarray")


def fresh(tensor: Any, *, weak: bool = False) -> Any:
    """Return a tensor as an array with elements of its own.

    `weak`: whether it stands for a Python number.
    """
    return _make(tensor, weak, _sharing.Track(_sharing.Storage(tensor)))


def as_of_tensorflow(array: Any) -> Any:
    """Mark a new array as a tensor where it comes from: operators promote as TensorFlow does."""
    object.__setattr__(array, "_of_tensorflow", True)
    return array


def _like(made: Any, array: Any) -> Any:
    return as_of_tensorflow(made) if _sharing.is_of_tensorflow(array) else made


def weak_scalar(tensor: Any) -> Any:
    """Return a scalar tensor as an array that behaves as a Python number."""
    return fresh(tensor, weak=True)


def _make(tensor: Any, weak: bool, track: _sharing.Track | None) -> Any:
    array = object.__new__(_ndarray.ndarray)
    array.__dict__.update(_values=tensor, weak=weak)
    if track is not None:
        object.__setattr__(array, "_track", track)
        track.storage.join(array)
    return array


def owned(array: Any) -> Any:
    """Return an array for the parameter of a function that was given it.

    `array`: one that was made for the call alone counts no longer among those that are used.
    """
    track = _sharing.track_of(array)
    if track is None or not track.handed:
        return array
    track.storage.leave(array)
    found = _sharing.Track(track.storage, track.chain)
    found.own = track.own
    return _like(_make(array._values, array.weak, found), array)


def view_of(array: Any, tensor: Any, step: Any = None) -> Any:
    """Return a tensor as an array that shares the storage of another.

    `array`: the other; views of one that TensorFlow made cannot be written to. `step`: how they are taken
    from the other; needed unless they are the other's.
    """
    own = _sharing.track_of(array)
    if own is None:
        return _like(_make(tensor, False, None), array)
    if tensor is array._values:
        chain = own.chain
    elif own.chain is not None and (chain := own.chain.joined(step)) is not None:
        tensor = chain.read(own.storage.tensor)
    else:
        chain = Chain(own.chain, step)
    return _like(_make(tensor, False, _sharing.Track(own.storage, chain)), array)


def unread_view(array: Any, chain: Chain) -> Any:
    """Return a view of an array, which reads its elements when they are asked for."""
    made = _make(None, False, _sharing.Track(array._track.storage, chain))
    _sharing.forget(made)
    return made


def number_or_view(made: Any, array: Any) -> Any:
    """Note that an array is a number or shares the memory of another, known only at run time.

    `made`: elements of the other, of unknown rank. Returns: the first, to which nothing is written.
    """
    made._track.own = None
    storage = _sharing.storage_of(array)
    if storage is not None:
        told = f"a number or a view, of an array of unknown rank in {_lines.here()}"
        _aliasing.may_alias(made._track.storage, storage, told)
    return made


def reshaped_of(array: Any, tensor: Any, step: Any, *, contiguous: bool = False) -> Any:
    """Return the elements of an array in the order C: a view of it, or a copy where NumPy makes one.

    `tensor`: its elements in another shape. `contiguous`: whether they must lie without gaps too, as
    `ascontiguousarray` and `ravel` want them. Returns: where it is known only at run time what NumPy does, a
    copy that may be the array.
    """
    own = _sharing.track_of(array)
    if own is None or (tensor is array._values and not contiguous):
        return view_of(array, tensor, step)
    shares = is_view_in(own.storage, own.chain, tensor.shape, contiguous)
    if shares:
        return view_of(array, tensor, step)
    made = fresh(tensor)
    if shares is None:
        told = f"a reshape in {_lines.here()}"
        storage, chain = own.storage, Chain(own.chain, step)
        theirs = made._track.storage
        if storage.order == UNKNOWN:
            _aliasing.may_alias(theirs, storage, told)
        else:
            truth = functools.partial(has_strides, storage, chain, contiguous)
            _aliasing.alias_if(theirs, storage, truth, chain, told)
    return made


def tensors_in(value: Any) -> Any:
    """Return nested lists, tuples and slices with tensors in the place of arrays."""
    if isinstance(value, _sharing.Tracked):
        return value._values
    if isinstance(value, slice):
        return slice(tensors_in(value.start), tensors_in(value.stop), tensors_in(value.step))
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return tuple(tensors_in(one) for one in value)
    if type(value) is list:
        return [tensors_in(one) for one in value]
    return value
