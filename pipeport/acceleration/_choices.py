"""Choices of earlier processes: what a boundary was found to cost, or why it has no native form."""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import json
import os
import types
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pipeport.acceleration._measure import Rate

_FORMAT = 3
# Files kept; the oldest go first.
_MOST = 2000
# Objects looked into, and how deep one may lie in another.
_LARGEST, _DEEPEST = 5000, 24
# Their state changes with each draw, and decides nothing.
_DRAWING = ("numpy.random", "random")


@dataclass(frozen=True)
class Choice:
    """What an earlier process found.

    `refusal`: why there is no native form; empty where there is one. `passes`: iterators that began over it,
    where it was not tried. `fast_start`: whether `native` was measured in a dataset that starts fast.
    """

    refusal: str = ""
    python: Rate | None = None
    native: Rate | None = None
    passes: int = 0
    fast_start: bool = False


class Choices:
    """Choices, one JSON file each; what cannot be read or written is not there.

    `folder`: where they are kept; None keeps nothing.
    """

    def __init__(self, folder: Path | None, *, fresh: bool) -> None:
        self._folder = folder
        self._fresh = fresh

    def find(self, key: str | None) -> Choice | None:
        """Return a choice.

        Returns: None where there is none.
        """
        if self._folder is None or self._fresh or key is None:
            return None
        try:
            found = json.loads((self._folder / f"{key}.json").read_text(encoding="utf-8"))
            python, native = (found[name] and Rate(**found[name]) for name in ("python", "native"))
            passes, fast_start = int(found["passes"]), bool(found["fast_start"])
            return Choice(str(found["refusal"]), python, native, passes, fast_start)
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def keep(self, key: str | None, choice: Choice) -> None:
        """Write a choice; whoever reads meanwhile finds the whole or nothing.

        `choice`: takes the place of an earlier one.
        """
        if self._folder is None or key is None:
            return
        beside = self._folder / f".{key}.{os.getpid()}"
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            beside.write_text(json.dumps(asdict(choice)), encoding="utf-8")
            beside.replace(self._folder / f"{key}.json")
            kept = sorted(self._folder.glob("*.json"), key=lambda one: one.stat().st_mtime)
            for old in kept[:-_MOST]:
                old.unlink(missing_ok=True)


def user_folder() -> Path | None:
    """Return where choices are kept: PIPEPORT_CACHE, else a folder of the user's caches.

    Returns: None where PIPEPORT_CACHE is empty.
    """
    told = os.environ.get("PIPEPORT_CACHE")
    if told is not None:
        return Path(told) / "run" if told else None
    caches = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(caches) if caches else Path.home() / ".cache") / "pipeport" / "run"
    except RuntimeError:  # nobody knows the home
        return None


def key_of(parts: Iterable[Any]) -> str | None:
    """Return what another process finds a choice by.

    `parts`: all that the choice depends on. Returns: None where one holds what no other process can
    recognise.
    """
    seen = itertools.count()
    try:
        text = repr((_FORMAT, [_lasting(one, seen, 0) for one in parts]))
    except Exception:  # an object of the user's may do anything when it is asked
        return None
    return hashlib.sha256(text.encode()).hexdigest()[:32]


class _Passing(Exception):
    """A value that no other process can recognise."""


def _lasting(value: Any, seen: Iterator[int], depth: int) -> Any:
    """Return what is equal for an equal value in another process."""
    if next(seen) > _LARGEST or depth > _DEEPEST:
        raise _Passing

    def inner(one: Any) -> Any:
        return _lasting(one, seen, depth + 1)

    if isinstance(value, np.ndarray) and value.dtype != object:
        data = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()
        return ("array", value.shape, value.dtype.str, data)
    if isinstance(value, (bool, bytes, complex, float, int, str, np.generic, np.dtype, type(None))):
        return (type(value).__name__, repr(value))
    if isinstance(value, dict):
        # Dictionaries that were made from sets have another order in each process.
        return sorted(((inner(name), inner(one)) for name, one in value.items()), key=repr)
    if isinstance(value, (list, tuple)):
        return (type(value).__name__, [inner(one) for one in value])
    if isinstance(value, (set, frozenset)):
        return sorted(repr(inner(one)) for one in value)
    if isinstance(value, (types.FunctionType, types.BuiltinFunctionType, type, np.ufunc)):
        return ("code", getattr(value, "__module__", None), getattr(value, "__qualname__", value.__name__))
    kind = type(value)
    if kind.__module__.startswith(_DRAWING):
        return ("draws", kind.__qualname__)
    if not hasattr(value, "__dict__"):
        raise _Passing
    return (kind.__module__, kind.__qualname__, inner(vars(value)))
