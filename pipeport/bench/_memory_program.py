"""The process that measures memory and first batch of a program: `python -m` this, with SUITE NAME SIDE."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pipeport._lazy import tf
from pipeport.bench._factories import Factories
from pipeport.bench._memory_child import measured
from pipeport.bench._program_sides import batches, builders
from pipeport.bench._programs import Program
from pipeport.bench._suites import read_suite
from pipeport.errors import OutsideDomain, explain


def _unheard() -> None:
    """Do nothing."""


def epoch(program: Program, build: Callable[[], Any], first: Callable[[], None] = _unheard) -> int:
    """Build a dataset and pull it to its end.

    `program`: says where an endless dataset ends, and how large its batches are. `first`: called once, as
    soon as the first batch is there.
    """
    dataset = build()
    endless = dataset.cardinality() == tf.data.INFINITE_CARDINALITY
    if endless and program.elements is None:
        advice = "Say `elements = ...`."
        where = f"program {program.name!r}"
        raise OutsideDomain(explain(where, "an endless dataset", "a dataset that ends", advice))
    pulled = 0
    for batch in batches(program, dataset):
        if not pulled:
            first()
        pulled += int(tf.nest.flatten(batch)[0].shape[0])
        if endless and pulled >= (program.elements or 0):
            break
    return pulled


def main(suite: str, name: str, side: str) -> dict[str, Any]:
    """Measure one side of a program.

    `suite`, `name`, `side`: the suite's file, the program's name in it and the side's name. Returns: see
    `measured`; and `first_batch_s`, the seconds from building the dataset to its first batch.
    """
    program = next(one for one in read_suite(Path(suite)).programs if one.name == name)
    chosen = [one for one in program.sides if one.name == side]
    with builders(program, chosen, Factories()) as build:
        # TensorFlow sets up threads and allocators on its first op: they belong to no program.
        tf.function(lambda x: x + 1.0, jit_compile=True)(tf.zeros([2]))
        return _timed(program, build[side])


def _timed(program: Program, build: Callable[[], Any]) -> dict[str, Any]:
    times: list[float] = []

    def now() -> None:
        times.append(time.perf_counter())

    def call() -> None:
        now()
        epoch(program, build, now)

    found = measured(call)
    if len(times) == 1:
        advice = "Check its inputs and its filters."
        raise OutsideDomain(
            explain(f"program {program.name!r}", "an empty dataset", "one element or more", advice)
        )
    return found | {"first_batch_s": times[1] - times[0]}


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))  # noqa: T201 - the parent reads this line
