"""Whole runs: partial ones, failing ones, and one real one."""

from __future__ import annotations

import pytest

from pipeport import catalog
from pipeport.bench import _bodies, _devices, _latency, _run
from pipeport.bench._measure import Steady, interleaved
from pipeport.bench._plans import Plan, Selection
from pipeport.errors import OutsideDomain, UnsupportedArgument
from tests.bench.builders import rounds

pytestmark = pytest.mark.newest_only

FLIP = "pipeport.numpy.fliplr"
PLAN = Plan(name="test", selections=(Selection(pairs=(FLIP,), sizes=((24, 32),)),), rounds=3)


def instantly(sides, protocol, *, into, before, **_):
    for number in range(protocol.rounds):
        for side in sides:
            before(number, side)
            into.setdefault(side.name, []).extend(rounds(100.0 if side.kind == "reference" else 400.0))
    return into


def test_cases_sides_and_steps():
    steps = []
    report = _run.run(PLAN, watch=steps.append, measure=instantly)
    assert [r.case.dtype for r in report.cases] == ["float32", "uint8"]
    for result in report.cases:
        [(_, ratio), *_] = result.ratios()
        assert ratio.ratio == pytest.approx(4.0)
        assert result.native.largest_difference == 0.0
        assert len(result.code) == 16
        assert result.native.answer == next(iter(result.of_kind("reference"))).answer
    assert report.left_out == []
    assert not report.interrupted
    text = [step.text for step in steps]
    assert f"numpy.fliplr (uint8, 24x32): {FLIP}, round 3 of 3" in text
    assert all(step.left_s > 0 for step in steps)


def test_the_roofline_is_measured_once_per_pipeline():
    plan = Plan(name="t", selections=(Selection(pairs=(FLIP, "pipeport.numpy.flipud"), sizes=((24, 32),)),))
    report = _run.run(plan, measure=instantly)
    rooflines = [(r.case.dtype, r.case.pair) for r in report.cases if r.of_kind("roofline")]
    assert rooflines == [("float32", FLIP), ("uint8", FLIP)]


def test_ctrl_c_keeps_finished_cases_and_whole_rounds():
    calls = []

    def interrupted_later(sides, protocol, *, into, **more):
        calls.append(1)
        if len(calls) == 1:
            return instantly(sides, protocol, into=into, **more)
        # Two rounds of the first side, one of the others.
        instantly(sides, type(protocol)(rounds=1), into=into, **more)
        into[sides[0].name].extend(rounds(100.0))
        raise KeyboardInterrupt

    report = _run.run(PLAN, measure=interrupted_later)
    assert report.interrupted
    assert [{len(side.rounds) for side in r.sides} for r in report.cases] == [{3}, {1}]


def test_ctrl_c_before_the_first_whole_round_leaves_the_case_out():
    def at_once(sides, protocol, *, into, **_):
        into[sides[0].name] = rounds(100.0)
        raise KeyboardInterrupt

    report = _run.run(PLAN, measure=at_once)
    assert report.interrupted
    assert report.cases == []


def test_a_case_that_fails_is_said_and_does_not_end_the_run(monkeypatch):
    original = _bodies.native_call

    def failing(contract, variant, arguments, *, batched):
        call = original(contract, variant, arguments, batched=batched)

        def only_floats(**element):
            if not element["m"].dtype.is_floating:
                raise OutsideDomain("m: got uint8; allowed: float32. Cast it.\nmore")
            return call(**element)

        return only_floats

    monkeypatch.setattr(_bodies, "native_call", failing)
    report = _run.run(PLAN, measure=instantly)
    assert [r.case.dtype for r in report.cases] == ["float32"]
    [line] = report.left_out
    assert line.startswith("numpy.fliplr (uint8, 24x32): could not be measured:")
    assert "m: got uint8" in line
    assert "more" not in line


@pytest.mark.skipif(_devices.first_gpu() is not None, reason="needs a machine without a GPU")
@pytest.mark.parametrize("device", ["gpu", "all"])
def test_without_a_gpu_nothing_is_measured(device):
    def never(*_args, **_more):
        pytest.fail("measured")

    selections = [Selection(pairs=(FLIP,), sizes=((24, 32),), devices=(one,)) for one in ("cpu", device)]
    with pytest.raises(UnsupportedArgument, match="--device: got"):
        _run.run(Plan(name="t", selections=tuple(selections)), measure=never)


def test_a_real_run(monkeypatch):
    """Rounds of 50 ms, everything else as users get it, first-element latency included."""
    monkeypatch.setattr(_latency, "REPEATS", 1)
    short = Steady(window_s=0.01, cap_s=0.2)

    def measure(sides, protocol, **more):
        return interleaved(sides, type(protocol)(rounds=1, seconds=0.05, steady=short), **more)

    plan = Plan(
        name="t", selections=(Selection(pairs=(FLIP,), dtypes=("uint8",), sizes=((32, 32),)),), latency=True
    )
    report = _run.run(plan, measure=measure)
    [result] = report.cases
    kinds = [side.kind for side in result.sides]
    contract = catalog.find(FLIP)
    assert kinds == ["reference", "native", *["stock"] * (contract.stock is not None), "roofline"]
    for side in result.sides:
        assert len(side.rounds) == 1
        for measured in side.rounds:
            assert measured.elements % 32 == 0
            assert measured.elements > 0
            assert measured.seconds >= 0.05
            assert measured.discarded >= 32
        assert len(side.first_element_s) == 1
        assert min(side.first_element_s) > 0
