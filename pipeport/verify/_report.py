"""Records of a verification: plain, frozen, and the same in memory and in the results file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from pipeport._shown import as_html

Status = Literal["passed", "failed", "not run"]


@dataclass(frozen=True)
class DtypeRecord:
    """Examples of one dtype (that of the first array).

    Attributes
    ----------
    dtype : str
        The dtype.
    examples : int
        Examples both functions accepted, and that were compared.
    refused : int
        How many both refused, besides.
    ratio : float
        Worst error divided by what the agreement allows.
    error : float
        Worst error in the agreement's unit.
    """

    dtype: str
    examples: int
    refused: int = 0
    ratio: float = 0.0
    error: float = 0.0

    def __or__(self, other: DtypeRecord) -> DtypeRecord:
        """Return the examples of both, and the worst errors of either."""
        return DtypeRecord(
            self.dtype,
            self.examples + other.examples,
            self.refused + other.refused,
            max(self.ratio, other.ratio),
            max(self.error, other.error),
        )


@dataclass(frozen=True)
class Failure:
    """Why a case failed, with the shrunk counterexample as Python that runs when pasted.

    Attributes
    ----------
    reason, snippet, dtype : str
        What was wrong, a script that shows it, and the dtype of the first array.
    example : str
        The counterexample as an entry of the contract's `examples`; empty outside the catalog.
    """

    reason: str
    snippet: str = ""
    dtype: str = ""
    example: str = ""


@dataclass(frozen=True)
class CaseRecord:
    """One case: a pair in an engine.

    Attributes
    ----------
    pair, engine : str
        Which case.
    status : {'passed', 'failed', 'not run'}
        What came out.
    examples : int
        Examples both functions accepted, and that were compared.
    wanted : int
        Examples asked for; only accepted ones count.
    dtypes : tuple of DtypeRecord
        Per dtype.
    failure : Failure or None
        The counterexample.
    note : str
        Why the case was not run, or what to know about it.
    seed : int
        Seed of the draw.
    fingerprint : str
        Hash of the sources and versions the result depends on.
    versions : mapping of str to str
        Versions of the packages that took part.
    large : int
        How many of the examples were of images of a common size.
    """

    pair: str
    engine: str
    status: Status
    examples: int = 0
    wanted: int = 0
    dtypes: tuple[DtypeRecord, ...] = ()
    failure: Failure | None = None
    note: str = ""
    seed: int = 0
    fingerprint: str = ""
    versions: Mapping[str, str] | None = None
    large: int = 0

    @property
    def refused(self) -> int:
        """Examples both functions refused."""
        return sum(record.refused for record in self.dtypes)

    @property
    def key(self) -> str:
        """Name of the case in the results file."""
        return f"{self.pair}|{self.engine}"

    def to_json(self) -> dict[str, Any]:
        """Return the record as plain data."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> CaseRecord:
        """Return the record that `to_json` wrote."""
        own = dict(data)
        own["dtypes"] = tuple(DtypeRecord(**d) for d in own["dtypes"])
        own["failure"] = Failure(**own["failure"]) if own["failure"] else None
        return cls(**own)


@dataclass(frozen=True)
class Report:
    """Every case of one verification.

    Attributes
    ----------
    cases : tuple of CaseRecord
        In the order in which they ran.
    """

    cases: tuple[CaseRecord, ...] = ()

    @property
    def failed(self) -> tuple[CaseRecord, ...]:
        """Cases that failed."""
        return tuple(case for case in self.cases if case.status == "failed")

    @property
    def ok(self) -> bool:
        """Whether no case failed; cases that were not run do not count as passed or failed."""
        return not self.failed

    def _repr_html_(self) -> str:
        from pipeport.verify import _text

        return as_html(_text.parts(self))

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain data."""
        return {"format": 1, "cases": [case.to_json() for case in self.cases]}


def tally(records: Iterable[DtypeRecord]) -> tuple[DtypeRecord, ...]:
    """Return records sorted by dtype."""
    return tuple(sorted(records, key=lambda record: record.dtype))
