"""`pipeport bench`: measure what a migration buys on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pipeport.cli import (
    _bench_against,
    _bench_export,
    _bench_functions,
    _bench_output,
    _bench_suites,
    _output,
)
from pipeport.errors import OutsideDomain, PipeportError, UnsupportedArgument, explain

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeport.bench._plans import Plan
    from pipeport.bench._results import MemoryResult, Report

_FINDING, _MISTAKE, _INTERRUPTED = 1, 2, 130
_FILE = click.Path(dir_okay=False, path_type=Path)
_EXISTING = click.Path(exists=True, dir_okay=False, path_type=Path)
# Options that do not choose what is measured; every other one is an attribute of `Options`.
_OTHERS = (
    "against",
    "compared",
    "elements",
    "exported",
    "json_file",
    "list_suites",
    "memory",
    "only_list",
    "plot_file",
)
_FLAGS = {
    "dtypes": "--dtype",
    "exported": "--export",
    "json_file": "--json",
    "list_suites": "--suites",
    "only_list": "--list",
    "pairs": "names of pairs",
    "plot_file": "--plot",
    "sizes": "--size",
    "unknown_sizes": "--unknown-sizes",
}


@click.command("bench")
@click.argument("pairs", nargs=-1)
@click.option("--quick", is_flag=True, help="About 25 seconds: the headline pair, half-second rounds.")
@click.option("--full", is_flag=True, help="All pairs and all axes; --list says how long it takes.")
@click.option(
    "--suite",
    metavar="NAME|FILE",
    help="Measure a suite: one of --suites, or a TOML file of cases, programs or functions of your own.",
)
@click.option("--suites", "list_suites", is_flag=True, help="List the suites that go by name.")
@click.option("--dtype", "dtypes", multiple=True, help="Dtype of the images; may be repeated.")
@click.option("--size", "sizes", multiple=True, metavar="SIDE|HxW", help="Static size; may be repeated.")
@click.option(
    "--unknown-sizes/--static",
    default=None,
    help="Only images of 180 to 256 px whose sizes are unknown while tracing, or only static sizes.",
)
@click.option(
    "--cores", type=click.Choice(["all", "one"]), help="'one': one parallel call, one thread, one core."
)
@click.option("--scope", type=click.Choice(["op", "pipeline"]), help="Elements in memory, or JPEG files.")
@click.option("--batched", is_flag=True, help="The op after batch, on whole batches.")
@click.option(
    "--device",
    type=click.Choice(["cpu", "gpu", "all"]),
    default="cpu",
    show_default=True,
    help="'gpu': the native there too, on batches; 'all': with stock ops and peers besides.",
)
@click.option("--rounds", type=click.IntRange(min=1), help="Rounds per side.")
@click.option("--seconds", type=click.FloatRange(min=0.0, min_open=True), help="Timed seconds per round.")
@click.option("--latency", is_flag=True, help="Also the time to the first element, tracing included.")
@click.option(
    "--memory",
    is_flag=True,
    help="Peak memory of one large rotation, or of a suite's programs; alone, only that.",
)
@click.option("--json", "json_file", type=_FILE, metavar="FILE", help="Write raw values and environment.")
@click.option("--plot", "plot_file", type=_FILE, metavar="FILE", help="Draw the ratios.")
@click.option("--list", "only_list", is_flag=True, help="Show the cases and their time; measure nothing.")
@click.option(
    "--compare",
    "compared",
    nargs=2,
    type=_EXISTING,
    metavar="OLD NEW",
    help="Compare two --json files of one machine; exit code 1 when a native became slower.",
)
@click.option(
    "--against",
    metavar="REVISION",
    help="Measure natives by name, or those of a suite, in this code and in another git revision of it, in "
    "turn; 6 rounds without --rounds; exit code 1 when one became slower.",
)
@click.option(
    "--export",
    "exported",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write the XLA programs of natives as text, with inputs, results and run.py, which needs jax and "
    "NumPy alone: the same pixels on a GPU, on other processors, in other versions of XLA?",
)
@click.option(
    "--elements", type=click.IntRange(min=1), help="With --export: images in a batch; 32 without it."
)
def command(**options: Any) -> int:
    """Measure natives against the numpy_function pipelines they replace.

    PAIRS are names as `pipeport catalog` prints them, or their ends (transform.rotate), libraries or
    modules (cv2), or patterns ('cv2.*'); with --suite, names of its programs. Without any, about two
    minutes: rotation in float32 and uint8, once from JPEG files, as many pairs as fit, and JPEG files of
    many sizes read and resized. Sides are measured in turn, A B C A B C, with a fresh iterator each,
    after a warm-up until the rate is steady. 'slower' is a result, not an error: the exit code stays 0.
    """
    choices = {name: value for name, value in options.items() if name not in _OTHERS}
    chosen = [name for name, value in choices.items() if value not in (None, False, ()) and value != "cpu"]
    if options["list_suites"]:
        others = _given(options, "against", "compared", "exported", "memory", "only_list", "plot_file")
        _refuse("--suites", [*chosen, *others])
        _check_files(options["json_file"], None)
        _bench_suites.show(options["json_file"])
        return 0
    if options["compared"]:
        others = _given(options, "against", "exported", "memory", "only_list", "plot_file")
        _refuse("--compare", [*chosen, *others])
        old, new = options["compared"]
        return _compare(old, new, options["json_file"])
    if options["against"]:
        ignored = [name for name in chosen if name in ("quick", "full", "latency", "device")]
        _refuse("--against", [*ignored, *_given(options, "exported", "memory", "only_list", "plot_file")])
        _check_files(options["json_file"], None)
        return _bench_against.run(options["against"], choices, options["json_file"])
    if options["exported"]:
        ignored = [name for name in chosen if name not in ("pairs", "dtypes", "sizes")]
        others = _given(options, "json_file", "memory", "only_list", "plot_file")
        _refuse("--export", [*ignored, *others])
        return _bench_export.run(options["exported"], choices, options["elements"])
    if options["elements"]:
        raise UnsupportedArgument(
            explain("options", "--elements alone", "--export FOLDER --elements N", "Drop it.")
        )
    if options["only_list"]:
        _refuse("--list", _given(options, "plot_file"))
    if _bench_functions.is_one(options["suite"]):
        return _functions(options, chosen)
    memory_only = options["memory"] and not chosen
    if memory_only:
        _refuse("--memory alone", _given(options, "plot_file"))
    _check_files(options["json_file"], options["plot_file"])
    plan = None if memory_only else _plan(choices)
    if plan is not None and plan.trainings:
        _refuse("a suite of trainings", _given(options, "memory"))
    if options["only_list"]:
        _bench_output.show_list(plan, memory=options["memory"], json_file=options["json_file"])
        return 0
    mistakes: list[str] = []
    report = _measure(plan, options["json_file"], memory=options["memory"], refuse=mistakes.append)
    _bench_output.show(report)
    _keep(report, options["json_file"], options["plot_file"])
    if report.interrupted:
        return _INTERRUPTED
    return _MISTAKE if mistakes else 0


def _functions(options: dict[str, Any], chosen: list[str]) -> int:
    """Measure a suite of functions."""
    taken = ("suite", "pairs", "rounds", "seconds")
    _refuse(
        "a suite of functions", [name for name in chosen if name not in taken] + _given(options, "memory")
    )
    _check_files(options["json_file"], options["plot_file"])
    return _bench_functions.run(options["suite"], options["pairs"], options, only_list=options["only_list"])


def _given(options: dict[str, Any], *names: str) -> list[str]:
    return [name for name in names if options[name]]


def _refuse(main: str, ignored: list[str]) -> None:
    """Refuse options that would have no effect, by name."""
    if ignored:
        names = ", ".join(_FLAGS.get(name, f"--{name}") for name in ignored)
        raise UnsupportedArgument(explain("options", f"{main} with {names}", main, "Drop the others."))


def _check_files(json_file: Path | None, plot_file: Path | None) -> None:
    """Refuse what could not be written before minutes are spent on measuring it."""
    for option, path in (("--json", json_file), ("--plot", plot_file)):
        if path is not None and not path.resolve().parent.is_dir():
            advice = "Create the folder first."
            raise OutsideDomain(explain(option, str(path), "a file in a folder that exists", advice))
    if plot_file is not None:
        from pipeport.bench._plot import check_suffix

        check_suffix(plot_file)


def _plan(choices: dict[str, Any]) -> Plan:
    from pipeport.bench._choice import Options, choose

    return choose(Options(**choices))


def _measure(
    plan: Plan | None, json_file: Path | None, *, memory: bool, refuse: Callable[[str], None]
) -> Report:
    """Run a plan, the memory processes, or both, under a progress display."""
    from pipeport.bench import _memory, _results, _run

    def keep(report: Report) -> None:
        if json_file:
            _results.write(report, json_file)

    with _bench_output.progress() as tell:
        report = _run.nothing() if plan is None else _run.run(plan, watch=tell, refuse=refuse, keep=keep)
        if memory and not report.interrupted and not (plan and plan.memory):
            try:
                for name, measure in _memory.tasks(plan):
                    tell(_run.Step(text=f"peak memory: {name}", left_s=0.0))
                    _add_memory(report, measure)
            except KeyboardInterrupt:
                report.interrupted = True
    return report


def _add_memory(report: Report, measure: Callable[[], MemoryResult]) -> None:
    """Measure one side's memory; a side that fails must not take the rest of the report with it."""
    try:
        report.memory.append(measure())
    except PipeportError as error:
        report.left_out.append(str(error))


def _keep(report: Report, json_file: Path | None, plot_file: Path | None) -> None:
    """Write the files that were asked for; a run without a ratio has nothing to draw."""
    console = _output.progress_console()
    if json_file:
        from pipeport.bench import _results

        _results.write(report, json_file)
        console.print(f"Written: {json_file}", markup=False)
    if plot_file:
        from pipeport.bench._plot import plot

        if any(result.ratios() for result in report.cases):
            plot(report, plot_file)
            console.print(f"Drawn: {plot_file}", markup=False)
        else:
            console.print(f"Not drawn: {plot_file}, for there is no ratio.", markup=False)


def _compare(old: Path, new: Path, json_file: Path | None) -> int:
    """Show the changes between two reports."""
    from pipeport.bench import _compare, _results

    _check_files(json_file, None)
    changes = _compare.compare(_results.read(old), _results.read(new))
    _bench_output.show_changes(changes)
    if json_file:
        _results.write_json(_compare.as_dict(changes), json_file)
    return _FINDING if _compare.slower(changes) else 0
