"""JPEG files read, resized and divided by 255: the function of read_resize.py, ported."""

import sys

import tensorflow as tf
from loop import train
from read_resize import batched, read, source

import pipeport


def build(folder):
    return batched(source(folder).map(pipeport.port(read), num_parallel_calls=tf.data.AUTOTUNE))


if __name__ == "__main__":
    train(build(sys.argv[1]))
