"""Repetition along axes of size one."""

from __future__ import annotations

from typing import Any

from pipeport._lazy import tf
from pipeport.arrays._sizes import dimensions, stacked
from pipeport.errors import OutsideDomain, explain


def broadcast_to(x: Any, shape: Any) -> Any:
    """Repeat an array along axes of size one or none, as `numpy.broadcast_to`.

    `shape`: the sizes wanted, tensors among them too.
    """
    sizes = dimensions(shape, "shape")
    given, advice = f"{shape} for shape {x.shape}", "Sizes must be those of the array, where these are not 1."
    if any(not tf.is_tensor(size) and size < 0 for size in sizes):
        raise OutsideDomain(explain("shape", given, "sizes from 0", advice))
    if x.shape.rank is not None:
        own = [1] * (len(sizes) - x.shape.rank) + x.shape.as_list()
        misfits = [
            mine not in (None, 1) and not tf.is_tensor(size) and mine != size
            for mine, size in zip(own, sizes, strict=False)
        ]
        if x.shape.rank > len(sizes) or any(misfits):
            raise OutsideDomain(explain("shape", given, "shapes it broadcasts to", advice))
    return tf.broadcast_to(x, stacked(sizes))
