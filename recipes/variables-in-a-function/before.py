"""Before: one function for all models, which make their weights when they are first called."""

import tensorflow as tf


class Model(tf.Module):
    weights = None

    def __call__(self, x):
        if self.weights is None:  # the number of columns is not known sooner
            self.weights = tf.Variable(tf.ones([x.shape[-1]]))
        return tf.linalg.matvec(x, self.weights)


@tf.function
def predict(model, x):
    return model(x)


def predictor(model):
    return lambda x: predict(model, x)
