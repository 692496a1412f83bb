"""One core means one core: XLA and Eigen keep thread pools that tf.data's options do not reach."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

NOT_PINNED = "this system cannot pin threads: libraries' own threads may have used other cores."
_TASKS = Path("/proc/self/task")


def can_pin() -> bool:
    """Return whether every thread of this process can be kept on one core."""
    return hasattr(os, "sched_setaffinity") and _TASKS.is_dir()


@contextlib.contextmanager
def pinned() -> Iterator[bool]:
    """Keep all threads of the process, present and future, on one core inside the `with` block.

    Yields: whether they are; False where the system has no means for it.
    """
    if not can_pin():
        yield False
        return
    allowed = os.sched_getaffinity(0)
    _move_all({max(allowed)})
    try:
        yield True
    finally:
        _move_all(allowed)


def _move_all(cores: set[int]) -> None:
    # A thread may start another while we walk the list; the newcomer inherits, so twice is enough.
    for _ in range(2):
        for task in _TASKS.iterdir():
            # Threads may also end while we walk.
            with contextlib.suppress(ProcessLookupError):
                os.sched_setaffinity(int(task.name), cores)
