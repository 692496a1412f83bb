"""Plans: which cases a run measures, in which order, with how many rounds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pipeport import catalog
from pipeport.bench import _bodies
from pipeport.bench._case import Case
from pipeport.bench._programs import Program
from pipeport.bench._selections import Selection as Selection
from pipeport.bench._selections import cases_of, contracts_of
from pipeport.bench._variants import variant_of

HEADLINE = "pipeport.skimage.transform.rotate"
# What a side costs per round besides its timed span: a fresh iterator and warming up.
OVERHEAD_S = 0.6
# And once: tracing, compilation, the comparison of answers.
PREPARATION_S = 0.6
START_S = 6.0
# And where first elements are timed: three pipelines built and traced.
LATENCY_S = 1.0
# The same of a program, whose elements may be files, and what its inputs take to make.
PROGRAM_OVERHEAD_S = 1.0
PROGRAM_PREPARATION_S = 1.5
INPUTS_S = 1.0
# A training: whole, in a process of its own.
TRAINING_S = 14.0
# A process of its own: starting, making the inputs again, one epoch.
FRESH_S = 10.0


@dataclass(frozen=True, kw_only=True)
class Plan:
    """The cases of a run.

    Attributes
    ----------
    name : str
        For the report.
    selections : tuple of Selection
        In order; a case that occurs twice is measured once.
    programs : tuple of Program
        Measured after them.
    rounds, seconds : int, float
        See `Protocol`; trainings have no seconds.
    budget_s : float or None
        Cases that would end later than this, by estimate, are left out and named.
    latency : bool
        Whether the first element is timed as well.
    roofline : bool
        Whether the pass-through of each pipeline is measured beside its first case.
    first_batch, memory : bool
        Whether the first batch of programs is timed, and their peak memory taken, each side in a
        process of its own.
    """

    name: str
    selections: tuple[Selection, ...] = ()
    programs: tuple[Program, ...] = ()
    rounds: int = 3
    seconds: float = 1.0
    budget_s: float | None = None
    latency: bool = False
    roofline: bool = True
    first_batch: bool = False
    memory: bool = False

    @property
    def trainings(self) -> bool:
        """Return whether the programs are trainings."""
        return any(program.training for program in self.programs)

    @property
    def fresh(self) -> bool:
        """Return whether the sides of programs run in processes of their own as well."""
        return self.first_batch or self.memory

    def program_of(self, case: Case) -> Program:
        """Return the program that a case measures."""
        return next(program for program in self.programs if program.name == case.program)


_HEADLINE_FIRST = Selection(pairs=(HEADLINE,), compared_only=True)
# What people do most besides: measured first when time is short.
_COMMON = Selection(
    pairs=(
        "pipeport.numpy.fliplr",
        "pipeport.idioms.random_flip_pair",
        "pipeport.cv2.GaussianBlur",
        "pipeport.idioms.standardize",
    ),
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
    """Return the cases of a plan in order, with the reasons for what is left out."""
    expanded = Expanded()
    seen: set[Case] = set()
    pipelines: set[tuple[Any, ...]] = set()
    over_budget: list[Case] = []
    # Programs are named one by one, so their time is set aside before pairs share what is left.
    of_programs = _cases_of_programs(plan, expanded)
    for selection in plan.selections:
        contracts, absent = contracts_of(selection)
        expanded.left_out += [line for line in absent if line not in expanded.left_out]
        for case in cases_of(selection, contracts, expanded.left_out):
            if case in seen:
                continue
            seen.add(case)
            roofline = plan.roofline and case.pipeline not in pipelines
            cost = cost_of(case, plan) + roofline * _side_cost(plan)
            if plan.budget_s is not None and expanded.seconds + cost > plan.budget_s:
                over_budget.append(case)
                continue
            pipelines.add(case.pipeline)
            expanded.seconds += cost
            expanded.cases.append(case)
    expanded.cases += of_programs
    if plan.budget_s is not None and over_budget:
        expanded.left_out.append(_over_budget(over_budget, plan.budget_s))
    return expanded


def _cases_of_programs(plan: Plan, expanded: Expanded) -> list[Case]:
    """Return the cases of the programs that can be measured here; add their time, and what is left out."""
    found = []
    for program in plan.programs:
        if absent := [name for name in program.needs if not _bodies.can_resolve(name)]:
            line = f"{program.name}: needs {', '.join(absent)}, which cannot be imported here."
            expanded.left_out.append(line)
            continue
        found += program.cases()
    expanded.seconds += sum(cost_of(case, plan) for case in found)
    return found


def _over_budget(cases: list[Case], budget_s: float) -> str:
    kinds: dict[str, list[str]] = {}
    for case in cases:
        kinds.setdefault(case.short_name, []).append(case.variant or case.dtype)
    names = "; ".join(f"{name} ({', '.join(of)})" for name, of in sorted(kinds.items()))
    return f"To stay within {budget_s:.0f} s: {names}. Measure them by name, or all with --full."


def cost_of(case: Case, plan: Plan) -> float:
    """Return an estimate of the seconds a case takes, its roofline apart."""
    if case.program and plan.program_of(case).training:
        program = plan.program_of(case)
        whole = INPUTS_S + plan.rounds * len(program.sides) * TRAINING_S
        return whole / len(program.cases())
    if case.program:
        per_side = plan.rounds * (plan.seconds + PROGRAM_OVERHEAD_S) + PROGRAM_PREPARATION_S
        per_side += LATENCY_S * plan.latency + FRESH_S * plan.fresh
        return INPUTS_S + len(plan.program_of(case).sides_of(case)) * per_side
    contract = catalog.find(case.pair)
    sides = 2
    if case.has_others and variant_of(case.pair, case.variant).compared:
        sides += contract.stock is not None and not case.batched
        sides += sum(case.dtype in peer.dtypes for peer in contract.peers)
    sides += 3 * (case.device != "cpu")
    return sides * (_side_cost(plan) + LATENCY_S * plan.latency)


def _side_cost(plan: Plan) -> float:
    return plan.rounds * (plan.seconds + OVERHEAD_S) + PREPARATION_S
