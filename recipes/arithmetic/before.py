"""Before: element-wise arithmetic in NumPy, behind tf.numpy_function."""

import numpy as np
import tensorflow as tf


def rescale(image, frame):
    image = (image / 255).astype(np.float32)  # uint8 / int is float64 in NumPy
    frame = frame * 2 + 1
    return image, frame


def tf_rescale(image, frame):
    return tf.numpy_function(rescale, [image, frame], [tf.float32, tf.float32])


def build_dataset(images, frames, parallel_calls=tf.data.AUTOTUNE):
    """Scale uint8 images to [0, 1]; apply gain 2 and offset 1 to float32 frames."""
    dataset = tf.data.Dataset.from_tensor_slices((images, frames))
    return dataset.map(tf_rescale, num_parallel_calls=parallel_calls)
