"""The result of a measurement as plain data: raw values, and values derived from them."""

from __future__ import annotations

import statistics
from dataclasses import asdict, dataclass, field
from typing import Any

from pipeport._shown import as_html, as_lines
from pipeport.bench._json import rounded
from pipeport.bench._statistics import Ratio
from pipeport.trace import _text
from pipeport.trace._arithmetic import BreakEven, Spread, pays_off, speed, spread
from pipeport.trace._modes import EAGER, GRAPH, PYTHON, TRACED, XLA
from pipeport.trace._problems import Problem

FORMAT = 1
# What is compared with what: the mode that has to pay off first.
_PAIRS = ((EAGER, PYTHON), (GRAPH, PYTHON), (GRAPH, EAGER), (XLA, PYTHON), (XLA, EAGER), (XLA, GRAPH))


@dataclass(kw_only=True)
class ModeResult:
    """The measurements of one mode.

    `mode`: 'python', 'eager', 'graph' or 'xla'. `tracing_s`: seconds of tracing, of functions made anew;
    empty where nothing is traced. `first_run_s`: seconds of the first call, without tracing. `rounds_s`:
    seconds per later call, one value per round. `calls`: calls of a round. `nodes`, `constant_bytes`,
    `captured_bytes`: what the graph holds; see `pipeport.trace._graph.Holdings`. `memory_bytes`: how far the
    peak of memory grew in the first call, tracing included. `problem`: why it was not measured. `remarks`:
    what else was seen: prints, changes of global state.
    """

    mode: str
    tracing_s: list[float] = field(default_factory=list)
    first_run_s: list[float] = field(default_factory=list)
    rounds_s: list[float] = field(default_factory=list)
    calls: int = 0
    nodes: int | None = None
    constant_bytes: int | None = None
    captured_bytes: int | None = None
    memory_bytes: int | None = None
    problem: Problem | None = None
    remarks: list[str] = field(default_factory=list)

    @property
    def measured(self) -> bool:
        """Whether there is a first call and at least one round."""
        return bool(self.first_run_s and self.rounds_s) and self.problem is None

    @property
    def steady(self) -> Spread:
        """Seconds per later call."""
        return spread(self.rounds_s)

    @property
    def tracing(self) -> float | None:
        """Seconds of tracing, median."""
        return statistics.median(self.tracing_s) if self.tracing_s else None

    @property
    def first(self) -> float:
        """Seconds of the first call, tracing included, median."""
        return statistics.median(self.first_run_s) + (self.tracing or 0.0)

    @property
    def compiling(self) -> float | None:
        """Seconds of the first call beyond tracing and a later call: optimising or compiling."""
        if self.mode not in TRACED:
            return None
        return max(0.0, statistics.median(self.first_run_s) - self.steady.median)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> ModeResult:
        """Read what `as_dict` wrote; what is derived is computed anew."""
        known = {name: data[name] for name in cls.__dataclass_fields__}
        if known["problem"] is not None:
            problem = known["problem"]
            known["problem"] = Problem(**{**problem, "frames": tuple(problem["frames"])})
        return cls(**known)

    def as_dict(self) -> dict[str, Any]:
        """Return the raw values and what is derived from them."""
        derived: dict[str, Any] = {}
        if self.measured:
            derived = {
                "first_s": self.first,
                "compiling_s": self.compiling,
                "steady_s": asdict(self.steady),
            }
        return asdict(self) | {"derived": derived}


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """One mode against another.

    `mode`, `other`: names of the modes. `speed`: how many times faster per call `mode` is. `break_even`: from
    which call on it has paid off.
    """

    mode: str
    other: str
    speed: Ratio
    break_even: BreakEven


@dataclass(kw_only=True)
class Report:
    """The measurement of one function.

    Attributes
    ----------
    name : str
        The function.
    inputs : list of str
        What it was called with.
    environment, protocol : dict
        Machine and versions; rounds and seconds.
    modes : list of ModeResult
        In the order they were measured.
    interrupted : bool
        Whether a person ended it.
    """

    name: str
    inputs: list[str]
    environment: dict[str, Any]
    protocol: dict[str, Any]
    modes: list[ModeResult] = field(default_factory=list)
    interrupted: bool = False

    def mode(self, name: str) -> ModeResult | None:
        """Return a mode that was measured, or None."""
        return next((one for one in self.modes if one.mode == name and one.measured), None)

    @property
    def failed(self) -> list[ModeResult]:
        """Modes that the function should run in and does not; XLA and plain Python are not duty."""
        return [one for one in self.modes if one.problem and one.mode in (EAGER, GRAPH)]

    def comparisons(self) -> list[Comparison]:
        """Return every mode against those that need less before their first answer."""
        return [one for pair in _PAIRS if (one := self.comparison(*pair))]

    def comparison(self, mode: str, other: str) -> Comparison | None:
        """Return one mode against another, or None where they are not compared or either was not measured."""
        ours, theirs = self.mode(mode), self.mode(other)
        if (mode, other) not in _PAIRS or ours is None or theirs is None:
            return None
        return _compared(ours, theirs)

    def as_dict(self) -> dict[str, Any]:
        """Return the report as JSON holds it."""
        plain = {
            "format": FORMAT,
            "name": self.name,
            "inputs": self.inputs,
            "environment": self.environment,
            "protocol": self.protocol,
            "interrupted": self.interrupted,
            "modes": [one.as_dict() for one in self.modes],
            "comparisons": [asdict(one) for one in self.comparisons()],
        }
        return dict(rounded(plain))

    def __str__(self) -> str:
        return "\n".join(as_lines([_text.heading(self), *_text.parts(self)]))

    def _repr_html_(self) -> str:
        return as_html([_text.heading(self), *_text.parts(self)])

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Report:
        """Read what `as_dict` wrote."""
        return cls(
            name=data["name"],
            inputs=data["inputs"],
            environment=data["environment"],
            protocol=data["protocol"],
            interrupted=data["interrupted"],
            modes=[ModeResult.from_dict(one) for one in data["modes"]],
        )


def _compared(mode: ModeResult, other: ModeResult) -> Comparison:
    return Comparison(
        mode=mode.mode,
        other=other.mode,
        speed=speed(mode.rounds_s, other.rounds_s),
        break_even=pays_off(mode.first, mode.rounds_s, other.first, other.rounds_s),
    )
