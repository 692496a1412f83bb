"""Interleaved rounds, A B C A B C: a fresh stream, warmed up until its rate is steady, then timed."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pipeport.bench._streams import Side, Stream
from pipeport.bench._usage import Watch, unwatched

Clock = Callable[[], float]


@dataclass(frozen=True, kw_only=True)
class Steady:
    """When a rate counts as steady.

    The pulls are gathered into windows of at least `window_s`. The rate is steady when the
    last `windows` windows show no trend: the newer half is within `tolerance` of the older.

    `window_s`: shortest window, in seconds. `windows`: how many windows are looked at; even. `tolerance`:
    largest relative change between the halves. `cap_s`: after that many seconds the timing starts anyway, and
    the round says so.
    """

    window_s: float = 0.1
    windows: int = 4
    tolerance: float = 0.1
    cap_s: float = 3.0

    def reached(self, windows: Sequence[tuple[int, float]]) -> bool:
        """Return whether (elements, seconds) windows, oldest first, show a steady rate."""
        if len(windows) < self.windows:
            return False
        recent = windows[-self.windows :]
        half = self.windows // 2
        older, newer = (_rate(part) for part in (recent[:half], recent[half:]))
        return abs(newer / older - 1.0) <= self.tolerance


def _rate(windows: Sequence[tuple[int, float]]) -> float:
    return sum(count for count, _ in windows) / sum(seconds for _, seconds in windows)


@dataclass(frozen=True, kw_only=True)
class Protocol:
    """How every side is measured; one protocol for all of them.

    `rounds`: how often each side is measured. `seconds`: shortest timed span of a round.
    """

    rounds: int = 3
    seconds: float = 1.0
    steady: Steady = field(default_factory=Steady)


@dataclass(frozen=True, kw_only=True)
class Round:
    """Raw values of one side in one round; nothing is averaged away.

    `elements`, `seconds`: what was counted and how long it took. `discarded`, `warm_s`: elements thrown away
    beforehand and the time that took, first element included. `steady`: whether the rate was steady when
    timing began. `cores`, `others`: cores that this process and all others kept busy meanwhile; None where
    unknown.
    """

    elements: int
    seconds: float
    discarded: int
    warm_s: float
    steady: bool
    cores: float | None = None
    others: float | None = None

    @property
    def rate(self) -> float:
        """Elements per second."""
        return self.elements / self.seconds


def warm_up(stream: Stream, rule: Steady, clock: Clock) -> tuple[int, float, bool]:
    """Pull and discard until the rate is steady.

    Returns: elements discarded, seconds taken, whether the rate was steady at the end.
    """
    begin = clock()
    # The first portion carries start-up and compilation: it belongs to no window.
    discarded = stream.pull()
    opened = clock()
    windows: list[tuple[int, float]] = []
    gathered, since = 0, opened
    while True:
        gathered += stream.pull()
        now = clock()
        if now - since >= rule.window_s:
            windows.append((gathered, now - since))
            discarded += gathered
            gathered, since = 0, now
            if rule.reached(windows):
                return discarded, now - begin, True
        if now - opened >= rule.cap_s:
            return discarded + gathered, now - begin, False


def timed(stream: Stream, seconds: float, clock: Clock) -> tuple[int, float]:
    """Count elements for at least `seconds`; the span begins and ends at the end of a pull."""
    counted, begin = 0, clock()
    while True:
        counted += stream.pull()
        elapsed = clock() - begin
        if elapsed >= seconds:
            return counted, elapsed


def measure_once(side: Side, protocol: Protocol, clock: Clock, watch: Watch) -> Round:
    """Measure one side once, alone, and leave nothing of it running."""
    stream = side.open()
    try:
        discarded, warm_s, steady = warm_up(stream, protocol.steady, clock)
        stop = watch()
        elements, seconds = timed(stream, protocol.seconds, clock)
        usage = stop()
        return Round(
            elements=elements,
            seconds=seconds,
            discarded=discarded,
            warm_s=warm_s,
            steady=steady,
            cores=usage.cores,
            others=usage.others,
        )
    finally:
        stream.close()


def _nothing_before(_number: int, _side: Side) -> None:
    """Do nothing."""


def interleaved(
    sides: Sequence[Side],
    protocol: Protocol,
    *,
    clock: Clock = time.perf_counter,
    before: Callable[[int, Side], None] = _nothing_before,
    watch: Watch = unwatched,
    into: dict[str, list[Round]] | None = None,
) -> dict[str, list[Round]]:
    """Measure all sides in turn, `rounds` times over.

    `sides`: each is opened, warmed up, timed and closed before the next is opened. `before`: told the number
    of the round and the side that comes next. `watch`: starts watching who uses the processor; what it
    returns ends the watch and tells. `into`: filled as rounds end, so that an interrupted run keeps them.
    """
    results = {} if into is None else into
    gc.collect()
    gc.freeze()  # what a side leaves is collected after it, without a look at all that was there before
    try:
        for number in range(protocol.rounds):
            for side in sides:
                before(number, side)
                results.setdefault(side.name, []).append(measure_once(side, protocol, clock, watch))
    finally:
        gc.unfreeze()
    return results
