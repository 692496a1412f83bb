"""The bugs of this migration, one function each; what a function returns is the evidence."""

import numpy as np
import tensorflow as tf

from pipeport import port
from pipeport.errors import PipeportError

BATCHES, SIZE = 6, 4


class Numbers(tf.keras.utils.Sequence):
    """Batches of the numbers from 0 on, and which of them were asked for."""

    def __init__(self, **settings):
        super().__init__(**settings)
        self.asked = []

    def __len__(self):
        return BATCHES

    def __getitem__(self, index):
        self.asked.append(index)
        numbers = np.arange(SIZE * index, SIZE * (index + 1), dtype=np.float32)[:, np.newaxis]
        return numbers, 2 * numbers


def numbers(count=BATCHES * SIZE):
    return tf.data.Dataset.range(count)


def gain(number):
    return np.float32(number), 2 * np.float32(number)


def batch_as_a_whole():
    """`__getitem__` takes a number and a list of paths: what `port` says, and the shapes of an element."""
    paths = [b"a.jpg", b"b.jpg"]

    def batch(index):
        return [path.decode() for path in paths[index : index + 2]]

    try:
        numbers().map(port(batch))
    except PipeportError as error:
        return str(error), numbers().map(port(gain)).batch(SIZE).element_spec[0].shape.as_list()


def shuffled_by_fit():
    """`fit` shuffles batches of a Sequence: whether they stay whole; and those of a dataset of neighbours."""
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(loss="mse")
    sequence = Numbers()
    model.fit(sequence, epochs=1, shuffle=True, verbose=0)
    order = sequence.asked[-BATCHES:]
    whole = sorted(order) == list(range(BATCHES)) and order != sorted(order)
    batches = numbers().shuffle(BATCHES * SIZE, seed=1).batch(SIZE).as_numpy_iterator()
    return whole, sum(np.ptp(batch) == SIZE - 1 for batch in batches)


def order_of_an_epoch():
    """`on_epoch_end` shuffles paths; `shuffle` does so by itself: whether two epochs, two runs are alike."""

    def epochs():
        shuffled = numbers().shuffle(BATCHES * SIZE, seed=1)
        return [list(shuffled.as_numpy_iterator()) for _ in range(2)]

    first, second = epochs()
    return first == second, epochs() == [first, second]


def last_batch():
    """A `__len__` that rounds down loses the last elements; `drop_remainder=True` says so: sizes of both."""
    sizes = []
    for drop in (True, False):
        batches = numbers(10).batch(SIZE, drop_remainder=drop)
        sizes.append([len(batch) for batch in batches])
    return sizes


def weights_of_samples():
    """A third array of a batch weighs its samples, of a dataset's element too: the loss with and without."""
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])
    model.compile(loss="mse")

    def weighted(number):
        return np.float32(number), 2 * np.float32(number), np.float32(number < 2)

    losses = []
    for body in (gain, weighted):
        dataset = numbers(4).map(port(body)).map(lambda x, *more: (x[tf.newaxis], *more)).batch(SIZE)
        losses.append(model.evaluate(dataset, verbose=0))
    return losses
