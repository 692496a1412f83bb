"""What keeps a boundary in Python, and what stays right all the same."""

import random

import numpy as np
import tensorflow as tf

import pipeport

IMAGES = np.arange(4 * 6 * 5, dtype=np.uint8).reshape(4, 6, 5)


def images():
    return tf.data.Dataset.from_tensor_slices(IMAGES)


def effect_in_the_function():
    """A trial would count images that nobody asked for: the boundary stays, and the count is right."""
    counted = []

    def doubled(image):
        counted.append(1)
        return image * np.float32(2)

    with pipeport.install(prefer_native=True) as report:
        dataset = images().map(lambda image: tf.numpy_function(doubled, [image], tf.float32))
    len(list(dataset))
    return [one.code for one in report.verdicts], len(counted)


def epoch_of_milliseconds():
    """Four small images: a trial would cost more than it can win. Equality alone decides by prefer_native."""

    def doubled(image):
        return image * np.float32(2)

    codes = []
    for settings in ({}, {"prefer_native": True}):
        with pipeport.install(**settings) as report:
            images().map(lambda image: tf.numpy_function(doubled, [image], tf.float32))
        codes.append([one.code for one in report.verdicts])
    return codes


class Brighter:
    """An augmentation that a callback makes stronger."""

    def __init__(self):
        self.gain = 1.0

    def __call__(self, image):
        return image * np.float32(self.gain)

    def strengthen(self):
        self.gain = 2.0


def value_changed_later():
    """A graph would keep the gain that it was made with; since a method assigns it, the boundary stays."""
    brighter = Brighter()
    with pipeport.install(prefer_native=True) as report:
        dataset = images().map(lambda image: tf.numpy_function(brighter, [image], tf.float32))
    largest = [float(np.max(list(dataset.as_numpy_iterator())))]
    brighter.strengthen()
    largest.append(float(np.max(list(dataset.as_numpy_iterator()))))
    return [one.code for one in report.verdicts], largest


def generator_in_front():
    """A trial would take elements from a generator that goes on; one that begins anew can be read."""

    def doubled(image):
        return image * np.float32(2)

    spec = tf.TensorSpec([6, 5], tf.uint8)
    going_on = iter(IMAGES)
    codes = []
    for rows in (lambda: going_on, lambda: iter(IMAGES)):
        dataset = tf.data.Dataset.from_generator(rows, output_signature=spec)
        with pipeport.install(prefer_native=True) as report:
            dataset.map(lambda image: tf.numpy_function(doubled, [image], tf.float32))
        codes.append([one.code for one in report.verdicts])
    return codes


def draws_of_the_graph():
    """A native form draws from TensorFlow's generators, so tf.random.set_seed repeats it; --exact refuses."""

    def noisy(image):
        return image + np.float32(random.random())

    firsts = []
    for settings in ({}, {}, {"exact": True}):
        with pipeport.install(prefer_native=True, **settings) as report:
            tf.random.set_seed(3)
            dataset = images().map(lambda image: tf.numpy_function(noisy, [image], tf.float32))
            firsts.append(float(next(iter(dataset))[0, 0]))
    return firsts[0] == firsts[1], 0 <= firsts[0] < 1, [one.code for one in report.verdicts]


def wrong_static_shape():
    """Behind numpy_function nobody checks `set_shape`; with a native form it fails, so none is taken."""

    def doubled(image):
        return image * np.float32(2)

    def prepare(image):
        image = tf.numpy_function(doubled, [image], tf.float32)
        image.set_shape([6, 7])
        return tf.reduce_sum(image)

    with pipeport.install(prefer_native=True) as report:
        dataset = images().map(prepare)
    return [one.code for one in report.verdicts], float(next(iter(dataset)))
