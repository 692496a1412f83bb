"""A report in words: the rows of its tables and its sentences."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeport.inspection._report import Boundary, Report, Stage

AUTOTUNE = -1
STAGES = ("#", "stage", "parallel", "size", "elements")
BOUNDARIES = ("#", "boundary", "function", "defined at", "verdict")
_SEQUENTIAL_ONLY = ("map", "filter", "interleave", "batch", "flat_map", "map_and_batch")


def stage_rows(report: Report) -> list[tuple[str, ...]]:
    """Return a row for each stage, in the columns of `STAGES`."""
    return [_stage(one) for one in report.stages]


def _stage(one: Stage) -> tuple[str, ...]:
    indent = "  " if one.inside is not None else ""
    return (
        str(one.number),
        f"{indent}{one.name}",
        _parallel(one),
        _size(one),
        ", ".join(one.shapes),
    )


def _parallel(one: Stage) -> str:
    if one.parallelism is None:
        return "no" if one.name in _SEQUENTIAL_ONLY else ""
    return "AUTOTUNE" if one.parallelism == AUTOTUNE else str(one.parallelism)


def _size(one: Stage) -> str:
    if one.batch is not None:
        return str(one.batch)
    if one.buffer is not None:
        return "AUTOTUNE" if one.buffer == AUTOTUNE else str(one.buffer)
    if one.count is not None:
        return "for ever" if one.count == AUTOTUNE and one.name == "repeat" else str(one.count)
    return ""


def boundary_rows(report: Report) -> list[tuple[str, ...]]:
    """Return a row for each boundary, in the columns of `BOUNDARIES`."""
    return [
        (
            "" if one.stage is None else str(one.stage),
            one.wrapper,
            one.function or f"token {one.token}",
            place(one.file, one.line),
            one.verdict,
        )
        for one in report.boundaries
    ]


def place(file: str | None, line: int | None) -> str:
    """Return 'file:line', the file relative to the working folder where it lies below it."""
    if file is None:
        return ""
    relative = os.path.relpath(file)
    return f"{file if relative.startswith('..') else Path(relative).as_posix()}:{line}"


def reason(one: Boundary) -> str:
    """Return why a boundary has its verdict, with its place where that is another."""
    at = place(*one.reason_at) if one.reason_at and one.reason_at != (one.file, one.line) else ""
    name = one.function or f"token {one.token}"
    return f"{name}: {one.reason}" + (f" ({at})" if at else "")


def summary(report: Report) -> str:
    """Return the report in one sentence."""
    count = len(report.boundaries)
    if not count:
        return f"{report.name}: no Python found in its graph."
    calls = "one call" if count == 1 else f"{count} calls"
    return f"{report.name}: {calls} of Python in its graph."


def lines(report: Report) -> list[str]:
    """Return the whole report as plain lines."""
    found: list[str] = []
    for columns, rows in ((STAGES, stage_rows(report)), (BOUNDARIES, boundary_rows(report))):
        if rows:
            found += [*_columns(columns, rows), ""]
    found += [reason(one) for one in report.boundaries]
    return [*found, summary(report)]


def _columns(header: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[at]) for row in (header, *rows)) for at in range(len(header))]
    return ["  ".join(f"{text:<{width}}" for text, width in zip(row, widths, strict=True)).rstrip()
            for row in (header, *rows)]  # fmt: skip
