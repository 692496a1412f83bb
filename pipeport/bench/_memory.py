"""Peak memory of one rotation of a large image, each side in a fresh process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass

from pipeport.bench._results import MemoryResult
from pipeport.errors import PipeportError, explain

PAIR = "pipeport.skimage.transform.rotate"
SIDE = 4096
ANGLE = 30.0


@dataclass(frozen=True)
class MemorySide:
    """One side: what it is called, what the child process runs, under which XLA policy."""

    name: str
    kind: str
    runs: str
    jit: str


SIDES = (
    MemorySide("skimage.transform.rotate", "reference", "reference", "auto"),
    MemorySide("native, compiled", "native", "native", "always"),
    MemorySide("native, plain graph", "native graph", "native", "never"),
)


def peak_memory(side: MemorySide, *, height: int = SIDE, width: int = SIDE) -> MemoryResult:
    """Measure one side in a process of its own.

    Parameters
    ----------
    side : MemorySide
        What to run.
    height, width : int
        Size of the float32 image with three channels.

    Returns
    -------
    MemoryResult
        Peak resident memory during the first call, and the resident memory just before it,
        when libraries and image were loaded. Tracing and compilation are inside.

    Raises
    ------
    PipeportError
        The process failed; the message ends with its last line.
    """
    arguments = [side.runs, str(height), str(width), str(ANGLE)]
    finished = subprocess.run(
        [sys.executable, "-m", "pipeport.bench._memory_child", *arguments],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PIPEPORT_JIT": side.jit, "CUDA_VISIBLE_DEVICES": "-1"},
    )
    if finished.returncode:
        last = (finished.stderr.strip().splitlines() or [f"exit code {finished.returncode}"])[-1]
        raise PipeportError(
            explain("memory", f"{side.name}: {last}", "a run to the end", "Try a smaller image.")
        )
    measured = json.loads(finished.stdout.splitlines()[-1])
    return MemoryResult(name=f"{side.name}, {height}x{width}x3 float32", kind=side.kind, **measured)
