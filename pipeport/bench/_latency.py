"""The latency of the first element of a pipeline."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Any

from pipeport.bench._measure import Clock
from pipeport.bench._pipelines import Map, Source, first_elements

REPEATS = 3


def fresh(op: Map) -> Map:
    """Return the same op as a new function, so that tf.data traces it again."""

    def again(element: dict[str, Any]) -> Any:
        return op(element)

    return again


def first_element(source: Source, op: Map, *, clock: Clock = time.perf_counter) -> float:
    """Return the seconds from building a pipeline to its first element.

    Tracing, graph optimisation and compilation are inside; reading the elements into memory is not.
    """
    source.elements()
    return first_of(lambda: first_elements(source, fresh(op)), clock=clock)


def first_of(build: Callable[[], Any], *, clock: Clock = time.perf_counter) -> float:
    """Return the seconds from building a dataset to its first element."""
    begin = clock()
    iterator = iter(build())
    next(iterator)
    elapsed = clock() - begin
    del iterator
    gc.collect()
    return elapsed
