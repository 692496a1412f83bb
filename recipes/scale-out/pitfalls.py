"""The bugs of this migration, one function each; what a function returns is the evidence."""

import contextlib

import numpy as np
import tensorflow as tf

from pipeport import seeds
from pipeport.seeds import seeded_map

serving = tf.data.experimental.service
COUNT = 400


@contextlib.contextmanager
def two_workers():
    """Give the address of a dispatcher and two workers in this process."""
    dispatcher = serving.DispatchServer(serving.DispatcherConfig(port=0))
    address = dispatcher.target.removeprefix("grpc://")
    workers = [serving.WorkerServer(serving.WorkerConfig(dispatcher_address=address)) for _ in range(2)]
    try:
        yield dispatcher.target
    finally:
        workers.clear()  # before their dispatcher, which waits for them


def through(dataset, mode=serving.ShardingPolicy.DYNAMIC):
    with two_workers() as target:
        distribute = serving.distribute(processing_mode=mode, service=target)
        return list(dataset.apply(distribute).as_numpy_iterator())


def slowly(number):
    """Give a number after a while, so that both workers have some."""
    return tf.cast(tf.while_loop(lambda i: i < 300, lambda i: (i + 1,), (0,))[0], tf.int64) * 0 + number


def drawn(number):
    return slowly(number), seeds.uniform(seeds.look_up())


def tried_in_one_process():
    """A worker in the process of the dataset finds its functions; the first one elsewhere does not."""

    def double(number):
        return 2 * number

    doubled = tf.data.Dataset.range(3).map(lambda x: tf.numpy_function(double, [x], tf.int64))
    return sorted(set(through(doubled)))


def no_index():
    """Elements are dealt out, and no worker knows the position of one: seeded_map says what to write."""
    mapped = tf.data.Dataset.range(COUNT).apply(seeded_map(drawn, 42, epoch=0))
    try:
        through(mapped)
    except tf.errors.InvalidArgumentError as error:
        return str(error)


def counted_by_the_workers():
    """`enumerate` is a second source: its numbers are dealt out too, and lose their elements."""
    numbers = tf.data.Dataset.range(COUNT).map(slowly)
    return sum(index != number for index, number in through(numbers.enumerate()))


def all_of_it_from_each():
    """OFF, the mode that needs no index: each worker gives the whole dataset."""
    found = through(tf.data.Dataset.range(COUNT), serving.ShardingPolicy.OFF)
    return len(found), len(set(found))


def data_in_the_graph():
    """Arrays of from_tensor_slices travel in the graph, to each worker; names of files are short."""

    def kilobytes(dataset):
        serialized = tf.raw_ops.DatasetToGraphV2(input_dataset=tf.data.experimental.to_variant(dataset))
        return len(serialized.numpy()) // 1000

    images = np.zeros((100, 64, 64, 3), np.uint8)
    names = [f"/data/{number}.jpg" for number in range(100)]
    return [kilobytes(tf.data.Dataset.from_tensor_slices(each)) for each in (images, names)]
