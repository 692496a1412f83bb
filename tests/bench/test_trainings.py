"""Whole trainings: scripts timed by the lines that they print, as they are, ported and through `run`."""

from __future__ import annotations

import importlib
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from pipeport.bench import _against, _answers, _codes, _report, _results, _run, _training
from pipeport.bench._factories import Factories, beside
from pipeport.bench._plans import expand
from pipeport.bench._program_specs import check_alike
from pipeport.bench._results import Report
from pipeport.bench._revision import Revision
from pipeport.bench._suites import read_suite, root
from pipeport.bench._training import Trainings, trainings
from pipeport.bench._training_times import Training
from pipeport.cli import main
from pipeport.errors import OutsideDomain, PipeportError, UnsupportedArgument
from tests.bench.builders import rounds
from tests.bench.programs import suite

pytestmark = pytest.mark.newest_only

pytest.importorskip("psutil")

PIPELINES = {program.name: program for program in read_suite("pipelines").programs}
SIDES = ["before", "after", "run", "run again"]
SCRIPT = """
import sys, time
from pathlib import Path

assert Path(sys.argv[1], "given.txt").read_text() == "40"
for epoch in (1, 2, 3):
    time.sleep(0.02)
    print(f"epoch {epoch}: first batch", flush=True)
    time.sleep(0.02)
    print(f"epoch {epoch}: done", flush=True)
"""
OTHER = Revision(name="main", commit="0123456789", folder=Path("/there"))
INPUTS = """
def given(folder, elements):
    (folder / "given.txt").write_text(str(elements))
"""
ONE = """
[[trainings]]
name = "one"
about = "numbers"
inputs = "inputs.py:given"
elements = 40
batch = 8
before = "before.py"
after = "after.py"
"""


def written(folder, text="rounds = 2\n" + ONE, before=SCRIPT, after=SCRIPT):
    path = suite(folder, text)
    for name, source in (("before", before), ("after", after), ("inputs", INPUTS)):
        (folder / f"{name}.py").write_text(source)
    return path


def training(first, *epochs, **more):
    return Training(first_batch_s=first, epochs_s=list(epochs), processor_s=2.0, **more)


@pytest.fixture
def instantly(monkeypatch):
    """Stand for the processes: the ported script takes half as long, and `run` twice as long."""
    asked = []

    def once(self, side, choices, package=None):
        asked.append((side.name, len(set(choices.iterdir()))))
        if side.name.startswith("run"):
            (choices / "one").touch()
        seconds = {"after": 2.0, "run": 8.0}.get(side.name, 4.0)
        [whole] = rounds(120)
        return training(1.0, 2.0, 1.0, seconds - 3.0, steady=64.0), replace(whole, seconds=seconds)

    monkeypatch.setattr(Trainings, "once", once)
    monkeypatch.setattr(Factories, "code", lambda *_: "")  # all of `port` and `run`
    return asked


# --- suites ----------------------------------------------------------------------------------------


def test_a_training_is_a_case_for_each_way_out_of_the_script(tmp_path):
    plan = read_suite(written(tmp_path))
    cases = expand(plan).cases
    assert [case.conditions for case in cases] == ["numbers", "numbers, run", "numbers, run again"]
    [program] = plan.programs
    assert [[side.name for side in program.sides_of(case)] for case in cases] == [
        ["before", name] for name in SIDES[1:]
    ]
    assert {side.name: side.factory for side in program.sides} == dict.fromkeys(SIDES, "before.py") | {
        "after": "after.py"
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (ONE.replace("before.py", "before.py:build"), "a script beside the suite"),
        (ONE.replace("elements = 40", ""), "no key 'elements'"),
        (ONE + ONE, "the name 'one' twice"),
        ("seconds = 2.0\n" + ONE, "key 'seconds'"),
        (ONE + "difference = 1", "key 'difference'"),
    ],
)
def test_mistakes_in_a_suite_of_trainings(text, said, tmp_path):
    with pytest.raises((OutsideDomain, UnsupportedArgument), match=said):
        read_suite(written(tmp_path, text))


def test_words_of_the_suite_count_its_elements():
    assert len(PIPELINES) == 10
    for program in PIPELINES.values():
        assert f"{program.elements:,} " in program.about


# --- measuring -------------------------------------------------------------------------------------


