"""What a report says, as tables and paragraphs: for a terminal, as lines of text, as HTML for notebooks."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_STYLE = '<div style="overflow-x: auto">'


@dataclass(frozen=True)
class Table:
    """A table; a column that is empty in every row is left out.

    `words`: columns that hold words and stand to the left, as numbers do not.
    """

    columns: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    words: tuple[str, ...] = ()

    def used(self) -> list[int]:
        """Return the places of the columns that a row fills."""
        return [place for place in range(len(self.columns)) if any(row[place] for row in self.rows)]


# A text is a paragraph: indented as far as blanks stand before it, and as it is where it has several lines.
Part = Table | str


def as_lines(parts: Iterable[Part]) -> list[str]:
    """Return parts as lines of plain text; behind each table follows an empty one."""
    found: list[str] = []
    for part in parts:
        if isinstance(part, str):
            found.append(part)
        elif part.rows:
            used = part.used()
            cells = [[row[place] for place in used] for row in (part.columns, *part.rows)]
            widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
            for row in cells:
                found.append("  ".join(map(str.ljust, row, widths)).rstrip())
            found.append("")
    return found


def as_html(parts: Iterable[Part]) -> str:
    """Return parts as HTML, which notebooks show in place of the text."""
    return f"{_STYLE}{''.join(map(_element, parts))}</div>"


def _element(part: Part) -> str:
    if isinstance(part, Table):
        return _table(part) if part.rows else ""
    text = html.escape(part.strip())
    if "\n" in text:
        return f"<pre>{text}</pre>"
    blanks = len(part) - len(part.lstrip())
    return f'<p style="margin: 0.2em 0 0.2em {blanks / 2:g}em">{text}</p>'


def _table(part: Table) -> str:
    used = part.used()
    rows = [_row("th", part, used, part.columns)]
    rows += [_row("td", part, used, row) for row in part.rows]
    return f"<table><thead>{rows[0]}</thead><tbody>{''.join(rows[1:])}</tbody></table>"


def _row(tag: str, part: Table, used: list[int], cells: Sequence[str]) -> str:
    found = ""
    for place in used:
        side = "left" if part.columns[place] in part.words else "right"
        style = f"text-align: {side}; white-space: pre-wrap"
        found += f'<{tag} style="{style}">{html.escape(cells[place])}</{tag}>'
    return f"<tr>{found}</tr>"
