"""TensorFlow, imported on first use, so that the catalog, the scanner and `--help` start fast."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
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


class ExecutedBy:
    """Finds a module as everybody does, once, and lets a function of ours execute it.

    `name`: of a module that nobody has imported yet. `run`: takes what executes the module, and the module.
    """

    def __init__(self, name: str, run: Callable[[Callable[[ModuleType], None], ModuleType], None]) -> None:
        self._name, self._run = name, run
        sys.meta_path.insert(0, self)

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None = None,  # noqa: ARG002 - the protocol of `sys.meta_path`
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """Return the module's own spec, whose loader runs the function."""
        if name != self._name:
            return None
        self.leave()
        spec = importlib.util.find_spec(name)
        if spec is None or spec.loader is None:
            return spec
        loader: Any = spec.loader
        execute = loader.exec_module

        def exec_module(module: ModuleType) -> None:
            del loader.exec_module  # the class has its own
            self._run(execute, module)

        loader.exec_module = exec_module
        return spec

    def leave(self) -> None:
        """Look for the module no longer."""
        if self in sys.meta_path:
            sys.meta_path.remove(self)


if TYPE_CHECKING:
    import tensorflow as tf
else:
    tf = LazyModule("tensorflow")

__all__ = ["ExecutedBy", "LazyModule", "tf"]
