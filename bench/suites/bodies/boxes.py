"""Boxes, key points and targets."""

import math

import numpy as np

from bodies.settings import CLASSES, clipped, overlap
from bodies.table import LARGE, SMALL, Body, image

ANCHORS = np.array([[0.2, 0.3], [0.5, 0.5], [0.9, 0.4]], np.float32)


def to_corners(boxes, height, width):
    """From (x, y, w, h) in fractions to corners in pixels."""
    boxes = boxes.astype(np.float32)
    corners = np.zeros_like(boxes)
    corners[:, 0] = (boxes[:, 0] - boxes[:, 2] / 2) * width
    corners[:, 1] = (boxes[:, 1] - boxes[:, 3] / 2) * height
    corners[:, 2] = (boxes[:, 0] + boxes[:, 2] / 2) * width
    corners[:, 3] = (boxes[:, 1] + boxes[:, 3] / 2) * height
    return clipped(corners, height, width)


def without_slivers(boxes, labels, least=0.05):
    sizes = boxes[:, 2:] - boxes[:, :2]
    keep = (sizes[:, 0] > least) & (sizes[:, 1] > least)
    return boxes[keep], labels[keep], keep.sum()


def flipped_with_boxes(image, boxes):
    width = image.shape[1]
    if np.random.random() < 0.5:
        image = image[:, ::-1, :]
        boxes = boxes.copy()
        boxes[:, [0, 2]] = width - boxes[:, [2, 0]]
    return image, boxes


def best_overlap(boxes, truth):
    scores = np.zeros(len(boxes), dtype=np.float32)
    for i, box in enumerate(boxes):
        scores[i] = overlap(box, truth).max()
    return scores, int(np.argmax(scores))


def grid_target(boxes, labels, cells=7):
    target = np.zeros((cells, cells, 5 + CLASSES), dtype=np.float32)
    for box, label in zip(boxes, labels):  # noqa: B905
        x, y, w, h = box
        column, row = int(x * cells), int(y * cells)
        if target[row, column, 4] == 1:
            continue
        target[row, column, 0:4] = x * cells - column, y * cells - row, w, h
        target[row, column, 4] = 1
        target[row, column, 5 + label] = 1
    return target


def nearest_anchor(box):
    best, chosen = -1.0, 0
    for i, (w, h) in enumerate(ANCHORS):
        shared = min(w, box[2]) * min(h, box[3])
        score = shared / (w * h + box[2] * box[3] - shared)
        if score > best:
            best, chosen = score, i
    return chosen, best


def heat_maps(points, size=32, sigma=2.0):
    y, x = np.arange(size)[:, None], np.arange(size)[None, :]
    maps = np.zeros((size, size, points.shape[0]), np.float32)
    for k in range(points.shape[0]):
        px, py, seen = points[k]
        if seen < 0.5 or not (0 <= px < size and 0 <= py < size):
            continue
        maps[:, :, k] = np.exp(-((x - px) ** 2 + (y - py) ** 2) / (2 * sigma**2))
    return maps


def turned_points(points):
    angle = math.radians(np.random.uniform(-45, 45))
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    centre = points.mean(axis=0)
    return ((points - centre) @ turn.T + centre).astype(np.float32)


def jittered_box(box):
    x1, y1, x2, y2 = box
    w, h = x2 - x1, y2 - y1
    x1 += np.random.uniform(-0.1, 0.1) * w
    y1 += np.random.uniform(-0.1, 0.1) * h
    x2, y2 = x1 + w, y1 + h
    return np.clip(np.array([x1, y1, x2, y2], dtype=np.float32), 0.0, 1.0)


def drawn_boxes(number, seed=0):
    """Return boxes (x1, y1, x2, y2) in fractions."""
    rng = np.random.default_rng(seed)
    first = rng.uniform(0, 0.6, (number, 2))
    return np.concatenate([first, first + rng.uniform(0.01, 0.4, (number, 2))], axis=1).astype(np.float32)


def labels_of(number):
    return np.arange(number, dtype=np.int64) % CLASSES


def centred(number):
    boxes = drawn_boxes(number)
    return np.concatenate([(boxes[:, :2] + boxes[:, 2:]) / 2, boxes[:, 2:] - boxes[:, :2]], axis=1)


def in_pixels(number, size):
    return (drawn_boxes(number) * (size[1], size[0], size[1], size[0])).astype(np.float32)


def points_of(number):
    rng = np.random.default_rng(number)
    return np.concatenate([rng.uniform(-4, 36, (number, 2)), rng.integers(0, 2, (number, 1))], 1).astype(
        np.float32
    )


INT = np.int32
BODIES = (
    Body(to_corners, ((centred(3) * 1.4, INT(9), INT(13)), (centred(20) * 1.4, INT(96), INT(72))),
         known=((1,),), static=((None, 4),)),
    Body(without_slivers, ((drawn_boxes(4), labels_of(4)), (drawn_boxes(40), labels_of(40))), known=((1,),),
         static=((None, 4), (None,), ())),
    Body(flipped_with_boxes, ((image(*SMALL), in_pixels(2, SMALL)), (image(*LARGE), in_pixels(9, LARGE))),
         known=((2,), (1,)), static=((None, None, 3), (None, 4))),
    Body(best_overlap, ((drawn_boxes(3), drawn_boxes(2, 1)), (drawn_boxes(30), drawn_boxes(12, 1))),
         known=((1,), (1,)), static=((None,), ())),
    Body(grid_target, ((centred(2), labels_of(2)), (centred(30), labels_of(30))), known=((1,),),
         static=((7, 7, 10),)),
    Body(nearest_anchor, ((centred(1)[0],), (centred(6)[5],)), known=((0,),), static=((), ())),
    Body(heat_maps, ((points_of(3),), (points_of(17),)), known=((1,),), static=((32, 32, None),)),
    Body(turned_points, ((points_of(3)[:, :2],), (points_of(50)[:, :2],)), known=((1,),),
         static=((None, 2),)),
    Body(jittered_box, ((drawn_boxes(1)[0],), (drawn_boxes(2)[1],)), known=((0,),), static=((4,),)),
)  # fmt: skip
