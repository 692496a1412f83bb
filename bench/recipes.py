"""Measure before.py against after.py of the recipes, and keep the result in bench/results/recipes.json.

    python bench/recipes.py                  # all recipes
    python bench/recipes.py rotation         # one; figures of the others stay, if machine and commit do

The protocol is that of `pipeport bench`: photographs of 256 x 256, interleaved rounds, fresh iterators.
Afterwards `python bench/readme_table.py` writes the figures into the recipes.
"""

from __future__ import annotations

import argparse
import atexit
import json
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from pipeport import recipes_index
from pipeport.bench import _environment, _photographs, _usage
from pipeport.bench._measure import Protocol, interleaved
from pipeport.bench._pipelines import BATCH
from pipeport.bench._statistics import ratio_of
from pipeport.bench._streams import DatasetStream, Side

RESULTS = Path(__file__).with_name("results") / "recipes.json"
FORMAT = 1
SIZE = (256, 256)
# So many elements pass between two starts of a recipe's map that the start does not count.
ELEMENTS = 1024
# Rows, columns, slices; a volume is as long as twenty images, so there are fewer.
VOLUME = (128, 128, 64)
VOLUMES = 32
ARCHIVES = 128

Data = tuple[np.ndarray, np.ndarray]


def photographs() -> np.ndarray:
    """Return the bench's photographs, repeated: shape (ELEMENTS, 256, 256, 3), uint8."""
    images = np.stack(_photographs.photographs(SIZE, "uint8"))
    return np.resize(images, (ELEMENTS, *images.shape[1:]))


def arithmetic() -> Data:
    """Return images and float32 frames of the same height and width."""
    images = photographs()
    return images, images[..., 0].astype(np.float32)


