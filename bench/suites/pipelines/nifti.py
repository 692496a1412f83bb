"""Patches of NIfTI scans and of their labels, at drawn places, mirrored half of the time."""

import sys
from pathlib import Path

import nibabel as nib
import numpy as np
import tensorflow as tf
from loop import train

SIDE = 48


def patch(path):
    path = path.decode()
    scan = nib.load(path).get_fdata(dtype=np.float32)
    labels = np.asarray(nib.load(path.replace("-scan", "-labels")).dataobj).astype(np.uint8)
    scan = np.clip((scan + 1000) / 1400, 0, 1)
    x = np.random.randint(0, scan.shape[0] - SIDE + 1)
    y = np.random.randint(0, scan.shape[1] - SIDE + 1)
    z = np.random.randint(0, scan.shape[2] - SIDE + 1)
    scan = scan[x : x + SIDE, y : y + SIDE, z : z + SIDE]
    labels = labels[x : x + SIDE, y : y + SIDE, z : z + SIDE]
    scan = (scan - scan.mean()) / (scan.std() + 1e-6)
    if np.random.rand() < 0.5:
        scan, labels = scan[::-1], labels[::-1]
    return scan[..., np.newaxis].astype(np.float32), labels


def tf_patch(path):
    scan, labels = tf.numpy_function(patch, [path], [tf.float32, tf.uint8])
    return tf.ensure_shape(scan, [SIDE, SIDE, SIDE, 1]), tf.ensure_shape(labels, [SIDE, SIDE, SIDE])


def paths_in(folder):
    return sorted(map(str, Path(folder).glob("*-scan.nii.gz")))


def source(paths):
    return tf.data.Dataset.from_tensor_slices(paths).shuffle(len(paths))


def batched(dataset):
    return dataset.batch(2).prefetch(tf.data.AUTOTUNE)


def build(folder):
    return batched(source(paths_in(folder)).map(tf_patch, num_parallel_calls=tf.data.AUTOTUNE))


if __name__ == "__main__":
    train(build(sys.argv[1]))
