"""How far the peak of this process's memory grows during a call, where the system tells."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PROCESS = Path("/proc/self")


class Growth:
    """The growth of the peak; `bytes` is None until the call has ended, and where it is not known."""

    bytes: int | None = None


@contextmanager
def peak_growth() -> Iterator[Growth]:
    """Watch how far the peak of resident memory rises above what is resident at the beginning.

    Memory that was freed is given back to the system before, where that is possible: what is used again
    would not count. On Linux alone, and only where the record of the peak may be started anew.
    """
    found = Growth()
    _give_back()
    renewed = _forget_peak()
    before = _recorded("VmRSS") if renewed else 0
    try:
        yield found
    finally:
        if renewed:
            found.bytes = max(0, _recorded("VmHWM") - before)


def _give_back() -> None:
    gc.collect()
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (AttributeError, OSError, TypeError):  # another C library
        return


def _forget_peak() -> bool:
    try:
        (_PROCESS / "clear_refs").write_text("5")
    except OSError:
        return False
    return True


def _recorded(name: str) -> int:
    for line in (_PROCESS / "status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) * 1024
    raise OSError(f"no {name}")
