"""Lines of annotations: the function of boxes.py, ported, with a seed."""

import sys

import tensorflow as tf
from boxes import batched, example, source
from loop import train

import pipeport
from pipeport.seeds import seeded_map


def build(folder):
    native = seeded_map(pipeport.port(example), 42, num_parallel_calls=tf.data.AUTOTUNE)
    return batched(source(folder).apply(native))


if __name__ == "__main__":
    train(build(sys.argv[1]))
