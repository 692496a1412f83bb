"""TensorFlow, imported on first use, so that the catalog, the scanner and `--help` start fast."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any


class LazyModule:
    """Stand in for a module until an attribute of it is asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        # Whoever walks a façade's names (catalog, doctest, inspect) must not load the module.
        if attribute.startswith("__") and attribute != "__version__":
            raise AttributeError(attribute)
        value = getattr(importlib.import_module(self._name), attribute)
        # Cached on the stand-in: later look-ups cost as much as on the module itself.
        self.__dict__[attribute] = value
        return value


if TYPE_CHECKING:
    import tensorflow as tf
else:
    tf = LazyModule("tensorflow")

__all__ = ["LazyModule", "tf"]
