"""Selections: products of axes, and the cases they stand for."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pipeport import catalog
from pipeport.bench import _arguments, _bodies
from pipeport.bench._case import CORES, DEVICES, DTYPES, SCOPES, Case, Size
from pipeport.bench._variants import variants_of
from pipeport.contract import Contract
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain


@dataclass(frozen=True, kw_only=True)
class Selection:
    """A product of axes.

    Attributes
    ----------
    pairs : tuple of str
        Names as `catalog.selected` takes them; empty for every pair.
    dtypes, sizes, scopes, batched, cores, devices : tuple
        Values of the axes, see `Case`; a size of None means unknown sizes.
    compared_only : bool
        Whether variants that stock op and peers cannot answer are left out.
    """

    pairs: tuple[str, ...] = ()
    dtypes: tuple[str, ...] = ("float32", "uint8")
    sizes: tuple[Size | None, ...] = ((256, 256),)
    scopes: tuple[str, ...] = ("op",)
    batched: tuple[bool, ...] = (False,)
    cores: tuple[str, ...] = ("all",)
    devices: tuple[str, ...] = ("cpu",)
    compared_only: bool = False

    def __post_init__(self) -> None:
        """Check the axes."""
        for name, values, allowed in (
            ("dtypes", self.dtypes, DTYPES),
            ("scopes", self.scopes, SCOPES),
            ("cores", self.cores, CORES),
            ("devices", self.devices, DEVICES),
        ):
            for value in values:
                if value not in allowed:
                    message = explain(name, repr(value), ", ".join(allowed), "Choose from these.")
                    raise UnsupportedArgument(message)
        for size in self.sizes:
            if size is not None and min(size) < 1:
                raise OutsideDomain(explain("sizes", size, "at least 1x1", "Give HEIGHTxWIDTH in pixels."))


def contracts_of(selection: Selection) -> tuple[list[Contract], list[str]]:
    """Return the contracts a selection names, and a line for each whose reference is not installed."""
    chosen = catalog.selected(selection.pairs)
    present = [c for c in chosen if _bodies.can_resolve(c.reference)]
    absent = [
        f"{c.native}: its reference {c.reference} cannot be imported here."
        for c in chosen
        if c not in present
    ]
    return present, absent


def cases_of(selection: Selection, contracts: Iterable[Contract], left_out: list[str]) -> Iterator[Case]:
    """Give the product of a selection's axes; what a native does not take becomes a line of `left_out`."""
    for contract in contracts:
        if not _arguments.takes_photographs(contract):
            yield from _without_image(selection, contract, left_out)
            continue
        for dtype, size, scope, batched, cores, device in itertools.product(
            selection.dtypes,
            selection.sizes,
            selection.scopes,
            selection.batched,
            selection.cores,
            selection.devices,
        ):
            if not _arguments.accepts(contract, dtype):
                line = f"{contract.native}: does not take {dtype}."
                if line not in left_out:
                    left_out.append(line)
                continue
            if batched and size is None:
                continue  # images of unknown sizes make no batch
            for variant in variants_of(contract.native, dtype):
                if selection.compared_only and not variant.compared:
                    continue
                if variant.shape is not None and (size != (256, 256) or scope != "op"):
                    continue  # a volume has its own size
                case = Case(
                    pair=contract.native,
                    variant=variant.name,
                    dtype=dtype,
                    size=size,
                    scope=scope,
                    batched=batched,
                    cores=cores,
                    device=device,
                )
                if _arguments.serves(contract, case):
                    yield case


def _without_image(selection: Selection, contract: Contract, left_out: list[str]) -> Iterator[Case]:
    """Give the cases of a pair that takes no image: dtype and size are those of images."""
    plain = Case(pair=contract.native)
    others = (selection.sizes, selection.scopes, selection.batched)
    if any(one not in of for one, of in zip((plain.size, plain.scope, plain.batched), others, strict=True)):
        if (line := f"{contract.native}: takes no image.") not in left_out:
            left_out.append(line)
        return
    for cores, device in itertools.product(selection.cores, selection.devices):
        yield Case(pair=contract.native, cores=cores, device=device)
