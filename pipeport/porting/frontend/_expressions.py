"""Shared by both run times: chained comparisons, f-strings and in-place operators."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any


def in_place(name: str) -> Callable[[Any, Any], Any]:
    """Return the in-place form of an operator, by the name of the plain one."""
    found: Callable[[Any, Any], Any] = getattr(operator, "i" + name.rstrip("_"))
    return found


def around(row: list[Any], before: int, behind: int) -> list[Any]:
    """Return the first and the last elements of a list, and between them the list of all others."""
    if len(row) < before + behind:
        told = f"not enough values to unpack (expected at least {before + behind}, got {len(row)})"
        raise ValueError(told)
    end = len(row) - behind
    return [*row[:before], row[before:end], *row[end:]]


class Expressions:
    """The parts of a transformed expression that do not depend on what runs it."""

    def __init__(self) -> None:
        self._between: dict[int, Any] = {}

    def between(self, number: int, value: Any) -> Any:
        """Keep the middle of a chain of comparisons."""
        self._between[number] = value
        return value

    def again(self, number: int) -> Any:
        """Return the middle of a chain of comparisons."""
        return self._between.pop(number)

    def text(self, value: Any, conversion: int, form: str) -> Any:
        """Return a value in an f-string."""
        converters: dict[int, Callable[[Any], Any]] = {115: str, 114: repr, 97: ascii}
        return format(converters[conversion](value) if conversion in converters else value, form)

    def joined(self, *parts: Any) -> Any:
        """Return an f-string."""
        return "".join(parts)

    def either(self, test: Any, body: Callable[[], Any], orelse: Callable[[], Any]) -> Any:
        """Return `body() if test else orelse()`."""
        return body() if test else orelse()

    def repeated(self, left: Any, right: Any) -> Any:
        """Return `left * right`, of which one is a list."""
        return left * right

    def modulo(self, left: Any, right: Any) -> Any:
        """Return `left % right`."""
        return left % right
