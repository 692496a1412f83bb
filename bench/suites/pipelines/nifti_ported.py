"""Patches of NIfTI scans: the function of nifti.py, ported by an example, with a seed."""

import sys

import tensorflow as tf
from loop import train
from nifti import batched, patch, paths_in, source

import pipeport
from pipeport.seeds import seeded_map


def build(folder):
    paths = paths_in(folder)
    native = pipeport.port(patch, example=(paths[0].encode(),))  # volumes have three axes
    return batched(source(paths).apply(seeded_map(native, 42, num_parallel_calls=tf.data.AUTOTUNE)))


if __name__ == "__main__":
    train(build(sys.argv[1]))
