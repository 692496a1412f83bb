"""Guides as notebooks, which readers download from the pages of the site.

A guide's blocks run as a test, one after the other, as the cells of a notebook do: what it shows is what its
cells print.
"""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterator
from typing import Any

# Those whose blocks are Python alone.
GUIDES = ("docs/guides/keras.md", "docs/guides/masks-boxes-keypoints.md", "docs/randomness.md")
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_FILE = re.compile(r"# ([\w./-]+\.py)\n")
_LINK = re.compile(r"\[([^][\n]*)\]\((?![a-z]+://)[^)\s]+\)")
_ABOUT = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}


def _text(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def _code(source: str, printed: str = "") -> dict[str, Any]:
    shown = [{"output_type": "stream", "name": "stdout", "text": printed}] if printed else []
    cell = {"cell_type": "code", "metadata": {}, "execution_count": None}
    return {**cell, "source": source.rstrip("\n"), "outputs": shown}


def _cells_of(block: str) -> Iterator[dict[str, Any]]:
    """Yield the cells of a block of Python: a file, an interactive session, or a program."""
    if file := _FILE.match(block):
        yield _code(f"%%writefile {file[1]}\n{block[file.end() :]}")
    elif ">>> " in block:
        source = ""
        for example in doctest.DocTestParser().get_examples(block):
            source += example.source
            if example.want:
                yield _code(source, example.want)
                source = ""
        if source:
            yield _code(source)
    else:
        yield _code(block)


def notebook(page: str) -> dict[str, Any]:
    """Return a guide as a notebook.

    Parameters
    ----------
    page : str
        The guide, whose blocks are Python. Links to other pages become their words.

    Returns
    -------
    dict
        What the file holds, as JSON of format 4.4.
    """
    cells, end = [], 0
    for block in [*_BLOCK.finditer(page), None]:
        between = page[end : block.start() if block else len(page)].strip()
        if between:
            cells.append(_text(_LINK.sub(r"\1", between)))
        if block is None:
            break
        if block[1] != "python":
            raise ValueError(f"notebook: got a block of {block[1] or 'no language'}; allowed: python.")
        cells += _cells_of(block[2])
        end = block.end()
    return {"cells": cells, "metadata": _ABOUT, "nbformat": 4, "nbformat_minor": 4}
