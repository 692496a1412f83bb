"""Before: scikit-image's rotate, behind tf.numpy_function."""

import numpy as np
import tensorflow as tf
from skimage.transform import rotate


def rotate_bytes(image, angle):
    rotated = rotate(image, angle, mode="reflect", preserve_range=True)  # float64
    return np.rint(rotated).astype(np.uint8)


def tf_rotate(image, angle):
    return tf.numpy_function(rotate_bytes, [image, angle], tf.uint8)


def build_dataset(images, angles, parallel_calls=tf.data.AUTOTUNE):
    """Rotate each uint8 image by its own angle, in degrees, counter-clockwise."""
    dataset = tf.data.Dataset.from_tensor_slices((images, angles))
    return dataset.map(tf_rotate, num_parallel_calls=parallel_calls)
