"""Before: the body of numpy_function edits the array that it is given."""

import tensorflow as tf


def doubled(image):
    image *= 2
    return image


def build_dataset(images):
    cached = tf.data.Dataset.from_tensor_slices(images).cache()
    return cached.map(lambda image: tf.numpy_function(doubled, [image], tf.float32))
