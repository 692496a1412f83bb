"""What every image goes through before the network sees it."""

import cv2
import numpy as np
import tensorflow as tf


@tf.numpy_function(Tout=tf.uint8)
def upright(image):
    return np.rot90(image, 3)


def letterbox(image):
    height, width = image.shape[:2]
    scale = 64 / max(height, width)
    image = cv2.resize(image, (round(width * scale), round(height * scale)))
    below, right = 64 - image.shape[0], 64 - image.shape[1]
    return cv2.copyMakeBorder(image, 0, below, 0, right, cv2.BORDER_CONSTANT, value=(0, 0, 0))


def standardised(image):
    image = image.astype(np.float32) / 255
    image = np.clip(image * 1.2 - 0.1, 0, 1)
    return (image - image.mean()) / (image.std() + np.float32(1e-3))


def brighter(image):
    factor = np.random.uniform(0.8, 1.2)
    return np.clip(image * factor, 0, 255).astype(np.uint8)


def grey(image):
    weights = tf.constant([0.299, 0.587, 0.114])
    return tf.tensordot(tf.cast(image, tf.float32), weights, 1)
