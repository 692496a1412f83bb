"""`np.mgrid`, `np.ogrid`, `np.r_` and `np.c_` of what is known only at run time."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport import numpy
from pipeport.arrays._operators import operand
from pipeport.arrays._promotion import common, number
from pipeport.errors import PortRefused, explain
from pipeport.porting._values import holds_array


def grid(key: Any, *, sparse: bool) -> Any:
    """Return the coordinates of a grid.

    `key`: begin, end and step of each axis; one slice gives one axis. `sparse`: whether each axis has
    coordinates of its own, as of `np.ogrid`. Returns: what NumPy gives.
    """
    axes = key if isinstance(key, tuple) else (key,)
    parts = [part for axis in axes for part in (axis.start, axis.stop, axis.step)]
    if not holds_array(parts):
        return (np.ogrid if sparse else np.mgrid)[key]
    sides = [operand(abs(part) if isinstance(part, complex) else part) for part in parts]
    dtype, _ = common([number(0), *(side for side in sides if side is not None)])
    if isinstance(key, slice) and not isinstance(key.step, complex):  # of one axis NumPy calls `arange`
        return _row(key)
    rows = [_row(axis).astype(dtype) for axis in axes]
    if isinstance(key, slice):
        return rows[0]
    found = numpy.meshgrid(*rows, indexing="ij", sparse=sparse)
    return tuple(found) if sparse else numpy.stack(found)


def joined(key: Any, *, columns: bool) -> Any:
    """Return arrays, numbers and ranges side by side.

    `key`: those, or one of them. `columns`: whether arrays of one axis are columns, as in `np.c_`. Returns:
    what NumPy gives.
    """
    items = key if isinstance(key, tuple) else (key,)
    if not holds_array([(one.start, one.stop, one.step) if isinstance(one, slice) else one for one in items]):
        return (np.c_ if columns else np.r_)[key]
    if any(isinstance(one, str) for one in items):
        advice = "Write numpy.concatenate or numpy.stack."
        raise PortRefused(explain("index", "a string", "arrays, numbers and slices", advice))
    sides, parts = [], []
    for one in items:
        part = _row(one) if isinstance(one, slice) else numpy.asarray(one)
        side = operand(one)
        sides.append(operand(part) if side is None else side)
        if columns:
            part = part.reshape(-1, 1) if part.ndim < 2 else part
        parts.append(numpy.atleast_1d(part))
    dtype, _ = common([one for one in sides if one is not None])
    return numpy.concatenate([part.astype(dtype) for part in parts], axis=-1 if columns else 0)


def _row(axis: slice) -> Any:
    start = 0 if axis.start is None else axis.start
    if isinstance(axis.step, complex):  # NumPy's way to give the number of coordinates
        return numpy.linspace(start, axis.stop, int(abs(axis.step)))
    return numpy.arange(start, axis.stop, 1 if axis.step is None else axis.step)
