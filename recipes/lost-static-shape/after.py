"""After: the native gives the shape back, and leaves Python out."""

import tensorflow as tf

from pipeport import numpy


def flipped(image):
    return numpy.fliplr(image)


def build_dataset(images):
    return tf.data.Dataset.from_tensor_slices(images).map(flipped)
