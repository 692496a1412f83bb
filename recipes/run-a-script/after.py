"""After: without the effect both become native; the block does what `pipeport run` does."""

import numpy as np
import tensorflow as tf
from scipy import ndimage
from skimage import data

import pipeport

SIDE = 128


def photographs(elements):
    """Give crops of two photographs, and which of the two each is from."""
    whole = (data.astronaut(), data.coffee())
    labels = np.arange(elements) % 2
    places = [(number * 7 % 250, number * 13 % 380) for number in range(elements)]
    crops = [whole[label][y : y + SIDE, x : x + SIDE] for label, (y, x) in zip(labels, places, strict=True)]
    return np.stack(crops), labels.astype(np.int32)


def turn(image):
    return ndimage.rotate(image, 15, reshape=False, order=1)


def standardise(image):
    image = image.astype(np.float32)
    return (image - image.mean()) / (image.std() + np.float32(1e-6))


def prepare(image, label):
    image = tf.numpy_function(turn, [image], tf.uint8)
    image = tf.numpy_function(standardise, [image], tf.float32)
    return tf.ensure_shape(image, [SIDE, SIDE, 3]), label


def build_dataset(images, labels, parallel_calls=tf.data.AUTOTUNE):
    """Give a turned, standardised image for each crop, with its label."""
    dataset = tf.data.Dataset.from_tensor_slices((images, labels))
    with pipeport.install(prefer_native=True):
        return dataset.map(prepare, num_parallel_calls=parallel_calls)


def main():
    tf.keras.utils.set_random_seed(0)
    layers = [tf.keras.layers.GlobalAveragePooling2D(), tf.keras.layers.Dense(2, activation="softmax")]
    model = tf.keras.Sequential(layers)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    dataset = build_dataset(*photographs(400))
    model.fit(dataset.batch(16).prefetch(1), epochs=3, verbose=2)
    print({"images": 3 * len(dataset)})


if __name__ == "__main__":
    main()
