"""A report as tables and sentences; nothing here prints."""

from __future__ import annotations

from dataclasses import dataclass

from pipeport.bench._doubts import doubts
from pipeport.bench._results import CaseResult, MemoryResult, Report, SideResult
from pipeport.bench._statistics import FASTER, SLOWER, Ratio

HEADINGS = ("case", "pipeline", "elements/s", "cores", "native is", "95 % interval", "verdict")
STYLES = {FASTER: "green", SLOWER: "bold red"}
_MIB = 2**20


@dataclass(frozen=True)
class Row:
    """One line of the table; `style` is a colour of the verdict, empty for none."""

    cells: tuple[str, ...]
    style: str = ""
    last: bool = False


def rows(report: Report) -> list[Row]:
    """Return the lines of the main table, case by case, the native first."""
    return [row for result in report.cases for row in _rows_of(result)]


def _rows_of(result: CaseResult) -> list[Row]:
    found = [Row((_title(result), *_side_cells(side), "", "", "")) for side in result.of_kind("native")]
    for side, ratio in result.ratios():
        cells = (*_side_cells(side), *_ratio_cells(ratio))
        found.append(Row(("", *cells), STYLES.get(ratio.verdict, "")))
    for side in result.of_kind("gpu", "roofline"):
        found.append(Row(("", *_side_cells(side), "", "", "")))
    last = found.pop()
    return [*found, Row(last.cells, last.style, last=True)]


def _title(result: CaseResult) -> str:
    return f"{result.case.short_name}\n{result.case.conditions}"


def _side_cells(side: SideResult) -> tuple[str, str, str]:
    name = {"native": "native", "roofline": "pass-through (roofline)"}.get(side.kind, side.name)
    cores = "" if side.cores is None else f"{side.cores:.1f}"
    return name + (" *" if side.differs else ""), f"{side.median:,.0f}", cores


def _ratio_cells(ratio: Ratio) -> tuple[str, str, str]:
    return f"{ratio.ratio:.2f}x", f"{ratio.low:.2f} to {ratio.high:.2f}", ratio.verdict


def remarks(report: Report) -> list[str]:
    """Return what must be read with the table: unlike answers, what is missing, doubts."""
    lines = _other_answers(report.cases)
    for result in report.cases:
        lines += _unlike_answers(result)
        lines += [f"{result.case.short_name}: {note}" for note in result.notes]
    lines = list(dict.fromkeys(lines))
    lines += [f"Left out: {line}" for line in report.left_out]
    lines += doubts(report.cases, report.environment["machine"]["usable_cores"])
    if report.interrupted:
        lines.append("Interrupted: this is what was finished.")
    return lines


def _other_answers(results: list[CaseResult]) -> list[str]:
    """Say once per stock op or peer how its answer differs, and by how much in each case."""
    found: dict[tuple[str, str], list[str]] = {}
    for result in results:
        for side in result.of_kind("stock", "peer"):
            if side.differs:
                by = found.setdefault((side.name, side.differs.rstrip(".")), [])
                if side.largest_difference is not None:
                    by.append(f"{side.largest_difference:.2g} ({result.case.conditions})")
    lines = []
    for (name, differs), by in found.items():
        here = f" Largest difference here: {', '.join(by)}." if by else ""
        lines.append(f"* {name}: its answer differs: {differs}.{here}")
    return lines


def _unlike_answers(result: CaseResult) -> list[str]:
    reference = next(iter(result.of_kind("reference")), None)
    native = result.native
    if reference is None or native is None or native.answer == reference.answer:
        return []
    return [
        f"{result.case.short_name} ({result.case.conditions}): native gave {native.answer}, the reference "
        f"{reference.answer}: not the same work, so the ratio says little."
    ]


def latency_rows(report: Report) -> list[tuple[str, str, str, str]]:
    """Return case, pipeline, first and later latency of the first element, in seconds."""
    found = []
    for result in report.cases:
        for side in result.sides:
            if side.first_element_s:
                later = side.first_element_s[1:]
                rest = f"{min(later):.3f}" if later else ""
                found.append((_title(result), side.name, f"{side.first_element_s[0]:.3f}", rest))
    return found


def memory_rows(memory: list[MemoryResult]) -> list[tuple[str, str, str]]:
    """Return side, MiB above the baseline, and that as a multiple of the reference's."""
    reference = next((entry for entry in memory if entry.kind == "reference"), None)
    return [
        (
            entry.name,
            f"{entry.used_bytes / _MIB:,.0f}",
            f"{entry.used_bytes / reference.used_bytes:.2f}x" if reference else "",
        )
        for entry in memory
    ]


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
