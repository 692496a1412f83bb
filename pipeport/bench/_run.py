"""One run: every case of a plan, kept as it goes, so that an interruption loses nothing finished."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import asdict
from typing import Any

from pipeport import catalog
from pipeport.bench import (
    _answers,
    _arguments,
    _bodies,
    _codes,
    _devices,
    _environment,
    _latency,
    _one_core,
    _pipelines,
    _program_firsts,
    _program_sides,
    _sides,
    _training,
    _usage,
)
from pipeport.bench._case import Case
from pipeport.bench._factories import Factories, in_one_line
from pipeport.bench._measure import Clock, Protocol, Round, interleaved
from pipeport.bench._plans import Expanded, Plan, expand
from pipeport.bench._programs import Program
from pipeport.bench._results import CaseResult, Report, SideResult
from pipeport.bench._sides import Prepared
from pipeport.bench._steps import Refuse, Watch, unheard, unwatched
from pipeport.bench._steps import Step as Step
from pipeport.bench._streams import Side
from pipeport.bench._variants import variant_of
from pipeport.errors import PipeportError


def _unkept(_report: Report) -> None:
    pass


def nothing() -> Report:
    """Return a report without cases, for a run that measures memory alone."""
    protocol = {"plan": "memory", "rounds": 0, "seconds": 0.0, "steady": {}, "batch": 0}
    return Report(environment=_environment.environment(), protocol=protocol)


def run(
    plan: Plan,
    *,
    watch: Watch = unwatched,
    refuse: Refuse = unheard,
    keep: Callable[[Report], None] = _unkept,
    clock: Clock = time.perf_counter,
    measure: Callable[..., dict[str, list[Round]]] = interleaved,
) -> Report:
    """Measure a plan.

    Parameters
    ----------
    plan : Plan
        What to measure.
    watch : callable
        Told before every step.
    refuse : callable
        Told why a program cannot be measured, a mistake in it; the report lists it with what
        was left out.
    keep : callable
        Given the report after every case, marked as interrupted: a process that is killed has kept it.
    clock : callable
        Seconds, monotonic; replaced in tests.
    measure : callable
        As `interleaved`; replaced in tests.

    Returns
    -------
    Report
        After KeyboardInterrupt, what was finished: cases without a full round of every side
        are not in it.

    Raises
    ------
    UnsupportedArgument
        A case is to run on a GPU, and there is none.
    OutsideDomain
        A function that a program names cannot be imported. In both cases nothing was measured.
    """
    begin = clock()
    expanded = expand(plan)
    for device in sorted({case.device for case in expanded.cases}):
        _devices.require_gpu(device)
    protocol = Protocol(rounds=plan.rounds, seconds=plan.seconds)
    report = Report(
        environment=_environment.environment(),
        protocol=protocol_as_dict(plan, protocol),
        left_out=list(expanded.left_out),
    )
    runner = _Runner(plan, protocol, expanded, report, watch, refuse, clock, measure)
    runner.import_programs(expanded.cases)
    report.interrupted = True
    with suppress(KeyboardInterrupt):
        for case in expanded.cases:
            runner.measure_case(case)
            report.duration_s = round(clock() - begin, 1)
            keep(report)
        report.interrupted = False
    report.duration_s = round(clock() - begin, 1)
    return report


def protocol_as_dict(plan: Plan, protocol: Protocol) -> dict[str, Any]:
    """Return how a plan is measured, as a report holds it."""
    return {
        "plan": plan.name,
        "rounds": protocol.rounds,
        "seconds": protocol.seconds,
        "steady": asdict(protocol.steady),
        "batch": _pipelines.BATCH,
    }


class _Runner:
    def __init__(
        self,
        plan: Plan,
        protocol: Protocol,
        expanded: Expanded,
        report: Report,
        watch: Watch,
        refuse: Refuse,
        clock: Clock,
        measure: Callable[..., dict[str, list[Round]]],
    ) -> None:
        self._plan, self._protocol, self._report = plan, protocol, report
        self._watch, self._refuse, self._clock, self._measure = watch, refuse, clock, measure
        self._factories = Factories()
        self._fresh = _program_firsts.FreshProcesses()
        self._begin = clock()
        self._total = expanded.seconds
        self._rooflines: set[tuple[object, ...]] = set()

    def import_programs(self, cases: list[Case]) -> None:
        """Import every function of the programs, so that a name that is wrong costs no measurement."""
        for case in cases:
            if case.program:
                program = self._plan.program_of(case)
                self._watch(Step(text=f"importing {case.program}", left_s=self._total))
                for named in program.functions:
                    self._factories.function(program, named)
                self._factories.files(program, case)

    def _tell(self, case: str, what: str) -> None:
        left = max(0.0, self._total - (self._clock() - self._begin))
        self._watch(Step(text=f"{case}: {what}", left_s=left, case=case))

    def measure_case(self, case: Case) -> None:
        """Measure one case and add it to the report; a case that fails becomes a line in it."""
        label = f"{case.short_name} ({case.conditions})"
        try:
            if case.program:
                program = self._plan.program_of(case)
                (self._measure_training if program.training else self._measure_program)(case, label)
                return
            with _one_core.pinned() if case.cores == "one" else nullcontext(True) as as_asked:
                self._measure_case(case, label, [] if as_asked else [_one_core.NOT_PINNED])
        except Exception as error:
            line = f"{label}: could not be measured: {in_one_line(error)}"
            self._report.left_out.append(line)
            if case.program:
                self._refuse(line)

    def _measure_case(self, case: Case, label: str, notes: list[str]) -> None:
        contract = catalog.find(case.pair)
        variant = variant_of(case.pair, case.variant)
        arguments = _arguments.arguments_for(contract, case)
        with _pipelines.source_of(case, arguments) as source:
            roofline = self._roofline_is_due(case, len(arguments.shared))
            prepared = _sides.prepare(contract, variant, case, arguments, source, roofline=roofline)
            result = CaseResult(case=case, sides=[], notes=notes + prepared.notes)
            result.code = _codes.of_native(case.pair)
            result.sides = self._compare_answers(prepared, label, random=_bodies.is_random(contract))
            if self._plan.latency:
                self._first_elements(prepared, result, source, label)
            self._rounds(prepared, result, label)

    def _measure_program(self, case: Case, label: str) -> None:
        program = self._plan.program_of(case)
        self._tell(label, "making its inputs")
        with _program_sides.builders(program, program.sides_of(case), self._factories) as build:
            prepared = _program_sides.prepare(program, case, build)
            told = functools.partial(self._tell, label)
            sides = _program_sides.compared(program, prepared, told)
            result = CaseResult(case=case, sides=sides, code=self._factories.code(program, case))
            if self._plan.latency:
                _program_firsts.in_this_process(program, build, sides, told, self._clock)
            if self._plan.fresh:
                self._in_fresh_processes(program, result, label)
            self._rounds(prepared, result, label)

    def _measure_training(self, case: Case, label: str) -> None:
        """Measure all cases of a training with the first of them; they share the side before it."""
        program = self._plan.program_of(case)
        cases = program.cases()
        if case != cases[0]:
            return
        sides = {side.name: SideResult(name=side.name, kind=side.kind) for side in program.sides}
        self._tell(label, "making its inputs")
        try:
            with _training.trainings(program, self._factories) as made:
                for number in range(self._protocol.rounds):
                    choices = made.choices()
                    for side in program.sides:
                        self._tell(label, f"{side.name}, round {number + 1} of {self._protocol.rounds}")
                        sides[side.name].add(*made.once(side, choices))
        finally:
            complete = min(len(side.rounds) for side in sides.values())
            for one in cases if complete else ():
                mine = [sides[side.name].first(complete) for side in program.sides_of(one)]
                code = self._factories.code(program, one)
                self._report.cases.append(CaseResult(case=one, sides=mine, code=code))

    def _in_fresh_processes(self, program: Program, result: CaseResult, label: str) -> None:
        """Add first batches and peak memory, as the plan asks; a process that fails becomes a note."""
        for side in result.sides:
            self._tell(label, f"{side.name} in a process of its own")
            try:
                fresh = self._fresh.of(program, side.name)
            except PipeportError as error:
                result.notes.append(str(error))
                continue
            if self._plan.first_batch:
                side.first_batch_s = fresh.first_batch_s
            if self._plan.memory and fresh.memory not in self._report.memory:
                self._report.memory.append(fresh.memory)

    def _roofline_is_due(self, case: Case, arrays: int) -> bool:
        """Measure each pipeline's roofline once, beside the first case that runs in it."""
        key = (*case.pipeline, arrays)
        due = self._plan.roofline and key not in self._rooflines
        self._rooflines.add(key)
        return due

    def _compare_answers(self, prepared: Prepared, label: str, *, random: bool) -> list[SideResult]:
        results = [SideResult(name=s.name, kind=s.kind, differs=s.differs) for s in prepared.sides]
        reference: list[Any] | None = None
        for result in results:
            if result.kind in ("roofline", "gpu"):
                continue
            self._tell(label, f"preparing {result.name}")
            outputs = _answers.first_batch(prepared.datasets[result.name])
            result.answer = _answers.described(outputs)
            if result.kind == "reference":
                reference = outputs
            elif reference is not None and not random:
                result.largest_difference = _answers.largest_difference(outputs, reference)
        return results

    def _first_elements(self, prepared: Prepared, result: CaseResult, source: Any, label: str) -> None:
        for _ in range(_latency.REPEATS):
            for side in result.sides:
                if side.name in prepared.maps and not result.case.batched:
                    self._tell(label, f"first element of {side.name}")
                    op = prepared.maps[side.name]
                    side.first_element_s.append(_latency.first_element(source, op, clock=self._clock))

    def _rounds(self, prepared: Prepared, result: CaseResult, label: str) -> None:
        def before(number: int, side: Side) -> None:
            self._tell(label, f"{side.name}, round {number + 1} of {self._protocol.rounds}")

        rounds: dict[str, list[Round]] = {}
        try:
            self._measure(
                prepared.sides,
                self._protocol,
                clock=self._clock,
                before=before,
                watch=_usage.watch,
                into=rounds,
            )
        finally:
            complete = min(len(rounds.get(side.name, [])) for side in prepared.sides)
            for side in result.sides:
                side.rounds = rounds.get(side.name, [])[:complete]
            if complete:
                self._report.cases.append(result)
