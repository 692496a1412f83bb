"""Masks of images: classes, borders, boxes, weights."""

import random

import cv2
import numpy as np

from bodies.table import LARGE, SMALL, Body, image

PALETTE = {"road": (128, 64, 128), "car": (0, 0, 142), "person": (220, 20, 60)}


def classes_of_colours(mask):
    labels = np.zeros(mask.shape[:2], dtype=np.uint8)
    for number, colour in enumerate(PALETTE.values(), start=1):
        labels[np.all(mask == colour, axis=-1)] = number
    one_hot = np.eye(len(PALETTE) + 1, dtype=np.float32)[labels]
    return labels, one_hot


def cleaned_mask(mask):
    _, binary = cv2.threshold(mask, 127, 255, cv2.THRESH_BINARY)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
    binary = cv2.morphologyEx(binary, cv2.MORPH_OPEN, kernel)
    binary = cv2.morphologyEx(binary, cv2.MORPH_CLOSE, kernel, iterations=2)
    return binary, np.float32(binary.mean() / 255)


def border_of_mask(mask, thickness=2):
    mask = (mask > 127).astype("uint8")
    kernel = np.ones((3, 3), np.uint8)
    outer = cv2.dilate(mask, kernel, iterations=thickness)
    inner = cv2.erode(mask, kernel, iterations=thickness)
    border = outer - inner
    weights = np.where(border == 1, 5.0, 1.0).astype(np.float32)
    return np.stack([mask, border], axis=-1), weights


def box_of_mask(mask):
    ys, xs = np.where(mask > 150)
    if len(ys) == 0:
        return np.zeros(4, np.float32), False
    box = np.array([xs.min(), ys.min(), xs.max() + 1, ys.max() + 1], dtype=np.float32)
    height, width = mask.shape
    box /= np.array([width, height, width, height], dtype=np.float32)
    return box, True


def hidden_part(picture, mask):
    """Blur what is outside of the mask, or paint it, by chance."""
    inside = mask[..., np.newaxis] > 127
    if random.random() < 0.5:
        outside = cv2.GaussianBlur(picture, (7, 7), 2)
    else:
        outside = np.full_like(picture, np.random.randint(0, 256))
    return np.where(inside, picture, outside)


def soft_mask(mask):
    mask = mask.astype(np.float32) / 255.0
    mask[mask < 0.3] = 0.0
    mask[mask >= 0.7] = 1.0
    mask = cv2.GaussianBlur(mask, (5, 5), 0)
    flat = mask.reshape(-1)
    order = np.argsort(-flat)[: max(1, flat.size // 10)]
    return mask, flat[order].mean()


def of_palette(height, width):
    """Return a mask of the palette's colours and of another one."""
    colours = np.array([*PALETTE.values(), (7, 7, 7)], np.uint8)
    return colours[image(height, width, channels=None) // 20 % 4]


def pairs(*sizes):
    return tuple((image(*size), image(*size, channels=None)) for size in sizes)


PLANES = ((image(*SMALL, channels=None),), (image(*LARGE, channels=None),))
EMPTY = (np.zeros(SMALL, np.uint8),)

BODIES = (
    Body(classes_of_colours, ((of_palette(*SMALL),), (of_palette(*LARGE),)), known=((2,),),
         static=((None, None), (None, None, 4))),
    Body(cleaned_mask, PLANES, static=((None, None), ())),
    Body(border_of_mask, PLANES, static=((None, None, 2), (None, None))),
    Body(box_of_mask, (*PLANES, EMPTY), static=((4,), ())),
    Body(hidden_part, pairs(SMALL, LARGE), known=((2,),), static=((None, None, 3),), levels=1),
    Body(soft_mask, PLANES, static=((None, None), ())),
)  # fmt: skip
