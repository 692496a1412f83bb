"""Readers of files, as they are given paths by a dataset."""

import atexit
import pathlib
import shutil
import tempfile

import cv2
import numpy as np
from PIL import Image

from bodies.table import Body, image

WIDTH, HEIGHT = 64, 48


def read_image(path):
    path = path.decode()
    picture = cv2.imread(path, cv2.IMREAD_COLOR)
    picture = cv2.resize(picture, (WIDTH, HEIGHT))
    picture = picture / 255.0
    return picture.astype(np.float32)


def read_mask(path):
    path = path.decode("utf-8")
    mask = cv2.imread(path, cv2.IMREAD_GRAYSCALE)
    mask = cv2.resize(mask, (WIDTH, HEIGHT), interpolation=cv2.INTER_NEAREST)
    mask = (mask > 127).astype(np.float32)
    return np.expand_dims(mask, axis=-1)


def read_pair(image_path, mask_path):
    picture, mask = read_image(image_path), read_mask(mask_path)
    assert picture.shape[:2] == mask.shape[:2], "sizes differ"
    return picture, mask


def read_rgb(path):
    with_alpha = Image.open(path)
    picture = np.array(with_alpha.convert("RGB"))
    height, width = picture.shape[:2]
    return picture, np.array([height, width], dtype=np.int32)


def read_grey_fraction(path):
    grey = cv2.imread(path.decode(), 0)
    return np.float32(np.count_nonzero(grey > 128) / grey.size)


FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="pipeport_bodies_"))
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)


def written(name, content):
    """Write a file for the tests and return its path as a dataset gives it."""
    path = FOLDER / name
    Image.fromarray(content).save(path)
    return str(path).encode()


SCANS = [written(f"scan{n}.png", image(*size)) for n, size in enumerate([(20, 30), (120, 90)])]
MASKS = [written(f"mask{n}.png", image(*size, channels=None)) for n, size in enumerate([(20, 30), (120, 90)])]
ALPHA = [written(f"alpha{n}.png", image(*size, channels=4)) for n, size in enumerate([(7, 5), (64, 80)])]

BODIES = (
    Body(read_image, tuple((one,) for one in SCANS), static=((48, 64, 3),), relative=1.01 / 255),
    Body(read_mask, tuple((one,) for one in MASKS), static=((48, 64, 1),)),
    Body(
        read_pair,
        tuple(zip(SCANS, MASKS, strict=True)),
        static=((48, 64, 3), (48, 64, 1)),
        relative=1.01 / 255,
    ),
    Body(read_rgb, tuple((one,) for one in ALPHA), static=((None, None, 3), (2,))),
    Body(read_grey_fraction, tuple((one,) for one in MASKS), static=((),)),
)
