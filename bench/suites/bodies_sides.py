"""Functions that people wrap, unmodified: inside tf.numpy_function, and in their ported form."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf
from bodies import PORTED

from pipeport import seeds
from pipeport.bench import _photographs

SIZE = (256, 256)
# Slices, rows, columns.
VOLUME = (32, 96, 96)


def photographs(elements: int) -> Any:
    """Return photographs, shape (elements, 256, 256, 3), uint8."""
    images = np.stack(_photographs.photographs(SIZE, "uint8"))
    return np.resize(images, (elements, *images.shape[1:]))


def fractions(elements: int) -> Any:
    """Return photographs between 0 and 1, float32."""
    return photographs(elements).astype(np.float32) / 255


def photographs_and_planes(elements: int) -> tuple[Any, ...]:
    """Return photographs, and of each its first channel."""
    return photographs(elements), planes(elements)


def planes(elements: int) -> Any:
    """Return of each photograph its first channel."""
    return photographs(elements)[..., 0].copy()


def volumes(elements: int) -> Any:
    """Return volumes of photographs that drift from slice to slice, float32."""
    depth, *plane = VOLUME
    grey = np.stack(_photographs.photographs(tuple(plane), "float32")).mean(-1)
    found = np.stack([np.roll(grey, shift, axis=2) for shift in range(depth)], axis=1)
    return np.resize(found, (elements, *found.shape[1:]))


def _ported(dataset: Any, body: str) -> Any:
    native = PORTED[body].ported()
    return dataset.apply(seeds.seeded_map(native, 42, num_parallel_calls=tf.data.AUTOTUNE))


def _elements(arrays: tuple[Any, ...]) -> Any:
    return tf.data.Dataset.from_tensor_slices(arrays if len(arrays) > 1 else arrays[0])


def before(*arrays: Any, body: str) -> Any:
    """Behind tf.numpy_function, with the static shapes that the ported form keeps."""
    function = PORTED[body].function
    dataset = _elements(arrays)
    spec = _ported(dataset, body).element_spec
    rows = tf.nest.flatten(spec)

    def wrapped(*element: Any) -> Any:
        found = tf.numpy_function(function, element, [one.dtype for one in rows])
        for one, row in zip(found, rows, strict=True):
            one.set_shape(row.shape)
        return tf.nest.pack_sequence_as(spec, found)

    return dataset.map(wrapped, num_parallel_calls=tf.data.AUTOTUNE)


def after(*arrays: Any, body: str) -> Any:
    """In the graph, each element with a seed of its own."""
    return _ported(_elements(arrays), body)
