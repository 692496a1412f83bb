"""The bugs of this migration, one function each; what a function returns is the evidence."""

import math

import numpy as np
import skimage.transform
import tensorflow as tf
from skimage import data

import pipeport.tensorflow_addons as tfa

ASTRONAUT = data.astronaut()[:128, 160:320]  # 128 x 160, uint8
DOT = np.zeros((12, 16, 1), np.float32)  # rows, columns, one channel: a bright pixel in the dark
DOT[4, 8] = 1


def place_of(image):
    """Return row and column of the brightest pixel."""
    return tuple(map(int, np.unravel_index(np.argmax(image), image.shape[:2])))


def degrees_for_radians():
    """The angle is in radians, counter-clockwise: error on [0, 1] of 90 and of pi / 2 as a quarter turn."""
    square = (ASTRONAUT[:, :128] / 255).astype(np.float32)
    quarter = np.rot90(square)
    given = tfa.image.rotate(square, 90)
    right = tfa.image.rotate(square, math.pi / 2)
    return float(np.abs(given - quarter).max()), float(np.abs(right - quarter).max())


def interpolated_bytes_are_truncated():
    """Fraction of pixels off the nearest level: bytes interpolated, and floats rounded afterwards."""
    exact = skimage.transform.rotate(ASTRONAUT, np.rad2deg(0.5), mode="edge", preserve_range=True)
    truncated = tfa.image.rotate(ASTRONAUT, 0.5, "bilinear", "nearest")
    floats = tfa.image.rotate(ASTRONAUT.astype(np.float32), 0.5, "bilinear", "nearest")
    rounded = tf.saturate_cast(tf.round(floats), tf.uint8)
    return tuple(float(np.mean(image.numpy() != np.rint(exact))) for image in (truncated, rounded))


def reflect_of_another_library():
    """Largest error on [0, 1] of fill_mode="reflect", by the name scikit-image has for it."""
    image = (ASTRONAUT / 255).astype(np.float32)
    filled = tfa.image.rotate(image, 0.5, "bilinear", "reflect")
    return {
        mode: float(np.abs(filled - skimage.transform.rotate(image, np.rad2deg(0.5), mode=mode)).max())
        for mode in ("reflect", "symmetric")
    }


def matrix_from_input_to_output():
    """Where a dot at (4, 8) goes when "3 to the right" is written forward, inverted, as translate has it."""
    forward = tf.constant([[1.0, 0.0, 3.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    rows = tfa.image.transform_ops.matrices_to_flat_transforms
    return (
        place_of(tfa.image.transform(DOT, rows(forward))),
        place_of(tfa.image.transform(DOT, rows(tf.linalg.inv(forward)))),
        place_of(tfa.image.translate(DOT, [3.0, 0.0])),
    )


def columns_first_or_rows_first():
    """Where a dot at (4, 8) goes by the pair (3, 0): as a translation, and as a flow at every pixel."""
    flow = tf.broadcast_to([3.0, 0.0], [1, 12, 16, 2])
    return (
        place_of(tfa.image.translate(DOT, [3.0, 0.0])),
        place_of(tfa.image.dense_image_warp(DOT[np.newaxis], flow)[0]),
    )


def grey_batch_taken_for_one_image():
    """Rank 3 is (H, W, C): whether grey images (B, H, W) come out right, without and with a last axis."""
    batch = np.stack([np.rot90(DOT[:, 2:14, 0], turns) for turns in range(4)])
    angles = [math.pi / 2] * 4
    right = np.rot90(batch, axes=(1, 2))
    taken = tfa.image.rotate(batch, math.pi / 2)
    given = tfa.image.rotate(batch[..., np.newaxis], angles)[..., 0]
    return np.array_equal(taken, right), np.array_equal(given, right)


def interpolation_that_was_never_there():
    """Addons logs an unknown interpolation and computes something; here it is an error."""
    try:
        return tfa.image.rotate(ASTRONAUT, 0.5, "bicubic")
    except ValueError as error:
        return str(error)


def class_map_bent():
    """dense_image_warp knows bilinear alone: classes of a bent map of 0 and 7, bent as it is and one-hot."""
    classes = np.where(ASTRONAUT[..., 0] > 128, 7, 0)
    flow = tf.random.stateless_uniform([1, 128, 160, 2], (0, 0), -4, 4)
    bent = tfa.image.dense_image_warp(classes[np.newaxis, ..., np.newaxis].astype(np.float32), flow)
    one_hot = tfa.image.dense_image_warp(tf.one_hot(classes, 8)[tf.newaxis], flow)
    return np.unique(np.rint(bent)), np.unique(tf.argmax(one_hot, axis=-1))


def stock_kernel_under_xla():
    """A step compiled as a whole: what TensorFlow says of Addons' kernel, and the native's change by it."""
    image = (ASTRONAUT / 255).astype(np.float32)
    maps = tfa.image.angles_to_projective_transforms(0.5, *image.shape[:2])

    @tf.function(jit_compile=True)
    def stock(images):
        return tf.raw_ops.ImageProjectiveTransformV3(
            images=images,
            transforms=maps,
            output_shape=image.shape[:2],
            interpolation="BILINEAR",
            fill_mode="REFLECT",
            fill_value=0.0,
        )

    @tf.function(jit_compile=True)
    def native(images):
        return tfa.image.transform(images, maps, "bilinear", "reflect")

    plain = tfa.image.transform(image[np.newaxis], maps, "bilinear", "reflect")
    changed = float(np.abs(native(image[np.newaxis]) - plain).max())
    try:
        stock(image[np.newaxis])
    except tf.errors.OpError as error:
        return error.message, changed
