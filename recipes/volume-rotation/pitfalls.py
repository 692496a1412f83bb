"""The bugs of this migration, one function each; what a function returns is the evidence."""

import random

import numpy as np
import tensorflow as tf
from scipy import ndimage

import pipeport.scipy.ndimage

BOX = np.zeros((24, 20, 6), np.float32)  # rows, columns, slices: a bright box in the dark
BOX[8:16, 6:14, 1:5] = 1


def overshoot_without_a_clip():
    """Order 3 leaves the range of its values: smallest and largest, SciPy's and the native's."""
    theirs = ndimage.rotate(BOX, 30, reshape=False)
    ours = pipeport.scipy.ndimage.rotate(BOX, 30, reshape=False).numpy()
    return (theirs.min(), theirs.max()), (ours.min(), ours.max())


def depth_first_with_the_default_axes():
    """axes=(1, 0) are rows and columns of (H, W, D) alone: slices mixed in (D, H, W), per choice of axes."""
    depth = np.zeros((6, 24, 20), np.float32) + np.arange(6, dtype=np.float32)[:, None, None]
    spread = {}
    for axes in ((1, 0), (1, 2)):
        middle = pipeport.scipy.ndimage.rotate(depth, 20, axes=axes, reshape=False, order=1)[:, 9:15, 8:12]
        spread[axes] = float(np.ptp(middle, axis=(1, 2)).max())
    return spread


def reshape_left_at_its_default():
    """reshape=True grows the volume with the angle: static shapes with it and without."""
    data = tf.data.Dataset.from_tensors((BOX, 30.0))
    grown = data.map(pipeport.scipy.ndimage.rotate)
    kept = data.map(lambda volume, angle: pipeport.scipy.ndimage.rotate(volume, angle, reshape=False))
    return grown.element_spec.shape.as_list(), kept.element_spec.shape.as_list()


def classes_invented_by_the_spline():
    """A class map turned at order 3 holds classes that do not exist: order 3, order 0."""
    classes = (7 * BOX).astype(np.uint8)
    cubic = pipeport.scipy.ndimage.rotate(classes, 30, reshape=False)
    nearest = pipeport.scipy.ndimage.rotate(classes, 30, reshape=False, order=0)
    return np.unique(cubic), np.unique(nearest)


def angle_drawn_while_tracing():
    """Python draws once, while the graph is built: distinct results of eight volumes, drawn and given."""
    volumes = tf.data.Dataset.from_tensors(BOX).repeat(8)

    def drawn(volume):
        return pipeport.scipy.ndimage.rotate(volume, random.uniform(-20, 20), reshape=False)

    def given(volume, angle):
        return pipeport.scipy.ndimage.rotate(volume, angle, reshape=False)

    angles = tf.data.Dataset.from_tensor_slices(np.linspace(-20, 20, 8))
    frozen = volumes.map(drawn)
    free = tf.data.Dataset.zip((volumes, angles)).map(given)
    return [len({v.tobytes() for v in dataset.as_numpy_iterator()}) for dataset in (frozen, free)]
