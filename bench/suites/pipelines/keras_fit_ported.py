"""Keras' fit on photographs in memory: the functions of keras_fit.py, ported, with a seed."""

import sys

import tensorflow as tf
from keras_fit import augment, batched, fit, scaled, sources

import pipeport
from pipeport.seeds import seeded_map


def build(folder):
    native, plain = pipeport.port(augment), pipeport.port(scaled)
    training, validation = sources(folder)
    training = training.apply(
        seeded_map(lambda image, label: (native(image), label), 42, num_parallel_calls=tf.data.AUTOTUNE)
    )
    validation = validation.map(
        lambda image, label: (plain(image), label), num_parallel_calls=tf.data.AUTOTUNE
    )
    return batched(training), batched(validation)


if __name__ == "__main__":
    fit(*build(sys.argv[1]))
