"""After: the same calls of another cv2, without the boundary."""

import tensorflow as tf

from pipeport import cv2


def build_dataset(image_paths, mask_paths, parallel_calls=tf.data.AUTOTUNE, size=None):
    """Give an RGB image in [0, 1] and its class map for each pair of files; `size` if they have one."""

    def read_pair(image_path, mask_path):
        image = cv2.imread(image_path, cv2.IMREAD_COLOR_RGB)  # red first: nothing to turn round
        mask = cv2.imread(mask_path, cv2.IMREAD_GRAYSCALE)
        if size is not None:
            image, mask = tf.ensure_shape(image, [*size, 3]), tf.ensure_shape(mask, size)
        image = tf.cast(cv2.resize(image, (224, 224)), tf.float32) / 255
        mask = cv2.resize(mask, (224, 224), interpolation=cv2.INTER_NEAREST)
        return image, mask

    dataset = tf.data.Dataset.from_tensor_slices((image_paths, mask_paths))
    return dataset.map(read_pair, num_parallel_calls=parallel_calls)
