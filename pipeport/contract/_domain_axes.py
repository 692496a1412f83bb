"""Specs of values that go with the axes of an array: axes, shifts, pad widths, one value per axis."""

from __future__ import annotations

from dataclasses import dataclass

from pipeport.contract._domain import Spec


@dataclass(frozen=True, kw_only=True)
class Axes(Spec):
    """Axes of the array parameter `of`.

    Attributes
    ----------
    of : str
        Name of the array parameter.
    none, single, several : bool
        Which forms are drawn: None, one integer, a tuple of distinct integers.
    count : int or None
        Exact length of the tuple form.
    repeats : bool
        Whether the tuple may name one axis twice (as `numpy.roll` allows).
    """

    of: str
    none: bool = False
    single: bool = True
    several: bool = True
    count: int | None = None
    repeats: bool = False


@dataclass(frozen=True, kw_only=True)
class Permutation(Spec):
    """None or a permutation of the axes of `of`, negative axes included."""

    of: str


@dataclass(frozen=True, kw_only=True)
class Shifts(Spec):
    """Shifts to go with the axes in parameter `axes`: one integer, or one per axis."""

    of: str
    axes: str
    low: int = -20
    high: int = 20


@dataclass(frozen=True, kw_only=True)
class PadWidths(Spec):
    """Pad widths for the array `of`, in every form numpy.pad takes."""

    of: str
    high: int = 9


@dataclass(frozen=True, kw_only=True)
class PadValues(Spec):
    """Constant pad values for the array `of`: a scalar, (before, after), or one pair per axis."""

    of: str


@dataclass(frozen=True, kw_only=True)
class PerAxis(Spec):
    """One value of `spec` per axis of the array parameter `of`, or, with `single`, one for all.

    `count` states the number of values outright, for instance 2 for a (width, height).
    """

    spec: Spec
    of: str | None = None
    count: int | None = None
    single: bool = True
