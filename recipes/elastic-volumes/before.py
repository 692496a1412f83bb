"""Before: elastic deformation of volumes and their labels by SciPy, behind tf.numpy_function."""

import numpy as np
import tensorflow as tf
from scipy.ndimage import gaussian_filter, map_coordinates

ALPHA, SIGMA = 120.0, 6.0  # how far, and how smoothly, in voxels


def deform(volume, labels):
    shape = volume.shape
    grid = np.meshgrid(*[np.arange(side) for side in shape], indexing="ij")
    places = []
    for axis in range(3):
        field = gaussian_filter(np.random.uniform(-1, 1, shape), SIGMA, mode="constant")
        places.append(grid[axis] + ALPHA * field)
    volume = map_coordinates(volume, places, order=1, mode="reflect")
    labels = map_coordinates(labels, places, order=0, mode="reflect")
    return volume.astype(np.float32), labels.astype(np.uint8)


def tf_deform(volume, labels):
    moved, classes = tf.numpy_function(deform, [volume, labels], (tf.float32, tf.uint8))
    return tf.ensure_shape(moved, volume.shape), tf.ensure_shape(classes, labels.shape)


def build_dataset(volumes, labels, parallel_calls=tf.data.AUTOTUNE):
    """Give each float32 volume (H, W, D) and its uint8 labels, bent alike."""
    dataset = tf.data.Dataset.from_tensor_slices((volumes, labels))
    return dataset.map(tf_deform, num_parallel_calls=parallel_calls)
