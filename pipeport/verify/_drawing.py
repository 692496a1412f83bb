"""Hypothesis, asked in short runs, so that examples are independent of each other and still shrink.

Of a long run, Hypothesis spends five sixths on variations of examples it has: values copied from one
place to another, which finds bugs of containers and few of images. The first ten examples of a run
are drawn afresh, but for the very first, the simplest there is.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import hypothesis
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

from pipeport.verify._call import Call
from pipeport.verify._examples import examples, examples_like, signature_of
from pipeport.verify._pair import Pair

RUN = 10
# So many runs without a single example: the domain has no more.
EMPTY_RUNS = 5
# Where each signature costs a trace, or a compilation, more examples than these share them.
SIGNATURES = 40

Judge = Callable[[Call], bool]


class NothingToDraw(Exception):
    """Every example fell under an exemption or outside the domain."""


def judge_all(
    pair: Pair, engine: str, wanted: int, judge: Judge, settings: hypothesis.settings, seed: str
) -> None:
    """Draw examples and have them judged.

    Parameters
    ----------
    pair, engine
        The case.
    wanted : int
        Examples to judge; fewer are, where the domain has no more.
    judge : callable
        Takes a call; returns whether it counts as an example, raises when it fails.
    settings : hypothesis.settings
        For every run.
    seed : str
        Of all draws.

    Raises
    ------
    NothingToDraw
        No example could be drawn.
    """
    drawn = examples(pair, engine)
    if engine != "eager" and wanted > SIGNATURES:
        drawn = examples_like(pair, engine, _signatures(drawn, settings, seed))
    _runs(drawn, wanted, judge, settings, seed)


def _signatures(drawn: st.SearchStrategy[Call], settings: hypothesis.settings, seed: str) -> list[Call]:
    """Return one call for each of `SIGNATURES` signatures: the most varied of thrice as many."""
    found: dict[Any, Call] = {}

    def collect(call: Call) -> bool:
        found.setdefault(signature_of(call), call)
        return True

    quiet = hypothesis.settings(settings, phases=[hypothesis.Phase.generate], database=None)
    _runs(drawn, 3 * SIGNATURES, collect, quiet, f"{seed}|signatures")
    # The simplest first: failures shrink towards it.
    return sorted(most_varied(found.values(), SIGNATURES), key=lambda call: len(repr(signature_of(call))))


def most_varied(calls: Iterable[Call], count: int) -> list[Call]:
    """Choose calls one by one, each for the values, dtypes and shapes that were chosen least so far."""
    every = list(calls)
    waiting = {index: _traits(call) for index, call in enumerate(every)}
    met: Counter[Any] = Counter()
    chosen: list[Call] = []
    while waiting and len(chosen) < count:
        best = max(waiting, key=lambda index: (sum(1 / (1 + met[t]) ** 2 for t in waiting[index]), -index))
        met.update(waiting.pop(best))
        chosen.append(every[best])
    return chosen


def _traits(call: Call) -> set[Any]:
    """Return what a call says of each parameter: its Python value, or what kind of tensor it is."""
    traits: set[Any] = {("trace", call.trace), ("elements", len(call.elements))}
    traits |= {(name, repr(value)) for name, value in call.static().items()}
    for name, value in call.inputs().items():
        part = value[0] if isinstance(value, list) else value
        form = "per element" if name in call.per_element else "tensor"
        traits |= {(name, form), (name, part.dtype.str), (name, part.shape)}
    return traits


def _runs(
    drawn: st.SearchStrategy[Call], wanted: int, judge: Judge, settings: hypothesis.settings, seed: str
) -> None:
    done = empty = run = 0
    simplest: str | None = None
    while done < wanted and empty < EMPTY_RUNS:
        before, opening = done, True

        def example(call: Call) -> None:
            nonlocal done, opening, simplest
            if opening:
                opening, known = False, repr(call)
                if known == simplest:
                    return  # judged in the first run
                simplest = simplest or known
            if not judge(call):
                hypothesis.reject()
            done += 1

        digest = hashlib.sha256(f"{seed}|{run}".encode()).digest()
        limited = hypothesis.settings(settings, max_examples=min(RUN, wanted - done + (run > 0)))
        test = limited(hypothesis.given(drawn)(example))
        with contextlib.suppress(Unsatisfiable):
            hypothesis.seed(int.from_bytes(digest[:8], "big"))(test)()
        empty = 0 if done > before else empty + 1
        run += 1
    if not done:
        raise NothingToDraw
