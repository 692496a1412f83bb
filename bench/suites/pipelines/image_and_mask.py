"""Images and masks of a segmentation: read, resized, mirrored half of the time, classes one-hot."""

import sys
from pathlib import Path

import cv2
import numpy as np
import tensorflow as tf
from loop import train

SIDE, CLASSES = 224, 4


def read(image_path, mask_path):
    image = cv2.cvtColor(cv2.imread(image_path.decode()), cv2.COLOR_BGR2RGB)
    mask = cv2.imread(mask_path.decode(), cv2.IMREAD_GRAYSCALE)
    image = cv2.resize(image, (SIDE, SIDE))
    mask = cv2.resize(mask, (SIDE, SIDE), interpolation=cv2.INTER_NEAREST)
    if np.random.rand() < 0.5:
        image, mask = image[:, ::-1], mask[:, ::-1]
    image = (image / 127.5 - 1).astype(np.float32)
    classes = np.stack([mask == number for number in range(CLASSES)], axis=-1)
    return image, classes.astype(np.float32)


def tf_read(image_path, mask_path):
    image, classes = tf.numpy_function(read, [image_path, mask_path], [tf.float32, tf.float32])
    return tf.ensure_shape(image, [SIDE, SIDE, 3]), tf.ensure_shape(classes, [SIDE, SIDE, CLASSES])


def source(folder):
    images = sorted(map(str, Path(folder).glob("*.jpg")))
    masks = [path.replace(".jpg", ".png") for path in images]
    return tf.data.Dataset.from_tensor_slices((images, masks)).shuffle(len(images))


def batched(dataset):
    return dataset.batch(16).prefetch(tf.data.AUTOTUNE)


def build(folder):
    return batched(source(folder).map(tf_read, num_parallel_calls=tf.data.AUTOTUNE))


if __name__ == "__main__":
    train(build(sys.argv[1]))
