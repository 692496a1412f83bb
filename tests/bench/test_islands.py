"""Suite `islands`: both sides give the same, and one call is all that stays Python in the second."""

from __future__ import annotations

import dataclasses

import pytest

from pipeport import port
from pipeport.bench import _run
from pipeport.bench._factories import Factories
from pipeport.bench._program_sides import builders
from pipeport.bench._suites import read_suite
from pipeport.errors import PipeportWarning
from tests.bench.test_run import instantly
from tests.recipes.recipe_tools import boundaries

pytest.importorskip("psutil")
cv2 = pytest.importorskip("cv2")
pytestmark = pytest.mark.newest_only

PLAN = read_suite("islands")
PROGRAM = dataclasses.replace(PLAN.programs[0], elements=12)


def test_both_sides_give_the_same():
    refused: list[str] = []
    plan = dataclasses.replace(PLAN, programs=(PROGRAM,))
    report = _run.run(plan, measure=instantly, refuse=refused.append)
    assert refused == report.left_out == []
    [result] = report.cases
    before, after = result.sides
    assert before.answer == after.answer
    assert after.largest_difference <= PROGRAM.difference


def test_the_island_alone_stays_python(monkeypatch):
    calls = []
    with builders(PROGRAM, list(PROGRAM.sides), Factories()) as build:
        datasets = {side.kind: build[side.name]() for side in PROGRAM.sides}
        resized = cv2.resize
        monkeypatch.setattr(cv2, "resize", lambda *args, **more: calls.append(1) or resized(*args, **more))
        counts = {}
        for kind, dataset in datasets.items():
            assert boundaries(dataset) == {"PyFunc"}
            calls.clear()
            for _element in dataset:
                pass
            counts[kind] = len(calls)
    assert counts == {"reference": PROGRAM.elements, "native": 0}


def test_the_island_is_named():
    function = Factories().function(PROGRAM, "islands_sides.py:smoothed")
    images = Factories().function(PROGRAM, PROGRAM.inputs)(elements=1)
    with pytest.warns(PipeportWarning, match=r"cv2\.bilateralFilter"):
        port(function, example=(images[0],), islands=True)
