"""After: tf.print is part of the graph, and what is to be kept is returned."""

import tensorflow as tf


@tf.function
def step(batch):
    loss = tf.reduce_mean(batch * batch)
    tf.print("loss", loss)
    return loss


def train(batches):
    losses = []
    for batch in batches:
        losses.append(step(batch))
    return losses
