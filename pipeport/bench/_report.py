"""A report as tables and sentences; nothing here prints."""

from __future__ import annotations

import re
import statistics
from dataclasses import dataclass

from pipeport._figures import level
from pipeport.bench._caveats import LARGE_SPREAD, caveats
from pipeport.bench._left_out import FAILURE, OTHER, counts, failures
from pipeport.bench._results import REVISION, CaseResult, MemoryResult, Report, SideResult
from pipeport.bench._statistics import FASTER, SLOWER, Ratio

STYLES = {FASTER: "green", SLOWER: "bold red"}
NOISY, OTHER_ANSWER = "~", "*"
TRAINING_HEADINGS = ("pipeline", "first batch, s", "epochs, s", "then/s", "processor, s", "MiB")
LATENCY_HEADINGS = ("first element, s", "again, s")
_MIB = 2**20


@dataclass(frozen=True)
class Row:
    """One line of a table; `style` is a colour of the verdict, empty for none."""

    cells: tuple[str, ...]
    style: str = ""


@dataclass(frozen=True)
class Block:
    """The lines of one case under its name."""

    title: str
    rows: tuple[Row, ...]


def headings(report: Report) -> tuple[str, ...]:
    """Return the columns of the main table; the level of the intervals in it where all have one."""
    one = levels(report)
    interval = f"{one[0]} interval" if len(one) == 1 else "interval"
    return "pipeline", "elem./s", "cores", "ratio", interval, "verdict"


def levels(report: Report) -> list[str]:
    """Return the levels that the report's intervals have, each once, the lowest first."""
    rounds = {ratio.rounds for result in report.cases for _, ratio in result.ratios()}
    return list(dict.fromkeys(level(count) for count in sorted(rounds) if count > 1))


def blocks(report: Report) -> list[Block]:
    """Return the lines of the main table, case by case, the native first."""
    several = len(levels(report)) > 1
    cores = report.environment["machine"]["usable_cores"]
    return [
        Block(title_of(result), tuple(_rows_of(result, cores, several=several))) for result in report.cases
    ]


def _rows_of(result: CaseResult, usable_cores: int, *, several: bool) -> list[Row]:
    def side_cells(side: SideResult) -> tuple[str, str, str]:
        used = "" if side.cores is None else f"{side.cores:.1f}"
        noisy = NOISY if caveats(side.rounds, usable_cores) else ""
        return label(result, side), f"{noisy}{side.median:,.0f}", used

    found = [Row((*side_cells(side), "", "", "")) for side in result.of_kind("native")]
    for side, ratio in result.ratios():
        cells = (*side_cells(side), *ratio_cells(ratio, several=several))
        found.append(Row(cells, STYLES.get(ratio.verdict, "")))
    found += [Row((*side_cells(side), "", "", "")) for side in result.of_kind("gpu", "roofline")]
    return found


def title_of(result: CaseResult) -> str:
    """Return the name of a case and its conditions."""
    return f"{result.case.short_name}, {result.case.conditions}"


def label(result: CaseResult, side: SideResult) -> str:
    """Return a side's name as it stands under that of its case; a star where its answer differs."""
    name = side.name
    if side.kind == "native" and not result.case.program:
        name = "native"
    elif side.kind == "roofline":
        name = "pass-through (roofline)"
    elif side.kind == "reference":
        name = name.removesuffix(f" + {result.case.short_name}")
    return f"{name} {OTHER_ANSWER}" if _answers_otherwise(result, side) else name


def _answers_otherwise(result: CaseResult, side: SideResult) -> bool:
    """Say whether a side's answer is another: by declaration, or the reference's by dtype or shape."""
    native = result.native
    unlike = side.kind in ("reference", REVISION) and native is not None and side.answer != native.answer
    return bool(side.differs) or unlike


def ratio_cells(ratio: Ratio, *, several: bool) -> tuple[str, str, str]:
    """Return ratio, interval and verdict; `several` says that intervals of several levels are shown."""
    if ratio.rounds == 1:
        return f"{ratio.ratio:.2f}x", "one round", ""
    own = f"{level(ratio.rounds)}: " if several else ""
    return f"{ratio.ratio:.2f}x", f"{own}{ratio.low:.2f} to {ratio.high:.2f}", ratio.verdict


def closing(report: Report) -> list[str]:
    """Return the lines after the tables: time and machine, what was left out, what marks mean."""
    lines = [*_of_trainings(report), _time_and_machine(report)]
    missing = counts(report.left_out)
    if missing:
        reasons = ", ".join(f"{count} {words}" for words, count in missing.items())
        planned = " (--list)" if set(missing) - {FAILURE, OTHER} else ""
        lines.append(f"{sum(missing.values())} left out{planned}: {reasons}.")
    marks = []
    cells = [row.cells for block in blocks(report) for row in block.rows]
    if any(row[1].startswith(NOISY) for row in cells):
        marks.append(f"{NOISY}: rounds over {100 * LARGE_SPREAD:.0f} % apart, unsteady, or a busy machine")
    if any(row[0].endswith(OTHER_ANSWER) for row in cells):
        marks.append(f"{OTHER_ANSWER}: another answer")
    return [*lines, *(["; ".join(marks) + "."] if marks else [])]


