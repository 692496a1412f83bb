"""The first call of a mode: its time, memory, graph and side effects."""

from __future__ import annotations

import contextlib
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from pipeport.trace import _captured, _graph, _memory, _modes, _state
from pipeport.trace._inputs import Inputs
from pipeport.trace._limit import Failed, guarded
from pipeport.trace._modes import PYTHON, TRACED, XLA, Built
from pipeport.trace._problems import NOT_COMPILED, NOT_PLAIN, RAISES, UNTRACEABLE, Problem
from pipeport.trace._report import ModeResult

Clock = Callable[[], float]
_MOST_NAMES = 3


@dataclass(frozen=True)
class Opened:
    """A mode after its first call; `quiet` holds back what it prints, where it prints."""

    call: Callable[[], Any]
    answer: Any
    prints: bool

    @contextlib.contextmanager
    def quiet(self) -> Iterator[None]:
        """Hold back what later calls print."""
        with _captured.captured() if self.prints else contextlib.nullcontext():
            yield


def open_mode(
    result: ModeResult,
    function: Callable[..., Any],
    plain: Callable[..., Any] | None,
    inputs: Inputs,
    *,
    seconds: float,
    limit: float,
    clock: Clock,
    tell: Callable[[str], None],
) -> Opened | None:
    """Make a mode, call it for the first time and once more, and find how many calls a round takes.

    `result`: filled: times, what the graph holds, memory, remarks, or the problem. `function`, `plain`: what
    is measured, and its plain form. `seconds`, `limit`: shortest span of a round; longest time of one step.
    `tell`: told every step that has the limit to itself. Returns: None where the mode has a problem.
    """
    built = _modes.build(result.mode, function, plain, inputs)
    try:
        return _opened(result, built, seconds, limit, clock, tell)
    except Failed as failed:
        result.problem = failed.problem
        return None


def _opened(
    result: ModeResult,
    built: Built,
    seconds: float,
    limit: float,
    clock: Clock,
    tell: Callable[[str], None],
) -> Opened:
    before = _state.snapshot(built.call)
    tell("first call")
    if result.mode == PYTHON:
        _refuse_tensorflow(built, limit)
    with _captured.captured() as first_printed, _memory.peak_growth() as growth:
        answer, concrete = _first_call(result, built, limit, clock)
    between = _state.snapshot(built.call)
    tell("second call")
    second: list[float] = []
    with _captured.captured() as later_printed, guarded(RAISES, limit):
        _timed(built.call, second, clock)
    after = _state.snapshot(built.call)
    tell("warming up")
    with _captured.captured(), guarded(RAISES, limit + seconds):
        result.calls = 1 if second[0] > seconds else _calls_within(built.call, seconds, clock)
    result.memory_bytes = growth.bytes
    _note_holdings(result, concrete)
    result.remarks += _remarks(result.mode, "prints", bool(first_printed.lines), bool(later_printed.lines))
    result.remarks += _changes(result.mode, _state.changed(before, between), _state.changed(between, after))
    return Opened(call=built.call, answer=answer, prints=bool(later_printed.lines))


def _refuse_tensorflow(built: Built, limit: float) -> None:
    with _captured.captured(), guarded(RAISES, limit):
        calls_it = _modes.calls_tensorflow(built.call)
    if calls_it:
        advice = "the function calls TensorFlow on NumPy inputs too; give its plain form (plain, --plain)"
        raise Failed(Problem(kind=NOT_PLAIN, message=advice))


def _first_call(result: ModeResult, built: Built, limit: float, clock: Clock) -> tuple[Any, Any]:
    """Time the first call; return its answer and the concrete function, None where nothing is traced."""
    concrete = None
    if built.trace is not None:
        with guarded(UNTRACEABLE, limit):
            concrete = _timed(built.trace, result.tracing_s, clock)
    with guarded(NOT_COMPILED if result.mode == XLA else RAISES, limit):
        return _timed(built.call, result.first_run_s, clock), concrete


def again(
    result: ModeResult, function: Callable[..., Any], inputs: Inputs, *, limit: float, clock: Clock
) -> None:
    """Time the first call of a traced mode made anew."""
    with _captured.captured():
        _first_call(result, _modes.build(result.mode, function, None, inputs), limit, clock)


def _note_holdings(result: ModeResult, concrete: Any) -> None:
    held = None if concrete is None else _graph.holdings(concrete)
    if held is not None:
        result.nodes, result.constant_bytes = held.nodes, held.constant_bytes
        result.captured_bytes = held.captured_bytes


def _timed(call: Callable[[], Any], into: list[float], clock: Clock) -> Any:
    begin = clock()
    answer = call()
    _modes.wait()
    into.append(clock() - begin)
    return answer


def _calls_within(call: Callable[[], Any], seconds: float, clock: Clock) -> int:
    """Return how many calls a round needs, counted once they have warmed up."""
    spans: list[float] = []
    begin = clock()
    while clock() - begin < seconds or not spans:
        _timed(call, spans, clock)
    typical = statistics.median(spans[len(spans) // 2 :])
    return max(1, round(seconds / max(typical, 1e-9)))


def _remarks(mode: str, what: str, first: bool, later: bool) -> list[str]:
    """Say when something happens: at every call, or only at the first, which traces."""
    if later:
        return [f"{what} on every call"]
    if first and mode in TRACED:
        return [f"{what} while it is traced, not when it is called"]
    return [f"{what} on the first call only"] if first else []


def _changes(mode: str, first: list[str], later: list[str]) -> list[str]:
    names = later or first
    shown = ", ".join(names[:_MOST_NAMES]) + (" and more" if len(names) > _MOST_NAMES else "")
    return _remarks(mode, f"changes {shown}", bool(first), bool(later))
