"""Calls whose arguments are known while tracing are not obstacles, as `port` computes them once."""

from __future__ import annotations

import pytest

from pipeport.scan import scan

PROGRAM = """
import random
import tensorflow as tf
from scipy import signal
RATE = 16000

def body(x):
    {}
    return signal.lfilter(b, a, x)

def mapped(data):
    return data.map(lambda x: tf.numpy_function(body, [x], tf.float64))
"""


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("b, a = signal.butter(4, [0.1, 0.3], 'band')", "PP001"),
        ("b, a = signal.butter(N=4, Wn=100 / (RATE / 2))", "PP001"),
        ("b, a = signal.butter(4, len(x) / RATE)", "PP003"),
        ("c = x.mean(); b, a = signal.butter(4, c)", "PP003"),
        ("b, a = signal.butter(4, random.random())", "PP003"),
    ],
)
def test_what_is_known_is_computed(line, code, tmp_path):
    (tmp_path / "a.py").write_text(PROGRAM.format(line))
    found = [one.code for one in scan([str(tmp_path)]).findings if one.kind != "bug"]
    assert found == [code]
