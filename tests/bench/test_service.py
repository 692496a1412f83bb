"""Suite `service`: the sides give elements of one kind, and its workers are processes of their own."""

from __future__ import annotations

import dataclasses

import pytest

from pipeport.bench import _run
from pipeport.bench._factories import Factories
from pipeport.bench._program_sides import builders
from pipeport.bench._suites import read_suite
from tests.bench.test_run import instantly
from tests.recipes.recipe_tools import boundaries

pytest.importorskip("psutil")
pytest.importorskip("cv2")
pytestmark = pytest.mark.newest_only

PLAN = read_suite("service")
PROGRAMS = tuple(dataclasses.replace(program, elements=4) for program in PLAN.programs)


def test_every_side_is_measured():
    refused: list[str] = []
    report = _run.run(dataclasses.replace(PLAN, programs=PROGRAMS), measure=instantly, refuse=refused.append)
    assert refused == report.left_out == []
    names = [[side.name for side in result.sides] for result in report.cases]
    assert names == [
        ["in this process", "one worker"],
        ["in this process", "two workers"],
        ["in this process", "one worker"],
        ["in this process", "one worker, compressed"],
    ]
    for result in report.cases:
        here, there = result.sides
        assert here.answer == there.answer
        assert there.largest_difference == 0


def test_nothing_stays_python():
    sides = [side for side in PROGRAMS[0].sides if side.kind == "reference"]
    with builders(PROGRAMS[0], sides, Factories()) as build:
        assert boundaries(build[sides[0].name]()) == set()
