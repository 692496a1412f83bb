"""After: a dataset of the same paths; a map of the same function, ported; then `batch`."""

import cv2
import numpy as np
import tensorflow as tf

from pipeport import port

CLASSES = ["chelsea", "coffee", "rocket"]


def load(path):
    path = path.decode()
    image = cv2.cvtColor(cv2.imread(path), cv2.COLOR_BGR2RGB)
    image = cv2.resize(image, (224, 224)).astype(np.float32) / 255
    return image, CLASSES.index(path.split("/")[-2])


def build_dataset(paths, parallel_calls=tf.data.AUTOTUNE, batch_size=8):
    """Give batches of images and the numbers of their classes; the last one may be smaller."""
    paths = tf.data.Dataset.from_tensor_slices(paths)
    return paths.map(port(load), num_parallel_calls=parallel_calls).batch(batch_size)
