"""Before: patches of NIfTI volumes and their labels, read by nibabel, behind tf.numpy_function."""

import nibabel as nib
import numpy as np
import tensorflow as tf

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


def tf_patch(path):
    scan, labels = tf.numpy_function(patch, [path], (tf.float32, tf.uint8))
    return tf.ensure_shape(scan, [SIDE, SIDE, SIDE, 1]), tf.ensure_shape(labels, [SIDE, SIDE, SIDE])


def build_dataset(paths, parallel_calls=tf.data.AUTOTUNE):
    """Give a patch of each scan, at a drawn place and mirrored half of the time, with its labels."""
    return tf.data.Dataset.from_tensor_slices(paths).map(tf_patch, num_parallel_calls=parallel_calls)
