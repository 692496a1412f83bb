"""After: each model has a function of its own."""

import tensorflow as tf


class Model(tf.Module):
    weights = None

    def __call__(self, x):
        if self.weights is None:  # the number of columns is not known sooner
            self.weights = tf.Variable(tf.ones([x.shape[-1]]))
        return tf.linalg.matvec(x, self.weights)


def predictor(model):
    @tf.function
    def predict(x):
        return model(x)

    return predict
