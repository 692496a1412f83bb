"""JPEG files read, resized and divided by 255."""

import sys
from pathlib import Path

import cv2
import numpy as np
import tensorflow as tf
from loop import train

SIDE = 224


def read(path):
    image = cv2.imread(path.decode())
    image = cv2.cvtColor(image, cv2.COLOR_BGR2RGB)
    image = cv2.resize(image, (SIDE, SIDE))
    return image.astype(np.float32) / 255.0


def tf_read(path):
    image = tf.numpy_function(read, [path], tf.float32)
    return tf.ensure_shape(image, [SIDE, SIDE, 3])


def source(folder):
    paths = sorted(map(str, Path(folder).glob("*.jpg")))
    return tf.data.Dataset.from_tensor_slices(paths).shuffle(len(paths))


def batched(dataset):
    return dataset.batch(32).prefetch(tf.data.AUTOTUNE)


def build(folder):
    return batched(source(folder).map(tf_read, num_parallel_calls=tf.data.AUTOTUNE))


if __name__ == "__main__":
    train(build(sys.argv[1]))
