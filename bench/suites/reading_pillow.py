"""Files read by Pillow, resized at its default (bicubic, smoothed), flipped, made brighter."""

import numpy as np
import tensorflow as tf
from PIL import Image, ImageOps

from pipeport import numpy as native_numpy
from pipeport.PIL import Image as NativeImage
from pipeport.PIL import ImageOps as NativeImageOps


def augment(path, flipped, brighter):
    image = Image.open(path.decode()).convert("RGB").resize((224, 224))
    if flipped:
        image = ImageOps.mirror(image)
    return np.clip(np.asarray(image, np.float32) / 255 + brighter, 0, 1)


def before(paths, flipped, brighter):
    """Behind tf.numpy_function."""

    def tf_augment(*element):
        image = tf.numpy_function(augment, element, tf.float32)
        return tf.ensure_shape(image, (224, 224, 3))

    dataset = tf.data.Dataset.from_tensor_slices((paths, flipped, brighter))
    return dataset.map(tf_augment, num_parallel_calls=tf.data.AUTOTUNE)


def after(paths, flipped, brighter):
    """In the graph."""

    def tf_augment(path, flipped, brighter):
        image = NativeImage.open(path).convert("RGB").resize((224, 224))
        pixels = native_numpy.asarray(image)
        if flipped:
            pixels = native_numpy.asarray(NativeImageOps.mirror(image))
        return tf.clip_by_value(tf.cast(pixels, tf.float32) / 255 + brighter, 0, 1)

    dataset = tf.data.Dataset.from_tensor_slices((paths, flipped, brighter))
    return dataset.map(tf_augment, num_parallel_calls=tf.data.AUTOTUNE)
