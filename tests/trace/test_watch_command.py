"""`pipeport trace --watch`: a script's output, its exit code, and what was found."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from pipeport.cli import main

pytestmark = pytest.mark.newest_only

SCRIPT = """
import sys
import tensorflow as tf

@tf.function
def scaled(x, n):
    return x * n

print("given", sys.argv[1:])
for n in {numbers}:
    scaled(tf.constant(1.0), n)
sys.exit({code})
"""


@pytest.fixture
def script(tmp_path):
    def written(numbers, code=0):
        path = tmp_path / "train.py"
        path.write_text(SCRIPT.format(numbers=numbers, code=code))
        return str(path)

    return written


def invoke(*arguments):
    result = CliRunner(env={"COLUMNS": "80"}).invoke(main, ("trace", "--watch", *arguments))
    return result.exit_code, result.stdout, result.stderr


def test_findings_are_told_and_are_the_exit_code(script):
    code, out, _ = invoke(script([1, 2, 3]), "--epochs", "2")
    assert code == 1
    assert out.startswith("given ['--epochs', '2']\n")
    assert "argument `n` is a Python int" in " ".join(out.split())


def test_a_script_without_findings_keeps_its_exit_code(script):
    assert invoke(script([1, 1, 1]))[0] == 0
    assert invoke(script([1, 1, 1], code=4))[0] == 4


def test_json_stands_alone_on_standard_output(script):
    code, out, err = invoke(script([1, 2]), "--json", "--", "--seed", "3")
    found = json.loads(out)
    assert (code, found["format"], found["script"]["exit_code"]) == (1, 1, 0)
    assert "given ['--seed', '3']" in err
