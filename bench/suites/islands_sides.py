"""A function with a call that has no native: inside tf.numpy_function, and ported around it."""

from __future__ import annotations

import warnings
from typing import Any

import cv2
import numpy as np
import tensorflow as tf

from pipeport import port
from pipeport.bench import _photographs
from pipeport.errors import PipeportWarning

SIDE = 128
MEAN = np.array([0.485, 0.456, 0.406], np.float32)
STD = np.array([0.229, 0.224, 0.225], np.float32)


def photographs(elements: int) -> Any:
    """Return photographs, shape (elements, 256, 256, 3), uint8."""
    images = np.stack(_photographs.photographs((256, 256), "uint8"))
    return np.resize(images, (elements, *images.shape[1:]))


def smoothed(image: Any) -> Any:
    """Return a smaller image without noise, normalised."""
    image = cv2.resize(image, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
    image = cv2.bilateralFilter(image, 5, 40, 40)
    return (image / np.float32(255) - MEAN) / STD


def before(images: Any) -> Any:
    """Behind tf.numpy_function, with the static shape that people set."""

    def wrapped(image: Any) -> Any:
        found = tf.numpy_function(smoothed, [image], tf.float32)
        return tf.ensure_shape(found, [SIDE, SIDE, 3])

    return tf.data.Dataset.from_tensor_slices(images).map(wrapped, num_parallel_calls=tf.data.AUTOTUNE)


def after(images: Any) -> Any:
    """In the graph, but for the filter."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PipeportWarning)  # it names the island
        native = port(smoothed, example=(images[0],), islands=True)

    def mapped(image: Any) -> Any:
        return tf.ensure_shape(native(image), [SIDE, SIDE, 3])

    return tf.data.Dataset.from_tensor_slices(images).map(mapped, num_parallel_calls=tf.data.AUTOTUNE)
