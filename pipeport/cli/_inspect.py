"""`pipeport inspect`: the stages of a dataset, its Python calls, and their cost."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeport.cli import _inspect_target, _output
from pipeport.cli._trace import check_file, progress

if TYPE_CHECKING:
    from pipeport.inspection import Report

_FOUND, _INTERRUPTED = 1, 130


@click.command("inspect")
@click.argument("target", metavar="MODULE:FACTORY")
@click.option("--seconds", type=click.FloatRange(0), help="How long the dataset runs; 0 only looks. [3]")
@click.option("--elements", type=click.IntRange(1), help="At most so many elements in a run.")
@click.option(
    "--explain-service", "service", is_flag=True, help="Can another process run it, and if not, why?"
)
@click.option(
    "--plot",
    "plot_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Draw the time of each stage.",
)
@_output.json_option
def command(
    target: str,
    seconds: float | None,
    elements: int | None,
    service: bool,
    plot_file: Path | None,
    as_json: bool,
) -> int:
    """Show the stages of a dataset, each place where its graph calls Python, and the time of both.

    MODULE is imported from the working folder or the installed packages, and FACTORY, a function without
    arguments that returns a tf.data.Dataset, is called. It may name a dataset or a tf.function too, or be
    the folder of a SavedModel, which is read and not loaded.

    Each boundary (numpy_function, py_function, from_generator) is shown with the Python function behind it,
    and the verdict on that one as in `pipeport scan`.

    The dataset runs for --seconds, and begins again at its end: its functions are called, its caches are
    filled. Python is timed inside each boundary. What a migration would buy takes as long again for each
    function: the dataset runs with stored results in its place, and the function runs against
    `pipeport.port` of it, on elements of the dataset. Where TensorFlow (2.15) gives no times of stages, the
    dataset runs as long again, up to each of them.

    With --explain-service, another process is handed the graph of the dataset and takes its first element,
    as tf.data service would.

    Exit codes: 0 no boundary found, 1 boundaries found, 2 a mistake in the call, 130 interrupted: what was
    measured until then is shown.

    \b
    pipeport inspect train:make_dataset
    pipeport inspect --seconds 10 --json train:make_dataset
    pipeport inspect --seconds 0 train:make_dataset
    pipeport inspect saved/model
    """  # noqa: D301 - click's mark for lines that stay as they are
    if plot_file is not None and seconds == 0:
        raise click.UsageError("--plot: with --seconds 0 there are no times to draw.")
    check_file(plot_file)
    # With --json, what the user's module prints must not stand in the answer.
    with contextlib.redirect_stdout(sys.stderr) if as_json else contextlib.nullcontext():
        found = _inspect_target.resolved(target)
        from pipeport.inspection import inspect

        with progress(target) as tell:
            report = inspect(found, seconds=seconds, elements=elements, service=service, watch=tell)
    report.name = target
    if as_json:
        _output.write_json(report.as_dict())
    else:
        show(report)
    _draw(report, plot_file)
    if report.run is not None and report.run.interrupted:
        return _INTERRUPTED
    return _FOUND if report.boundaries else 0


def _draw(report: Report, plot_file: Path | None) -> None:
    if plot_file is None:
        return
    console = _output.progress_console()
    if report.run is None or report.run.measured_by is None:
        console.print(f"Not drawn: {plot_file}, for no stage was measured.", markup=False)
        return
    from pipeport.inspection._plot import plot

    plot(report, plot_file)
    console.print(f"Drawn: {plot_file}", markup=False)


def show(report: Report) -> None:
    """Print the tables and what is said of each boundary."""
    from pipeport.inspection import _text

    _output.write_bold(report.name)
    _output.write_parts(_text.parts(report))
