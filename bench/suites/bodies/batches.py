"""Whole batches, and elements that are dictionaries."""

import random
from typing import NamedTuple

import numpy as np

from bodies.settings import MEAN, STD
from bodies.table import Body, image


def mixup(images, labels, alpha=0.4):
    share = np.random.beta(alpha, alpha)
    order = np.random.permutation(len(images))
    mixed = share * images + (1 - share) * images[order]
    targets = share * labels + (1 - share) * labels[order]
    return mixed.astype(np.float32), targets.astype(np.float32)


def cutmix(batch):
    images, labels = batch["image"].copy(), batch["label"]
    height, width = images.shape[1:3]
    share = np.random.beta(1.0, 1.0)
    h, w = int(height * np.sqrt(1 - share)), int(width * np.sqrt(1 - share))
    y, x = random.randint(0, height - h), random.randint(0, width - w)
    other = images[::-1].copy()
    images[:, y : y + h, x : x + w] = other[:, y : y + h, x : x + w]
    share = 1 - h * w / (height * width)
    return {"image": images, "label": share * labels + (1 - share) * labels[::-1]}


def each_flipped(images):
    images = images.copy()
    for i in range(images.shape[0]):
        if np.random.rand() < 0.5:
            images[i] = images[i, :, ::-1]
    return images


def dictionary_in_and_out(example):
    image = example["image"].astype(np.float32)
    result = dict(example)
    result["image"] = (image - MEAN) / STD
    result["brightness"] = np.float32(image.mean())
    for name in ("height", "width"):
        if name not in result:
            result[name] = np.int64(image.shape[("height", "width").index(name)])
    return result


class Pair(NamedTuple):
    image: np.ndarray
    weight: np.ndarray


def weighted(image, label):
    weights = {0: 0.5, 1: 2.0}
    table = np.array(list(weights.values()), dtype=np.float32)
    return Pair(image / np.float32(255), table[label])


def normalised_rows(features):
    norms = np.sqrt((features**2).sum(axis=1, keepdims=True))
    norms[norms == 0] = 1
    rows = features / norms
    return rows, rows @ rows.T


def views_of_one(image, number=3):
    views = []
    for i in range(number):
        strength = (i + 1) / number
        noise = np.random.normal(scale=strength, size=image.shape)
        views.append((image + noise).astype(np.float32))
    return np.stack(views, axis=0)


def channel_shuffled(image):
    order = np.arange(image.shape[-1])
    np.random.shuffle(order)
    return image[..., order]


def images_of(number, *size):
    return np.stack([image(*size, dtype="float32") + np.float32(0.01 * one) for one in range(number)])


def one_hot(number):
    return np.eye(4, dtype=np.float32)[np.arange(number) % 4]


def batch_of(number, *size):
    return {"image": images_of(number, *size), "label": one_hot(number)}


def rows_of(*size):
    rows = np.random.default_rng(1).normal(size=size)
    rows[1] = 0
    return rows


BODIES = (
    Body(mixup, ((images_of(2, 6, 5), one_hot(2)), (images_of(4, 64, 64), one_hot(4))),
         static=((None, None, None, None), (None, None))),
    Body(cutmix, ((batch_of(2, 6, 5),), (batch_of(4, 64, 64),))),
    Body(each_flipped, ((images_of(3, 6, 5),), (images_of(4, 64, 64),)), static=((None, None, None, None),)),
    Body(dictionary_in_and_out, (({"image": image(6, 5), "height": np.int64(6)},),
                                 ({"image": image(64, 80), "height": np.int64(64)},)), known=((2,),)),
    Body(weighted, ((image(6, 5), np.int64(1)), (image(64, 64), np.int64(0)))),
    Body(normalised_rows, ((rows_of(3, 4),), (rows_of(64, 32),)), static=((None, None), (None, None))),
    Body(views_of_one, ((image(6, 5, dtype="float32"),), (image(64, 64, dtype="float32"),)),
         static=((3, None, None, None),)),
    Body(channel_shuffled, ((image(6, 5),), (image(64, 64),)), known=((2,),), static=((None, None, 3),)),
)  # fmt: skip
