"""A map whose boundary pays by a fast start alone starts fast, it and no other."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport import config
from pipeport.acceleration import _changes
from pipeport.acceleration._measure import Rate
from tests.fast_starts import starts_alone

ROWS = np.arange(12, dtype=np.float32).reshape(6, 2)
PYTHON = Rate(2e-3, 2e-3, 0.1)
LONG_START, SHORT_START, SLOW = Rate(1e-3, 1e-3, 0.5), Rate(1e-3, 1e-3, 0.1), Rate(3e-3, 3e-3, 0.0)


@pytest.fixture(autouse=True)
def sources(monkeypatch):
    """Look for changes in this module alone: those of other tests change many names."""
    find = _changes._sources
    monkeypatch.setattr(_changes, "_sources", lambda: {__name__: find()[__name__]})


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    monkeypatch.delenv("PIPEPORT_FAST_START", raising=False)
    monkeypatch.setenv("PIPEPORT_CACHE", str(tmp_path))


@pytest.fixture
def installed(acceleration):
    """Install an engine whose clock shows a long start, and these rates where the native form starts fast."""

    def install(fast=SHORT_START, plain=LONG_START, **settings):
        found = acceleration(**settings)
        found.clock = []

        def measure(before, after):
            assert not starts_alone(before())
            found.clock.append(starts_alone(after()))
            return PYTHON, fast if found.clock[-1] else plain

        found.engine.measure = measure
        return found

    return install


def halved(row):
    return row / 2


def raised(row):
    return row + 1


def source():
    return tf.data.Dataset.from_tensor_slices(ROWS)


def boundary(function):
    return lambda row: tf.numpy_function(function, [row], tf.float32)


def test_it_starts_fast_and_gives_the_same(installed):
    found = installed()
    dataset = source().map(boundary(halved))
    other = source().map(lambda row: row * 2)
    [verdict] = found.report.verdicts
    assert (found.clock, verdict.reason, verdict.fast_start) == ([False, True], "", True)
    assert verdict.native == SHORT_START
    assert verdict.agreed == 3
    assert "its map starts fast" in " ".join(str(found.report).split())
    assert found.report.as_json()["boundaries"][0]["fast_start"] is True
    assert starts_alone(dataset)
    assert not starts_alone(other)
    assert not config.fast_start()
    np.testing.assert_array_equal(list(dataset), ROWS / 2)


def test_the_same_function_again_and_in_another_process(installed):
    found = installed()
    source().map(boundary(halved))
    again = source().map(boundary(halved)).batch(2)
    assert (len(found.report.verdicts), len(found.clock)) == (1, 2)
    assert starts_alone(again)
    pipeport.uninstall()
    found = installed()
    later = source().map(boundary(halved))
    [verdict] = found.report.verdicts
    assert (verdict.remembered, verdict.fast_start, found.clock) == (True, True, [])
    assert starts_alone(later)
    np.testing.assert_array_equal(list(later), ROWS / 2)


def test_of_two_boundaries_one_is_enough(installed):
    found = installed()

    def both(row):
        found.engine.measure = lambda *_: (PYTHON, Rate(1e-3, 1e-3, 0.1))
        [row] = [tf.numpy_function(raised, [row], tf.float32)]
        row.set_shape([2])
        found.engine.measure = lambda _, after: (PYTHON, SHORT_START if starts_alone(after()) else LONG_START)
        return tf.numpy_function(halved, [row], tf.float32)

    dataset = source().map(both)
    assert [one.fast_start for one in found.report.verdicts] == [False, True]
    assert starts_alone(dataset)
    np.testing.assert_array_equal(list(dataset), (ROWS + 1) / 2)


@pytest.mark.parametrize(
    "rate", [LONG_START, SLOW, Rate(1e-3, 3e-3, 0.0)], ids=["no gain", "slower", "more processor time"]
)
def test_what_does_not_pay_fast_either_stays(installed, rate):
    found = installed(fast=rate)
    dataset = source().map(boundary(halved))
    [verdict] = found.report.verdicts
    assert (found.clock, verdict.reason, verdict.fast_start) == ([False, True], "start", False)
    assert verdict.native == LONG_START
    assert not starts_alone(dataset)


def test_what_pays_anyhow_is_measured_again_where_starts_are_many(installed):
    """A second in a run is lost by starts: of three epochs not with 0.2 s each, with 0.4 s it is."""
    for plain, clock in ((Rate(1e-3, 1e-3, 0.3), [False]), (Rate(1e-3, 1e-3, 0.5), [False, True])):
        found = installed(plain=plain, fresh=True)
        rows = tf.data.Dataset.from_tensors(ROWS[0]).repeat(1000)
        rows.map(boundary(halved))
        assert found.clock == clock
        assert [one.fast_start for one in found.report.verdicts] == [len(clock) == 2]
        pipeport.uninstall()


@pytest.mark.parametrize("stated", ["exact", "environment", "process", "block"])
def test_it_is_left_alone_where_the_script_has_a_say(installed, monkeypatch, stated):
    if stated == "environment":
        monkeypatch.setenv("PIPEPORT_FAST_START", "0")
    if stated == "process":
        config.set_fast_start(False)
    try:
        with config.use_fast_start(False if stated == "block" else None):
            found = installed(exact=stated == "exact")
            dataset = source().map(boundary(halved))
    finally:
        config.set_fast_start(None)
    assert found.clock == [False]
    assert [one.reason for one in found.report.verdicts] == ["start"]
    assert not starts_alone(dataset)


def test_a_map_that_raises_is_made_again_without(installed):
    found = installed()

    def fails_with_natives(row):
        result = tf.numpy_function(halved, [row], tf.float32)
        if result.shape.rank is not None:
            raise ValueError("a rank")
        return result

    dataset = source().map(fails_with_natives)
    assert [one.reason for one in found.report.verdicts] == ["failed"]
    assert not starts_alone(dataset)
    np.testing.assert_array_equal(list(dataset), ROWS / 2)
