"""Each side in a process of its own: peak memory of one large rotation; of programs, first batches too."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pipeport.bench._plans import Plan, expand
from pipeport.bench._programs import Program, ProgramSide
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

    `height`, `width`: size of the float32 image with three channels. Returns: peak resident memory during the
    first call, and the resident memory just before it, when libraries and image were loaded. Tracing and
    compilation are inside.
    """
    child = ["pipeport.bench._memory_child", side.runs, str(height), str(width), str(ANGLE)]
    name = f"{side.name}, {height}x{width}x3 float32"
    measured = _measured(name, child, "Try a smaller image.", {"PIPEPORT_JIT": side.jit})
    return MemoryResult(name=name, kind=side.kind, **measured)


@dataclass(frozen=True, kw_only=True)
class Fresh:
    """One epoch in a process of its own: its memory, and the seconds to its first batch."""

    memory: MemoryResult
    first_batch_s: float


def fresh(program: Program, side: ProgramSide) -> Fresh:
    """Measure one epoch of a program's side in a process of its own.

    Returns: peak resident memory from building the dataset to its end, and the resident memory just before,
    when libraries and inputs were loaded; and the seconds from building the dataset to its first batch,
    tracing and compilation inside.
    """
    child = ["pipeport.bench._memory_program", str(program.suite), program.name, side.name]
    name = _name(program, side)
    measured = _measured(name, child, "Measure it without memory and first batch first.", {})
    seconds = measured.pop("first_batch_s")
    return Fresh(memory=MemoryResult(name=name, kind=side.kind, **measured), first_batch_s=seconds)


def peak_memory_of(program: Program, side: ProgramSide) -> MemoryResult:
    """Return the memory that `fresh` measures."""
    return fresh(program, side).memory


def tasks(plan: Plan | None) -> list[tuple[str, Callable[[], MemoryResult]]]:
    """Return the tasks of `--memory`: the sides of the plan's programs, else of one rotation.

    `plan`: what else is measured; None for nothing. Returns: names, and what measures them; of a program, the
    reference comes first.
    """
    programs = {case.program for case in expand(plan).cases if case.program} if plan else set()
    if plan is None or not programs:
        return [(f"{s.name}, {SIDE}x{SIDE}x3 float32", functools.partial(peak_memory, s)) for s in SIDES]
    return [
        (_name(program, side), functools.partial(peak_memory_of, program, side))
        for program in plan.programs
        if program.name in programs
        for side in sorted(program.sides, key=lambda side: side.kind != "reference")
    ]


def _name(program: Program, side: ProgramSide) -> str:
    return f"{program.name}, {side.name}"


def _measured(name: str, child: list[str], advice: str, more: dict[str, str]) -> dict[str, Any]:
    """Run a child process, and read what it printed last."""
    finished = subprocess.run(
        [sys.executable, "-m", *child],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"CUDA_VISIBLE_DEVICES": "-1"} | more,
    )
    if finished.returncode:
        last = (finished.stderr.strip().splitlines() or [f"exit code {finished.returncode}"])[-1]
        raise PipeportError(explain("memory", f"{name}: {last}", "a run to the end", advice))
    measured: dict[str, Any] = json.loads(finished.stdout.splitlines()[-1])
    return measured
