"""`pipeport bench --suite NAME` for a suite of functions, measured as by `pipeport trace`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeport._shown import Table
from pipeport.cli import _output

if TYPE_CHECKING:
    from pipeport.trace._suite import Suite, SuiteResult

_FINDING, _INTERRUPTED = 2, 130
_HEADINGS = ("function", "mode", "first call", "later calls", "python", "eager")


def is_one(given: str | None) -> bool:
    """Say whether a suite is one of functions."""
    from pipeport.bench._suites import find_suite
    from pipeport.trace._suite import holds_functions

    return given is not None and holds_functions(find_suite(given))


def run(given: str, names: Sequence[str], options: dict[str, Any], *, only_list: bool) -> int:
    """Measure a suite of functions, or list it.

    `names`: which of its functions; all without any. `options`: of `rounds`, `seconds`, `json_file` and
    `plot_file`.
    """
    from pipeport.bench._json import write_json
    from pipeport.trace import _suite

    suite = _changed(_suite.read(given).chosen(names), options)
    if only_list:
        _list(suite, options["json_file"])
        return 0
    with _progress(suite) as tell:
        result = _suite.run(suite, tell)
    show(result)
    console = _output.progress_console()
    if options["json_file"]:
        write_json(result.as_dict(), options["json_file"])
        console.print(f"Written: {options['json_file']}", markup=False)
    if options["plot_file"] and result.reports:
        from pipeport.trace._plot import plot

        plot(result.reports, options["plot_file"])
        console.print(f"Drawn: {options['plot_file']}", markup=False)
    if result.interrupted:
        return _INTERRUPTED
    return _FINDING if result.left_out else 0


def _changed(suite: Suite, options: dict[str, Any]) -> Suite:
    """Return the suite with the rounds and seconds that were asked for."""
    asked = {name: options[name] for name in ("rounds", "seconds") if options[name] is not None}
    entries = tuple(replace(entry, task=replace(entry.task, **asked)) for entry in suite.entries)
    return replace(suite, entries=entries)


def _list(suite: Suite, json_file: Path | None) -> None:
    for entry in suite.entries:
        _output.write(f"{entry.task.name}: {entry.about}")
    seconds = sum(entry.seconds for entry in suite.entries)
    _output.write(f"\n{len(suite.entries)} functions; about {max(1, round(seconds / 60))} min.")
    if json_file:
        from pipeport.bench._json import write_json

        listed = [{"name": entry.task.name, "about": entry.about} for entry in suite.entries]
        write_json({"format": 1, "suite": suite.name, "functions": listed}, json_file)


@contextmanager
def _progress(suite: Suite) -> Iterator[Callable[[str, int, str], None]]:
    """Show function and step; where there is no terminal, one line per function."""
    console, told = _output.progress_console(), set[str]()
    many = len(suite.entries)

    def line(name: str, place: int, _step: str) -> None:
        if name not in told:
            told.add(name)
            console.print(f"{place + 1} of {many}: {name}", markup=False)

    if not console.is_terminal:
        yield line
        return
    with console.status(suite.name) as status:
        yield lambda name, place, step: status.update(f"{place + 1} of {many}: {name}: {step}")


def show(result: SuiteResult) -> None:
    """Print one table of all functions and modes, then what could not be measured, and the machine."""
    from pipeport.trace import _text

    _output.write_parts([Table(_HEADINGS, _rows(result), ("function", "mode"))])
    if result.reports:
        _output.write("python, eager: the call from which on a mode has cost less time in all.\n")
    for report in result.reports:
        for line in _text.problems(report):
            _output.write_wrapped(f"{report.name}: {line}", indent=2)
    for line in result.left_out:
        _output.write_wrapped(f"Left out: {line}", indent=2)
    if result.reports:
        _output.write_wrapped(_text.headline(*result.reports), indent=2)


def _rows(result: SuiteResult) -> list[tuple[str, ...]]:
    from pipeport.trace import _text

    found = []
    for report in result.reports:
        name = report.name
        for mode in report.modes:
            if not mode.measured:
                continue
            even = [report.comparison(mode.mode, other) for other in ("python", "eager")]
            found.append(
                (
                    name,
                    _text.WORDS[mode.mode],
                    _text.seconds(mode.first),
                    _text.seconds(mode.steady.median),
                    *("" if one is None else _text.calls_text(one.break_even) for one in even),
                )
            )
            name = ""
    return found
