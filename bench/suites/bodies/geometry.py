# ruff: noqa: RUF046
"""Rotations, resizing, padding and axes."""

import random
from functools import partial
from random import uniform

import cv2
import numpy as np
from PIL import Image, ImageOps
from scipy import ndimage
from skimage import transform

from bodies.settings import FILL, SIDE
from bodies.table import LARGE, SMALL, Body, both, image

ANGLES = [-20, -10, -5, 5, 10, 20]


def ct_rotation(volume):
    def turned(scan):
        angle = random.choice(ANGLES)
        scan = ndimage.rotate(scan, angle, reshape=False)
        scan[scan < 0] = 0
        scan[scan > 1] = 1
        return scan

    return np.expand_dims(turned(volume), axis=3)


def guide_rotation(image):
    return ndimage.rotate(image, np.random.uniform(-30, 30), reshape=False)


def rotation_about_centre(image):
    height, width = image.shape[:2]
    angle = uniform(-15.0, 15.0)
    scale = 1.0 if abs(angle) < 5 else 0.9
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), angle, scale)
    return cv2.warpAffine(
        image, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT_101
    )


def letterbox(image, side=SIDE):
    height, width = image.shape[:2]
    scale = min(side / height, side / width)
    new_width, new_height = int(round(width * scale)), int(round(height * scale))
    if (new_width, new_height) != (width, height):
        image = cv2.resize(image, (new_width, new_height), interpolation=cv2.INTER_NEAREST)
    rows, columns = side - new_height, side - new_width
    top, left = rows // 2, columns // 2
    return cv2.copyMakeBorder(
        image, top, rows - top, left, columns - left, cv2.BORDER_CONSTANT, value=(FILL, FILL, FILL)
    )


def pasted_letterbox(image):
    height, width, _ = image.shape
    scale = SIDE / max(height, width)
    resized = cv2.resize(image, (max(int(width * scale), 1), max(int(height * scale), 1)))
    canvas = np.zeros((SIDE, SIDE, 3), dtype=np.uint8)
    canvas[: resized.shape[0], : resized.shape[1], :] = resized
    return canvas, scale


def quarter_turns(image):
    image = np.rot90(image, k=np.random.randint(0, 4))
    if np.random.rand() < 0.5:
        image = image[:, ::-1]
    if np.random.rand() < 0.5:
        image = image[::-1]
    return np.ascontiguousarray(image)


def channels_first(image):
    image = image.astype(np.float32) / 127.5 - 1.0
    image = np.transpose(image, (2, 0, 1))
    back = np.moveaxis(image, 0, -1)
    return image, back[..., ::-1]


def padded_to_multiple(image, multiple=32):
    height, width = image.shape[:2]
    bottom, right = -height % multiple, (multiple - width % multiple) % multiple
    if not bottom and not right:
        return image
    return np.pad(image, ((0, bottom), (0, right), (0, 0)), mode="edge")


def moved(image, most=3):
    dy, dx = np.random.randint(-most, most + 1, size=2)
    result = np.zeros_like(image)
    height, width = image.shape[:2]
    if dy >= 0:
        if dx >= 0:
            result[dy:, dx:] = image[: height - dy, : width - dx]
        else:
            result[dy:, :dx] = image[: height - dy, -dx:]
    elif dx >= 0:
        result[:dy, dx:] = image[-dy:, : width - dx]
    else:
        result[:dy, :dx] = image[-dy:, -dx:]
    return result


def skimage_thumbnail(image):
    image = transform.resize(image, (48, 40), anti_aliasing=False)
    turned = transform.rotate(image, 10, mode="edge")
    return (turned * 255).astype(np.uint8)


def pil_thumbnail(array):
    picture = Image.fromarray(array)
    picture = picture.resize((40, 48), Image.BILINEAR)
    if random.random() > 0.5:
        picture = ImageOps.mirror(picture)
    return np.asarray(picture, dtype=np.float32) / 255


def sheared(image):
    height, width = image.shape[:2]
    factor = np.random.uniform(-0.2, 0.2)
    matrix = np.array([[1.0, factor, -factor * height / 2], [0.0, 1.0, 0.0]], dtype=np.float32)
    return cv2.warpAffine(image, matrix, (width, height), borderValue=(0, 0, 0))


def cubes(size, *sizes):
    return tuple((image(side, side, side, dtype="float32"),) for side in (size, *sizes))


BODIES = (
    Body(ct_rotation, cubes(8, 24), static=((None, None, None, 1),)),
    Body(guide_rotation, both(SMALL, LARGE, dtype="float32"), static=((None, None, None),)),
    Body(rotation_about_centre, both(SMALL, LARGE), known=((2,),), levels=1),
    Body(letterbox, both(SMALL, LARGE), known=((2,),)),
    Body(partial(letterbox, side=40), both(SMALL, LARGE), name="letterbox_partial", known=((2,),)),
    Body(pasted_letterbox, both(SMALL, LARGE), known=((2,),), static=((64, 64, 3), ()), levels=1),
    Body(quarter_turns, both((12, 12), (64, 64))),
    Body(channels_first, both(SMALL, LARGE), known=((2,),), static=((3, None, None), (None, None, 3))),
    Body(padded_to_multiple, both(SMALL, LARGE, (64, 96)), known=((2,),), static=((None, None, 3),)),
    Body(moved, both(SMALL, LARGE), known=((2,),), static=((None, None, 3),)),
    Body(skimage_thumbnail, both(SMALL, LARGE), known=((2,),), static=((48, 40, 3),), levels=1),
    Body(pil_thumbnail, both(SMALL, LARGE), known=((2,),), static=((48, 40, 3),), relative=1.01 / 255),
    Body(sheared, both(SMALL, LARGE), known=((2,),), levels=1),
)
