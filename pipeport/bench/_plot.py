"""The ratios of a report as one figure."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeport.bench._report import headline, levels
from pipeport.bench._results import Report
from pipeport.bench._statistics import FASTER, SLOWER, Ratio
from pipeport.errors import OutsideDomain, explain

PROGRAMS = "programs"
# One colour per library that is replaced, `_OTHER` for the rest; the sign tells the verdict.
_COLOURS = {
    "numpy": "tab:blue",
    "skimage": "tab:orange",
    "scipy": "tab:green",
    "cv2": "tab:red",
    "PIL": "tab:purple",
    "tensorflow_addons": "tab:brown",
    "keras": "tab:pink",
    "albumentations": "tab:cyan",
    "idioms": "tab:gray",
    PROGRAMS: "tab:olive",
}
_OTHER = "black"
_SIGNS = {FASTER: "o", SLOWER: "X"}
_NO_DIFFERENCE = "D"
_LINE_INCHES = 0.32
# Beyond so many ratios a picture has a line per pair, beyond so many pairs one per library.
_MOST_LINES = 60
_MOST_PAIRS = 120
# Points of one line lie apart by this share of it, so that neighbours are told from each other.
_APART = 0.618


def plot(report: Report, path: Path, title: str = "") -> None:
    """Draw native / other, sorted, on a logarithmic axis, with the intervals.

    Every ratio has a line; of a long report every pair has one, which holds its cases against the
    function it replaces; of a longer one every library, with a point for the slowest case of each pair.
    `title`: what stands above it, in place of the machine and protocol of the report.
    """
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.ticker import LogLocator, NullFormatter

    lines, crowded = _lines(report)
    if not lines:
        raise OutsideDomain(
            explain("report", "no ratio", "at least one finished case", "Measure some cases first.")
        )
    check_suffix(path)
    inches = _LINE_INCHES * (2 if crowded else 1)
    figure = Figure(figsize=(11, 1.6 + inches * len(lines)), layout="constrained")
    FigureCanvasAgg(figure)
    axes: Any = figure.subplots()
    for position, line in enumerate(lines):
        for number, ratio in enumerate(line.ratios):
            bar = [[max(0.0, ratio.ratio - ratio.low)], [max(0.0, ratio.high - ratio.ratio)]]
            axes.errorbar(
                ratio.ratio,
                position + (0.7 * (number * _APART % 1 - 0.5) if crowded else 0),
                xerr=None if crowded else bar,
                fmt=_SIGNS.get(ratio.verdict, _NO_DIFFERENCE),
                markersize=4 if crowded else 5,
                capsize=3,
                color=_COLOURS.get(line.library, _OTHER),
            )
    _legend(axes, {line.library for line in lines})
    axes.axvline(1.0, color="black", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_yticks(range(len(lines)), [line.label for line in lines], fontsize=8)
    axes.set_ylim(-0.7, len(lines) - 0.3)
    bars = " and ".join(levels(report))
    says = f"; bars: {bars} interval" if bars and not crowded else ""
    axes.set_xlabel(f"native / other: right of 1, native is faster{says}", fontsize=8)
    figure.suptitle(title or headline(report), fontsize=8, wrap=True)
    axes.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}x")
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.tick_params(axis="x", labelsize=8)
    axes.grid(axis="x", which="both", linewidth=0.3)
    # The same report gives the same file, so that a committed picture changes where its figures do.
    vector = {"metadata": {"Date": None}} if path.suffix.lower() == ".svg" else {}
    with rc_context({"svg.hashsalt": "pipeport"}):
        figure.savefig(path, dpi=120, **vector)


@dataclass(frozen=True)
class Line:
    """One line of the picture: a label and what is drawn on it."""

    label: str
    library: str
    ratios: tuple[Ratio, ...]

    @property
    def mean(self) -> float:
        """Geometric mean."""
        return statistics.geometric_mean(ratio.ratio for ratio in self.ratios)


def _lines(report: Report) -> tuple[list[Line], bool]:
    """Return the lines, the slowest first, and whether they are crowded: a point per pair, without bars."""
    entries = [(result, side, ratio) for result in report.cases for side, ratio in result.ratios()]
    found = [
        Line(
            f"{result.case.short_name} ({result.case.conditions}) / {side.name}",
            library_of(result.case.pair) if result.case.pair else PROGRAMS,
            (ratio,),
        )
        for result, side, ratio in entries
    ]
    if len(found) > _MOST_LINES:
        of_pair: dict[str, list[Ratio]] = {}
        for result, side, ratio in entries:
            if side.kind == "reference" and result.case.pair:
                of_pair.setdefault(result.case.pair, []).append(ratio)
        found = [
            Line(pair.removeprefix("pipeport."), library_of(pair), tuple(ratios))
            for pair, ratios in of_pair.items()
        ]
    crowded = len(found) > _MOST_PAIRS
    if crowded:
        of_library: dict[str, list[Ratio]] = {}
        for line in found:
            slowest = min(line.ratios, key=lambda ratio: ratio.ratio)
            of_library.setdefault(line.library, []).append(slowest)
        found = [
            Line(f"{library} ({len(ratios)})", library, tuple(ratios))
            for library, ratios in of_library.items()
        ]
    return sorted(found, key=lambda line: line.mean), crowded


def library_of(pair: str) -> str:
    """Return the library a native replaces, from its dotted name."""
    return pair.removeprefix("pipeport.").partition(".")[0]


def _legend(axes: Any, libraries: set[str]) -> None:
    for library in sorted(libraries):
        axes.plot([], [], "s", color=_COLOURS.get(library, _OTHER), label=library)
    for sign, meaning in (
        (_SIGNS[FASTER], FASTER),
        (_NO_DIFFERENCE, "no difference"),
        (_SIGNS[SLOWER], SLOWER),
    ):
        axes.plot([], [], sign, color="black", label=meaning)
    axes.legend(loc="lower right", fontsize=8)


def check_suffix(path: Path) -> None:
    """Refuse a suffix that names no picture format, before anything is measured."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    allowed = sorted(FigureCanvasAgg.get_supported_filetypes())
    if path.suffix.lstrip(".").lower() not in allowed:
        raise OutsideDomain(explain("--plot", path.name, ", ".join(allowed), "For instance ratios.svg."))
