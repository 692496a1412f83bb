"""Pillow's transform: what each method makes of its data, and how its points are found."""

from __future__ import annotations

import functools
import operator
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import WrongType, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.pillow import _affine as affine
from pipeport.kernels.pillow._affine import AFFINE, EXTENT, PERSPECTIVE, QUAD
from pipeport.kernels.pillow._arguments import real
from pipeport.kernels.pillow._filters import NEAREST
from pipeport.kernels.pillow._modes import premultiplied, straight
from pipeport.kernels.pillow._resample import running
from pipeport.kernels.sampling._coordinates import added
from pipeport.kernels.xla._divide import divided
from pipeport.kernels.xla._rounding import alone

METHODS = "AFFINE 0, EXTENT 1, PERSPECTIVE 2, QUAD 3"
_COUNTS = {AFFINE: 6, EXTENT: 4, PERSPECTIVE: 8, QUAD: 8}


def numbers_of(data: Any, method: int, batched: bool) -> list[Any]:
    """Return the numbers that a method takes: as they were given, or all of them tensors of one dtype.

    `batched`: whether a tensor may have one row per image. Returns: numbers, or tensors of shape () or (B,).
    """
    count = _COUNTS[method]
    if batched and not tf.is_tensor(data) and np.ndim(data) == 2:
        data = tf.convert_to_tensor(data)
    allowed = f"{count} numbers" + ("" if method == EXTENT else " or more")
    if tf.is_tensor(data):
        rank, found = data.shape.rank, None if not data.shape.rank else data.shape[-1]
        wrong = rank not in ((1, 2) if batched else (1,)) or not (
            data.dtype.is_floating or data.dtype.is_integer
        )
        if wrong or (found is not None and not _enough(found, method)):
            given = f"{data.dtype.name} of shape {data.shape}"
            raise WrongType(explain("data", given, allowed, "Cast and reshape it."))
        if found is None:
            data = tf.ensure_shape(data if method == EXTENT else data[..., :count], [*data.shape[:-1], count])
        data = _checks.finite(tf.cast(data, _wide(data.dtype)), "data", "finite numbers")
        known = tf.get_static_value(data)
        return list(known[:count] if known is not None and rank == 1 else tf.unstack(data, axis=-1)[:count])
    try:
        entries = list(data)
    except TypeError as error:
        raise WrongType(explain("data", repr(data), allowed, "Give a tuple.")) from error
    if not _enough(len(entries), method):
        raise WrongType(explain("data", f"{len(entries)} numbers", allowed, "Give a tuple."))
    entries = entries[:count]
    checked = [real(entry, "data") for entry in entries]
    if not any(tf.is_tensor(entry) for entry in checked):
        # As they are: Pillow's Python computes with numbers of NumPy's in their dtype.
        return [tf.get_static_value(entry)[()] if tf.is_tensor(entry) else entry for entry in entries]
    # A Python number takes the dtype of the others.
    dtypes = {np.dtype(e.dtype.name if tf.is_tensor(e) else e.dtype) for e in entries if hasattr(e, "dtype")}
    dtype = tf.float32 if dtypes == {np.dtype(np.float32)} else tf.float64
    return numbers_of(tf.stack([_as_dtype(entry, dtype) for entry in checked]), method, False)


def _as_dtype(number: Any, dtype: Any) -> Any:
    # tf.cast would make a Python number a float32 first.
    return tf.cast(number, dtype) if tf.is_tensor(number) else tf.constant(number, dtype)


def _wide(dtype: Any) -> Any:
    return dtype if dtype == tf.float32 else tf.float64


def _enough(found: int, method: int) -> bool:
    return found == _COUNTS[method] if method == EXTENT else found >= _COUNTS[method]


def _over(number: Any, side: Any) -> Any:
    if not tf.is_tensor(number):
        return number / side if not tf.is_tensor(side) else divided(float(number), side)
    return tf.cast(divided(number, side), number.dtype)


def _times(number: Any, factor: Any) -> Any:
    return alone(number * _as_dtype(factor, number.dtype)) if tf.is_tensor(number) else number * factor


def _total(*terms: Any) -> Any:
    return (
        added(terms) if any(tf.is_tensor(term) for term in terms) else functools.reduce(operator.add, terms)
    )


