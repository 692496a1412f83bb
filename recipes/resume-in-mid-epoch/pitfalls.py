"""The bugs of this migration, one function each; what a function returns is the evidence."""

import tempfile
from pathlib import Path

import numpy as np
import tensorflow as tf

from pipeport import port
from pipeport.seeds import seeded_map

IMAGES = np.arange(12 * 4 * 4, dtype=np.float32).reshape(12, 4, 4)


def gain(image):
    return image * np.random.uniform(0.8, 1.2)


def seeded(dataset, **epochs):
    return dataset.apply(seeded_map(port(gain), 42, **epochs))


def images():
    return tf.data.Dataset.from_tensor_slices(IMAGES)


def saved(dataset, elements):
    """Take some elements, save the iterator, and return the path and what comes next."""
    iterator = iter(dataset)
    for _ in range(elements):
        next(iterator)
    path = tf.train.Checkpoint(iterator=iterator).save(tempfile.mkdtemp() + "/saved")
    return path, [element.numpy().tolist() for element in iterator]


def resumed(dataset, path):
    """Return what an iterator gives that goes on from a checkpoint."""
    iterator = iter(dataset)
    tf.train.Checkpoint(iterator=iterator).restore(path).assert_consumed()
    return [element.numpy().tolist() for element in iterator]


def passes_counted_in_a_variable():
    """Without `epochs=` a variable counts the passes, and TensorFlow saves no iterator that has one."""
    try:
        saved(seeded(images()).repeat(3), 5)
    except tf.errors.FailedPreconditionError as error:
        return error.message


def resume_by_skip():
    """Draws depend on positions: leaving out the elements that were used gives the same rest."""
    path, rest = saved(seeded(images(), epochs=3), 15)
    skipped = [one.tolist() for one in seeded(images(), epochs=3).skip(15).as_numpy_iterator()]
    return rest == resumed(seeded(images(), epochs=3), path), rest == skipped


def size_of_the_shuffle_buffer():
    """The buffer is part of the checkpoint: bytes where images are shuffled, and where numbers are."""
    large = np.random.default_rng(0).integers(0, 256, (200, 64, 64, 3), np.uint8)
    of_images = tf.data.Dataset.from_tensor_slices(large).shuffle(200, seed=1)
    of_numbers = tf.data.Dataset.range(200).shuffle(200, seed=1).map(lambda number: tf.gather(large, number))
    sizes = []
    for dataset in (of_images, of_numbers):
        path, _ = saved(dataset, 5)
        sizes.append(sum(file.stat().st_size for file in Path(path).parent.iterdir()))
    return sizes


def more_threads_than_before():
    """The parallelism may change between two runs: whether the rest is the same."""
    one = images().apply(seeded_map(port(gain), 42, epochs=3, num_parallel_calls=1))
    four = images().apply(seeded_map(port(gain), 42, epochs=3, num_parallel_calls=4))
    path, rest = saved(one, 7)
    return rest == resumed(four, path)


def shuffle_without_a_seed():
    """Each run shuffles anew: the rest after `skip` is another; with a seed and a checkpoint it is not."""
    path, rest = saved(images().shuffle(12, seed=1), 5)
    again = resumed(images().shuffle(12, seed=1), path)
    others = [[one.tolist() for one in images().shuffle(12).skip(5).as_numpy_iterator()] for _ in range(4)]
    return rest == again, sum(rest == other for other in others)
