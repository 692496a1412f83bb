"""Output of `pipeport verify`: progress, agreements, one counterexample per bug, counts."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pipeport.cli import _output, _verify_versions

if TYPE_CHECKING:
    from rich.progress import Progress

    from pipeport.contract import Agreement
    from pipeport.verify import CaseRecord, Report

_FINDING, _INTERRUPTED = 1, 130
WIDTH = 80
# So many cases are named beside a note that they share.
_NAMED = 3

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
    with Progress(*columns, console=_output.progress_console(), transient=True) as bar, no_folder_left():
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
    def progress(pair: str, engine: str, done: int, wanted: int) -> None:
        bar.update(task, description=f"{_short(pair)} {engine}", completed=len(finished) * wanted + done)

    return progress


def _short(pair: str) -> str:
    return pair.removeprefix("pipeport.")


def _print(
    report: Report, own: Agreement | None, versions: Sequence[_verify_versions.Compared], passing: str
) -> None:
    from pipeport.cli import _verify_text

    if own is None and report.cases:
        _print_table(report.cases)
    lines = [] if own is None else _verify_text.agreed(report.cases, own)
    for line in [*lines, *_notes(report.cases)]:
        _paragraph(line)
    if report.failed and (lines or own is None):
        _output.write()
    _print_bugs(report)
    if own is not None:
        _paragraph(_verify_text.allowance(own))
    if passing:
        _paragraph(
            f"With --agreement {passing} these examples pass. That is right only where a threshold, a "
            "rounding or an argmax makes much of an allowed difference."
        )
    for one in versions:
        if not one.agree:
            _paragraph(one.notice())
    _paragraph(_counts(report))


def _paragraph(text: str) -> None:
    """Print a text no wider than the terminal, nor than 80 columns."""
    width = min(WIDTH, _output.console().width)
    inner = "  " + " " * (len(text) - len(text.lstrip()))
    lines = textwrap.wrap(text, width, subsequent_indent=inner, break_on_hyphens=False)
    _output.write("\n".join(lines))


def _print_table(cases: tuple[CaseRecord, ...]) -> None:
    """Print a line per pair and verdict; of a single pair one per dtype."""
    from pipeport.cli import _verify_text

    pairs = dict.fromkeys(case.pair for case in cases)
    engines = ", ".join(dict.fromkeys(case.engine for case in cases))
    what = _short(cases[0].pair) if len(pairs) == 1 else f"{len(pairs)} pairs"
    _paragraph(f"{what} in {engines}")
    rows = list(_rows_of_dtypes(cases) if len(pairs) == 1 else _rows_of_pairs(cases))
    if not rows:
        return
    header = ["dtype" if len(pairs) == 1 else "pair", "engines", "examples", "worst error"]
    longest = max(len(row[0]) for row in rows)
    room = _room_for_names(header, rows)
    if longest > room:
        rows = [(*row[:3], row[3].replace(_verify_text.OF_ALLOWED, "")) for row in rows]
        room = _room_for_names(header, rows)
        header[3] += f"\n({_verify_text.OF_ALLOWED.strip()})"
    table = _output.new_table(*header, right=("examples",))
    for name, *row in rows:
        table.add_row(_folded(name, room), *row, style="red" if row[0].endswith("failed") else None)
    _output.console().print(table)


def _room_for_names(header: list[str], rows: list[tuple[str, ...]]) -> int:
    """Return how wide the first column may be: three blanks between columns, three around."""
    others = list(zip(header, *rows, strict=True))[1:]
    return min(WIDTH, _output.console().width) - 3 - sum(max(map(len, column)) + 3 for column in others)


def _rows_of_pairs(cases: tuple[CaseRecord, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the rows: pair, how many engines passed, examples, worst error; then how many failed."""
    from pipeport import catalog
    from pipeport.cli import _verify_text

    known = catalog.pairs()
    for pair in dict.fromkeys(case.pair for case in cases):
        own = [case for case in cases if case.pair == pair]
        agreement = known[pair].agreement if pair in known else None
        kinds = {status: [case for case in own if case.status == status] for status in ("passed", "failed")}
        name = _short(pair)
        for status, some in kinds.items():
            if not some:
                continue
            examples = str(sum(case.examples for case in some))
            records = _verify_text.joined(some)
            worst = ""
            if status == "passed" and records:
                most = max(records, key=lambda record: (record.ratio, record.error))
                worst = _verify_text.worst(most, agreement)
            yield name, f"{len(some)} {status}", examples, worst
            name = ""
        if not any(kinds.values()):
            yield name, f"{len(own)} not run", "", ""


def _rows_of_dtypes(cases: tuple[CaseRecord, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the rows of one pair: dtype, how many engines passed, examples, worst error; then what failed."""
    from pipeport import catalog
    from pipeport.cli import _verify_text

    known = catalog.pairs().get(cases[0].pair)
    passed = [case for case in cases if case.status == "passed"]
    for record in _verify_text.joined(passed):
        engines = sum(any(one.dtype == record.dtype for one in case.dtypes) for case in passed)
        worst = _verify_text.worst(record, known.agreement if known else None)
        yield record.dtype or "-", f"{engines} passed", str(record.examples), worst
    failed = [case for case in cases if case.status == "failed"]
    if failed:
        dtypes = ", ".join(dict.fromkeys(case.failure.dtype or "-" for case in failed if case.failure))
        yield dtypes, f"{len(failed)} failed", str(sum(case.examples for case in failed)), ""


def _folded(name: str, width: int) -> str:
    """Break a dotted name that is too long at its last dot that fits."""
    if len(name) <= width:
        return name
    cut = name.rfind(".", 0, max(width, 0)) + 1
    return f"{name[:cut]}\n {name[cut:]}" if cut else name


def _notes(cases: Iterable[CaseRecord]) -> Iterator[str]:
    """Yield notes about cases, each one once."""
    noted: dict[tuple[str, str], dict[str, list[str]]] = {}
    for case in cases:
        if case.note:
            noted.setdefault((case.status, case.note), {}).setdefault(case.pair, []).append(case.engine)
    for (status, note), pairs in noted.items():
        names = [f"{_short(pair)} in {', '.join(engines)}" for pair, engines in pairs.items()]
        more = f"; and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        yield f"{status.capitalize()}: {'; '.join(names[:_NAMED])}{more} ({note})."


def _print_bugs(report: Report) -> None:
    from pipeport.verify._bugs import bugs_of

    for bug in bugs_of(report.cases):
        _paragraph(f"{_short(bug.case.pair)} fails {bug.places} (seed {bug.case.seed})")
        for line in bug.failure.reason.splitlines():
            _paragraph(f"  {textwrap.shorten(line, 2 * (WIDTH - 6), placeholder=' ...')}")
        _output.write(f"\n{bug.script}" if bug.script else "")  # both leave a blank line


def _counts(report: Report) -> str:
    counts = {s: sum(c.status == s for c in report.cases) for s in ("passed", "failed", "not run")}
    examples = sum(case.examples for case in report.cases)
    parts = ", ".join(f"{count} {status}" for status, count in counts.items() if count)
    large, refused = (sum(getattr(case, key) for case in report.cases) for key in ("large", "refused"))
    more = f", {large} of them of large images" if large else ""
    more += f"; besides, both sides refused {refused}" if refused else ""
    cases = f"{len(report.cases)} case{'' if len(report.cases) == 1 else 's'}"
    return f"{cases}: {parts or 'none finished'}; {examples} examples{more}."
