"""An image, as an array and in a graph of unknown sizes."""

from __future__ import annotations

import numpy as np
import tensorflow as tf

from pipeport.arrays._making import fresh

IMAGE = np.arange(60, dtype=np.uint8).reshape(4, 5, 3)


def of(value):
    """Return an array."""
    return fresh(tf.constant(value))


def traced(function, *specs):
    """Return what a function gives in a graph of unknown sizes, for a tensor."""
    return tf.function(
        function, autograph=False, input_signature=specs or [tf.TensorSpec([None, None, 3], tf.uint8)]
    )
