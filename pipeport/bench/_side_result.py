"""The measurements of one side of a case, and their JSON."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

import numpy as np

from pipeport.bench._caveats import DISTURBANCE, caveats
from pipeport.bench._json import rounded
from pipeport.bench._measure import Round
from pipeport.bench._training_times import Training

# What can be computed from the rest (`doubts` in older files); rounds have a form of their own.
_APART = ("caveats", "doubts", "median", "rounds")
# Values of a round that tell about it and enter no ratio: thousandths are enough.
_COARSE = ("warm_s", "cores", "others")


def _written(measured: Round, name: str) -> Any:
    value = getattr(measured, name)
    return round(value, 3) if name in _COARSE and value is not None else value


@dataclass(kw_only=True)
class SideResult:
    """The measurements of one side.

    `largest_difference`: largest absolute difference of its first batch from the reference's, both as
    float64; None for the reference, random pairs and unlike shapes. `answer`: dtypes and shapes of one batch.
    `first_element_s`: seconds from building the pipeline, tracing and compilation included, to the first
    element; empty unless asked for. `first_batch_s`: of a program, seconds from building it to its first
    whole batch; None unless asked for. `trainings`: of a training, the processes, one for each round.
    """

    name: str
    kind: str
    differs: str = ""
    rounds: list[Round] = field(default_factory=list)
    largest_difference: float | None = None
    answer: str = ""
    first_element_s: list[float] = field(default_factory=list)
    first_batch_s: float | None = None
    trainings: list[Training] = field(default_factory=list)

    def add(self, training: Training, whole: Round) -> None:
        """Add a training; the first batch is the median of those that are known."""
        self.trainings.append(training)
        self.rounds.append(whole)
        self.first_batch_s = float(np.median([one.first_batch_s for one in self.trainings]))

    def first(self, rounds: int) -> SideResult:
        """Return this training with the first of its rounds alone."""
        found = SideResult(name=self.name, kind=self.kind)
        for training, whole in zip(self.trainings[:rounds], self.rounds, strict=False):
            found.add(training, whole)
        return found

    @property
    def rates(self) -> list[float]:
        """Elements per second, one value per round."""
        return [measured.rate for measured in self.rounds]

    @property
    def rates_per_core(self) -> list[float]:
        """Elements per second of processor time, one value per round in which that is known."""
        return [one.rate / one.cores for one in self.rounds if one.cores]

    @property
    def disturbed(self) -> bool:
        """Whether other processes did more than a tenth of the work of any round."""
        known = [(one.cores, one.others) for one in self.rounds if one.others is not None]
        return any(others > DISTURBANCE * ((cores or 0.0) + others) for cores, others in known)

    @property
    def median(self) -> float:
        """Median of the rounds, in elements per second."""
        return float(np.median(self.rates))

    @property
    def cores(self) -> float | None:
        """Median number of cores this process used meanwhile; None where unknown."""
        known = [measured.cores for measured in self.rounds if measured.cores is not None]
        return float(np.median(known)) if known else None

    def as_dict(self, usable_cores: int) -> dict[str, Any]:
        """Return the side as JSON holds it: rounds in columns, what is empty left out."""
        raw = {key: value for key, value in asdict(replace(self, rounds=[])).items() if value or value == 0.0}
        columns = {one.name: [_written(each, one.name) for each in self.rounds] for one in fields(Round)}
        found = caveats(self.rounds, usable_cores)
        written: dict[str, Any] = rounded({**raw, **({"median": self.median} if self.rounds else {})})
        if self.rounds:
            written["rounds"] = rounded(columns)
        return written | ({"caveats": found} if found else {})

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> SideResult:
        """Read what `as_dict` wrote, or format 1, where every round is a record of its own."""
        rounds = data.get("rounds", [])
        if isinstance(rounds, dict):
            rounds = [dict(zip(rounds, values, strict=True)) for values in zip(*rounds.values(), strict=True)]
        raw = {key: value for key, value in data.items() if key not in _APART}
        raw["trainings"] = [Training(**one) for one in data.get("trainings", [])]
        return cls(**raw, rounds=[Round(**values) for values in rounds])
