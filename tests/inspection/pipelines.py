"""Datasets that call Python, as people write them, and factories that go wrong."""

from __future__ import annotations

import functools
import time

import cv2
import numpy as np
import tensorflow as tf

SIDE = 8


def turn(image):
    return np.rot90(image, 1).astype(np.float32) / 255


def denoise(image, strength=3):
    return cv2.fastNlMeansDenoising(image, h=strength)


class Shift:
    def __init__(self, by):
        self.by = by

    def __call__(self, image):
        return image + np.float32(self.by)

    def method(self, image):
        return image * np.float32(self.by)


def images():
    for number in range(16):
        yield np.full([SIDE, SIDE], number, np.uint8)


def turned():
    """One boundary that can go, without parallelism or prefetch."""
    rows = tf.data.Dataset.from_tensor_slices(np.zeros([64, SIDE, SIDE], np.uint8))
    return rows.map(lambda image: tf.numpy_function(turn, [image], tf.float32)).batch(4)


def every_form():
    """A generator, a partial, an object, a method, a lambda and a function of NumPy."""
    one = tf.TensorSpec([SIDE, SIDE], tf.uint8)
    ds = tf.data.Dataset.from_generator(images, output_signature=one)
    strong = functools.partial(denoise, strength=5)
    ds = ds.map(lambda image: tf.numpy_function(strong, [image], tf.uint8), num_parallel_calls=2)
    ds = ds.map(lambda image: tf.cast(tf.ensure_shape(image, [SIDE, SIDE]), tf.float32)).cache()
    ds = ds.map(
        lambda image: tf.py_function(lambda x: x + 1, [image], tf.float32),
        num_parallel_calls=tf.data.AUTOTUNE,
    )
    shift = Shift(2)
    ds = ds.map(lambda image: tf.numpy_function(shift, [image], tf.float32))
    ds = ds.map(lambda image: tf.numpy_function(shift.method, [image], tf.float32))
    ds = ds.map(lambda image: tf.numpy_function(np.fliplr, [image], tf.float32, stateful=False))
    return ds.shuffle(10).batch(4).repeat().take(5).prefetch(tf.data.AUTOTUNE)


def slow(image):
    time.sleep(0.002)
    return image


def late(number):
    time.sleep(1)
    return number


def with_one_slow_stage():
    rows = tf.data.Dataset.from_tensor_slices(np.zeros([4, SIDE, SIDE], np.uint8)).repeat()
    rows = rows.map(lambda image: image + 1, num_parallel_calls=2)
    rows = rows.map(lambda image: tf.numpy_function(slow, [image], tf.uint8))
    return rows.batch(2).prefetch(2)


def without_end():
    return turned().repeat()


def empty():
    return tf.data.Dataset.range(8).filter(lambda x: x > 10)


def look_up(label):
    raise KeyError("no such label")


def failing():
    return tf.data.Dataset.range(8).map(lambda x: tf.numpy_function(look_up, [x], tf.int64))


def no_python():
    return tf.data.Dataset.range(8).batch(2)


@tf.function
def step(image):
    return tf.numpy_function(turn, [image], tf.float32)


made = no_python()


def with_arguments(folder):
    return folder


def raising():
    raise ValueError("the folder is empty")


def nothing():
    return None
