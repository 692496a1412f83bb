"""The verdict on a live function: what `port` makes of its calls, in the terms of `scan`."""

from __future__ import annotations

import linecache
from pathlib import Path
from typing import Any

from pipeport import meanings
from pipeport.errors import PipeportError
from pipeport.inspection._stages import GENERATOR
from pipeport.porting import Row, report
from pipeport.porting._port import calling
from pipeport.porting.frontend._meaning import is_of_library
from pipeport.porting.frontend._source import plain, read
from pipeport.scan._body import Body, Use
from pipeport.scan._boundaries import BoundarySite
from pipeport.scan._module import Module, parsed
from pipeport.scan._resolve import Location, Target
from pipeport.scan._rules import GENERATOR as WHY_GENERATORS
from pipeport.scan._rules import NEVER, UNKNOWN
from pipeport.scan._verdict import judge

Verdict = tuple[str, str, tuple[str, int] | None]
_WORK = (meanings.NATIVE, meanings.DRAW, meanings.TENSORFLOW, meanings.BUILT_IN, meanings.PYTHON)
_REFUSALS = (meanings.NEVER, meanings.ELSEWHERE, meanings.LOG, meanings.CHANGE)


def judged(function: Any, wrapper: str) -> Verdict:
    """Judge a function that Python runs inside a graph.

    Returns: verdict, reason, and where that shows.
    """
    if wrapper == GENERATOR:
        return NEVER, WHY_GENERATORS, None
    try:
        rows = report(calling(function) if is_of_library(function) else function)
    except PipeportError as error:
        return UNKNOWN, str(error), None
    files: dict[str, Module] = {}
    body = _body(rows, files)
    target, module = _target(function, files)
    boundary = BoundarySite(
        module, target.node, wrapper, "call", None, None, None, Location(module, module.top, 0)
    )
    found = judge(boundary, target, body)
    place = (str(found.module.path), found.line) if found.module and found.line else None
    return found.verdict, found.reason, place


def draws(function: Any) -> bool:
    """Say whether a function draws numbers that a seed reaches when it is ported.

    Returns: whether one of its calls is a draw.
    """
    rows = report(calling(function) if is_of_library(function) else function)
    return any(row.kind == meanings.DRAW for row in rows)


def _body(rows: list[Row], files: dict[str, Module]) -> Body:
    """Convert the rows of a report into a body of `scan`."""
    body = Body()
    for row in rows:
        module = _module(row.file, files)
        if not row.refused:
            body.arrays = body.arrays or "." in row.name
            if row.kind in _WORK:
                body.uses.append(Use(row.name, meanings.Meaning(row.kind), module, row.line))
            continue
        known = meanings.meaning(row.name)
        kind = known.kind if known.kind in _REFUSALS else meanings.REFUSED
        use = Use(row.name, meanings.Meaning(kind, advice=known.advice or row.advice), module, row.line)
        if not row.is_call or kind == meanings.CHANGE:
            body.changes.append(use)
        else:
            body.uses.append(use)
    return body


def _module(file: str, files: dict[str, Module]) -> Module:
    if file not in files:
        try:
            files[file] = parsed(Path(file), "".join(linecache.getlines(file)))
        except (SyntaxError, ValueError):  # a notebook's cell with magics
            files[file] = parsed(Path(file), "")
    return files[file]


def _target(function: Any, files: dict[str, Module]) -> tuple[Target, Module]:
    name = getattr(function, "__name__", type(function).__name__)
    try:
        source = read(plain(function)[0])
    except PipeportError:
        return Target("library", name), _module("", files)
    module = _module(source.file, files)
    return Target("function", name, module, source.tree), module