def test_each_side_once_a_round_and_only_the_last_remembers(instantly, tmp_path):
    found = _run.run(read_suite(written(tmp_path)))
    assert instantly == [("before", 0), ("after", 0), ("run", 0), ("run again", 1)] * 2
    assert [result.case.variant for result in found.cases] == ["", "run", "run again"]
    ratios = [ratio.ratio for result in found.cases for _, ratio in result.ratios()]
    assert ratios == [2.0, 0.5, 1.0]
    assert [side.first_batch_s for side in found.cases[0].sides] == [1.0, 1.0]
    again = Report.from_dict(json.loads(json.dumps(found.as_dict())))
    assert again.cases == found.cases


def test_what_is_told_of_trainings(instantly, tmp_path):
    found = _run.run(read_suite(written(tmp_path)))
    [block] = _report.training_blocks(found)
    assert [row.cells[:4] for row in block.rows] == [
        ("before", "1.0", "2.0 1.0 1.0", "64"),
        ("after", "1.0", "2.0 1.0 -1.0", "64"),
        ("run", "1.0", "2.0 1.0 5.0", "64"),
        ("run again", "1.0", "2.0 1.0 1.0", "64"),
    ]
    assert _report.latency_blocks(found) == []
    assert _report.closing(found)[:3] == [
        "after: 2.00x in geometric mean of 1.",
        "run: 0.50x in geometric mean of 1; longer than before: one 0.50x.",
        "run again: 1.00x in geometric mean of 1.",
    ]


def test_ctrl_c_keeps_whole_rounds(instantly, tmp_path, monkeypatch):
    once = Trainings.once

    def interrupted(self, *given):
        if len(instantly) == 6:
            raise KeyboardInterrupt
        return once(self, *given)

    monkeypatch.setattr(Trainings, "once", interrupted)
    found = _run.run(read_suite(written(tmp_path)))
    assert found.interrupted
    assert [len(side.rounds) for result in found.cases for side in result.sides] == [1] * 6
    assert [len(side.trainings) for result in found.cases for side in result.sides] == [1] * 6


def test_a_process_is_timed_by_its_lines(tmp_path):
    [program] = read_suite(written(tmp_path)).programs
    with trainings(program, Factories()) as made:
        found, whole = made.once(program.sides[0], made.choices())
    assert 0.02 < found.first_batch_s < found.epochs_s[0]
    assert len(found.epochs_s) == 3
    assert sum(found.epochs_s) > 0.12  # a line may be read late, the next one then looks soon
    assert sum(found.epochs_s) < whole.seconds
    assert found.steady == pytest.approx(32 / 0.02, rel=0.5)
    assert 0 < found.processor_s == pytest.approx(whole.cores * whole.seconds)
    if sys.platform == "linux":
        assert 2**20 < found.peak_bytes < 2**28
    assert whole.elements == 120
    assert found.boundaries == ""


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("raise KeyError('mine')", "KeyError: 'mine' (exit code 1)"),
        ("import os; os._exit(3)", "no word (exit code 3)"),
        ("print('epoch 1: first batch')", "1 first batches and 0 ends of epochs"),
        ("print('epochs')", "0 first batches"),
    ],
)
def test_a_script_that_cannot_be_timed(script, said, tmp_path):
    [program] = read_suite(written(tmp_path, before=script)).programs
    with trainings(program, Factories()) as made, pytest.raises(PipeportError) as caught:
        made.once(program.sides[0], made.choices())
    assert said in str(caught.value)


def test_a_process_ends_with_ctrl_c(tmp_path, monkeypatch):
    def interrupted(process, _begin):
        seen.append(process)
        raise KeyboardInterrupt

    seen = []
    monkeypatch.setattr(_training, "_marks", interrupted)
    [program] = read_suite(written(tmp_path, before="import time; time.sleep(60)")).programs
    with trainings(program, Factories()) as made, pytest.raises(KeyboardInterrupt):
        made.once(program.sides[0], made.choices())
    assert seen[0].poll() == -9


# --- the command -----------------------------------------------------------------------------------


def bench(*arguments):
    return CliRunner().invoke(main, ["bench", *map(str, arguments)])


def test_a_suite_of_trainings_is_listed_printed_and_written(instantly, tmp_path):
    path = written(tmp_path)
    assert "3 cases, 2 rounds; about" in bench("--suite", path, "--list").stdout
    done = bench("--suite", path, "--json", tmp_path / "r.json", "--rounds", "1")
    assert done.exit_code == 0, done.output
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "run: 0.50x in geometric mean of 1; longer than before: one 0.50x." in done.stdout
    assert len(_results.read(tmp_path / "r.json").cases) == 3
    assert bench("--compare", tmp_path / "r.json", tmp_path / "r.json").exit_code == 0


