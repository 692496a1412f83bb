"""What `pipeport verify` prints: progress, the table, counterexamples."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from pipeport.cli import _output

if TYPE_CHECKING:
    from rich.progress import Progress

    from pipeport.verify import CaseRecord, Report

_FINDING, _INTERRUPTED = 1, 130

Records = Any  # a function of a progress callback that gives an iterator of CaseRecord


def run(records: Records, total: int, as_json: bool) -> int:
    """Run all cases with a progress bar, print what is finished, and return the exit code."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from pipeport.verify import Report

    finished: list[CaseRecord] = []
    interrupted = False
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=_output.progress_console(), transient=True) as bar:
        task = bar.add_task("loading TensorFlow", total=total)
        try:
            for record in records(_advance(bar, task, finished)):
                finished.append(record)
        except KeyboardInterrupt:
            interrupted = True
    return show(Report(tuple(finished)), as_json, interrupted=interrupted)


def show(report: Report, as_json: bool, *, interrupted: bool = False) -> int:
    """Print a report and return the exit code."""
    if as_json:
        _output.write_json({**report.to_json(), "interrupted": interrupted})
    else:
        _print(report)
        if interrupted:
            _output.complain("Interrupted: the table holds the cases that were finished.")
    if report.failed:
        return _FINDING
    return _INTERRUPTED if interrupted else 0


def _advance(bar: Progress, task: Any, finished: list[CaseRecord]) -> Any:
    def progress(pair: str, engine: str, done: int, wanted: int) -> None:
        bar.update(task, description=f"{_short(pair)} {engine}", completed=len(finished) * wanted + done)

    return progress


def _short(pair: str) -> str:
    return pair.removeprefix("pipeport.")


def _rows(cases: Iterable[CaseRecord]) -> Iterator[tuple[str, ...]]:
    """Yield the table's rows: pair, engine, dtype, examples, refused, worst error, verdict."""
    for case in cases:
        pair = _short(case.pair)
        verdict = f"{case.status} ({case.note})" if case.note else case.status
        for record in case.dtypes:
            bad = case.failure is not None and case.failure.dtype == record.dtype
            shown = "failed" if bad else "passed" if case.failure else verdict
            worst = "equal" if record.error == 0 else f"{record.error:.2g} ({record.ratio:.0%} of allowed)"
            refused = str(record.refused or "")
            yield (pair, case.engine, record.dtype, str(record.examples), refused, worst, shown)
        seen = {record.dtype for record in case.dtypes}
        if case.failure is not None and case.failure.dtype not in seen:
            yield (pair, case.engine, case.failure.dtype or "-", "0", "", "-", "failed")
        elif not case.dtypes:
            yield (pair, case.engine, "-", "0", "", "-", verdict)


def _print(report: Report) -> None:
    table = _output.new_table(
        *("pair", "engine", "dtype", "examples", "refused", "worst error", "verdict"),
        right=("examples", "refused"),
    )
    before = ""
    for row in _rows(report.cases):
        name = f"{row[0]} {row[1]}"
        table.add_row(*(("", "") if name == before else row[:2]), *row[2:])
        before = name
    _output.console().print(table)
    for case in report.failed:
        if case.failure is not None:
            _output.write(f"{_short(case.pair)} in {case.engine} (seed {case.seed}) failed:")
            _output.write(textwrap.indent(case.failure.reason, "  ") + "\n")
            if case.failure.snippet:
                _output.write(case.failure.snippet)
    counts = {s: sum(c.status == s for c in report.cases) for s in ("passed", "failed", "not run")}
    examples = sum(case.examples for case in report.cases)
    parts = ", ".join(f"{count} {status}" for status, count in counts.items() if count)
    large, refused = (sum(getattr(case, key) for case in report.cases) for key in ("large", "refused"))
    more = f", {large} of them of large images" if large else ""
    more += f"; besides, both sides refused {refused}" if refused else ""
    _output.write(f"{len(report.cases)} cases: {parts or 'none finished'}; {examples} examples{more}.")
