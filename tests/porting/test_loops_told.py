"""Which loops stay loops of the graph, and what a report tells of them."""

from __future__ import annotations

import json

import numpy as np
import pytest
import tensorflow as tf
from click.testing import CliRunner

from pipeport import port
from pipeport.acceleration._engine import _blamed
from pipeport.cli import main
from pipeport.porting.optimise._costs import told

BODIES = """
import numpy as np


def smoothed(x):
    y = np.zeros_like(x)
    for i in range(1, len(x)):
        y[i] = np.exp(x[i]) - y[i - 1]
    return np.where(y > 0.5, 1, 0)


def whole(x):
    return smoothed(x) * np.float32(2)
"""


def rising(x):
    y = np.zeros_like(x)
    for i in range(1, len(x)):
        y[i] = np.exp(x[i]) - y[i - 1]
    return np.where(y > 0.5, 1, 0)


def by_pairs(x):
    total = np.float32(0)
    for i in range(len(x)):
        for j in range(len(x)):
            total = total + np.exp(x[i] * x[j])
    return total > 10


def until(x):
    total = np.float32(0)
    while total < x.sum():
        total += np.exp(x[0])
    return np.floor(total)


def compiled(x):
    y = np.zeros_like(x)
    for i in range(1, len(x)):
        y[i] = x[i] - y[i - 1]
    return y


def loops(function, length=500):
    with told() as found:
        tf.function(port(function), autograph=False).get_concrete_function(
            tf.TensorSpec([length], tf.float32)
        )
    return found


def test_a_loop_is_told_with_its_rounds():
    (found,) = loops(rising)
    assert found.rounds == pytest.approx(499, abs=2)  # the first may be traced
    assert 10 < found.operations < 60
    assert found.milliseconds == pytest.approx(found.rounds * found.operations / 1000)
    assert (found.file, found.number) == (__file__, rising.__code__.co_firstlineno + 2)
    assert found.cost in _blamed([found])
    assert f"line {found.number}" in _blamed([found])


def test_a_loop_in_a_loop_counts_with_its_rounds():
    found = loops(by_pairs)[-1]  # before it those of the rounds that are traced
    assert found.number == by_pairs.__code__.co_firstlineno + 2
    assert found.operations > 500 * 5


def test_rounds_that_only_the_graph_knows():
    (found,) = loops(until)
    assert found.rounds is None
    assert found.milliseconds is None
    assert found.is_slow
    assert found.cost.endswith("a round")
    assert loops(rising, None)[0].rounds is None


def test_what_is_compiled_or_short_is_not_told():
    assert loops(compiled) == []
    assert not [one for one in loops(rising, 12) if one.is_slow]


def test_a_report_names_the_loop_and_its_island(tmp_path, monkeypatch):
    (tmp_path / "loops_of_a_user.py").write_text(BODIES)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    import loops_of_a_user

    ported = port(loops_of_a_user.whole, example=(np.zeros(500, np.float32),))
    (row,) = [one for one in ported.report() if one.kind == "loop of the graph"]
    assert (row.line, row.text) == (7, "for i in range(1, len(x)):")
    assert 'islands={"loops_of_a_user.smoothed"' in row.advice
    command = ["port", "loops_of_a_user:smoothed", "--input", "x: float32[500] in [0, 1]", "--json"]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 0, result.output
    (row,) = [one for one in json.loads(result.stdout)["rows"] if one["becomes"] == "loop of the graph"]
    assert row["name"].endswith("ms an element")
    assert "a function of its own" in row["advice"]
    # What it names keeps the loop in Python.
    kept = port(loops_of_a_user.whole, islands={"loops_of_a_user.smoothed": tf.TensorSpec([None], tf.int64)})
    assert loops(kept.original)
    assert not loops(kept)
