"""Lines of annotations: an image with boxes, letterboxed, mirrored half of the time, boxes padded."""

import sys
from pathlib import Path

import cv2
import numpy as np
import tensorflow as tf
from loop import train

SIDE, MOST = 320, 20


def example(line):
    path, *texts = line.decode().split()
    image = cv2.cvtColor(cv2.imread(path), cv2.COLOR_BGR2RGB)
    boxes = np.array([[float(number) for number in text.split(",")] for text in texts], dtype=np.float32)
    height, width = image.shape[:2]
    scale = min(SIDE / height, SIDE / width)
    new_height, new_width = int(height * scale), int(width * scale)
    top, left = (SIDE - new_height) // 2, (SIDE - new_width) // 2
    canvas = np.full((SIDE, SIDE, 3), 128, dtype=np.uint8)
    canvas[top : top + new_height, left : left + new_width] = cv2.resize(image, (new_width, new_height))
    boxes[:, [0, 2]] = boxes[:, [0, 2]] * scale + left
    boxes[:, [1, 3]] = boxes[:, [1, 3]] * scale + top
    if np.random.rand() < 0.5:
        canvas = canvas[:, ::-1]
        boxes[:, [0, 2]] = SIDE - boxes[:, [2, 0]]
    padded = np.zeros((MOST, 5), dtype=np.float32)
    padded[: len(boxes)] = boxes[:MOST]
    return canvas.astype(np.float32) / 255.0, padded


def tf_example(line):
    image, boxes = tf.numpy_function(example, [line], [tf.float32, tf.float32])
    return tf.ensure_shape(image, [SIDE, SIDE, 3]), tf.ensure_shape(boxes, [MOST, 5])


def source(folder):
    lines = Path(folder, "annotations.txt").read_text().splitlines()
    return tf.data.Dataset.from_tensor_slices(lines).shuffle(len(lines))


def batched(dataset):
    return dataset.batch(16).prefetch(tf.data.AUTOTUNE)


def build(folder):
    return batched(source(folder).map(tf_example, num_parallel_calls=tf.data.AUTOTUNE))


if __name__ == "__main__":
    train(build(sys.argv[1]))
