"""What pipeport notes on tensors and graphs of TensorFlow's: in one attribute, which goes when they go.

A table of weak references would keep them: much of what is noted holds the graph that it is noted on.
"""

from __future__ import annotations

import contextlib
from typing import Any

_NAME = "_pipeport_notes"


def notes_on(thing: Any) -> dict[str, Any]:
    """Return the notes on a tensor or a graph, by name; what is added to them stays.

    `thing`: a tensor or a graph; what takes no attribute, as an array of NumPy's, has no notes.
    """
    found: dict[str, Any] | None = getattr(thing, _NAME, None)
    if found is None:
        found = {}
        with contextlib.suppress(AttributeError):
            setattr(thing, _NAME, found)
    return found