def _map(numbers: list[Any], method: int, out: tuple[Any, Any]) -> list[Any]:
    """Return the map that a method's numbers stand for, with the operations and dtypes of Pillow's Python."""
    height, width = out
    if method == EXTENT:
        left, upper, right, lower = numbers
        return [_over(right - left, width), 0.0, left, 0.0, _over(lower - upper, height), upper]
    if method != QUAD:
        return numbers
    entries: list[Any] = []
    for axis in (0, 1):
        nw, sw, se, ne = numbers[axis::2]
        across, down = _over(1.0, width), _over(1.0, height)
        bent = _times(_times(_total(se, -sw, -ne, nw), across), down)
        entries += [nw, _times(ne - nw, across), _times(sw - nw, down), bent]
    return entries


def _steps(entries: list[Any], out: tuple[Any, Any], upright: bool) -> tuple[Any, Any]:
    """Return x and y of the output's pixels, the nearest of which Pillow finds by steps that add up."""
    a, b, c, d, e, f = entries
    height, width = out
    if upright:  # x of each column and y of each row
        x, y = running(_total(c, a * 0.5), a, width), running(_total(f, e * 0.5), e, height)
        return _by_image(x[:, np.newaxis]), _by_image(y[np.newaxis])
    x, y = (
        running(running(_total(start, down * 0.5, right * 0.5), down, height), right, width)
        for start, right, down in ((c, a, b), (f, d, e))
    )
    return _by_image(x), _by_image(y)


def _by_image(places: Any) -> Any:
    """Return places (columns, rows) or (columns, rows, B) as (B or 1, rows, columns)."""
    places = places[..., tf.newaxis] if len(places.shape) == 2 else places
    return tf.transpose(places, [2, 1, 0])


def _is_far(entries: list[float], out: tuple[int, int]) -> bool:
    a, b, c, d, e, f = entries
    corners = ((0, 0), (out[1], out[0]), (0, out[0]), (out[1], 0))
    ends = [abs(value) for x, y in corners for value in (x * a + y * b + c, x * d + y * e + f)]
    return not all(end < affine.FIXED for end in ends)  # NaN is far, too


def transformed(
    pixels: Any, mode: str, out: tuple[Any, Any], method: int, numbers: list[Any], resample: int, fill: Any
) -> Any:
    """Return pixels (B, H, W, C) through a map.

    `out`: height and width, integers or scalar int32 tensors. `numbers`: from `numbers_of`. `fill`: shape
    (C,); pixel outside, in the mode's dtype. Returns: shape (B, height, width, C).
    """
    entries = _map(numbers, method, out)
    form = AFFINE if method == EXTENT else method
    static = not any(tf.is_tensor(value) for value in (*entries, *out))
    entries = [tf.cast(entry, tf.float64) if tf.is_tensor(entry) else float(entry) for entry in entries]
    parameters = affine.stacked(entries)
    near = static and form == AFFINE and not _is_far(entries, out)
    places: tuple[Any, ...] = ()
    placed = False
    if resample == NEAREST and form == AFFINE and mode != "I;16":
        b, d = entries[1], entries[3]
        upright = not (tf.is_tensor(b) or tf.is_tensor(d)) and b == d == 0
        placed = upright or (static and not near)
        if placed:
            places = _steps(entries, out, upright)
        elif not static:
            places = tf.cond(
                tf.reduce_any(affine.added_up(parameters, out)),
                lambda: _whole(_steps(tf.unstack(parameters, axis=-1), out, False), parameters, out),
                lambda: _whole((0.0, 0.0), parameters, out),
            )
    plan = affine.Plan(affine.given, resample, near, form, placed)
    alpha = mode == "RGBA" and resample != NEAREST
    source = premultiplied(pixels) if alpha else pixels
    result = affine.warped(plan, source, parameters, tf.constant(np.asarray(fill)), out, places)
    return straight(result) if alpha else result


def _whole(places: tuple[Any, Any], parameters: Any, out: tuple[Any, Any]) -> tuple[Any, Any]:
    shape = [tf.shape(parameters)[0], *out]
    x, y = (tf.broadcast_to(tf.cast(place, tf.float64), shape) for place in places)
    return x, y
