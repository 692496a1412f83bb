"""Volumes in `.npy` files: loaded, cropped, flipped, normalised."""

import numpy as np
import tensorflow as tf

from pipeport import numpy as native

WHOLE, CROP = (128, 128, 64), (96, 96, 48)
# Hounsfield units, from air to bone.
LOW, HIGH = -1000.0, 400.0


def prepare(path, corner, flipped):
    volume = np.load(path.decode()).astype(np.float32)
    volume = volume[tuple(slice(at, at + side) for at, side in zip(corner, CROP, strict=True))]
    volume = (np.clip(volume, LOW, HIGH) - LOW) / np.float32(HIGH - LOW)
    return np.flip(volume, 1) if flipped else volume


def before(paths, corners, flipped):
    """Behind tf.numpy_function."""

    def tf_prepare(*element):
        volume = tf.numpy_function(prepare, element, tf.float32)
        return tf.ensure_shape(volume, CROP)

    dataset = tf.data.Dataset.from_tensor_slices((paths, corners, flipped))
    return dataset.map(tf_prepare, num_parallel_calls=tf.data.AUTOTUNE)


def after(paths, corners, flipped):
    """In the graph."""

    def tf_prepare(path, corner, flipped):
        volume = native.load(path, dtype=tf.int16, shape=WHOLE)
        volume = tf.cast(tf.slice(volume, corner, CROP), tf.float32)
        volume = (tf.clip_by_value(volume, LOW, HIGH) - LOW) / (HIGH - LOW)
        if flipped:
            volume = native.flip(volume, 1)
        return volume

    dataset = tf.data.Dataset.from_tensor_slices((paths, corners, flipped))
    return dataset.map(tf_prepare, num_parallel_calls=tf.data.AUTOTUNE)
