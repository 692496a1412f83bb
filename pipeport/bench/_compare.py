"""Two reports of one machine side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from pipeport._figures import level
from pipeport.bench._case import Case
from pipeport.bench._report import STYLES, Block, Row, ratio_cells
from pipeport.bench._results import Report
from pipeport.bench._statistics import SLOWER, Ratio, ratio_of
from pipeport.errors import OutsideDomain, explain

# Memory is read in rounded GiB, and a kernel keeps a little more or less of it for itself.
MEMORY_TOLERANCE = 0.05
FORMAT = 1


@dataclass(frozen=True)
class Change:
    """One side of one case in both reports; `ratio` is new over old."""

    case: Case
    side: str
    kind: str
    before: float
    after: float
    ratio: Ratio


def compare(before: Report, after: Report) -> list[Change]:
    """Compare two reports.

    `before`, `after`: measured on the same machine under the same protocol; versions and commits may differ,
    they are what a comparison is about. Returns: sides that are in both, in the order of `after`.
    """
    unlike = list(differences(before, after))
    if unlike:
        raise OutsideDomain(
            explain(
                "reports",
                "; ".join(unlike),
                "two reports of one machine and one protocol",
                "Measure both versions on one machine, with the same options.",
            )
        )
    old = {(r.case, side.name): side for r in before.cases for side in r.sides if side.rounds}
    changes = []
    for result in after.cases:
        for side in result.sides:
            match = old.get((result.case, side.name))
            if match is not None and side.rounds:
                ratio = ratio_of(side.rates, match.rates, paired=False)
                changes.append(Change(result.case, side.name, side.kind, match.median, side.median, ratio))
    if not changes:
        raise OutsideDomain(
            explain(
                "reports",
                "no case that is in both",
                "reports of the same cases",
                "Use the same options for both.",
            )
        )
    return changes


def as_dict(changes: list[Change]) -> dict[str, Any]:
    """Return changes as JSON holds them."""
    listed = [asdict(change) | {"case": change.case.as_dict()} for change in changes]
    return {"format": FORMAT, "changes": listed}


def slower(changes: list[Change]) -> list[Change]:
    """Return the natives that lost speed."""
    return [c for c in changes if c.kind == "native" and c.ratio.verdict == SLOWER]


def headings(changes: list[Change]) -> tuple[str, ...]:
    """Return the columns of the table of changes."""
    found = sorted({change.ratio.rounds for change in changes if change.ratio.rounds > 1})
    interval = f"{level(found[0])} interval" if len({level(one) for one in found}) == 1 else "interval"
    return "pipeline", "old, el/s", "new, el/s", "new/old", interval, "verdict"


def blocks(changes: list[Change]) -> list[Block]:
    """Return the lines of the table of changes, case by case."""
    several = len({level(change.ratio.rounds) for change in changes}) > 1
    found: dict[Case, list[Row]] = {}
    for change in changes:
        rates = (f"{change.before:,.0f}", f"{change.after:,.0f}")
        cells = (change.side, *rates, *ratio_cells(change.ratio, several=several))
        found.setdefault(change.case, []).append(Row(cells, STYLES.get(change.ratio.verdict, "")))
    return [Block(f"{case.short_name}, {case.conditions}", tuple(rows)) for case, rows in found.items()]


def differences(before: Report, after: Report) -> Iterator[str]:
    """Yield the obstacles to a comparison, one phrase each."""
    old, new = _conditions(before), _conditions(after)
    for name in sorted(old.keys() | new.keys()):
        left, right = old.get(name), new.get(name)
        alike = _close(left, right) if name == "machine.memory_gib" else left == right
        if not alike:
            yield f"{name} is {left!r} in the first and {right!r} in the second"


def _close(left: Any, right: Any) -> bool:
    if left is None or right is None:
        return left is right
    return bool(abs(left - right) <= MEMORY_TOLERANCE * max(left, right))


def _conditions(report: Report) -> dict[str, Any]:
    conditions = {
        **{f"machine.{name}": value for name, value in report.environment["machine"].items()},
        **{f"threads.{name}": value for name, value in report.environment["threads"].items()},
        "photographs": report.environment["photographs"],
    }
    # Rounds may differ: more of them is only a better measurement of the same thing.
    for name in ("seconds", "batch", "steady"):
        conditions[f"protocol.{name}"] = report.protocol[name]
    return conditions
