"""After: the same call, without the boundary."""

import tensorflow as tf

from pipeport.scipy.ndimage import rotate


def turned(volume, angle):
    spline = rotate(volume, angle, reshape=False)
    return tf.clip_by_value(spline, 0, 1)  # a cubic spline leaves the range beside edges


def build_dataset(volumes, angles, parallel_calls=tf.data.AUTOTUNE):
    """Turn each float32 volume (H, W, D) in the plane of its slices, by its own angle in degrees."""
    dataset = tf.data.Dataset.from_tensor_slices((volumes, angles))
    return dataset.map(turned, num_parallel_calls=parallel_calls)
