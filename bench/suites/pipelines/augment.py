"""Photographs decoded by TensorFlow and augmented by albumentations to 224 px."""

import sys
from pathlib import Path

import albumentations as A
import tensorflow as tf
from loop import train

SIDE = 224
AUGMENT = A.Compose(
    [
        A.RandomResizedCrop(size=(SIDE, SIDE), scale=(0.3, 1.0)),
        A.HorizontalFlip(p=0.5),
        A.Affine(rotate=(-15, 15), p=0.5),
        A.RandomBrightnessContrast(p=0.5),
        A.GaussianBlur(p=0.2),
        A.Normalize(),
    ]
)


def augment(image):
    return AUGMENT(image=image)["image"]


def decode(path):
    return tf.io.decode_jpeg(tf.io.read_file(path), channels=3, dct_method="INTEGER_ACCURATE")


def prepare(path):
    image = tf.numpy_function(augment, [decode(path)], tf.float32)
    return tf.ensure_shape(image, [SIDE, SIDE, 3])


def source(folder):
    paths = sorted(map(str, Path(folder).glob("*.jpg")))
    return tf.data.Dataset.from_tensor_slices(paths).shuffle(len(paths))


def batched(dataset):
    return dataset.batch(32).prefetch(tf.data.AUTOTUNE)


def build(folder):
    return batched(source(folder).map(prepare, num_parallel_calls=tf.data.AUTOTUNE))


if __name__ == "__main__":
    train(build(sys.argv[1]))
