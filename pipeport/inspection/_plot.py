"""The time of each stage as one figure, with the part that Python takes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pipeport.bench._plot import check_suffix as check_suffix
from pipeport.errors import OutsideDomain, explain
from pipeport.inspection._report import Report

_STAGE, _PYTHON = "tab:blue", "tab:orange"
_LINE_INCHES = 0.34
_BY = {"model": "of all threads together", "prefixes": "elapsed, by prefixes of the dataset"}


def plot(report: Report, path: Path) -> None:
    """Draw the stages as bars, the first at the top."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    check_suffix(path)
    if report.run is None or report.run.measured_by is None:
        given = "a report without times of stages"
        raise OutsideDomain(explain("report", given, "one of a dataset that ran", "Let the dataset run."))
    figure = Figure(figsize=(8, 1.4 + _LINE_INCHES * len(report.stages)), layout="constrained")
    FigureCanvasAgg(figure)
    axes: Any = figure.subplots()
    names = [f"{one.number} {one.name}" for one in report.stages]
    axes.barh(names, [1e3 * (one.seconds or 0.0) for one in report.stages], color=_STAGE, label="stage")
    python = [
        1e3 * sum(other.seconds or 0.0 for other in report.boundaries if other.stage == one.number)
        for one in report.stages
    ]
    axes.barh(names, python, height=0.35, color=_PYTHON, label="Python in it")
    axes.invert_yaxis()
    axes.set_xlabel(f"ms for one element of the dataset, {_BY[report.run.measured_by]}", fontsize=8)
    axes.set_title(report.name, fontsize=9)
    axes.tick_params(labelsize=8)
    axes.grid(axis="x", linewidth=0.3)
    axes.legend(fontsize=8)
    # The same report gives the same file.
    vector = {"metadata": {"Date": None}} if path.suffix.lower() == ".svg" else {}
    with rc_context({"svg.hashsalt": "pipeport"}):
        figure.savefig(path, dpi=120, **vector)
