# ruff: noqa: PTH123, SIM105, PLW0603
"""Bodies that have no native form, each with the reason it is refused for."""

import json
import random
import time

import cv2
import numpy as np
from scipy import signal

from bodies.table import Body, image

seen = 0


def unknown_library(image):
    return cv2.fastNlMeansDenoising(image)


def resampled(wave):
    return signal.upfirdn([0.5, 0.5], wave, 1, 2).astype(np.float32)


def reads_text(path):
    with open(path) as file:
        values = json.load(file)
    return np.array(values["boxes"], dtype=np.float32)


def loaded_features(path):
    features = np.load(path.decode())
    return features - features.mean(axis=0)


def timed(image):
    start = time.time()
    image = image / 255
    return image, time.time() - start


def caught(image):
    try:
        image = image / image.max()
    except ZeroDivisionError:
        pass
    return image


class Counter:
    """Counts what it sees."""

    def __init__(self):
        self.calls = 0

    def __call__(self, image):
        self.calls += 1
        return image / 255


class Running:
    """Keeps the last mean."""

    def __init__(self):
        self.mean = 0.0

    def update(self, image):
        self.mean = image.mean()
        return image - self.mean


def counted(image):
    global seen
    seen += 1
    return image


def float_or_bytes(image):
    if np.random.rand() < 0.5:
        image = image.astype(np.float32) * 1.1
    return image


def grey_or_colour(image):
    if random.random() < 0.5:
        image = image.mean(axis=2).astype(np.uint8)
    return image


def written_where_a_loop_chose(image):
    image = image.copy()
    brightest = image[0]
    for number in range(random.randint(2, 4)):
        if image[number].mean() > brightest.mean():
            brightest = image[number]
    brightest[:] = 0
    return image / 255


def crops(image):
    for start in range(0, image.shape[0], 4):
        yield image[start : start + 4]


def seeded_inside(image):
    np.random.seed(42)
    return image + np.random.normal(size=image.shape)


def ragged(image):
    return np.array([image, image[:2]], dtype=object)


PICTURE = ((image(8, 9),),)

BODIES = (
    Body(
        unknown_library,
        ((image(8, 9, None),),),
        why="a function without a native (`cv2.fastNlMeansDenoising`)",
        refused=r"cv2\.fastNlMeansDenoising",
    ),
    Body(
        resampled,
        ((np.ones(80, np.float32),),),
        why="a function without a native (`scipy.signal.upfirdn`)",
        refused=r"upfirdn",
    ),
    Body(
        reads_text,
        ((b"boxes.json",),),
        why="`json.load`: no reader of objects",
        refused=r"json\.load: It has no native",
    ),
    Body(
        loaded_features,
        ((b"features.npy",),),
        why="`np.load` of a path whose dtype nobody states",
        refused=r"numpy\.load: got an array whose dtype only the file knows",
        when="call",
    ),
    Body(
        timed,
        PICTURE,
        why="`time.time()` would be read once",
        refused=r"time\.time: The clock would be read once",
    ),
    Body(caught, PICTURE, why="`try`: what fails in a graph cannot be caught", refused=r"`try`"),
    Body(
        Counter(),
        PICTURE,
        name="counter",
        why="state kept on an object",
        refused=r"state kept on an object \(`self\.calls`\)",
    ),
    Body(
        Running().update,
        PICTURE,
        name="running_mean",
        why="state kept on an object",
        refused=r"state kept on an object \(`self\.mean`\)",
    ),
    Body(counted, PICTURE, why="state kept in a global", refused=r"`global`"),
    Body(
        float_or_bytes,
        PICTURE,
        why="branches that give two dtypes",
        refused=r"`image` of dtype float32 or uint8",
        when="call",
    ),
    Body(
        grey_or_colour,
        PICTURE,
        why="branches that give two numbers of axes",
        refused=r"`image` with 2 or 3 axes",
        when="call",
    ),
    Body(
        written_where_a_loop_chose,
        PICTURE,
        why="an array that may share memory with what was written to, known only at run time",
        refused=r"`brightest`, handed on by a loop in .*refused.py, line \d+; written to in .*line \d+",
        when="call",
    ),
    Body(crops, PICTURE, why="a generator (`yield`)", refused=r"`yield`"),
    Body(seeded_inside, PICTURE, why="`np.random.seed` inside the body", refused=r"numpy\.random\.seed"),
    Body(ragged, PICTURE, why="an array of objects", refused=r"object"),
)
