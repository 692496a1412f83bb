"""The gain of a migration: the share of a function in a dataset's time, and the speed of its port."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport import config
from pipeport._lazy import tf
from pipeport.errors import NotEquivalent, PipeportError, line_of
from pipeport.inspection._meter import Meter, wrapped
from pipeport.inspection._python import users_function
from pipeport.inspection._report import Boundary, Figure, Gain, Report, Stage
from pipeport.inspection._run import Ended, run, steady
from pipeport.inspection._stages import GENERATOR, Found
from pipeport.inspection._verdict import draws
from pipeport.porting import port
from pipeport.seeds import seeded_map

Watch = Callable[[str], None]
_ROUNDS, _SHORTEST_S = 3, 0.1
# Elements that Python takes at once when a function is measured by itself.
_PORTION = 16
KEEPING = ("cache", "snapshot", "save", "save_v2")
_CACHED = "A cache comes after it, so Python is called in the first pass alone."
_NO_PASS = "The dataset gave too few elements to measure what it takes without it."
_NO_CALL = "It was not called."


def add_gains(
    report: Report,
    dataset: Any,
    found: Found,
    meters: dict[str, Meter],
    seconds: float,
    elements: int | None,
    watch: Watch,
) -> None:
    """Measure what each boundary costs and what `port` would gain, and add it to the report.

    `report`: with what was measured of the whole. `meters`: what was seen of boundaries, by token. `seconds`:
    for each side of a comparison. `elements`: at most so many of the dataset in a round.
    """
    known = [one for one in report.boundaries if one.token in meters and one.wrapper != GENERATOR]
    for one in known:
        one.gain = Gain()
        if not meters[one.token].gave:
            one.gain.problem = _NO_CALL
        elif any(stage.name in KEEPING for stage in after(report.stages, one.stage)):
            one.gain.problem = _CACHED
    measured = [one for one in known if one.gain is not None and not one.gain.problem]
    if not measured:
        return
    _add_shares(measured, dataset, meters, seconds, elements, watch)
    for one in measured:
        if one.gain is not None and not one.gain.problem:
            if one.is_island:
                continue
            watch(f"porting {one.name}")
            _add_speed(one, report, found, meters[one.token], seconds)


def after(stages: list[Stage], number: int | None) -> list[Stage]:
    """Return the stages that an element passes after one."""
    reached = {number}
    by_number = {one.number: one for one in stages}
    if number in by_number and by_number[number].inside is not None:
        reached.add(by_number[number].inside)
    for one in stages:
        if reached & set(one.inputs):
            reached.add(one.number)
            if one.inside is not None:
                reached.add(one.inside)
    return [one for one in stages if one.number in reached and one.number != number]


def _add_shares(
    boundaries: list[Boundary],
    dataset: Any,
    meters: dict[str, Meter],
    seconds: float,
    elements: int | None,
    watch: Watch,
) -> None:
    """Run the dataset as it is and with the stored results of each function, in turn."""
    sides: list[str | None] = [None, *dict.fromkeys(one.token for one in boundaries)]
    taken: dict[str | None, list[float]] = {side: [] for side in sides}
    names = {one.token: one.name for one in boundaries}
    failed: dict[str | None, str] = {}
    for number in range(1, _ROUNDS + 1):
        for side in sides:
            watch(f"round {number} of {_ROUNDS}, {'as it is' if side is None else f'without {names[side]}'}")
            try:
                with wrapped({} if side is None else {side: meters[side].replay}):
                    each = steady(dataset, max(_SHORTEST_S, seconds / _ROUNDS), elements)
            except Ended as error:  # what follows may not take the results of another element
                failed[side] = f"The dataset does not run on stored results: {_raised(error.__cause__)}"
                continue
            if each is not None:
                taken[side].append(each)
    for one in boundaries:
        if one.gain is None:
            continue
        whole, without = taken[None], taken[one.token]
        if one.token in failed or not whole or len(whole) != len(without):
            one.gain.problem = failed.get(one.token, _NO_PASS)
            continue
        one.gain.share = figure([min(1.0, max(0.0, 1 - b / a)) for a, b in zip(whole, without, strict=True)])


def figure(values: list[float]) -> Figure:
    """Return the median of some rounds, with the least and the most."""
    return Figure(median=statistics.median(values), low=min(values), high=max(values))


def _add_speed(boundary: Boundary, report: Report, found: Found, meter: Meter, seconds: float) -> None:
    """Measure a function in its boundary against its port, on elements of the dataset."""
    gain = boundary.gain
    if gain is None:
        return
    function = users_function(boundary.token)
    try:
        ported, bits, gain.differs = _ported(function, meter.given[0], boundary.wrapper)
        source = _source(meter.given)
        stage = next((one for one in report.stages if one.number == boundary.stage), None)
        parallel = None if stage is None else stage.parallelism
        dtypes = [tf.as_dtype(one) for one in found.dtypes[boundary.token]]
        wrapper = getattr(tf, boundary.wrapper)
        old = source.map(lambda *values: wrapper(function, values, dtypes), num_parallel_calls=parallel)
        mapped = seeded_map if draws(function) else _mapped
        with config.use_bit_equal(bits):
            new = source.apply(mapped(ported, 0, num_parallel_calls=parallel))
        sides = [_counted(old), _counted(new)]
        of_pass = _calls_of_pass(boundary, report)
        speeds: list[float] = []
        passes: list[float] = []
        for _ in range(_ROUNDS):
            first, second = (_rate(side, max(_SHORTEST_S, seconds / _ROUNDS)) for side in sides)
            if first is not None and second is not None:
                (start, each), (port_start, port_each) = first, second
                speeds.append(each / port_each)
                passes.append((start + of_pass * each) / (port_start + of_pass * port_each))
    except Ended as error:
        gain.port_problem = f"The port raises {_raised(error.__cause__)}"
    except PipeportError as error:
        gain.port_problem = str(error)
    except Exception as error:  # what TensorFlow raises while tracing
        gain.port_problem = f"The port raises {_raised(error)}"
    else:
        if speeds:
            gain.speed = figure(speeds)
            gain.pass_ = figure(passes) if of_pass else None


def _ported(function: Any, row: tuple[Any, ...], wrapper: str) -> tuple[Any, bool, str]:
    """Port a function as `pipeport run` does: with every bit of its natives, where it differs without.

    Returns: the port, whether its natives give every bit, and how it differs from the function all the same.
    """
    why = ""
    for bits in (config.bit_equal(), True):
        try:
            with config.use_bit_equal(bits):
                return port(function, example=row, wrapper=wrapper), bits, ""
        except NotEquivalent as error:
            why = line_of(error)
    return port(function, wrapper=wrapper), config.bit_equal(), why


def _calls_of_pass(boundary: Boundary, report: Report) -> int:
    """Return how often a pass of the dataset calls a function; 0 where no pass was whole."""
    run = report.run
    if run is None or not run.elements_of_pass or not run.elements:
        return 0
    return round(boundary.calls * run.elements_of_pass / run.elements)


def _rate(side: Any, seconds: float) -> tuple[float, float] | None:
    """Return the seconds until a side's first element, and those of each one."""
    passes = run(side, seconds)
    if passes.interrupted:
        raise KeyboardInterrupt
    if passes.steady is None or passes.first is None:
        return None
    return max(0.0, passes.first - passes.steady), passes.steady / _PORTION


