"""After: the same function, ported; the iterator is saved with the model, and goes on where it was."""

import numpy as np
import tensorflow as tf

from pipeport import port
from pipeport.seeds import seeded_map


def augment(image):
    if np.random.rand() < 0.5:
        image = image[:, ::-1]
    return (image * np.random.uniform(0.8, 1.2)).astype(np.float32)


def build_dataset(images, parallel_calls=tf.data.AUTOTUNE, epochs=3, seed=42):
    """Give each image, mirrored half of the time, brighter or darker, in each of the epochs."""
    dataset = tf.data.Dataset.from_tensor_slices(images)
    return dataset.apply(seeded_map(port(augment), seed, epochs=epochs, num_parallel_calls=parallel_calls))


def begun_or_resumed(dataset, folder):
    """Return the iterator, where the last run left it, and what saves it beside the model."""
    iterator = iter(dataset)
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(iterator=iterator), folder, max_to_keep=1)
    manager.restore_or_initialize()
    return iterator, manager
