"""The bugs of this migration, one function each; what a function returns is the evidence."""

import numpy as np
import tensorflow as tf

from pipeport import port
from pipeport.seeds import seeded_map

SIDE = 64
BOXES = [np.float32([[4, 4, 20, 20]]), np.float32([[8, 8, 40, 40], [30, 30, 60, 60]])]


def boxes():
    """Two elements: one box, and two of them."""
    signature = tf.TensorSpec([None, 4], tf.float32)
    return tf.data.Dataset.from_generator(lambda: iter(BOXES), output_signature=signature)


def large(boxes):
    return boxes[((boxes[:, 2:] - boxes[:, :2]) > 4).all(axis=1)]


def images_with_other_numbers_of_boxes():
    """`batch` refuses what is not of one size: what it says, and how many are left of those that pad."""
    try:
        list(boxes().batch(2))
    except tf.errors.InvalidArgumentError as error:
        padded = boxes().padded_batch(2).map(lambda both: tf.reshape(both, [-1, 4]))
        (left,) = padded.map(port(large)).as_numpy_iterator()
        return error.message, len(left)


def boxes_outside_of_their_part():
    """Clipped, a box outside has no area, and would be a target: boxes without the filter and with it."""

    def clipped(boxes):
        return np.clip(boxes, 0, 25)

    def filtered(boxes):
        return large(np.clip(boxes, 0, 25))

    return [sum(map(len, boxes().map(port(body)).as_numpy_iterator())) for body in (clipped, filtered)]


def two_boxes_in_a_cell():
    """The later one is written over the other, in Python and ported: what the cell holds, of both."""

    def cell(boxes):
        grid = np.zeros((2, 2), np.float32)
        for box in boxes:
            column, row = ((box[:2] + box[2:]) / 2 / SIDE).astype(np.int32)
            grid[row, column] = box[0]
        return grid

    return [float(one(BOXES[1])[0, 0]) for one in (cell, port(cell))]


def a_draw_for_each_image():
    """A centre that is drawn before `batch` differs within a mosaic: centres of four images, both ways."""

    def centre(number):
        return np.random.randint(SIDE)

    def of_four(numbers):
        return np.full(4, np.random.randint(SIDE))

    numbers = tf.data.Dataset.range(4)
    apart = numbers.apply(seeded_map(port(centre), 42)).batch(4)
    together = numbers.batch(4).apply(seeded_map(port(of_four), 42))
    return [len(set(next(one.as_numpy_iterator()))) for one in (apart, together)]
