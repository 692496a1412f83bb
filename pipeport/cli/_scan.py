"""`pipeport scan`: where Python is called inside graphs, in source text."""

from __future__ import annotations

import collections
import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from pipeport.cli import _output

if TYPE_CHECKING:
    from pipeport.scan import Finding, Result

_CLEAN, _FOUND, _FAILED = 0, 1, 2


@click.command("scan")
@click.argument("paths", nargs=-1, required=True, metavar="PATH [PATH]...")
@_output.json_option
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever is found.")
def command(paths: tuple[str, ...], as_json: bool, exit_zero: bool) -> int:
    """Find where Python is called inside graphs, and say what of it can go.

    PATH is a file, a folder or a notebook; - reads standard input. Nothing is imported or run, so a verdict
    is what the text tells: whether a function is ported, `pipeport port` and `pipeport verify --port` say.

    Exit codes: 0 nothing found, 1 findings, 2 a file could not be scanned or a mistake in the call.

    \b
    pipeport scan src notebooks/train.ipynb
    pipeport scan --json src
    """  # noqa: D301 - click's mark for lines that stay as they are
    from pipeport import scan as tool

    stdin = sys.stdin.buffer.read() if "-" in paths else b""
    with _progress() as progress:
        result = tool.scan(list(paths), stdin=stdin, progress=progress)
    if as_json:
        _output.write_json(_plain(result))
    else:
        _show(result)
    for problem in result.problems:
        where = problem.path if problem.line is None else f"{problem.path}:{problem.line}"
        click.echo(f"{where}: {problem.reason}", err=True)
    if exit_zero:
        return _CLEAN
    return _FAILED if result.problems else _FOUND if result.findings else _CLEAN


@contextlib.contextmanager
def _progress() -> Iterator[Callable[[int, int], None]]:
    """Show a bar on standard error, where that is a terminal and the scan takes a while."""
    from rich.progress import Progress

    with Progress(console=_output.progress_console(), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task("files", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _plain(result: Result) -> dict[str, Any]:
    return {
        "format": 1,
        "files": result.files,
        "findings": [
            {
                "path": one.path,
                "line": one.line,
                "cell": one.cell,
                "kind": one.kind,
                "wrapper": one.wrapper,
                "function": one.function,
                "body": None if one.body is None else {"path": one.body[0], "line": one.body[1]},
                "calls": list(one.calls),
                "verdict": one.verdict,
                "reason": one.reason,
                "reason_at": {"path": one.reason_at[0], "line": one.reason_at[1]},
                "diff": one.diff or None,
            }
            for one in result.findings
        ],
        "problems": [{"path": one.path, "line": one.line, "reason": one.reason} for one in result.problems],
    }


def _show(result: Result) -> None:
    path = None
    for one in result.findings:
        if one.path != path:
            if path is not None:
                _output.write()
            path = one.path
            _output.write_bold(path)
        _show_one(one)
    if result.findings:
        _output.write()
    _output.write_wrapped(_summary(result), 2)


def _show_one(one: Finding) -> None:
    place = str(one.line) if one.cell is None else f"cell {one.cell}, line {one.line}"
    name = one.function or "a function that the text does not name"
    through = "through a helper, " if one.kind == "helper" else ""
    _output.write_wrapped(f"  {place}: {through}{one.wrapper} of {name}: {one.verdict}", 4)
    at = "" if one.reason_at == (one.path, one.line) else f"line {one.reason_at[1]}: "
    if at and one.reason_at[0] != one.path:
        at = f"{one.reason_at[0]}, {at}"
    _output.write_wrapped(f"    {at}{one.reason}", 4)
    for line in one.diff.splitlines():
        colour = {"-": "red", "+": "green"}.get(line[:1])
        click.secho(f"    {line}", fg=colour)


def _summary(result: Result) -> str:
    files = f"{result.files} file{'s' * (result.files != 1)}"
    unread = f", {len(result.problems)} of them not scanned" if result.problems else ""
    if not result.findings:
        return f"{files}{unread}: no Python found inside graphs."
    counts = collections.Counter(one.verdict for one in result.findings)
    from pipeport.scan import VERDICTS

    parts = [f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict]]
    found = len(result.findings)
    return f"{files}{unread}, {found} finding{'s' * (found != 1)}: {', '.join(parts)}."
