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


def images_and_boxes(elements: int) -> tuple[Any, ...]:
    """Return images, and two boxes each, in pixels."""
    images, _, boxes, _ = images_with_boxes(elements)
    return images, boxes


def photographs_by_class(folder: Path, elements: int) -> Any:
    """Return paths of JPEG photographs, repeated, in a folder for each class."""
    paths = []
    classes = recipes_index.find("keras-sequence").load("after").CLASSES
    for image, name in zip(_photographs.photographs(SIZE, "uint8"), classes, strict=False):
        (folder / name).mkdir()
        paths.append(folder / name / "0.jpg")
        paths[-1].write_bytes(tf.io.encode_jpeg(image, quality=90).numpy())
    return np.resize([str(path) for path in paths], elements)


def words(folder: Path, elements: int) -> Any:
    """Return paths of PNG images of words, repeated; the text of each lies beside it."""
    import cv2

    paths = []
    for number, word in enumerate(("Pipeline", "it's", "up-to-date", "1,024")):
        image = np.full((40, 20 * len(word) + 10), 255, np.uint8)
        cv2.putText(image, word, (5, 30), cv2.FONT_HERSHEY_SIMPLEX, 1, 0, 2)
        paths.append(folder / f"{number}.png")
        cv2.imwrite(str(paths[-1]), image)
        paths[-1].with_suffix(".txt").write_text(f"{word}\n", encoding="utf-8")
    return np.resize([str(path) for path in paths], elements)


def sounds(folder: Path, elements: int) -> Any:
    """Return paths of WAV files of tones that rise, repeated; one second or less of 16 bits."""
    from scipy.io import wavfile

    paths = []
    for number in range(4):
        seconds = np.arange(16_000 - 1_000 * number) / 16_000
        rising = sum(
            np.sin(2 * np.pi * k * (300 + 200 * number + 400 * seconds) * seconds) for k in (1, 2, 3)
        )
        noise = np.random.default_rng(number).normal(0, 0.05, len(seconds))
        paths.append(folder / f"{number}.wav")
        wavfile.write(paths[-1], 16_000, ((rising / 4 + noise) * 32_767).astype(np.int16))
    return np.resize([str(path) for path in paths], elements)
