# train.py
import numpy as np
import tensorflow as tf
from flowers.images import photographs
from flowers.prepare import brighter, grey, letterbox, standardised, upright


def augment(image):
    image = tf.numpy_function(brighter, [image], tf.uint8)
    return tf.ensure_shape(image, [64, 64, 3])


def prepare(image):
    image = tf.ensure_shape(upright(image), [128, 96, 3])
    image = tf.numpy_function(np.fliplr, [image], tf.uint8)
    image = tf.numpy_function(letterbox, [tf.ensure_shape(image, [128, 96, 3])], tf.uint8)
    return tf.ensure_shape(image, [64, 64, 3])


def finish(image):
    contrast = tf.py_function(grey, [image], tf.float32)  # for the second head
    image = tf.numpy_function(standardised, [image], tf.float32)
    return tf.ensure_shape(image, [64, 64, 3]), tf.ensure_shape(contrast, [64, 64])


def make_dataset():
    dataset = tf.data.Dataset.from_tensor_slices(photographs())
    return dataset.map(prepare).map(augment).map(finish).batch(16)


if __name__ == "__main__":
    print(sum(len(images) for images, _ in make_dataset()), "images")