def _of_trainings(report: Report) -> list[str]:
    """Return what trainings gain on each side: the mean of all, and each that takes longer than before."""
    found: dict[str, list[tuple[float, str]]] = {}
    for result in report.cases:
        for _, ratio in result.ratios():
            if result.sides[0].trainings:
                name = result.sides[1].name
                found.setdefault(name, []).append((ratio.ratio, result.case.program))
    lines = []
    for name, ratios in found.items():
        mean = statistics.geometric_mean(ratio for ratio, _ in ratios)
        longer = [f"{program} {ratio:.2f}x" for ratio, program in sorted(ratios) if ratio < 1]
        text = f"{name}: {mean:.2f}x in geometric mean of {len(ratios)}"
        lines.append(f"{text}; longer than before: {', '.join(longer)}." if longer else f"{text}.")
    return lines


def _time_and_machine(report: Report) -> str:
    machine, versions = report.environment["machine"], report.environment["versions"]
    took = (
        f"{report.duration_s:.0f} s, {_counted(report.protocol['rounds'], 'round')}, " if report.cases else ""
    )
    return (
        f"{'Interrupted: ' * report.interrupted}{took}{_counted(machine['usable_cores'], 'core')} of "
        f"{re.sub(r'[(](R|TM)[)]', '', machine['cpu'])}, TensorFlow {versions.get('tensorflow', '?')}"
    )


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


def errors(report: Report) -> list[str]:
    """Return errors of measurements and of additional values, each once."""
    notes = [f"{result.case.short_name}: {note}" for result in report.cases for note in result.notes]
    return list(dict.fromkeys([*failures(report.left_out), *notes]))


def latency_headings(report: Report) -> tuple[str, ...]:
    """Return the columns of first elements and of first whole batches, those that are known."""
    elements, batches = _known_firsts(report)
    return "pipeline", *(LATENCY_HEADINGS if elements else ()), *(("first batch, s",) if batches else ())


def training_blocks(report: Report) -> list[Block]:
    """Return per training its medians: each side once, with what became of boundaries beside its name."""
    found: dict[str, tuple[str, dict[str, Row]]] = {}
    for result in report.cases:
        rows = found.setdefault(result.case.program, (title_of(result), {}))[1]
        rows |= {side.name: _training_row(side) for side in result.sides if side.trainings}
    return [Block(title, tuple(rows.values())) for title, rows in found.values() if rows]


def _training_row(side: SideResult) -> Row:
    def median(values: list[float | None]) -> float | None:
        known = [value for value in values if value is not None]
        return statistics.median(known) if known else None

    def text(value: float | None, digits: int) -> str:
        return "" if value is None else f"{value:,.{digits}f}"

    runs = side.trainings
    epochs = zip(*(one.epochs_s for one in runs), strict=True)
    peak = median([one.peak_bytes for one in runs])
    became = f": {runs[-1].boundaries}" if runs[-1].boundaries else ""
    return Row(
        (
            f"{side.name}{became}",
            text(side.first_batch_s, 1),
            " ".join(text(statistics.median(each), 1) for each in epochs),
            text(median([one.steady for one in runs]), 0),
            text(median([one.processor_s for one in runs]), 1),
            text(peak and peak / _MIB, 0),
        )
    )


def _known_firsts(report: Report) -> tuple[bool, bool]:
    """Say whether any first element is known, and whether any first batch is."""
    sides = [side for result in report.cases for side in result.sides if not side.trainings]
    return any(side.first_element_s for side in sides), any(side.first_batch_s is not None for side in sides)


def _seconds(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def latency_blocks(report: Report) -> list[Block]:
    """Return per case the seconds to first elements, the first and the quickest later, and first batches."""
    found = []
    elements, batches = _known_firsts(report)
    for result in report.cases:
        rows = []
        for side in result.sides:
            if side.trainings or (not side.first_element_s and side.first_batch_s is None):
                continue
            times: list[float | None] = []
            if elements:
                times += [next(iter(side.first_element_s), None), min(side.first_element_s[1:], default=None)]
            if batches:
                times.append(side.first_batch_s)
            rows.append(Row((label(result, side), *map(_seconds, times))))
        if rows:
            found.append(Block(title_of(result), tuple(rows)))
    return found


def memory_rows(memory: list[MemoryResult]) -> list[tuple[str, str, str]]:
    """Return side, MiB above the baseline, and that as a multiple of the reference measured before it."""
    found, reference = [], None
    for entry in memory:
        reference = entry if entry.kind == "reference" else reference
        of_reference = f"{entry.used_bytes / reference.used_bytes:.2f}x" if reference else ""
        found.append((entry.name, f"{entry.used_bytes / _MIB:,.0f}", of_reference))
    return found


def headline(report: Report) -> str:
    """Return one line on machine and software."""
    machine, versions = report.environment["machine"], report.environment["versions"]
    threads = report.environment["threads"]["opencv"]
    opencv = "" if threads is None else f", OpenCV on {threads} thread"
    rounds = f"; {report.protocol['rounds']} rounds of {report.protocol['seconds']:g} s"
    measured = f"{rounds}, {report.duration_s:.0f} s in all" if report.cases else ""
    return (
        f"{machine['cpu']}, {machine['usable_cores']} of {machine['cores']} cores, TensorFlow "
        f"{versions.get('tensorflow', '?')}, pipeport {versions['pipeport']}{opencv}{measured}"
    )
