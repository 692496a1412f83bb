"""One drawn example: which arguments, in which form, and how they enter a graph."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from pipeport.contract import Array, ArrayList, EncodedImage, Image, LabelOf, Maybe, Operand, Shaped, Spec

Trace = Literal["eager", "static", "unknown"]


def is_data(value: Any) -> bool:
    """Return whether a value is an array or a list of arrays."""
    if isinstance(value, (list, tuple)):
        return bool(value) and all(isinstance(part, np.ndarray) for part in value)
    return isinstance(value, np.ndarray)


@dataclass(frozen=True, kw_only=True)
class Example:
    """One example.

    `elements`: arguments of the reference (and ours), once per element of the batch: one outside the engine
    `batched`. Arrays are NumPy arrays, lists of arrays are lists of those, everything else Python values.
    `tensors`: parameters other than arrays that enter as tensors, with their dtype. `constants`: arrays that
    are given as NumPy arrays, known while tracing; all others enter as tensors. `per_element`: what has one
    value per element of the batch: images always, other parameters at times. `trace`: {'eager', 'static',
    'unknown'}; without a graph, or with one whose sizes are known or unknown while tracing. `unknown`: axes
    of each array whose size is unknown when `trace` is 'unknown'.
    """

    elements: tuple[Mapping[str, Any], ...]
    tensors: Mapping[str, str] = field(default_factory=dict)
    constants: frozenset[str] = frozenset()
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
            if is_data(value):
                return str(value.dtype if isinstance(value, np.ndarray) else value[0].dtype)
        return next(iter(self.tensors.values()), "python")

    def enters(self, name: str) -> bool:
        """Return whether an argument enters the graph; else it is known while tracing."""
        return name in self.tensors or (is_data(self.arguments[name]) and name not in self.constants)

    def inputs(self) -> dict[str, Any]:
        """Return the inputs of the graph: arrays, lists of arrays, and parameters given as tensors."""
        return {n: self.value_as_input(n, v) for n, v in self.arguments.items() if self.enters(n)}

    def static(self) -> dict[str, Any]:
        """Return the arguments that are Python values or NumPy constants while tracing."""
        return {name: value for name, value in self.arguments.items() if not self.enters(name)}

    def batched_inputs(self) -> dict[str, Any]:
        """Return the inputs of a batch's graph, stacked where there is one value per element."""
        stacked: dict[str, Any] = {}
        for name, value in self.inputs().items():
            if name not in self.per_element:
                stacked[name] = value
                continue
            each = [self.value_as_input(name, element[name]) for element in self.elements]
            parts = isinstance(value, (list, tuple))
            stacked[name] = [np.stack(part) for part in zip(*each, strict=True)] if parts else np.stack(each)
        return stacked

    def value_as_input(self, name: str, value: Any) -> Any:
        """Return one argument as the NumPy array, or list of them, that becomes a tensor."""
        if is_data(value):
            return value
        dtype = self.tensors[name]
        return np.asarray(value, object if dtype == "string" else dtype)


def inner(spec: Spec) -> Spec:
    """Return the spec inside `Maybe`, else the spec itself."""
    return inner(spec.spec) if isinstance(spec, Maybe) else spec


def unknown_axes(spec: Spec, rank: int) -> tuple[int, ...]:
    """Return the axes whose size a pipeline does not know while tracing; channels stay known."""
    free = getattr(spec, "unknown_axes", None)
    if free is not None:
        return tuple(free(rank))
    kind = inner(spec)
    if isinstance(kind, (Image, LabelOf, Operand)):
        return tuple(range(min(rank, 2)))
    if isinstance(kind, (Array, ArrayList, EncodedImage)):
        return tuple(range(rank))
    if isinstance(kind, Shaped):
        # A size that follows another array's is as unknown as that one; a rank is always known.
        return tuple(axis for axis, size in enumerate(kind.shape) if _may_be_unknown(size))
    return ()


def _may_be_unknown(size: int | tuple[int, int] | str) -> bool:
    return "ndim" not in size if isinstance(size, str) else isinstance(size, tuple) and size[0] != size[1]
