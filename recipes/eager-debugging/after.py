"""After: the switch is on for one block, and then as it was."""

import contextlib

import tensorflow as tf


@contextlib.contextmanager
def eagerly():
    before = tf.config.functions_run_eagerly()
    tf.config.run_functions_eagerly(True)
    try:
        yield
    finally:
        tf.config.run_functions_eagerly(before)


@tf.function
def entropy(counts):
    share = counts / tf.reduce_sum(counts)
    print(share)
    return -tf.reduce_sum(share * tf.math.log(share))


def look(counts):
    with eagerly():
        return entropy(counts)
