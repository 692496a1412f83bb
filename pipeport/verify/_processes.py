"""Long work in fresh processes, until the time is over."""

from __future__ import annotations

import itertools
import multiprocessing
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from typing import TypeVar

# TensorFlow keeps what was compiled: a process that lives for all cases grows to many gigabytes.
TASKS_A_PROCESS = 20

Task = TypeVar("Task")
Result = TypeVar("Result")


def in_processes(
    function: Callable[[Task], Result], tasks: Iterable[Task], jobs: int, end: float
) -> Iterator[Result]:
    """Call a function on tasks in processes of their own.

    `function`: of one task; a module's own function, so that another process finds it. `tasks`: what it is
    called on, in order. `jobs`: how many processes work at the same time. `end`: no task begins after this
    value of `time.monotonic`; those begun are finished. Yields: what the function returned, in the order in
    which the tasks end.
    """
    todo, waiting = iter(tasks), set[Future[Result]]()
    pool = ProcessPoolExecutor(
        jobs,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=signal.signal,
        initargs=(signal.SIGINT, signal.SIG_DFL),  # Ctrl-C ends them without a word
        max_tasks_per_child=TASKS_A_PROCESS,
    )
    try:
        while True:
            if time.monotonic() < end:
                new = itertools.islice(todo, jobs - len(waiting))
                waiting |= {pool.submit(function, task) for task in new}
            if not waiting:
                return
            finished, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for one in finished:
                yield one.result()
    finally:
        pool.shutdown(wait=not waiting, cancel_futures=True)
