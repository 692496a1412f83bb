"""After: what a branch counts is part of the graph."""

import tensorflow as tf

seen = {"bytes": tf.Variable(0), "unit": tf.Variable(0)}


@tf.function
def scaled(image):
    if tf.reduce_max(image) > 1.0:
        seen["bytes"].assign_add(1)
        image /= 255.0
    else:
        seen["unit"].assign_add(1)
    return image


def scale_all(images):
    for count in seen.values():
        count.assign(0)
    for image in images:
        scaled(image)
    return {kind: int(count) for kind, count in seen.items()}
