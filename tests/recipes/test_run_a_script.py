"""The recipe that runs a script as it is: the same elements, and the reason of each boundary that stays."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest
import tensorflow as tf
from click.testing import CliRunner

from pipeport.cli import main
from tests.recipes.recipe_tools import RECIPES, boundaries, collected, program

before, after = program("run-a-script", "before"), program("run-a-script", "after")
pitfalls = program("run-a-script", "pitfalls")


@pytest.fixture(scope="module")
def pairs():
    return before.photographs(6)


@pytest.fixture(scope="module")
def native(pairs):
    return after.build_dataset(*pairs)


def test_before_and_after_agree(pairs, native):
    old, new = collected(before.build_dataset(*pairs)), collected(native)
    assert len(old) == len(new) == 6
    for (expected, label), (got, other) in zip(old, new, strict=True):
        assert label == other
        assert got.dtype == expected.dtype == np.float32
        np.testing.assert_allclose(got, expected, atol=1e-5)
    assert abs(old[0][0] - old[1][0]).max() > 1, "else any image would do"


def test_boundaries(pairs, native):
    assert boundaries(before.build_dataset(*pairs)) == {"PyFunc"}
    assert boundaries(native) == set()


def test_static_shapes(native):
    image, label = native.element_spec
    assert (image.shape, label.shape) == ((128, 128, 3), ())


def test_the_script_runs_as_it_is(tmp_path):
    """Both report what becomes of the boundaries; the first prints what it prints alone."""
    told = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    report, script = tmp_path / "report.json", RECIPES / "run-a-script" / "before.py"
    alone, ran = (
        subprocess.run(
            [sys.executable, *by, str(script)], env=told, capture_output=True, text=True, check=True
        )
        for by in ((), ("-m", "pipeport", "run", "--prefer-native", "--report", str(report)))
    )
    *epochs, count = ran.stdout.splitlines()
    assert count == alone.stdout.splitlines()[-1] == "{'images': 1200}"
    assert len(epochs) == len(alone.stdout.splitlines()) - 1
    found = json.loads(report.read_text())["boundaries"]
    assert [(one["name"], one["code"]) for one in found] == [("turn", ""), ("standardise", "PP207")]
    shown = (RECIPES / "run-a-script" / "README.md").read_text()
    place = f"before.py:{before.standardise.__code__.co_firstlineno} standardise"
    assert place in shown
    assert f"{found[1]['code']}: {found[1]['why']}." in " ".join(shown.split())


def test_effect_in_the_function():
    assert pitfalls.effect_in_the_function() == (["PP207"], 4)


def test_epoch_of_milliseconds():
    assert pitfalls.epoch_of_milliseconds() == [["PP210"], [""]]


def test_value_changed_later():
    assert pitfalls.value_changed_later() == (["PP208"], [119.0, 238.0])


def test_generator_in_front():
    assert pitfalls.generator_in_front() == [["PP209"], [""]]


def test_draws_of_the_graph():
    assert pitfalls.draws_of_the_graph() == (True, True, ["PP214"])


def test_wrong_static_shape():
    codes, total = pitfalls.wrong_static_shape()
    assert codes == ["PP217"]
    assert total == 2 * float(tf.reduce_sum(tf.cast(pitfalls.IMAGES[0], tf.float32)))


def test_the_command_under_proof(monkeypatch):
    text = (RECIPES / "run-a-script" / "README.md").read_text()
    words = re.search(r'pipeport (verify after:standardise --port) --input "(.+)"', text)
    monkeypatch.chdir(RECIPES / "run-a-script")
    monkeypatch.delitem(sys.modules, "after", raising=False)
    few = ("--examples", "2", "--engine", "eager,graph")
    done = CliRunner().invoke(main, [*words[1].split(), "--input", words[2], *few])
    sys.modules.pop("after", None)
    assert done.exit_code == 0, done.output
    assert "2 passed" in done.output
