"""The source of elements for a measurement: a fresh iterator, closed before the next one opens."""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from pipeport._lazy import tf


class Stream(Protocol):
    """A running source of elements."""

    def pull(self) -> int:
        """Wait for the next portion and return how many elements it holds."""

    def close(self) -> None:
        """Stop everything that works for this stream."""


@dataclass(frozen=True, kw_only=True)
class Side:
    """One of the things that are compared.

    `kind`: {'reference', 'native', 'stock', 'peer', 'roofline', 'gpu'}. `differs`: how its answer differs
    from the reference's. `open`: starts a stream: a fresh iterator over the side's pipeline.
    """

    name: str
    kind: str
    open: Callable[[], Stream]
    differs: str = ""


class DatasetStream:
    """Batches of a dataset, through an iterator of its own."""

    def __init__(self, dataset: Any) -> None:
        self._iterator: Any = iter(dataset)

    def pull(self) -> int:
        """Wait for the next batch; return its number of elements."""
        batch = next(self._iterator)
        return int(tf.nest.flatten(batch)[0].shape[0])

    def close(self) -> None:
        """Delete the iterator, which ends its prefetching and its threads."""
        del self._iterator
        gc.collect()
