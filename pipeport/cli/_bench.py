"""`pipeport bench`: measure what a migration buys on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pipeport.cli import _output
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain

if TYPE_CHECKING:
    from pipeport.bench._plans import Plan
    from pipeport.bench._results import Report
    from pipeport.bench._run import Step

_FINDING, _INTERRUPTED = 1, 130
_FILE = click.Path(dir_okay=False, path_type=Path)
_EXISTING = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("bench")
@click.argument("pairs", nargs=-1)
@click.option("--quick", is_flag=True, help="About 25 seconds: the headline pair, half-second rounds.")
@click.option("--full", is_flag=True, help="All pairs and all axes; see --list for how long it takes.")
@click.option("--suite", type=_EXISTING, help="Measure the cases of a TOML file, see bench/suites.")
@click.option("--dtype", "dtypes", multiple=True, help="Dtype of the elements; may be repeated.")
@click.option("--size", "sizes", multiple=True, metavar="SIDE|HxW", help="Static size; may be repeated.")
@click.option("--unknown-sizes/--static", default=None, help="Images of 180 to 256 px, sizes unknown while tracing.")
@click.option("--cores", type=click.Choice(["all", "one"]), help="'one': one parallel call, one private thread.")
@click.option("--scope", type=click.Choice(["op", "pipeline"]), help="Elements in memory, or JPEG files on disk.")
@click.option("--batched", is_flag=True, help="The op after batch, on whole batches.")
@click.option("--device", type=click.Choice(["cpu", "gpu", "all"]), default="cpu", show_default=True)
@click.option("--rounds", type=click.IntRange(min=1), help="Rounds per side.")
@click.option("--seconds", type=click.FloatRange(min=0.0, min_open=True), help="Timed seconds per round.")
@click.option("--latency", is_flag=True, help="Also the time to the first element, tracing included.")
@click.option("--memory", is_flag=True, help="Also peak memory of one large rotation; alone, with no pair, only that.")
@click.option("--json", "json_file", type=_FILE, metavar="FILE", help="Write raw values and environment.")
@click.option("--plot", "plot_file", type=_FILE, metavar="FILE", help="Draw the ratios.")
@click.option("--list", "only_list", is_flag=True, help="Show the cases and the time they take; measure nothing.")
@click.option(
    "--compare",
    "compared",
    nargs=2,
    type=_EXISTING,
    metavar="OLD NEW",
    help="Compare two files written by --json on one machine; exit code 1 when a native became slower.",
)
@click.pass_context
def command(ctx: click.Context, compared: tuple[Path, Path] | None, **options: Any) -> None:
    """Measure natives against the numpy_function pipelines they replace.

    PAIRS are names as `pipeport catalog` prints them, or their ends (transform.rotate). Without any, about two
    minutes: rotation in float32 and uint8, once from JPEG files, then as many pairs as fit. Sides are measured in
    turn, A B C A B C, with a fresh iterator each, after a warm-up until the rate is steady. The verdict
    'slower' is a result, not an error: the exit code stays 0.
    """
    if compared:
        _compare(ctx, *compared)
        return
    _check_files(options["json_file"], options["plot_file"])
    memory_only = options["memory"] and not (
        options["pairs"] or options["quick"] or options["full"] or options["suite"]
    )
    plan = None if memory_only else _plan(options)
    if options["only_list"]:
        _list(plan)
        return
    report = _measure(plan, memory=options["memory"])
    _show(report)
    if options["json_file"]:
        from pipeport.bench import _results

        _results.write(report, options["json_file"])
        _output.progress_console().print(f"Written: {options['json_file']}")
    if options["plot_file"] and report.cases:
        from pipeport.bench._plot import plot

        plot(report, options["plot_file"])
        _output.progress_console().print(f"Drawn: {options['plot_file']}")
    if report.interrupted:
        ctx.exit(_INTERRUPTED)


def _check_files(json_file: Path | None, plot_file: Path | None) -> None:
    """Refuse what could not be written before minutes are spent on measuring it."""
    for option, path in (("--json", json_file), ("--plot", plot_file)):
        if path is not None and not path.resolve().parent.is_dir():
            advice = "Create the folder first."
            raise OutsideDomain(explain(option, str(path), "a file in a folder that exists", advice))
    if plot_file is not None:
        from pipeport.bench._plot import check_suffix

        check_suffix(plot_file)


def _plan(options: dict[str, Any]) -> Plan:
    """Return the plan the options ask for."""
    import dataclasses

    from pipeport.bench import _plans
    from pipeport.bench._suites import parse_size, read_suite

    whole = [name for name in ("quick", "full", "suite") if options[name]]
    if len(whole) > 1:
        given = " and ".join(f"--{name}" for name in whole)
        raise UnsupportedArgument(explain("options", given, "one of them", "Drop all but one."))
    axes = {
        "dtypes": options["dtypes"],
        "sizes": (*map(parse_size, options["sizes"]), *([None] if options["unknown_sizes"] else [])),
        "scopes": (options["scope"],) if options["scope"] else (),
        "cores": (options["cores"],) if options["cores"] else (),
        "batched": (True,) if options["batched"] else (),
    }
    chosen = {name: values for name, values in axes.items() if values}
    if options["suite"]:
        plan = read_suite(options["suite"])
    else:
        plan = {"quick": _plans.QUICK, "full": _plans.FULL}.get("".join(whole), _plans.DEFAULT)
        if options["pairs"] and not whole:
            plan = dataclasses.replace(
                plan, name="chosen", selections=(_plans.Selection(pairs=options["pairs"]),), budget_s=None
            )
    selections = plan.selections
    if whole and options["pairs"]:
        selections = tuple(dataclasses.replace(s, pairs=options["pairs"]) for s in selections)
    if chosen:
        selections = tuple(dataclasses.replace(s, **chosen) for s in selections)
    if options["device"] != "cpu":
        devices = ("gpu",) if options["device"] == "gpu" else ("cpu", "gpu")
        selections = tuple(dataclasses.replace(s, devices=devices) for s in selections)
    settings = {name: options[name] for name in ("rounds", "seconds") if options[name]}
    if options["latency"]:
        settings["latency"] = True
    plan = dataclasses.replace(plan, selections=selections, **settings)
    expanded = _plans.expand(plan)
    if not expanded.cases:
        reasons = " ".join(expanded.left_out) or "images of unknown sizes make no batch."
        raise OutsideDomain(explain("cases", "none to measure", "at least one", reasons))
    return plan


def _list(plan: Plan | None) -> None:
    if plan is None:
        from pipeport.bench._memory import SIDES

        for side in SIDES:
            _output.write(f"peak memory: {side.name}")
        return
    from pipeport.bench._plans import cost_of, expand

    expanded = expand(plan)
    table = _output.new_table("pair", "case", "seconds", right=("seconds",))
    for case in expanded.cases:
        table.add_row(case.short_name, case.conditions, f"{cost_of(case, plan):.0f}")
    _output.console().print(table)
    minutes, seconds = divmod(round(expanded.seconds), 60)
    _output.write(
        f"{len(expanded.cases)} cases, {plan.rounds} rounds of {plan.seconds:g} s, about {minutes} min {seconds} s."
    )
    for line in expanded.left_out:
        _output.write(f"Left out: {line}")


def _measure(plan: Plan | None, *, memory: bool) -> Report:
    import dataclasses

    from pipeport.bench import _environment, _memory
    from pipeport.bench._results import Report
    from pipeport.bench._run import run

    with _progress() as tell:
        if plan is None:
            protocol = {"plan": "memory", "rounds": 0, "seconds": 0.0, "steady": {}, "batch": 0}
            report = Report(environment=_environment.environment(), protocol=protocol)
        else:
            report = run(plan, watch=tell)
        if memory and not report.interrupted:
            from pipeport.bench._run import Step

            steps = [Step(text=f"peak memory: {side.name}", seconds=10.0, left_s=0.0) for side in _memory.SIDES]
            waiting = iter(steps)
            try:
                report.memory += _memory.peak_memories(lambda _: tell(next(waiting)))
            except KeyboardInterrupt:
                report = dataclasses.replace(report, interrupted=True)
    return report


@contextmanager
def _progress() -> Iterator[Any]:
    """Show what is measured and the time left; on a pipe, one line per case."""
    from rich.progress import BarColumn, Progress, TextColumn

    console = _output.progress_console()
    columns = (BarColumn(bar_width=24), TextColumn("{task.fields[left]}"), TextColumn("{task.description}"))
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("loading TensorFlow and the photographs", total=None, left="")
        total: list[float] = []
        told: list[str] = []

        def tell(step: Step) -> None:
            total.append(step.left_s)
            minutes, seconds = divmod(round(step.left_s), 60)
            progress.update(
                task,
                description=step.text,
                total=total[0] or None,
                completed=total[0] - step.left_s,
                left=f"{minutes}:{seconds:02} left",
            )
            case = step.text.partition("): ")[0]
            if not console.is_terminal and case not in told:
                told.append(case)
                console.print(f"{case}{')' if '(' in case else ''} ...", markup=False)

        yield tell


def _show(report: Report) -> None:
    from pipeport.bench import _report

    console = _output.console()
    console.print(_report.headline(report), markup=False)
    if report.cases:
        table = _output.new_table(*_report.HEADINGS, right=_report.HEADINGS[2:4])
        for row in _report.rows(report):
            table.add_row(*row.cells[:-1], f"[{row.style}]{row.cells[-1]}[/]" if row.style else row.cells[-1])
            if row.last:
                table.add_section()
        console.print(table)
        _output.write("'native is' = throughput of the native / throughput of that pipeline.")
    latency = _report.latency_rows(report)
    if latency:
        table = _output.new_table("case", "pipeline", "first element, s", "again, s")
        for line in latency:
            table.add_row(*line)
        console.print(table)
    if report.memory:
        table = _output.new_table("peak memory", "MiB above loaded", "of the reference", right=("MiB above loaded",))
        for entry in _report.memory_rows(report.memory):
            table.add_row(*entry)
        console.print(table)
    for remark in _report.remarks(report):
        console.print(remark, markup=False)


def _compare(ctx: click.Context, old: Path, new: Path) -> None:
    from pipeport.bench import _compare, _report, _results

    before, after = _results.read(old), _results.read(new)
    changes = _compare.compare(before, after)
    table = _output.new_table("case", "pipeline", "old, el/s", "new, el/s", "new / old", "95 % interval", "verdict")
    for change in changes:
        ratio = change.ratio
        style = _report.STYLES.get(ratio.verdict)
        table.add_row(
            f"{change.case.short_name} ({change.case.conditions})",
            change.side,
            f"{change.before:,.0f}",
            f"{change.after:,.0f}",
            f"{ratio.ratio:.2f}x",
            f"{ratio.low:.2f} to {ratio.high:.2f}",
            f"[{style}]{ratio.verdict}[/]" if style else ratio.verdict,
        )
    _output.console().print(table)
    worse = _compare.slower(changes)
    if worse:
        _output.write(f"{len(worse)} of the natives became slower.")
        ctx.exit(_FINDING)
