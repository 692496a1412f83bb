"""Before: XLA compiles a program for every length that comes along."""

import tensorflow as tf


@tf.function(jit_compile=True)
def spread(values):
    centred = values - tf.reduce_mean(values)
    return tf.sqrt(tf.reduce_mean(centred * centred))


def spread_of(values):
    return spread(values)
