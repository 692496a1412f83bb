# ruff: noqa: RUF046
"""Crops, cut-outs and what else is done by slices."""

import random

import cv2
import numpy as np

from bodies.settings import SIDE
from bodies.table import LARGE, SMALL, Body, both, image


def random_crop(image, size=8):
    height, width = image.shape[:2]
    top = np.random.randint(0, height - size + 1)
    left = np.random.randint(0, width - size + 1)
    return image[top : top + size, left : left + size, :]


def cutout(image, size=6):
    image = image.copy()
    height, width = image.shape[:2]
    y, x = np.random.randint(height), np.random.randint(width)
    y1, y2 = np.clip(y - size // 2, 0, height), np.clip(y + size // 2, 0, height)
    x1, x2 = max(x - size // 2, 0), min(x + size // 2, width)
    image[y1:y2, x1:x2] = 0
    return image


def several_holes(image):
    image = image.copy()
    height, width = image.shape[:2]
    for _ in range(random.randint(1, 4)):
        if random.random() < 0.2:
            continue
        y, x = random.randrange(height), random.randrange(width)
        image[y : y + 4, x : x + 5] = int(np.random.randint(0, 256))
    return image


def resized_crop(image):
    height, width = image.shape[:2]
    area = height * width
    for _ in range(10):
        target = random.uniform(0.3, 1.0) * area
        ratio = random.uniform(0.75, 1.33)
        w = int(round((target * ratio) ** 0.5))
        h = int(round((target / ratio) ** 0.5))
        if 0 < w <= width and 0 < h <= height:
            top = random.randint(0, height - h)
            left = random.randint(0, width - w)
            crop = image[top : top + h, left : left + w]
            return cv2.resize(crop, (32, 32), interpolation=cv2.INTER_NEAREST)
    side = min(height, width)
    crop = image[(height - side) // 2 : (height + side) // 2, (width - side) // 2 : (width + side) // 2]
    return cv2.resize(crop, (32, 32), interpolation=cv2.INTER_NEAREST)


def halved_until_small(image):
    while max(image.shape[0], image.shape[1]) > SIDE // 2:
        image = image[::2, ::2]
    return image


def grid_mask(image):
    step = np.random.randint(4, 9)
    start = np.random.randint(0, step)
    mask = np.ones(image.shape[:2], np.float32)
    for y in range(start, image.shape[0], step):
        mask[y : y + step // 2, :] = 0
    for x in range(start, image.shape[1], step):
        mask[:, x : x + step // 2] = 0
    return image * mask[..., None]


def around_foreground(image):
    rows = np.any(image > 200, axis=(1, 2))
    columns = np.any(image > 200, axis=(0, 2))
    if not rows.any():
        return image
    y, x = np.where(rows)[0], np.where(columns)[0]
    top, bottom = y[0], y[-1]
    left, right = x[0], x[-1]
    return image[top : bottom + 1, left : right + 1]


def four_corners(image, size=5):
    height, width = image.shape[:2]
    corners = [(0, 0), (0, width - size), (height - size, 0), (height - size, width - size)]
    patches = [image[y : y + size, x : x + size] for y, x in corners]
    return np.stack(patches), np.array(corners)


def same_crop_of_both(image, mask, size=8):
    top = random.randint(0, image.shape[0] - size)
    left = random.randint(0, image.shape[1] - size)
    image, mask = (one[top : top + size, left : left + size] for one in (image, mask))
    if random.random() < 0.5:
        image, mask = np.fliplr(image), np.fliplr(mask)
    return image, mask


def centre_cropped_or_padded(volume, depth=16):
    slices = volume.shape[0]
    if slices < depth:
        before = (depth - slices) // 2
        volume = np.pad(volume, ((before, depth - slices - before), (0, 0), (0, 0)))
    elif slices > depth:
        start = (slices - depth) // 2
        volume = volume[start : start + depth]
    return volume


def pairs(*sizes):
    return tuple((image(*size), image(*size, channels=None)) for size in sizes)


def volumes(*sizes):
    return tuple((image(*size, dtype="float32"),) for size in sizes)


BODIES = (
    Body(random_crop, both(SMALL, LARGE), known=((2,),), static=((8, 8, 3),)),
    Body(cutout, both(SMALL, LARGE), static=((None, None, None),)),
    Body(several_holes, both(SMALL, LARGE), static=((None, None, None),)),
    Body(resized_crop, both((15, 17), LARGE), known=((2,),), static=((32, 32, 3),)),
    Body(halved_until_small, both(SMALL, LARGE), known=((2,),), static=((None, None, 3),)),
    Body(grid_mask, both(SMALL, LARGE, dtype="float32"), static=((None, None, None),)),
    Body(around_foreground, both(SMALL, LARGE), known=((2,),), static=((None, None, 3),)),
    Body(four_corners, both(SMALL, LARGE), known=((2,),), static=((4, None, None, 3), (4, 2))),
    Body(same_crop_of_both, pairs(SMALL, LARGE), known=((2,), ()), static=((8, 8, 3), (None, None))),
    Body(centre_cropped_or_padded, volumes((10, 7, 6), (16, 8, 8), (40, 64, 64))),
)
