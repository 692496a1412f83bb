"""The process of one side of `--against`: `python -m` this. It measures one round whenever it is asked.

One request per line of JSON on standard input, one answer per line on standard output. The source of this
module and of all that measures is the same on both sides; the package around it is each side's own.
"""

from __future__ import annotations

import functools
import gc
import json
import os
import pickle
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pipeport
from pipeport import catalog
from pipeport.bench import (
    _answers,
    _bodies,
    _environment,
    _one_core,
    _pipelines,
    _program_sides,
    _sides,
    _usage,
)
from pipeport.bench._case import Case
from pipeport.bench._factories import Factories, in_one_line
from pipeport.bench._measure import Protocol, Steady, measure_once
from pipeport.bench._streams import DatasetStream, Side
from pipeport.bench._suites import read_suite
from pipeport.bench._variants import variant_of
from pipeport.errors import NotPorted

_STDOUT, _STDERR = 1, 2
Request = dict[str, Any]


class Turns:
    """The state of one process: its last case, without an iterator between rounds."""

    def __init__(self) -> None:
        self.factories = Factories()
        self._held = ExitStack()
        self._case = Case()
        self._side = Side(name="", kind="native", open=lambda: DatasetStream(()))

    def start(self) -> dict[str, Any]:
        """Tell whose code was imported."""
        _environment.limit_opencv()
        return {"package": str(Path(pipeport.__file__).parent)}

    def find(self, name: str) -> dict[str, Any]:
        """Tell the natives that a name stands for here; none, where there is no such pair."""
        try:
            return {"natives": [catalog.find(name).native]}
        except NotPorted:
            return {"natives": []}

    def natives(self) -> dict[str, Any]:
        """Tell every native."""
        return {"natives": list(catalog.pairs())}

    def prepare(self, case: Request, given: str, answer: str) -> dict[str, Any]:
        """Build the pipeline of a case around this side's native, and keep its first batch in a file.

        `given`: a file with the arguments of a native; of a program, its suite. `answer`: where the first
        batch is written to.
        """
        self._held.close()
        self._case = Case.from_dict(case)
        if self._case.pair and self._case.pair not in catalog.pairs():
            return {"absent": self._case.pair}
        with self._cores():
            dataset = self._of_program(Path(given)) if self._case.program else self._of_native(Path(given))
            outputs = _answers.first_batch(dataset)
        gc.collect()  # ends the iterator, which would fill its buffers while the other side is measured
        Path(answer).write_bytes(pickle.dumps(outputs))
        self._side = Side(name="", kind="native", open=functools.partial(DatasetStream, dataset))
        return {"answer": _answers.described(outputs)}

    def _of_native(self, arguments: Path) -> Any:
        case, given = self._case, pickle.loads(arguments.read_bytes())
        contract = catalog.pairs()[case.pair]
        source = self._held.enter_context(_pipelines.source_of(case, given))
        body = _bodies.native_body(contract, variant_of(case.pair, case.variant), given, batched=case.batched)
        return _pipelines.pipeline(source, _sides.op_of(body, given, case))

    def _of_program(self, suite: Path) -> Any:
        program = read_suite(suite).program_of(self._case)
        [side] = [one for one in program.sides_of(self._case) if one.kind == "native"]
        build = self._held.enter_context(_program_sides.builders(program, [side], self.factories))
        return _program_sides.batches(program, build[side.name]().repeat(), drop_remainder=True)

    def measure(self, protocol: Request) -> dict[str, Any]:
        """Measure one round, from a fresh iterator to its end."""
        rule = Protocol(**(protocol | {"steady": Steady(**protocol["steady"])}))
        with self._cores():
            return {"round": asdict(measure_once(self._side, rule, time.perf_counter, _usage.watch))}

    def _cores(self) -> Any:
        return _one_core.pinned() if self._case.cores == "one" else nullcontext()


def answered(call: Callable[..., dict[str, Any]], request: Request) -> dict[str, Any]:
    """Return the answer to a request; an error becomes one line."""
    try:
        return call(**request)
    except Exception as error:  # whatever the code of another revision does
        return {"error": in_one_line(error)}


def main() -> None:
    """Answer requests until there are no more; what the measured code prints goes to standard error."""
    answers = os.fdopen(os.dup(_STDOUT), "w", encoding="utf-8")
    os.dup2(_STDERR, _STDOUT)
    turns = Turns()
    for line in sys.stdin:
        request = json.loads(line)
        found = answered(getattr(turns, request.pop("do")), request)
        answers.write(json.dumps(found) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
