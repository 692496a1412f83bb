"""Time Python inside a boundary, and record some of its inputs and outputs."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pipeport import _tensorflow_private as private

_KEPT, _KEPT_BYTES = 32, 64 * 2**20


@dataclass
class Meter:
    """Observations of one boundary.

    `seconds`, `cpu_seconds`: in all of its calls: elapsed, and of the processor. `given`, `gave`: arguments
    and result of some calls, as copies.
    """

    calls: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    given: list[tuple[Any, ...]] = field(default_factory=list)
    gave: list[Any] = field(default_factory=list)
    error: Exception | None = None
    _bytes: int = 0
    _lock: Any = field(default_factory=threading.Lock)

    def around(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that is timed."""

        def timed(*values: Any) -> Any:
            kept = _copied(values) if len(self.given) < _KEPT and self._bytes < _KEPT_BYTES else None
            begun, cpu = time.perf_counter(), time.thread_time()
            try:
                result = function(*values)
            except StopIteration:
                raise
            except Exception as error:
                self.error = self.error or error
                raise
            with self._lock:
                self.seconds += time.perf_counter() - begun
                self.cpu_seconds += time.thread_time() - cpu
                self.calls += 1
                if kept is not None:
                    self.given.append(kept)
                    self.gave.append(_copied(result))
                    self._bytes += _size(kept) + _size(result)
            return result

        return timed

    def replay(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that gives the kept results by turns, and computes nothing."""
        del function
        results, turn = list(self.gave), [0]

        def replayed(*values: Any) -> Any:
            del values
            turn[0] += 1
            return results[turn[0] % len(results)]

        return replayed


@contextlib.contextmanager
def wrapped(around: dict[str, Callable[[Callable[..., Any]], Callable[..., Any]]]) -> Iterator[None]:
    """Put functions around those of some tokens for a while."""
    with contextlib.ExitStack() as restores:
        for token, one in around.items():
            restores.callback(private.wrapped(token, one))
        yield


def _copied(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, (tuple, list)):
        return tuple(_copied(one) for one in value)
    return value  # tensors do not change


def _size(value: Any) -> int:
    if isinstance(value, (tuple, list)):
        return sum(map(_size, value))
    return int(getattr(value, "nbytes", 0) or np.asarray(value).nbytes)
