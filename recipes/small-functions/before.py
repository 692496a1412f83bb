"""Before: a tf.function around a single small op, called from a Python loop."""

import tensorflow as tf


@tf.function
def step(value):
    return 0.5 * value + 1.0


def settled(value, steps):
    for _ in range(steps):
        value = step(value)
    return value
