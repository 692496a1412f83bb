"""Measure one function in every mode: first calls, then interleaved rounds."""

from __future__ import annotations

import functools
import gc
import itertools
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.trace import _environment
from pipeport.trace._answers import difference
from pipeport.trace._first import Opened, again, open_mode
from pipeport.trace._inputs import Inputs, check_call, given, parsed
from pipeport.trace._limit import Failed, guarded
from pipeport.trace._modes import MODES, PYTHON, TRACED, WORDS, start_runtime, wait
from pipeport.trace._problems import RAISES
from pipeport.trace._report import ModeResult, Report

Clock = Callable[[], float]
Watch = Callable[[str, float], None]
# Functions made anew, of which the first call is timed; one is enough where that takes longer.
_FIRSTS, _LONG_FIRST_S = 3, 4.0
# All rounds together take no longer than this, unless one of each does.
_MOST_SECONDS = 60.0


@dataclass(frozen=True, kw_only=True)
class Protocol:
    """How every mode is measured.

    `rounds`: how often each mode is measured, in turn: A B C D A B C D. `seconds`: shortest span of a round;
    at least one call. `limit`: longest time of one step, a call or a round of short ones.
    """

    rounds: int = 11
    seconds: float = 0.05
    limit: float = 30.0


def _unheard(_text: str, _limit: float) -> None:
    """Discard progress messages."""


def _unkept(_report: Report) -> None:
    """Keep nothing."""


def measure(
    fn: Callable[..., Any],
    *args: Any,
    inputs: str | None = None,
    plain: Callable[..., Any] | None = None,
    modes: Sequence[str] = MODES,
    rounds: int = Protocol.rounds,
    seconds: float = Protocol.seconds,
    limit: float = Protocol.limit,
    seed: int = 0,
    watch: Watch = _unheard,
    keep: Callable[[Report], None] = _unkept,
    clock: Clock = time.perf_counter,
) -> Report:
    """Measure a function as plain Python, eagerly, as `tf.function` and compiled by XLA.

    Parameters
    ----------
    fn : callable
        A function or a `tf.function`; of the latter new ones are made, so that its own traces neither
        count nor grow.
    *args : array_like or any
        What it is called with. NumPy arrays and tensors enter the graph; other values stay Python values,
        constants while tracing.
    inputs : str, optional
        Instead of `args`: what it takes, in the language of `pipeport verify --input`. A named size is
        the largest of its range, and unknown while tracing.
    plain : callable, optional
        The same in plain Python, where `fn` itself calls TensorFlow on NumPy inputs too.
    modes : sequence of str, default all
        Of 'python', 'eager', 'graph' and 'xla'.
    rounds : int, default 11
        How often each mode is measured, in turn.
    seconds : float, default 0.05
        Shortest span of a round.
    limit : float, default 30
        Seconds after which a call counts as endless. In the main thread it ends Python code; a call that
        hangs inside TensorFlow's own kernels is ended by `pipeport trace`, which runs in a process of its
        own.
    seed : int, default 0
        Of the values drawn for `inputs`.
    watch : callable, optional
        Told every step, as text, and its time limit.
    keep : callable, optional
        Given the report whenever a mode has been measured further.
    clock : callable, optional
        Seconds, monotonic.

    Returns
    -------
    Report
        A mode that cannot be measured has a `problem`. After Ctrl-C: what was measured until then.

    Raises
    ------
    OutsideDomain
        The inputs are not what the function takes, or a number is out of range.
    UnsupportedArgument
        An unknown mode, or both `args` and `inputs`.

    Notes
    -----
    The first call is split: tracing is `get_concrete_function`, and what the first run takes longer than a
    later one is optimising, under XLA compiling. TensorFlow itself, and XLA, are started before. Plain
    Python and eager calls have one first call; traced ones the median of three, made anew.

    Examples
    --------
    >>> import pipeport.trace
    >>> report = pipeport.trace.measure(lambda x: x + x, 1.5, modes=["python"], rounds=2, seconds=0.001)
    >>> [mode.mode for mode in report.modes]
    ['python']
    """
    _check(args, inputs, modes, rounds=rounds, seconds=seconds, limit=limit)
    called = given(args) if inputs is None else parsed(inputs, fn, seed)
    check_call(fn, called)
    if plain is not None:
        check_call(plain, called)
    protocol = Protocol(rounds=rounds, seconds=seconds, limit=limit)
    report = Report(
        name=getattr(fn, "__name__", type(fn).__name__),
        inputs=called.described(),
        environment=_environment.environment(),
        protocol={"rounds": rounds, "seconds": seconds, "limit": limit},
    )
    run = _Run(fn, plain, called, protocol, report, watch, keep, clock)
    try:
        run.first_calls([mode for mode in MODES if mode in modes])
        run.rounds()
    except KeyboardInterrupt:
        report.interrupted = True
    keep(report)
    return report


