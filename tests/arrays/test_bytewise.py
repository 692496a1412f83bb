"""Functions of bytes by a table."""

import numpy as np
import pytest
import tensorflow as tf

from pipeport.arrays._bytewise import bytewise
from tests.arrays.engines import ENGINES, compiled, same

pytestmark = pytest.mark.both

FUNCTIONS = {
    "float16": lambda x: tf.sqrt(tf.abs(tf.cast(x, tf.float16))),
    "float64": lambda x: tf.cast(x, tf.float64) / 8,
    "int64": lambda x: tf.cast(x, tf.int64) * 3,
    "bool": lambda x: x > 5,
    "uint8": lambda x: tf.cast(x, tf.uint8),
}
RANDOM = np.random.default_rng(0)


def counting(function, seen):
    def counted(x):
        seen.append(x.shape.num_elements())
        return function(x)

    return counted


@pytest.mark.parametrize("engine", [*ENGINES, compiled])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_bytes_of_any_shape(name, engine):
    function = FUNCTIONS[name]

    def by_table(x):
        return bytewise(function, x)

    for dtype in ("uint8", "int8"):
        for shape in ((), (0,), (0, 3), (40, 30, 1), (7, 3)):
            x = RANDOM.integers(0, 256, shape, np.uint8).view(dtype)
            same(engine(by_table, x), function(tf.constant(x)).numpy())


def test_a_table_is_made_of_256_values_where_bytes_are_many():
    for x, calls in (
        (tf.zeros([64, 64], tf.uint8), [256]), (tf.zeros([64, 64], tf.int8), [256]),
        (tf.zeros([4], tf.uint8), [4]), (tf.zeros([64, 64], tf.int32), [4096]), (tf.zeros([64, 64]), [4096]),
    ):  # fmt: skip
        seen = []
        found = bytewise(counting(tf.identity, seen), x)
        assert seen == calls
        assert found.dtype == x.dtype
