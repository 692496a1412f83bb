"""Before: the function traces what arrives; a model saved before its first call has nothing to serve."""

import tensorflow as tf


class Scorer(tf.Module):
    def __init__(self, weights):
        super().__init__()
        self.weights = tf.Variable(weights)

    @tf.function
    def score(self, rows):
        return tf.linalg.matvec(rows, self.weights)


def save(weights, folder):
    tf.saved_model.save(Scorer(weights), folder)
