"""`pipeport.numpy_function` in the place of TensorFlow's: its own call, or native by an example."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport.acceleration import _drop_in
from pipeport.acceleration._measure import Rate
from pipeport.errors import PipeportWarning, WrongType

IMAGE = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)


def halved(x):
    return x.astype(np.float32) / 2


@pytest.fixture
def decider(monkeypatch):
    """Return what decides by examples, with a clock of the test's own."""

    def with_rates(python, native):
        _drop_in._alone.cache_clear()
        engine = _drop_in._alone().engine
        engine.little, engine.measure = 0.0, lambda _python, _native: (python, native)
        return _drop_in._alone()

    yield with_rates
    _drop_in._alone.cache_clear()


def operations(function):
    graph = tf.function(function).get_concrete_function(tf.TensorSpec([2, 4, 3], tf.uint8)).graph
    return {one.type for one in graph.get_operations()}


def test_without_more_it_is_tensorflows_own():
    _drop_in._warn_once.cache_clear()
    with pytest.warns(PipeportWarning, match="pipeport run"):
        assert "PyFunc" in operations(lambda x: pipeport.numpy_function(halved, [x], tf.float32))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "EagerPyFunc" in operations(lambda x: pipeport.py_function(lambda y: y / 2, [x], tf.float64))
    np.testing.assert_array_equal(pipeport.numpy_function(halved, [IMAGE], tf.float32), IMAGE / 2)


def test_an_example_decides(decider):
    own = decider(Rate(9, 9, 0), Rate(1, 1, 0))
    wrapped = lambda x: pipeport.numpy_function(halved, [x], tf.float32, example=(IMAGE,))  # noqa: E731
    assert "PyFunc" not in operations(wrapped)
    np.testing.assert_array_equal(tf.function(wrapped)(IMAGE), IMAGE / 2)
    assert [one.reason for one in own.report.verdicts] == [""]


def test_slower_on_the_example(decider):
    decider(Rate(1, 1, 0), Rate(9, 9, 0))
    kept = operations(lambda x: pipeport.numpy_function(halved, [x], tf.float32, example=(IMAGE,)))
    assert "PyFunc" in kept


def test_under_install_the_dataset_decides(acceleration):
    found = acceleration()
    dataset = tf.data.Dataset.from_tensor_slices(IMAGE[None])
    dataset = dataset.map(lambda x: pipeport.numpy_function(halved, [x], tf.float32))
    np.testing.assert_array_equal(next(iter(dataset)), IMAGE / 2)
    assert [one.reason for one in found.report.verdicts] == [""]


def test_the_form_of_a_decorator(decider):
    decider(Rate(9, 9, 0), Rate(1, 1, 0))

    @pipeport.numpy_function(Tout=tf.float32, example=(IMAGE,))
    def third(x):
        return x.astype(np.float32) / 3

    assert "PyFunc" not in operations(third)


def test_the_example_is_a_tuple():
    with pytest.raises(WrongType, match="example"):
        pipeport.numpy_function(halved, [IMAGE], tf.float32, example=IMAGE)
