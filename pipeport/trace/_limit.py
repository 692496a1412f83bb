"""A limit on the seconds that one step may take."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pipeport.trace._problems import ENDLESS, FAILURES, Problem, problem_of

_AGAIN_S = 1.0


class TimeIsUp(BaseException):
    """A step took longer than it may; no `except Exception` of the measured function catches it."""

    ag_pass_through = True


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """End Python code that runs for more than `seconds`.

    Works in the main thread of systems with interval timers, and not inside TensorFlow's own kernels:
    there a step ends only with its process (`pipeport.trace._process`).
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def end(_number: int, _frame: Any) -> None:
        raise TimeIsUp

    before = signal.signal(signal.SIGALRM, end)
    # Again after a second: an exception in a destructor or a callback of the collector is lost.
    signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


class Failed(Exception):
    """A step of a measurement failed, and why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.text)
        self.problem = problem


@contextmanager
def guarded(kind: str, seconds: float) -> Iterator[None]:
    """Run a step of the user's function under a limit."""
    try:
        with limited(seconds):
            yield
    except TimeIsUp:
        raise Failed(Problem(kind=ENDLESS, message=f"no answer within {seconds:g} s")) from None
    except FAILURES as error:
        raise Failed(problem_of(kind, error)) from error
