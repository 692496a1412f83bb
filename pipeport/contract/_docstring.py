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
            entry = f"{name} : None\n    Refused: {promise.refused[name]}.\n"
            text = with_parameter(text, name, before, entry)
    said = " ".join(text.split())
    missing = [one.summary for one in promise.differences if " ".join(one.summary.split()) not in said]
    return _with_differences(text, missing) if missing else text


def with_parameter(text: str, name: str, before: str | None, entry: str) -> str:
    """Return a docstring with the entry of a parameter behind the one `before`, if it has none."""
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
    return f"{head}{'' if head.endswith(chr(10)) else chr(10)}{entry}{rest}"


def _entry(name: str) -> str:
    """Return a pattern for the first line of a parameter's entry, which several may share."""
    return rf"^(?:\S+, )*\*{{0,2}}{name}(?:, \S+)*(?: :|$)"


def rewrapped(text: str) -> str:
    """Return a text whose lines are not too long: what is too much goes to the next line, if that goes on."""
    lines, done = text.splitlines(), []
    while lines:
        line = lines.pop(0)
        indent = " " * (len(line) - len(line.lstrip()))
        if len(line) <= _WIDTH + 4 or line.lstrip().startswith((">", "[", "<")):
            done.append(line)
            continue
        *whole, rest = textwrap.wrap(line, _WIDTH, subsequent_indent=indent, break_on_hyphens=False)
        done += whole
        goes_on = lines and not line.endswith(".") and lines[0].startswith(indent) and lines[0].strip()
        lines.insert(0, f"{rest} {lines.pop(0).strip()}" if goes_on else rest)
    return "\n".join(done)


def _with_differences(text: str, summaries: list[str]) -> str:
    """Return a docstring with differences at the head of its notes."""
    items = (
        textwrap.fill(" ".join(one.split()), _WIDTH, initial_indent="- ", subsequent_indent="  ")
        for one in summaries
    )
    block = "Differences from the reference:\n\n" + "\n".join(items) + "\n\n"
    head, notes, rest = text.partition("\nNotes\n-----\n")
    return f"{head}{notes}{block}{rest}" if notes else text
