"""JSON with one record per line, written all at once or not at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pipeport.verify._results import write_atomically

# Of raw values and what is derived from them; a median of rounds wanders by percents.
SIGNIFICANT = 5


def rounded(value: Any) -> Any:
    """Return plain data with every float rounded to what it means: five significant digits."""
    if isinstance(value, float):
        return float(f"{value:.{SIGNIFICANT}g}")
    if isinstance(value, dict):
        return {key: rounded(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [rounded(inner) for inner in value]
    return value


def dumped(value: Any, indent: int = 0) -> str:
    """Return plain data as JSON: what holds a list of records is spread over lines, all else is one line."""
    if not _holds_records(value):
        return json.dumps(value, allow_nan=False)
    inside = "\n" + " " * (indent + 1)
    if isinstance(value, dict):
        parts = [f"{json.dumps(str(key))}: {dumped(inner, indent + 1)}" for key, inner in value.items()]
    else:
        parts = [dumped(inner, indent + 1) for inner in value]
    begin, end = "{}" if isinstance(value, dict) else "[]"
    return f"{begin}{inside}{f',{inside}'.join(parts)}\n{' ' * indent}{end}"


def _holds_records(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_holds_records, value.values()))
    return isinstance(value, list) and any(isinstance(one, dict) or _holds_records(one) for one in value)


def write_json(data: Any, path: Path) -> None:
    """Write JSON into a file, all at once."""
    write_atomically(path, dumped(data) + "\n")
