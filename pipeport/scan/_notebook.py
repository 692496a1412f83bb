"""A notebook as one program, and back: magics are masked and restored, the rest of the JSON stays."""

from __future__ import annotations

import codecs
import io
import json
import re
import tokenize
from collections.abc import Iterator
from typing import Any

_CELL = "_pipeport_cell_{}_"
_LINE = "# pipeport line {}"
_CELLS = re.compile(r"^_pipeport_cell_(\d+)_\n", re.MULTILINE)
_LINES = re.compile(r"^.*# pipeport line (\d+)$", re.MULTILINE)
# A cell in another language, or one that is written to a file.
_OTHER = re.compile(r"\s*%%(?!time|capture|timeit|prun)")


class Notebook:
    """The code of a notebook."""

    def __init__(self, raw: bytes) -> None:
        try:
            text = raw.decode("utf-8-sig")
            self._book = json.loads(text)
            cells = self._book.get("cells")
            if cells is None:
                cells = [one for sheet in self._book["worksheets"] for one in sheet["cells"]]
            code = [(number, one) for number, one in enumerate(cells, 1) if one.get("cell_type") == "code"]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise ValueError("is not a notebook") from error
        self._text = text
        self._mark = codecs.BOM_UTF8 if raw.startswith(codecs.BOM_UTF8) else b""
        self._cells = code
        self._masked: list[str] = []
        self._places: list[tuple[int, int]] = []
        lines: list[str] = []
        for number, cell in code:
            lines.append(_CELL.format(number))
            self._places.append((number, 0))
            source = _source(cell)
            other = bool(_OTHER.match(source))
            for line, (one, begins) in enumerate(statements(source), 1):
                lines.append(self._mask(one, other=other) if begins or other else one)
                self._places.append((number, line))
        self.text = "\n".join(lines) + "\n"

    def place(self, line: int) -> tuple[int, int]:
        """Return the cell and the line in it of a line of the program; both count from 1."""
        return self._places[min(line, len(self._places)) - 1]  # an end that is missed shows behind the last

    def _mask(self, line: str, *, other: bool) -> str:
        bare = line.lstrip()
        indent = line[: len(line) - len(bare)]
        assigned = re.match(r"([\w, ]+=\s*)[%!]", bare)
        magic = bare.startswith(("%", "!", "?")) or re.match(r"\w[\w.]*\?{1,2}\s*$", bare)
        if not (other or magic or assigned):
            return line
        statement = "pass" if other or magic or assigned is None else f"{assigned[1]}None"
        self._masked.append(line)
        return f"{'' if other else indent}{statement}  {_LINE.format(len(self._masked) - 1)}"

    def rebuilt(self, text: str) -> tuple[bytes, list[tuple[int, str, str]]]:
        """Return the file with another program, and its changed cells before and after.

        Returns: the file; number, old and new text of each cell that changed.
        """
        form, end = _form(self._book, self._text)
        first, *parts = _CELLS.split(text)
        sources = [part.removesuffix("\n") for part in parts[1::2]]
        if first:  # an import that found no other to stand beside
            at = next(number for number, one in enumerate(sources) if not _LINES.match(one))
            sources[at] = first + sources[at]
        changed = []
        for (number, cell), source in zip(self._cells, sources, strict=True):
            old = _source(cell)
            new = _LINES.sub(lambda found: self._masked[int(found[1])], source)
            if new != old:
                changed.append((number, old, new))
                key = "source" if "source" in cell else "input"
                cell[key] = new.splitlines(keepends=True) if isinstance(cell[key], list) else new
        return self._mark + (json.dumps(self._book, **form) + end).encode(), changed


def statements(source: str) -> Iterator[tuple[str, bool]]:
    """Yield the lines of a cell, and whether a statement begins there: only then can it be a magic.

    Yields: a line that begins with % may go on with an expression of the line before.
    """
    pending = ""
    for line in source.split("\n"):
        yield line, not pending
        if not pending and line.lstrip().startswith(("%", "!", "?")):
            continue
        pending += f"{line}\n"
        try:
            list(tokenize.generate_tokens(io.StringIO(pending.lstrip()).readline))
            goes_on = line.endswith("\\")
        except tokenize.TokenError:
            goes_on = True
        except SyntaxError:
            goes_on = False
        if not goes_on:
            pending = ""


def _source(cell: Any) -> str:
    source = cell.get("source", cell.get("input", ""))
    return "".join(source) if isinstance(source, list) else str(source)


def _form(book: Any, text: str) -> tuple[dict[str, Any], str]:
    """Return how the JSON is written, and what stands after it."""
    end = text[len(text.rstrip()) :]
    for indent in (1, 2, 4, None):
        for escaped in (False, True):
            form = {"indent": indent, "ensure_ascii": escaped}
            if json.dumps(book, **form) + end == text:  # type: ignore[arg-type]
                return form, end
    raise ValueError("is a notebook whose JSON is not written as Jupyter does: save it there once")
