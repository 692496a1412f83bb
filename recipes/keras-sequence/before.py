"""Before: a Sequence of Keras' that loads a batch in Python, behind tf.numpy_function."""

import math

import cv2
import numpy as np
import tensorflow as tf

CLASSES = ["chelsea", "coffee", "rocket"]


def load(path):
    path = path.decode()
    image = cv2.cvtColor(cv2.imread(path), cv2.COLOR_BGR2RGB)
    image = cv2.resize(image, (224, 224)).astype(np.float32) / 255
    return image, CLASSES.index(path.split("/")[-2])


class Photographs(tf.keras.utils.Sequence):
    """Batches of images and the numbers of their classes; the last one may be smaller."""

    def __init__(self, paths, batch_size=8, **settings):
        super().__init__(**settings)
        self.paths, self.batch_size = paths, batch_size

    def __len__(self):
        return math.ceil(len(self.paths) / self.batch_size)

    def __getitem__(self, index):
        first = index * self.batch_size
        images, labels = zip(*map(load, self.paths[first : first + self.batch_size]), strict=True)
        return np.stack(images), np.array(labels)


def build_dataset(paths, parallel_calls=tf.data.AUTOTUNE):
    """Give each batch of the Sequence, as `model.fit` asks for them."""
    sequence = Photographs([str(path).encode() for path in paths])
    kinds = (tf.float32, tf.int64)
    return tf.data.Dataset.range(len(sequence)).map(
        lambda index: tf.numpy_function(sequence.__getitem__, [index], kinds),
        num_parallel_calls=parallel_calls,
    )
