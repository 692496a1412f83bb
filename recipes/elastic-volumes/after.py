"""After: the same function, ported; every draw depends on seed, epoch and element alone."""

import numpy as np
import tensorflow as tf
from scipy.ndimage import gaussian_filter, map_coordinates

from pipeport import port
from pipeport.seeds import seeded_map

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


def build_dataset(volumes, labels, parallel_calls=tf.data.AUTOTUNE, seed=42):
    """Give each float32 volume (H, W, D) and its uint8 labels, bent alike."""
    dataset = tf.data.Dataset.from_tensor_slices((volumes, labels))
    return dataset.apply(seeded_map(port(deform), seed, num_parallel_calls=parallel_calls))
