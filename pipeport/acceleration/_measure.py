"""Seconds an element, processor time and the start of an iterator, of both ways in turn."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

# Elements that an iterator gives before anything is measured, and spans in which both take turns.
_BEFORE, _TURNS = 3, 2
_LONGEST, _MOST = 0.25, 500
# Seconds to the first element beyond which one more is enough.
_SLOW = 2.0
# So many times the processor time of the first, and no second turn makes the other the better.
_CLEARLY = 1.5


@dataclass(frozen=True)
class Rate:
    """What a map costs.

    `processor`: seconds of processor time an element. `start`: seconds from `iter()` to the first element.
    """

    element: float
    processor: float
    start: float

    def as_dict(self) -> dict[str, float]:
        """Return plain data."""
        return asdict(self)


def rates(make: Callable[[], Any], other: Callable[[], Any]) -> tuple[Rate, Rate]:
    """Measure two endless datasets in turn; of each the better span counts.

    `make`, `other`: each gives a dataset that repeats one element; if the other is clearly the slower one,
    one span of each is enough.
    """
    sides = (make(), other())
    best: list[Rate | None] = [None, None]
    for _ in range(_TURNS):
        if any(one is not None and one.element > _SLOW for one in best):
            break
        for index, dataset in enumerate(sides):
            found, before = _span(dataset), best[index]
            best[index] = found if before is None else _better(found, before)
        first, second = best
        if first and second and second.processor > _CLEARLY * first.processor:
            break
    if first is None or second is None:
        raise RuntimeError("nothing was measured")
    return first, second


def _better(one: Rate, other: Rate) -> Rate:
    return Rate(
        min(one.element, other.element), min(one.processor, other.processor), min(one.start, other.start)
    )


def _span(dataset: Any) -> Rate:
    begun = time.perf_counter()
    elements = iter(dataset)
    next(elements)
    start = time.perf_counter() - begun
    for _ in range(_BEFORE if start < _SLOW else 0):
        next(elements)
    count, begun, used = 0, time.perf_counter(), time.process_time()
    while count < 1 or (time.perf_counter() - begun < _LONGEST and count < _MOST):
        next(elements)
        count += 1
    element, processor = (time.perf_counter() - begun) / count, (time.process_time() - used) / count
    return Rate(element, processor, start)
