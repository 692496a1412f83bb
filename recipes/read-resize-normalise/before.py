"""Before: files read, resized and normalised by OpenCV, behind tf.numpy_function."""

import cv2
import numpy as np
import tensorflow as tf


def read_pair(image_path, mask_path):
    image = cv2.imread(image_path.decode())  # blue, green, red
    image = cv2.resize(image, (224, 224))[..., ::-1] / np.float32(255)
    mask = cv2.imread(mask_path.decode(), cv2.IMREAD_GRAYSCALE)
    mask = cv2.resize(mask, (224, 224), interpolation=cv2.INTER_NEAREST)
    return image, mask


def tf_read_pair(image_path, mask_path):
    return tf.numpy_function(read_pair, [image_path, mask_path], (tf.float32, tf.uint8))


def build_dataset(image_paths, mask_paths, parallel_calls=tf.data.AUTOTUNE):
    """Give an RGB image in [0, 1] and its class map for each pair of files."""
    dataset = tf.data.Dataset.from_tensor_slices((image_paths, mask_paths))
    return dataset.map(tf_read_pair, num_parallel_calls=parallel_calls)
