"""Who keeps the processor busy while something is timed: this process, or others."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Usage:
    """Mean number of cores in use; None where that is unknown.

    `cores`: by this process: near 1 for a body that holds the GIL, whatever the machine has.
    """

    cores: float | None = None
    others: float | None = None


Watch = Callable[[], Callable[[], Usage]]


def unwatched() -> Callable[[], Usage]:
    """Watch nothing."""
    return Usage


def busy_seconds() -> float:
    """Return the seconds that all processors of the machine have worked."""
    import psutil

    machine = psutil.cpu_times()
    idle = machine.idle + getattr(machine, "iowait", 0.0)
    # The first eight fields are times apart; later ones (guests) are counted in them already.
    return float(sum(machine[:8]) - idle)


def watch() -> Callable[[], Usage]:
    """Start watching; what is returned ends the watch and tells what was used."""
    import psutil

    process = psutil.Process()

    def busy() -> tuple[float, float]:
        own = process.cpu_times()
        return busy_seconds(), own.user + own.system

    begin, (machine_before, own_before) = time.perf_counter(), busy()

    def stop() -> Usage:
        elapsed = time.perf_counter() - begin
        machine_after, own_after = busy()
        own = own_after - own_before
        others = machine_after - machine_before - own
        return Usage(cores=own / elapsed, others=max(0.0, others / elapsed))

    return stop
