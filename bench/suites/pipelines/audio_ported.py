"""Sound files: the function of audio.py, ported by an example, with a seed."""

import sys

import tensorflow as tf
from audio import batched, paths_in, source, spectrogram
from loop import train

import pipeport
from pipeport.seeds import seeded_map


def build(folder):
    paths = paths_in(folder)
    native = pipeport.port(spectrogram, example=(paths[0].encode(),))  # one channel
    return batched(source(paths).apply(seeded_map(native, 42, num_parallel_calls=tf.data.AUTOTUNE)))


if __name__ == "__main__":
    train(build(sys.argv[1]))
