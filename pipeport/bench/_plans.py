"""Plans: which cases a run measures, in which order, with how many rounds."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pipeport import catalog
from pipeport.bench import _arguments, _bodies
from pipeport.bench._case import CORES, DEVICES, DTYPES, SCOPES, Case, Size
from pipeport.bench._variants import variant_of, variants_of
from pipeport.contract import Contract
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain

HEADLINE = "pipeport.skimage.transform.rotate"
# What a side costs per round besides its timed span: a fresh iterator and warming up.
OVERHEAD_S = 0.6
# And once: tracing, compilation, the comparison of answers.
PREPARATION_S = 0.6
START_S = 6.0


@dataclass(frozen=True, kw_only=True)
class Selection:
    """A product of axes.

    Attributes
    ----------
    pairs : tuple of str
        Names as `catalog.find` takes them; empty for every pair with `bench=True`.
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


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a run does.

    Attributes
    ----------
    name : str
        For the report.
    selections : tuple of Selection
        In order; a case that occurs twice is measured once.
    rounds, seconds : int, float
        See `Protocol`.
    budget_s : float or None
        Cases that would end later than this, by estimate, are left out and named.
    latency : bool
        Whether the first element is timed as well.
    """

    name: str
    selections: tuple[Selection, ...]
    rounds: int = 3
    seconds: float = 1.0
    budget_s: float | None = None
    latency: bool = False


_HEADLINE_FIRST = Selection(pairs=(HEADLINE,), compared_only=True)
# What people do most besides: measured first when time is short.
_COMMON = Selection(
    pairs=("pipeport.numpy.fliplr", "pipeport.idioms.random_flip_pair", "pipeport.idioms.standardize"),
    dtypes=("float32",),
)
_FROM_FILES = Selection(pairs=(HEADLINE,), dtypes=("float32",), scopes=("pipeline",))

QUICK = Plan(
    name="quick",
    selections=(Selection(pairs=(HEADLINE,), dtypes=("float32",)), _COMMON),
    seconds=0.5,
    budget_s=27.0,
)
DEFAULT = Plan(
    name="default",
    selections=(
        _HEADLINE_FIRST,
        _FROM_FILES,
        _COMMON,
        # One dtype of every pair before the second of any.
        Selection(dtypes=("float32",)),
        Selection(dtypes=("uint8",)),
    ),
    budget_s=120.0,
)
FULL = Plan(
    name="full",
    selections=(
        _HEADLINE_FIRST,
        _FROM_FILES,
        Selection(),
        # One axis at a time around the default: the product of all would take a day.
        Selection(sizes=((32, 32), (512, 512), (240, 320), None)),
        Selection(cores=("one",)),
        Selection(batched=(True,)),
        Selection(scopes=("pipeline",)),
    ),
    latency=True,
)


@dataclass(kw_only=True)
class Expanded:
    """The cases of a plan, and one line for everything it leaves out."""

    cases: list[Case] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    seconds: float = START_S


def expand(plan: Plan) -> Expanded:
    """Return the cases of a plan in order, with the reasons for what is left out.

    Raises
    ------
    NotPorted
        A selection names a pair that the catalog does not have.
    """
    expanded = Expanded()
    seen: set[Case] = set()
    pipelines: set[tuple[Any, ...]] = set()
    over_budget: list[Case] = []
    for selection in plan.selections:
        contracts, absent = _contracts(selection)
        expanded.left_out += [line for line in absent if line not in expanded.left_out]
        for case in _cases(selection, contracts, expanded.left_out):
            if case in seen:
                continue
            seen.add(case)
            roofline = case.pipeline not in pipelines
            cost = cost_of(case, plan) + roofline * _side_cost(plan)
            if plan.budget_s is not None and expanded.seconds + cost > plan.budget_s:
                over_budget.append(case)
                continue
            pipelines.add(case.pipeline)
            expanded.seconds += cost
            expanded.cases.append(case)
    if plan.budget_s is not None and over_budget:
        expanded.left_out.append(_over_budget(over_budget, plan.budget_s))
    return expanded


def _over_budget(cases: list[Case], budget_s: float) -> str:
    kinds: dict[str, list[str]] = {}
    for case in cases:
        kinds.setdefault(case.short_name, []).append(case.variant or case.dtype)
    names = "; ".join(f"{name} ({', '.join(of)})" for name, of in sorted(kinds.items()))
    return f"To stay within {budget_s:.0f} s: {names}. Measure them by name, or all with --full."


def cost_of(case: Case, plan: Plan) -> float:
    """Return an estimate of the seconds a case takes, its roofline apart."""
    contract = catalog.find(case.pair)
    sides = 2
    if case.has_others and variant_of(case.pair, case.variant).compared:
        sides += contract.stock is not None and not case.batched
        sides += sum(case.dtype in peer.dtypes for peer in contract.peers)
    sides += 3 * (case.device != "cpu")
    return sides * _side_cost(plan)


def _side_cost(plan: Plan) -> float:
    return plan.rounds * (plan.seconds + OVERHEAD_S) + PREPARATION_S


def _contracts(selection: Selection) -> tuple[list[Contract], list[str]]:
    named = [catalog.find(name) for name in selection.pairs]
    chosen = named or [contract for contract in catalog.pairs().values() if contract.bench]
    present = [c for c in chosen if _bodies.can_resolve(c.reference)]
    absent = [
        f"{c.native}: its reference {c.reference} cannot be imported here."
        for c in chosen
        if c not in present
    ]
    return present, absent


def _cases(selection: Selection, contracts: Iterable[Contract], left_out: list[str]) -> Iterator[Case]:
    for contract in contracts:
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
