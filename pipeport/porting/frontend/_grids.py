"""`np.mgrid` and `np.ogrid` with numbers known only at run time."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport import numpy
from pipeport.arrays._operators import operand
from pipeport.arrays._promotion import common, number
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
    rows = [_row(axis).astype(dtype) for axis in axes]
    if not isinstance(key, tuple):
        return rows[0]
    found = numpy.meshgrid(*rows, indexing="ij", sparse=sparse)
    return tuple(found) if sparse else numpy.stack(found)


def _row(axis: slice) -> Any:
    start = 0 if axis.start is None else axis.start
    if isinstance(axis.step, complex):  # NumPy's way to give the number of coordinates
        return numpy.linspace(start, axis.stop, int(abs(axis.step)))
    return numpy.arange(start, axis.stop, 1 if axis.step is None else axis.step)
