"""Measure `pipeport.tensorflow_addons.image` against TensorFlow Addons, in bench/results/addons.json.

    python bench/addons.py                    # all functions; needs TensorFlow 2.15 and TensorFlow Addons
    python bench/addons.py rotate transform

Protocol and pipeline are those of `pipeport bench`: photographs of 256 x 256, `Dataset.map` with AUTOTUNE,
batches of 32, interleaved rounds with fresh iterators. The ops of the library are graph ops, so both
sides stand in `map` alike. Elements carry their own angle, vector, level or map.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow_addons.image as theirs

import pipeport.tensorflow_addons.image as ours
from pipeport.bench import _environment, _photographs
from pipeport.bench._measure import Protocol, interleaved
from pipeport.bench._pipelines import BATCH
from pipeport.bench._statistics import ratio_of
from pipeport.bench._streams import DatasetStream, Side

RESULTS = Path(__file__).with_name("results") / "addons.json"
FORMAT = 1
SIDE = 256
DRAWS = np.random.default_rng(0)
COUNT = _photographs.COUNT

Call = Callable[[ModuleType, Any, Any], Any]


def _maps() -> np.ndarray:
    """Return rotations about the middle with a little perspective."""
    angles = DRAWS.uniform(-0.5, 0.5, COUNT)
    cosine, sine, middle = np.cos(angles), np.sin(angles), (SIDE - 1) / 2
    across, down = middle - cosine * middle + sine * middle, middle - sine * middle - cosine * middle
    tilt = DRAWS.uniform(-2e-4, 2e-4, (2, COUNT))
    return np.stack([cosine, -sine, across, sine, cosine, down, *tilt], axis=1)


def _points() -> np.ndarray:
    """Return control points where they are and where they go, (COUNT, 2, 5, 2)."""
    corners = np.array([[40, 50], [200, 60], [60, 190], [210, 205], [128, 128]])
    return np.stack(
        [np.broadcast_to(corners, (COUNT, 5, 2)), corners + DRAWS.uniform(-9, 9, (COUNT, 5, 2))], 1
    )


ANGLES = DRAWS.uniform(-np.pi, np.pi, COUNT)
OFFSETS = DRAWS.uniform(-40, 40, (COUNT, 2))
LEVELS = DRAWS.uniform(-0.5, 0.5, COUNT)
FLOWS = DRAWS.normal(size=(COUNT, SIDE, SIDE, 2)) * 3
PLACES = np.stack(np.meshgrid(np.arange(SIDE), np.arange(SIDE)), axis=-1) + FLOWS
BYTES = ("float32", "uint8")
FLOATS = ("float32",)

# Per case: function, dtypes, what each element carries beside its image, and the call.
CASES: dict[str, tuple[str, tuple[str, ...], Any, Call]] = {
    "nearest": ("rotate", BYTES, ANGLES, lambda tfa, x, p: tfa.rotate(x, p)),
    "bilinear": ("rotate", BYTES, ANGLES, lambda tfa, x, p: tfa.rotate(x, p, "bilinear")),
    "bilinear, reflect": ("rotate", BYTES, ANGLES, lambda tfa, x, p: tfa.rotate(x, p, "bilinear", "reflect")),
    "perspective, nearest": ("transform", BYTES, _maps(), lambda tfa, x, p: tfa.transform(x, p)),
    "perspective, bilinear": ("transform", BYTES, _maps(), lambda tfa, x, p: tfa.transform(x, p, "bilinear")),
    "by pixels, nearest": ("translate", BYTES, OFFSETS, lambda tfa, x, p: tfa.translate(x, p)),
    "by pixels, bilinear": ("translate", BYTES, OFFSETS, lambda tfa, x, p: tfa.translate(x, p, "bilinear")),
    "one fill": ("translate_xy", BYTES, OFFSETS, lambda tfa, x, p: tfa.translate_xy(x, p, [128, 128, 128])),
    "along x": ("shear_x", BYTES, LEVELS, lambda tfa, x, p: tfa.shear_x(x, p, [128, 128, 128])),
    "along y": ("shear_y", BYTES, LEVELS, lambda tfa, x, p: tfa.shear_y(x, p, [128, 128, 128])),
    "a flow per image": (
        "dense_image_warp",
        FLOATS,
        FLOWS,
        lambda tfa, x, p: tfa.dense_image_warp(x[None], p[None]),
    ),
    "at every pixel": (
        "resampler",
        FLOATS,
        PLACES,
        lambda tfa, x, p: tfa.resampler(x[None], p[None]),
    ),
    "at 65536 points": (
        "interpolate_bilinear",
        FLOATS,
        PLACES.reshape(COUNT, -1, 2),
        lambda tfa, x, p: tfa.interpolate_bilinear(x[None], p[None]),
    ),
    "five points": (
        "sparse_image_warp",
        FLOATS,
        _points(),
        lambda tfa, x, p: tfa.sparse_image_warp(x, p[None, 0], p[None, 1])[0],
    ),
}


def side(name: str, kind: str, module: ModuleType, call: Call, images: Any, parameters: Any) -> Side:
    """Return one side: the pipeline around a call, endless."""
    elements = tf.data.Dataset.from_tensor_slices((images, parameters.astype(np.float32))).repeat()
    mapped = elements.map(lambda x, p: call(module, x, p), num_parallel_calls=tf.data.AUTOTUNE)
    dataset = mapped.batch(BATCH, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    return Side(name=name, kind=kind, open=lambda: DatasetStream(dataset))


def measure(case: str, dtype: str, protocol: Protocol) -> dict[str, Any]:
    """Measure one case; return its ratio and the raw rounds."""
    function, _dtypes, parameters, call = CASES[case]
    images = np.stack(_photographs.photographs((SIDE, SIDE), dtype))
    reference = f"tensorflow_addons.image.{function}"
    sides = [
        side(reference, "reference", theirs, call, images, parameters),
        side(f"pipeport.{reference}", "native", ours, call, images, parameters),
    ]
    rounds = interleaved(sides, protocol)
    old, new = ([one.rate for one in rounds[each.name]] for each in sides)
    found = asdict(ratio_of(new, old))
    figures = {key: round(found[key], 3) for key in ("ratio", "low", "high")}
    entry = {"case": f"{case}, {dtype}, {SIDE}x{SIDE}", "against": reference, **figures}
    entry["verdict"] = found["verdict"]
    return {
        "ratio": entry,
        "rounds": {name: [asdict(one) for one in values] for name, values in rounds.items()},
    }


def main() -> None:
    """Measure and write."""
    functions = sorted({function for function, *_ in CASES.values()})
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(functions)}; default: all")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=1.0, help="timed seconds per round")
    parser.add_argument("--output", type=Path, default=RESULTS)
    chosen = parser.parse_args()
    if unknown := sorted(set(chosen.names) - set(functions)):
        parser.error(f"no function {', '.join(unknown)}; there are {', '.join(functions)}.")
    versions = _environment.versions()
    machine = {
        "CPU": _environment.cpu_model(),
        "cores": _environment.usable_cores(),
        "TensorFlow": versions["tensorflow"],
    }
    commit = _environment.commit(Path(ours.__file__).parents[2])
    report: dict[str, Any] = {
        "format": FORMAT,
        "machine": machine,
        "commit": commit,
        "ratios": {},
        "rounds": {},
    }
    if chosen.output.exists():
        kept = json.loads(chosen.output.read_text(encoding="utf-8"))
        if all(kept[key] == report[key] for key in ("format", "machine", "commit")):
            report = kept
    report["versions"] = versions
    report["threads"] = _environment.threads()
    protocol = Protocol(rounds=chosen.rounds, seconds=chosen.seconds)
    for case, (function, dtypes, *_) in CASES.items():
        if chosen.names and function not in chosen.names:
            continue
        native = f"pipeport.tensorflow_addons.image.{function}"
        for dtype in dtypes:
            measured = measure(case, dtype, protocol)
            entry = measured["ratio"]
            others = [one for one in report["ratios"].get(native, []) if one["case"] != entry["case"]]
            report["ratios"][native] = [*others, entry]
            report["rounds"].setdefault(native, {})[entry["case"]] = measured["rounds"]
            chosen.output.parent.mkdir(parents=True, exist_ok=True)
            chosen.output.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
            print(
                f"{native}: {entry['case']}: {entry['ratio']}x ({entry['low']} to {entry['high']})",
                flush=True,
            )


if __name__ == "__main__":
    main()
