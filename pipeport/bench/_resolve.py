"""Import objects by dotted name; an error names what is not installed."""

from __future__ import annotations

import importlib
from typing import Any

from pipeport.errors import NotPorted, explain


def resolve(dotted: str, part: str = "reference") -> Any:
    """Return the object of that dotted name.

    `part`: what it is needed for, for the message.
    """
    parts = dotted.split(".")
    error: Exception | None = None
    for cut in range(len(parts) - 1, 0, -1):
        try:
            found: Any = importlib.import_module(".".join(parts[:cut]))
            for name in parts[cut:]:
                found = getattr(found, name)
        except (ImportError, AttributeError) as failed:
            error = error or failed
        else:
            return found
    raise NotPorted(
        explain(part, f"{dotted} ({error})", "what can be imported here", "Install it to compare.")
    ) from error
