"""The bugs that `pipeport scan` finds: most common first."""

from __future__ import annotations

from pipeport.scan._rule import Rule

BUGS = (
    Rule(
        "PP101",
        "static shape lost",
        "A graph does not know what Python gives: after `tf.numpy_function` and its kin a tensor has "
        "no shape, not even a rank. Keras layers, `tf.image.resize` and others that need the rank "
        "then fail, or build what they should not. A ported function keeps its shape.",
        """\
import numpy as np
import tensorflow as tf


def flip(image):
    return np.flip(image, 0)


def load(image):
    return tf.numpy_function(flip, [image], tf.uint8)


dataset = tf.data.Dataset.from_tensor_slices(np.zeros((4, 8, 8, 3), np.uint8)).map(load)
""",
        """\
import numpy as np
import tensorflow as tf


def flip(image):
    return np.flip(image, 0)


def load(image):
    flipped = tf.numpy_function(flip, [image], tf.uint8)
    return tf.ensure_shape(flipped, (8, 8, 3))


dataset = tf.data.Dataset.from_tensor_slices(np.zeros((4, 8, 8, 3), np.uint8)).map(load)
""",
    ),
    Rule(
        "PP102",
        "draws in a parallel map",
        "The generators of `random` and `numpy.random` are one for all threads. In a parallel map the "
        "order in which elements draw depends on the timing of threads, so that a run cannot be "
        "repeated, with a seed or without. A seed for each element, made from its index, gives the "
        "same draws in every run.",
        """\
import numpy as np
import tensorflow as tf


def noise(image):
    return (image + np.random.normal(0, 5, image.shape)).astype(np.float32)


def augment(image):
    noisy = tf.numpy_function(noise, [image], tf.float32)
    return tf.ensure_shape(noisy, (8, 8, 3))


dataset = tf.data.Dataset.from_tensor_slices(np.zeros((4, 8, 8, 3), np.float32))
dataset = dataset.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
""",
        """\
import numpy as np
import tensorflow as tf

import pipeport
from pipeport.seeds import seeded_map


def noise(image):
    return (image + np.random.normal(0, 5, image.shape)).astype(np.float32)


dataset = tf.data.Dataset.from_tensor_slices(np.zeros((4, 8, 8, 3), np.float32))
noisy = seeded_map(pipeport.port(noise), 42, epochs=10, num_parallel_calls=tf.data.AUTOTUNE)
dataset = dataset.apply(noisy)
""",
    ),
    Rule(
        "PP103",
        "a body of TensorFlow alone",
        "The function behind the boundary calls nothing but TensorFlow. The wrapper buys nothing: it "
        "takes the lock of Python for every element, loses the shape, and cannot be saved or sent to "
        "a service.",
        """\
import tensorflow as tf


def scale(image):
    return tf.image.resize(tf.cast(image, tf.float32) / 255.0, (4, 4))


def load(image):
    small = tf.py_function(scale, [image], tf.float32)
    return tf.ensure_shape(small, (4, 4, 3))
""",
        """\
import tensorflow as tf


def scale(image):
    return tf.image.resize(tf.cast(image, tf.float32) / 255.0, (4, 4))


def load(image):
    return scale(image)
""",
    ),
    Rule(
        "PP104",
        "blue, green, red used as red, green, blue",
        "`cv2.imread` gives the channels as blue, green, red. What takes red, green, blue, a "
        "conversion `COLOR_RGB2...`, `tf.image.rgb_to_grayscale`, `PIL.Image.fromarray` or "
        "`plt.imshow`, then weighs or shows the wrong colours. Nothing fails.",
        """\
import cv2
import tensorflow as tf


def read(path):
    image = cv2.imread(path)
    return cv2.cvtColor(image, cv2.COLOR_RGB2GRAY)


def grey(path):
    return tf.constant(read(path))
""",
        """\
import cv2
import tensorflow as tf


def read(path):
    image = cv2.imread(path)
    return cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)


def grey(path):
    return tf.constant(read(path))
""",
    ),
    Rule(
        "PP105",
        "a mask that is interpolated",
        "Resizing, rotating or warping a map of classes with interpolation makes values between the "
        "classes: of classes 1 and 3 it makes 2. The nearest pixel keeps classes. Masks that are "
        "compared with a threshold afterwards are not reported.",
        """\
import cv2
import tensorflow as tf


def prepare(image, mask):
    image = cv2.resize(image, (64, 64))
    mask = cv2.resize(mask, (64, 64))
    return image, mask
""",
        """\
import cv2
import tensorflow as tf


def prepare(image, mask):
    image = cv2.resize(image, (64, 64))
    mask = cv2.resize(mask, (64, 64), interpolation=cv2.INTER_NEAREST)
    return image, mask
""",
    ),
    Rule(
        "PP106",
        "Tout disagrees with what is returned",
        "`tf.numpy_function` raises an error at run time where the dtype or the number of results is "
        "not what `Tout` says. `tf.py_function` casts without a word: an image between 0 and 1 "
        "declared as `tf.uint8` comes out black. Reported only where the text tells the dtype or the "
        "number.",
        """\
import numpy as np
import tensorflow as tf


def scale(image):
    return image.astype(np.float64) / 255


def load(image):
    return tf.ensure_shape(tf.numpy_function(scale, [image], tf.float32), (8, 8, 3))
""",
        """\
import numpy as np
import tensorflow as tf


def scale(image):
    return image.astype(np.float32) / 255


def load(image):
    return tf.ensure_shape(tf.numpy_function(scale, [image], tf.float32), (8, 8, 3))
""",
    ),
    Rule(
        "PP107",
        "a result that is thrown away",
        "Methods of a dataset do not change it: each gives a new one. A line such as "
        "`dataset.shuffle(100)` does nothing. The same holds for `tf.ensure_shape`.",
        """\
import tensorflow as tf

dataset = tf.data.Dataset.range(100)
dataset.shuffle(100)
""",
        """\
import tensorflow as tf

dataset = tf.data.Dataset.range(100)
dataset = dataset.shuffle(100)
""",
    ),
    Rule(
        "PP108",
        "a draw that is made while tracing",
        "What a dataset maps, and a `tf.function`, is traced: Python runs once, and the graph keeps "
        "what it gave. A draw of `random` or `numpy.random` there is one number for all elements and "
        "all epochs.",
        """\
import random

import tensorflow as tf


def turn(image):
    return tf.image.rot90(image, random.randint(0, 3))


dataset = tf.data.Dataset.from_tensor_slices(tf.zeros((4, 8, 8, 3))).map(turn)
""",
        """\
import tensorflow as tf


def turn(image):
    return tf.image.rot90(image, tf.random.uniform([], 0, 4, tf.int32))


dataset = tf.data.Dataset.from_tensor_slices(tf.zeros((4, 8, 8, 3))).map(turn)
""",
    ),
    Rule(
        "PP109",
        "seeded again for every element",
        "A seed that is set inside of the function is set for each element: all of them get the same "
        "draws, and the augmentation becomes a fixed change.",
        """\
import numpy as np
import tensorflow as tf


def noise(image):
    np.random.seed(42)
    return (image + np.random.normal(0, 5, image.shape)).astype(np.float32)


def augment(image):
    return tf.ensure_shape(tf.numpy_function(noise, [image], tf.float32), (8, 8, 3))
""",
        """\
import numpy as np
import tensorflow as tf


def noise(image, seed):
    random = np.random.default_rng(seed)
    return (image + random.normal(0, 5, image.shape)).astype(np.float32)


def augment(index, image):
    return tf.ensure_shape(tf.numpy_function(noise, [image, index], tf.float32), (8, 8, 3))
""",
    ),
    Rule(
        "PP110",
        "the argument is changed in place",
        "`tf.numpy_function` hands out TensorFlow's own memory. What is written there changes the "
        "tensor for everybody who reads it: after `cache()` the change is made again in every epoch.",
        """\
import numpy as np
import tensorflow as tf


def erase(image):
    image[2:4, 2:4] = 0
    return image


def augment(image):
    return tf.ensure_shape(tf.numpy_function(erase, [image], tf.uint8), (8, 8, 3))
""",
        """\
import numpy as np
import tensorflow as tf


def erase(image):
    image = image.copy()
    image[2:4, 2:4] = 0
    return image


def augment(image):
    return tf.ensure_shape(tf.numpy_function(erase, [image], tf.uint8), (8, 8, 3))
""",
    ),
    Rule(
        "PP111",
        "a mask that does not follow its image",
        "An image that is flipped or cropped by a draw needs the same for its mask, boxes or key "
        "points. Two calls of `tf.image.random_flip_left_right` draw twice, and a mask that is "
        "returned as it came stays behind.",
        """\
import tensorflow as tf


def augment(image, mask):
    image = tf.image.random_flip_left_right(image)
    mask = tf.image.random_flip_left_right(mask)
    return image, mask
""",
        """\
import tensorflow as tf


def augment(image, mask, seed):
    image = tf.image.stateless_random_flip_left_right(image, seed)
    mask = tf.image.stateless_random_flip_left_right(mask, seed)
    return image, mask
""",
    ),
    Rule(
        "PP112",
        "a path that is not decoded",
        "`tf.numpy_function` hands strings over as bytes, `tf.py_function` as tensors. Bytes do not "
        "mix with text, `cv2.imread` takes text alone before OpenCV 5, and `str(path)` adds a letter "
        "and quotes.",
        """\
import cv2
import tensorflow as tf


def read(path):
    return cv2.imread(path.replace(".jpg", ".png"))


def load(path):
    return tf.ensure_shape(tf.numpy_function(read, [path], tf.uint8), (None, None, 3))
""",
        """\
import cv2
import tensorflow as tf


def read(path):
    return cv2.imread(path.decode().replace(".jpg", ".png"))


def load(path):
    return tf.ensure_shape(tf.numpy_function(read, [path], tf.uint8), (None, None, 3))
""",
    ),
    Rule(
        "PP113",
        ".numpy() of an array",
        "`tf.numpy_function` hands over arrays of NumPy, which have no method `numpy`: the first "
        "element raises AttributeError. Tensors come with `tf.py_function`.",
        """\
import numpy as np
import tensorflow as tf


def flip(image):
    return np.flip(image.numpy(), 0)


def load(image):
    return tf.ensure_shape(tf.numpy_function(flip, [image], tf.uint8), (8, 8, 3))
""",
        """\
import numpy as np
import tensorflow as tf


def flip(image):
    return np.flip(image, 0)


def load(image):
    return tf.ensure_shape(tf.numpy_function(flip, [image], tf.uint8), (8, 8, 3))
""",
    ),
    Rule(
        "PP114",
        "a name that its library no longer has",
        "TensorFlow Addons has ended, TensorFlow 2 has no `tf.contrib` and moved much of TensorFlow "
        "1, SciPy has no `scipy.misc.imresize`, NumPy no `np.float`. Each name is reported once in a "
        "file; files that ask for versions, or catch ImportError or AttributeError, are left alone.",
        """\
import tensorflow as tf
from scipy.misc import imresize


def small(image):
    return tf.numpy_function(lambda x: imresize(x, (4, 4)), [image], tf.uint8)
""",
        """\
import cv2
import tensorflow as tf


def small(image):
    return tf.numpy_function(lambda x: cv2.resize(x, (4, 4)), [image], tf.uint8)
""",
    ),
)
