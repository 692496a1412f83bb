"""A key of an array as one entry per axis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeport._lazy import tf


@dataclass(frozen=True)
class Whole:
    """One place of an axis, which goes: a number or a scalar tensor."""

    at: Any


@dataclass(frozen=True)
class Part:
    """A slice: numbers, scalar tensors, and None where NumPy's default counts."""

    start: Any = None
    stop: Any = None
    step: Any = None

    @property
    def has_tensors(self) -> bool:
        """Whether a part of it is known only when the graph runs."""
        return any(tf.is_tensor(one) for one in (self.start, self.stop, self.step))

    @property
    def full(self) -> bool:
        """Whether it takes the whole axis as it is."""
        forward = not tf.is_tensor(self.step) and self.step in (None, 1)
        return forward and self.stop is None and not tf.is_tensor(self.start) and self.start in (None, 0)


@dataclass(frozen=True)
class New:
    """An axis of size 1 that the array does not have."""


@dataclass(frozen=True)
class Rest:
    """The axes not named, where the rank is unknown."""


@dataclass(frozen=True)
class Many:
    """Places of an axis: NumPy's int64, or an integer tensor."""

    index: Any


@dataclass(frozen=True)
class Mask:
    """Bools over one or several axes: NumPy's, or a tensor's."""

    mask: Any

    @property
    def rank(self) -> int:
        """How many axes it covers; one with none covers an axis of size 1 made for it."""
        return len(self.mask.shape)


Entry = Whole | Part | New | Rest | Many | Mask


@dataclass(frozen=True)
class Key:
    """A key that has been read: one entry per axis of the array, and new axes.

    `entries`: the entries. `Rest` stands only where the rank is unknown. `shares`: whether NumPy's result is
    a view of the array. `fronted`: whether the axes of index arrays come first in the result: another entry
    is between them.
    """

    entries: tuple[Entry, ...]
    shares: bool
    fronted: bool

    @property
    def advanced(self) -> bool:
        """Whether there are index arrays or masks."""
        return any(isinstance(one, (Many, Mask)) for one in self.entries)

    @property
    def basic(self) -> tuple[Entry, ...]:
        """The entries without index arrays, whose axes stay whole."""
        found: list[Entry] = []
        for one in self.entries:
            if isinstance(one, Mask):
                found.extend([Part()] * one.rank or [New()])
            else:
                found.append(Part() if isinstance(one, Many) else one)
        return tuple(found)

    @property
    def picks(self) -> list[tuple[int, Many | Mask]]:
        """Index arrays and masks with the axis of what `basic` gives where they begin."""
        found: list[tuple[int, Many | Mask]] = []
        axis = 0
        for one in self.entries:
            if isinstance(one, Mask):
                # An array without axes selects from an axis of size 1 made for it.
                picked = one if one.rank else Mask(one.mask[np.newaxis])
                found.append((axis, picked))
                axis += picked.rank
                continue
            if isinstance(one, Many):
                found.append((axis, one))
            axis += not isinstance(one, Whole)
        return found
