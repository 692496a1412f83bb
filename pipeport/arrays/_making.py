"""Arrays made of tensors, and tensors out of arrays."""

from __future__ import annotations

from typing import Any

from pipeport.arrays import _sharing
from pipeport.arrays._shape import Shape


def fresh(tensor: Any, *, weak: bool = False) -> Any:
    """Return a tensor as an array with elements of its own.

    Parameters
    ----------
    tensor : tf.Tensor
        Of bool or a number.
    weak : bool
        Whether it stands for a Python number.

    Returns
    -------
    ndarray
        The array.
    """
    return _make(tensor, weak, _sharing.Track(_sharing.Memory()))


def weak_scalar(tensor: Any) -> Any:
    """Return a scalar tensor as an array that behaves as a Python number."""
    return fresh(tensor, weak=True)


def _make(tensor: Any, weak: bool, track: _sharing.Track | None) -> Any:
    from pipeport.arrays._ndarray import ndarray

    array = object.__new__(ndarray)
    array.__dict__.update(_values=tensor, weak=weak)
    if track is not None:
        object.__setattr__(array, "_track", track)
        track.memory.join(array)
    return array


def view_of(array: Any, tensor: Any, key: Any = None) -> Any:
    """Return a tensor as an array that would share the memory of another.

    Parameters
    ----------
    array : ndarray
        The other; one that came through a boundary gives views that cannot be written to either.
    tensor : tf.Tensor
        The elements.
    key : object
        What it was taken with.

    Returns
    -------
    ndarray
        The view.
    """
    own = _sharing.track_of(array)
    return _make(tensor, False, None if own is None else _sharing.Track(own.memory, array, key))


def tensors_in(value: Any) -> Any:
    """Return nested lists, tuples and slices with tensors in the place of arrays."""
    if isinstance(value, _sharing.Tracked):
        return value._values
    if isinstance(value, slice):
        return slice(tensors_in(value.start), tensors_in(value.stop), tensors_in(value.step))
    if type(value) in (tuple, Shape):
        return tuple(tensors_in(one) for one in value)
    if type(value) is list:
        return [tensors_in(one) for one in value]
    return value
