"""The process in which the peak memory of one call is measured: `python -m` this, with four arguments."""

from __future__ import annotations

import json
import resource
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import psutil

_STATUS = Path("/proc/self/status")


def _forget_peak() -> bool:
    """Ask Linux to start its record of the peak anew: loading libraries may have been higher."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return False
    return True


def _recorded_peak() -> int:
    for line in _STATUS.read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise OSError("no VmHWM")


def _whole_life_peak() -> int:
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def measured(call: Callable[[], Any]) -> dict[str, Any]:
    """Return peak and baseline of one call, in bytes, and how they were found."""
    renewed = _forget_peak()
    baseline = psutil.Process().memory_info().rss
    call()
    if renewed:
        return {"peak_bytes": _recorded_peak(), "baseline_bytes": baseline, "method": "VmHWM, renewed"}
    return {"peak_bytes": _whole_life_peak(), "baseline_bytes": baseline, "method": "ru_maxrss, whole life"}


def _prepared(side: str, image: Any, angle: float) -> Callable[[], Any]:
    if side == "reference":
        from skimage.transform import rotate as reference

        return lambda: reference(image, angle)
    from pipeport import catalog
    from pipeport._lazy import tf
    from pipeport.bench._memory import PAIR

    native = tf.function(catalog.find(PAIR).function)
    given, degrees = tf.constant(image), tf.constant(angle, tf.float32)
    # TensorFlow sets up threads and allocators on its first op: they belong to no image.
    tf.function(lambda x: x + 1.0, jit_compile=True)(tf.zeros([2]))
    return lambda: native(given, degrees)


def _main() -> None:
    side, height, width, angle = sys.argv[1:]
    image = np.random.default_rng(0).random((int(height), int(width), 3), dtype=np.float32)
    call = _prepared(side, image, float(angle))
    print(json.dumps(measured(call)))  # noqa: T201 - the parent reads this line


if __name__ == "__main__":
    _main()
