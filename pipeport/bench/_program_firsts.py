"""First elements and first batches of programs: traced anew in this process, or in one of their own."""

from __future__ import annotations

import functools
from collections.abc import Callable

from pipeport.bench import _latency, _memory, _program_sides
from pipeport.bench._memory import Fresh
from pipeport.bench._program_sides import Build
from pipeport.bench._programs import Program
from pipeport.bench._results import SideResult


def in_this_process(
    program: Program,
    build: dict[str, Build],
    sides: list[SideResult],
    tell: Callable[[str], None],
    clock: Callable[[], float],
) -> None:
    """Time first elements, side after side, several times, and the first batch of each.

    `build`: by side name, what builds its dataset. `sides`: what the seconds are added to.
    """
    for side in sides * _latency.REPEATS:
        tell(f"first element of {side.name}")
        side.first_element_s.append(_latency.first_of(build[side.name], clock=clock))
    for side in sides:
        tell(f"first batch of {side.name}")
        batched = functools.partial(_program_sides.built_in_batches, program, build[side.name])
        side.first_batch_s = _latency.first_of(batched, clock=clock)


class FreshProcesses:
    """Sides of programs in processes of their own, each once per run: cases of a program share sides."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Fresh] = {}

    def of(self, program: Program, name: str) -> Fresh:
        """Return the measurements of a side."""
        key = program.name, name
        if key not in self._known:
            [side] = [side for side in program.sides if side.name == name]
            self._known[key] = _memory.fresh(program, side)
        return self._known[key]
