"""Files read by OpenCV, resized, flipped, made brighter."""

import cv2
import numpy as np
import tensorflow as tf

from pipeport import cv2 as native


def augment(path, flipped, brighter):
    image = cv2.cvtColor(cv2.imread(path.decode()), cv2.COLOR_BGR2RGB)
    image = cv2.resize(image, (224, 224))
    if flipped:
        image = cv2.flip(image, 1)
    return np.clip(image.astype(np.float32) / 255 + brighter, 0, 1)


def before(paths, flipped, brighter):
    """Behind tf.numpy_function."""

    def tf_augment(*element):
        image = tf.numpy_function(augment, element, tf.float32)
        return tf.ensure_shape(image, (224, 224, 3))

    dataset = tf.data.Dataset.from_tensor_slices((paths, flipped, brighter))
    return dataset.map(tf_augment, num_parallel_calls=tf.data.AUTOTUNE)


def after(paths, flipped, brighter):
    """In the graph."""

    def tf_augment(path, flipped, brighter):
        image = native.imread(path, native.IMREAD_COLOR_RGB)
        image = native.resize(image, (224, 224))
        if flipped:
            image = native.flip(image, 1)
        return tf.clip_by_value(tf.cast(image, tf.float32) / 255 + brighter, 0, 1)

    dataset = tf.data.Dataset.from_tensor_slices((paths, flipped, brighter))
    return dataset.map(tf_augment, num_parallel_calls=tf.data.AUTOTUNE)
