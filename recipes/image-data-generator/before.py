"""Before: the transforms of Keras' ImageDataGenerator, behind tf.numpy_function."""

import numpy as np
import tensorflow as tf

GENERATOR = tf.keras.preprocessing.image.ImageDataGenerator(
    rotation_range=15,
    width_shift_range=0.1,
    height_shift_range=0.1,
    shear_range=8,
    zoom_range=0.2,
    channel_shift_range=20,
    horizontal_flip=True,
    fill_mode="reflect",
    rescale=1 / 255,
)


def augment(image):
    image = GENERATOR.random_transform(image.astype(np.float32))
    return GENERATOR.standardize(image).astype(np.float32)


def tf_augment(image):
    return tf.ensure_shape(tf.numpy_function(augment, [image], tf.float32), image.shape)


def build_dataset(images, parallel_calls=tf.data.AUTOTUNE):
    """Give each uint8 image turned, moved, sheared, zoomed, of other colours, mirrored half of the time."""
    dataset = tf.data.Dataset.from_tensor_slices(images)
    return dataset.map(tf_augment, num_parallel_calls=parallel_calls)
