"""Cumulative time against calls, one line per mode."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pipeport.bench._plot import check_suffix as check_suffix
from pipeport.errors import OutsideDomain, explain
from pipeport.trace._arithmetic import cumulative
from pipeport.trace._modes import EAGER, GRAPH, MODES, PYTHON, WORDS, XLA
from pipeport.trace._report import ModeResult, Report
from pipeport.trace._text import headline, seconds

_COLOURS = {PYTHON: "tab:gray", EAGER: "tab:blue", GRAPH: "tab:orange", XLA: "tab:green"}
_COLUMNS, _PANEL_INCHES = 3, (4.2, 3.2)
_FEWEST_CALLS, _MOST_CALLS = 1_000, 10_000_000
_POINTS = 50


def plot(reports: Sequence[Report], path: Path) -> None:
    """Draw every function in a panel of its own, with its break-even points.

    `reports`: at least one of them with a mode that was measured.
    """
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    check_suffix(path)
    drawn = [report for report in reports if any(mode.measured for mode in report.modes)]
    if not drawn:
        raise OutsideDomain(explain("report", "no mode that was measured", "at least one", "Measure first."))
    columns = min(_COLUMNS, len(drawn))
    lines = math.ceil(len(drawn) / columns)
    width, height = _PANEL_INCHES
    figure = Figure(figsize=(max(6.4, width * columns), height * lines + 0.8), layout="constrained")
    FigureCanvasAgg(figure)
    panels: Any = figure.subplots(lines, columns, squeeze=False)
    for axes, report in zip(panels.flat, drawn, strict=False):
        _panel(axes, report)
    for axes in list(panels.flat)[len(drawn) :]:
        axes.set_visible(False)
    _legend(figure, [mode for mode in MODES if any(report.mode(mode) for report in drawn)])
    figure.suptitle(
        f"Time of so many calls in all; dots: from here on it has paid off\n{headline(*drawn)}", fontsize=8
    )
    # The same report gives the same file.
    vector = {"metadata": {"Date": None}} if path.suffix.lower() == ".svg" else {}
    with rc_context({"svg.hashsalt": "pipeport"}):
        figure.savefig(path, dpi=120, **vector)


def _panel(axes: Any, report: Report) -> None:
    """Draw the modes of one function."""
    found = report.comparisons()
    crossings = [one.break_even.calls for one in found if one.break_even.calls]
    most = min(_MOST_CALLS, max(_FEWEST_CALLS, *(10 * calls for calls in crossings), 0))
    calls = np.unique(np.geomspace(1, most, _POINTS).round())
    for result in report.modes:
        if result.measured:
            _line(axes, result, calls)
    for one in found:
        mode = report.mode(one.mode)
        if mode and one.break_even.calls and 1 < one.break_even.calls <= most:
            height = cumulative(mode.first, mode.steady.median, one.break_even.calls)
            axes.plot(one.break_even.calls, height, "o", markersize=4, color=_COLOURS[one.mode])
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_title(report.name, fontsize=9)
    axes.set_xlabel("calls", fontsize=8)
    axes.yaxis.set_major_formatter(lambda value, _: seconds(value))
    axes.tick_params(labelsize=7)
    axes.minorticks_off()
    axes.grid(which="major", linewidth=0.3)


def _line(axes: Any, result: ModeResult, calls: Any) -> None:
    colour, steady = _COLOURS[result.mode], result.steady
    axes.plot(calls, cumulative(result.first, steady.median, calls), color=colour, linewidth=1.4)
    axes.fill_between(
        calls,
        cumulative(result.first, steady.low, calls),
        cumulative(result.first, steady.high, calls),
        color=colour,
        alpha=0.2,
        linewidth=0,
    )


def _legend(figure: Any, modes: Sequence[str]) -> None:
    from matplotlib.lines import Line2D

    lines = [Line2D([], [], color=_COLOURS[mode], label=WORDS[mode]) for mode in modes]
    figure.legend(handles=lines, loc="outside lower center", ncols=len(lines), fontsize=8)
