"""The sides of a case: the same pipeline around the reference, the native, the stock op and the peers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.bench import _bodies, _boundaries, _devices
from pipeport.bench._arguments import Arguments
from pipeport.bench._bodies import Body
from pipeport.bench._case import Case
from pipeport.bench._pipelines import Map, Source, differ_in_size, pipeline
from pipeport.bench._streams import DatasetStream, Side
from pipeport.bench._variants import Variant
from pipeport.contract import Contract
from pipeport.errors import NotPorted

ROOFLINE = "pass-through"


@dataclass(kw_only=True)
class Prepared:
    """The sides of a case, ready to be opened.

    `sides`: reference first, then native, stock op, peers, roofline, GPU. `maps`: what each pipeline side
    puts into `Dataset.map`. `notes`: what could not be measured here, and why.
    """

    sides: list[Side] = field(default_factory=list)
    maps: dict[str, Map] = field(default_factory=dict)
    datasets: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add(
        self, source: Source, name: str, kind: str, op: Map, differs: str = "", *, padded: bool = False
    ) -> None:
        """Add a side: the pipeline of `source` around `op`."""
        dataset = pipeline(source, op, padded=padded)
        self.maps[name] = op
        self.datasets[name] = dataset
        side = Side(name=name, kind=kind, differs=differs, open=lambda: DatasetStream(dataset))
        self.sides.append(side)


def prepare(
    contract: Contract, variant: Variant, case: Case, arguments: Arguments, source: Source, *, roofline: bool
) -> Prepared:
    """Build all sides of a case.

    `roofline`: whether the pass-through of the same pipeline is measured too. Returns: a stock op or peer
    that is missing here is a note, not an error.
    """
    prepared = Prepared()
    native = _bodies.native_body(contract, variant, arguments, batched=case.batched)
    bodies = [_bodies.reference_body(contract, variant, arguments), native]
    if case.has_others and variant.compared:
        others, prepared.notes = _others(contract, case, arguments)
        bodies += others
    maps = [op_of(body, arguments, case) for body in bodies]
    padded = bodies[0].python and not case.batched and differ_in_size(source, maps[0])
    for body, op in zip(bodies, maps, strict=True):
        prepared.add(source, body.name, body.kind, op, body.differs, padded=padded)
    if roofline:
        prepared.add(source, ROOFLINE, "roofline", _pass_through(arguments))
    if case.device != "cpu":
        call = _bodies.native_call(contract, variant, arguments, batched=True)
        prepared.sides += _devices.sides(source, call, arguments, _devices.first_gpu())
    return prepared


def _others(contract: Contract, case: Case, arguments: Arguments) -> tuple[list[Body], list[str]]:
    bodies, notes = _bodies.peer_bodies(contract, case.dtype, arguments)
    # A stock op that takes one image cannot stand in the place of one that takes a batch.
    if contract.stock is not None and not case.batched:
        try:
            bodies.insert(0, _bodies.stock_body(contract, arguments))
        except NotPorted as error:
            notes.append(str(error))
    return bodies, notes


def op_of(body: Body, arguments: Arguments, case: Case) -> Map:
    """Return the function that a side maps over the dataset."""
    if body.python:
        return _boundaries.in_boundary(body.call, arguments, batched=case.batched, random=body.random)
    return lambda element: body.call(**{name: element[name] for name in body.takes})


def _pass_through(arguments: Arguments) -> Map:
    def arrays(element: dict[str, Any]) -> Any:
        return tuple(element[name] for name in arguments.arrays or arguments.per_element_values)

    return arrays


def outputs_of(batch: Any) -> list[Any]:
    """Return the outputs in a batch as NumPy arrays."""
    outputs = (output.numpy() for output in tf.nest.flatten(batch, expand_composites=True))
    return [np.asarray(output) for output in outputs]
