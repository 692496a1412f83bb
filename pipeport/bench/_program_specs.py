"""Whether the datasets of a program give the same elements, by their element specs."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.bench._programs import Program
from pipeport.errors import PipeportError, explain


def check_alike(program: Program, specs: dict[str, Any]) -> None:
    """Refuse sides whose elements differ in structure, kind, dtype or static shape.

    `specs`: each side's `element_spec`, the reference first. Sizes that a side does not state fit any.
    """
    (first, expected), *others = specs.items()
    for name, spec in others:
        if not _alike(spec, expected):
            given = f"{_described(spec)} of side {name!r}, and {_described(expected)} of {first!r}"
            advice = "Give every side the same elements."
            raise PipeportError(
                explain(f"program {program.name!r}", given, "sides with one element_spec", advice)
            )


def check_batches(program: Program, specs: dict[str, Any]) -> None:
    """Refuse a side that says it gives batches, and whose elements have no leading axis."""
    for name, spec in specs.items():
        shape = getattr(tf.nest.flatten(spec)[0], "shape", None)
        if shape is not None and shape.rank == 0:
            given = f"batched = true, and scalars from side {name!r}"
            advice = "Batch in the program, or drop `batched`."
            raise PipeportError(explain(f"program {program.name!r}", given, "a leading axis", advice))


def _alike(left: Any, right: Any) -> bool:
    try:
        tf.nest.assert_same_structure(left, right)
    except (TypeError, ValueError):
        return False
    return all(_same(a, b) for a, b in zip(tf.nest.flatten(left), tf.nest.flatten(right), strict=True))


def _same(left: Any, right: Any) -> bool:
    if type(left) is not type(right) or getattr(left, "dtype", None) != getattr(right, "dtype", None):
        return False
    shape = getattr(left, "shape", None)
    return shape is None or bool(shape.is_compatible_with(right.shape))


def _described(spec: Any) -> str:
    """Return a spec as people write it, without the names of its tensors."""
    return str(tf.nest.map_structure(_leaf, spec)).replace("'", "")


def _leaf(spec: Any) -> str:
    dtype = getattr(getattr(spec, "dtype", None), "name", "")
    return f"{dtype} {getattr(spec, 'shape', '')}".strip() or type(spec).__name__
