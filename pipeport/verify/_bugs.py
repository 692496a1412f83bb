"""Failures of one pair that are one bug: the same reason up to the numbers, in whatever engine."""

from __future__ import annotations

import builtins
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeport import errors
from pipeport.verify._outcome import kinds_of

if TYPE_CHECKING:
    from pipeport.verify._report import CaseRecord, Failure

_RAISES = re.compile(r"(?P<who>.*?\braises )(?P<name>[\w.]+)")
_PLACES = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_NUMBERS = re.compile(r"[-+]?(?:\d[\d.]*(?:e[-+]?\d+)?|\bnan\b|\binf\b|\bTrue\b|\bFalse\b)j?")


@dataclass(frozen=True)
class Bug:
    """A bug of a pair, with its smallest example.

    `case`: the case with the smallest example. `others`: the other engines that fail in the same way.
    """

    case: CaseRecord
    failure: Failure
    others: tuple[str, ...] = ()

    @property
    def places(self) -> str:
        """The engines, in words."""
        also = f"; also fails in: {', '.join(self.others)}" if self.others else ""
        return f"in {self.case.engine}{also}"

    @property
    def script(self) -> str:
        """The example as Python, without the reason in its first lines."""
        lines = self.failure.snippet.splitlines(keepends=True)
        while lines and lines[0].startswith("# "):
            del lines[0]
        return "".join(lines)


def bugs_of(cases: Iterable[CaseRecord]) -> list[Bug]:
    """Return the bugs that failed cases show, one per pair and kind of failure, in the order of the cases."""
    found: dict[tuple[str, str], list[tuple[CaseRecord, Failure]]] = {}
    for case in cases:
        if case.failure is not None:
            found.setdefault((case.pair, kind(case.failure.reason)), []).append((case, case.failure))
    bugs = []
    for failed in found.values():
        case, failure = min(failed, key=lambda one: _size(one[1]))
        bugs.append(Bug(case, failure, tuple(c.engine for c, _ in failed if c is not case)))
    return bugs


def kind(reason: str) -> str:
    """Return the kind of a failure: its reason without numbers, positions and messages."""
    return "\n".join(map(_kind_of_line, reason.splitlines()))


def _kind_of_line(line: str) -> str:
    if raises := _RAISES.match(line):
        return raises["who"] + ", ".join(sorted(_kinds_named(raises["name"])))
    return _NUMBERS.sub("#", _PLACES.sub("", line))


def _kinds_named(name: str) -> frozenset[str]:
    """Return the kinds of error of a class, by its name."""
    for module in (errors, builtins):
        found = getattr(module, name, None)
        if isinstance(found, type) and issubclass(found, Exception):
            return kinds_of(found.__new__(found))
    return kinds_of(type(name, (Exception,), {})())


def _size(failure: Failure) -> tuple[bool, int]:
    """Return how much there is to read in an example; one without a script comes last."""
    _, _, inputs = failure.snippet.partition("inputs = dict(\n")
    return not failure.snippet, len(inputs.partition("\n)\n")[0])
