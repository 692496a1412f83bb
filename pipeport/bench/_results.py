"""The result of a run as plain data: raw rounds and all that is derived from them, and its JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from pipeport.bench._case import Case
from pipeport.bench._json import rounded
from pipeport.bench._json import write_json as write_json
from pipeport.bench._side_result import SideResult as SideResult
from pipeport.bench._statistics import NO_DIFFERENCE, Ratio, ratio_of
from pipeport.errors import OutsideDomain, explain

# History of the format. 1: the first. 2: rounds in columns, numbers rounded, what is empty left out,
# every case with code.
FORMAT = 2
READABLE = (1, 2)
# The kind of a side that is this native in another revision of this package.
REVISION = "revision"


@dataclass(kw_only=True)
class CaseResult:
    """The measurements of one case; sides in the order they were measured.

    `code` is the fingerprint of what was measured, empty where it is not known.
    """

    case: Case
    sides: list[SideResult]
    notes: list[str] = field(default_factory=list)
    code: str = ""

    def of_kind(self, *kinds: str) -> list[SideResult]:
        """Return the sides of those kinds that were measured at least once."""
        return [side for side in self.sides if side.kind in kinds and side.rounds]

    @property
    def native(self) -> SideResult | None:
        """The native's side, if it was measured."""
        return next(iter(self.of_kind("native")), None)

    def ratios(self) -> list[tuple[SideResult, Ratio]]:
        """Return native / other for reference, peers, stock op and another revision, in this order."""
        native = self.native
        if native is None:
            return []
        others = [side for kind in ("reference", "peer", "stock") for side in self.of_kind(kind)]
        found = [(side, ratio_of(native.rates, side.rates)) for side in others]
        return found + [(side, _of_revisions(native, side)) for side in self.of_kind(REVISION)]


def _of_revisions(this: SideResult, other: SideResult) -> Ratio:
    """Compare two revisions; on a busy machine the verdict is one that processor time bears out."""
    ratio = ratio_of(this.rates, other.rates)
    if ratio.verdict == NO_DIFFERENCE or not (this.disturbed or other.disturbed):
        return ratio
    worked = this.rates_per_core, other.rates_per_core
    agreed = all(worked) and ratio_of(*worked).verdict == ratio.verdict
    return ratio if agreed else replace(ratio, verdict=NO_DIFFERENCE)


@dataclass(kw_only=True)
class MemoryResult:
    """Peak memory of one side, in a process of its own."""

    name: str
    kind: str
    peak_bytes: int
    baseline_bytes: int
    method: str

    @property
    def used_bytes(self) -> int:
        """Peak minus baseline."""
        return self.peak_bytes - self.baseline_bytes


@dataclass(kw_only=True)
class Report:
    """A whole run."""

    environment: dict[str, Any]
    protocol: dict[str, Any]
    cases: list[CaseResult] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    memory: list[MemoryResult] = field(default_factory=list)
    interrupted: bool = False
    duration_s: float = 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return the report as JSON holds it, with what can be derived from its raw values."""
        return {
            "format": FORMAT,
            "environment": self.environment,
            "protocol": self.protocol,
            "interrupted": self.interrupted,
            "duration_s": self.duration_s,
            "cases": [self._case_as_dict(result) for result in self.cases],
            "memory": [asdict(entry) | {"used_bytes": entry.used_bytes} for entry in self.memory],
            "left_out": self.left_out,
        }

    def _case_as_dict(self, result: CaseResult) -> dict[str, Any]:
        cores = self.environment["machine"]["usable_cores"]
        return {
            "case": result.case.as_dict(),
            "code": result.code,
            "notes": result.notes,
            "sides": [side.as_dict(cores) for side in result.sides],
            "ratios": [rounded({"against": side.name, **asdict(one)}) for side, one in result.ratios()],
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Report:
        """Read what `as_dict` wrote, in this format or format 1; derived values are computed anew."""
        return cls(
            environment=data["environment"],
            protocol=data["protocol"],
            cases=[_case_from_dict(case) for case in data["cases"]],
            left_out=data["left_out"],
            memory=[
                MemoryResult(**{k: v for k, v in entry.items() if k != "used_bytes"})
                for entry in data["memory"]
            ],
            interrupted=data["interrupted"],
            duration_s=data["duration_s"],
        )


def _case_from_dict(data: dict[str, Any]) -> CaseResult:
    return CaseResult(
        case=Case.from_dict(data["case"]),
        sides=[SideResult.from_dict(side) for side in data["sides"]],
        notes=data["notes"],
        code=data.get("code", ""),
    )


def write(report: Report, path: Path) -> None:
    """Write a report as JSON, all at once or not at all."""
    write_json(report.as_dict(), path)


def read(path: Path) -> Report:
    """Read a report."""
    advice = "Give a file written by `pipeport bench --json`."
    allowed = f"a report of format {' or '.join(map(str, READABLE))}"
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise OutsideDomain(explain(str(path), str(error), allowed, advice)) from error
    found = data.get("format") if isinstance(data, dict) else None
    if found not in READABLE:
        raise OutsideDomain(explain(str(path), f"format {found!r}", allowed, advice))
    try:
        return Report.from_dict(data)
    except (KeyError, TypeError) as error:
        given = f"an incomplete report ({error})"
        raise OutsideDomain(explain(str(path), given, allowed, advice)) from error
