"""The functions of suite `tf-function`, written anew after the examples that people discuss."""

import numpy as np
import tensorflow as tf


def add(x, y):
    return x + y


def matmul(x, y):
    return tf.matmul(x, y)


def matmul_numpy(x, y):
    return np.matmul(x, y)


def conditional_loop(n):
    total = 0
    for i in tf.range(n):
        if i % 2 == 0:
            total += i
        else:
            total -= i
    return total


def conditional_loop_python(n):
    total = 0
    for i in range(n):
        if i % 2 == 0:
            total += i
        else:
            total -= i
    return total


def condition(x):
    if x > 5:
        return x * 2
    return x + 10


def range_loop(x, iterations):
    for _ in tf.range(iterations):
        x = x * 2
    return x


def range_loop_python(x, iterations):
    for _ in range(iterations):
        x = x * 2
    return x


def power_loop(n):
    total = tf.constant(0.0)
    for i in tf.range(n):
        total += tf.cast(tf.math.pow(i, 2), tf.float32)
    return total


def power_loop_as_printed(n):
    total = tf.constant(0.0)
    for i in tf.range(n):
        total += tf.math.pow(i, 2)
    return total


def power_loop_python(n):
    total = 0.0
    for i in range(n):
        total += i**2
    return total


def convolution(image, kernel):
    return tf.nn.conv2d(image, kernel, strides=1, padding="VALID")


def add_one(x):
    return x + np.float32(1)


def numpy_function_add_one(x):
    return tf.numpy_function(add_one, [x], tf.float32)


def flip(image):
    return np.ascontiguousarray(np.fliplr(image))


def numpy_function_flip(image):
    return tf.numpy_function(flip, [image], tf.float32)


def rotation(image, angle):
    from skimage.transform import rotate

    return rotate(image, angle, mode="edge")


def numpy_function_rotation(image, angle):
    return tf.numpy_function(rotation, [image, angle], tf.float32)
