"""Draw programs for a while, judge each in a process of its own kind, and count what becomes of them."""

from __future__ import annotations

import collections
import concurrent.futures
import contextlib
import dataclasses
import multiprocessing
import threading
import time

from tests.porting.drawn import grammar, objects
from tests.porting.drawn.programs import ARRAYS, ERROR, MODES, OBJECTS, PARTS, Outcome
from tests.porting.drawn.smaller import smallest

# A program that takes longer counts as one that fails.
_SECONDS = 300
# What is traced stays in memory: a process is ended after so many programs.
_PROGRAMS = 150
_REDUCED = 2


class Worker:
    """A process that judges programs; one that it does not survive is an internal error."""

    def __init__(self):
        self._process = None
        self._done = 0

    def judge(self, program, modes=None):
        """Return the outcome of a program."""
        if self._process is None or self._done >= _PROGRAMS:
            self.end()
            context = multiprocessing.get_context("spawn")
            self._pipe, other = context.Pipe()
            self._process = context.Process(target=serve, args=(other,), daemon=True)
            self._process.start()
            other.close()
            self._done = 0
        self._done += 1
        try:
            self._pipe.send((program, modes))
            if self._pipe.poll(_SECONDS):
                return self._pipe.recv()
            why = f"takes more than {_SECONDS} s"
        except (EOFError, ConnectionError):
            why = "ends the process"
        self.end()
        return Outcome(ERROR, why, modes or ("some mode",))

    def end(self):
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = None


def serve(pipe):
    """Judge what comes through a pipe."""
    import tensorflow as tf

    from tests.porting.drawn.judge import judge

    tf.get_logger().setLevel("ERROR")  # of functions that are traced anew for each program
    with contextlib.suppress(EOFError):
        while True:
            program, modes = pipe.recv()
            pipe.send(judge(program, modes or MODES))


@dataclasses.dataclass
class Count:
    """What became of the programs of a session.

    Attributes
    ----------
    kinds : Counter
        How many were right, refused, wrong, internal errors, invalid.
    parts : dict of Counter
        The same for each part of the grammar.
    refused : Counter
        Reasons, with the modes.
    failures : list of (Outcome, Program)
        Wrong ones and internal errors, as small as they could be made.
    seconds : float
        How long it took.
    """

    kinds: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    parts: dict = dataclasses.field(default_factory=lambda: {part: collections.Counter() for part in PARTS})
    refused: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    failures: list = dataclasses.field(default_factory=list)
    seconds: float = 0.0


def drawn(count, number, *, kinds=(), real_one_in=5, parts=(ARRAYS,)):
    """Return so many programs, the same for a number; every fifth place has real sizes.

    Parameters
    ----------
    count : int
        How many.
    number : int
        Another one gives others.
    kinds : iterable of str, default ()
        Which of `KINDS` are drawn too.
    real_one_in : int
        One in so many has images of 64 to 520 px.
    parts : sequence of str
        Of `PARTS`, those that take turns.

    Returns
    -------
    list of Program
        No two alike.
    """

    def one(place, part):
        if part == OBJECTS:
            return objects.program(place, number)
        return grammar.program(place, number, kinds=kinds, real=place % real_one_in == real_one_in - 1)

    rows = (one(place, parts[place % len(parts)]) for place in range(count))
    return list({one.source: one for one in rows}.values())


def run(
    *, minutes=None, count=None, number=0, workers=1, kinds=(), modes=6, parts=PARTS, tell=lambda text: None
):
    """Judge programs until the time or their number is up.

    Parameters
    ----------
    minutes : float, optional
        How long.
    count : int, optional
        How many.
    number : int
        Where the seeds begin.
    workers : int
        How many processes.
    kinds : iterable of str, default ()
        Which of `KINDS` are drawn too.
    modes : int
        In how many modes each program runs: eagerly, and in others by turns.
    parts : sequence of str
        Of `PARTS`, those that take turns.
    tell : callable
        Is given lines of progress.

    Returns
    -------
    Count
        What became of them.
    """
    start = time.monotonic()
    end = None if minutes is None else start + 60 * minutes
    found, lock, local, all_workers = Count(), threading.Lock(), threading.local(), []
    reduced = collections.Counter()

    def one(place, program):
        if end is not None and time.monotonic() > end:
            return
        if not hasattr(local, "worker"):
            local.worker = Worker()
            all_workers.append(local.worker)
        others = MODES[1:]
        chosen = [others[(place + step) % len(others)] for step in range(modes - 1)]
        outcome = local.worker.judge(program, (MODES[0], *chosen))
        with lock:
            found.kinds[outcome.kind] += 1
            found.parts[program.part][outcome.kind] += 1
            if outcome.kind == "refused":
                found.refused[f"{outcome.why} [{', '.join(outcome.modes)}]"] += 1
            key = (outcome.kind, outcome.why)
            reduced[key] += 1
            reduces = outcome.failed and reduced[key] <= _REDUCED
        if reduces:
            program = smallest(program, lambda other: _fails_alike(local.worker, other, outcome))
        if outcome.failed:
            with lock:
                found.failures.append((outcome, program))
                tell(f"{outcome.kind}: {outcome.why} [{', '.join(outcome.modes)}]\n{program.as_code()}")

    try:
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            while end is None or time.monotonic() < end:
                left = 40 if count is None else min(40, count - sum(found.kinds.values()))
                if left <= 0:
                    break
                rows = drawn(left, number, kinds=kinds, parts=parts)
                number += 1
                list(pool.map(one, range(len(rows)), rows))
                told = ", ".join(f"{kind} {times}" for kind, times in sorted(found.kinds.items()))
                tell(f"{time.monotonic() - start:.0f} s: {told}")
    finally:
        for worker in all_workers:
            worker.end()
    found.seconds = time.monotonic() - start
    return found


def _fails_alike(worker, program, outcome):
    modes = None if "some mode" in outcome.modes or "port" in outcome.modes else outcome.modes[:1]
    other = worker.judge(program, modes)
    return (other.kind, other.why) == (outcome.kind, outcome.why)
