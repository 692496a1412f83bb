"""After: one draw per element, a function of seed, epoch and index alone."""

import tensorflow as tf

from pipeport.idioms import random_flip_pair
from pipeport.seeds import fold_in


def build_dataset(images, labels, parallel_calls=tf.data.AUTOTUNE, seed=42, epoch=0):
    """Flip each image and its label left to right, together, with probability one half."""

    def flip(index, pair):
        image, label = pair
        return random_flip_pair(image, label, seed=fold_in((seed, epoch), index))

    dataset = tf.data.Dataset.from_tensor_slices((images, labels))
    return dataset.enumerate().map(flip, num_parallel_calls=parallel_calls)
