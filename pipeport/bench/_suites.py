"""Suites: plans in TOML files, so that a published figure can be measured again by name."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from pipeport.bench._case import Size
from pipeport.bench._plans import Plan, Selection
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain

_PLAN_KEYS = ("rounds", "seconds", "latency", "cases")
_CASE_KEYS = ("pairs", "dtypes", "sizes", "scopes", "batched", "cores", "devices", "compared_only")
UNKNOWN = "unknown"


def parse_size(text: str) -> Size | None:
    """Read '256', '240x320' (height x width) or 'unknown'.

    Raises
    ------
    OutsideDomain
        The text is none of these.
    """
    if text == UNKNOWN:
        return None
    found = re.fullmatch(r"([1-9]\d*)(?:x([1-9]\d*))?", text)
    if found is None:
        raise OutsideDomain(
            explain("size", repr(text), "SIDE, HEIGHTxWIDTH or 'unknown'", "For instance 256 or 240x320.")
        )
    height = int(found[1])
    return height, int(found[2] or height)


def read_suite(path: Path) -> Plan:
    """Read a suite.

    Raises
    ------
    OutsideDomain
        The file cannot be read as TOML.
    UnsupportedArgument
        It has a key that no suite has.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        advice = "See bench/suites/ for examples."
        raise OutsideDomain(explain(str(path), str(error), "a TOML suite", advice)) from error
    _check_keys(path, data, _PLAN_KEYS)
    selections = []
    for entry in data.get("cases", []):
        _check_keys(path, entry, _CASE_KEYS)
        selections.append(_selection(entry))
    settings = {name: data[name] for name in ("rounds", "seconds", "latency") if name in data}
    return Plan(name=path.stem, selections=tuple(selections), **settings)


def _selection(entry: dict[str, Any]) -> Selection:
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in entry.items()
    }
    if "sizes" in values:
        values["sizes"] = tuple(parse_size(str(size)) for size in values["sizes"])
    return Selection(**values)


def _check_keys(path: Path, data: dict[str, Any], allowed: tuple[str, ...]) -> None:
    for key in data:
        if key not in allowed:
            message = explain(str(path), f"key {key!r}", ", ".join(allowed), "Remove or correct it.")
            raise UnsupportedArgument(message)
