"""The result of a run as plain data: raw rounds and all that is derived from them, and its JSON."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from pipeport.bench._case import Case
from pipeport.bench._measure import Round
from pipeport.bench._statistics import Ratio, ratio_of
from pipeport.errors import OutsideDomain, explain

# History of the format. 1: the first.
FORMAT = 1


@dataclass(kw_only=True)
class SideResult:
    """What was measured of one side.

    Attributes
    ----------
    name, kind, differs : str
        As in `Side`.
    rounds : list of Round
        Raw values.
    largest_difference : float or None
        Largest absolute difference of its first batch from the reference's, both as
        float64; None for the reference, random pairs and unlike shapes.
    answer : str
        Dtypes and shapes of one batch.
    first_element_s : list of float
        Seconds from building the pipeline, tracing and compilation included, to the first
        element; empty unless asked for.
    """

    name: str
    kind: str
    differs: str = ""
    rounds: list[Round] = field(default_factory=list)
    largest_difference: float | None = None
    answer: str = ""
    first_element_s: list[float] = field(default_factory=list)

    @property
    def rates(self) -> list[float]:
        """Elements per second, one value per round."""
        return [measured.rate for measured in self.rounds]

    @property
    def median(self) -> float:
        """Median of the rounds, in elements per second."""
        return float(np.median(self.rates))

    @property
    def cores(self) -> float | None:
        """Median number of cores this process used meanwhile; None where unknown."""
        known = [measured.cores for measured in self.rounds if measured.cores is not None]
        return float(np.median(known)) if known else None


@dataclass(kw_only=True)
class CaseResult:
    """What was measured of one case; sides in the order they were measured.

    `commit` is empty where it is the report's.
    """

    case: Case
    sides: list[SideResult]
    notes: list[str] = field(default_factory=list)
    commit: str = ""

    def of_kind(self, *kinds: str) -> list[SideResult]:
        """Return the sides of those kinds that were measured at least once."""
        return [side for side in self.sides if side.kind in kinds and side.rounds]

    @property
    def native(self) -> SideResult | None:
        """The native's side, if it was measured."""
        return next(iter(self.of_kind("native")), None)

    def ratios(self) -> list[tuple[SideResult, Ratio]]:
        """Return native / other for reference, peers and stock op, the reference first."""
        native = self.native
        if native is None:
            return []
        others = [side for kind in ("reference", "peer", "stock") for side in self.of_kind(kind)]
        return [(side, ratio_of(native.rates, side.rates)) for side in others]


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
        """Return the report as JSON holds it; `ratios` and `median` are derived, the rest is raw."""
        return {
            "format": FORMAT,
            "environment": self.environment,
            "protocol": self.protocol,
            "interrupted": self.interrupted,
            "duration_s": self.duration_s,
            "cases": [_case_as_dict(result) for result in self.cases],
            "memory": [asdict(entry) | {"used_bytes": entry.used_bytes} for entry in self.memory],
            "left_out": self.left_out,
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Report:
        """Read what `as_dict` wrote; derived values are computed anew."""
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


def _case_as_dict(result: CaseResult) -> dict[str, Any]:
    return {
        "case": result.case.as_dict(),
        "notes": result.notes,
        "sides": [asdict(side) | {"median": side.median if side.rounds else None} for side in result.sides],
        "ratios": [{"against": side.name, **asdict(ratio)} for side, ratio in result.ratios()],
        **({"commit": result.commit} if result.commit else {}),
    }


def _case_from_dict(data: dict[str, Any]) -> CaseResult:
    sides = [
        SideResult(
            **{k: v for k, v in side.items() if k not in ("median", "rounds")},
            rounds=[Round(**values) for values in side["rounds"]],
        )
        for side in data["sides"]
    ]
    return CaseResult(
        case=Case.from_dict(data["case"]), sides=sides, notes=data["notes"], commit=data.get("commit", "")
    )


def replaced(old: Report, new: Report) -> Report:
    """Return a report with its cases measured again where another has them too.

    Parameters
    ----------
    old, new : Report
        Of one machine and protocol; `_compare.differences` tells.

    Returns
    -------
    Report
        The old one's cases in their order and what only the new one has after them, each with its commit.
    """
    parts = [
        {
            one.case: replace(one, commit=one.commit or str(report.environment["commit"]))
            for one in report.cases
        }
        for report in (old, new)
    ]
    return replace(
        new,
        cases=list((parts[0] | parts[1]).values()),
        memory=new.memory or old.memory,
        left_out=list(dict.fromkeys([*old.left_out, *new.left_out])),
        duration_s=old.duration_s + new.duration_s,
    )


def write(report: Report, path: Path) -> None:
    """Write a report as JSON, all at once or not at all."""
    write_json(report.as_dict(), path)


def write_json(data: Any, path: Path) -> None:
    """Write JSON into a file beside the target, then put it in its place."""
    text = json.dumps(data, indent=1, allow_nan=False) + "\n"
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        # mkstemp makes files only their owner can read; results are meant to be shared.
        os.chmod(temporary, 0o644)  # noqa: PTH101 - a descriptor's file
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def read(path: Path) -> Report:
    """Read a report.

    Raises
    ------
    OutsideDomain
        The file is not a report of this format.
    """
    advice = "Give a file written by `pipeport bench --json`."
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise OutsideDomain(explain(str(path), str(error), f"a report of format {FORMAT}", advice)) from error
    found = data.get("format") if isinstance(data, dict) else None
    if found != FORMAT:
        raise OutsideDomain(explain(str(path), f"format {found!r}", f"format {FORMAT}", advice))
    try:
        return Report.from_dict(data)
    except (KeyError, TypeError) as error:
        given = f"an incomplete report ({error})"
        raise OutsideDomain(explain(str(path), given, f"a report of format {FORMAT}", advice)) from error
