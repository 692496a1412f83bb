"""Native TensorFlow equivalents of NumPy-based preprocessing, proved and measured."""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

# Resolved on first use: importing pipeport loads neither TensorFlow nor NumPy.
_VERBS = {"batched": "pipeport._batched"}
_MODULES = ("catalog", "config", "errors", "seeds", "verify")

__all__ = ["__version__", *_VERBS, *_MODULES]  # noqa: PLE0604 - names from the two tables


def __getattr__(name: str) -> Any:
    if name in _VERBS:
        return getattr(importlib.import_module(_VERBS[name]), name)
    if name in _MODULES:
        return importlib.import_module(f"pipeport.{name}")
    raise AttributeError(f"module 'pipeport' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