@pytest.mark.parametrize("more", [["--seconds", "1"], ["--latency"], ["--memory"]])
def test_what_says_nothing_of_trainings_is_refused(more, instantly, tmp_path):
    done = bench("--suite", written(tmp_path), *more)
    assert done.exit_code == 2
    assert more[0] in done.stderr
    assert instantly == []


def test_a_script_that_is_not_there_costs_nothing(instantly, tmp_path):
    path = written(tmp_path)
    (tmp_path / "after.py").unlink()
    done = bench("--suite", path)
    assert done.exit_code == 2
    assert "after.py (no file)" in done.stderr
    assert instantly == []


def test_a_script_that_fails_is_told(tmp_path):
    done = bench("--suite", written(tmp_path, before="raise KeyError('mine')"))
    assert done.exit_code == 2
    assert "KeyError: 'mine'" in " ".join(done.stderr.split())
    assert "3 left out: 3 failed" not in done.stdout
    assert "1 left out: 1 failed" in done.stdout


def test_against_another_revision_both_take_turns(tmp_path, monkeypatch):
    asked = []

    def once(self, side, choices, package):
        asked.append((side.name, "other" if package == OTHER.folder else "this", len([*choices.iterdir()])))
        (choices / str(len(asked))).touch()
        [whole] = rounds(100 if package == OTHER.folder else 200)
        return training(1.0, 2.0), whole

    monkeypatch.setattr(Trainings, "once", once)
    found = _against.run(read_suite(written(tmp_path)), OTHER)
    first, run, again = (asked[:4], asked[4:8], asked[8:])
    turns = ["other", "this", "this", "other"]
    assert first == [("after", who, 0) for who in turns]
    assert run == [("run", who, 0) for who in turns]
    assert again[:2] == [("run again", "other", 0), ("run again", "this", 0)]
    assert again[2:] == [("run again", who, kept) for who, kept in zip(turns, (1, 1, 2, 2), strict=True)]
    assert [ratio.ratio for result in found.cases for _, ratio in result.ratios()] == [2.0] * 3
    assert [block.title for block in _report.training_blocks(found)] == ["one, numbers"]


# --- the pipelines ---------------------------------------------------------------------------------


@pytest.fixture(params=PIPELINES)
def small(request, tmp_path):
    """A pipeline of few elements, and a folder with its files."""
    program = replace(PIPELINES[request.param], elements=40)
    with beside(program.suite.parent):
        Trainings(program, Factories(), tmp_path)
    return program, tmp_path / "files"


def test_scripts_build_alike(small):
    program, files = small
    with beside(program.suite.parent / "pipelines"):
        before, after = (
            importlib.import_module(side.factory.removeprefix("pipelines/").removesuffix(".py")).build(files)
            for side in program.sides[:2]
        )
    pairs = zip(before, after, strict=True) if isinstance(before, tuple) else [(before, after)]
    for of_before, of_after in pairs:
        check_alike(program, {"before": of_before.element_spec, "after": of_after.element_spec})
        for dataset in (of_before, of_after):
            assert all(output.size for output in _answers.first_batch(dataset))


def test_the_smallest_in_each_way(monkeypatch):
    program = replace(PIPELINES["read-resize"], elements=40)
    with trainings(program, Factories()) as made:
        choices = made.choices()
        found = {side.name: made.once(side, choices)[0] for side in program.sides}
    assert [len(one.epochs_s) for one in found.values()] == [3] * 4
    assert found["run"].boundaries == found["run again"].boundaries == "0 native, 1 Python (PP210)"


def test_a_side_through_run_is_measured_on_the_code_of_run():
    program = PIPELINES["read-resize"]
    codes = [Factories().code(program, case) for case in program.cases()]
    assert len(set(codes)) == 2
    assert codes[1] == codes[2]
    assert codes[1] != _codes.of_programs([Factories().script(program, "pipelines/read_resize.py")])


def test_every_script_belongs_to_a_training():
    named = {side.factory for program in PIPELINES.values() for side in program.sides}
    there = {f"pipelines/{path.name}" for path in (root() / "pipelines").glob("*.py")}
    assert there - named == {"pipelines/loop.py"}
