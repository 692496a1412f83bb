"""Measure a function in a process of its own, which can be ended, and may crash."""

from __future__ import annotations

import contextlib
import re
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import IO, Any

from pipeport.errors import OutsideDomain, PipeportError, explain
from pipeport.trace._modes import MODES, WORDS
from pipeport.trace._problems import DIED, ENDLESS, Problem
from pipeport.trace._report import ModeResult, Report
from pipeport.verify._child import Child

Watch = Callable[[str], None]
# Beyond a step's limit, which the process keeps by itself where it can; and until TensorFlow is imported.
_GRACE_S, _START_S = 5.0, 120.0
_LAST_WORDS_S = 5.0
_LAST_LINES = 3
# What TensorFlow says of itself when it is imported.
_NOTE = re.compile(r"[IW]\d{4} |WARNING: All log messages before|\d{4}-\d\d-\d\d [\d:.]+: [IW] ")


@dataclass(frozen=True, kw_only=True)
class Task:
    """The arguments of `pipeport.trace.measure`, with functions as 'module:function'.

    `name`, `function`, `plain`, `inputs`: what the report is called; what is measured, its plain form, and
    the text of the inputs, or empty. `rounds`, `seconds`, `limit`, `seed`: as `measure` takes them.
    `folders`: where modules are looked for first.
    """

    name: str
    function: str
    plain: str = ""
    inputs: str = ""
    modes: tuple[str, ...] = MODES
    rounds: int = 11
    seconds: float = 0.05
    limit: float = 30.0
    seed: int = 0
    folders: tuple[str, ...] = field(default_factory=lambda: (str(Path.cwd()),))


def measured(task: Task, watch: Watch) -> Report:
    """Measure a task; a mode in which the process hangs or dies is left out, and the rest measured anew.

    Returns: what was measured; after Ctrl-C, until then.
    """
    lost: list[ModeResult] = []
    modes = task.modes
    while True:
        outcome = _Run(replace(task, modes=modes), watch).outcome()
        report = outcome.report
        if outcome.problem is None and report is not None:
            break
        mode = _mode_of(outcome.step)
        if mode is None or outcome.problem is None:
            reason = outcome.problem.text if outcome.problem else "no answer"
            raise PipeportError(
                explain(task.function, f"{outcome.step}: {reason}", "a run to the end", _ADVICE)
            )
        lost.append(ModeResult(mode=mode, problem=outcome.problem))
        modes = tuple(one for one in modes if one != mode)
        if not modes:
            report = report or _empty(task)
            report.modes = []
            break
    report.modes = sorted([*report.modes, *lost], key=lambda one: MODES.index(one.mode))
    return report


_ADVICE = "Call it once yourself; its own words are on standard error."


def _mode_of(step: str) -> str | None:
    return next((mode for mode in MODES if step.startswith(f"{WORDS[mode]}: ")), None)


def _empty(task: Task) -> Report:
    from pipeport.trace import _environment

    protocol = {"rounds": task.rounds, "seconds": task.seconds, "limit": task.limit}
    return Report(
        name=task.name, inputs=[task.inputs], environment=_environment.environment(), protocol=protocol
    )


@dataclass
class _Outcome:
    """How a process ended: its last report and step, and why it did not end by itself."""

    report: Report | None = None
    step: str = "starting"
    problem: Problem | None = None


class _Run:
    """One process that measures a task."""

    def __init__(self, task: Task, watch: Watch) -> None:
        self._task, self._watch = task, watch

    def outcome(self) -> _Outcome:
        """Run the process to its end, or end it."""
        found = _Outcome()
        with tempfile.TemporaryFile("w+", errors="replace") as complaints:
            child = Child("pipeport.trace._child", complaints=complaints)
            try:
                child.tell(asdict(self._task), last=True)
                self._follow(child, found)
            except KeyboardInterrupt:
                self._last_words(child, found)
            finally:
                child.kill()
            if found.problem is not None and found.problem.kind == DIED:
                found.problem = replace(found.problem, message=_death(child, complaints))
        return found

    def _follow(self, child: Child, found: _Outcome) -> None:
        limit = self._task.limit
        while True:
            try:
                starting = 0.0 if _mode_of(found.step) else _START_S
                event = child.heard(limit + _GRACE_S + starting)
            except TimeoutError:
                found.problem = Problem(kind=ENDLESS, message=f"no answer within {limit:g} s")
                return
            if event is None:
                found.problem = Problem(kind=DIED, message="")
                return
            if self._heard(event, found):
                return

    def _heard(self, event: dict[str, Any], found: _Outcome) -> bool:
        """Note one event; say whether it is the last."""
        if "mistake" in event:
            raise OutsideDomain(event["mistake"])
        if "step" in event:
            found.step = event["step"]
            self._watch(found.step)
        if "report" in event:
            found.report = Report.from_dict(event["report"])
        return "end" in event

    def _last_words(self, child: Child, found: _Outcome) -> None:
        """Ask an interrupted process for what it has measured."""
        child.interrupt()
        with contextlib.suppress(TimeoutError):
            while (event := child.heard(_LAST_WORDS_S)) is not None:
                if self._heard(event, found):
                    break
        if found.report is None:
            raise KeyboardInterrupt
        found.report.interrupted = True


def _death(child: Child, complaints: IO[str]) -> str:
    """Say how a process ended, with its last words."""
    complaints.seek(0)
    said = [line.strip() for line in complaints if line.strip() and not _NOTE.match(line)]
    last = " / ".join(said[-_LAST_LINES:])
    return f"{child.ended}, last words: {last}" if last else child.ended
