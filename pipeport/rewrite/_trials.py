"""`pipeport scan --run`: a child process imports the modules of findings, and ports their functions."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pipeport.errors import RewriteRefused, explain
from pipeport.scan import Finding, Trial
from pipeport.scan._files import STDIN
from pipeport.scan._rules import ELSEWHERE, NEVER
from pipeport.verify._child import Child

SECONDS = 60.0
_START = 300.0  # TensorFlow itself, on a busy machine


def trials(
    findings: Sequence[Finding],
    *,
    dataset: str = "",
    inputs: Sequence[str] = (),
    seconds: float = SECONDS,
    progress: Callable[[int, int], None] | None = None,
) -> list[Finding]:
    """Port the functions of findings in a child process, which imports their modules.

    Parameters
    ----------
    findings : sequence of Finding
        Of a scan.
    dataset : str, optional
        'module:function' that makes a dataset: its graph says what is handed to each function.
    inputs : sequence of str
        What parameters are, in the language of `pipeport verify --input`.
    seconds : float, default 60
        For one function, the import of its module included.
    progress : callable, optional
        Is told how many are done, and how many there are.

    Returns
    -------
    list of Finding
        The same; boundaries have a trial.

    Raises
    ------
    RewriteRefused
        The dataset cannot be made.
    """
    found = list(findings)
    todo = []
    for number, one in enumerate(found):
        if one.kind in ("boundary", "helper"):
            why = _not_tried(one)
            found[number] = replace(one, trial=Trial(None, why))
            todo += [] if why else [number]
    broken: dict[str, str] = {}
    child: _Child | None = None
    try:
        for done, number in enumerate(todo):
            one = found[number]
            file = one.path if one.body is None else one.body[0]
            if file in broken:
                trial = Trial(None, broken[file])
            else:
                child = child or _Child(dataset, inputs, seconds)
                answer = child.answer(_plain(one), seconds)
                trial = Trial(answer["ports"], answer["reason"], answer.get("assumed", ""))
                if answer.get("broken"):
                    broken[file] = trial.reason
                child = child if child.alive else None
            found[number] = replace(one, trial=trial)
            if progress is not None:
                progress(done + 1, len(todo))
    finally:
        if child is not None:
            child.kill()
    return found


def _not_tried(one: Finding) -> str:
    if one.verdict in (NEVER, ELSEWHERE):
        return "its verdict says why"
    if one.cell is not None or one.path == STDIN:
        return "only modules are imported"
    named = all(part.isidentifier() for part in (one.function or "").split("."))
    return "" if named else "the text does not name the function"


def _plain(one: Finding) -> dict[str, Any]:
    body = None if one.body is None else [str(Path(one.body[0]).resolve()), one.body[1]]
    return {
        "path": str(Path(one.path).resolve()),
        "function": one.function,
        "body": body,
        "wrapper": one.wrapper,
        "top": one.top,
        "handed": one.handed,
        "gives": one.gives,
        "filled": one.filled,
    }


class _Child:
    """A process that answers for one function after the other; a new one follows on it when it ends."""

    def __init__(self, dataset: str, inputs: Sequence[str], seconds: float) -> None:
        self.alive = True
        self._child = Child("pipeport.rewrite._trial_child")
        started = self.answer({"inputs": list(inputs)}, _START)
        if dataset and started["ports"] is None:
            started = self.answer({"dataset": dataset}, seconds)
        if started["reason"]:
            self.kill()
            given = f"{dataset}: {started['reason']}" if dataset else started["reason"]
            advice = "Correct the reported error, or run without --run."
            raise RewriteRefused(explain("--run", given, "modules that can be imported", advice))

    def answer(self, question: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Ask, and wait for the answer; a process that gives none in time is ended."""
        self._child.tell(question)
        until = time.monotonic() + seconds
        what = "importing its module"
        while True:
            try:
                answer = self._child.heard(until - time.monotonic())
                how = "" if answer is not None else f"ended Python with {self._child.ended}"
            except TimeoutError:
                answer, how = None, f"took longer than {seconds:g} s"
            if answer is None:
                self.kill()
                return {"ports": None, "reason": f"{what} {how}", "broken": what != "porting it"}
            if "imported" not in answer:
                return answer
            what = "porting it"

    def kill(self) -> None:
        """End the process."""
        self.alive = False
        self._child.kill()
