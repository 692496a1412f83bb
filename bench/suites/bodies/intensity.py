# ruff: noqa: RET504
"""Brightness, contrast, noise and normalisation."""

import functools
import math
import random

import numpy as np

from bodies import settings
from bodies.table import LARGE, SMALL, Body, both

rng = np.random.default_rng(7)


def contrast_by_mean(image):
    image = image.astype(np.float32)
    factor = np.random.uniform(0.7, 1.3)
    mean = image.mean(axis=(0, 1), keepdims=True)
    image = (image - mean) * factor + mean
    return np.clip(image, 0, 255).astype(np.uint8)


def brightened(image):
    image = image.astype(np.float32)
    image *= 1.2
    image += 10
    image[image > 255] = 255
    return image.astype(np.uint8), image.max(), float(image.std())


def noisy(image):
    sigma = rng.uniform(0.01, 0.05)
    noise = rng.normal(0.0, sigma, image.shape).astype(np.float32)
    return np.clip(image + noise, 0.0, 1.0)


def salt_and_pepper(image, amount=0.1):
    image = image.copy()
    chance = np.random.rand(*image.shape[:2])
    image[chance < amount / 2] = 0
    image[chance > 1 - amount / 2] = 255
    return image


def gamma_table(image):
    gamma = random.uniform(0.8, 1.2)
    table = np.array([((i / 255.0) ** gamma) * 255 for i in range(256)]).astype(np.uint8)
    return table[image]


def colour_jitter(image):
    image = image.astype(np.float32)
    if np.random.random() < 0.8:
        brightness = np.random.uniform(-20, 20)
        image = image + brightness
        if brightness > 0:
            if random.random() < 0.5:
                image *= 0.95
        else:
            image *= 1.05
    if random.random() < 0.3:
        grey = image.mean(axis=-1, keepdims=True)
        image = np.repeat(grey, 3, axis=-1)
    return np.clip(image, 0, 255)


def seldom_inverted(image, p=0.5):
    if random.random() > p:
        return image
    if image.mean() > 127 and random.random() > 0.2:
        return 255 - image
    return image // 2


class Standardise:
    """Mean and deviation per channel."""

    def __init__(self, mean, std):
        self.mean = mean
        self.std = std

    def __call__(self, image):
        image = (image.astype(np.float32) - self.mean) / self.std
        return image

    def back(self, image):
        image = image * self.std + self.mean
        return np.clip(np.rint(image), 0, 255).astype(np.uint8)


def stretched(image):
    low, high = np.percentile(image, (2, 98))
    image = (image - low) / max(high - low, 1e-6)
    return np.clip(image, 0, 1).astype("float32")


def channel_by_channel(image):
    result = np.empty(image.shape, dtype=np.float32)
    for c in range(image.shape[-1]):
        plane = image[..., c].astype(np.float32)
        low, high = plane.min(), plane.max()
        result[..., c] = (plane - low) / (high - low) if high > low else plane * 0
    return result


def logged(function):
    """Do nothing but call, as decorators of projects do."""

    @functools.wraps(function)
    def wrapper(*args, **kwargs):
        return function(*args, **kwargs)

    return wrapper


@logged
def exposure(image, stops=0.5):
    gain = math.pow(2.0, stops) if image.max() <= 1 else math.sqrt(2)
    return np.minimum(image * gain, 1.0)


def windowed(centre, width):
    low, high = centre - width / 2, centre + width / 2

    def window(scan):
        scan = np.clip(scan.astype(np.float32), low, high)
        scan -= low
        scan /= width
        return scan

    return window


def posterised(image):
    bits = random.randint(3, 6)
    step = 2 ** (8 - bits)
    return (image // step * step).astype(np.uint8)


def raised_when_dark(image):
    if image.mean() < 10:
        raise ValueError("too dark")
    return image


standardise = Standardise(settings.MEAN, settings.STD)

BODIES = (
    Body(contrast_by_mean, both(SMALL, LARGE), known=((2,),), static=((None, None, 3),), levels=1),
    Body(brightened, both(SMALL, LARGE), known=((2,),), static=((None, None, 3), (), ())),
    Body(noisy, both(SMALL, LARGE, dtype="float32"), static=((None, None, None),)),
    Body(salt_and_pepper, both(SMALL, LARGE), static=((None, None, None),)),
    Body(gamma_table, both(SMALL, LARGE), static=((None, None, None),), levels=1),
    Body(colour_jitter, both(SMALL, LARGE), known=((2,),), static=((None, None, 3),)),
    Body(seldom_inverted, both(SMALL, LARGE), static=((None, None, None),)),
    Body(standardise, both(SMALL, LARGE), name="callable_object", known=((2,),), static=((None, None, 3),)),
    Body(standardise.back, both(SMALL, LARGE, dtype="float32"), name="bound_method", known=((2,),)),
    Body(stretched, both(SMALL, LARGE), static=((None, None, None),)),
    Body(channel_by_channel, both(SMALL, LARGE), known=((2,),), static=((None, None, 3),)),
    Body(exposure, both(SMALL, LARGE, dtype="float32"), name="decorated", static=((None, None, None),)),
    Body(windowed(128, 100), both(SMALL, LARGE), name="closure", static=((None, None, None),)),
    Body(lambda x: (x[..., ::-1] / 255.0).astype(np.float32), both(SMALL, LARGE), name="lambda"),
    Body(lambda x: np.clip(x * 1.5, 0, 255).astype(np.uint8), both(SMALL, LARGE), name="lambda_with_calls"),
    Body(raised_when_dark, both(SMALL, LARGE), static=((None, None, None),)),
    Body(posterised, both(SMALL, LARGE), static=((None, None, None),)),
)
