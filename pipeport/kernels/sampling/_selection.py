"""Sorting and selection among a known number of tensors, element by element, by networks of exchanges."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pipeport._lazy import tf


def _exchange(values: list[Any], low: int, high: int) -> None:
    one, other = values[low], values[high]
    values[low], values[high] = tf.minimum(one, other), tf.maximum(one, other)


def sorted_values(values: list[Any]) -> list[Any]:
    """Return tensors with their elements sorted, the smallest in the first."""
    for low, high in _network(len(values)):
        _exchange(values, low, high)
    return values


def _network(count: int) -> Iterator[tuple[int, int]]:
    """Yield the exchanges of Batcher's odd-even merge sort."""
    merged = 1
    while merged < count:
        step = merged
        while step:
            for first in range(step % merged, count - step, 2 * step):
                for low in range(first, min(first + step, count - step)):
                    if low // (2 * merged) == (low + step) // (2 * merged):
                        yield low, low + step
            step //= 2
        merged *= 2


def median(values: list[Any]) -> Any:
    """Return the median of an odd number of values.

    Of one more than half of them neither the smallest nor the largest is the median: they are left out, and
    another one joins.
    """
    some, rest = values[: len(values) // 2 + 2], values[len(values) // 2 + 2 :]
    while len(some) > 1:
        last = len(some) - 1
        for low in range(len(some) // 2):
            _exchange(some, low, last - low)
        for low in range(1, (last + 2) // 2):
            _exchange(some, 0, low)
        for high in range(len(some) // 2, last):
            _exchange(some, high, last)
        some = some[1:-1] + rest[:1]
        rest = rest[1:]
    return some[0]
