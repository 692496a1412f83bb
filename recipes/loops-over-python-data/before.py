"""Before: a loop over a Python list runs while the function is traced."""

import tensorflow as tf


def read(first, count):
    return [float(number) for number in range(first, first + count)]


@tf.function
def norm(values):
    total = tf.constant(0.0)
    for value in values:
        total += tf.square(value)
    return tf.sqrt(total)
