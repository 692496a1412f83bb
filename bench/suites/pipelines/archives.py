"""Archives of sensor readings: six channels standardised, a window at a drawn place, scaled, with noise."""

import sys
from pathlib import Path

import numpy as np
import tensorflow as tf
from loop import train

STEPS, CHANNELS = 1024, 6


def window(path):
    with np.load(path.decode()) as archive:
        readings = archive["readings"].astype(np.float32)
        label = archive["label"].astype(np.int32)
    readings = (readings - readings.mean(axis=0)) / (readings.std(axis=0) + 1e-6)
    begin = np.random.randint(0, readings.shape[0] - STEPS + 1)
    readings = readings[begin : begin + STEPS]
    readings = readings * np.random.normal(1.0, 0.1, (1, CHANNELS))
    readings = readings + np.random.normal(0.0, 0.05, readings.shape)
    return readings.astype(np.float32), label


def tf_window(path):
    readings, label = tf.numpy_function(window, [path], [tf.float32, tf.int32])
    return tf.ensure_shape(readings, [STEPS, CHANNELS]), tf.ensure_shape(label, [])


def paths_in(folder):
    return sorted(map(str, Path(folder).glob("*.npz")))


def source(paths):
    return tf.data.Dataset.from_tensor_slices(paths).shuffle(len(paths))


def batched(dataset):
    return dataset.batch(32).prefetch(tf.data.AUTOTUNE)


def build(folder):
    return batched(source(paths_in(folder)).map(tf_window, num_parallel_calls=tf.data.AUTOTUNE))


if __name__ == "__main__":
    train(build(sys.argv[1]))
