"""Run a dataset for a while, in a thread that may be left behind, and keep when each element came."""

from __future__ import annotations

import contextlib
import statistics
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, explain

# How long an element may take to come, and how often a person's interruption is looked for.
LIMIT_S, _GLANCE_S, _LAST_WORDS_S = 120.0, 0.05, 2.0
_MODEL_S = 0.01
# Of a pass, what is left out at its start: AUTOTUNE is still choosing.
_WARMING = 1 / 3


@dataclass
class Pass:
    """One pass over a dataset.

    `begun`: when the iterator was asked for. `whole`: whether it ended because the dataset did.
    """

    begun: float
    times: list[float] = field(default_factory=list)
    whole: bool = False


@dataclass
class Passes:
    """All passes of one run.

    `models`: what TensorFlow knows of its stages early and late in a pass; of the later passes where there
    are several, since a cache serves those.
    """

    passes: list[Pass] = field(default_factory=list)
    models: list[tuple[Any, Any]] = field(default_factory=list)
    interrupted: bool = False

    @property
    def elements(self) -> int:
        """How many elements came."""
        return sum(len(one.times) for one in self.passes)

    @property
    def first(self) -> float | None:
        """Seconds until the first element."""
        with_elements = [one for one in self.passes if one.times]
        return with_elements[0].times[0] - with_elements[0].begun if with_elements else None

    @property
    def later_first(self) -> float | None:
        """Seconds until the first element of later passes, median."""
        found = [one.times[0] - one.begun for one in self.passes[1:] if one.times]
        return statistics.median(found) if found else None

    @property
    def steady(self) -> float | None:
        """Seconds per element: of whole passes from their beginning, else once the rate is steady."""
        later = [one for one in self.passes[1:] if one.whole and one.times]
        whole = [(one.times[-1] - one.begun) / len(one.times) for one in later]
        if whole:
            return statistics.median(whole)
        spans, elements = 0.0, 0
        for one in self.passes:
            kept = one.times[int(len(one.times) * _WARMING) :] if len(one.times) > 3 else one.times
            if len(kept) > 1:
                spans += kept[-1] - kept[0]
                elements += len(kept) - 1
        return spans / elements if elements > 1 else None


class Ended(Exception):
    """An error raised by a dataset."""


def run(
    dataset: Any,
    seconds: float,
    elements: int | None = None,
    *,
    again: bool = True,
    tell: Callable[[int], None] | None = None,
) -> Passes:
    """Take elements of a dataset until time is up.

    `dataset`: the dataset; it may be infinite. `seconds`: how long; the element that is being waited for is
    the last. `again`: whether to begin again at its end. `tell`: told how many elements came, now and then.
    Returns: when elements came; after Ctrl-C, until then.
    """
    found = Passes()
    errors: list[Exception] = []
    stop = threading.Event()

    def work() -> None:
        try:
            _take(dataset, seconds, elements, again, found, stop)
        except Exception as error:  # whatever the user's functions raise
            errors.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    seen, since = 0, time.perf_counter()
    try:
        while thread.is_alive():
            thread.join(_GLANCE_S)
            if found.elements > seen:
                seen, since = found.elements, time.perf_counter()
                if tell is not None:
                    tell(seen)
            elif time.perf_counter() - since > LIMIT_S:
                stop.set()
                given = f"a dataset without an element within {LIMIT_S:g} s"
                advice = "Look for a filter that passes nothing, or for a function that does not end."
                raise OutsideDomain(explain("dataset", given, "datasets that give elements", advice))
    except KeyboardInterrupt:
        stop.set()
        thread.join(_LAST_WORDS_S)
        found.interrupted = True
    if errors:
        raise Ended from errors[0]
    return found


def steady(dataset: Any, seconds: float, elements: int | None = None) -> float | None:
    """Return the seconds per element of a run."""
    passes = run(dataset, seconds, elements)
    if passes.interrupted:
        raise KeyboardInterrupt
    return passes.steady


def _take(
    dataset: Any, seconds: float, elements: int | None, again: bool, found: Passes, stop: threading.Event
) -> None:
    end = float("inf")  # the first element may take longer than all others
    while True:
        now = Pass(time.perf_counter())
        found.passes.append(now)
        iterator = iter(dataset)
        early: Any = None
        late, glanced = early, 0.0
        for _ in iterator:
            now.times.append(time.perf_counter())
            end = min(end, now.times[0] + seconds)
            if now.times[-1] > glanced + _MODEL_S:
                late, glanced = _fuller(late, _model(iterator)), now.times[-1]
                early = early or late
            if stop.is_set() or now.times[-1] > end or found.elements == elements:
                break
        else:
            now.whole = True
        del iterator
        if len(found.passes) == 2:
            found.models.clear()
        if late is not None:
            found.models.append((early, late))
        over = stop.is_set() or time.perf_counter() > end or found.elements == elements
        if over or not now.times or not again:
            return


def _fuller(before: Any, after: Any) -> Any:
    """Return the later of two models, unless stages have ended in it, which leave it."""
    if before is None or after is None or len(after.nodes) >= len(before.nodes):
        return after
    return before


def _model(iterator: Any) -> Any:
    """Return TensorFlow's own model of the stages; None in TensorFlow 2.15 and without autotune."""
    read = getattr(tf.data.experimental, "get_model_proto", None)
    if read is None:
        return None
    with contextlib.suppress(tf.errors.NotFoundError):
        return read(iterator)
    return None
