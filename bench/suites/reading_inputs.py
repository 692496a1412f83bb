"""What the programs of suite `reading` are given: files of many sizes, made of the bench's photographs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from pipeport.bench import _photographs

# Shortest and longest side of a photograph.
SIDES = (260, 520)
QUALITY = 90
# Rows, columns, slices; and how many different volumes there are.
VOLUME = (128, 128, 64)
VOLUMES = 16
SEED = 20_240_601


def crops(count: int) -> Iterator[Any]:
    """Give uint8 crops of photographs; height, width and place are drawn, the same in every run."""
    draws = np.random.default_rng(SEED)
    images = _photographs.photographs((SIDES[1],) * 2, "uint8")
    for index in range(count):
        height, width = draws.integers(*SIDES, 2, endpoint=True)
        top, left = (draws.integers(0, SIDES[1] - side, endpoint=True) for side in (height, width))
        yield np.ascontiguousarray(images[index % len(images)][top : top + height, left : left + width])


def photographs(folder: Path, elements: int) -> Any:
    """Return paths of JPEG photographs."""
    paths = []
    for index, image in enumerate(crops(elements)):
        path = folder / f"{index:04}.jpg"
        path.write_bytes(tf.io.encode_jpeg(image, quality=QUALITY).numpy())
        paths.append(str(path))
    return np.array(paths)


def photographs_to_augment(folder: Path, elements: int) -> tuple[Any, ...]:
    """Return paths of JPEG photographs, and for each whether it is flipped and how much brighter it gets."""
    draws = np.random.default_rng(SEED)
    brighter = draws.uniform(-0.2, 0.2, elements).astype(np.float32)
    return photographs(folder, elements), draws.random(elements) < 0.5, brighter


def photographs_and_masks(folder: Path, elements: int) -> tuple[Any, ...]:
    """Return paths of JPEG photographs, and of PNG class maps of their sizes."""
    masks = []
    for index, image in enumerate(crops(elements)):
        path = folder / f"{index:04}.png"
        path.write_bytes(tf.io.encode_png(image[..., :1] // 64).numpy())
        masks.append(str(path))
    return photographs(folder, elements), np.array(masks)


def volumes_to_augment(folder: Path, elements: int) -> tuple[Any, ...]:
    """Return paths of int16 volumes, repeated, and for each where it is cropped and whether it is flipped."""
    for index, volume in zip(range(VOLUMES), _photographs.volumes(VOLUME, "int32"), strict=False):
        # As of a scanner: Hounsfield units, from air to bone.
        np.save(folder / f"{index:02}.npy", (np.roll(volume, 7 * index, 0) * 8 - 1024).astype(np.int16))
    draws = np.random.default_rng(SEED)
    paths = np.resize(sorted(str(path) for path in folder.glob("*.npy")), elements)
    corners = draws.integers(0, 33, (elements, 3)).astype(np.int32)
    return paths, corners // [1, 1, 2], draws.random(elements) < 0.5
