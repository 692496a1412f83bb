"""Each symbol of TensorFlow's inside that inspection uses does what is expected of it."""

from __future__ import annotations

import gc

import pytest
import tensorflow as tf

from pipeport import _tensorflow_private as private
from tests.inspection import pipelines

pytestmark = pytest.mark.both


def tokens(graphs):
    return [
        one.get_attr("token").decode()
        for graph in graphs
        for one in graph.get_operations()
        if "Py" in one.type
    ]


def mapped(wrapper):
    return tf.data.Dataset.range(3).map(lambda x: wrapper(lambda y: y + 1, [x], tf.int64))


def test_functions_are_found_by_their_tokens_and_wrapped():
    for wrapper in (tf.numpy_function, tf.py_function):
        ds = mapped(wrapper)
        [token] = tokens(private.graphs_of(ds))
        assert callable(private.python_function(token))

        def ten_times(function):
            return lambda *values: function(*values) * 10

        restore = private.wrapped(token, ten_times)
        gc.collect()  # the registry holds its functions weakly
        assert list(ds.as_numpy_iterator()) == [10, 20, 30]
        restore()
        assert list(ds.as_numpy_iterator()) == [1, 2, 3]
    assert private.python_function("pyfunc_of_nobody") is None


def test_datasets_know_their_inputs_and_the_graphs_of_their_functions():
    first, second = tf.data.Dataset.range(3), mapped(tf.numpy_function)
    both = tf.data.Dataset.zip((first, second))
    assert private.inputs_of(both) == [first, second]
    assert private.inputs_of(first) == []
    generator = tf.data.Dataset.from_generator(pipelines.images, output_types=tf.uint8)
    inner = tf.data.Dataset.range(2).flat_map(lambda _: mapped(tf.numpy_function))
    assert len(tokens(private.graphs_of(generator))) == 3
    assert len(tokens(private.graphs_of(inner))) == 1
    assert private.graphs_of(first) == []


def test_traces_and_saved_graphs(tmp_path):
    module = tf.Module()
    module.add = tf.function(lambda x: tf.numpy_function(lambda y: y + 1, [x], tf.float32))
    assert private.traces_of(module.add) == []
    module.add(tf.zeros([2]))
    [trace] = private.traces_of(module.add)
    assert len(tokens(private.graphs_in(trace.graph))) == 1
    tf.saved_model.save(module, str(tmp_path))
    [graph] = private.saved_graphs((tmp_path / "saved_model.pb").read_bytes())
    operations = {one.op for function in graph.library.function for one in function.node_def}
    assert "PyFunc" in operations
