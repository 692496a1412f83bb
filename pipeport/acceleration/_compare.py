"""Whether a traced port gives what its function gives, on elements of its own dataset."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport import catalog, config
from pipeport._lazy import tf
from pipeport.acceleration._program import Program
from pipeport.contract import Exact, WithinLevels
from pipeport.errors import NotPorted
from pipeport.meanings import BUILT_IN, DRAW, NATIVE
from pipeport.porting import Ported, sides
from pipeport.porting._example import differing, flat
from pipeport.porting._replay import copied


def difference(
    ported: Ported, program: Program, rows: list[tuple[Any, ...]], specs: list[Any], *, exact: bool
) -> tuple[str, int]:
    """Return how the results of a program differ from those of its function, and how many were compared.

    `program`: what was traced, with the sizes that the boundary knows. `rows`: arguments, as the boundary
    gets them. `exact`: whether every bit counts. Returns: in words; empty where they agree on every element
    that the program serves, and it serves one.
    """
    served = 0
    for number, row in enumerate(rows):
        seed = (0, number)
        old, new = sides(ported, seed, draws=program.draws or ported.draws_unseeded)
        want = flat(old(*copied(row)))
        tensors = [tf.constant(one, spec.dtype) for one, spec in zip(row, specs, strict=True)]
        inputs = (tf.constant(seed, tf.int64), *tensors)
        if program.attempt is None:
            got = flat(_given(program.run, inputs))
        else:
            serves, *results = _given(program.attempt, inputs)
            if not serves:
                continue
            got = flat(results)
        served += 1
        if exact:
            apart = [place for place, pair in enumerate(zip(want, got, strict=True)) if not _same(*pair)]
            found = f"result {apart[0]}" if apart else ""
        else:
            found = getattr(differing(want, got, _runner(new, row)), "text", "")
        if found:
            return f"element {number}: {found}", served
    return "" if served else "it refuses every element that was tried", served


def _given(function: Callable[..., Any], inputs: tuple[Any, ...]) -> list[Any]:
    """Return what a traced function gives, as datasets call it."""
    if config.fast_start():
        dataset = tf.data.Dataset.from_tensors(inputs).map(lambda *given: tuple(function(*given)))
        return list(next(iter(dataset)))
    return list(function(*inputs))


def _runner(new: Callable[..., Any], row: tuple[Any, ...]) -> Callable[[], list[Any]]:
    return lambda: flat(new(*copied(row)))


def _same(want: Any, got: Any) -> bool:
    """Say whether two results are equal to the bit; NaN is NaN."""
    if (want.dtype, want.shape) != (got.dtype, got.shape):
        return False
    return want.tobytes() == got.tobytes() if want.dtype.kind != "O" else bool(np.array_equal(want, got))


def is_exact(ported: Ported, *, draws: bool) -> str:
    """Return in words why a port may differ from its function by rounding.

    `draws`: whether its draws take a seed. Returns: empty where every native in it gives every bit of its
    reference.
    """
    if draws:
        return "it draws"
    for row in ported.report():
        if row.kind == DRAW:
            return f"{row.name} (line {row.line}) draws"
        if row.kind == NATIVE:
            try:
                agreement: Any = catalog.find(row.name).agreement
            except NotPorted:
                return f"{row.name} (line {row.line}) has no contract of its own"
            # Asked for equal bits, those that interpolate bytes give them.
            if not isinstance(agreement, (Exact, WithinLevels)):
                return f"{row.name} (line {row.line}) agrees as {type(agreement).__name__} says"
        elif row.kind == BUILT_IN and row.name.startswith("math."):
            return f"{row.name} (line {row.line}) may round otherwise"
    return ""
