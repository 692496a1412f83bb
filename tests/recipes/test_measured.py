"""Suite `recipes` measures every recipe, and what bench/recipes.py writes of it is what the READMEs read."""

from __future__ import annotations

import dataclasses
import importlib.util
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from pipeport.bench import _photographs, _run
from pipeport.bench._factories import Factories
from pipeport.bench._measure import Round, Steady, interleaved
from pipeport.bench._suites import read_suite
from tests.recipes.recipe_tools import MIGRATIONS, RECIPES

pytest.importorskip("psutil")

# Measured with the real library beside it, see test_measured_addons.py.
ELSEWHERE = {"off-tensorflow-addons"}
HERE = [name for name in MIGRATIONS if name not in ELSEWHERE]
PROGRAMS = {program.name: program for program in read_suite("recipes").programs}
# A recipe measured on other inputs besides, under another name.
MORE = {"read-resize-normalise-sizes": "read-resize-normalise"}
# Cropped to a size of their own: not from smaller photographs.
LARGE = {"own-augmentation"}


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("bench_recipes", RECIPES.parent / "bench" / "recipes.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["bench_recipes"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def small(monkeypatch):
    """Photographs of 16 x 16; those that are cropped to many sizes stay large."""
    original = _photographs.photographs

    def shrunk(size, dtype):
        return original(size if size == (520, 520) else (16, 16), dtype)

    monkeypatch.setattr(_photographs, "photographs", shrunk)


def rated(sides, protocol, *, into, **_more):
    """Stand for measuring: a native that is four times as fast."""
    for side in sides:
        rate = 400 if side.kind == "native" else 100
        one = Round(elements=rate, seconds=1.0, discarded=0, warm_s=0.0, steady=True)
        into[side.name] = [one] * protocol.rounds


def quickly(sides, protocol, **more):
    short = Steady(window_s=0.001, windows=2, cap_s=0.01)
    return interleaved(sides, type(protocol)(rounds=2, seconds=0.01, steady=short), **more)


def measured(script, name, measure=rated):
    plan = script.plan_of([MORE.get(name, name)], rounds=2)
    [program] = [program for program in plan.programs if program.name == name]
    sides = [
        dataclasses.replace(side, arguments=side.arguments and {"size": [16, 16]}) for side in program.sides
    ]
    program = dataclasses.replace(program, sides=tuple(sides), elements=64)
    refused: list[str] = []
    plan = dataclasses.replace(plan, programs=(program,))
    report = _run.run(plan, measure=measure, refuse=refused.append)
    assert refused == report.left_out == []
    return report


def test_no_recipe_is_forgotten(script):
    assert [name for name in PROGRAMS if name not in MORE] == MIGRATIONS
    assert {name: script.recipe_of(program) for name, program in PROGRAMS.items()} == {
        name: MORE.get(name, name) for name in PROGRAMS
    }
    assert script.known() == HERE
    assert set(script.ELSEWHERE) == ELSEWHERE
    assert all((RECIPES.parent / file).is_file() for file in script.ELSEWHERE.values())
    for name in ELSEWHERE:
        assert "tensorflow_addons" in PROGRAMS[name].needs


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_are_those_of_the_recipe(name):
    for side in PROGRAMS[name].sides:
        file = "before" if side.kind == "reference" else "after"
        assert side.factory == f"recipes/{MORE.get(name, name)}/{file}.py:build_dataset"


@pytest.mark.parametrize("name", PROGRAMS)
def test_inputs_have_the_size_their_case_states(name, tmp_path):
    program = PROGRAMS[name]
    inputs = Factories().function(program, program.inputs)
    if "files of " in program.about:
        made = inputs(folder=tmp_path, elements=program.elements)
        columns = [np.atleast_1d(column) for column in (made if isinstance(made, tuple) else (made,))]
        assert len({len(column) for column in columns}) == 1
        assert all(Path(path).exists() for column in columns for path in column)
        return
    made = inputs(elements=program.elements)
    images, others = made if isinstance(made, tuple) else (made, made)
    assert len(others) == len(images) == program.elements
    assert program.about.startswith(str(images.dtype))
    assert images.shape[1:3] == ((128, 128) if "128x128x64" in program.about else (256, 256))


@pytest.mark.parametrize("name", [*HERE, *MORE])
def test_before_and_after_give_the_same(script, request, name):
    if name not in LARGE:
        request.getfixturevalue("small")
    report = measured(script, name)
    natives = [side for side in PROGRAMS[name].sides if side.kind == "native"]
    assert len(report.cases) == len(natives)
    for result in report.cases:
        before, after = result.sides
        assert after.answer == before.answer
        entry = script.figure(report, result)
        assert (entry["ratio"], entry["verdict"], entry["against"]) == (4.0, "faster", "before.py")
        assert entry["case"].startswith(PROGRAMS[name].about)
        assert len(entry["code"]) == 16
        assert entry["rounds"] == 2


def test_a_real_measurement(script, small):
    [result] = measured(script, "arithmetic", quickly).cases
    assert {side.name: len(side.rounds) for side in result.sides} == {"before": 2, "after": 2}


def test_written_file(script, small, monkeypatch, tmp_path):
    monkeypatch.setitem(_run.run.__kwdefaults__, "measure", rated)
    file = tmp_path / "recipes.json"
    for name in ("rotation", "arithmetic"):
        monkeypatch.setattr(sys, "argv", ["recipes.py", name, "--rounds", "3", "--output", str(file)])
        script.main()
    written = json.loads(file.read_text())
    assert set(written["ratios"]) == {"recipes/rotation", "recipes/arithmetic"}
    [entry] = written["ratios"]["recipes/rotation"]
    keys = ("case", "against", "ratio", "low", "high", "verdict", "commit", "rounds", "code")
    assert tuple(entry) == keys
    rounds = written["rounds"]["recipes/rotation"][entry["case"]]
    assert {side: len(values) for side, values in rounds.items()} == {"before.py": 3, "after.py": 3}
    assert {"format", "machine", "commit", "environment"} <= set(written)


def test_a_recipe_has_the_figures_of_all_its_programs(script, small):
    """Under its own name, for its README reads them there."""
    plan = script.plan_of(["read-resize-normalise"], rounds=2)
    programs = tuple(dataclasses.replace(program, elements=64) for program in plan.programs)
    # The side with a stated size has no place among photographs of 16 x 16.
    programs = tuple(dataclasses.replace(program, sides=program.sides[:2]) for program in programs)
    report = _run.run(dataclasses.replace(plan, programs=programs), measure=rated)
    content = {"ratios": {"recipes/read-resize-normalise": ["old"]}, "rounds": {}}
    script.add(content, report)
    [(name, figures)] = content["ratios"].items()
    assert name == "recipes/read-resize-normalise"
    assert [figure["case"] for figure in figures] == [program.about for program in programs]
    assert set(content["rounds"][name]) == {program.about for program in programs}


def test_committed_figures_are_those_of_the_suite(script):
    path = RECIPES.parent / "bench" / "results" / "recipes.json"
    found = json.loads(path.read_text(encoding="utf-8"))["ratios"]
    cases = {f"recipes/{name}": [] for name in HERE}
    for program in PROGRAMS.values():
        if (name := script.recipe_of(program)) in HERE:
            cases[f"recipes/{name}"] += [case.conditions for case in program.cases()]
    assert {name: [one["case"] for one in figures] for name, figures in found.items()} == cases
