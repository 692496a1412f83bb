"""Convert the mini-language into specs."""

from __future__ import annotations

from dataclasses import dataclass

from pipeport.contract import Spec


@dataclass(frozen=True)
class Interval:
    """A range of numbers, each end included or left out."""

    low: float
    high: float
    open_low: bool = False
    open_high: bool = False


@dataclass(frozen=True)
class Size:
    """One size of a tensor: fixed (no name) or drawn from a range and shared by its name."""

    name: str | None
    low: int
    high: int


@dataclass(frozen=True, kw_only=True)
class Tensor(Spec):
    """A tensor of the mini-language.

    `sizes`: sizes behind the leading axes. `leading`: whether up to two axes may stand in front.
    """

    dtypes: tuple[str, ...]
    sizes: tuple[Size, ...]
    leading: bool = False
    interval: Interval | None = None
    nan: bool = False
    inf: bool = False

    def unknown_axes(self, rank: int) -> tuple[int, ...]:
        """Return the axes whose size is unknown while tracing: leading and named ones."""
        front = rank - len(self.sizes)
        named = (front + axis for axis, size in enumerate(self.sizes) if size.name is not None)
        return (*range(front), *named)


@dataclass(frozen=True, kw_only=True)
class Number(Spec):
    """A Python int or float of the mini-language."""

    kind: str
    interval: Interval


@dataclass(frozen=True, kw_only=True)
class Text(Spec):
    """A string of the mini-language.

    `choices`: what it may be; any short text where there are none.
    """

    choices: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class File(Spec):
    """A path of the mini-language: of a file that verify writes.

    `holds`: the array in it; None of a text of words.
    """

    format: str
    holds: Tensor | None
