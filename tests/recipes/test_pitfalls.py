"""bench/pitfalls.py: figures of every recipe, times by a clock, files added to."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.recipes.recipe_tools import PITFALLS, check_committed, pitfalls_script

pytestmark = pytest.mark.newest_only

COMMITTED = pitfalls_script().RESULTS


@pytest.mark.parametrize("name", PITFALLS)
def test_every_recipe_counts(name):
    """Each test asks `counted`, which holds the committed figures against what is counted there."""
    found = json.loads(COMMITTED.read_text(encoding="utf-8"))["recipes"][name]
    before, after = zip(*found["counts"].values(), strict=True)
    assert before != after, "nothing shows the problem"
    module = Path(__file__).with_name(f"test_{name.replace('-', '_')}.py").read_text(encoding="utf-8")
    assert "counted(NAME)" in module
    assert ("claimed(NAME)" in module) == bool(found["claims"])


@pytest.mark.parametrize("part", ["counts", "claims"])
def test_a_stale_count_is_noticed(part):
    found = json.loads(COMMITTED.read_text(encoding="utf-8"))["recipes"]["retracing-by-shapes"]
    check_committed("retracing-by-shapes", found)
    label = next(iter(found[part]))
    with pytest.raises(AssertionError, match="stale: run"):
        check_committed("retracing-by-shapes", {**found, part: {**found[part], label: "other"}})


def test_no_other_recipe_is_in_the_file():
    written = json.loads(COMMITTED.read_text(encoding="utf-8"))
    assert sorted(written["recipes"]) == PITFALLS == pitfalls_script().known()
    assert set(written["times"]) <= set(PITFALLS)


# --- the script ------------------------------------------------------------------------------------


@pytest.fixture
def script():
    return pitfalls_script()


class Clock:
    """Stand for time.perf_counter: a call takes as long as `takes` says, each in turn."""

    def __init__(self, takes):
        self.now, self.takes, self.begun = 0.0, iter(takes), False

    def __call__(self):
        if self.begun:
            self.now += next(self.takes)
        self.begun = not self.begun
        return self.now


def test_times_by_a_clock(script):
    """The first round is not kept; programs take turns, loaded anew."""
    takes = [9, 9, 9, 9, 1, 2, 3, 4, 5, 6, 7, 8]
    found = script.timed("retracing-by-shapes", 2, Clock(takes))
    assert found == {
        "all sentences": {"before.py": [1, 5], "after.py": [3, 7]},
        "all sentences again": {"before.py": [2, 6], "after.py": [4, 8]},
    }


def test_what_is_timed_is_not_yet_traced(script, monkeypatch):
    """Else a first call would be timed as any other."""
    traces = []
    recipe = script.recipes_index.find("retracing-by-python-arguments")
    counter = recipe.load("count")

    def timed(program):
        traces.append(program.step.experimental_get_tracing_count())
        return counter.timed(program)

    monkeypatch.setattr(script.recipes_index.Recipe, "load", spied(recipe, "count", timed))
    script.timed("retracing-by-python-arguments", 1)
    assert traces == [0, 0, 0, 0]


def spied(recipe, file, timed):
    original = type(recipe).load

    def load(self, program):
        module = original(self, program)
        if program == file:
            module.timed = timed
        return module

    return load


def test_a_recipe_without_times(script):
    assert script.timed("python-state", 1) == {}


def test_programs_that_count_otherwise_are_refused(script, monkeypatch):
    monkeypatch.setattr(
        script.recipes_index.Recipe,
        "load",
        lambda self, file: SimpleNamespace(counts=lambda program: {program.name: 1}, name=file),
    )
    with pytest.raises(SystemExit, match=r"^python-state: .*\['before'\] of before.py and \['after'\]"):
        script.counted("python-state")


@pytest.fixture
def run(script, monkeypatch, tmp_path):
    output = tmp_path / "pitfalls.json"

    def call(*arguments):
        monkeypatch.setattr("sys.argv", ["pitfalls.py", *arguments, "--output", str(output)])
        script.main()
        return json.loads(output.read_text(encoding="utf-8"))

    return call


def test_written_file(script, run, monkeypatch):
    first = run("retracing-by-shapes", "--rounds", "2")
    assert list(first) == ["format", "machine", "recipes", "times"]
    [(name, times)] = first["times"].items()
    assert name == "retracing-by-shapes"
    assert {len(side) for label in times.values() for side in label.values()} == {2}

    second = run("python-state", "--counts")
    assert second["times"] == first["times"], "those of the others stay"
    assert sorted(second["recipes"]) == ["python-state", "retracing-by-shapes"]

    monkeypatch.setattr(script, "machine", lambda: {"CPU": "abacus"})
    third = run("python-state", "--counts")
    assert third["times"] == first["times"], "counting takes no times, and voids none"
    assert third["machine"] == first["machine"]
    fourth = run("python-state")
    assert fourth["times"] == {}, "times of two machines do not stand in one file"
    assert fourth["machine"] == {"CPU": "abacus"}
    assert sorted(fourth["recipes"]) == ["python-state", "retracing-by-shapes"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rotation"], "no recipe rotation here; there are custom-op"),
        (["--rounds", "0"], "--rounds: got 0; 1 or more"),
    ],
)
def test_mistakes(run, arguments, message, capsys):
    with pytest.raises(SystemExit) as error:
        run(*arguments)
    assert error.value.code == 2
    assert message in " ".join(capsys.readouterr().err.split())
