"""Hypothesis, asked in short runs, so that examples are independent of each other and still shrink.

Of a long run, Hypothesis spends five sixths on variations of examples it has: values copied from one
place to another, which finds bugs of containers and few of images. The first ten examples of a run
are drawn afresh, but for the very first, the simplest there is.

What counts is an example that both sides accept. Refusals are compared too, but a fifth as many as
examples asked for is enough: beyond that, what the reference refuses is left out before the native runs.
"""

from __future__ import annotations

import contextlib
import enum
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import hypothesis
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

from pipeport.verify._examine import is_refused
from pipeport.verify._example import Example
from pipeport.verify._examples import examples, examples_like, signature_of
from pipeport.verify._pair import Pair

RUN = 10
# So many runs without a single new example: the domain has no more.
EMPTY_RUNS = 5
# And so many where there never was one: a run looks at more than a thousand calls.
BARREN_RUNS = 1
# Where each signature costs a trace, or a compilation, more examples than these share them.
SIGNATURES = 40
# Of these, what the reference refuses.
REFUSED_SIGNATURES = 6
# So many calls are drawn for each example asked for, and some for the start; then the case fails.
TRIES, FIRST_TRIES = 25, 100


class Verdict(enum.Enum):
    """The verdict on a drawn call: compared, refused by both sides, or not comparable."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    LEFT_OUT = "left out"


Judge = Callable[[Example], Verdict]


class NothingToDraw(Exception):
    """Every example fell under an exemption or outside the domain."""


@dataclass
class _Count:
    """Counts of drawn examples."""

    wanted: int
    accepted: int = 0
    refused: int = 0
    tried: int = 0

    @property
    def spent(self) -> bool:
        return self.tried >= FIRST_TRIES + TRIES * self.wanted

    @property
    def refused_enough(self) -> bool:
        return self.refused >= max(2, self.wanted // 5)


def judge_all(
    pair: Pair,
    engine: str,
    wanted: int,
    judge: Judge,
    settings: hypothesis.settings,
    seed: str,
    *,
    large: int = 0,
) -> bool:
    """Draw examples and have them judged.

    `wanted`: examples to judge; fewer are, where the domain has no more. `judge`: takes a call; returns what
    became of it, raises when it fails. `large`: how many of the examples are of images of a common size.
    Returns: whether there were as many as wanted, or the domain has no more.
    """
    drawn = examples(pair, engine)
    small = wanted - large
    if engine != "eager" and small > SIGNATURES:
        drawn = examples_like(pair, engine, _signatures(pair, drawn, settings, seed))
    count = _Count(small)
    enough = _runs(pair, drawn, count, judge, settings, seed)
    if not count.accepted and not count.refused:
        raise NothingToDraw
    if large and enough:
        # The simplest of them is left out: it is the simplest small one on more pixels.
        more, more_drawn = _Count(large), examples(pair, engine, large=True)
        enough = _runs(pair, more_drawn, more, judge, settings, f"{seed}|large", simplest=False)
        enough = enough and more.accepted == large
    return enough


def _signatures(
    pair: Pair, drawn: st.SearchStrategy[Example], settings: hypothesis.settings, seed: str
) -> list[Example]:
    """Return one call for each of `SIGNATURES` signatures: the most varied of thrice as many."""
    found: dict[Any, Example] = {}

    def collect(call: Example) -> Verdict:
        found.setdefault(signature_of(call), call)
        return Verdict.ACCEPTED

    quiet = hypothesis.settings(settings, phases=[hypothesis.Phase.generate], database=None)
    _runs(pair, drawn, _Count(3 * SIGNATURES), collect, quiet, f"{seed}|signatures")
    refused = [call for call in found.values() if is_refused(pair, call)]
    few = most_varied(refused, REFUSED_SIGNATURES)
    accepted = [call for call in found.values() if not any(call is other for other in refused)]
    chosen = most_varied(accepted, SIGNATURES - len(few)) + few
    # The simplest first: failures shrink towards it.
    return sorted(chosen, key=lambda call: len(repr(signature_of(call))))


def most_varied(calls: Iterable[Example], count: int) -> list[Example]:
    """Choose calls one by one, each for the values, dtypes and shapes that were chosen least so far."""
    every = list(calls)
    waiting = {index: _traits(call) for index, call in enumerate(every)}
    met: Counter[Any] = Counter()
    chosen: list[Example] = []
    while waiting and len(chosen) < count:
        best = max(waiting, key=lambda index: (sum(1 / (1 + met[t]) ** 2 for t in waiting[index]), -index))
        met.update(waiting.pop(best))
        chosen.append(every[best])
    return chosen


def _traits(call: Example) -> set[Any]:
    """Return each parameter's Python value, or its kind of tensor."""
    traits: set[Any] = {("trace", call.trace), ("elements", len(call.elements))}
    traits |= {(name, repr(value)) for name, value in call.static().items()}
    for name, value in call.inputs().items():
        part = value[0] if isinstance(value, list) else value
        form = "per element" if name in call.per_element else "tensor"
        traits |= {(name, form), (name, part.dtype.str), (name, part.shape)}
    return traits


def _runs(
    pair: Pair,
    drawn: st.SearchStrategy[Example],
    count: _Count,
    judge: Judge,
    settings: hypothesis.settings,
    seed: str,
    *,
    simplest: bool = True,
) -> bool:
    """Run until there are enough; return False where there could be more, and they were not found."""
    empty = run = 0
    known: str | None = None
    failing: list[bool] = []
    while count.accepted < count.wanted and not count.spent:
        if empty >= (EMPTY_RUNS if count.tried else BARREN_RUNS):
            break
        before, met, opening = count.accepted, False, True

        def example(call: Example) -> None:
            nonlocal met, opening, known
            if opening:
                opening, first, text = False, known is None, repr(call)
                known = text if first else known
                if text == known and not (first and simplest):
                    met = True
                    return  # judged in the first run, or not to be judged
            if not failing:  # what fails is made smaller, and no longer counted
                if count.accepted >= count.wanted:
                    return
                if count.spent:
                    hypothesis.reject()
                count.tried += 1
                if count.refused_enough and is_refused(pair, call):
                    hypothesis.reject()
            try:
                verdict = judge(call)
            except Exception:
                failing.append(True)
                raise
            if verdict is Verdict.REFUSED:
                count.refused += 1
            if verdict is not Verdict.ACCEPTED:
                hypothesis.reject()
            count.accepted += 1

        digest = hashlib.sha256(f"{seed}|{run}".encode()).digest()
        first_counts = simplest and run == 0
        most = min(RUN, count.wanted - count.accepted + (not first_counts))
        limited = hypothesis.settings(settings, max_examples=most)
        test = limited(hypothesis.given(drawn)(example))
        with contextlib.suppress(Unsatisfiable):
            hypothesis.seed(int.from_bytes(digest[:8], "big"))(test)()
        empty = 0 if count.accepted > before else empty + 1
        run += 1
    # Where only what is known was met, the domain has no more.
    return count.accepted >= count.wanted or (met and not count.spent and not count.refused)
