"""The process in which the memory of a program is measured: `python -m` this, with SUITE NAME SIDE."""

from __future__ import annotations

import json
import sys
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


def epoch(program: Program, build: Callable[[], Any]) -> int:
    """Build a dataset and pull it to its end.

    Parameters
    ----------
    program : Program
        Says where an endless dataset ends, and how large its batches are.
    build : callable
        Returns the dataset.

    Returns
    -------
    int
        How many elements there were.

    Raises
    ------
    OutsideDomain
        The dataset has no end, and the program does not say how many elements an epoch has.
    """
    dataset = build()
    endless = dataset.cardinality() == tf.data.INFINITE_CARDINALITY
    if endless and program.elements is None:
        advice = "Say `elements = ...`."
        where = f"program {program.name!r}"
        raise OutsideDomain(explain(where, "an endless dataset", "a dataset that ends", advice))
    pulled = 0
    for batch in batches(program, dataset):
        pulled += int(tf.nest.flatten(batch)[0].shape[0])
        if endless and pulled >= (program.elements or 0):
            break
    return pulled


def main(suite: str, name: str, side: str) -> dict[str, Any]:
    """Measure one side of a program.

    Parameters
    ----------
    suite, name, side : str
        The suite's file, the program's name in it and the side's name.

    Returns
    -------
    dict
        See `measured`.
    """
    program = next(one for one in read_suite(Path(suite)).programs if one.name == name)
    chosen = [one for one in program.sides if one.name == side]
    with builders(program, chosen, Factories()) as build:
        # TensorFlow sets up threads and allocators on its first op: they belong to no program.
        tf.function(lambda x: x + 1.0, jit_compile=True)(tf.zeros([2]))
        return measured(lambda: epoch(program, build[side]))


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))  # noqa: T201 - the parent reads this line
