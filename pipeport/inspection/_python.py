"""From the token of a boundary to the user's function, and where it is defined and called."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pipeport import _tensorflow_private as private
from pipeport.inspection._report import Boundary
from pipeport.inspection._stages import PYTHON, Found
from pipeport.inspection._text import place
from pipeport.inspection._verdict import judged
from pipeport.porting.frontend._islands import Island
from pipeport.scan._rules import ISLANDS
from pipeport.trace._problems import tensorflow_home
from pipeport.trace._user_code import code_of, is_users, place_in

GONE = (
    "Only the token of its function is known: it was registered in another process, or is gone. "
    "Inspect the dataset where it is made."
)
_GENERATED = "__autograph_generated_file"
_LAYERS = 5


def boundaries(found: Found, graphs: list[Any]) -> list[Boundary]:
    """Return the boundaries of what was found, with their functions.

    `graphs`: in which the operations stand, for the lines that made them. Returns: in the order of `found`.
    """
    places, restored = _places(graphs)
    known = []
    for wrapper, token, stage in dict.fromkeys(found.calls):
        island = users_function(token)
        if isinstance(island, Island):
            known.append(_island(island, wrapper, token, stage))
        elif token in restored:
            known.append(Boundary(wrapper=wrapper, token=token, stage=stage, reason=GONE))
        else:
            known.append(_boundary(wrapper, token, stage, places.get(token)))
    _tell_apart(known)
    return known


def _tell_apart(boundaries: list[Boundary]) -> None:
    """Name those that are named alike by their lines too, and by a number where these are alike."""
    named: dict[str, list[Boundary]] = {}
    for one in boundaries:
        named.setdefault(one.name, []).append(one)
    for name, alike in named.items():
        for number, one in enumerate(alike, 1) if len(alike) > 1 else ():
            one.label = f"{name} ({place(one.file, one.line)})" if one.file else name
            if len({(each.file, each.line) for each in alike}) < len(alike):
                one.label += f", {number} of {len(alike)}"


def _island(island: Island, wrapper: str, token: str, stage: int | None) -> Boundary:
    return Boundary(
        wrapper=wrapper, token=token, stage=stage, function=island.name,
        verdict=ISLANDS, reason="pipeport.port keeps this call in Python: it has no native.", is_island=True,
    )  # fmt: skip


def unknown(found: Found) -> list[Boundary]:
    """Return the boundaries of what another process made."""
    return [
        Boundary(wrapper=wrapper, token=token, stage=stage, reason=GONE)
        for wrapper, token, stage in dict.fromkeys(found.calls)
    ]


def _boundary(wrapper: str, token: str, stage: int | None, called_at: tuple[str, int] | None) -> Boundary:
    boundary = Boundary(wrapper=wrapper, token=token, stage=stage, called_at=called_at)
    function = users_function(token)
    if function is None:
        boundary.reason = GONE
        return boundary
    named = function
    while isinstance(named, functools.partial):
        named = named.func
    name = getattr(named, "__qualname__", None) or type(named).__qualname__
    boundary.function = name.rpartition("<locals>.")[2]
    code = code_of(function)
    if code is not None:
        boundary.file, boundary.line = code.co_filename, code.co_firstlineno
        if _GENERATED in code.co_filename:  # AutoGraph converted the function around it
            boundary.file, boundary.line = called_at or (None, None)
    verdict = judged(function, wrapper)
    boundary.verdict, boundary.reason, boundary.reason_at = verdict
    if boundary.reason_at and not is_users(boundary.reason_at[0]):
        boundary.reason_at = None
    return boundary


def users_function(token: str) -> Any:
    """Return the function of the user behind a token; None where it is not registered."""
    registered = private.python_function(token)
    if registered is None:
        return None
    function = registered
    for _ in range(_LAYERS):
        code = getattr(function, "__code__", None)
        if code is None or not Path(code.co_filename).is_relative_to(tensorflow_home()):
            break
        inner = getattr(function, "__wrapped__", None) or next(_held(function), None)
        if inner is None:
            break
        function = inner
    return function


def _held(function: Any) -> Iterator[Any]:
    """Yield the functions that one of TensorFlow's holds."""
    for cell in getattr(function, "__closure__", None) or ():
        with contextlib.suppress(ValueError):
            value = cell.cell_contents
            value = getattr(value, "_generator", value)
            if callable(value) and not isinstance(value, type) and not hasattr(value, "as_numpy_dtype"):
                yield value


def _places(graphs: list[Any]) -> tuple[dict[str, tuple[str, int]], set[str]]:
    """Return by token where the user's code calls Python, and the tokens that come from a SavedModel.

    Those are numbers of the process that saved it: here they may be other functions'.
    """
    places: dict[str, tuple[str, int]] = {}
    restored: set[str] = set()
    for graph in graphs:
        for operation in graph.get_operations():
            if operation.type not in PYTHON:
                continue
            token = operation.get_attr("token").decode()
            if operation.traceback is None:
                restored.add(token)
            elif frames := place_in(operation.traceback):
                places[token] = frames[-1]
    return places, restored
