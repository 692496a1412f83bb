"""After: the same function, ported: its draws go with the name of the file, to any machine."""

import random

import cv2
import numpy as np
import tensorflow as tf

from pipeport import port
from pipeport.seeds import seeded_map

SIDE = 224


def augment(path):
    image = cv2.imread(path.decode())[..., ::-1]
    image = cv2.resize(image, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    if random.random() < 0.5:
        image = image[:, ::-1]
    return np.clip(image * np.random.uniform(0.8, 1.2), 0, 255).astype(np.uint8)


def build_dataset(paths, parallel_calls=tf.data.AUTOTUNE, seed=42, epoch=0):
    """Give an image for each file, mirrored half of the time, brighter or darker."""
    files = tf.data.Dataset.from_tensor_slices(paths)
    return files.apply(
        seeded_map(
            port(augment),
            seed,
            epoch=epoch,
            index=lambda path: path,
            num_parallel_calls=parallel_calls,
        )
    )