def paired_flip() -> Data:
    """Return images and class maps."""
    images = photographs()
    return images, (images[..., 0] // 64).astype(np.int32)


def rotation() -> Data:
    """Return images and one angle for each, in degrees."""
    return photographs(), np.random.default_rng(0).uniform(-180, 180, ELEMENTS)


def volume_rotation() -> Data:
    """Return volumes of photographs that drift from slice to slice, and one angle for each, in degrees."""
    *plane, slices = VOLUME
    grey = np.stack(_photographs.photographs(tuple(plane), "float32")).mean(-1)
    volumes = np.stack([np.roll(grey, shift, axis=2) for shift in range(slices)], axis=-1)
    angles = np.random.default_rng(0).uniform(-20, 20, VOLUMES)
    return np.resize(volumes, (VOLUMES, *volumes.shape[1:])), angles


def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="pipeport-recipes-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def read_resize_normalise() -> Data:
    """Return paths of JPEG photographs and of PNG class maps, repeated."""
    folder = _folder()
    paths = []
    for index, image in enumerate(_photographs.photographs(SIZE, "uint8")):
        jpeg, png = folder / f"{index}.jpg", folder / f"{index}.png"
        jpeg.write_bytes(tf.io.encode_jpeg(image, quality=90).numpy())
        png.write_bytes(tf.io.encode_png(image[..., :1] // 64).numpy())
        paths.append((str(jpeg), str(png)))
    images, masks = np.resize(paths, (ELEMENTS, 2)).T
    return images, masks


def npz_to_tfrecord() -> tuple[str]:
    """Return a folder with archives of float32 photographs and labels, converted already."""
    folder = _folder()
    photographs = _photographs.photographs(SIZE, "float32")
    for index in range(ARCHIVES):
        np.savez(folder / f"{index:03}.npz", image=photographs[index % len(photographs)], label=index)
    recipes_index.find("npz-to-tfrecord").load("pitfalls").convert_once(folder)
    return (str(folder),)


DATA: dict[str, Callable[[], tuple[Any, ...]]] = {
    "arithmetic": arithmetic,
    "npz-to-tfrecord": npz_to_tfrecord,
    "paired-flip": paired_flip,
    "read-resize-normalise": read_resize_normalise,
    "rotation": rotation,
    "volume-rotation": volume_rotation,
}
CASES = {
    "arithmetic": "uint8 image and float32 frame, 256x256",
    "npz-to-tfrecord": "files of 256x256, float32, one .npz each against one record file",
    "paired-flip": "uint8 image and int32 label, 256x256",
    "read-resize-normalise": "files of 256x256, JPEG image and PNG mask, to 224x224",
    "rotation": "uint8 kept uint8, 256x256, one angle per element",
    "volume-rotation": "float32 volume, 128x128x64, one angle per element",
}
# What after.py of a recipe can be told besides, by what a case then says more.
TOLD: dict[str, dict[str, Callable[[], dict[str, Any]]]] = {
    "read-resize-normalise": {", a size that is stated": lambda: {"size": SIZE}},
}
# Recipes whose before.py runs in the addons environment alone: another script measures them there.
ELSEWHERE = {"off-tensorflow-addons": "bench/addons.py"}
# Recipes whose data are paths.
OF_FILES = {"npz-to-tfrecord", "read-resize-normalise"}


def side(recipe: recipes_index.Recipe, file: str, data: tuple[Any, ...], told: dict[str, Any]) -> Side:
    """Return one side: the recipe's dataset, endless, in batches of 32, prefetched."""
    dataset = recipe.load(file).build_dataset(*data, **told)
    endless = dataset.repeat().batch(BATCH, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    kind = "reference" if file == "before" else "native"
    return Side(name=f"{file}.py", kind=kind, open=lambda: DatasetStream(endless))


def measure(name: str, protocol: Protocol) -> dict[str, Any]:
    """Measure one recipe; return its ratios in the format of last_ratios.json, and the raw rounds by case."""
    measured: dict[str, Any] = {"ratios": [], "rounds": {}}
    for more, told in {"": dict, **TOLD.get(name, {})}.items():
        entry, rounds = _compare(name, CASES[name] + more, told(), protocol)
        measured["ratios"].append(entry)
        measured["rounds"][entry["case"]] = rounds
    return measured


def _compare(name: str, case: str, told: dict[str, Any], protocol: Protocol) -> tuple[dict[str, Any], Any]:
    recipe, data = recipes_index.find(name), DATA[name]()
    rounds = interleaved(
        [side(recipe, "before", data, {}), side(recipe, "after", data, told)],
        protocol,
        before=lambda number, one: print(f"{name}: {one.name}, round {number + 1} of {protocol.rounds}"),
        watch=_usage.watch,
    )
    old, new = ([r.rate for r in rounds[f"{file}.py"]] for file in ("before", "after"))
    found = asdict(ratio_of(new, old))
    figures = {key: round(found[key], 3) for key in ("ratio", "low", "high")}
    entry = {"case": case, "against": "before.py", **figures, "verdict": found["verdict"]}
    return entry, {key: [asdict(r) for r in values] for key, values in rounds.items()}


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"recipes: {', '.join(DATA)}; default: all")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=1.0, help="timed seconds per round")
    parser.add_argument("--output", type=Path, default=RESULTS)
    chosen = parser.parse_args()
    unknown = sorted(set(chosen.names) - set(DATA))
    if unknown:
        others = "".join(f" python {script} measures {name}." for name, script in ELSEWHERE.items())
        parser.error(f"no recipe {', '.join(unknown)} here; there are {', '.join(DATA)}.{others}")

    environment = _environment.environment()
    machine = {
        "CPU": environment["machine"]["cpu"],
        "cores": environment["machine"]["usable_cores"],
        "TensorFlow": environment["versions"]["tensorflow"],
    }
    report = {"format": FORMAT, "machine": machine, "ratios": {}, "rounds": {}}
    if chosen.output.exists():
        kept = json.loads(chosen.output.read_text(encoding="utf-8"))
        if (
            kept["format"] == FORMAT
            and kept["machine"] == machine
            and kept["commit"] == environment["commit"]
        ):
            report |= {key: kept[key] for key in ("ratios", "rounds")}
    report |= {"commit": environment["commit"], "environment": environment}
    for name in chosen.names or DATA:
        measured = measure(name, Protocol(rounds=chosen.rounds, seconds=chosen.seconds))
        report["ratios"][f"recipes/{name}"] = measured["ratios"]
        report["rounds"][f"recipes/{name}"] = measured["rounds"]
        chosen.output.parent.mkdir(parents=True, exist_ok=True)
        chosen.output.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
        for entry in measured["ratios"]:
            print(f"{name}: {entry}")


if __name__ == "__main__":
    main()
