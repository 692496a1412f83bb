"""Run a dataset, and measure its stages and boundaries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport.errors import OutsideDomain, explain
from pipeport.inspection import _model
from pipeport.inspection._advice import advise
from pipeport.inspection._gains import add_gains
from pipeport.inspection._meter import Meter, wrapped
from pipeport.inspection._report import Report, Run
from pipeport.inspection._run import Ended, Passes, run
from pipeport.inspection._stages import Found
from pipeport.trace._problems import problem_of

Watch = Callable[[str], None]


def measure(
    report: Report, dataset: Any, found: Found, seconds: float, elements: int | None, watch: Watch
) -> None:
    """Run a dataset, and add what was measured to its report.

    `seconds`: how long it runs from its first element on; each further measurement takes as long again.
    """
    meters = {one.token: Meter() for one in report.boundaries if one.function is not None}
    watch("running")
    try:
        with wrapped({token: meter.around for token, meter in meters.items()}):
            passes = run(dataset, seconds, elements, tell=lambda count: watch(f"running, element {count}"))
    except Ended as error:
        own = next((meter.error for meter in meters.values() if meter.error is not None), error.__cause__)
        raise OutsideDomain(
            explain("dataset", f"one that raises {said(own)}", "datasets that run", "Fix it first.")
        ) from error.__cause__
    if not passes.elements and not passes.interrupted:
        advice = "Look at its sources and filters."
        raise OutsideDomain(explain("dataset", "an empty one", "datasets with elements", advice))
    report.run = _run_of(passes)
    for boundary in report.boundaries:
        if boundary.token in meters and passes.elements:
            meter = meters[boundary.token]
            boundary.calls = meter.calls
            boundary.seconds = meter.seconds / passes.elements
            boundary.cpu_seconds = meter.cpu_seconds / passes.elements
    if not passes.interrupted:
        try:
            _attribute(report, dataset, found, passes, seconds, watch)
            add_gains(report, dataset, found, meters, seconds, elements, watch)
            advise(report, dataset, found, meters, seconds, watch)
        except KeyboardInterrupt:
            report.run.interrupted = True


def _run_of(passes: Passes) -> Run:
    whole = [len(one.times) for one in passes.passes if one.whole]
    return Run(
        elements=passes.elements,
        passes=sum(bool(one.times) for one in passes.passes),
        elements_of_pass=whole[0] if whole else None,
        first_s=passes.first,
        later_first_s=passes.later_first,
        element_s=passes.steady,
        interrupted=passes.interrupted,
    )


def _attribute(
    report: Report, dataset: Any, found: Found, passes: Passes, seconds: float, watch: Watch
) -> None:
    """Add to each stage what it takes."""
    if report.run is None:
        return
    taken: dict[int, float] = {}
    if models := _model.moving(passes.models):
        taken, parallel = _model.from_model(models, report.stages, found.operations)
        by = "model"
        for stage in report.stages:
            stage.made_parallel = stage.number in parallel and stage.parallelism is None
    else:
        chain = _model.chain_of(dataset, report.stages)
        taken, by = _model.by_prefixes(chain, seconds, watch), "prefixes"
    if taken:
        report.run.measured_by = by
    for stage in report.stages:
        stage.seconds = taken.get(stage.number)


def said(error: BaseException | None) -> str:
    """Return the text of an exception, with the user's lines.

    Returns: one line, and one more for each frame of the user's.
    """
    if error is None:
        return "an error"
    problem = problem_of("raises", error)
    frames = "".join(f"\n    {frame}" for frame in problem.frames)
    return f"{problem.message}{frames}\n " if frames else problem.message
