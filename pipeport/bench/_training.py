"""Whole trainings: scripts in processes of their own, timed from outside by the lines that they print.

A script prints `epoch 1: first batch` when the first batch of an epoch is there, and `epoch 1: done` when the
epoch has ended. It gets one argument, the folder with its files.
"""

from __future__ import annotations

import compileall
import functools
import itertools
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from pipeport.bench import _program_sides, _usage
from pipeport.bench._factories import Factories
from pipeport.bench._measure import Round
from pipeport.bench._programs import RUN, RUN_AGAIN, Program, ProgramSide
from pipeport.bench._training_times import Training
from pipeport.errors import PipeportError, explain

PACKAGE = Path(__file__).parents[1]
_MARK = re.compile(r"epoch (?P<number>\d+): (?P<what>first batch|done)\s*")
_FIRST, _DONE = "first batch", "done"


class Trainings:
    """The trainings of a program, around inputs that are made once.

    `folder`: where its files are, and in which each process has a folder of its own.
    """

    def __init__(self, program: Program, factories: Factories, folder: Path) -> None:
        self._program, self._factories, self._folder = program, factories, folder
        self._files = folder / "files"
        self._files.mkdir()
        _program_sides.make_inputs(program, factories, self._files)

    def choices(self) -> Path:
        """Return a new folder for what `pipeport run` remembers."""
        return Path(tempfile.mkdtemp(prefix="choices-", dir=self._folder))

    def once(
        self, side: ProgramSide, choices: Path, package: Path = PACKAGE.parent
    ) -> tuple[Training, Round]:
        """Run a side to its end.

        `choices`: the folder with what `pipeport run` remembers, empty for side 'run'. `package`: the folder
        of the package that the script imports. Returns: the times, and the whole training as one round.
        """
        report = Path(tempfile.mkdtemp(prefix="own-", dir=self._folder)) / "report.json"
        through = ["-m", "pipeport", "run", "--report", str(report)] if side.name in (RUN, RUN_AGAIN) else []
        script = self._factories.script(self._program, side.factory)
        paths = [str(package), *filter(None, [os.environ.get("PYTHONPATH")])]
        told = {
            "CUDA_VISIBLE_DEVICES": "-1",
            "PIPEPORT_CACHE": str(choices),
            "PIPEPORT_QUIET": "1",
            "PYTHONPATH": os.pathsep.join(paths),
            "TF_CPP_MIN_LOG_LEVEL": "3",
            "TMPDIR": str(report.parent),
        }
        command = [sys.executable, *through, str(script), str(self._files)]
        _compiled(package / "pipeport")
        found = _timed(command, os.environ | told, report.parent)
        where = f"training {self._program.name!r}, side {side.name!r}"
        training = self._training(found, where, report if through else None)
        return training, self._round(training, found)

    def _training(self, found: _Found, where: str, report: Path | None) -> Training:
        advice = "Run the script by itself."
        if found.code:
            given = f"{found.said or 'no word'} (exit code {found.code})"
            raise PipeportError(explain(where, given, "a run to the end", advice))
        firsts = [second for what, second, _ in found.marks if what == _FIRST]
        ends = [second for what, second, _ in found.marks if what == _DONE]
        if not firsts or len(firsts) != len(ends):
            given = f"{len(firsts)} first batches and {len(ends)} ends of epochs in what it prints"
            allowed = "the lines `epoch 1: first batch` and `epoch 1: done` of each epoch"
            raise PipeportError(explain(where, given, allowed, "Print them."))
        behind = (self._program.elements or 0) - self._program.batch
        return Training(
            first_batch_s=firsts[0],
            epochs_s=[end - begin for begin, end in itertools.pairwise([0.0, *ends])],
            steady=behind / (ends[-1] - firsts[-1]) if behind > 0 else None,
            processor_s=found.processor_s,
            peak_bytes=max((peak for *_, peak in found.marks if peak is not None), default=None),
            boundaries="" if report is None else _boundaries(report),
        )

    def _round(self, training: Training, found: _Found) -> Round:
        """Return a whole training as a round: nothing is discarded."""
        return Round(
            elements=(self._program.elements or 0) * len(training.epochs_s),
            seconds=found.seconds,
            discarded=0,
            warm_s=0.0,
            steady=True,
            cores=found.processor_s / found.seconds,
            others=max(0.0, (found.busy - found.processor_s) / found.seconds),
        )


@functools.cache
def _compiled(package: Path) -> None:
    """Compile the modules of a package, as where it was installed: no process compiles source first."""
    compileall.compile_dir(package, quiet=2)


@contextmanager
def trainings(program: Program, factories: Factories) -> Iterator[Trainings]:
    """Make a program's inputs, which live inside the `with` block."""
    with tempfile.TemporaryDirectory(prefix="pipeport-training-", ignore_cleanup_errors=True) as folder:
        yield Trainings(program, factories, Path(folder))


@dataclass(frozen=True, kw_only=True)
class _Found:
    """What is seen of a process from outside.

    `marks`: what each is, its seconds from the start of the process, and the peak of its memory until then.
    `busy`: seconds that all processors of the machine worked meanwhile. `said`: its last line of errors.
    """

    code: int
    seconds: float
    processor_s: float
    busy: float
    marks: list[tuple[str, float, int | None]]
    said: str


def _timed(command: list[str], variables: dict[str, str], folder: Path) -> _Found:
    with tempfile.TemporaryFile("w+", errors="replace") as complaints:
        busy, begin = _usage.busy_seconds(), time.perf_counter()
        process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=complaints,
            text=True,
            errors="replace",
            env=variables,
            cwd=folder,
            start_new_session=True,
        )
        try:
            marks = _marks(process, begin)
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        except BaseException:
            # Ctrl-C does not reach a session of its own.
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise
        finally:
            if process.stdout is not None:
                process.stdout.close()
        seconds, busy = time.perf_counter() - begin, _usage.busy_seconds() - busy
        return _Found(
            code=process.returncode,
            seconds=seconds,
            processor_s=_processor(used),
            busy=busy,
            marks=marks,
            said=_last_line(complaints),
        )


def _marks(process: subprocess.Popen[str], begin: float) -> list[tuple[str, float, int | None]]:
    """Read what a process prints to its end; return its marks."""
    found = []
    for line in process.stdout or ():
        if mark := _MARK.fullmatch(line):
            found.append((mark["what"], time.perf_counter() - begin, _peak(process.pid)))
    return found


def _peak(pid: int) -> int | None:
    """Return the peak of the resident memory of a process that runs, in bytes, where the system tells."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")), None)


def _processor(used: resource.struct_rusage) -> float:
    return used.ru_utime + used.ru_stime


def _last_line(complaints: IO[str]) -> str:
    complaints.seek(0)
    return next((line.strip() for line in reversed(complaints.readlines()) if line.strip()), "")


def _boundaries(report: Path) -> str:
    """Say what became of boundaries: '2 native, 1 Python (PP216)'."""
    rows: list[dict[str, Any]] = json.loads(report.read_text(encoding="utf-8"))["boundaries"]
    codes = [row["code"] for row in rows if not row["native"]]
    native = f"{len(rows) - len(codes)} native"
    return f"{native}, {len(codes)} Python ({', '.join(sorted(set(codes)))})" if codes else native
