"""Suite `recipes` measures every recipe."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from pipeport.bench import _photographs, _run
from pipeport.bench._factories import Factories
from pipeport.bench._measure import Round, Steady, interleaved
from pipeport.bench._suites import read_suite
from tests.recipes.recipe_tools import MIGRATIONS
from tests.trace.conftest import own_garbage as own_garbage

pytest.importorskip("psutil")

# Measured with the real library beside it, see test_measured_addons.py.
ELSEWHERE = {"off-tensorflow-addons"}
HERE = [name for name in MIGRATIONS if name not in ELSEWHERE]
PROGRAMS = {program.name: program for program in read_suite("recipes").programs}
# A recipe measured on other inputs besides, under another name.
MORE = {"read-resize-normalise-sizes": "read-resize-normalise"}
# Cropped to a size of their own, or with boxes: not from smaller photographs.
LARGE = {"albumentations-by-name", "detector", "nifti-patches", "own-augmentation"}


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


def measured(name, measure=rated):
    plan = dataclasses.replace(read_suite("recipes"), rounds=2)
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


def test_no_recipe_is_forgotten():
    assert [name for name in PROGRAMS if name not in MORE] == MIGRATIONS
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
    images, *others = made if isinstance(made, tuple) else (made,)
    assert {len(one) for one in (images, *others)} == {program.elements}
    assert program.about.startswith(str(images.dtype))
    assert images.shape[1:3] == ((128, 128) if "128x128" in program.about else (256, 256))


@pytest.mark.parametrize("name", [*HERE, *MORE])
def test_before_and_after_give_the_same(request, name):
    if name not in LARGE:
        request.getfixturevalue("small")
    report = measured(name)
    natives = [side for side in PROGRAMS[name].sides if side.kind == "native"]
    assert len(report.cases) == len(natives)
    for result in report.cases:
        before, after = result.sides
        assert after.answer == before.answer
        [(_, ratio)] = result.ratios()
        assert (ratio.ratio, ratio.verdict, ratio.rounds) == (4.0, "faster", 2)
        assert result.case.conditions.startswith(PROGRAMS[name].about)
        assert len(result.code) == 16


def test_a_real_measurement(small):
    [result] = measured("arithmetic", quickly).cases
    assert {side.name: len(side.rounds) for side in result.sides} == {"before": 2, "after": 2}
