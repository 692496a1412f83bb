"""This code against another revision: turns, answers, verdicts; two real processes at the end."""

from __future__ import annotations

import json
import pickle
import shutil
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from pipeport.bench import _against, _results, _revision, _turn
from pipeport.bench._case import Case
from pipeport.bench._plans import Plan, Selection
from pipeport.bench._results import CaseResult, SideResult
from pipeport.bench._revision import PACKAGE, Revision, checked_out
from pipeport.bench._suites import read_suite
from pipeport.bench._turn_process import Absent, Process
from pipeport.cli import main
from pipeport.errors import NotPorted, PipeportError
from tests.bench.builders import rounds
from tests.bench.programs import program, suite
from tests.bench.test_revision import git, written

pytestmark = pytest.mark.newest_only

pytest.importorskip("psutil")

FLIP = "pipeport.numpy.fliplr"
OTHER = Revision(name="main", commit="abcdef0123456789", folder=Path("/other"))
LABEL = "main (abcdef012)"
PLAN = Plan(name="t", selections=(Selection(pairs=(FLIP,), dtypes=("uint8",), sizes=((24, 32),)),), rounds=4)
SHORT = {"rounds": 1, "seconds": 0.01, "steady": {"window_s": 0.001, "cap_s": 0.01}}


class Stage:
    """Processes that answer at once, and what was asked of them in order."""

    def __init__(self, speeds=(100.0, 100.0), batches=None, **answers):
        self.log, self.answers = [], answers
        self.speeds = dict(zip((LABEL, _against.THIS), speeds, strict=True))
        self.batches = batches or {}
        self.given = set()

    def __call__(self, name, folder):
        stage = self
        stage.log.append(f"start {name}")

        class Fake:
            def __init__(self):
                self.name = name

            def send(self, what, **more):
                stage.log.append(f"{what} {name}")
                self.asked = what, more

            def received(self):
                what, more = self.asked
                answer = stage.answers.get(f"{what} {name}", {})
                if isinstance(answer, BaseException):
                    raise answer
                if what == "prepare":
                    stage.given.add(Path(more["given"]).read_bytes())
                    batch = stage.batches.get(name, np.zeros(3, np.uint8))
                    Path(more["answer"]).write_bytes(pickle.dumps([batch]))
                    return {"answer": f"{batch.dtype} {list(batch.shape)}"}
                if what == "measure":
                    return {"round": vars(rounds(stage.speeds[name])[0])}
                return answer

            def close(self):
                stage.log.append(f"close {name}")

        assert folder == (Path("/other") if name == LABEL else PACKAGE.parent)
        return Fake()


def test_each_side_is_first_as_often_as_last_and_processes_are_started_anew():
    stage = Stage()
    report = _against.run(PLAN, OTHER, start=stage)
    this, other = _against.THIS, LABEL
    once = [f"start {other}", f"start {this}", f"prepare {other}", f"prepare {this}"]
    once += [f"measure {side}" for side in (other, this, this, other)] + [f"close {this}", f"close {other}"]
    assert stage.log == once * 2
    assert len(stage.given) == 1, "both sides are given the same"
    [result] = report.cases
    assert [(side.name, side.kind, len(side.rounds)) for side in result.sides] == [
        (LABEL, "revision", 4),
        (FLIP, "native", 4),
    ]
    [(_, ratio)] = result.ratios()
    assert (ratio.ratio, ratio.verdict) == (1.0, "no difference")
    assert report.protocol["against"] == {"revision": "main", "commit": OTHER.commit}
    assert (result.notes, result.native.largest_difference) == ([], 0.0)


@pytest.mark.parametrize(
    ("batch", "says"),
    [
        (np.full(3, 2, np.uint8), "the first batch is not that of main (abcdef012): a difference of 2"),
        (np.zeros(3, np.int32), "uint8 [3], and int32 [3] in main (abcdef012)"),
    ],
)
def test_answers_that_differ_are_told_and_measured(batch, says):
    [result] = _against.run(PLAN, OTHER, start=Stage(batches={LABEL: batch})).cases
    assert len(result.notes) == 1
    assert result.notes[0].endswith(says)
    assert len(result.native.rounds) == 4


def test_what_one_side_lacks_or_cannot_measure_is_left_out_by_name():
    lacks = {f"prepare {LABEL}": Absent(FLIP)}
    report = _against.run(PLAN, OTHER, start=Stage(**lacks))
    assert report.cases == []
    assert report.left_out == [f"{FLIP}: only in this code, not in {LABEL}."]
    stage = Stage(**{f"prepare {_against.THIS}": PipeportError("no such mode")})
    report = _against.run(PLAN, OTHER, start=stage)
    assert report.left_out == ["numpy.fliplr (uint8, 24x32): could not be measured: no such mode"]
    assert stage.log[-2:] == [f"close {_against.THIS}", f"close {LABEL}"]


