"""Files read and resized: bytes as OpenCV has them, and red first in [0, 1]."""

import cv2
import numpy as np
import tensorflow as tf

from pipeport import cv2 as native


def read(path):
    return cv2.resize(cv2.imread(path.decode()), (224, 224))


def read_scaled(path):
    return read(path)[..., ::-1] / np.float32(255)


def read_nearest(path):
    return cv2.resize(cv2.imread(path.decode()), (224, 224), interpolation=cv2.INTER_NEAREST)


def native_read(path):
    return native.resize(native.imread(path), (224, 224))


def native_read_scaled(path):
    image = native.resize(native.imread(path, native.IMREAD_COLOR_RGB), (224, 224))
    return tf.cast(image, tf.float32) / 255


def native_read_nearest(path):
    return native.resize(native.imread(path), (224, 224), interpolation=native.INTER_NEAREST)


def mapped(paths, body):
    return tf.data.Dataset.from_tensor_slices(paths).map(body, num_parallel_calls=tf.data.AUTOTUNE)


def bounded(body, dtype):
    def tf_read(path):
        return tf.ensure_shape(tf.numpy_function(body, [path], dtype), (224, 224, 3))

    return tf_read


def before(paths):
    """Behind tf.numpy_function, to float32."""
    return mapped(paths, bounded(read_scaled, tf.float32))


def after(paths):
    """In the graph, to float32."""
    return mapped(paths, native_read_scaled)


def before_bytes(paths):
    """Behind tf.numpy_function, bytes."""
    return mapped(paths, bounded(read, tf.uint8))


def after_bytes(paths):
    """In the graph, bytes."""
    return mapped(paths, native_read)


def before_plain_map(paths):
    """Behind tf.numpy_function, bytes, by a map that names no number of calls."""
    return tf.data.Dataset.from_tensor_slices(paths).map(bounded(read, tf.uint8))


def after_plain_map(paths):
    """In the graph, bytes, by a map that names no number of calls."""
    return tf.data.Dataset.from_tensor_slices(paths).map(native_read)


def before_nearest(paths):
    """Behind tf.numpy_function, the nearest pixels."""
    return mapped(paths, bounded(read_nearest, tf.uint8))


def after_nearest(paths):
    """In the graph, the nearest pixels."""
    return mapped(paths, native_read_nearest)
