"""A report in words: the rows of its tables and its sentences."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from pipeport._shown import Part, Table

if TYPE_CHECKING:
    from pipeport.inspection._report import Boundary, Figure, Report, Stage

AUTOTUNE = -1
STAGES = ("#", "stage", "parallel", "size", "elements", "ms", "share")
BOUNDARIES = ("#", "boundary", "function", "defined at", "verdict", "ms in Python")
GAINS = ("function", "share of the time", "port", "dataset then", "at most")
_CAN_BE_PARALLEL = ("map", "interleave", "batch")


def stage_rows(report: Report) -> list[tuple[str, ...]]:
    """Return a row for each stage, in the columns of `STAGES`."""
    total = sum(one.seconds or 0.0 for one in report.stages)
    return [_stage(one, total) for one in report.stages]


def _stage(one: Stage, total: float) -> tuple[str, ...]:
    indent = "  " if one.inside is not None else ""
    return (
        str(one.number),
        f"{indent}{one.name}",
        _parallel(one),
        _size(one),
        ", ".join(one.shapes),
        "" if one.seconds is None else ms(one.seconds),
        "" if one.seconds is None or not total else percent(one.seconds / total),
    )


def _parallel(one: Stage) -> str:
    if one.parallelism is None:
        by_itself = "by TensorFlow" if one.made_parallel else "no"
        return by_itself if one.name in _CAN_BE_PARALLEL else ""
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
            one.name,
            place(one.file, one.line),
            one.verdict,
            "" if one.seconds is None else ms(one.seconds),
        )
        for one in report.boundaries
    ]


def ms(seconds: float) -> str:
    """Return seconds as milliseconds, in digits alone."""
    return f"{1e3 * seconds:.3f}"


def percent(share: float) -> str:
    """Return a share of one as whole percents."""
    return f"{100 * share:.0f} %"


def times(value: float) -> str:
    """Return a ratio: '1.52x', or 'any' of an infinite one."""
    return "any" if value == float("inf") else f"{value:.2f}x"


def gain_rows(report: Report) -> list[tuple[str, ...]]:
    """Return a row for each boundary whose share was measured, in the columns of `GAINS`."""
    rows: list[tuple[str, ...]] = []
    for one in report.boundaries:
        gain = one.gain
        if gain is None or gain.share is None:
            continue
        low, high = (f"{100 * end:.0f}" for end in (gain.share.low, gain.share.high))
        share = f"{percent(gain.share.median)} ({low} to {high})"
        at_most = "" if gain.at_most is None else times(gain.at_most.median)
        rows.append((one.name, share, between(gain.speed), between(gain.whole), at_most))
    return rows


def between(figure: Figure | None) -> str:
    """Return a ratio with its interval: '1.52x (1.40 to 1.60)'; empty for None."""
    return "" if figure is None else f"{times(figure.median)} ({figure.low:.2f} to {figure.high:.2f})"


def gain_lines(report: Report) -> list[str]:
    """Explain the columns of `GAINS`, and why some are empty."""
    known = [one for one in report.boundaries if one.gain is not None]
    lines = [f"{one.name}: {one.gain.problem}" for one in known if one.gain and one.gain.problem]
    for one in known:
        if one.gain and one.gain.port_problem:
            lines.append(f"{one.name} is not measured ported. {one.gain.port_problem}")
        elif one.gain and one.gain.differs:
            lines.append(f"{one.name}: its port, as measured, gives other results. {one.gain.differs}")
    if gain_rows(report):
        lines.append(_GAINS)
    return lines


_GAINS = (
    "Share: how much less time the dataset takes where the function is not run and its stored results are "
    "given instead; the boundary stays. Port: its speed against the function in its boundary, each in a map "
    "of its own, on elements of the dataset. The dataset then, with the port and with a function that costs "
    "nothing, by Amdahl's law. Least and most of three rounds in brackets."
)


def place(file: str | None, line: int | None) -> str:
    """Return 'file:line': below the working folder the file relative to it, of a package from its name on."""
    if file is None:
        return ""
    for folder in ("site-packages", "dist-packages"):
        parts = Path(file).parts
        if folder in parts:
            return f"{Path(*parts[parts.index(folder) + 1 :]).as_posix()}:{line}"
    relative = os.path.relpath(file)
    return f"{file if relative.startswith('..') else Path(relative).as_posix()}:{line}"


def reason(one: Boundary) -> str:
    """Return why a boundary has its verdict, with its place where that is another."""
    at = place(*one.reason_at) if one.reason_at and one.reason_at != (one.file, one.line) else ""
    return f"{one.name}: {one.reason}" + (f" ({at})" if at else "")


_BY = {
    "model": "Times are TensorFlow's own, of all threads together, for one element of the dataset.",
    "prefixes": (
        "Times are those of the dataset run up to each stage, less the one before, for one element of the "
        "dataset: TensorFlow's own are not to be had of it."
    ),
}


def run_lines(report: Report) -> list[str]:
    """Return observations of the run, as sentences."""
    run = report.run
    if run is None:
        return []
    passes = "" if run.passes == 1 else f" in {run.passes} passes"
    found = [f"{run.elements} element{'s' * (run.elements != 1)}{passes}"]
    if run.first_s is not None:
        found.append(f"the first after {ms(run.first_s)} ms")
    if run.later_first_s is not None:
        found.append(f"that of later passes after {ms(run.later_first_s)} ms")
    if run.element_s is not None:
        found.append(f"then one in {ms(run.element_s)} ms ({1 / run.element_s:.1f} a second)")
    ended = " Interrupted: this is what was measured until then." if run.interrupted else ""
    lines = [f"Ran: {', '.join(found)}.{ended}"]
    if run.measured_by is not None:
        lines.append(_BY[run.measured_by])
    return lines


def advice_lines(report: Report) -> list[str]:
    """Return a sentence for each advice."""
    lines = []
    for one in report.advice:
        where = "" if one.stage is None else f"stage {one.stage}: "
        lines.append(f"Advice, {where}{one.do}: {one.why}.")
    return lines


def service_lines(report: Report) -> list[str]:
    """Return whether another process can run the dataset, and the obstacle if not."""
    found = report.service
    if found is None:
        return []
    held = ""
    if found.cut:
        held = (
            " It was handed the first elements of the arrays that the graph holds: "
            f"{found.cut / 2**20:.0f} MiB less, which each worker would be sent. Files hold them better."
        )
    if found.possible:
        return [f"Another process can run it, so tf.data service and a SavedModel can.{held}"]
    who = f"To blame: {'; '.join(found.blame)}." if found.blame else "No stage of it calls Python."
    return [
        "Another process cannot run it, so it can neither be served by tf.data service nor be part of a "
        f"SavedModel. {who} It said: {found.said}.{held}"
    ]


def summary(report: Report) -> str:
    """Return the report in one sentence."""
    count = len(report.boundaries)
    if not count:
        return f"{report.name}: no Python found in its graph."
    calls = "one call" if count == 1 else f"{count} calls"
    return f"{report.name}: {calls} of Python in its graph."


def parts(report: Report) -> list[Part]:
    """Return the whole report: its tables, then sentences."""
    return [
        Table(STAGES, stage_rows(report), ("stage", "elements")),
        Table(BOUNDARIES, boundary_rows(report), BOUNDARIES[:-1]),
        Table(GAINS, gain_rows(report), GAINS),
        *map(reason, report.boundaries),
        *gain_lines(report),
        *run_lines(report),
        *advice_lines(report),
        *service_lines(report),
        summary(report),
    ]
