"""After: the same functions, ported; draws come from the mosaic's seed."""

import cv2
import numpy as np
import tensorflow as tf

from pipeport import port
from pipeport.seeds import seeded_map

SIDE, CELLS = 256, 8


def letterbox(image, boxes):
    height, width = image.shape[:2]
    scale = min(SIDE / height, SIDE / width)
    rows, columns = round(height * scale), round(width * scale)
    top, left = (SIDE - rows) // 2, (SIDE - columns) // 2
    canvas = np.full((SIDE, SIDE, 3), 114, np.uint8)
    canvas[top : top + rows, left : left + columns] = cv2.resize(image, (columns, rows))
    return canvas, boxes * np.float32(scale) + np.array([left, top, left, top], np.float32)


def mosaic(images, boxes):
    x, y = np.random.randint(SIDE // 4, SIDE * 3 // 4, 2)
    canvas = np.zeros((SIDE, SIDE, 3), np.uint8)
    canvas[:y, :x] = images[0, SIDE - y :, SIDE - x :]
    canvas[:y, x:] = images[1, SIDE - y :, : SIDE - x]
    canvas[y:, :x] = images[2, : SIDE - y, SIDE - x :]
    canvas[y:, x:] = images[3, : SIDE - y, : SIDE - x]
    moves = np.array([[x - SIDE, y - SIDE], [x, y - SIDE], [x - SIDE, y], [x, y]])
    lows = np.array([[0, 0], [x, 0], [0, y], [x, y]])
    highs = np.array([[x, y], [SIDE, y], [x, SIDE], [SIDE, SIDE]])
    moved = (boxes + np.tile(moves, 2)[:, np.newaxis]).astype(np.float32)
    moved = np.clip(moved, np.tile(lows, 2)[:, np.newaxis], np.tile(highs, 2)[:, np.newaxis])
    moved = moved.reshape(-1, 4)
    return canvas, moved[((moved[:, 2:] - moved[:, :2]) > 4).all(axis=1)]


def targets(boxes):
    grid = np.zeros((CELLS, CELLS, 5), np.float32)
    for box in boxes / SIDE:
        column, row = ((box[:2] + box[2:]) / 2 * CELLS).astype(np.int32)
        grid[row, column, 0] = 1
        grid[row, column, 1:] = box
    return grid


def prepare(images, boxes):
    image, boxes = mosaic(images, boxes)
    return image.astype(np.float32) / 255, targets(boxes)


def build_dataset(images, boxes, parallel_calls=tf.data.AUTOTUNE, seed=42):
    """Give mosaics of four images each, and the boxes that are left in the cells of their centres."""
    dataset = tf.data.Dataset.from_tensor_slices((images, boxes))
    dataset = dataset.map(port(letterbox), num_parallel_calls=parallel_calls).batch(4, drop_remainder=True)
    return dataset.apply(seeded_map(port(prepare), seed, num_parallel_calls=parallel_calls))
