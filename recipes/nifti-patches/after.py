"""After: the same function, ported; every draw depends on seed, epoch and element alone."""

import nibabel as nib
import numpy as np
import tensorflow as tf

from pipeport import port
from pipeport.seeds import seeded_map

SIDE = 32


def patch(path):
    path = path.decode()
    scan = nib.load(path).get_fdata(dtype=np.float32)
    labels = np.asarray(nib.load(path.replace("/scan", "/labels")).dataobj).astype(np.uint8)
    scan = np.clip((scan + 1000) / 1400, 0, 1)  # Hounsfield units: air to bone
    x = np.random.randint(0, scan.shape[0] - SIDE + 1)
    y = np.random.randint(0, scan.shape[1] - SIDE + 1)
    z = np.random.randint(0, scan.shape[2] - SIDE + 1)
    scan = scan[x : x + SIDE, y : y + SIDE, z : z + SIDE]
    labels = labels[x : x + SIDE, y : y + SIDE, z : z + SIDE]
    if np.random.rand() < 0.5:
        scan, labels = scan[::-1], labels[::-1]
    return scan[..., np.newaxis], labels


def build_dataset(paths, parallel_calls=tf.data.AUTOTUNE, seed=42):
    """Give a patch of each scan, at a drawn place and mirrored half of the time, with its labels."""
    native = port(patch, example=(str(paths[0]).encode(),))  # volumes have three axes
    dataset = tf.data.Dataset.from_tensor_slices(paths)
    patches = dataset.apply(seeded_map(native, seed, num_parallel_calls=parallel_calls))
    return patches.map(lambda scan, labels: (scan, tf.ensure_shape(labels, [SIDE, SIDE, SIDE])))
