"""Output of `pipeport verify`: progress, agreements, one counterexample per bug, counts."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from pipeport.cli import _output, _verify_versions

if TYPE_CHECKING:
    from rich.progress import Progress

    from pipeport.contract import Agreement
    from pipeport.verify import CaseRecord, Report

_FINDING, _INTERRUPTED = 1, 130
WIDTH = 80

Records = Any  # a function of a progress callback that gives an iterator of CaseRecord


def run(
    records: Records,
    total: int,
    as_json: bool,
    own: Agreement | None = None,
    passing: Callable[[Sequence[str]], str] | None = None,
) -> int:
    """Run all cases with a progress bar, print what is finished, and return the exit code.

    `own` is the agreement of a user's own pair; None stands for pairs of the catalog. `passing` gives the
    agreement that a pair which failed in some engines would pass with there.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from pipeport.verify import Report
    from pipeport.verify._storage import no_folder_left

    finished: list[CaseRecord] = []
    interrupted, enough = False, ""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = _output.progress_console()
    moving = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    with moving as bar, no_folder_left():
        task = bar.add_task("loading TensorFlow", total=total)
        try:
            for record in records(_advance(bar, task, finished)):
                finished.append(record)
            failed = [record.engine for record in finished if record.failure]
            if passing is not None and failed:
                bar.update(task, description="measuring by how much they differ")
                enough = passing(failed)
        except KeyboardInterrupt:
            interrupted = True
    report = Report(tuple(finished))
    versions = _verify_versions.compared(report, own)
    return show(report, as_json, own, interrupted=interrupted, versions=versions, passing=enough)


def show(
    report: Report,
    as_json: bool,
    own: Agreement | None = None,
    *,
    interrupted: bool = False,
    versions: Sequence[_verify_versions.Compared] = (),
    passing: str = "",
) -> int:
    """Print a report, with the versions that matter, and return the exit code."""
    if as_json:
        named = {one.library.name.lower(): one.to_json() for one in versions}
        measured = {"passing": passing} if passing else {}
        _output.write_json({**report.to_json(), **named, **measured, "interrupted": interrupted})
    else:
        _print(report, own, versions, passing)
        if interrupted:
            _output.complain("Interrupted: the finished cases are above.")
    if report.failed:
        return _FINDING
    return _INTERRUPTED if interrupted else 0


def _advance(bar: Progress, task: Any, finished: list[CaseRecord]) -> Any:
    from pipeport.verify import _text

    def progress(pair: str, engine: str, done: int, wanted: int) -> None:
        bar.update(task, description=f"{_text.short(pair)} {engine}", completed=len(finished) * wanted + done)

    return progress


def _print(
    report: Report, own: Agreement | None, versions: Sequence[_verify_versions.Compared], passing: str
) -> None:
    from pipeport.verify import _text

    if own is None and report.cases:
        _print_table(report.cases)
    lines = [] if own is None else _text.agreed(report.cases, own)
    for line in [*lines, *_text.notes(report.cases)]:
        _paragraph(line)
    if report.failed and (lines or own is None):
        _output.write()
    _print_bugs(report)
    if own is not None:
        _paragraph(_text.allowance(own))
    if passing:
        _paragraph(
            f"With --agreement {passing} these examples pass. That is right only where a threshold, a "
            "rounding or an argmax makes much of an allowed difference."
        )
    for one in versions:
        if not one.agree:
            _paragraph(one.notice())
    _paragraph(_text.counts(report))


def _paragraph(text: str) -> None:
    """Print a text no wider than the terminal, nor than 80 columns."""
    width = min(WIDTH, _output.console().width)
    inner = "  " + " " * (len(text) - len(text.lstrip()))
    lines = textwrap.wrap(text, width, subsequent_indent=inner, break_on_hyphens=False)
    _output.write("\n".join(lines))


def _print_table(cases: tuple[CaseRecord, ...]) -> None:
    """Print a line per pair and verdict; of a single pair one per dtype."""
    from pipeport.verify import _text

    _paragraph(_text.heading(cases))
    found = _text.table(cases)
    header, rows = list(found.columns), list(found.rows)
    if not rows:
        return
    longest = max(len(row[0]) for row in rows)
    room = _room_for_names(header, rows)
    if longest > room:
        rows = [(*row[:3], row[3].replace(_text.OF_ALLOWED, "")) for row in rows]
        room = _room_for_names(header, rows)
        header[3] += f"\n({_text.OF_ALLOWED.strip()})"
    table = _output.new_table(*header, right=("examples",))
    for name, *row in rows:
        table.add_row(_folded(name, room), *row, style="red" if row[0].endswith("failed") else None)
    _output.console().print(table)


def _room_for_names(header: list[str], rows: list[tuple[str, ...]]) -> int:
    """Return how wide the first column may be: three blanks between columns, three around."""
    others = list(zip(header, *rows, strict=True))[1:]
    return min(WIDTH, _output.console().width) - 3 - sum(max(map(len, column)) + 3 for column in others)


def _folded(name: str, width: int) -> str:
    """Break a dotted name that is too long at its last dot that fits."""
    if len(name) <= width:
        return name
    cut = name.rfind(".", 0, max(width, 0)) + 1
    return f"{name[:cut]}\n {name[cut:]}" if cut else name


def _print_bugs(report: Report) -> None:
    from pipeport.verify import _text
    from pipeport.verify._bugs import bugs_of

    for bug in bugs_of(report.cases):
        _paragraph(_text.failed(bug))
        for line in bug.failure.reason.splitlines():
            _paragraph(f"  {textwrap.shorten(line, 2 * (WIDTH - 6), placeholder=' ...')}")
        _output.write(f"\n{bug.script}" if bug.script else "")  # both leave a blank line