def _check(args: tuple[Any, ...], inputs: str | None, modes: Sequence[str], **numbers: float) -> None:
    if args and inputs is not None:
        raise UnsupportedArgument(
            explain("inputs", "values and a text", "one of both", "Leave out the values or the text.")
        )
    unknown = [mode for mode in modes if mode not in MODES]
    if unknown or not modes:
        given_modes = ", ".join(map(repr, modes)) or "none"
        raise UnsupportedArgument(explain("modes", given_modes, ", ".join(MODES), "Name at least one."))
    for name, value in numbers.items():
        if not value > 0:
            raise OutsideDomain(explain(name, value, "a number above 0", "Leave it out for the default."))


class _Run:
    """One measurement, filled as it goes."""

    def __init__(
        self,
        function: Callable[..., Any],
        plain: Callable[..., Any] | None,
        inputs: Inputs,
        protocol: Protocol,
        report: Report,
        watch: Watch,
        keep: Callable[[Report], None],
        clock: Clock,
    ) -> None:
        self._function, self._plain, self._inputs = function, plain, inputs
        self._protocol, self._report = protocol, report
        self._watch, self._keep, self._clock = watch, keep, clock
        self._opened: dict[str, Opened] = {}

    def first_calls(self, modes: Iterable[str]) -> None:
        """Time first calls, and look at what the function does besides."""
        self._watch("starting TensorFlow", self._protocol.limit)
        start_runtime()
        for mode in modes:
            result = ModeResult(mode=mode)
            self._report.modes.append(result)
            opened = open_mode(
                result,
                self._function,
                self._plain if mode == PYTHON else None,
                self._inputs,
                seconds=self._protocol.seconds,
                limit=self._protocol.limit,
                clock=self._clock,
                tell=functools.partial(self._tell, mode),
            )
            if opened is not None:
                self._opened[mode] = opened
            self._keep(self._report)
        self._compare_answers()
        for result in self._report.modes:
            self._repeat(result)

    def _compare_answers(self) -> None:
        known = [result for result in self._report.modes if result.mode in self._opened]
        for result in known[1:]:
            first = known[0].mode
            differs = difference(self._opened[result.mode].answer, self._opened[first].answer)
            if differs:
                result.remarks.append(f"answers otherwise than {WORDS[first]}: {differs}")

    def _repeat(self, result: ModeResult) -> None:
        if result.mode not in TRACED or result.problem or result.first_run_s[0] > _LONG_FIRST_S:
            return
        for _ in range(_FIRSTS - 1):
            self._tell(result.mode, "first call, made anew")
            try:
                again(result, self._function, self._inputs, limit=self._protocol.limit, clock=self._clock)
            except Failed as failed:
                result.problem = failed.problem
                return

    def rounds(self) -> None:
        """Measure later calls, mode after mode, round after round."""
        begin = self._clock()
        frozen = gc.get_freeze_count()
        gc.collect()
        gc.freeze()  # what is there already is not looked at again between two calls
        try:
            for number in range(self._protocol.rounds):
                if number and self._clock() - begin > _MOST_SECONDS:
                    break
                self._round(number)
                self._keep(self._report)
        finally:
            if not frozen:
                gc.unfreeze()
            self._complete()

    def _round(self, number: int) -> None:
        for result in self._report.modes:
            if result.mode not in self._opened or result.problem:
                continue
            self._tell(result.mode, f"round {number + 1} of {self._protocol.rounds}")
            opened = self._opened[result.mode]
            try:
                with opened.quiet(), guarded(RAISES, self._protocol.limit):
                    result.rounds_s.append(timed(opened.call, result.calls, self._clock))
            except Failed as failed:
                result.problem = failed.problem

    def _complete(self) -> None:
        """Keep as many rounds of each mode as all have: a round counts where its neighbours were measured."""
        counts = [len(result.rounds_s) for result in self._report.modes if not result.problem]
        for result in self._report.modes:
            result.rounds_s = result.rounds_s[: min(counts, default=0)]

    def _tell(self, mode: str, what: str) -> None:
        self._watch(f"{WORDS[mode]}: {what}", self._protocol.limit)


def timed(call: Callable[[], Any], calls: int, clock: Clock) -> float:
    """Return the seconds per call of so many calls, devices included."""
    begin = clock()
    for _ in itertools.repeat(None, calls):
        call()
    wait()
    return (clock() - begin) / calls
