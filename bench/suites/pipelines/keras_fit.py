"""Keras' fit on photographs in memory, turned, brightened and with noise; validated after each epoch."""

import sys
from pathlib import Path

import numpy as np
import tensorflow as tf
from loop import EPOCHS, Marks
from scipy import ndimage

SIDE = 128


def augment(image):
    angle = np.random.uniform(-20, 20)
    image = ndimage.rotate(image, angle, reshape=False, order=1, mode="nearest")
    if np.random.rand() < 0.5:
        image = np.fliplr(image)
    image = image.astype(np.float32) * np.random.uniform(0.8, 1.2)
    image = image + np.random.normal(0, 5, image.shape)
    return (np.clip(image, 0, 255) / 255).astype(np.float32)


def scaled(image):
    return image.astype(np.float32) / 255


def tf_augment(image, label):
    image = tf.numpy_function(augment, [image], tf.float32)
    return tf.ensure_shape(image, [SIDE, SIDE, 3]), label


def tf_scaled(image, label):
    image = tf.numpy_function(scaled, [image], tf.float32)
    return tf.ensure_shape(image, [SIDE, SIDE, 3]), label


def sources(folder):
    """Give what is trained on, and the fifth of the images that validates."""
    with np.load(Path(folder, "images.npz")) as archive:
        parts = archive["images"], archive["labels"]
    held = len(parts[0]) // 5
    training = tf.data.Dataset.from_tensor_slices(tuple(part[held:] for part in parts))
    return training.shuffle(len(parts[0])), tf.data.Dataset.from_tensor_slices(tuple(p[:held] for p in parts))


def batched(dataset):
    return dataset.batch(16).prefetch(tf.data.AUTOTUNE)


def build(folder):
    training, validation = sources(folder)
    training = training.map(tf_augment, num_parallel_calls=tf.data.AUTOTUNE)
    return batched(training), batched(validation.map(tf_scaled, num_parallel_calls=tf.data.AUTOTUNE))


def fit(training, validation):
    model = tf.keras.Sequential(
        [
            tf.keras.layers.Conv2D(8, 3, strides=4, activation="relu"),
            tf.keras.layers.GlobalAveragePooling2D(),
            tf.keras.layers.Dense(2, activation="softmax"),
        ]
    )
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(training, validation_data=validation, epochs=EPOCHS, verbose=0, callbacks=[Marks()])


if __name__ == "__main__":
    fit(*build(sys.argv[1]))
