"""A native inside a Python boundary warns once, naming the line to remove."""

from __future__ import annotations

import inspect
import warnings

import numpy as np
import pytest
import tensorflow as tf

from pipeport import _boundary
from pipeport.errors import PipeportWarning
from pipeport.numpy import fliplr

pytestmark = pytest.mark.both


@pytest.fixture(autouse=True)
def _forget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_boundary, "_warned", set())


def body(image: np.ndarray) -> np.ndarray:
    return fliplr(image).numpy()


def wrapped(image: tf.Tensor) -> tf.Tensor:
    return tf.numpy_function(body, [image], tf.float32)


def wrapped_python(image: tf.Tensor) -> tf.Tensor:
    return tf.py_function(func=body, inp=[image], Tout=tf.float32)


@pytest.mark.parametrize("boundary", [wrapped, wrapped_python])
def test_in_a_dataset(boundary: object) -> None:
    source, first = inspect.getsourcelines(boundary)
    line = first + next(k for k, text in enumerate(source) if "return" in text)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        list(tf.data.Dataset.from_tensors(tf.zeros([2, 2])).repeat(3).map(boundary))
    ours = [entry for entry in caught if entry.category is PipeportWarning]
    assert len(ours) == 1
    assert ours[0].lineno == line
    assert ours[0].filename == __file__
    assert all(word in str(ours[0].message) for word in ("pipeport.numpy.fliplr", f"line {line}", "body"))


def test_silent_outside_a_boundary() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", PipeportWarning)
        fliplr(tf.zeros([2, 2]))
        list(tf.data.Dataset.from_tensors(tf.zeros([2, 2])).map(fliplr))
