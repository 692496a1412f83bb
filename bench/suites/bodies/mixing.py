"""Pictures altered, lit, drawn on, warped, and mixed with others."""

import math
import random

import cv2
import numpy as np

from bodies.table import LARGE, SMALL, Body, both, image


def hue_moved(picture):
    hsv = cv2.cvtColor(picture, cv2.COLOR_RGB2HSV).astype(np.float32)
    hsv[..., 0] = (hsv[..., 0] + random.randint(-12, 12)) % 180
    hsv[..., 1] *= random.uniform(0.7, 1.3)
    hsv[..., 2] *= random.uniform(0.7, 1.3)
    hsv[..., 1:] = np.clip(hsv[..., 1:], 0, 255)
    return cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2RGB)


def softened_or_sharpened(picture):
    chance = random.random()
    if chance < 0.25:
        sigma = np.random.uniform(0.5, 1.5)
        return cv2.GaussianBlur(picture, (5, 5), sigma)
    if chance < 0.5:
        return cv2.medianBlur(picture, 3)
    if chance < 0.75:
        kernel = np.array([[0, -1, 0], [-1, 5, -1], [0, -1, 0]], np.float32)
        return cv2.filter2D(picture, -1, kernel)
    return picture


def lit_from_a_side(picture):
    height, width = picture.shape[:2]
    angle = random.uniform(0, 2 * math.pi)
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    slope = x * math.cos(angle) + y * math.sin(angle)
    light = 1.0 + 0.3 * slope
    picture = picture * light[:, :, None]
    return np.clip(picture, 0, 255).astype(np.uint8)


def vignette(picture, strength=0.6):
    rows, columns = picture.shape[0], picture.shape[1]
    y, x = np.ogrid[:rows, :columns]
    radius = np.hypot((x - columns / 2) / columns, (y - rows / 2) / rows)
    fall = np.exp(-((radius / strength) ** 2)).astype(np.float32)
    result = np.empty_like(picture, dtype=np.float32)
    for c in range(3):
        result[:, :, c] = picture[:, :, c] * fall
    return result


def scribbled(picture):
    picture = picture.copy()
    height, width = picture.shape[:2]
    start, end = [(random.randint(0, width - 1), random.randint(0, height - 1)) for _ in range(2)]
    colour = tuple(random.randint(0, 255) for _ in range(3))
    cv2.line(picture, start, end, colour, 1)
    cv2.circle(picture, (width // 2, height // 2), random.randint(1, 5), (255, 255, 255), -1)
    cv2.rectangle(picture, (0, 0), (width - 1, height - 1), (0, 0, 0), 1)
    return picture


def seen_from_aside(picture, most=0.1):
    height, width = picture.shape[:2]
    corners = np.float32([[0, 0], [width, 0], [width, height], [0, height]])
    moves = np.random.uniform(-most, most, size=(4, 2)) * [width, height]
    matrix = cv2.getPerspectiveTransform(corners, (corners + moves).astype(np.float32))
    return cv2.warpPerspective(picture, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)


def evened(picture):
    lab = cv2.cvtColor(picture, cv2.COLOR_RGB2LAB)
    light, a, b = cv2.split(lab)
    light = cv2.createCLAHE(clipLimit=2.0, tileGridSize=(4, 4)).apply(light)
    return cv2.cvtColor(cv2.merge((light, a, b)), cv2.COLOR_LAB2RGB)


def edges_as_channels(picture):
    grey = cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY).astype(np.float32)
    dx = cv2.Sobel(grey, cv2.CV_32F, 1, 0, ksize=3)
    dy = cv2.Sobel(grey, cv2.CV_32F, 0, 1, ksize=3)
    size = np.sqrt(dx * dx + dy * dy)
    size = size / (size.max() + 1e-6)
    return np.dstack([grey / 255.0, size, np.arctan2(dy, dx) / np.pi]).astype(np.float32)


def white_balanced(picture):
    picture = picture.astype(np.float32)
    means = [picture[..., c].mean() for c in range(3)]
    grey = sum(means) / 3
    gains = [grey / m if m > 0 else 1.0 for m in means]
    for c, gain in enumerate(gains):
        picture[..., c] *= gain
    return np.clip(np.round(picture), 0, 255).astype(np.uint8)


def blended(one, other, first, second):
    share = np.random.beta(0.3, 0.3)
    share = max(share, 1 - share)
    picture = cv2.addWeighted(one, share, other, 1 - share, 0)
    return picture, (share * first + (1 - share) * second).astype(np.float32)


def pasted_patch(one, other):
    one = one.copy()
    height, width, _ = one.shape
    side = np.sqrt(np.random.uniform(0.1, 0.6))
    h, w = int(height * side), int(width * side)
    cy, cx = np.random.randint(height), np.random.randint(width)
    top, bottom = max(0, cy - h // 2), min(height, cy + h // 2)
    left, right = max(0, cx - w // 2), min(width, cx + w // 2)
    one[top:bottom, left:right] = other[top:bottom, left:right]
    return one, np.float32(1 - (bottom - top) * (right - left) / (height * width))


def mosaic(pictures):
    height, width = pictures.shape[1], pictures.shape[2]
    y = int(random.uniform(0.3, 0.7) * height)
    x = int(random.uniform(0.3, 0.7) * width)
    canvas = np.full((height, width, 3), 114, dtype=np.uint8)
    canvas[:y, :x] = pictures[0, :y, :x]
    canvas[:y, x:] = pictures[1, :y, : width - x]
    canvas[y:, :x] = pictures[2, : height - y, :x]
    canvas[y:, x:] = pictures[3, y:, x:]
    return canvas, np.array([y, x], dtype=np.int32)


def one_hot(number, size=4):
    return np.eye(size, dtype=np.float32)[number]


def two_of(*sizes):
    return tuple((image(*size), image(*size)[::-1, ::-1].copy()) for size in sizes)


def four_of(*sizes):
    return tuple((np.stack([image(*size), image(*size)[::-1], *two_of(size)[0]]),) for size in sizes)


BODIES = (
    Body(hue_moved, both(SMALL, LARGE), known=((2,),), static=((None, None, 3),), levels=1),
    Body(softened_or_sharpened, both(SMALL, LARGE), known=((2,),), static=((None, None, 3),), levels=1),
    Body(lit_from_a_side, both(SMALL, LARGE), known=((2,),), static=((None, None, 3),), levels=1),
    Body(vignette, both(SMALL, LARGE), known=((2,),), static=((None, None, 3),)),
    Body(scribbled, both(SMALL, LARGE), known=((2,),), static=((None, None, 3),)),
    Body(seen_from_aside, both((40, 48)), known=((2,),), static=((None, None, 3),), levels=1),
    Body(evened, both((16, 20), LARGE), known=((2,),), static=((None, None, 3),), levels=1),
    Body(edges_as_channels, both(SMALL, LARGE), known=((2,),), static=((None, None, 3),)),
    Body(white_balanced, both(SMALL, LARGE), known=((2,),), static=((None, None, 3),), levels=1),
    Body(blended, tuple((*pair, one_hot(1), one_hot(3)) for pair in two_of(SMALL, LARGE)),
         known=((2,), (2,), (0,), (0,)), static=((None, None, 3), (4,)), levels=1),
    Body(pasted_patch, two_of(SMALL, LARGE), known=((2,), (2,)), static=((None, None, 3), ())),
    Body(mosaic, four_of(SMALL, LARGE), known=((0, 3),), static=((None, None, 3), (2,))),
)  # fmt: skip
