"""Keys of an array, read as NumPy reads them and checked as far as tracing knows."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._key import Entry, Key, Many, Mask, New, Part, Rest, Whole
from pipeport.errors import BadIndex, OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs.arrays import as_tensor, holds_tensor

_ALLOWED = "whole numbers, slices, `...`, None, and arrays of whole numbers or bools"
_MOST = 2**31 - 1  # as far as a bound of a slice reaches; longer axes do not fit in memory


def _refused(given: str) -> BadIndex:
    return BadIndex(explain("key", given, _ALLOWED, "Cast it to integers first."))


def _integers(tensor: Any) -> Any:
    """Cast an integer tensor to int32 or int64."""
    if tensor.dtype in (tf.int32, tf.int64):
        return tensor
    narrow = tensor.dtype.size < 4
    return tf.cast(tensor, tf.int32 if narrow else tf.int64)


def _bound(value: Any) -> Any:
    """Read one part of a slice."""
    allowed, advice = "whole numbers or None", "Round and cast it first."
    if value is None:
        return None
    if tf.is_tensor(value):
        if not value.dtype.is_integer or value.shape.rank != 0:
            given = f"a slice with a tensor of dtype {value.dtype.name} and shape {value.shape}"
            raise WrongType(explain("key", given, allowed, advice))
        value = tf.convert_to_tensor(value)
        known = tf.get_static_value(value)
        if known is None:
            return _integers(value)
        value = known[()]
    try:
        return max(-_MOST, min(operator.index(value), _MOST))
    except TypeError as error:
        raise WrongType(explain("key", f"a slice with {value!r}", allowed, advice)) from error


def _part(value: slice) -> Part:
    part = Part(_bound(value.start), _bound(value.stop), _bound(value.step))
    if not tf.is_tensor(part.step) and part.step == 0:
        advice = "Give a positive or a negative step."
        raise OutsideDomain(explain("key", "a slice with step 0", "steps other than 0", advice))
    return part


def _of_array(array: Any) -> Entry:
    if array.dtype.kind == "b":
        return Mask(array)
    if array.dtype.kind not in "iu":
        raise _refused(f"an array of dtype {array.dtype}")
    return Many(array.astype(np.int64)) if array.ndim else Whole(int(array))


def _of_tensor(value: Any) -> Entry:
    tensor = as_tensor(value, "key")
    if not (tensor.dtype.is_integer or tensor.dtype.is_bool):
        raise _refused(f"a tensor of dtype {tensor.dtype.name}")
    if tensor.shape.rank is None:
        advice = "State its rank with tf.ensure_shape."
        raise UnsupportedArgument(explain("key", "a tensor of unknown rank", "known ranks", advice))
    known = tf.get_static_value(tensor)
    if known is not None:
        return _of_array(np.asarray(known))
    if tensor.dtype.is_bool:
        return Mask(tensor)
    return Many(_integers(tensor)) if tensor.shape.rank else Whole(_integers(tensor))


def _entry(value: Any) -> Entry:
    if value is None:
        return New()
    if value is Ellipsis:
        return Rest()
    if isinstance(value, slice):
        return _part(value)
    if isinstance(value, (bool, np.bool_)):
        return Mask(np.asarray(value))
    if tf.is_tensor(value) or holds_tensor(value):
        return _of_tensor(value)
    if isinstance(value, (list, tuple)):
        try:
            array = np.asarray(value)
        except ValueError as error:
            raise _refused("ragged nested lists") from error
        return _of_array(array if array.size else array.astype(np.int64))
    if isinstance(value, np.ndarray):
        return _of_array(value)
    try:
        return Whole(operator.index(value))
    except TypeError as error:
        raise _refused(f"{value!r} of type {type(value).__name__}") from error


def _fronted(entries: Sequence[Entry]) -> bool:
    """Whether something else stands between index arrays, to which numbers count beside an array."""
    places = [at for at, one in enumerate(entries) if isinstance(one, (Whole, Many, Mask))]
    return bool(places) and places[-1] - places[0] >= len(places)


def _spelt_out(entries: list[Entry], rank: int) -> list[Entry]:
    """Name every axis."""
    named = sum(
        one.rank if isinstance(one, Mask) else isinstance(one, (Whole, Part, Many)) for one in entries
    )
    if named > rank:
        allowed, advice = f"{rank} at most", "The array has no further axes: name fewer."
        raise BadIndex(explain("key", f"indices for {named} axes", allowed, advice))
    others: list[Entry] = [Part()] * (rank - named)
    at = next((at for at, one in enumerate(entries) if isinstance(one, Rest)), None)
    return [*entries, *others] if at is None else [*entries[:at], *others, *entries[at + 1 :]]


def _beyond(index: int, axis: int, size: int) -> BadIndex:
    allowed = f"{-size} to {size - 1}" if size else "no index, as the axis is empty"
    return BadIndex(explain("key", f"index {index} for axis {axis}", allowed, "Stay inside the axis."))


def _empty(one: Entry) -> bool:
    if isinstance(one, Many):
        return 0 in one.index.shape
    return isinstance(one, Mask) and not tf.is_tensor(one.mask) and not one.mask.any()


def _inside(entries: list[Entry], shape: Any) -> list[Entry]:
    """Check what is known of numbers, arrays and masks, and count known ones from 0."""
    # Where arrays select nothing, NumPy does not look at them.
    nothing = any(_empty(one) for one in entries)
    found: list[Entry] = []
    axis = 0
    for one in entries:
        size = None if isinstance(one, New) or axis >= len(shape) else shape[axis]
        if isinstance(one, Whole) and not tf.is_tensor(one.at):
            if not -_MOST <= one.at <= _MOST or (size is not None and not -size <= one.at < size):
                raise _beyond(one.at, axis, _MOST if size is None else size)
            one = Whole(one.at + size if one.at < 0 and size is not None else one.at)
        elif isinstance(one, Many) and not tf.is_tensor(one.index) and size is not None:
            bad = (one.index < -size) | (one.index >= size)
            if bad.any() and not nothing:
                raise _beyond(int(one.index[bad][0]), axis, size)
            one = Many(np.where(one.index < 0, one.index + size, one.index))
        elif isinstance(one, Mask):
            wanted = shape[axis : axis + one.rank]
            if not wanted.is_compatible_with(one.mask.shape):
                allowed = f"shape {wanted}, that of the axes"
                given = f"a mask of shape {tuple(one.mask.shape)} for axis {axis}"
                raise BadIndex(explain("key", given, allowed, "Give one bool per element."))
            axis += one.rank
        found.append(one)
        axis += isinstance(one, (Whole, Part, Many))
    return found


def parse(key: Any, shape: Any) -> Key:
    """Read a key.

    Returns: the entries, one per axis.
    """
    given = list(key) if isinstance(key, tuple) else [key]
    entries = [_entry(one) for one in given]
    if sum(isinstance(one, Rest) for one in entries) > 1:
        raise BadIndex(explain("key", "`...` twice", "`...` once", "Write `:` for single axes."))
    advanced = any(isinstance(one, (Many, Mask)) for one in entries)
    fronted = advanced and _fronted(entries)
    # NumPy gives a scalar, which is not a view, where every axis is named by a number and no `...` stands.
    arrays = any(isinstance(one, np.ndarray) for one in given)
    whole = len(entries) == shape.rank and all(isinstance(one, Whole) for one in entries)
    shares = not (advanced or arrays or whole)
    if shape.rank is not None:
        entries = _inside(_spelt_out(entries, shape.rank), shape)
    elif advanced:
        advice = "State the rank with tf.ensure_shape."
        raise UnsupportedArgument(explain("key", "arrays for an unknown rank", "numbers and slices", advice))
    elif not any(isinstance(one, Rest) for one in entries):
        entries.append(Rest())
    return Key(tuple(entries), shares, fronted)
