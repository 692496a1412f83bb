"""After: the same function, ported; every draw depends on seed, epoch and element alone."""

import random

import numpy as np
import tensorflow as tf

from pipeport import port
from pipeport.seeds import seeded_map

SIDE = 224


def augment(image):
    top = np.random.randint(0, image.shape[0] - SIDE + 1)
    left = np.random.randint(0, image.shape[1] - SIDE + 1)
    image = image[top : top + SIDE, left : left + SIDE]
    if random.random() < 0.5:
        image = image[:, ::-1]
    image = image * np.random.uniform(0.8, 1.2)
    image = image + np.random.normal(0, 4, image.shape)
    return np.clip(image, 0, 255).astype(np.uint8)


def build_dataset(images, parallel_calls=tf.data.AUTOTUNE, seed=42, epochs=None):
    """Give a crop of each image, mirrored half of the time, brighter or darker, with noise."""
    dataset = tf.data.Dataset.from_tensor_slices(images)
    augmented = dataset.apply(
        seeded_map(port(augment), seed, epochs=epochs, num_parallel_calls=parallel_calls)
    )
    return augmented.map(lambda image: tf.ensure_shape(image, [SIDE, SIDE, 3]))  # a crop at a drawn place
