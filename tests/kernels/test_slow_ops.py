"""Operations called by name are lowered to what TensorFlow lowers them to."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from pipeport._tensorflow_private import portable
from pipeport.kernels.opencv import _resize_tables
from pipeport.kernels.xla import _lowered, _single_threaded, _slow_ops, _stored
from pipeport.kernels.xla._one_call import stored

pytestmark = [
    pytest.mark.both,
    pytest.mark.skipif(
        not tf.version.VERSION.startswith(_single_threaded._RELEASES),
        reason="nothing is lowered here",
    ),
]

SLOW = [*_slow_ops._SLOW, "IsNan"]


def lowered(concrete):
    """What a function becomes, whatever its parts are called and however they are written."""
    text = _lowered.functions(concrete).replace(_slow_ops._SUFFIX, "")
    return portable(f"module @one {{\n{text}\n}}")


def as_tensorflow_does(concrete, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(_lowered, "without_slow_ops", lambda _concrete: [])
        return lowered(concrete)


def traced(body, *rows):
    return tf.function(body, autograph=False).get_concrete_function(*rows)


def slow(kind, x):
    return getattr(tf.raw_ops, kind)(x=x)


@pytest.mark.parametrize("kind", SLOW)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_an_operation_is_lowered_to_the_same(kind, dtype, monkeypatch):
    concrete = traced(lambda x: (slow(kind, x), x), tf.TensorSpec([3, 4], dtype))
    assert all(kind not in [node.op for node in one.node_def] for one in _slow_ops.without_slow_ops(concrete))
    assert lowered(concrete) == as_tensorflow_does(concrete, monkeypatch)


def test_operations_in_branches_and_calls_are_lowered_to_the_same(monkeypatch):
    inner = tf.function(lambda x: tf.exp(tf.floor(x)) - 1.0, autograph=False)

    def body(x, truth):
        one = tf.cond(truth, lambda: tf.sqrt(inner(x)), lambda: tf.cast(tf.math.is_nan(x), tf.float32))
        other = tf.cond(truth, lambda: inner(one), lambda: tf.sign(one))
        return tf.where(tf.math.is_finite(one), tf.cos(other), one), inner(other)

    concrete = traced(body, tf.TensorSpec([5], "float32"), tf.TensorSpec([], tf.bool))
    made = _slow_ops.without_slow_ops(concrete)
    assert len(made) > 4
    assert not {node.op for one in made for node in one.node_def} & set(SLOW)
    assert lowered(concrete) == as_tensorflow_does(concrete, monkeypatch)


def test_nothing_is_changed_or_left_behind():
    concrete = traced(lambda x: tf.floor(x) * 2.0, tf.TensorSpec([3], "float32"))
    before = concrete.function_def.SerializeToString(deterministic=True)
    made = _slow_ops.without_slow_ops(concrete)
    _lowered.functions(concrete)
    assert concrete.function_def.SerializeToString(deterministic=True) == before
    assert not any(_stored.context().has_function(one.signature.name) for one in made)
    np.testing.assert_array_equal(concrete(tf.constant([1.5, -0.5, 2.0])), [2, -2, 4])


def test_other_operations_and_dtypes_stay():
    rows = tf.TensorSpec([3], "int32"), tf.TensorSpec([3], "float16")
    assert _slow_ops.without_slow_ops(traced(lambda x, y: (tf.abs(x), tf.floor(y)), *rows)) == []


def test_what_cannot_be_lowered_leaves_nothing_behind():
    concrete = traced(lambda x: tf.as_string(tf.floor(x)), tf.TensorSpec([3], "float32"))
    made = _slow_ops.without_slow_ops(concrete)
    with pytest.raises(ValueError, match="AsString"):
        _lowered.functions(concrete)
    assert made
    assert not any(_stored.context().has_function(one.signature.name) for one in made)


def test_functions_that_were_read_are_called_as_before(monkeypatch):
    # They are known by their definition alone, without sizes.
    def body(x, size):
        index = tf.nest.flatten(stored(_resize_tables.nearest_of_sizes)(size, size, size, size))
        return tf.floor(x), [tf.shape(one) for one in index]

    concrete = traced(body, tf.TensorSpec([3], "float64"), tf.TensorSpec([], "int32"))
    names = {one.signature.name for one in _slow_ops.without_slow_ops(concrete)}
    assert any(name.startswith("pipeport_") for name in names)
    inlined = traced(lambda x: body(x, tf.constant(5))[0], tf.TensorSpec([3], "float64"))
    assert lowered(inlined) == as_tensorflow_does(inlined, monkeypatch)
