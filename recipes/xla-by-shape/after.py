"""After: lengths are rounded up to powers of two, and what is added does not count."""

import tensorflow as tf


@tf.function(jit_compile=True)
def spread(values, count):
    there = tf.cast(tf.range(tf.shape(values)[0]) < count, values.dtype)
    count = tf.cast(count, values.dtype)
    centred = (values - tf.reduce_sum(values * there) / count) * there
    return tf.sqrt(tf.reduce_sum(centred * centred) / count)


def spread_of(values):
    count = values.shape[0]
    size = 1 << (count - 1).bit_length()
    return spread(tf.pad(values, [[0, size - count]]), tf.constant(count))
