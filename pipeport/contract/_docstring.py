"""What a docstring does not say of a contract is written into it: the reference, refusals, differences."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Mapping
from typing import Any

_WIDTH = 106


def completed(text: str, promise: Any, parameters: Mapping[str, Any]) -> str:
    """Return a docstring that names the reference, every refused parameter and every difference."""
    text = inspect.cleandoc(text)
    if f"`{promise.reference}`" not in text:
        summary, blank, rest = text.partition("\n\n")
        text = f"{summary}\n\nNative equivalent of `{promise.reference}`.{blank}{rest}"
    for before, name in zip([None, *parameters], parameters, strict=False):
        if name in promise.refused:
            text = _with_parameter(text, name, before, promise.refused[name])
    said = " ".join(text.split())
    missing = [one.summary for one in promise.differences if " ".join(one.summary.split()) not in said]
    return _with_differences(text, missing) if missing else text


def _with_parameter(text: str, name: str, before: str | None, reason: str) -> str:
    """Return a docstring with a refused parameter behind the one `before`, if it stands in neither."""
    section = re.search(r"^Parameters\n-+\n((?:.+\n?)*)", text, re.MULTILINE)
    if section is None or re.search(_entry(name), section[1], re.MULTILINE):
        return text
    place = section.start(1)
    if before is not None:
        found = re.search(_entry(before) + r".*\n(?:    .*\n?)*", section[1], re.MULTILINE)
        if found is None:
            return text
        place += found.end()
    head, rest = text[:place], text[place:]
    return f"{head}{'' if head.endswith(chr(10)) else chr(10)}{name} : None\n    Refused: {reason}.\n{rest}"


def _entry(name: str) -> str:
    """Return a pattern for the first line of a parameter's entry, which several may share."""
    return rf"^(?:\S+, )*\*{{0,2}}{name}(?:, \S+)*(?: :|$)"


def _with_differences(text: str, summaries: list[str]) -> str:
    """Return a docstring with differences at the head of its notes."""
    items = (
        textwrap.fill(" ".join(one.split()), _WIDTH, initial_indent="- ", subsequent_indent="  ")
        for one in summaries
    )
    block = "Differences from the reference:\n\n" + "\n".join(items) + "\n\n"
    head, notes, rest = text.partition("\nNotes\n-----\n")
    return f"{head}{notes}{block}{rest}" if notes else text
