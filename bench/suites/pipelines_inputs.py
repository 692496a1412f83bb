"""The files that the trainings of suite `pipelines` read, made from a seed and the bench's photographs.

Few are written, and further elements are links to them, so that thousands take neither time nor space.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import reading_inputs

from pipeport.bench import _photographs

SEED = 20_241_130
# How many differ: of scans, and of all else.
SCANS, FILES = 16, 200
# Of a photograph for Keras, in pixels; of a scan, in voxels.
SIDE = 128
SCAN = (128, 128, 64)


def linked(folder: Path, elements: int) -> None:
    """Let further elements link to the files of the first; names begin with the number of the element."""
    files: dict[str, list[Path]] = {}
    for path in sorted(folder.iterdir()):
        files.setdefault(path.name[:4], []).append(path)
    first = list(files.values())
    for number in range(len(first), elements):
        for path in first[number % len(first)]:
            (folder / f"{number:04}{path.name[4:]}").hardlink_to(path)


def photographs(folder: Path, elements: int) -> None:
    """Write JPEG photographs of 260 to 520 px."""
    reading_inputs.photographs(folder, min(elements, FILES))
    linked(folder, elements)


def photographs_and_masks(folder: Path, elements: int) -> None:
    """Write JPEG photographs, and PNG class maps of their sizes."""
    reading_inputs.photographs_and_masks(folder, min(elements, FILES))
    linked(folder, elements)


def annotated(folder: Path, elements: int) -> None:
    """Write JPEG photographs, and a file with a line an element: a path, then one to eight boxes."""
    draws = np.random.default_rng(SEED)
    paths = reading_inputs.photographs(folder, min(elements, FILES))
    lines = []
    for path in np.resize(paths, elements):
        corners = draws.integers(0, 120, (draws.integers(1, 9), 2))
        sizes = draws.integers(10, 140, corners.shape)
        boxes = np.concatenate([corners, corners + sizes, draws.integers(0, 20, (len(corners), 1))], axis=1)
        lines.append(" ".join([path, *(",".join(map(str, box)) for box in boxes)]))
    (folder / "annotations.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def scans(folder: Path, elements: int) -> None:
    """Write compressed NIfTI scans of int16, and their labels beside them."""
    import nibabel

    volumes = list(_photographs.volumes(SCAN, "int32"))
    for number in range(min(elements, SCANS)):
        volume = np.roll(volumes[number % len(volumes)], 7 * number, axis=0)
        parts = {"scan": (volume * 8 - 1024).astype(np.int16), "labels": (volume // 64).astype(np.uint8)}
        for name, part in parts.items():
            nibabel.save(nibabel.Nifti1Image(part, np.eye(4)), folder / f"{number:04}-{name}.nii.gz")
    linked(folder, elements)


def utterances(folder: Path, elements: int) -> None:
    """Write five .npy files an utterance of 40 to 120 tokens: tokens, durations, mel, pitch, energy."""
    draws = np.random.default_rng(SEED)
    for number in range(min(elements, FILES)):
        durations = draws.integers(2, 12, draws.integers(40, 121))
        frames = int(durations.sum())
        pitch = np.where(draws.random(frames) < 0.7, draws.normal(180, 60, frames), 0)
        parts = {
            "tokens": draws.integers(1, 150, len(durations)),
            "durations": durations,
            "mel": draws.normal(-4, 2, (frames, 80)).astype(np.float32),
            "pitch": pitch.astype(np.float32),
            "energy": draws.normal(20, 8, frames).clip(0).astype(np.float32),
        }
        for name, part in parts.items():
            np.save(folder / f"{number:04}-{name}.npy", part)
    linked(folder, elements)


def sounds(folder: Path, elements: int) -> None:
    """Write WAV files of 16 bits and 16 kHz, of 1.5 to 4 seconds: tones that fade, and noise."""
    from scipy.io import wavfile

    draws = np.random.default_rng(SEED)
    for number in range(min(elements, FILES)):
        seconds = np.arange(draws.integers(24_000, 64_001)) / 16_000
        tones: Any = sum(np.sin(2 * np.pi * draws.uniform(100, 4000) * seconds) for _ in range(4))
        wave = 4000 * tones * np.exp(-seconds) + draws.normal(0, 300, len(seconds))
        wavfile.write(folder / f"{number:04}.wav", 16_000, wave.astype(np.int16))
    linked(folder, elements)


def images(folder: Path, elements: int) -> None:
    """Write one archive of photographs and of two classes."""
    small = [np.ascontiguousarray(crop[:SIDE, :SIDE]) for crop in reading_inputs.crops(elements)]
    np.savez(folder / "images.npz", images=small, labels=np.arange(elements, dtype=np.int32) % 2)


def readings(folder: Path, elements: int) -> None:
    """Write archives of 1,200 to 2,000 readings of six channels, with a label."""
    draws = np.random.default_rng(SEED)
    for number in range(min(elements, FILES)):
        steps = draws.normal(0, 1, (draws.integers(1200, 2001), 6))
        np.savez(folder / f"{number:04}.npz", readings=steps.cumsum(axis=0), label=number % 5)
    linked(folder, elements)
