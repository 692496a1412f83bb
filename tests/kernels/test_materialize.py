"""What XLA keeps in memory is traced once, where its sizes are known."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

from pipeport.kernels.xla import _materialize


@pytest.mark.parametrize(("size", "times"), [((3, 4), 1), ((3, None), 2)])
def test_what_is_kept_is_traced_once_if_sizes_are_known(size, times):
    traced = []

    def kept(x):
        def make():
            traced.append(x.shape)
            return {"double": x * 2.0, "whole": tf.cast(x, tf.int32)}

        return _materialize.materialize(_materialize.opaque_true(x), make)

    concrete = tf.function(kept, autograph=False).get_concrete_function(tf.TensorSpec(size))
    assert len(traced) == times
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    found = concrete(tf.constant(x))
    np.testing.assert_array_equal(found["double"], x * 2)
    np.testing.assert_array_equal(found["whole"], x.astype(np.int32))
    assert concrete.structured_outputs["double"].shape.as_list() == list(size)


@pytest.mark.parametrize("size", [(3, 4), (3, None)])
def test_where_the_condition_is_false_the_shapes_are_filled(size):
    def filled(x, holds):
        def fill(shape, dtype):
            return tf.cast(tf.fill(shape, 7), dtype)

        return _materialize.or_filled(holds, lambda: (x * 2.0, tf.cast(x, tf.uint8)), fill)

    concrete = tf.function(filled, autograph=False).get_concrete_function(
        tf.TensorSpec(size), tf.TensorSpec([], tf.bool)
    )
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    numbers, bytes_ = concrete(tf.constant(x), tf.constant(False))
    assert (numbers.dtype, bytes_.dtype) == (tf.float32, tf.uint8)
    np.testing.assert_array_equal(numbers, np.full((3, 4), 7))
    np.testing.assert_array_equal(bytes_, np.full((3, 4), 7))
    np.testing.assert_array_equal(concrete(tf.constant(x), tf.constant(True))[0], x * 2)
