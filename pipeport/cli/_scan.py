"""`pipeport scan`: where Python is called inside graphs, in source text."""

from __future__ import annotations

import dataclasses
import sys
from typing import Any

import click

from pipeport._target import split_target
from pipeport.cli import _output

_CLEAN, _FOUND, _FAILED = 0, 1, 2


@click.command("scan")
@click.argument("paths", nargs=-1, metavar="PATH [PATH]...")
@_output.json_option
@click.option("--sarif", is_flag=True, help="Print SARIF 2.1.0, for code scanning.")
@click.option("--github", is_flag=True, help="Print annotations for a workflow of GitHub.")
@click.option("--select", metavar="CODES", help="Report these codes alone: PP001,PP002 or PP0.")
@click.option("--ignore", metavar="CODES", help="Leave these codes out.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever is found.")
@click.option(
    "--run",
    is_flag=True,
    help="Import the modules, in a child process, and trace a port of each function: says whether it ports.",
)
@click.option(
    "--dataset",
    metavar="MODULE:FACTORY",
    help="With --run: a function that makes the dataset, whose graph says what each function is handed.",
)
@click.option(
    "--input",
    "inputs",
    multiple=True,
    metavar="TEXT",
    help='With --run: what a parameter is, as in "image: uint8[H,W,3]"; see `pipeport verify --help`.',
)
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="With --run: for one function, the import of its module included.",
)
@click.option("--explain", metavar="CODE", help="Say what a code means, and exit.")
def command(
    paths: tuple[str, ...],
    as_json: bool,
    sarif: bool,
    github: bool,
    select: str | None,
    ignore: str | None,
    exit_zero: bool,
    run: bool,
    dataset: str | None,
    inputs: tuple[str, ...],
    timeout: float,
    explain: str | None,
) -> int:
    """Find where Python is called inside graphs, and say what of it can go.

    PATH is a file, a folder or a notebook; - reads standard input. Nothing is imported or run, so a verdict
    is what the text tells. --run imports the modules, and with them whatever they do at import, and traces
    pipeport.port of each function on inputs that it states: it says that a function ports, or the first
    reason why not. It compares no results: `pipeport verify --port` does.

    A comment `# pipeport: ignore[PP001]` leaves a finding out. [tool.pipeport.scan] in pyproject.toml may
    hold exclude (patterns of paths), select and ignore (codes).

    Exit codes: 0 nothing found, 1 findings, 2 a file could not be scanned or a mistake in the call.

    \b
    pipeport scan src notebooks/train.ipynb
    pipeport scan --json src
    pipeport scan --run --dataset train:make_dataset src
    pipeport scan --explain PP001
    """  # noqa: D301 - click's mark for lines that stay as they are
    from pipeport import scan as tool
    from pipeport.cli import _scan_output

    if explain is not None:
        for rule in tool.explained(explain):
            _output.write(tool.page(rule))
        return _CLEAN
    if not paths:
        raise click.UsageError("Missing argument 'PATH': name files or folders, or - for standard input.")
    if as_json + sarif + github > 1:
        raise click.UsageError("--json, --sarif and --github exclude each other.")
    if (dataset or inputs) and not run:
        raise click.UsageError("--dataset and --input belong to --run.")
    if dataset:
        split_target(dataset, "--dataset", "module:function")
    settings = tool.settings(list(paths), select=_codes(select), ignore=_codes(ignore))
    stdin = sys.stdin.buffer.read() if "-" in paths else b""
    with _output.counted("files") as progress:
        result = tool.scan(list(paths), stdin=stdin, settings=settings, progress=progress)
    if run:
        from pipeport.rewrite import trials

        about: dict[str, Any] = {"dataset": dataset or "", "inputs": inputs, "seconds": timeout}
        with _output.counted("functions") as progress:
            found = trials(result.findings, progress=progress, **about)
        result = dataclasses.replace(result, findings=tuple(found))
    if as_json:
        _output.write_json(_scan_output.plain(result))
    elif sarif:
        _output.write_json(_scan_output.sarif(result))
    elif github:
        for line in _scan_output.github(result):
            _output.write(line)
    else:
        _scan_output.show(result)
    for problem in result.problems:
        click.echo(_scan_output.told(problem), err=True)
    if exit_zero:
        return _CLEAN
    return _FAILED if result.problems else _FOUND if result.findings else _CLEAN


def _codes(text: str | None) -> list[str] | None:
    return None if text is None else [one.strip() for one in text.split(",")]
