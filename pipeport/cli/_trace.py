"""`pipeport trace`: cost and gain of `tf.function` for your own function."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pipeport._target import split_target, working_folder
from pipeport.cli import _output, _trace_help
from pipeport.errors import OutsideDomain, explain

if TYPE_CHECKING:
    from pipeport.trace import Report

_FINDING, _INTERRUPTED = 1, 130
_MODES = ("python", "eager", "graph", "xla")
_MEASURING = ("inputs", "plain", "modes", "rounds", "seconds", "limit", "seed", "plot_file")


@click.command("trace", epilog=_trace_help.EPILOG, context_settings={"ignore_unknown_options": True})
@click.argument("target", metavar="MODULE:FUNCTION")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED, metavar="[ARGUMENTS]...")
@click.option("--input", "inputs", multiple=True, metavar="TEXT", help="What the function takes; see below.")
@click.option("--plain", metavar="MODULE:FUNCTION", help="Its form in plain Python, where that is another.")
@click.option("--modes", metavar="NAMES", help=f"Of {', '.join(_MODES)}, separated by commas. Default: all.")
@click.option("--rounds", type=click.IntRange(1), help="How often each mode is measured, in turn. [11]")
@click.option("--seconds", type=click.FloatRange(0, min_open=True), help="Shortest span of a round. [0.05]")
@click.option("--limit", type=click.FloatRange(0, min_open=True), help="Seconds a call may take. [30]")
@click.option("--seed", type=int, help="Seed of the values of the inputs. [0]")
@click.option(
    "--plot",
    "plot_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Draw cumulative time against calls.",
)
@click.option("--watch", is_flag=True, help="Run a script, and explain why its functions are traced again.")
@_output.json_option
def command(target: str, arguments: tuple[str, ...], watch: bool, as_json: bool, **options: Any) -> int:
    """Measure a function as plain Python, eagerly, as tf.function and compiled by XLA.

    MODULE is imported and FUNCTION is run, in a process of its own. Reported are the first call, split
    into tracing and compiling, later calls with their interval, nodes and constants of the graph, memory,
    and the number of calls after which each mode pays off.
    """
    chosen = {name: options[name] for name in _MEASURING if options[name] not in (None, ())}
    if watch:
        return _watch(target, arguments, chosen, as_json)
    if arguments:
        raise click.UsageError(f"Unexpected: {' '.join(arguments)}. Arguments are for --watch SCRIPT.")
    plot_file = chosen.pop("plot_file", None)
    check_file(plot_file)
    report = _measured(target, chosen)
    if as_json:
        _output.write_json(report.as_dict())
    else:
        show(report)
    _draw(report, plot_file)
    if report.interrupted:
        return _INTERRUPTED
    return _FINDING if report.failed else 0


def _measured(target: str, chosen: dict[str, Any]) -> Report:
    """Measure in a process of its own; what can be said before an import is said before."""
    from pipeport.trace import _process
    from pipeport.verify import _mini_language, _own_inputs

    modes = _chosen_modes(chosen.pop("modes", None))
    text = "; ".join(chosen.pop("inputs", ()))
    functions = [target, *([chosen["plain"]] if "plain" in chosen else [])]
    places = [split_target(function) for function in functions]
    specs = _mini_language.parse(text) if text else {}
    with working_folder():
        for function, place in zip(functions, places, strict=True):
            _own_inputs.check_names(specs, [(function, _own_inputs.parameters_in_source(*place))])
    task = _process.Task(name=target, function=target, inputs=text, modes=modes, **chosen)
    with progress(target) as tell:
        return _process.measured(task, tell)


def _chosen_modes(text: str | None) -> tuple[str, ...]:
    if text is None:
        return _MODES
    given = [part.strip() for part in text.split(",") if part.strip()]
    if not given or any(one not in _MODES for one in given):
        raise click.UsageError(f"--modes: got {text!r}; allowed: {', '.join(_MODES)}.")
    return tuple(one for one in _MODES if one in given)


def check_file(plot_file: Path | None) -> None:
    """Refuse what could not be written before anything is measured."""
    if plot_file is None:
        return
    if not plot_file.resolve().parent.is_dir():
        allowed = "a file in a folder that exists"
        raise OutsideDomain(explain("--plot", str(plot_file), allowed, "Create the folder first."))
    from pipeport.trace._plot import check_suffix

    check_suffix(plot_file)


@contextmanager
def progress(name: str) -> Iterator[Callable[[str], None]]:
    """Show the step at hand on a terminal; say nothing elsewhere."""
    console = _output.progress_console()
    if not console.is_terminal:
        yield lambda _step: None
        return
    with console.status(f"{name}: starting") as status:
        yield lambda step: status.update(f"{name}: {step}")


def show(report: Report) -> None:
    """Print a measurement."""
    from pipeport.trace import _text

    _output.write_bold(_text.heading(report))
    _output.write_parts(_text.parts(report))


def _draw(report: Report, plot_file: Path | None) -> None:
    if plot_file is None:
        return
    console = _output.progress_console()
    if not any(mode.measured for mode in report.modes):
        console.print(f"Not drawn: {plot_file}, for nothing was measured.", markup=False)
        return
    from pipeport.trace._plot import plot

    plot([report], plot_file)
    console.print(f"Drawn: {plot_file}", markup=False)


def _watch(script: str, arguments: tuple[str, ...], chosen: dict[str, Any], as_json: bool) -> int:
    """Run a script, and report why its functions were traced again."""
    if chosen:
        raise click.UsageError("--watch: give a script, its arguments and --json alone.")
    if not Path(script).is_file():
        given = f"{script} (no such file)"
        raise OutsideDomain(explain("--watch", given, "a Python script", "Check its path."))
    from pipeport.trace import _script, _watch_text

    # With --json, what the script prints must not stand in the answer.
    with contextlib.redirect_stdout(sys.stderr) if as_json else contextlib.nullcontext():
        ran = _script.watch_script(script, arguments)
    if as_json:
        _output.write_json({"format": 1, **ran.as_json()})
    else:
        for line in _watch_text.lines(ran.report):
            _output.write_wrapped(line, indent=4)
    if ran.error:
        _output.complain(ran.error.rstrip())
    code: int = ran.exit_code
    return code or (_FINDING if ran.report.findings else 0)
