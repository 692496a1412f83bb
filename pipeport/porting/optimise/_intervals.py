"""Sizes of crops at drawn places: known where the drawn number is known to lie inside."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.porting._values import is_array

_NAME = "_pipeport_interval"
# Draws of whole numbers: the names of their bounds, and how many the last adds: `random.randint` may give it.
_DRAWS = {
    "numpy.random.randint": (("low", "high"), 0),
    "numpy.random.Generator.integers": (("low", "high"), 0),
    "random.randrange": (("start", "stop"), 0),
    "random.randint": (("a", "b"), 1),
}


def note(name: str, result: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Note between which numbers a draw lies, where its bounds are known.

    Parameters
    ----------
    name : str
        Of the draw.
    result : object
        What it gave.
    args, kwargs : tuple, dict
        What it was given.
    """
    if name not in _DRAWS or not is_array(result) or len(args) > 2:
        return
    named, more = _DRAWS[name]
    bounds = dict(zip(named, args, strict=False)) | kwargs
    if not set(bounds) <= {*named, "dtype"}:
        return
    first, last = (bounds.get(one) for one in named)
    low, high = (0, first) if last is None else (first, last)
    if type(low) is int and type(high) is int:
        setattr(result._values, _NAME, (low, high - 1 + more))


def interval_of(tensor: Any) -> tuple[int, int] | None:
    """Return between which numbers a draw lies, or None where that is not known."""
    found: tuple[int, int] | None = getattr(tensor, _NAME, None)
    return found


def size_of(part: Any, length: int | None) -> int | None:
    """Return how long a slice is, from a drawn start to a constant more.

    Parameters
    ----------
    part : slice
        Of the key.
    length : int or None
        Of the axis.

    Returns
    -------
    int or None
        None where it is not known.
    """
    if length is None or part.step not in (None, 1) or not (is_array(part.start) and is_array(part.stop)):
        return None
    start, stop = part.start._values, part.stop._values
    interval = interval_of(start)
    if interval is None or tf.executing_eagerly() or stop.op.type not in ("AddV2", "Add"):
        return None
    left, right = stop.op.inputs
    more = right if left is start else left if right is start else None
    count = None if more is None else tf.get_static_value(more)
    if count is None or interval[0] < 0 or count < 0 or interval[1] + int(count) > length:
        return None
    return int(count)


def state(owner: Any, key: Any, result: Any) -> None:
    """State the sizes of a crop that are known from where it begins.

    Parameters
    ----------
    owner : ndarray
        What the crop is of.
    key : object
        Its key.
    result : ndarray
        The crop.
    """
    if not is_array(result) or tf.executing_eagerly():
        return
    parts = key if isinstance(key, tuple) else (key,)
    sizes = owner._values.shape.as_list() if owner._values.shape.rank is not None else []
    found: list[int | None] = []
    for axis, part in enumerate(parts):
        if part is Ellipsis and axis == len(parts) - 1:
            break
        if not isinstance(part, slice) or axis >= len(sizes):
            return
        found.append(size_of(part, sizes[axis]))
    if any(size is not None for size in found):
        result._values.set_shape([*found, *[None] * (len(sizes) - len(found))])
