"""Photographs decoded by TensorFlow: the augmentation of augment.py, ported, with a seed."""

import sys

import tensorflow as tf
from augment import augment, batched, decode, source
from loop import train

import pipeport
from pipeport.seeds import seeded_map


def build(folder):
    native = pipeport.port(augment)
    prepare = seeded_map(lambda path: native(decode(path)), 42, num_parallel_calls=tf.data.AUTOTUNE)
    return batched(source(folder).apply(prepare))


if __name__ == "__main__":
    train(build(sys.argv[1]))
