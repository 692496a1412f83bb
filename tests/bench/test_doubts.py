"""A report that doubts itself."""

from __future__ import annotations

from dataclasses import replace

from pipeport.bench._doubts import doubts
from tests.bench.builders import case_result, rounds


def test_nothing_to_doubt():
    result = case_result(reference=(100,) * 6, native=(400,) * 6)
    assert doubts([result], 2) == []


def test_few_rounds_are_said_with_their_coverage():
    [line] = doubts([case_result(reference=(100,) * 3, native=(400,) * 3)], 2)
    assert "Few rounds (3)" in line
    assert "75%" in line


def test_one_round():
    [line] = doubts([case_result(reference=(100,), native=(400,))], 2)
    assert "no interval" in line


def test_a_large_spread_names_the_side():
    lines = doubts([case_result(reference=(100,) * 6, native=(400, 400, 400, 400, 400, 450))], 2)
    [line] = lines
    assert "numpy.fliplr (float32, 256x256), pipeport.numpy.fliplr: rounds differ by 12%" in line


def test_an_unsteady_rate():
    result = case_result(reference=(100,) * 6, native=(400,) * 6)
    unsteady = replace(result.sides[1].rounds[0], steady=False)
    result.sides[1].rounds[0] = unsteady
    [line] = doubts([result], 2)
    assert "not yet steady in 1 of 6 rounds" in line


def test_other_processes():
    result = case_result(reference=(100,) * 6, native=(400,) * 6)
    result.sides[0].rounds[:2] = rounds(100, 100, others=0.8)
    [line] = doubts([result], 2)
    assert "busy in 2 of 12 rounds (up to 0.8 of 2 cores)" in line
    # Less than a tenth of a large machine is no disturbance.
    assert doubts([result], 16) == []


def test_sides_without_rounds_are_not_judged():
    assert doubts([case_result(reference=(), native=())], 2) == []
