"""Before: Python counts in a branch, and tracing goes through both branches."""

import tensorflow as tf

seen = []


@tf.function
def scaled(image):
    if tf.reduce_max(image) > 1.0:
        seen.append("bytes")
        image /= 255.0
    else:
        seen.append("unit")
    return image


def scale_all(images):
    seen.clear()
    for image in images:
        scaled(image)
    return {kind: seen.count(kind) for kind in ("bytes", "unit")}
