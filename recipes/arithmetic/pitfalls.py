"""The bugs of this migration, one function each; what a function returns is the evidence."""

import tempfile

import numpy as np
import tensorflow as tf


def float64_against_tout():
    """`/ 255` gives float64; Tout says float32. Building works, the first element fails."""
    images = tf.data.Dataset.from_tensors(np.full((2, 2), 200, np.uint8))
    scaled = images.map(lambda x: tf.numpy_function(lambda a: a / 255, [x], tf.float32))
    try:
        return list(scaled)
    except tf.errors.InvalidArgumentError as error:
        return error.message


def py_function_casts_silently():
    """tf.py_function casts where numpy_function complains: 200 / 255 becomes uint8 zero."""
    images = tf.data.Dataset.from_tensors(np.full((2, 2), 200, np.uint8))
    scaled = images.map(lambda x: tf.py_function(lambda a: a.numpy() / 255, [x], tf.uint8))
    return next(iter(scaled)).numpy()


def static_shape_lost():
    """Behind the boundary even the rank is unknown; ops that need it fail at build time."""
    images = tf.data.Dataset.from_tensors(np.zeros((4, 6, 3), np.float32))
    doubled = images.map(lambda x: tf.numpy_function(lambda a: a * 2, [x], tf.float32))
    try:
        doubled.map(lambda x: tf.image.resize(x, [2, 2]))
    except ValueError as error:
        return doubled.element_spec.shape, str(error)


def set_shape_is_believed():
    """set_shape is a claim nobody checks: this mean of four ones is divided by 25."""

    def mean(x):
        y = tf.numpy_function(lambda a: a, [x], tf.float32)
        y.set_shape([5, 5])  # tf.ensure_shape(y, [5, 5]) would raise
        return tf.reduce_sum(y) / (y.shape[0] * y.shape[1])

    return float(next(iter(tf.data.Dataset.from_tensors(np.ones((2, 2), np.float32)).map(mean))))


def in_place_after_cache():
    """The body gets TensorFlow's own buffer: the cache doubles again in every epoch."""

    def double(a):
        a *= 2
        return a

    cached = tf.data.Dataset.from_tensors(np.ones((8, 8), np.float32)).cache()
    doubled = cached.map(lambda x: tf.numpy_function(double, [x], tf.float32))
    return [float(next(iter(doubled))[0, 0]) for _epoch in range(3)]


def in_place_reaches_the_input():
    """The element that goes in changes too, although only the output was asked for."""

    def double(a):
        a *= 2
        return a

    ones = tf.data.Dataset.from_tensors(np.ones((8, 8), np.float32))
    pairs = ones.map(lambda x: (x, tf.numpy_function(double, [x], tf.float32)))
    before, after = next(iter(pairs))
    return float(before[0, 0]), float(after[0, 0])


def iterator_cannot_be_saved():
    """A training job that stops cannot save its place in the data: why not, wrapped and native."""

    def refusal(dataset):
        iterator = iter(dataset)
        next(iterator)
        with tempfile.TemporaryDirectory() as folder:
            try:
                tf.train.Checkpoint(iterator=iterator).write(f"{folder}/position")
            except tf.errors.FailedPreconditionError as error:
                return error.message
        return None

    numbers = tf.data.Dataset.range(10)
    wrapped = numbers.map(lambda x: tf.numpy_function(lambda a: a * 2, [x], tf.int64))
    return refusal(wrapped), refusal(numbers.map(lambda x: x * 2))


def division_has_other_dtypes():
    """On the way to native code: dtype of `x / 255` in NumPy and in TensorFlow."""
    return {
        dtype: ((np.ones(1, dtype) / 255).dtype.name, (tf.ones(1, dtype) / 255).dtype.name)
        for dtype in ("uint8", "uint16", "int32", "float32")
    }


def integer_plus_float():
    """On the way to native code: NumPy promotes `int32 + 1.5`, TensorFlow refuses it."""
    promoted = (np.ones(1, np.int32) + 1.5).dtype.name
    try:
        tf.ones(1, tf.int32) + 1.5
    except (TypeError, tf.errors.InvalidArgumentError) as error:
        return promoted, type(error).__name__


def bytes_wrap_around():
    """Both libraries wrap: cast before `x * 2 + 1`, not after."""
    pixel = np.array([200], np.uint8)
    return int((pixel * 2 + 1)[0]), int((tf.constant(pixel) * 2 + 1)[0])
