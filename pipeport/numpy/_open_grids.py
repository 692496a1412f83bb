"""Coordinates by slices: `mgrid[0:h, 0:w]` and `ogrid[0:h, 0:w]`."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays import _give
from pipeport.arrays._cast import cast
from pipeport.arrays._making import tensors_in
from pipeport.arrays._promotion import common
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.numpy._families import read
from pipeport.numpy._grids import arange, linspace

_Entry = tuple[Any, Any, Any]


def _entries(key: Any) -> list[_Entry]:
    """Return start, stop and step of every slice."""
    found = []
    for one in key if isinstance(key, tuple) else (key,):
        if not isinstance(one, slice):
            allowed, advice = "slices", "Write start:stop, or start:stop:step."
            raise WrongType(explain("key", repr(one), allowed, advice))
        if one.stop is None:
            raise WrongType(explain("key", "a slice without an end", "start:stop", "Say where it ends."))
        found.append((0 if one.start is None else one.start, one.stop, 1 if one.step is None else one.step))
    return found


def _line(start: Any, stop: Any, step: Any) -> Any:
    if isinstance(step, complex):  # so many numbers, the last one too
        return linspace(start, stop, int(abs(step)))
    return arange(start, stop, step)


def _lines(entries: list[_Entry]) -> list[Any]:
    """Return the numbers along each axis, in one dtype."""
    dtypes = []
    for start, stop, step in entries:
        numbers = [read(one, "key") for one in (start, stop)]
        numbers += [read(float(abs(step)) if isinstance(step, complex) else step, "key")]
        dtype, _ = common(numbers)
        if dtype.kind not in "biuf":
            raise WrongType(explain("key", dtype, "real numbers", "Only a step may be complex: a count."))
        dtypes.append(dtype)
    floating = [one for one in dtypes if one.kind == "f"]
    if floating and any(one != np.float64 for one in floating):
        advice = "Cast the drawn number to float64, or to an integer."
        raise UnsupportedArgument(explain("key", floating[0], "integers and float64", advice))
    wanted = np.dtype("float64") if floating else np.dtype("int64")
    return [cast(_line(*one), wanted) for one in entries]


class _Grid:
    """The object that is indexed by slices for coordinates."""

    def __init__(self, name: str, *, sparse: bool) -> None:
        self._name, self._sparse = name, sparse

    def __repr__(self) -> str:
        return f"pipeport.numpy.{self._name}"

    def __getitem__(self, key: Any) -> Any:
        several = isinstance(key, tuple)
        return _give.call(f"numpy.{self._name}", self._built, (_entries(key), several), {})

    def _built(self, entries: list[_Entry], several: bool) -> Any:
        lines = _lines(tensors_in(entries))
        if not several:
            return lines[0]
        if not lines:
            raise OutsideDomain(explain("key", "no slice", "at least one", "Write start:stop."))
        rank = len(lines)
        places = [[-1 if other == axis else 1 for other in range(rank)] for axis in range(rank)]
        apart = [tf.reshape(line, place) for line, place in zip(lines, places, strict=True)]
        if self._sparse:
            return tuple(apart)
        sizes = [tf.size(line) if line.shape[0] is None else line.shape[0] for line in lines]
        return tf.stack([tf.broadcast_to(one, sizes) for one in apart])


mgrid = _Grid("mgrid", sparse=False)
ogrid = _Grid("ogrid", sparse=True)
