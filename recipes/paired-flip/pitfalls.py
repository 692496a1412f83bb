"""The bugs of this migration, one function each; what a function returns is the evidence."""

import random
import threading

import numpy as np
import tensorflow as tf

from pipeport.errors import PipeportError
from pipeport.idioms import random_flip_pair
from pipeport.seeds import fold_in

IMAGE = np.arange(2 * 3 * 1, dtype=np.float32).reshape(2, 3, 1)
LABEL = IMAGE[..., 0].astype(np.int32)  # label k lies on pixel k


def label_flipped_along_all_axes():
    """np.flip without axis turns the label upside down as well: it no longer fits the image."""
    image, label = np.fliplr(IMAGE), np.flip(LABEL)
    return image[..., 0].astype(int).tolist(), label.tolist()


def two_draws_for_one_pair():
    """Image and label mapped one after the other: two draws, and pairs that come apart."""
    rng = np.random.default_rng(0)

    def maybe(array):
        return np.fliplr(array) if rng.random() < 0.5 else array

    pairs = tf.data.Dataset.from_tensors((IMAGE, LABEL)).repeat(32)
    flipped = pairs.map(lambda x, y: (tf.numpy_function(maybe, [x], tf.float32), y)).map(
        lambda x, y: (x, tf.numpy_function(maybe, [y], tf.int32))
    )
    return sum(bool((image[..., 0].numpy() == label.numpy()).all()) for image, label in flipped)


def frozen_at_trace_time():
    """The map function runs once, when it is traced: one draw for the dataset, for all epochs."""
    random.seed(0)

    def maybe(image, label):
        if random.random() < 0.5:  # Python, not TensorFlow
            return image, label
        return tf.reverse(image, [1]), tf.reverse(label, [1])

    flipped = tf.data.Dataset.from_tensors((IMAGE, LABEL)).repeat(32).map(maybe)
    return [{int(label[0, 0]) for _image, label in flipped} for _epoch in range(3)]


def same_seed_other_timing():
    """One seeded generator, two threads: which element gets which number depends on timing."""

    def draws(first):
        rng, turn = np.random.default_rng(0), threading.Event()

        def draw(index):
            if index != first:
                turn.wait(timeout=10)  # the other element happens to be slower
            number = rng.random()
            turn.set()
            return number

        numbers = tf.data.Dataset.range(2).map(
            lambda index: tf.numpy_function(draw, [index], tf.float64), num_parallel_calls=2
        )
        return [float(number) for number in numbers]

    return draws(first=0), draws(first=1)


def one_seed_for_all_elements():
    """A constant seed in the map function: every element gets the same draw."""
    pairs = tf.data.Dataset.from_tensors((IMAGE, LABEL)).repeat(32)
    constant = pairs.map(lambda x, y: random_flip_pair(x, y, seed=(42, 0)))
    by_index = pairs.enumerate().map(
        lambda index, pair: random_flip_pair(*pair, seed=fold_in((42, 0), index))
    )
    return [len({int(label[0, 0]) for _image, label in each}) for each in (constant, by_index)]


def same_flips_in_every_epoch():
    """The index alone repeats each epoch; with the epoch in the seed the flips differ."""
    pairs = tf.data.Dataset.from_tensors((IMAGE, LABEL)).repeat(32).enumerate()

    def flips(epoch):
        flipped = pairs.map(lambda index, pair: random_flip_pair(*pair, seed=fold_in((42, epoch), index)))
        return [int(label[0, 0]) for _image, label in flipped]

    return flips(0) == flips(0), flips(0) == flips(1)


def no_seed_at_all():
    """No seed is an error while tracing, not a constant."""
    try:
        random_flip_pair(IMAGE, LABEL)
    except PipeportError as error:
        return str(error)
