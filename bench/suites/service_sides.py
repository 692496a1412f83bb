"""A pipeline in this process, or by the workers of a tf.data service, which the recipe `scale-out` starts."""

from __future__ import annotations

import atexit
import contextlib
import functools
from typing import Any

import cv2
import numpy as np
import tensorflow as tf

from pipeport import port, recipes_index
from pipeport.bench import _photographs

BATCH = 32


def photographs(elements: int) -> Any:
    """Return photographs, shape (elements, 256, 256, 3), uint8."""
    images = np.stack(_photographs.photographs((256, 256), "uint8"))
    return np.resize(images, (elements, *images.shape[1:]))


def prepared(image: Any) -> Any:
    """Return a smaller image, blurred and normalised."""
    image = cv2.resize(image, (96, 96), interpolation=cv2.INTER_AREA)
    image = cv2.GaussianBlur(image, (9, 9), 2).astype(np.float32)
    return (image - image.mean()) / image.std()


def work(images: Any, workers: int = 0) -> Any:
    """Prepare each image."""
    native = port(prepared)

    def mapped(image: Any) -> Any:
        return tf.ensure_shape(native(image), [96, 96, 3])

    data = tf.data.Dataset.from_tensor_slices(images).repeat()
    return _by(workers, data.map(mapped, num_parallel_calls=tf.data.AUTOTUNE))


def wire(images: Any, workers: int = 0, compression: str | None = None) -> Any:
    """Give each image as it is, of the largest dtype that images have."""
    data = tf.data.Dataset.from_tensor_slices(images.astype(np.float32)).repeat()
    return _by(workers, data, compression)


def _by(workers: int, data: Any, compression: str | None = None) -> Any:
    """Return batches, made here or by workers, each of which makes the whole endless dataset."""
    data = data.batch(BATCH, drop_remainder=True)
    if not workers:
        return data
    serving = tf.data.experimental.service
    return data.apply(
        serving.distribute(
            processing_mode=serving.ShardingPolicy.OFF, service=_fleet(workers), compression=compression
        )
    )


@functools.cache
def _fleet(workers: int) -> str:
    """Return the address of a dispatcher with so many workers, which end with this process."""
    running = contextlib.ExitStack()
    atexit.register(running.close)
    found: str = running.enter_context(recipes_index.find("scale-out").load("serve").fleet(workers))
    return found
