"""Before: a body over a few boxes, with a loop over them, ported."""

import numpy as np
import tensorflow as tf

from pipeport import port


def kept(boxes):
    """Keep boxes, best first, that overlap no kept one by more than a half."""
    chosen = np.zeros(len(boxes), bool)
    for i in range(len(boxes)):
        chosen[i] = True
        for j in range(i):
            width = min(boxes[i, 2], boxes[j, 2]) - max(boxes[i, 0], boxes[j, 0])
            height = min(boxes[i, 3], boxes[j, 3]) - max(boxes[i, 1], boxes[j, 1])
            if chosen[j] and width > 0 and height > 0 and width * height > 0.5:
                chosen[i] = False
    return chosen


def build_dataset(boxes):
    return tf.data.Dataset.from_tensor_slices(boxes).map(port(kept))
