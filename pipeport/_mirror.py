"""Attribute access of a mirrored module: submodules on first use, and near names for a missing one."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
import sys
from collections.abc import Iterator, Mapping
from types import CodeType, ModuleType
from typing import Any


def answer_for(module: str, later: Mapping[str, str] | None = None) -> None:
    """Give a mirrored module its `__getattr__`.

    Modules below it are imported on first use; every other name is an AttributeError that tells the
    nearest names of this mirror. Type checkers do not see it: they go on finding misspelt names.

    `later`: names found in another module, which is imported on first use because that loads TensorFlow.
    """
    elsewhere = later or {}

    def __getattr__(name: str) -> Any:
        # Whoever looks a module over (inspect, copy, doctest) asks for such names: the answer is no, at once.
        if name.startswith("_"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        if name in elsewhere:
            return getattr(importlib.import_module(elsewhere[name]), name)
        if name in _below(module):
            return importlib.import_module(f"{module}.{name}")
        what = f"not ported. {_advice(module, name)}"
        # Python answers `from module import name` with a text of its own, whatever an AttributeError says.
        if _is_import(sys._getframe(1).f_code):
            raise ImportError(f"cannot import name {name!r} from {module!r}: {what}", name=module)
        raise AttributeError(f"module {module!r} has no attribute {name!r}: {what}")

    vars(sys.modules[module])["__getattr__"] = __getattr__


def _is_import(code: CodeType) -> bool:
    """Return whether this is the code of Python's own that serves `from package import name`."""
    return code.co_name == "_handle_fromlist" and code.co_filename.startswith("<frozen importlib")


def _advice(module: str, name: str) -> str:
    places: dict[str, list[str]] = {}
    for found, place in _names(module):
        places.setdefault(found, []).append(f"{place}.{found}")
    near = [full for found in difflib.get_close_matches(name, places) for full in places[found]]
    here = f"Nearest: {', '.join(near[:3])}" if near else f"{module} has {', '.join(_functions(module))}"
    return f"{here}. More: pipeport catalog {module.removeprefix('pipeport.')}"


def _functions(module: str) -> list[str]:
    """Return the functions and classes of a module, or the modules below it where it has none."""
    found = sorted(vars(sys.modules[module]).items())
    return [name for name, value in found if callable(value) and not name.startswith("_")] or _below(module)


def _below(module: str) -> list[str]:
    """Return the public modules right below one."""
    path = getattr(sys.modules[module], "__path__", ())
    return [found.name for found in pkgutil.iter_modules(path) if not found.name.startswith("_")]


def _names(module: str) -> Iterator[tuple[str, str]]:
    """Yield every public name in a module and in those below it, with the module that has it."""
    for name, value in vars(importlib.import_module(module)).items():
        if not (name.startswith("_") or isinstance(value, ModuleType)):
            yield name, module
    for name in _below(module):
        yield name, module
        yield from _names(f"{module}.{name}")
