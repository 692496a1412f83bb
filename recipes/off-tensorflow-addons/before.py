"""Before: augmentation with TensorFlow Addons, which no TensorFlow after 2.15 can load."""

import tensorflow as tf
import tensorflow_addons as tfa


def draw(seed, shape, most):
    return tf.random.stateless_uniform(shape, seed, -most, most)


def augment(image, seed):
    """Turn, move, tilt and bend one uint8 image (H, W, C); float32 in [0, 1]."""
    turn, move, tilt, bend = tf.unstack(tf.random.split(seed, 4))
    size = image.shape[:2]
    image = tf.image.convert_image_dtype(image, tf.float32)
    image = tfa.image.rotate(image, draw(turn, [], 0.3), "bilinear", fill_mode="reflect")
    image = tfa.image.translate(image, draw(move, [2], 6.0), "bilinear", fill_mode="nearest")
    perspective = tf.concat([[1.0, 0.0, 0.0, 0.0, 1.0, 0.0], draw(tilt, [2], 4e-4)], axis=0)
    image = tfa.image.transform(image, perspective, "bilinear", fill_mode="nearest")
    flow = tf.image.resize(draw(bend, [1, 6, 6, 2], 4.0), size, method="bicubic")
    return tfa.image.dense_image_warp(image[tf.newaxis], flow)[0]


def build_dataset(images, labels, parallel_calls=tf.data.AUTOTUNE, seed=42):
    """Augment each image by draws of its own; its label stays."""

    def element(index, pair):
        image, label = pair
        return augment(image, (seed, index)), label

    dataset = tf.data.Dataset.from_tensor_slices((images, labels)).enumerate()
    return dataset.map(element, num_parallel_calls=parallel_calls)
