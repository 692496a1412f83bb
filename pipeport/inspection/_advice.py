"""Advice on a dataset, each with the measurement behind it."""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import PipeportError
from pipeport.inspection._gains import KEEPING, after, figure
from pipeport.inspection._meter import Meter
from pipeport.inspection._model import chain_of
from pipeport.inspection._python import users_function
from pipeport.inspection._report import Advice, Report, Stage
from pipeport.inspection._run import steady
from pipeport.inspection._stages import GENERATOR, Found
from pipeport.inspection._text import between, ms, percent
from pipeport.inspection._verdict import draws

Watch = Callable[[str], None]
# From which share of the time on something is worth a word, and which gain counts as one.
_WORTH, _WORTH_CACHING, _GAIN = 0.10, 0.30, 1.05
_CAN_BE_PARALLEL = ("map", "interleave")
_WAITS, _LONGEST_PAUSE_S, _SHORTEST_S = 12, 0.05, 0.2
_LARGEST_CACHE = 2**31


def advise(
    report: Report, dataset: Any, found: Found, meters: dict[str, Meter], seconds: float, watch: Watch
) -> None:
    """Add to a report what to change.

    `meters`: what was seen of boundaries, by token.
    """
    drawing = _drawing(report, found)
    report.advice += _keep(report)
    report.advice += _parallel(report)
    report.advice += _shapes(report, meters)
    report.advice += _cache(report, dataset, drawing)
    watch("comparing two passes")
    report.advice += _repeated(report, dataset, drawing)
    watch("waiting as a training does")
    report.advice += _prefetch(report, dataset)
    watch("running without an end")
    report.advice += _epochs(report, dataset, seconds)


def not_serialisable(report: Report) -> Iterator[Advice]:
    """Advise to port what keeps a dataset in its process.

    `report`: with boundaries, and the answer of another process where that was asked.
    """
    held = [one for one in report.boundaries if one.stage is not None]
    if not held:
        return
    said = report.service.said if report.service is not None else ""
    ported, islands = ([one.name for one in held if one.is_island is kind] for kind in (False, True))
    do = [f"port {', '.join(ported)}"] if ported else []
    do += [f"write {', '.join(islands)} with natives, which a port keeps in Python,"] if islands else []
    yield Advice(
        kind="serialise",
        stage=held[0].stage,
        do=f"{' and '.join(do)} before the dataset is served or part of a SavedModel",
        why="its graph holds numbers for Python functions, which other processes do not know"
        + (f": one said {said}" if said else ""),
    )


def _keep(report: Report) -> Iterator[Advice]:
    """Advise against ports that were measured slower."""
    for one in report.boundaries:
        gain = one.gain
        if gain is None or not gain.loses:
            continue
        long = gain.speed is not None and gain.speed.high < 1
        over = "" if long else ", over a pass with the time until its first element"
        yield Advice(
            kind="keep",
            stage=one.stage,
            do=f"leave {one.name} in Python, unless the dataset is served or saved",
            why=f"its port is {between(gain.speed if long else gain.pass_)} as fast{over}",
        )


def _drawing(report: Report, found: Found) -> list[int]:
    """Return the numbers of the stages that draw."""
    numbers = set(found.random)
    for one in report.boundaries:
        function = users_function(one.token) if one.function and one.wrapper != GENERATOR else None
        try:
            if function is not None and one.stage is not None and draws(function):
                numbers.add(one.stage)
        except PipeportError:  # it has no source
            continue
    return sorted(numbers)


def _parallel(report: Report) -> Iterator[Advice]:
    total = sum(one.seconds or 0.0 for one in report.stages)
    for one in report.stages:
        alone = one.name in _CAN_BE_PARALLEL and one.parallelism is None and not one.made_parallel
        if report.run is not None and report.run.measured_by == "prefixes":  # it cannot be seen here
            readers = [other.name for other in report.stages if one.number in other.inputs]
            alone = alone and not (one.name == "map" and readers == ["batch"])
        if not alone or not one.seconds or one.seconds / total < _WORTH:
            continue
        why = f"it takes {percent(one.seconds / total)} of the time, on one element at a time"
        inside = [other for other in report.boundaries if other.stage == one.number]
        python = sum(other.cpu_seconds or 0.0 for other in inside)
        if python > one.seconds / 2:
            names = ", ".join(other.name for other in inside)
            why += f"; most of it is {names}, and Python's lock may let one thread run"
            kept = any(other.is_island or (other.gain and other.gain.loses) for other in inside)
            why += "" if kept else ": port it first"
        yield Advice(
            kind="parallel",
            stage=one.number,
            do=f"num_parallel_calls=tf.data.AUTOTUNE in {one.name}",
            why=why,
        )


