"""The neighbour of each element that has some rank among all, as `scipy.ndimage.median_filter` selects it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.kernels import xla
from pipeport.kernels.sampling._correlation import unless_empty
from pipeport.kernels.sampling._extremes import Places, as_result, fill_in
from pipeport.kernels.sampling._neighbours import Box, neighbours
from pipeport.kernels.sampling._selection import median, sorted_values


def ranked(x: Any, box: Box, places: Places, rank: int, work: Any, cval: Any, dtype: Any) -> Any:
    """Return the neighbour of each element than which as many are smaller as its rank says.

    `x`: real numbers, of known rank, one axis or more. `places`: which of the box are compared. `rank`: the
    rank, counted from 0. `cval`: scalar float64; the value beyond the ends under the rule 'grid-constant'.
    `dtype`: of the result: integers lose their fraction and wrap around. Returns: shape of `x`; the
    neighbours. Which of two zeros, and what of NaN, is left open.
    """
    return unless_empty(
        x, dtype, [box], lambda some: xla.run(_selected, box, places, rank, work, dtype)(some, cval)
    )


def _selected(box: Box, places: Places, rank: int, work: Any, dtype: Any) -> Callable[[Any, Any], Any]:
    def run(x: Any, cval: Any) -> Any:
        at, shaped = neighbours(tf.cast(x, work), box, tf.cast(fill_in(cval, x.dtype), work))
        values = [at(place) for place in places]
        middle = len(values) % 2 == 1 and rank == len(values) // 2
        found = median(values) if middle else sorted_values(values)[rank]
        return shaped(as_result(found, dtype))

    return run
