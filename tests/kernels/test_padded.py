"""Borders of one value."""

import numpy as np
import pytest
import tensorflow as tf

from pipeport.kernels.layout._padded import padded

pytestmark = pytest.mark.both

IMAGE = [(1, 2), (0, 3), (0, 0)]
CASES = [
    ((4, 5, 3), IMAGE), ((4, 5, 3), [(1, 0), (0, 0), (0, 0)]), ((4, 5, 3), [(0, 0)] * 3), ((5,), [(1, 2)]),
    ((4, 5, 3), [(1, 2), (0, 3), (1, 0)]), ((2, 4, 5, 3), [(0, 0), (2, 2), (1, 1), (0, 0)]), ((), []),
    ((4, 5, 1), IMAGE), ((0, 5, 3), IMAGE), ((4, 0, 3), IMAGE), ((4, 5, 0), IMAGE),
]  # fmt: skip


def forms(shape, widths, fill):
    """Eagerly, and in graphs that know all sizes, none, and those of the last axis."""

    def function(x):
        return padded(x, widths, tf.constant(fill))

    yield function
    some = [*[None] * len(shape[:-1]), *shape[-1:]]
    for known in (shape, [None] * len(shape), some):
        yield tf.function(function, autograph=False, input_signature=[tf.TensorSpec(known, fill.dtype)])


@pytest.mark.parametrize(("shape", "widths"), CASES)
def test_as_numpy(shape, widths):
    for dtype in ("uint8", "float32", "bool"):
        x = (np.arange(np.prod(shape)) % 7).reshape(shape).astype(dtype)
        fill = np.array(-0.0 if dtype == "float32" else 1, dtype)
        wanted = np.pad(x, widths, constant_values=fill) if widths else x
        eager, static, *others = forms(shape, widths, fill)
        assert static.get_concrete_function().output_shapes == wanted.shape
        for form in (eager, static, *others):
            found = form(tf.constant(x))
            np.testing.assert_array_equal(found, wanted)
            np.testing.assert_array_equal(np.signbit(np.float32(found)), np.signbit(np.float32(wanted)))


def test_widths_of_the_graph():
    x = np.arange(60, dtype=np.uint8).reshape(4, 5, 3)

    @tf.function(input_signature=[tf.TensorSpec([None, None, 3], tf.uint8), tf.TensorSpec([], tf.int32)])
    def function(x, width):
        return padded(x, [(width, 1), (0, width), (0, 0)], tf.constant(9, tf.uint8))

    for width in (0, 2):
        wanted = np.pad(x, [(width, 1), (0, width), (0, 0)], constant_values=9)
        np.testing.assert_array_equal(function(x, width), wanted)
    assert function.get_concrete_function().output_shapes.as_list() == [None, None, 3]


def test_columns_and_channels_are_one_axis():
    def kinds(channels):
        graph = tf.function(lambda x: padded(x, IMAGE, tf.constant(0, tf.uint8)))
        concrete = graph.get_concrete_function(tf.TensorSpec([4, 5, channels], tf.uint8))
        return [
            one.inputs[0].shape.rank for one in concrete.graph.get_operations() if one.type.startswith("Pad")
        ]

    assert kinds(3) == [2]
    assert kinds(None) == [3]
