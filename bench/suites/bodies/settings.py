"""What bodies import from another module of their project: constants and helpers."""

import numpy as np

MEAN = np.array([123.7, 116.3, 103.5], dtype=np.float32)
STD = np.array([58.4, 57.1, 57.4], dtype=np.float32)
SIDE = 64
FILL = 114
CLASSES = 5


def clipped(boxes, height, width):
    """Cut boxes (x1, y1, x2, y2) to an image."""
    boxes = boxes.copy()
    boxes[:, 0::2] = np.clip(boxes[:, 0::2], 0, width)
    boxes[:, 1::2] = np.clip(boxes[:, 1::2], 0, height)
    return boxes


def overlap(one, others):
    """Return the intersection over union of a box with others."""
    left = np.maximum(one[0], others[:, 0])
    top = np.maximum(one[1], others[:, 1])
    right = np.minimum(one[2], others[:, 2])
    bottom = np.minimum(one[3], others[:, 3])
    shared = np.maximum(right - left, 0) * np.maximum(bottom - top, 0)
    own = (one[2] - one[0]) * (one[3] - one[1])
    areas = (others[:, 2] - others[:, 0]) * (others[:, 3] - others[:, 1])
    return shared / (own + areas - shared)
