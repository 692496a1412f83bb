"""Shared by all verbs: results go to standard output, everything else to standard error."""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from pipeport._shown import Part

# Width of what goes to a file or a pipe, where no terminal says how wide it is.
PIPED_WIDTH = 80
# Jupyter sets it for what its kernels start, which `!` gives a terminal.
_NOTEBOOK = "JPY_PARENT_PID"


def _console(*, stderr: bool) -> Console:
    from rich.console import Console

    # A process may be started without one of them: then nobody reads.
    stream = (sys.stderr if stderr else sys.stdout) or io.StringIO()
    known = stream.isatty() or "COLUMNS" in os.environ
    # Progress is drawn for who watches it: a file and a notebook keep every step, whatever FORCE_COLOR asks.
    drawn = not stderr or (stream.isatty() and _NOTEBOOK not in os.environ)
    width = None if known else PIPED_WIDTH
    return Console(file=stream, highlight=False, width=width, force_terminal=None if drawn else False)


def console() -> Console:
    """Return the console for answers (standard output)."""
    return _console(stderr=False)


def progress_console() -> Console:
    """Return the console for progress and remarks (standard error)."""
    return _console(stderr=True)


def write(text: str = "") -> None:
    """Print one plain text: no markup, no wrapping, so that it can be pasted."""
    click.echo(text)


def write_bold(text: str) -> None:
    """Print a heading: bold where a terminal shows it."""
    click.secho(text, bold=True)


def width() -> int:
    """Return how wide the console for answers is."""
    return console().width


def write_wrapped(text: str, indent: int = 0) -> None:
    """Print a paragraph no wider than the console; lines after the first are indented, no word is cut."""
    lines = textwrap.wrap(
        text,
        width(),
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    click.echo("\n".join(lines))


def write_parts(parts: Iterable[Part]) -> None:
    """Print a report: tables, each with an empty line behind it, and paragraphs; lines of a text stay."""
    from rich.table import Table
    from rich.text import Text

    for part in parts:
        if isinstance(part, str):
            write(part) if "\n" in part else write_wrapped(part, indent=2)
        elif part.rows:
            shown = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
            for place in (used := part.used()):
                justify: Any = "left" if part.columns[place] in part.words else "right"
                shown.add_column(part.columns[place], justify=justify, overflow="fold")
            for row in part.rows:
                shown.add_row(*(Text(row[place]) for place in used))
            console().print(shown)
            write()


def complain(message: str) -> None:
    """Print an error message on standard error."""
    click.echo(f"Error: {message}", err=True)


def traceback() -> None:
    """Print the traceback of the exception being handled on standard error."""
    import traceback as module

    click.echo(module.format_exc(), err=True, nl=False)


def write_json(data: Any) -> None:
    """Print plain data as JSON; a value JSON cannot hold is a defect and raises."""
    click.echo(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False))


@contextlib.contextmanager
def counted(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show a bar on standard error, where that is a terminal: told how many are done, and of how many."""
    from rich.progress import Progress

    console = progress_console()
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def new_table(*columns: str, title: str | None = None, right: tuple[str, ...] = ()) -> Table:
    """Return an empty table; the columns named in `right` hold numbers."""
    from rich import box
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return table


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of tables.")
