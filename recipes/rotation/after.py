"""After: the same parameters, without the boundary."""

import tensorflow as tf

from pipeport.skimage.transform import rotate


def rotate_bytes(image, angle):
    # dtype rounds to nearest, saturates and casts: what np.rint and astype did.
    return rotate(image, angle, mode="reflect", preserve_range=True, dtype="uint8")


def build_dataset(images, angles, parallel_calls=tf.data.AUTOTUNE):
    """Rotate each uint8 image by its own angle, in degrees, counter-clockwise."""
    dataset = tf.data.Dataset.from_tensor_slices((images, angles))
    return dataset.map(rotate_bytes, num_parallel_calls=parallel_calls)
