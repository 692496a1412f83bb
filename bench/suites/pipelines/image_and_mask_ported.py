"""Images and masks of a segmentation: the function of image_and_mask.py, ported, with a seed."""

import sys

import tensorflow as tf
from image_and_mask import batched, read, source
from loop import train

import pipeport
from pipeport.seeds import seeded_map


def build(folder):
    native = seeded_map(pipeport.port(read), 42, num_parallel_calls=tf.data.AUTOTUNE)
    return batched(source(folder).apply(native))


if __name__ == "__main__":
    train(build(sys.argv[1]))
