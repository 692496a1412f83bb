"""The result of watching, as data."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

FORMAT = 1
RETRACE, MADE_AGAIN, GROWTH, UNROLLED, CONSTANT, SIDE_EFFECT, VARIABLE, FAILED, STALE = (
    "retrace",
    "made again",
    "graph growth",
    "unrolled loop",
    "constant",
    "side effect",
    "variable",
    "failed trace",
    "stale value",
)


@dataclass(frozen=True)
class Change:
    """One argument that differs between a trace and the nearest earlier one.

    Attributes
    ----------
    argument : str
        Its path, for instance `batch['image']`; empty where the call's surroundings differ.
    kind : str
        `value`, `option`, `shape`, `rank`, `dtype`, `function`, `object`, `structure`, `type`, `spec` or
        `context`.
    before, after : str
        What it was.
    advice : str
        The fix.
    """

    argument: str
    kind: str
    before: str
    after: str
    advice: str


@dataclass(frozen=True)
class Trace:
    """One trace of a tf.function.

    `made`: of which tf.function, where several were made of one `def`: 1 is the first. `number`: the first
    trace of a tf.function is 1. `call`: in which call of the function it happened. `arguments`: what was
    given, by the argument's path. `seconds`: how long tracing took, what it called included. `nodes`: nodes
    of the graph and of the functions in it. `constant_bytes`: bytes of the large constants in the graph.
    `nearest`: the earlier trace that it resembles most. `changes`: what differs from that one. `expected`:
    why it is not a finding; empty where it is one, and for a first trace.
    """

    made: int
    number: int
    call: int
    arguments: dict[str, str]
    seconds: float
    nodes: int | None
    constant_bytes: int | None
    nearest: int | None
    changes: tuple[Change, ...]
    expected: str


@dataclass(frozen=True)
class WatchFinding:
    """Something to fix.

    Attributes
    ----------
    kind : str
        `retrace`, `made again`, `graph growth`, `unrolled loop`, `constant`, `side effect`,
        `variable`, `failed trace` or `stale value`.
    function : str
        The tf.function it is about.
    file : str
        Where it is.
    line : int
        The line in the file.
    message : str
        What happened.
    advice : str
        What to write instead.
    times : int
        How often it happened.
    """

    kind: str
    function: str
    file: str
    line: int
    message: str
    advice: str
    times: int = 1


@dataclass(frozen=True)
class FunctionReport:
    """One `def` or lambda that was a tf.function while watched.

    `name`: its qualified name. `file`: where it is defined. `line`: the line of the definition. `objects`:
    how many tf.functions were made of it. `calls`: how often Python called them, eagerly. `traced_before`:
    traces that were there when watching began. `traces`: those that were seen, in their order. `findings`:
    what to fix.
    """

    name: str
    file: str
    line: int
    objects: int
    calls: int
    traced_before: int
    traces: tuple[Trace, ...]
    findings: tuple[WatchFinding, ...]

    @property
    def retraces(self) -> int:
        """How many traces followed another one of the same tf.function."""
        return sum(trace.nearest is not None for trace in self.traces)


@dataclass(frozen=True)
class State:
    """Everything that is known at one moment.

    `functions`: in the order of their first call. `notes`: what could not be seen, and why.
    """

    functions: tuple[FunctionReport, ...]
    notes: tuple[str, ...] = field(default=())

    @property
    def findings(self) -> tuple[WatchFinding, ...]:
        """What to fix, function by function."""
        return tuple(finding for function in self.functions for finding in function.findings)

    def as_json(self) -> dict[str, Any]:
        """Return plain data that `json` writes."""
        return {"format": FORMAT, **asdict(self)}
