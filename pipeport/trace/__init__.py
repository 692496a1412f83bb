"""Cost and gain of `tf.function` for your own function: tracing, retracing, eager, graph and XLA.

Importing this package loads neither TensorFlow nor NumPy.
"""

from __future__ import annotations

import importlib
from typing import Any

_PLACES = {
    "Report": "pipeport.trace._report",
    "measure": "pipeport.trace._measure",
    "watch": "pipeport.trace._watch",
}

__all__ = list(_PLACES)


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        return getattr(importlib.import_module(_PLACES[name]), name)
    raise AttributeError(f"module 'pipeport.trace' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
