"""What the recipes are given in suite `recipes`: the bench's photographs, repeated, in memory or in files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from pipeport import recipes_index
from pipeport.bench import _photographs

SIZE = (256, 256)
# Rows, columns, slices.
VOLUME = (128, 128, 64)


def photographs(elements: int) -> Any:
    """Return photographs, shape (elements, 256, 256, 3), uint8."""
    images = np.stack(_photographs.photographs(SIZE, "uint8"))
    return np.resize(images, (elements, *images.shape[1:]))


def images_and_frames(elements: int) -> tuple[Any, ...]:
    """Return images, and float32 frames of the same height and width."""
    images = photographs(elements)
    return images, images[..., 0].astype(np.float32)


def images_and_classes(elements: int) -> tuple[Any, ...]:
    """Return images and class maps."""
    images = photographs(elements)
    return images, (images[..., 0] // 64).astype(np.int32)


def images_with_boxes(elements: int) -> tuple[Any, ...]:
    """Return images, class maps, and two boxes each with their labels."""
    images = photographs(elements)
    boxes = np.float32([[20, 30, 190, 160], [90, 10, 250, 240]])
    return images, images[..., 0] // 64, np.stack([boxes] * elements), np.array([[1, 2]] * elements)


def images_and_labels(elements: int) -> tuple[Any, ...]:
    """Return images and one number for each."""
    return photographs(elements), np.arange(elements)


def images_and_angles(elements: int) -> tuple[Any, ...]:
    """Return images and one angle for each, in degrees."""
    return photographs(elements), np.random.default_rng(0).uniform(-180, 180, elements)


def volumes_and_angles(elements: int) -> tuple[Any, ...]:
    """Return volumes of photographs that drift from slice to slice, and one angle for each, in degrees."""
    *plane, slices = VOLUME
    grey = np.stack(_photographs.photographs(tuple(plane), "float32")).mean(-1)
    volumes = np.stack([np.roll(grey, shift, axis=2) for shift in range(slices)], axis=-1)
    angles = np.random.default_rng(0).uniform(-20, 20, elements)
    return np.resize(volumes, (elements, *volumes.shape[1:])), angles


def volumes_and_classes(elements: int) -> tuple[Any, ...]:
    """Return volumes, and class maps of the same sizes."""
    volumes, _ = volumes_and_angles(elements)
    return volumes, (volumes * 4).astype(np.uint8)


def scans(folder: Path, elements: int) -> Any:
    """Return paths of NIfTI scans of int16, repeated; the labels of each lie beside it."""
    import nibabel

    volumes, _ = volumes_and_angles(4)
    for index, volume in enumerate(volumes):
        parts = {"scan": (volume * 1400 - 1000).astype(np.int16), "labels": (volume * 4).astype(np.uint8)}
        for name, part in parts.items():
            nibabel.save(nibabel.Nifti1Image(part, np.eye(4)), folder / f"{name}{index}.nii.gz")
    return np.resize([str(folder / f"scan{index}.nii.gz") for index in range(len(volumes))], elements)


def image_and_mask_files(folder: Path, elements: int) -> tuple[Any, ...]:
    """Return paths of JPEG photographs and of PNG class maps, repeated."""
    paths = []
    for index, image in enumerate(_photographs.photographs(SIZE, "uint8")):
        jpeg, png = folder / f"{index}.jpg", folder / f"{index}.png"
        jpeg.write_bytes(tf.io.encode_jpeg(image, quality=90).numpy())
        png.write_bytes(tf.io.encode_png(image[..., :1] // 64).numpy())
        paths.append((str(jpeg), str(png)))
    images, masks = np.resize(paths, (elements, 2)).T
    return images, masks


def archives(folder: Path, elements: int) -> str:
    """Return a folder with archives of float32 photographs and labels, converted already."""
    images = _photographs.photographs(SIZE, "float32")
    for index in range(elements):
        np.savez(folder / f"{index:03}.npz", image=images[index % len(images)], label=index)
    recipes_index.find("npz-to-tfrecord").load("pitfalls").convert_once(folder)
    return str(folder)
