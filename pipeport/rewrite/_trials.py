"""`pipeport scan --run`: a child process imports the modules of findings, and ports their functions."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from pipeport.errors import RewriteRefused, explain
from pipeport.scan import Finding, Trial
from pipeport.scan._files import STDIN
from pipeport.scan._rules import ELSEWHERE, NEVER

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
        self._process = subprocess.Popen(
            [sys.executable, "-m", "pipeport.rewrite._trial_child"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3", "MPLBACKEND": "Agg"},
            start_new_session=True,  # what it starts ends with it
        )
        self._in: Any = self._process.stdin
        self._lines: queue.Queue[bytes] = queue.Queue()
        threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True).start()
        started = self.answer({"inputs": list(inputs)}, _START)
        if dataset and started["ports"] is None:
            started = self.answer({"dataset": dataset}, seconds)
        if started["reason"]:
            self.kill()
            given = f"{dataset}: {started['reason']}" if dataset else started["reason"]
            advice = "Correct the reported error, or run without --run."
            raise RewriteRefused(explain("--run", given, "modules that can be imported", advice))

    def _read(self, lines: IO[bytes]) -> None:
        for line in lines:
            self._lines.put(line)
        self._lines.put(b"")

    def answer(self, question: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Ask, and wait for the answer; a process that gives none in time is ended."""
        with suppress(OSError):  # it has ended: the next line says so
            self._in.write(json.dumps(question).encode() + b"\n")
            self._in.flush()
        until = time.monotonic() + seconds
        imported = False
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, until - time.monotonic()))
            except queue.Empty:
                self.kill()
                what = "porting it took" if imported else "importing its module took"
                return {"ports": None, "reason": f"{what} longer than {seconds:g} s", "broken": not imported}
            if not line:
                self.kill()
                code = self._process.returncode
                how = f"signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
                what = "porting it ended" if imported else "importing its module ended"
                return {"ports": None, "reason": f"{what} Python with {how}", "broken": not imported}
            answer: dict[str, Any] = json.loads(line)
            if "imported" not in answer:
                return answer
            imported = True

    def kill(self) -> None:
        """End the process, and all that it has started."""
        self.alive = False
        with suppress(OSError):
            if os.name == "posix":
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
