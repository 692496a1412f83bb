"""Several steps in a row: lists of functions, classes with chances, bodies with many guards."""

import random
from dataclasses import dataclass

import cv2
import numpy as np

from bodies.table import LARGE, SMALL, Body, both, image


def flipped(image):
    return image[:, ::-1]


def darker(image):
    return (image * 0.8).astype(image.dtype)


def inverted(image):
    return 255 - image


STEPS = [(flipped, 0.5), (darker, 0.7), (inverted, 0.3)]


def chain(image):
    for step, p in STEPS:
        if random.random() < p:
            image = step(image)
    return image


class Maybe:
    """Apply a step with a chance."""

    def __init__(self, p=0.5):
        self.p = p

    def __call__(self, image):
        if self._wanted():
            return self.apply(image)
        return image

    def _wanted(self):
        return np.random.rand() < self.p

    def apply(self, image):
        raise NotImplementedError


class Brightness(Maybe):
    """Add a number to each pixel."""

    def __init__(self, limit, p=0.5):
        Maybe.__init__(self, p)
        self.limit = limit

    def apply(self, image):
        delta = np.random.uniform(-self.limit, self.limit) * 255
        return np.clip(image.astype(np.float32) + delta, 0, 255).astype(np.uint8)


class Transposed(Maybe):
    """Exchange rows and columns."""

    def apply(self, image):
        return np.swapaxes(image, 0, 1)


class Compose:
    """Apply steps in turn."""

    def __init__(self, *steps):
        self.steps = list(steps)

    def __call__(self, image, **options):
        for step in self.steps:
            image = step(image)
        if options.get("scaled", True):
            image = image / np.float32(255)
        return image


@dataclass
class Settings:
    """What a project keeps in one object."""

    size: int = 48
    train: bool = True
    mode: str = "flip"
    scale: tuple = (0.8, 1.2)

    def __call__(self, image, label):
        if image.ndim == 2:
            image = np.stack([image] * 3, axis=-1)
        if image.dtype == np.uint8:
            image = image.astype(np.float32) / 255.0
        if self.train and self.mode == "flip" and random.choice([True, False]):
            image = cv2.flip(image, 1)
        image = cv2.resize(image, dsize=(self.size, self.size), interpolation=cv2.INTER_NEAREST)
        assert image.shape == (self.size, self.size, 3)
        image = image * random.uniform(*self.scale)
        return image.astype(np.float32), np.int32(label)


def accepted_after_tries(image):
    height, width, *_ = image.shape
    while True:
        y = np.random.randint(0, height - 3)
        x = np.random.randint(0, width - 3)
        if image[y, x].sum() > 150 or np.random.rand() < 0.3:
            break
    return image[y : y + 4, x : x + 4], np.array([y, x])


def guarded_division(image, eps=1e-8):
    below = image[..., 1] - image[..., 1].min()
    ratio = np.where(below > 0, image[..., 0] / np.maximum(below, eps), 0)
    ratio[ratio > 100] = 100
    total = sum(image[..., c] for c in range(image.shape[-1]))
    return ratio, total / (np.sqrt(np.sum(image**2)) + eps)


def fresh_generator(image):
    rng = np.random.default_rng()
    order = rng.permutation(3)
    k = int(rng.integers(1, 4))
    image = image[..., order]
    if any(one > 0.9 for one in (rng.random(), rng.random())):
        image = np.roll(image, k, axis=0)
    return image, k


def picked(image):
    angle = np.random.choice([0, 90, 180, 270], p=[0.4, 0.2, 0.2, 0.2])
    turns = angle // 90
    if turns % 2 == 1:
        image = np.transpose(image, (1, 0, 2))
    if turns in (1, 2):
        image = image[::-1]
    if turns in (2, 3):
        image = image[:, ::-1]
    first, second = random.sample(range(3), 2)
    return image, angle, image[..., first].max() - image[..., second].min()


def statistics(image):
    values = {"low": image.min(), "high": image.max()}
    values.update(mean=image.mean(), spread=values["high"] - values["low"])
    names = list(values)
    rows = [float(values[name]) for name in names]
    if (largest := max(rows)) > 255:
        largest = 255.0
    text = "/".join(names)
    assert text.startswith("low")
    return np.array(rows), largest, sum(row for row in rows if row is not None)


def tiles(image, side=4):
    rows, columns = image.shape[0] // side, image.shape[1] // side
    image = image[: rows * side, : columns * side]
    blocks = image.reshape(rows, side, columns, side, -1).swapaxes(1, 2)
    blocks = blocks.reshape(rows * columns, side, side, image.shape[-1]).copy()
    hidden = np.random.permutation(rows * columns)[: rows * columns // 2]
    blocks[hidden] = 0
    return blocks, hidden


def labelled(*sizes):
    return tuple((image(*size), np.int64(one)) for one, size in enumerate(sizes))


BODIES = (
    Body(chain, both(SMALL, LARGE)),
    Body(
        Compose(Brightness(0.2), Brightness(0.4, p=0.9)), both(SMALL, LARGE), name="composed", known=((2,),)
    ),
    Body(Compose(Transposed(), Brightness(0.1)), both(SMALL, LARGE), name="composed_shapes", known=((2,),)),
    Body(Settings(), labelled(SMALL, LARGE), name="dataclass", known=((2,),), static=((48, 48, 3), ())),
    Body(accepted_after_tries, both(SMALL, LARGE), known=((2,),)),
    Body(guarded_division, both(SMALL, LARGE, dtype="float32"), known=((2,),)),
    Body(fresh_generator, both(SMALL, LARGE), known=((2,),)),
    Body(picked, both((12, 12), (64, 64)), known=((2,),)),
    Body(statistics, both(SMALL, LARGE), static=((4,), (), ())),
    Body(tiles, both(SMALL, LARGE), known=((2,),)),
)
