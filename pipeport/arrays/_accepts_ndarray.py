"""The mark of natives that take arrays as they are. Apart from all else, so that it leads to nothing."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def accepts_ndarray(function: T) -> T:
    """Mark a native that takes arrays as they are, weak ones too."""
    function.__pipeport_accepts_ndarray__ = True  # type: ignore[attr-defined]
    return function