def test_ctrl_c_keeps_whole_rounds_and_ends_both():
    def interrupt(step):
        if step.text.endswith("main (abcdef012), round 2 of 4"):
            raise KeyboardInterrupt

    stage = Stage()
    report = _against.run(PLAN, OTHER, start=stage, watch=interrupt)
    assert report.interrupted
    assert [len(side.rounds) for side in report.cases[0].sides] == [1, 1]
    assert stage.log[-2:] == [f"close {_against.THIS}", f"close {LABEL}"]


def test_names_that_only_the_other_has():
    stage = Stage(**{f"find {LABEL}": {"natives": ["pipeport.numpy.nosuch"]}})
    here, lines = _against.split(["numpy.fliplr", "numpy.nosuch"], OTHER, stage)
    assert here == ["numpy.fliplr"]
    assert lines == [f"pipeport.numpy.nosuch: only in {LABEL}, not in this code."]
    assert stage.log == [f"start {LABEL}", f"find {LABEL}", f"close {LABEL}"]
    with pytest.raises(NotPorted, match=r"numpy\.nosuch"):
        _against.split(["numpy.nosuch"], OTHER, Stage(**{f"find {LABEL}": {"natives": []}}))


def verdict(this, other, *, others=0.0, cores=((2.0,) * 6, (2.0,) * 6)):
    def side(kind, rates, used):
        measured = rounds(*rates, others=others)
        return SideResult(
            name=kind, kind=kind, rounds=[replace(m, cores=c) for m, c in zip(measured, used, strict=True)]
        )

    sides = [side("revision", other, cores[1]), side("native", this, cores[0])]
    [(_, ratio)] = CaseResult(case=Case(pair=FLIP), sides=sides).ratios()
    return ratio.verdict


def test_on_a_busy_machine_processor_time_must_bear_a_verdict_out():
    slow, fast = (100,) * 6, (200,) * 6
    half, whole = (1.0,) * 6, (2.0,) * 6
    assert verdict(slow, fast) == "slower"
    assert verdict(fast, slow, cores=(whole, half)) == "faster", "more cores count on a quiet machine"
    # Others took the half: what it had of the processor it used as well as the other revision.
    assert verdict(slow, fast, others=0.5, cores=(half, whole)) == "no difference"
    assert verdict(slow, fast, others=0.5) == "slower"
    assert verdict(slow, fast, others=0.1) == "slower"
    assert verdict(slow, fast, others=None) == "slower"
    assert verdict(slow, fast, others=0.5, cores=((None,) * 6,) * 2) == "no difference"


@pytest.fixture
def bench(monkeypatch):
    """The command with fake processes and no repository."""

    @contextmanager
    def here(name):
        yield replace(OTHER, name=name)

    def call(stage, *arguments):
        monkeypatch.setattr(_revision, "checked_out", here)
        monkeypatch.setitem(_against.run.__kwdefaults__, "start", stage)
        monkeypatch.setattr(_against.split, "__defaults__", (stage,))
        return CliRunner().invoke(main, ["bench", *map(str, arguments)])

    return call


ONE = ("numpy.fliplr", "--dtype", "uint8", "--size", "24x32", "--against", "main")


@pytest.mark.parametrize(
    ("speeds", "code", "says"), [((100, 50), 1, "slower"), ((50, 100), 0, "faster"), ((50, 50), 0, "no diff")]
)
def test_the_exit_code_says_whether_one_became_slower(bench, tmp_path, speeds, code, says):
    done = bench(Stage(speeds), *ONE, "--json", tmp_path / "a.json")
    assert done.exit_code == code, done.output
    assert says in done.stdout
    assert LABEL in done.stdout
    assert ("1 of 1 became slower than main (abcdef012)." in done.stdout) is (code == 1)
    assert max(map(len, done.stdout.splitlines())) <= 80
    written_report = _results.read(tmp_path / "a.json")
    assert written_report.protocol["rounds"] == _against.ROUNDS == len(written_report.cases[0].native.rounds)
    data = json.loads((tmp_path / "a.json").read_text())
    assert data["protocol"]["against"] == {"revision": "main", "commit": OTHER.commit}
    assert data["cases"][0]["ratios"][0]["against"] == LABEL


def test_programs_of_a_suite_and_another_answer(bench, tmp_path):
    path = suite(tmp_path, "first_batch = true\nmemory = true\n" + program(about="float32, 6x8"))
    stage = Stage(batches={LABEL: np.ones(3, np.uint8)})
    done = bench(stage, "--suite", path, "--against", "main", "--rounds", "2")
    assert done.exit_code == 0, done.output
    assert "flip, float32, 6x8" in done.stdout
    assert f"{LABEL} *" in done.stdout
    assert "flip: the first batch is not that of main (abcdef012): a difference of 1" in " ".join(
        done.stderr.split()
    )
    assert stage.given == {path.read_bytes()}


