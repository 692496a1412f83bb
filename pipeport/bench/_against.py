"""Two revisions of this package, measured in turn by two processes in one run."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pipeport import catalog
from pipeport.bench import _answers, _arguments, _environment, _one_core, _training
from pipeport.bench._case import Case
from pipeport.bench._factories import Factories, in_one_line
from pipeport.bench._left_out import FAILED
from pipeport.bench._measure import Clock, Protocol, Round
from pipeport.bench._plans import INPUTS_S, OVERHEAD_S, TRAINING_S, Plan, expand
from pipeport.bench._programs import RUN_AGAIN
from pipeport.bench._results import REVISION, CaseResult, Report, SideResult
from pipeport.bench._revision import PACKAGE, Revision
from pipeport.bench._run import protocol_as_dict
from pipeport.bench._statistics import SLOWER
from pipeport.bench._steps import Step, Watch, unwatched
from pipeport.bench._turn_process import Absent, Process
from pipeport.errors import NotPorted

THIS = "this code"
# Rounds where nobody asks for others: enough for an interval of 95 %.
ROUNDS = 6
# Both processes are started anew for every two rounds, in which each side comes first once: where memory
# lies is drawn once per process, and may decide how fast a program is.
ROUNDS_PER_START = 2
START_S = 8.0

Start = Callable[[str, Path], Process]


def split(names: Sequence[str], other: Revision, start: Start = Process) -> tuple[list[str], list[str]]:
    """Return the names of pairs that exist here, and one line for each that exists in the other alone."""
    here, lines = [], []
    with ExitStack() as opened:
        there: Process | None = None
        for name in names:
            try:
                catalog.find(name)
            except NotPorted:
                if there is None:
                    there = start(other.label, other.folder)
                    opened.callback(there.close)
                there.send("find", name=name)
                natives = there.received()["natives"]
                if not natives:
                    raise
                lines.append(f"{natives[0]}: only in {other.label}, not in {THIS}.")
            else:
                here.append(name)
    return here, lines


def run(
    plan: Plan,
    other: Revision,
    *,
    watch: Watch = unwatched,
    clock: Clock = time.perf_counter,
    start: Start = Process,
) -> Report:
    """Measure the natives of a plan in two revisions.

    `plan`: what to measure: the native of each case, and the native side of each program. `start`: starts the
    process of a side, given its name and folder; replaced in tests. Returns: each case with two sides: the
    native, and that of kind 'revision'. What only one of the two has, or cannot measure, is left out by name.
    After KeyboardInterrupt, what was finished.
    """
    begin = clock()
    plan = replace(plan, latency=False, first_batch=False, memory=False)
    expanded = expand(plan)
    protocol = Protocol(rounds=plan.rounds, seconds=plan.seconds)
    against = {"against": {"revision": other.name, "commit": other.commit}}
    report = Report(
        environment=_environment.environment(),
        protocol=protocol_as_dict(plan, protocol) | against,
        left_out=list(expanded.left_out),
    )
    whole = len(expanded.cases) * cost_of(plan)

    def tell(case: str, what: str) -> None:
        left = max(0.0, whole - (clock() - begin))
        watch(Step(text=f"{case}: {what}", left_s=left, case=case))

    with TemporaryDirectory(prefix="pipeport-given-") as folder:
        measured = _Comparison(plan, protocol, other, Path(folder), tell, start)
        try:
            for case in expanded.cases:
                measured.add(case, report)
        except KeyboardInterrupt:
            report.interrupted = True
    report.duration_s = round(clock() - begin, 1)
    return report


def cost_of(plan: Plan) -> float:
    """Return an estimate of the seconds a case takes."""
    if plan.trainings:
        return INPUTS_S + 2 * plan.rounds * TRAINING_S
    starts = -(-plan.rounds // ROUNDS_PER_START)
    return starts * START_S + 2 * plan.rounds * (plan.seconds + OVERHEAD_S)


def slower(report: Report) -> list[CaseResult]:
    """Return the cases in which this code is slower than the other revision."""
    return [one for one in report.cases if any(ratio.verdict == SLOWER for _, ratio in one.ratios())]


class _Comparison:
    """The cases of one run, one after the other, each in processes of its own."""

    def __init__(
        self,
        plan: Plan,
        protocol: Protocol,
        other: Revision,
        folder: Path,
        tell: Callable[[str, str], None],
        start: Start,
    ) -> None:
        self._plan, self._protocol, self._other = plan, protocol, other
        self._folder, self._tell, self._start = folder, tell, start
        self._factories = Factories()

    def add(self, case: Case, report: Report) -> None:
        """Measure a case and add it to the report, or why it was left out."""
        label = f"{case.short_name} ({case.conditions})"
        other = SideResult(name=self._other.label, kind=REVISION)
        native = SideResult(name=case.pair or THIS, kind="native")
        result = CaseResult(case=case, sides=[other, native])
        if case.cores == "one" and not _one_core.can_pin():
            result.notes.append(_one_core.NOT_PINNED)
        try:
            training = bool(case.program) and self._plan.program_of(case).training
            (self._train if training else self._measure)(result, label)
        except Absent as missing:
            line = f"{missing}: only in {THIS}, not in {self._other.label}."
            report.left_out += [line] if line not in report.left_out else []
        except Exception as error:  # whatever either revision does
            report.left_out.append(f"{label}{FAILED}{in_one_line(error)}")
        finally:
            complete = min(len(side.rounds) for side in result.sides)
            for side in result.sides:
                del side.rounds[complete:], side.trainings[complete:]
            if complete:
                report.cases.append(result)

    def _measure(self, result: CaseResult, label: str) -> None:
        given = self._given(result.case)
        for first in range(0, self._protocol.rounds, ROUNDS_PER_START):
            self._tell(label, "starting both")
            with self._both() as processes:
                answers = self._prepared(processes, result.case, given)
                if first == 0:
                    self._compare(answers, result)
                for number in range(first, min(first + ROUNDS_PER_START, self._protocol.rounds)):
                    turn = list(zip(result.sides, processes, strict=True))
                    # First in one round is last in the next: the place in a turn favours nobody.
                    for side, process in turn[:: -1 if number % 2 else 1]:
                        self._tell(label, f"{process.name}, round {number + 1} of {self._protocol.rounds}")
                        process.send("measure", protocol=asdict(self._protocol))
                        side.rounds.append(Round(**process.received()["round"]))

    def _train(self, result: CaseResult, label: str) -> None:
        """Run a training in turn: by each revision, with inputs that are made once."""
        program = self._plan.program_of(result.case)
        [side] = [one for one in program.sides_of(result.case) if one.kind == "native"]
        packages = (self._other.folder, PACKAGE.parent)
        names = (self._other.label, THIS)
        self._tell(label, "making its inputs")
        with _training.trainings(program, self._factories) as made:
            remembered = [made.choices() for _ in packages]
            if side.name == RUN_AGAIN:
                for name, choices, package in zip(names, remembered, packages, strict=True):
                    self._tell(label, f"{name}, for what it remembers")
                    made.once(side, choices, package)
            for number in range(self._protocol.rounds):
                turn = list(zip(result.sides, names, remembered, packages, strict=True))
                for one, name, choices, package in turn[:: -1 if number % 2 else 1]:
                    self._tell(label, f"{name}, round {number + 1} of {self._protocol.rounds}")
                    again = choices if side.name == RUN_AGAIN else made.choices()
                    one.add(*made.once(side, again, package))

    def _given(self, case: Case) -> Path:
        """Return the file of what both sides are given: arguments made once, or the suite."""
        if case.program:
            return self._plan.program_of(case).suite.resolve()
        path = self._folder / "arguments"
        path.write_bytes(pickle.dumps(_arguments.arguments_for(catalog.find(case.pair), case)))
        return path

    @contextmanager
    def _both(self) -> Iterator[list[Process]]:
        with ExitStack() as opened:
            processes = []
            for name, folder in ((self._other.label, self._other.folder), (THIS, PACKAGE.parent)):
                processes.append(self._start(name, folder))
                opened.callback(processes[-1].close)
            yield processes

    def _prepared(self, processes: Sequence[Process], case: Case, given: Path) -> list[dict[str, Any]]:
        """Let both sides trace and compile at once; nothing is timed meanwhile."""
        files = [self._folder / name for name in ("other", "this")]
        for process, file in zip(processes, files, strict=True):
            process.send("prepare", case=case.as_dict(), given=str(given), answer=str(file))
        answers = [process.received() for process in processes]
        return [one | {"file": file} for one, file in zip(answers, files, strict=True)]

    def _compare(self, answers: list[dict[str, Any]], result: CaseResult) -> None:
        """Note how the first batches of the two revisions differ."""
        other, native = result.sides
        other.answer, native.answer = (answer["answer"] for answer in answers)
        theirs, ours = (pickle.loads(answer["file"].read_bytes()) for answer in answers)
        program = self._plan.program_of(result.case) if result.case.program else None
        if native.answer != other.answer:
            other.differs = f"{native.answer}, and {other.answer} in {other.name}"
        elif program is None or not program.random:
            gaps = [_answers.beyond(*pair, 0.0) for pair in zip(ours, theirs, strict=True)]
            other.differs = "; ".join(filter(None, gaps))
            if all(output.dtype.kind in "biuf" for output in ours):
                native.largest_difference = _answers.largest_difference(ours, theirs)
        if other.differs:
            result.notes.append(f"the first batch is not that of {other.name}: {other.differs}")
