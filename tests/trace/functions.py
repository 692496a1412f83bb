"""Functions that are measured: good ones, and one for each way in which one can be bad."""

from __future__ import annotations

import os
import sys
import time

import numpy as np
import tensorflow as tf

count = 0
seen: list[int] = []
TABLE = np.ones((600, 600), np.float32)


def add(x, y):
    return x + y


def doubled_in_tensorflow(x):
    return tf.math.multiply(x, 2.0)


def doubled(x):
    return x * 2.0


def holds_a_table(x):
    return x + TABLE


def needs_values(x):
    return helper(x)


def helper(x):
    return float(x.numpy().sum())


def raises(x):
    raise ValueError(f"not {x.shape}")


def prints_and_counts(x):
    global count  # noqa: PLW0603 - what is to be found
    count += 1
    seen.append(1)
    print("a call")
    tf.print("a run")
    return x * 2


def changes_its_input(x):
    x[0] = 1.0
    return x


def draws(x):
    return x + np.random.normal()


def wrong_while_running(x):
    return tf.gather(x, tf.cast(tf.reduce_sum(x), tf.int32) + 100)


def sleeps(x):
    time.sleep(0.7)
    return x


def leaves(x):
    sys.exit("done")


def dies_eagerly(x):
    if tf.executing_eagerly():
        os._exit(7)
    return x + 1.0


def hangs(x):
    return tf.while_loop(lambda y: y > -1.0, lambda y: [y + 0.0], [x])[0]


def slow_rounds(x):
    time.sleep(0.2)
    return x


@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def signed(x):
    return x + 1.0


class Counter:
    def __init__(self):
        self.total = 0

    def step(self, x):
        self.total += 1
        return x


def deaf():
    try:
        time.sleep(0.2)
    except KeyboardInterrupt:
        return 0
    return 0
