"""What `pipeport bench` prints: progress, the tables, the doubts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pipeport.cli import _output

if TYPE_CHECKING:
    from pipeport.bench._compare import Change
    from pipeport.bench._plans import Plan
    from pipeport.bench._results import Report
    from pipeport.bench._run import Step


def _coloured(verdict: str) -> str:
    from pipeport.bench import _report

    style = _report.STYLES.get(verdict)
    return f"[{style}]{verdict}[/]" if style else verdict


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"


@contextmanager
def progress() -> Iterator[Callable[[Step], None]]:
    """Show what is measured and the time left; where there is no terminal, one line per case."""
    from rich.progress import BarColumn, Progress, TextColumn

    console = _output.progress_console()
    bar = BarColumn(bar_width=24)
    columns = (bar, TextColumn("{task.fields[left]}"), TextColumn("{task.description}", markup=False))
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as shown:
        task = shown.add_task("loading TensorFlow and the photographs", total=None, left="")
        whole, told = 0.0, set()

        def tell(step: Step) -> None:
            nonlocal whole
            whole = max(whole, step.left_s)
            shown.update(
                task,
                description=step.text,
                total=whole or None,
                completed=whole - step.left_s,
                left=f"{_clock(step.left_s)} left" if whole else "",
            )
            if not console.is_terminal and step.case not in told:
                told.add(step.case)
                console.print(f"{_clock(step.left_s)} left: {step.case or step.text}", markup=False)

        yield tell


def show_list(plan: Plan | None, *, memory: bool, json_file: Path | None) -> None:
    """Print the cases a plan would measure, the time they take, and what it leaves out."""
    from pipeport.bench import _memory, _results
    from pipeport.bench._plans import cost_of, expand

    listing: dict[str, object] = {"format": 1}
    if memory:
        names = [f"{side.name}, {_memory.SIDE}x{_memory.SIDE}x3 float32" for side in _memory.SIDES]
        listing["memory"] = names
        for name in names:
            _output.write(f"peak memory: {name}")
    if plan is not None:
        expanded = expand(plan)
        listing["cases"] = [case.as_dict() | {"seconds": cost_of(case, plan)} for case in expanded.cases]
        listing["left_out"] = expanded.left_out
        table = _output.new_table("pair", "case", "seconds", right=("seconds",))
        for case in expanded.cases:
            table.add_row(case.short_name, case.conditions, f"{cost_of(case, plan):.0f}")
        _output.console().print(table)
        rounds = f"{plan.rounds} rounds of {plan.seconds:g} s"
        _output.write(f"{len(expanded.cases)} cases, {rounds}; about {_clock(expanded.seconds)} min.")
        for line in expanded.left_out:
            _output.write(f"Left out: {line}")
    if json_file:
        _results.write_json(listing, json_file)


def show(report: Report) -> None:
    """Print a report: throughput and ratios, latency, memory, and what must be read with them."""
    from pipeport.bench import _report

    console = _output.console()
    console.print(_report.headline(report), markup=False)
    if report.cases:
        table = _output.new_table(*_report.HEADINGS, right=_report.HEADINGS[2:5])
        for row in _report.rows(report):
            table.add_row(*row.cells[:-1], _coloured(row.cells[-1]))
            if row.last:
                table.add_section()
        console.print(table)
        _output.write("'native is' = throughput of the native / throughput of that pipeline.")
    latency = _report.latency_rows(report)
    if latency:
        columns = ("first element, s", "again, s")
        table = _output.new_table("case", "pipeline", *columns, right=columns)
        for line in latency:
            table.add_row(*line)
        console.print(table)
    if report.memory:
        columns = ("MiB above loaded", "of the reference")
        table = _output.new_table("peak memory", *columns, right=columns)
        for entry in _report.memory_rows(report.memory):
            table.add_row(*entry)
        console.print(table)
    for remark in _report.remarks(report):
        console.print(remark, markup=False)


def show_changes(changes: Sequence[Change]) -> None:
    """Print what changed between two reports."""
    from pipeport.bench import _compare

    numbers = ("old, el/s", "new, el/s", "new / old")
    table = _output.new_table("case", "pipeline", *numbers, "95 % interval", "verdict", right=numbers)
    for change in changes:
        ratio = change.ratio
        table.add_row(
            f"{change.case.short_name} ({change.case.conditions})",
            change.side,
            f"{change.before:,.0f}",
            f"{change.after:,.0f}",
            f"{ratio.ratio:.2f}x",
            f"{ratio.low:.2f} to {ratio.high:.2f}",
            _coloured(ratio.verdict),
        )
    _output.console().print(table)
    worse = _compare.slower(list(changes))
    if worse:
        _output.write(f"{len(worse)} of the natives became slower.")
