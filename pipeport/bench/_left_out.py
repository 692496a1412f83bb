"""Cases that a run left out, counted by reason; `--list` and `--json` name each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

FAILED = ": could not be measured: "
FAILURE, OTHER = "failed", "other"
# Lines of a plan or a run, and what is said of all lines of that kind.
_REASONS = (
    (re.compile(r": To stay within|^To stay within"), "for time"),
    (re.compile(r"GPU"), "need a GPU"),
    (re.compile(r"cannot be imported here\.$"), "need a library"),
    (re.compile(r"does not take \w+\.$"), "another dtype"),
    (re.compile(r"takes no image\.$"), "no image"),
    (re.compile(re.escape(FAILED)), FAILURE),
)
_BUDGET = re.compile(r"^To stay within \d+ s: (?P<names>.*)\. Measure them by name")


def counts(lines: Iterable[str]) -> dict[str, int]:
    """Return how many cases or pairs are left out by reason, in the order of the reasons.

    `lines`: as a plan or a run writes them, one for each; cases beyond the time are one line. Returns:
    reasons in words; those that do not occur are absent.
    """
    found: Counter[str] = Counter()
    for line in lines:
        found[_reason(line)] += _cases_of(line)
    order = [*(words for _, words in _REASONS), OTHER]
    return {words: found[words] for words in order if found[words]}


def _reason(line: str) -> str:
    return next((words for pattern, words in _REASONS if pattern.search(line)), OTHER)


def _cases_of(line: str) -> int:
    """Return how many cases a line stands for: 'NAME (float32, uint8); NAME (uint8)' are three."""
    budget = _BUDGET.search(line)
    if budget is None:
        return 1
    return sum(1 + name.count(", ") for name in budget["names"].split("; "))


def failures(lines: Iterable[str]) -> list[str]:
    """Return the lines that no plan could foresee: of what began and ended in an error."""
    return [line for line in lines if _reason(line) in (FAILURE, OTHER)]
