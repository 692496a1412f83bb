"""Before: a training that is to go on in mid-epoch; the iterator cannot be saved."""

import numpy as np
import tensorflow as tf


def augment(image):
    if np.random.rand() < 0.5:
        image = image[:, ::-1]
    return (image * np.random.uniform(0.8, 1.2)).astype(np.float32)


def tf_augment(image):
    return tf.ensure_shape(tf.numpy_function(augment, [image], tf.float32), image.shape)


def build_dataset(images, parallel_calls=tf.data.AUTOTUNE, epochs=3):
    """Give each image, mirrored half of the time, brighter or darker, in each of the epochs."""
    dataset = tf.data.Dataset.from_tensor_slices(images)
    return dataset.map(tf_augment, num_parallel_calls=parallel_calls).repeat(epochs)


def begun_or_resumed(dataset, folder):
    """Return the iterator, where the last run left it, and what saves it beside the model."""
    iterator = iter(dataset)
    manager = tf.train.CheckpointManager(tf.train.Checkpoint(iterator=iterator), folder, max_to_keep=1)
    manager.restore_or_initialize()
    return iterator, manager
