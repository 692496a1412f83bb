"""Before: each value needs the one before it, so Python goes over them, behind numpy_function."""

import numpy as np
import tensorflow as tf

DECAY = 0.9


def body(x):
    y = np.empty_like(x)
    state = np.zeros(x.shape[:-1], x.dtype)
    for t in range(x.shape[-1]):
        state = np.float32(DECAY) * state + np.float32(1 - DECAY) * x[..., t]
        y[..., t] = state
    return y


@tf.function
def running_mean(x):
    return tf.numpy_function(body, [x], tf.float32)
