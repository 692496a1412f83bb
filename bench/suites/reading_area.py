"""Files read and shrunk by their areas, kept as bytes."""

import cv2
import tensorflow as tf

from pipeport import cv2 as native


def shrink(path):
    image = cv2.cvtColor(cv2.imread(path.decode()), cv2.COLOR_BGR2RGB)
    return cv2.resize(image, (224, 224), interpolation=cv2.INTER_AREA)


def before(paths):
    """Behind tf.numpy_function."""

    def tf_shrink(path):
        image = tf.numpy_function(shrink, [path], tf.uint8)
        return tf.ensure_shape(image, (224, 224, 3))

    return tf.data.Dataset.from_tensor_slices(paths).map(tf_shrink, num_parallel_calls=tf.data.AUTOTUNE)


def after(paths):
    """In the graph."""

    def tf_shrink(path):
        image = native.imread(path, native.IMREAD_COLOR_RGB)
        return native.resize(image, (224, 224), interpolation=native.INTER_AREA)

    return tf.data.Dataset.from_tensor_slices(paths).map(tf_shrink, num_parallel_calls=tf.data.AUTOTUNE)
