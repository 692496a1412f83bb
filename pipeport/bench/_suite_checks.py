"""Check the values of a suite's TOML keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pipeport.errors import OutsideDomain, UnsupportedArgument, explain

Check = tuple[str, Callable[[Any], bool]]


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_function(value: Any) -> bool:
    where, _, name = value.rpartition(":") if isinstance(value, str) else ("", "", "")
    return bool(where) and name.isidentifier()


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _are_tables(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(entry, dict) for entry in value)


WHOLE: Check = ("a whole number, 1 or more", _is_whole)
POSITIVE: Check = ("a number above 0", lambda value: _is_number(value) and value > 0)
NOT_NEGATIVE: Check = ("a number, 0 or more", lambda value: _is_number(value) and value >= 0)
FLAG: Check = ("true or false", lambda value: isinstance(value, bool))
TEXT: Check = ("a text", _is_text)
TEXTS: Check = ("a list of texts", _are_texts)
LIST: Check = ("a list", lambda value: isinstance(value, list))
TABLE: Check = ("a table", lambda value: isinstance(value, dict))
TABLES: Check = ("tables in double brackets", _are_tables)
SCRIPT: Check = (
    "a script beside the suite, FILE.py",
    lambda value: _is_text(value) and value.endswith(".py"),
)
FUNCTION: Check = (
    "MODULE:FUNCTION, FILE.py:FUNCTION beside the suite or recipes/NAME/FILE.py:FUNCTION",
    _is_function,
)


def one_of(*allowed: str) -> Check:
    """Return the check for one of some words."""
    return ", ".join(allowed), lambda value: value in allowed


def check(where: str, data: Mapping[str, Any], checks: Mapping[str, Check]) -> None:
    """Check the keys of a table, and their values.

    `where`: the file and the part of it, for the message. `checks`: what every key that may be there allows,
    in words and as a function.
    """
    for key, value in data.items():
        if key not in checks:
            allowed = ", ".join(checks)
            raise UnsupportedArgument(explain(where, f"key {key!r}", allowed, "Remove or correct it."))
        allowed, holds = checks[key]
        if not holds(value):
            raise OutsideDomain(explain(where, f"{key} = {value!r}", allowed, "Correct it."))
