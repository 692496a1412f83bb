"""Key points and boxes with their pictures: heat maps, poses, crops, drawings."""

import random

import cv2
import numpy as np

from bodies.boxes import in_pixels, labels_of, points_of
from bodies.table import LARGE, SMALL, Body, image

LIMBS = [(0, 1), (1, 2), (2, 3), (1, 4)]
PARTNERS = [(0, 3), (2, 4)]


def splatted(points, size=32, radius=4):
    """One map for all points: the highest of their Gaussians."""
    heat = np.zeros((size, size), dtype=np.float32)
    y, x = np.mgrid[-radius : radius + 1, -radius : radius + 1]
    bump = np.exp(-(x * x + y * y) / (2 * (radius / 3) ** 2)).astype(np.float32)
    for px, py, _ in points:
        cx, cy = int(px), int(py)
        left, right = min(cx, radius), min(size - cx, radius + 1)
        top, bottom = min(cy, radius), min(size - cy, radius + 1)
        if cx < 0 or cy < 0 or right <= 0 or bottom <= 0:
            continue
        part = heat[cy - top : cy + bottom, cx - left : cx + right]
        patch = bump[radius - top : radius + bottom, radius - left : radius + right]
        np.maximum(part, patch, out=part)
    return heat


def centre_targets(boxes, labels, cells=16, stride=4):
    heat = np.zeros((5, cells, cells), np.float32)
    sizes = np.zeros((2, cells, cells), np.float32)
    offsets = np.zeros((cells, cells, 2), np.float32)
    ys, xs = np.meshgrid(np.arange(cells), np.arange(cells), indexing="ij")
    for (x1, y1, x2, y2), label in zip(boxes / stride, labels, strict=True):
        cx, cy = (x1 + x2) / 2, (y1 + y2) / 2
        column, row = int(np.clip(cx, 0, cells - 1)), int(np.clip(cy, 0, cells - 1))
        sigma = max((x2 - x1) * (y2 - y1), 1.0) ** 0.5 / 3
        gauss = np.exp(-((xs - column) ** 2 + (ys - row) ** 2) / (2 * sigma**2))
        heat[label] = np.maximum(heat[label], gauss)
        sizes[:, row, column] = x2 - x1, y2 - y1
        offsets[row, column] = [cx - column, cy - row]
    return heat, sizes, offsets


def mirrored_pose(picture, points):
    if random.random() > 0.5:
        picture = cv2.flip(picture, 1)
        points = points.copy()
        points[:, 0] = picture.shape[1] - 1 - points[:, 0]
        for left, right in PARTNERS:
            points[[left, right]] = points[[right, left]]
    return picture, points


def normalised_pose(points):
    seen = points[:, 2] > 0.5
    xy = points[:, :2] - (points[0, :2] + points[1, :2]) / 2
    size = np.linalg.norm(xy, axis=1)
    scale = size[seen].max() if seen.any() else 1.0
    if scale < 1e-6:
        scale = 1.0
    xy = xy / scale
    angles = [np.arctan2(*(xy[b] - xy[a])[::-1]) for a, b in LIMBS]
    return np.concatenate([xy.ravel(), np.array(angles)]).astype(np.float32)


def skeleton(picture, points):
    canvas = np.zeros(picture.shape[:2], np.uint8)
    height, width = canvas.shape
    for number, (a, b) in enumerate(LIMBS):
        if points[a, 2] < 0.5 or points[b, 2] < 0.5:
            continue
        start = (int(points[a, 0]), int(points[a, 1]))
        end = (int(points[b, 0]), int(points[b, 1]))
        cv2.line(canvas, start, end, 60 * (number + 1), 1)
    for x, y, _ in points:
        if 0 <= x < width and 0 <= y < height:
            cv2.circle(canvas, (int(x), int(y)), 2, 255, -1)
    return np.dstack([picture, canvas])


def letterboxed_with_boxes(picture, boxes, side=48):
    height, width = picture.shape[:2]
    scale = min(side / height, side / width)
    new_h, new_w = round(height * scale), round(width * scale)
    interpolation = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    picture = cv2.resize(picture, (new_w, new_h), interpolation=interpolation)
    dy, dx = (side - new_h) // 2, (side - new_w) // 2
    canvas = np.full((side, side, 3), 128, np.uint8)
    canvas[dy : dy + new_h, dx : dx + new_w] = picture
    boxes = boxes * scale
    boxes[:, [0, 2]] += dx
    boxes[:, [1, 3]] += dy
    return canvas, (boxes / side).astype(np.float32)


def crops_of_boxes(picture, boxes):
    crops = []
    for box in boxes:
        x1, y1, x2, y2 = box.astype(int)
        crop = picture[y1 : y2 + 1, x1 : x2 + 1]
        crops.append(cv2.resize(crop, (12, 12), interpolation=cv2.INTER_NEAREST))
    return np.array(crops, dtype=np.float32) / 255


def around_the_largest(picture, boxes, margin=0.2):
    areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    x1, y1, x2, y2 = boxes[int(areas.argmax())]
    w, h = x2 - x1, y2 - y1
    height, width, _ = picture.shape
    left, top = max(0, int(x1 - margin * w)), max(0, int(y1 - margin * h))
    right, bottom = min(width, int(x2 + margin * w) + 1), min(height, int(y2 + margin * h) + 1)
    face = picture[top:bottom, left:right]
    face = cv2.resize(face, (24, 24))
    return (face.astype(np.float32) - 127.5) / 128.0


def padded_boxes(boxes, labels, most=10):
    count = min(boxes.shape[0], most)
    result = -np.ones((most, 5), dtype=np.float32)
    order = np.argsort(labels, kind="stable")[:count]
    result[:count, :4] = boxes[order]
    result[:count, 4] = labels[order]
    return result, np.int32(count)


def five_points(size, seen=1):
    """Return five key points (x, y, seen) in an image."""
    points = np.random.default_rng(0).uniform(0, 1, (5, 2)) * (size[1] - 1, size[0] - 1)
    return np.column_stack([points, seen * np.array([1, 1, 1, 0, 1])]).astype(np.float32)


def pictures_with(make):
    return tuple((image(*size), make(size)) for size in (SMALL, LARGE))


INSIDE = pictures_with(lambda size: in_pixels(6, size))

BODIES = (
    Body(splatted, ((points_of(3),), (points_of(17),)), known=((1,),), static=((32, 32),)),
    Body(centre_targets, ((in_pixels(2, (64, 64)), labels_of(2)), (in_pixels(15, (64, 64)), labels_of(15))),
         known=((1,),), static=((5, 16, 16), (2, 16, 16), (16, 16, 2))),
    Body(mirrored_pose, pictures_with(five_points), known=((2,), (0, 1)), static=((None, None, 3), (5, 3))),
    Body(normalised_pose, ((five_points(SMALL),), (five_points(LARGE, seen=0),)), known=((0, 1),),
         static=((14,),)),
    Body(skeleton, pictures_with(five_points), known=((2,), (0, 1)), static=((None, None, 4),)),
    Body(letterboxed_with_boxes, INSIDE, known=((2,), (1,)), static=((48, 48, 3), (None, 4)), levels=1),
    Body(crops_of_boxes, INSIDE, known=((2,), (1,)), static=((None, 12, 12, 3),)),
    Body(around_the_largest, INSIDE, known=((2,), (1,)), static=((24, 24, 3),), relative=0.012),
    Body(padded_boxes, ((in_pixels(3, LARGE), labels_of(3)), (in_pixels(14, LARGE), labels_of(14))),
         known=((1,),), static=((10, 5), ())),
)  # fmt: skip
