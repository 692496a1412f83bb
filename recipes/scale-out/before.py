"""Before: files read and augmented by OpenCV and NumPy, behind tf.numpy_function: in this process alone."""

import random

import cv2
import numpy as np
import tensorflow as tf

SIDE = 224


def augment(path):
    image = cv2.imread(path.decode())[..., ::-1]
    image = cv2.resize(image, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    if random.random() < 0.5:
        image = image[:, ::-1]
    return np.clip(image * np.random.uniform(0.8, 1.2), 0, 255).astype(np.uint8)


def tf_augment(path):
    image = tf.numpy_function(augment, [path], tf.uint8)
    return tf.ensure_shape(image, [SIDE, SIDE, 3])


def build_dataset(paths, parallel_calls=tf.data.AUTOTUNE):
    """Give an image for each file, mirrored half of the time, brighter or darker."""
    files = tf.data.Dataset.from_tensor_slices(paths)
    return files.map(tf_augment, num_parallel_calls=parallel_calls)
