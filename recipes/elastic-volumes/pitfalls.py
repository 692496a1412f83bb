"""The bugs of this migration, one function each; what a function returns is the evidence."""

import numpy as np
import tensorflow as tf
from scipy.ndimage import gaussian_filter, map_coordinates

from pipeport import port
from pipeport.errors import PipeportError
from pipeport.seeds import seeded_map

SIZES = (24, 24, 16)
GRID = np.stack(np.meshgrid(*[np.arange(side) for side in SIZES], indexing="ij"))
BALL = (((GRID - np.reshape([12, 12, 8], (3, 1, 1, 1))) ** 2).sum(0) < 36).astype(np.float32)
BALLS = tf.data.Dataset.from_tensors(BALL).repeat(8)


def moved(volume, order=1, alpha=60.0, sigma=4.0, mode="reflect"):
    """Bend a volume by fields that are drawn here."""
    fields = [gaussian_filter(np.random.uniform(-1, 1, SIZES), sigma, mode="constant") for axis in range(3)]
    places = [GRID[axis] + alpha * fields[axis] for axis in range(3)]
    return map_coordinates(volume, places, order=order, mode=mode)


def drawn(function):
    """Return what a ported function gives for each of the volumes."""
    return list(BALLS.apply(seeded_map(port(function), 42)).as_numpy_iterator())


def fields_of_their_own():
    """Volume and labels in a call each have draws of their own: voxels that disagree, and with one draw."""

    def apart(ball):
        return (moved(ball) > 0.5) != (moved(ball) > 0.5)

    def together(ball):
        both = moved(ball)
        return (both > 0.5) != (both > 0.5)

    return [sum(int(one.sum()) for one in drawn(body)) for body in (apart, together)]


def classes_invented_by_interpolation():
    """Classes 0 and 6 at order 1 hold classes that do not exist: order 1, order 0."""

    def linear(ball):
        return np.rint(moved(6 * ball, order=1)).astype(np.uint8)

    def nearest(ball):
        return moved(6 * ball, order=0).astype(np.uint8)

    return [sorted(map(int, np.unique(drawn(body)))) for body in (linear, nearest)]


def border_left_at_its_default():
    """mode="constant" makes holes where a place lies outside: empty voxels of volumes of ones, per mode."""

    def holes(mode):
        def body(ball):
            return moved(ball * 0 + 1, mode=mode)

        return sum(int((one == 0).sum()) for one in drawn(body))

    return holes("constant"), holes("reflect")


def alpha_is_no_distance():
    """The filter averages what was drawn: the largest move in voxels, by the width of the filter."""

    def largest(sigma):
        def body(ball):
            return 60.0 * np.abs(gaussian_filter(np.random.uniform(-1, 1, SIZES), sigma, mode="constant"))

        return max(float(one.max()) for one in drawn(body))

    return largest(1.0), largest(4.0)


def map_without_seeds():
    """An error while tracing; a field drawn once would bend all volumes alike."""
    try:
        BALLS.map(port(moved))
    except PipeportError as error:
        return str(error)
