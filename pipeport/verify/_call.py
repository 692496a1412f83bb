"""One drawn example: which arguments, in which form, and how they enter a graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from pipeport.contract import Array, Image, LabelOf, Maybe, Spec

Trace = Literal["eager", "static", "unknown"]


@dataclass(frozen=True, kw_only=True)
class Call:
    """One example.

    Attributes
    ----------
    elements : tuple of mapping
        Arguments of the reference (and ours), once per element of the batch: one outside
        the engine `batched`. Arrays are NumPy arrays, everything else Python values.
    tensors : mapping of str to str
        Parameters that enter as tensors, with their dtype.
    per_element : frozenset of str
        Parameters other than arrays that have one value per element of the batch.
    trace : {'eager', 'static', 'unknown'}
        Without a graph, or with one whose sizes are known or unknown while tracing.
    unknown : mapping of str to tuple of int
        Axes of each array whose size is unknown when `trace` is 'unknown'.
    """

    elements: tuple[Mapping[str, Any], ...]
    tensors: Mapping[str, str] = field(default_factory=dict)
    per_element: frozenset[str] = frozenset()
    trace: Trace = "eager"
    unknown: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    @property
    def arguments(self) -> Mapping[str, Any]:
        """Arguments of the first element."""
        return self.elements[0]

    @property
    def dtype(self) -> str:
        """Dtype of the first array, under which the example is reported."""
        for value in self.arguments.values():
            if isinstance(value, np.ndarray):
                return str(value.dtype)
        return next(iter(self.tensors.values()), "python")

    def inputs(self) -> dict[str, Any]:
        """Return what enters the graph: arrays, and parameters given as tensors."""
        return {
            name: self.value_as_input(name, value)
            for name, value in self.arguments.items()
            if isinstance(value, np.ndarray) or name in self.tensors
        }

    def static(self) -> dict[str, Any]:
        """Return what is a Python value while tracing."""
        return {
            name: value
            for name, value in self.arguments.items()
            if not isinstance(value, np.ndarray) and name not in self.tensors
        }

    def batched_inputs(self) -> dict[str, Any]:
        """Return what enters the graph of a batch: arrays stacked, tensors shared or stacked."""
        return {
            name: np.stack([self.value_as_input(name, e[name]) for e in self.elements])
            if name in self.per_element or isinstance(value, np.ndarray)
            else self.value_as_input(name, value)
            for name, value in self.arguments.items()
            if isinstance(value, np.ndarray) or name in self.tensors
        }

    def value_as_input(self, name: str, value: Any) -> Any:
        """Return one argument as the NumPy array that becomes a tensor."""
        return value if isinstance(value, np.ndarray) else np.asarray(value, self.tensors[name])


def inner(spec: Spec) -> Spec:
    """Return the spec inside `Maybe`, else the spec itself."""
    return inner(spec.spec) if isinstance(spec, Maybe) else spec


def unknown_axes(spec: Spec, rank: int) -> tuple[int, ...]:
    """Return the axes whose size a pipeline does not know while tracing; channels stay known."""
    free = getattr(spec, "unknown_axes", None)
    if free is not None:
        return tuple(free(rank))
    if isinstance(inner(spec), (Image, LabelOf)):
        return tuple(range(min(rank, 2)))
    if isinstance(inner(spec), Array):
        return tuple(range(rank))
    return ()
