"""Measure `pipeport.tensorflow_addons.image` against TensorFlow Addons, for a release.

    python bench/addons.py                    # all functions and the recipe, about ten minutes
    python bench/addons.py rotate transform   # figures of the others stay, if machine and protocol do

Needs what the extra `addons` installs: TensorFlow 2.15 and TensorFlow Addons. bench/release.py takes the
figures over.

Protocol and pipeline are those of `pipeport bench`: photographs of 256 x 256, `Dataset.map` with AUTOTUNE,
batches of 32, interleaved rounds with fresh iterators. The ops of the library are graph ops, so both
sides stand in `map` alike. Elements carry their own angle, vector, level or map. All others are called as
`pipeport bench NAME` calls them.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import tensorflow as tf
import tensorflow_addons.image as theirs

import pipeport
import pipeport.tensorflow_addons.image as ours
from pipeport import catalog, recipes_index
from pipeport.bench import _arguments, _codes, _environment, _photographs, _sides
from pipeport.bench._json import write_json
from pipeport.bench._measure import Protocol, interleaved
from pipeport.bench._pipelines import BATCH, Source
from pipeport.bench._selections import Selection, cases_of
from pipeport.bench._statistics import ratio_of
from pipeport.bench._streams import DatasetStream, Side
from pipeport.bench._variants import PLAIN
from pipeport.contract import Contract

RESULTS = Path(__file__).parent / "results" / "figures_addons.json"
FORMAT = 1
RECIPE = "off-tensorflow-addons"
# So many elements pass between two starts of the recipe's map that the start does not count.
ELEMENTS = 512
SIDE = 256
DRAWS = np.random.default_rng(0)
COUNT = _photographs.COUNT

PREFIX = "pipeport.tensorflow_addons.image."

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


def _endless(name: str, kind: str, dataset: Any) -> Side:
    batches = dataset.batch(BATCH, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    return Side(name=name, kind=kind, open=lambda: DatasetStream(batches))


def side(name: str, kind: str, module: ModuleType, call: Call, images: Any, parameters: Any) -> Side:
    """Return one side: the pipeline around a call, endless."""
    elements = tf.data.Dataset.from_tensor_slices((images, parameters.astype(np.float32))).repeat()
    mapped = elements.map(lambda x, p: call(module, x, p), num_parallel_calls=tf.data.AUTOTUNE)
    return _endless(name, kind, mapped)


def measure(case: str, dtype: str, protocol: Protocol) -> dict[str, Any]:
    """Measure one case; return its ratio and the raw rounds."""
    function, _dtypes, parameters, call = CASES[case]
    images = np.stack(_photographs.photographs((SIDE, SIDE), dtype))
    reference = f"tensorflow_addons.image.{function}"
    sides = [
        side(reference, "reference", theirs, call, images, parameters),
        side(f"{PREFIX}{function}", "native", ours, call, images, parameters),
    ]
    return compared(sides, f"{case}, {dtype}, {SIDE}x{SIDE}", protocol)


def others() -> dict[str, Contract]:
    """Return the pairs that have no case above, by the last part of their name."""
    here = {function for function, *_ in CASES.values()}
    pairs = {name.removeprefix(PREFIX): one for name, one in catalog.pairs().items()}
    return {
        name.rpartition(".")[2]: one
        for name, one in pairs.items()
        if one.environment == "addons" and name not in here
    }


def measure_other(contract: Contract, protocol: Protocol) -> Iterator[dict[str, Any]]:
    """Measure the cases of a pair as `pipeport bench NAME` calls it; give their ratios and the raw rounds."""
    for case in cases_of(Selection(), [contract], []):
        arguments = _arguments.arguments_for(contract, case)
        source = Source(case, arguments)
        prepared = _sides.prepare(contract, PLAIN, case, arguments, source, roofline=False)
        yield compared(prepared.sides, case.conditions, protocol)


def measure_recipe(protocol: Protocol) -> dict[str, Any]:
    """Measure before.py against after.py."""
    images = np.stack(_photographs.photographs((SIDE, SIDE), "uint8"))
    images = np.resize(images, (ELEMENTS, *images.shape[1:]))
    recipe = recipes_index.find(RECIPE)
    sides = [
        _endless(f"{file}.py", kind, recipe.load(file).build_dataset(images, np.arange(ELEMENTS)).repeat())
        for file, kind in (("before", "reference"), ("after", "native"))
    ]
    return compared(sides, f"uint8 to float32, four warps, {SIDE}x{SIDE}", protocol)


def compared(sides: list[Side], case: str, protocol: Protocol) -> dict[str, Any]:
    """Measure both sides in turn; return their ratio in the form of a release, and the raw rounds."""
    rounds = interleaved(sides, protocol)
    old, new = ([one.rate for one in rounds[each.name]] for each in sides)
    found = asdict(ratio_of(new, old))
    figures = {key: round(found[key], 3) for key in ("ratio", "low", "high")}
    return {
        "ratio": {
            "case": case,
            "against": sides[0].name,
            **figures,
            "verdict": found["verdict"],
            "rounds": found["rounds"],
        },
        "rounds": {name: [asdict(one) for one in values] for name, values in rounds.items()},
    }


def code(name: str) -> str:
    """Return the fingerprint of what is measured: a native, or both programs of the recipe."""
    if not name.startswith("recipes/"):
        return _codes.of_native(name)
    return _codes.of_recipe(recipes_index.find(RECIPE).folder)


def begun(output: Path, protocol: Protocol) -> dict[str, Any]:
    """Return the report to add to: the one that is there, if machine and protocol are the same."""
    versions = _environment.versions()
    report: dict[str, Any] = {
        "format": FORMAT,
        "machine": {
            "CPU": _environment.cpu_model(),
            "cores": _environment.usable_cores(),
            "TensorFlow": versions["tensorflow"],
        },
        "commit": _environment.commit(Path(pipeport.__file__).parent),
        "protocol": {**asdict(protocol), "batch": BATCH},
        "versions": versions,
        "threads": _environment.threads(),
        "ratios": {},
        "rounds": {},
    }
    if output.exists():
        kept = json.loads(output.read_text(encoding="utf-8"))
        if all(kept.get(key) == report[key] for key in ("format", "machine", "protocol")):
            report |= {key: kept[key] for key in ("ratios", "rounds")}
    return report


def main() -> None:
    """Measure and write."""
    names = [*sorted({function for function, *_ in CASES.values()} | set(others())), RECIPE]
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(names)}; default: all")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=1.0, help="timed seconds per round")
    parser.add_argument("--output", type=Path, default=RESULTS)
    chosen = parser.parse_args()
    if unknown := sorted(set(chosen.names) - set(names)):
        parser.error(f"no function {', '.join(unknown)}; there are {', '.join(names)}.")
    protocol = Protocol(rounds=chosen.rounds, seconds=chosen.seconds)
    report = begun(chosen.output, protocol)

    def keep(name: str, measured: dict[str, Any]) -> None:
        entry = measured["ratio"] | {"code": code(name)}
        others = [one for one in report["ratios"].get(name, []) if one["case"] != entry["case"]]
        report["ratios"][name] = [*others, entry]
        report["rounds"].setdefault(name, {})[entry["case"]] = measured["rounds"]
        chosen.output.parent.mkdir(parents=True, exist_ok=True)
        write_json(report, chosen.output)
        print(f"{name}: {entry['case']}: {entry['ratio']}x ({entry['low']} to {entry['high']})", flush=True)

    for case, (function, dtypes, *_) in CASES.items():
        if not chosen.names or function in chosen.names:
            for dtype in dtypes:
                keep(f"{PREFIX}{function}", measure(case, dtype, protocol))
    for name, contract in others().items():
        if not chosen.names or name in chosen.names:
            for measured in measure_other(contract, protocol):
                keep(contract.native, measured)
    if not chosen.names or RECIPE in chosen.names:
        keep(f"recipes/{RECIPE}", measure_recipe(protocol))


if __name__ == "__main__":
    main()
