"""Output of `pipeport bench`: progress, tables, and at most three closing lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pipeport.cli import _output

if TYPE_CHECKING:
    from rich.table import Table

    from pipeport.bench._compare import Change
    from pipeport.bench._plans import Plan
    from pipeport.bench._report import Block
    from pipeport.bench._results import Report
    from pipeport.bench._run import Step

# What every table of results fits, whatever it is printed into.
_WIDTH = 80
_GAP = "  "
# Errors of cases that are told; a run in which more go wrong has one cause.
_MOST_ERRORS = 10


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"


@contextmanager
def progress() -> Iterator[Callable[[Step], None]]:
    """Show progress and the time left; without a terminal, one line per case."""
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
    if memory or (plan is not None and plan.memory):
        names = [name for name, _ in _memory.tasks(plan)]
        listing["memory"] = names
        for name in names:
            _output.write(f"peak memory: {name}")
    if plan is not None:
        expanded = expand(plan)
        listing["cases"] = [case.as_dict() | {"seconds": cost_of(case, plan)} for case in expanded.cases]
        listing["left_out"] = expanded.left_out
        table = _new_table(("pair", "case", "seconds"), left=("case",))
        for case in expanded.cases:
            table.add_row(case.short_name, case.conditions, f"{cost_of(case, plan):.0f}")
        _output.console().print(table, width=_WIDTH)
        rounds = f"{plan.rounds} rounds" + f" of {plan.seconds:g} s" * bool(plan.seconds)
        _output.write(f"{len(expanded.cases)} cases, {rounds}; about {_clock(expanded.seconds)} min.")
        for line in expanded.left_out:
            _output.write_wrapped(f"Left out: {line}", indent=2)
    if json_file:
        _results.write_json(listing, json_file)


def show(report: Report) -> None:
    """Print a report: throughput and ratios, latency, memory, and what must be read with them."""
    from pipeport.bench import _report

    errors, told = _report.errors(report), _output.progress_console()
    for line in errors[:_MOST_ERRORS]:
        told.print(line, markup=False)
    if len(errors) > _MOST_ERRORS:
        told.print(f"... and {len(errors) - _MOST_ERRORS} more; --json FILE keeps all.")
    if report.cases:
        columns = _report.headings(report)
        _print_blocks(columns, _report.blocks(report), left=(columns[-1],))
    trainings = _report.training_blocks(report)
    if trainings:
        _print_blocks(_report.TRAINING_HEADINGS, trainings)
    latency = _report.latency_blocks(report)
    if latency:
        _print_blocks(_report.latency_headings(report), latency)
    if report.memory:
        table = _new_table(("peak memory", "over loaded, MiB", "of reference"))
        for entry in _report.memory_rows(report.memory):
            table.add_row(*entry)
        _output.console().print(table)
    for line in _report.closing(report):
        _output.write_wrapped(line, indent=2)


def _new_table(columns: Sequence[str], left: Sequence[str] = ()) -> Table:
    """Return a table without lines; columns after the first hold numbers, unless in `left`."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for index, column in enumerate(columns):
        justify = "left" if index == 0 or column in left else "right"
        table.add_column(column, justify=justify, overflow="fold")  # type: ignore[arg-type]
    return table


def _print_blocks(columns: Sequence[str], blocks: Sequence[Block], left: Sequence[str] = ()) -> None:
    """Print one table with the name of each case on a line of its own, its columns one below the other.

    A first cell too long for its column stands on a line of its own as well, before its figures.
    """
    from rich.text import Text

    console = _output.console()
    every = [row.cells for block in blocks for row in block.rows]
    widths = [max(len(cell) for cell in column) for column in zip(columns, *every, strict=True)]
    widths[0] = min(widths[0], _WIDTH - sum(widths[1:]) - len(_GAP) * len(widths[1:]))

    def line(cells: Sequence[str]) -> str:
        first, *others = zip(cells, columns, widths, strict=True)
        padded = [f"{cell:<{width}}" if name in left else f"{cell:>{width}}" for cell, name, width in others]
        return _GAP.join([f"{first[0]:<{first[2]}}", *padded]).rstrip()

    console.print(Text(line(columns), style="bold"), width=_WIDTH)
    for block in blocks:
        console.print(Text(f"\n{block.title}", style="bold"), width=_WIDTH)
        for row in block.rows:
            name, *figures = row.cells
            if len(name) > widths[0]:
                console.print(Text(name), width=_WIDTH)
                name = ""
            text = Text(line([name, *figures]))
            text.stylize(row.style, len(text) - len(figures[-1]))
            console.print(text, width=_WIDTH)
    console.print()


def show_changes(changes: list[Change]) -> None:
    """Print the changes between two reports."""
    from pipeport.bench import _compare

    columns = _compare.headings(changes)
    _print_blocks(columns, _compare.blocks(changes), left=(columns[-1],))
    worse = _compare.slower(changes)
    if worse:
        _output.write(f"{len(worse)} of the natives became slower.")
