"""Before: scipy.ndimage.rotate at its default order 3, behind tf.numpy_function."""

import numpy as np
import tensorflow as tf
from scipy import ndimage


def turned(volume, angle):
    spline = ndimage.rotate(volume, angle, reshape=False)
    return np.clip(spline, 0, 1)  # a cubic spline leaves the range beside edges


def tf_turned(volume, angle):
    return tf.numpy_function(turned, [volume, angle], tf.float32)


def build_dataset(volumes, angles, parallel_calls=tf.data.AUTOTUNE):
    """Turn each float32 volume (H, W, D) in the plane of its slices, by its own angle in degrees."""
    dataset = tf.data.Dataset.from_tensor_slices((volumes, angles))
    return dataset.map(tf_turned, num_parallel_calls=parallel_calls)
