"""Before: a picture of a word and its letters as numbers, behind tf.numpy_function."""

import cv2
import numpy as np
import tensorflow as tf

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789'-"
NUMBERS = {letter: number for number, letter in enumerate(LETTERS)}
HEIGHT, WIDTH, LONGEST = 32, 128, 16


def prepare(path, word):
    image = cv2.imread(path.decode(), cv2.IMREAD_GRAYSCALE)
    columns = min(WIDTH, max(1, round(image.shape[1] * HEIGHT / image.shape[0])))
    canvas = np.full((HEIGHT, WIDTH), 255, np.uint8)
    canvas[:, :columns] = cv2.resize(image, (columns, HEIGHT))
    numbers = [NUMBERS[letter] for letter in word.decode().strip().lower() if letter in NUMBERS]
    label = np.full(LONGEST, -1, np.int64)
    label[: len(numbers)] = numbers[:LONGEST]
    return 1 - canvas.astype(np.float32) / 255, label, min(len(numbers), LONGEST)


def tf_prepare(path, word):
    image, label, length = tf.numpy_function(prepare, [path, word], (tf.float32, tf.int64, tf.int64))
    image, label = tf.ensure_shape(image, [HEIGHT, WIDTH]), tf.ensure_shape(label, [LONGEST])
    return image, label, tf.ensure_shape(length, [])


def build_dataset(paths, parallel_calls=tf.data.AUTOTUNE):
    """Give each image on a line of one height, and the word of the text file beside it, with its length."""
    paths = tf.data.Dataset.from_tensor_slices(paths)
    words = paths.map(lambda path: tf.io.read_file(tf.strings.regex_replace(path, "png$", "txt")))
    return tf.data.Dataset.zip((paths, words)).map(tf_prepare, num_parallel_calls=parallel_calls)
