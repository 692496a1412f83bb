"""An epoch that takes two workers some seconds."""

from __future__ import annotations

import tensorflow as tf
from tensorflow.python.data.experimental.ops import testing

from pipeport import seeds
from pipeport.seeds import seeded_map

COUNT = 300


def drawn(number):
    """Return a number and its draw."""
    return number, seeds.uniform(seeds.look_up())


def epoch() -> tf.data.Dataset:
    """Return the numbers below 300, each with its draw."""
    numbers = tf.data.Dataset.range(COUNT).apply(testing.sleep(10_000))
    return numbers.apply(seeded_map(drawn, 42, epoch=0, index=lambda number: number))
