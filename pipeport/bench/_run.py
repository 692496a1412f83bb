"""One run: every case of a plan, kept as it goes, so that an interruption loses nothing finished."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import asdict, dataclass, replace
from typing import Any

from pipeport import catalog
from pipeport.bench import (
    _answers,
    _arguments,
    _devices,
    _environment,
    _latency,
    _one_core,
    _pipelines,
    _sides,
    _usage,
)
from pipeport.bench._case import Case
from pipeport.bench._measure import Clock, Protocol, Round, interleaved
from pipeport.bench._plans import Expanded, Plan, expand
from pipeport.bench._results import CaseResult, Report, SideResult
from pipeport.bench._sides import Prepared
from pipeport.bench._streams import Side
from pipeport.bench._variants import variant_of
from pipeport.contract import SameDistribution


@dataclass(frozen=True, kw_only=True)
class Step:
    """What a run does next, for a progress display.

    Attributes
    ----------
    text : str
        What is measured.
    case : str
        The case it belongs to; empty for none.
    left_s : float
        Estimate of the time the whole run still takes.
    """

    text: str
    left_s: float
    case: str = ""


Watch = Callable[[Step], None]


def _unwatched(_step: Step) -> None:
    """Show nothing."""


def nothing() -> Report:
    """Return a report without cases, for a run that measures memory alone."""
    protocol = {"plan": "memory", "rounds": 0, "seconds": 0.0, "steady": {}, "batch": 0}
    return Report(environment=_environment.environment(), protocol=protocol)


def run(
    plan: Plan,
    *,
    watch: Watch = _unwatched,
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
    clock : callable
        Seconds, monotonic; replaced in tests.
    measure : callable
        As `interleaved`; replaced in tests.

    Returns
    -------
    Report
        After KeyboardInterrupt, what was finished: cases without a full round of every side
        are not in it.
    """
    begin = clock()
    expanded = expand(plan)
    protocol = Protocol(rounds=plan.rounds, seconds=plan.seconds)
    report = Report(
        environment=_environment.environment(),
        protocol=_protocol_as_dict(plan, protocol),
        left_out=list(expanded.left_out),
    )
    cases = expanded.cases
    if any(case.device != "cpu" for case in cases) and _devices.first_gpu() is None:
        report.left_out.append(_devices.NO_GPU)
        cases = list(dict.fromkeys(replace(case, device="cpu") for case in cases))
    runner = _Runner(plan, protocol, expanded, report, watch, clock, measure)
    try:
        for case in cases:
            runner.measure_case(case)
    except KeyboardInterrupt:
        report.interrupted = True
    report.duration_s = round(clock() - begin, 1)
    return report


def _protocol_as_dict(plan: Plan, protocol: Protocol) -> dict[str, Any]:
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
        clock: Clock,
        measure: Callable[..., dict[str, list[Round]]],
    ) -> None:
        self._plan, self._protocol, self._report = plan, protocol, report
        self._watch, self._clock, self._measure = watch, clock, measure
        self._begin = clock()
        self._total = expanded.seconds
        self._rooflines: set[tuple[object, ...]] = set()

    def _tell(self, case: str, what: str) -> None:
        left = max(0.0, self._total - (self._clock() - self._begin))
        self._watch(Step(text=f"{case}: {what}", left_s=left, case=case))

    def measure_case(self, case: Case) -> None:
        """Measure one case and add it to the report; a case that fails becomes a line in it."""
        label = f"{case.short_name} ({case.conditions})"
        try:
            with _one_core.pinned() if case.cores == "one" else nullcontext(True) as as_asked:
                self._measure_case(case, label, [] if as_asked else [_one_core.NOT_PINNED])
        except Exception as error:
            self._report.left_out.append(f"{label}: could not be measured: {_in_one_line(error)}")

    def _measure_case(self, case: Case, label: str, notes: list[str]) -> None:
        contract = catalog.find(case.pair)
        variant = variant_of(case.pair, case.variant)
        arguments = _arguments.arguments_for(contract, case)
        with _pipelines.source_of(case, arguments) as source:
            roofline = self._roofline_is_due(case, len(arguments.arrays))
            prepared = _sides.prepare(contract, variant, case, arguments, source, roofline=roofline)
            result = CaseResult(case=case, sides=[], notes=notes + prepared.notes)
            random = isinstance(contract.agreement, SameDistribution)
            result.sides = self._compare_answers(prepared, label, random=random)
            if self._plan.latency:
                self._first_elements(prepared, result, source, label)
            self._rounds(prepared, result, label)

    def _roofline_is_due(self, case: Case, arrays: int) -> bool:
        """Measure each pipeline's roofline once, beside the first case that runs in it."""
        key = (*case.pipeline, arrays)
        due = key not in self._rooflines
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


def _in_one_line(error: Exception) -> str:
    """Return kind and first line of an error; AutoGraph puts where before what."""
    lines = str(error).strip().splitlines() or [""]
    text = lines[-1].strip() if lines[0].startswith("in user code") else lines[0]
    return f"{type(error).__name__}: {text}"