def _shapes(report: Report, meters: dict[str, Meter]) -> Iterator[Advice]:
    batches = sum(one.batch is not None for one in report.stages)

    def lost(stage: Stage) -> bool:
        return any("rank ?" in shape or shape.count("?") > batches for shape in stage.shapes)

    for one in report.boundaries:
        stage = next((other for other in report.stages if other.number == one.stage), None)
        gave = meters[one.token].gave if one.token in meters and one.wrapper != GENERATOR else []
        if stage is None or not gave or not all(map(lost, (stage, *after(report.stages, one.stage)))):
            continue
        shapes = {tuple(np.shape(part) for part in _parts(result)) for result in gave}
        if len(shapes) == 1:
            (seen,) = shapes
            shown = ", ".join(f"tf.ensure_shape(..., {shape})" for shape in seen)
            yield Advice(
                kind="shape",
                stage=one.stage,
                do=f"{shown} after {one.wrapper} of {one.name}",
                why=f"all {len(gave)} results seen have it, and the dataset says {', '.join(stage.shapes)}",
            )


def _parts(result: Any) -> tuple[Any, ...]:
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)


def _cache(report: Report, dataset: Any, drawing: list[int]) -> Iterator[Advice]:
    """Advise a cache before what draws, where there is none and what it would hold is worth it."""
    chain = chain_of(dataset, report.stages)
    total = sum(one.seconds or 0.0 for one in report.stages)
    endless = any(one.name == "repeat" for one in report.stages)
    if not chain or not total or endless or any(one.name in KEEPING for one, _ in chain):
        return
    before = list(itertools.takewhile(lambda pair: _is_fixed(pair[0], drawing), chain))
    if not before:
        return
    share = sum(one.seconds or 0.0 for one, _ in before) / total
    stage, held = before[-1]
    count = int(held.cardinality())
    size = 0
    for element in held.take(1):
        size = sum(np.asarray(part).nbytes for part in tf.nest.flatten(element, expand_composites=True))
    if share >= _WORTH_CACHING and count > 0 and 0 < count * size <= _LARGEST_CACHE:
        yield Advice(
            kind="cache",
            stage=stage.number,
            do=f"cache() after stage {stage.number}, {stage.name}",
            why=(
                f"stages up to it take {percent(share)} of the time and give the same in each pass; "
                f"{count} elements of {size} bytes need {count * size / 2**20:.1f} MiB"
            ),
        )


def _is_fixed(stage: Stage, drawing: list[int]) -> bool:
    return stage.number not in drawing and stage.name not in ("shuffle", "prefetch", "batch", "padded_batch")


def _repeated(report: Report, dataset: Any, drawing: list[int]) -> Iterator[Advice]:
    if not drawing:
        return
    first, second = (_first(dataset) for _ in range(2))
    if not all(itertools.starmap(np.array_equal, zip(first, second, strict=True))):
        return
    number = drawing[0]
    kept = next((one for one in after(report.stages, number) if one.name in KEEPING), None)
    do = "pipeport.seeds.seeded_map, which draws anew in each pass"
    if kept is not None:
        do = f"{kept.name} before stage {number}, which draws"
    yield Advice(
        kind="repeats",
        stage=number,
        do=do,
        why=f"stage {number} draws, and the first elements of two passes are equal",
    )


def _first(dataset: Any) -> list[Any]:
    for element in dataset.take(1):
        return [np.asarray(part) for part in tf.nest.flatten(element, expand_composites=True)]
    return []


def _prefetch(report: Report, dataset: Any) -> Iterator[Advice]:
    run_of = report.run
    if run_of is None or run_of.element_s is None or report.stages[-1].name == "prefetch":
        return
    pause = min(run_of.element_s, _LONGEST_PAUSE_S)
    as_it_is = _wait(dataset.repeat(), pause)
    ahead = _wait(dataset.repeat().prefetch(tf.data.AUTOTUNE), pause)
    if as_it_is > _WORTH * pause and as_it_is > 2 * ahead:
        yield Advice(
            kind="prefetch",
            stage=report.stages[-1].number,
            do="prefetch(tf.data.AUTOTUNE) as the last stage",
            why=f"a step of {ms(pause)} ms waits {ms(as_it_is)} ms for its element, with it {ms(ahead)} ms",
        )


def _wait(dataset: Any, pause: float) -> float:
    """Return the median of what a consumer waits that takes a pause after each element."""
    waits: list[float] = []
    iterator = iter(dataset)
    for _ in range(_WAITS):
        begun = time.perf_counter()
        next(iterator)
        waits.append(time.perf_counter() - begun)
        time.sleep(pause)
    return statistics.median(waits[2:])


def _epochs(report: Report, dataset: Any, seconds: float) -> Iterator[Advice]:
    found = report.run
    if found is None or not found.element_s or not found.elements_of_pass or found.later_first_s is None:
        return
    whole = found.element_s * found.elements_of_pass
    if found.later_first_s / whole < _WORTH or found.elements_of_pass < 2:
        return
    endless = [steady(dataset.repeat(), max(_SHORTEST_S, seconds / 9)) for _ in range(3)]
    gains = figure([found.element_s / one for one in endless if one])
    if gains.low >= _GAIN:
        yield Advice(
            kind="epochs",
            stage=None,
            do=f"fit(dataset.repeat(), steps_per_epoch={found.elements_of_pass})",
            why=(
                f"a pass of {found.elements_of_pass} elements takes {ms(whole)} ms, "
                f"{ms(found.later_first_s)} ms of them until its first; "
                f"on one iterator it is {between(gains)} as fast"
            ),
        )
