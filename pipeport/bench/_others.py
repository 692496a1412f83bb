"""How busy other processes keep the machine while something is timed."""

from __future__ import annotations

import time
from collections.abc import Callable


def watch() -> Callable[[], float | None]:
    """Start watching.

    Returns
    -------
    callable
        Ends the watch; gives the mean number of cores used by processes other than this
        one, or None where psutil cannot tell.
    """
    import psutil

    process = psutil.Process()

    def busy() -> tuple[float, float]:
        machine = psutil.cpu_times()
        idle = machine.idle + getattr(machine, "iowait", 0.0)
        own = process.cpu_times()
        return sum(machine[:8]) - idle, own.user + own.system

    begin, (machine_before, own_before) = time.perf_counter(), busy()

    def stop() -> float | None:
        elapsed = time.perf_counter() - begin
        machine_after, own_after = busy()
        if elapsed <= 0:
            return None
        used = (machine_after - machine_before) - (own_after - own_before)
        return max(0.0, used / elapsed)

    return stop
