"""`pipeport port` and `pipeport verify --port`, as a user meets them."""

from __future__ import annotations

import json
import re
import sys

import pytest
import tensorflow as tf
from click.testing import CliRunner

import pipeport
from pipeport.cli import main

MODULE = """
import numpy as np

FACTOR = 3


def scale(image):
    image = image.astype(np.float32) / 255
    return image * FACTOR


def brighten(image):
    if np.random.uniform(0, 1) > 0.5:
        image = np.clip(image * np.random.uniform(0.5, 1.5), 0, 255)
    return image.astype(np.float32)


def refused(image):
    try:
        return np.linalg.qr(image)
    except ValueError:
        return image


def decomposed(image):
    image = image * 2
    return np.linalg.qr(image)[1]


def drifts(x):
    if x[0] > 0:
        scale = 2
    else:
        scale = 0.5
    return scale
"""


@pytest.fixture
def run(tmp_path, monkeypatch):
    (tmp_path / "bodies_of_a_user.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")

    def invoke(*arguments):
        sys.modules.pop("bodies_of_a_user", None)
        return CliRunner().invoke(main, arguments, standalone_mode=True)

    yield invoke
    sys.modules.pop("bodies_of_a_user", None)


def test_what_becomes_of_each_call(run):
    found = run("port", "bodies_of_a_user:scale")
    assert found.exit_code == 0, found.output
    assert "image.astype(np.float32)" in found.output
    assert "No place is refused beforehand" in found.output


def test_refusals_come_with_line_and_exit_code_1(run):
    found = run("port", "bodies_of_a_user:refused")
    assert found.exit_code == 1
    assert "line 19: `try`: What fails in a graph cannot be caught" in " ".join(found.output.split())
    assert "2 of 2 places are refused" in " ".join(found.output.split())


def test_json(run):
    found = run("port", "bodies_of_a_user:refused", "--json")
    told = json.loads(found.output)
    assert told["refused"] == 2
    assert [row["line"] for row in told["rows"]] == [19, 20]
    assert {row["becomes"] for row in told["rows"]} == {"refused"}


@pytest.mark.parametrize(
    ("target", "words"),
    [("bodies_of_a_user", "my_module:augment"), ("bodies_of_a_user:none", "has no 'none'")],
)
def test_mistakes(run, target, words):
    found = run("port", target)
    assert found.exit_code == 2
    assert words in found.output


def test_verify_a_function_and_its_port(run):
    found = run(
        "verify", "bodies_of_a_user:scale", "--port", "--input", "image: uint8[H,W]", "--examples", "5"
    )
    assert found.exit_code == 0, found.output
    assert "3 cases: 3 passed" in found.output


def test_a_counterexample_ports_the_function(run, tmp_path):
    found = run("verify", "bodies_of_a_user:drifts", "--port", "--input", "x: float32[3]", "--examples", "9")
    assert found.exit_code == 1
    assert "the port of bodies_of_a_user.drifts fails" in " ".join(found.output.split())
    assert "old, new = sides(port(function), (0, 0))" in found.output


def test_verify_with_the_port_takes_one_function(run):
    found = run(
        "verify", "bodies_of_a_user:scale", "bodies_of_a_user:scale", "--port", "--input", "image: uint8[H]"
    )
    assert found.exit_code == 2
    assert "--port --input" in found.output


def test_islands_are_counted(run):
    assert run("port", "bodies_of_a_user:decomposed").exit_code == 1
    found = run("port", "bodies_of_a_user:decomposed", "--islands")
    assert found.exit_code == 0
    shown = " ".join(found.output.split())
    assert "1 call stays Python, an island" in shown
    stated = eval(re.search(r"what each of them returns: islands=(\{.*?\)\})", shown)[1], {"tf": tf})
    ((name, spec),) = stated.items()  # of which there are two
    ported = pipeport.port(sys.modules["bodies_of_a_user"].decomposed, islands={name: (spec, spec)})
    traced = tf.function(ported).get_concrete_function(tf.TensorSpec([4, 3], tf.float32))
    assert traced.output_shapes.rank == 2
    told = json.loads(run("port", "bodies_of_a_user:decomposed", "--islands", "--json").output)
    assert (told["refused"], told["islands"]) == (0, 1)
    assert [row["becomes"] for row in told["rows"]] == ["island"]


def test_verify_a_port_with_islands(run):
    given = ("verify", "bodies_of_a_user:decomposed", "--input", "image: float64[3,4]", "--examples", "4")
    found = run(*given, "--port", "--islands")
    assert found.exit_code == 0, found.output
    assert "3 cases: 3 passed" in found.output
    found = run(*given, "--islands")
    assert found.exit_code == 2
    assert "--islands: add --port" in found.output
