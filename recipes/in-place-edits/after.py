"""After: the operator of a tensor makes another one."""

import tensorflow as tf


def doubled(image):
    image *= 2
    return image


def build_dataset(images):
    return tf.data.Dataset.from_tensor_slices(images).cache().map(doubled)


def build_repeated(image):
    return tf.data.Dataset.from_tensors(image).repeat(3).map(doubled)
