"""Before: the body of numpy_function edits the array that it is given."""

import tensorflow as tf


def doubled(image):
    image *= 2
    return image


def build_dataset(images):
    cached = tf.data.Dataset.from_tensor_slices(images).cache()
    return cached.map(lambda image: tf.numpy_function(doubled, [image], tf.float32))


def build_repeated(image):
    repeated = tf.data.Dataset.from_tensors(image).repeat(3)
    return repeated.map(lambda image: tf.numpy_function(doubled, [image], tf.float32))