def _mapped(function: Any, seed: int, num_parallel_calls: int | None) -> Callable[[Any], Any]:
    del seed  # of a function that draws nothing
    return lambda dataset: dataset.map(function, num_parallel_calls=num_parallel_calls)


def _source(given: list[tuple[Any, ...]]) -> Any:
    """Return an endless dataset of arguments: those of the commonest shapes."""
    shapes = [tuple(np.shape(one) for one in row) for row in given]
    common = statistics.mode(shapes)
    rows = [row for row, shape in zip(given, shapes, strict=True) if shape == common]
    columns = tuple(
        tf.stack([tf.convert_to_tensor(one) for one in column]) for column in zip(*rows, strict=True)
    )
    return tf.data.Dataset.from_tensor_slices(columns).repeat()


def _counted(dataset: Any) -> Any:
    """Return a dataset that gives a number for each portion of elements, so that Python takes few of them."""
    options = tf.data.Options()
    options.experimental_optimization.map_fusion = False  # or what is not looked at is not computed
    sizes = dataset.map(lambda *values: tf.size(tf.nest.flatten(values)[0]))
    return sizes.batch(_PORTION).with_options(options)


def _raised(error: BaseException | None) -> str:
    return "an error" if error is None else f"{type(error).__name__}: {line_of(error)}"
