"""Branches and rounds of loops that are being traced."""

from __future__ import annotations

import contextlib
import contextvars
from collections.abc import Iterator
from typing import Any

import numpy as np

from pipeport.arrays import _sharing
from pipeport.porting._values import is_array
from pipeport.seeds._ambient import in_part

_depth: contextvars.ContextVar[int] = contextvars.ContextVar("pipeport_depth", default=0)


def depth() -> int:
    """Return in how many symbolic branches and loops the code stands that is being traced."""
    return _depth.get()


@contextlib.contextmanager
def part() -> Iterator[_sharing.Part]:
    """Trace a branch or a round in the `with` block.

    Yields
    ------
    Part
        The storages of outside that are written to; at the end they hold again what they held before.
    """
    token = _depth.set(_depth.get() + 1)
    try:
        with in_part(), _sharing.part() as made:
            yield made
    finally:
        _depth.reset(token)


def storage_to_write(value: Any) -> Any:
    """Return the storage of an array that can be written to, or None of anything else."""
    if not is_array(value) or value.weak:
        return None
    track = _sharing.track_of(value)
    if track is None or (track.storage.tensor.shape.rank == 0 and not track.own):
        return None
    return track.storage


def is_outside(value: Any) -> bool:
    """Say whether a value is an array of NumPy's from outside of the function, or a view of one."""
    storage = _sharing.storage_of(value)
    return isinstance(value, np.ndarray) or (storage is not None and storage.outside)
