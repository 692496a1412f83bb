"""What a migration would buy: Amdahl's law on measured shares and speeds."""

from __future__ import annotations

import math

import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport import config
from pipeport.errors import NotEquivalent
from pipeport.inspection import _gains
from pipeport.inspection._report import Boundary, Figure, Gain, Report, Run, amdahl
from pipeport.inspection._stages import found_in, graph_of
from tests.inspection import pipelines


def same(value):
    return Figure(median=value, low=value, high=value)


def test_amdahls_law():
    assert amdahl(0.5, 2) == pytest.approx(4 / 3)
    assert amdahl(0.5, math.inf) == 2
    assert amdahl(1, math.inf) == math.inf
    gain = Gain(share=same(0.8), speed=same(4.0))
    assert gain.whole == same(pytest.approx(2.5))
    assert gain.at_most == same(pytest.approx(5))
    assert (Gain().at_most, Gain(share=same(0.8)).whole) == (None, None)


def test_rounds_become_median_least_and_most():
    assert _gains.figure([3.0, 1.0, 2.0]) == Figure(median=2.0, low=1.0, high=3.0)


def test_the_share_of_a_slow_function_is_nearly_all():
    report = pipeport.inspect(pipelines.with_one_slow_stage(), seconds=0.3)
    [boundary] = report.boundaries
    assert boundary.gain.share.median > 0.7
    assert boundary.gain.speed is None
    assert "time.sleep" in boundary.gain.port_problem
    assert "Share: " in str(report)


def test_the_port_is_measured_on_elements_of_the_dataset():
    ds = pipelines.turned()
    report = pipeport.inspect(ds, seconds=0.3)
    [gain] = [one.gain for one in report.boundaries]
    assert gain.port_problem == ""
    assert 0 <= gain.share.low <= gain.share.median <= gain.share.high <= 1
    assert 0 < gain.speed.low <= gain.speed.median <= gain.speed.high
    assert gain.whole.median == pytest.approx(amdahl(gain.share.median, gain.speed.median))
    assert gain.whole.low <= gain.whole.median <= gain.whole.high
    found = report.as_dict()["boundaries"][0]["gain"]
    assert found["whole"]["median"] == pytest.approx(gain.whole.median, rel=1e-4)
    assert gain.differs == ""
    # What was put around the function is gone.
    np.testing.assert_array_equal(next(iter(ds)), np.zeros([4, pipelines.SIDE, pipelines.SIDE], np.float32))


def plus_one(number):
    return number + 1


def test_behind_a_cache_nothing_is_replayed():
    ds = tf.data.Dataset.range(3).map(lambda x: tf.numpy_function(plus_one, [x], tf.int64)).cache()
    [boundary] = pipeport.inspect(ds, seconds=0.1).boundaries
    assert "A cache comes after it" in boundary.gain.problem
    assert boundary.calls == 3
    assert list(ds.as_numpy_iterator()) == [1, 2, 3]


def test_stored_results_that_do_not_fit_their_element_are_no_share():
    def checked(number):
        more = tf.numpy_function(plus_one, [number], tf.int64)
        tf.debugging.assert_equal(more, number + 1)
        return more

    [boundary] = pipeport.inspect(tf.data.Dataset.range(50).map(checked), seconds=0.1).boundaries
    assert boundary.gain.share is None
    assert "does not run on stored results" in boundary.gain.problem


def test_what_comes_after_a_stage():
    inner = tf.data.Dataset.range(3).interleave(lambda x: tf.data.Dataset.range(x).map(lambda y: y + 1))
    both = tf.data.Dataset.zip((tf.data.Dataset.range(8).batch(2), inner)).cache()
    stages = found_in(graph_of(both)).stages
    names = {one.number: one.name for one in stages}
    in_interleave = next(one.number for one in stages if one.name == "map")
    assert [one.name for one in _gains.after(stages, in_interleave)] == ["interleave", "zip", "cache"]
    assert [one.name for one in _gains.after(stages, 1)] == ["batch", "zip", "cache"]
    assert names[1] == "range"


def test_an_interval_has_both_ends_of_share_and_speed():
    gain = Gain(share=Figure(median=0.5, low=0.4, high=0.6), speed=Figure(median=1.0, low=0.5, high=2.0))
    assert gain.whole.low == pytest.approx(amdahl(0.6, 0.5))
    assert gain.whole.high == pytest.approx(amdahl(0.6, 2.0))
    assert gain.at_most.low == pytest.approx(1 / 0.6)


def test_a_port_that_differs_is_measured_and_said_to_differ(monkeypatch):
    def apart(function, example=None, wrapper="numpy_function"):
        if example is not None:
            raise NotEquivalent("example: got values up to 1 apart, on 3 % of them; allowed: equal ones.")
        return lambda image: image + 1

    monkeypatch.setattr(_gains, "port", apart)
    ds = tf.data.Dataset.range(64).map(lambda x: tf.numpy_function(plus_one, [x], tf.int64))
    report = pipeport.inspect(ds, seconds=0.2)
    [gain] = [one.gain for one in report.boundaries]
    assert gain.speed is not None
    assert "values up to 1 apart" in gain.differs
    assert "plus_one: its port, as measured, gives other results. example: got values up to 1" in str(report)


def test_natives_that_are_a_level_off_are_measured_with_every_bit(monkeypatch):
    asked = []

    def off(function, example=None, wrapper="numpy_function"):
        asked.append(config.bit_equal())
        if not config.bit_equal():
            raise NotEquivalent("example: got values up to 1 apart")
        return lambda image: image + 1

    monkeypatch.setattr(_gains, "port", off)
    ported, bits, differs = _gains._ported(plus_one, (1,), "numpy_function")
    assert (ported(1), bits, differs, asked) == (2, True, "", [False, True])


def test_a_pass_counts_the_calls_of_its_elements():
    run = Run(elements=40, passes=4, elements_of_pass=10)
    boundary = Boundary(wrapper="numpy_function", token="t", calls=320)
    assert _gains._calls_of_pass(boundary, Report(name="x", kind="dataset", run=run)) == 80
    run.elements_of_pass = None
    assert _gains._calls_of_pass(boundary, Report(name="x", kind="dataset", run=run)) == 0
