"""After: a variable is read where it is."""

import tensorflow as tf

table = tf.Variable(tf.zeros([1000, 64]))


@tf.function
def embed(words):
    return tf.gather(table, words)


def train(rows, values):
    table.scatter_nd_update([[row] for row in rows], values)
