"""Before: the number of the step is a Python int, and each number is a trace of its own."""

import tensorflow as tf


@tf.function
def step(weight, gradient, number):
    rate = 0.1 * 0.99**number
    return weight - rate * gradient


def train(gradients, first=0):
    weight = tf.zeros(gradients.shape[1:])
    for number, gradient in enumerate(gradients, first):
        weight = step(weight, gradient, number)
    return weight