def test_nothing_in_both_is_a_mistake(bench):
    done = bench(Stage(**{f"prepare {LABEL}": Absent(FLIP)}), *ONE)
    assert done.exit_code == 2
    assert f"{FLIP}: only in this code, not in {LABEL}." in " ".join(done.stderr.split())
    gone = Stage(**{f"find {LABEL}": {"natives": ["pipeport.numpy.nosuch"]}})
    done = bench(gone, "numpy.nosuch", "--against", "main")
    assert done.exit_code == 2
    assert "only in main (abcdef012), not in this code" in " ".join(done.stderr.split())


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "--against alone"),
        (("--suite", "tf-function"), "a suite of functions"),
        (("--quick",), "--against with --quick"),
        (("numpy.fliplr", "--latency"), "--against with --latency"),
        (("numpy.fliplr", "--device", "gpu"), "--against with --device"),
        (("numpy.fliplr", "--memory", "--list"), "--against with --memory, --list"),
        (("--compare", "README.md", "README.md"), "--compare with --against"),
        (("--suites",), "--suites with --against"),
    ],
)
def test_options_that_would_do_nothing_are_refused(arguments, says):
    done = CliRunner().invoke(main, ["bench", *arguments, "--against", "HEAD"])
    assert done.exit_code == 2
    assert says in " ".join(done.stderr.split())


# --- the process ------------------------------------------------------------------------------------

COUNTED = """
import tensorflow as tf

RUNNING = []


def numbers():
    def made():
        RUNNING.append(1)
        try:
            while True:
                yield 1.0
        finally:
            RUNNING.pop()

    return tf.data.Dataset.from_generator(made, output_signature=tf.TensorSpec([], tf.float32))
"""


def test_between_its_rounds_a_side_has_no_iterator(tmp_path):
    """Else its buffers would fill while the other side is measured."""
    path = suite(tmp_path, program(inputs=None, before="counted.py:numbers", after="counted.py:numbers"))
    (tmp_path / "counted.py").write_text(COUNTED)
    [one] = read_suite(path).programs
    turns = _turn.Turns()
    told = turns.prepare(one.cases()[0].as_dict(), given=str(path), answer=str(tmp_path / "answer"))
    assert told == {"answer": "float32 [32]"}
    running = turns.factories.function(one, "counted.py:numbers").__globals__["RUNNING"]
    assert running == []
    for _ in range(2):
        assert turns.measure(SHORT)["round"]["elements"] % 32 == 0
        assert running == []


def test_requests_that_fail_are_answered():
    turns = _turn.Turns()
    none = Case(pair="pipeport.numpy.nosuch", dtype="uint8").as_dict()
    assert _turn.answered(turns.prepare, {"case": none, "given": "", "answer": ""}) == {
        "absent": "pipeport.numpy.nosuch"
    }
    assert turns.find("numpy.nosuch") == {"natives": []}
    assert turns.find("np.fliplr") == {"natives": [FLIP]}
    given = {"case": Case(pair=FLIP).as_dict(), "given": "/no/such/file", "answer": ""}
    assert "FileNotFoundError" in _turn.answered(turns.prepare, given)["error"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("raise ImportError('no part of this age')", "ImportError: no part of this age; allowed: a run"),
        ("import os; os._exit(5)", "got exit code 5"),
    ],
)
def test_a_package_that_cannot_be_imported_is_told(tmp_path, text, says):
    written(tmp_path, {"pipeport/__init__.py": text})
    with pytest.raises(PipeportError, match=f"old: got .*{says.removeprefix('got ')}"):
        Process("old", tmp_path)


def test_a_package_from_elsewhere_is_refused(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    with pytest.raises(PipeportError, match=r"the package in .*; allowed: that in .*elsewhere"):
        Process("old", tmp_path / "elsewhere")


def test_two_real_processes(tmp_path):
    """A repository whose fliplr turns rows; this code turns columns, and both are measured."""
    root = tmp_path / "clone"
    package = root / "pipeport"
    shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    source = (package / "numpy" / "_flip.py").read_text()
    columns, rows = "return _flip_one(m, axis, batch_axes)", "return _flip_one(m, 0, batch_axes)"
    assert source.count(columns) == 1
    (package / "numpy" / "_flip.py").write_text(source.replace(columns, rows))
    git(root, "init", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-m", "x")
    (package / "numpy" / "_flip.py").write_text("not what was committed")
    started = []

    def start(name, folder):
        started.append(Process(name, folder))
        return started[-1]

    plan = replace(PLAN, rounds=1, seconds=0.01)
    with checked_out("main", package) as other:
        report = _against.run(plan, other, start=start)
    assert report.left_out == []
    [result] = report.cases
    assert [len(side.rounds) for side in result.sides] == [1, 1]
    assert {side.answer for side in result.sides} == {"uint8 [32, 24, 32, 3]"}
    [note] = result.notes
    assert note.startswith(f"the first batch is not that of {other.label}: a difference of ")
    assert result.native.largest_difference > 0
    assert [process._process.returncode for process in started] == [-9, -9]
    assert not any(Path(process._temporary.name).exists() for process in started)
