"""Progress messages of a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Step:
    """The next step of a run, for a progress display.

    `case`: the case it belongs to; empty for none. `left_s`: estimate of the time the whole run still takes.
    """

    text: str
    left_s: float
    case: str = ""


Watch = Callable[[Step], None]
Refuse = Callable[[str], None]


def unwatched(_step: Step) -> None:
    """Show nothing."""


def unheard(_message: str) -> None:
    """Say nothing."""
