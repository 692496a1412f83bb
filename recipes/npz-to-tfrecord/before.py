"""Before: one .npz archive per example, read by NumPy behind tf.numpy_function."""

from pathlib import Path

import numpy as np
import tensorflow as tf


def read(path):
    with np.load(path.decode()) as archive:
        return archive["image"], archive["label"]


def tf_read(path):
    return tf.numpy_function(read, [path], (tf.float32, tf.int64))


def build_dataset(folder, parallel_calls=tf.data.AUTOTUNE):
    """Give image and label of every archive in a folder."""
    paths = sorted(str(path) for path in Path(folder).glob("*.npz"))
    return tf.data.Dataset.from_tensor_slices(paths).map(tf_read, num_parallel_calls=parallel_calls)
