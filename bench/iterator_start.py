"""What an iterator costs at its start, and how long a map of several compiled natives waits for a batch.

    python bench/iterator_start.py                    # both tables, about two minutes
    python bench/iterator_start.py --json FILE        # and keep the figures
    python bench/iterator_start.py starts             # one of: starts, batches

TensorFlow optimises and instantiates the function of a map anew for each iterator, with every function
it calls: `starts` counts their nodes beside the seconds. Each number of `batches` is of a fresh process.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import tensorflow as tf

import pipeport.cv2
import pipeport.numpy
import pipeport.PIL.Image
import pipeport.scipy.ndimage
import pipeport.skimage.transform
from pipeport import config
from pipeport.bench import _files, _photographs
from pipeport.bench._json import write_json

ELEMENTS = 1000
ROUNDS = 7
BATCH = 32
SIZE = (64, 64)
MATRIX = [[0.9, 0.1, 2.0], [-0.1, 0.9, 3.0]]

Native = Callable[[Any], Any]
# Different natives that compile where sizes are known, the longest to compile first.
COMPILED: dict[str, Native] = {
    "cv2.warpAffine": lambda image: pipeport.cv2.warpAffine(image, tf.constant(MATRIX), SIZE),
    "skimage.transform.rotate": lambda image: pipeport.skimage.transform.rotate(image, 30.0),
    "scipy.ndimage.rotate": lambda image: pipeport.scipy.ndimage.rotate(image, 20.0, (1, 0), False, order=1),
}


def chain(names: Sequence[str]) -> Callable[[Any], Any]:
    """Return the function of a map: those natives, one after the other."""

    def body(image: Any) -> Any:
        for name in names:
            image = tf.ensure_shape(COMPILED[name](image), (*SIZE, 3))
        return image

    return body


def images(count: int) -> Any:
    """Return a dataset of float32 photographs."""
    [image, *_] = _photographs.photographs(SIZE, "float32")
    return tf.data.Dataset.from_tensors(image).repeat(count)


def readers(folder: Path) -> dict[str, Callable[[], Any]]:
    """Return what builds datasets that read one JPEG file again and again."""
    path = folder / "photograph.jpg"
    path.write_bytes(_files.jpeg(_photographs.photographs((256, 256), "uint8")[0]))
    paths = tf.data.Dataset.from_tensors(str(path)).repeat(ELEMENTS)

    def image(path: Any) -> Any:
        return pipeport.cv2.resize(pipeport.cv2.imread(path), SIZE)

    def pillow(path: Any) -> Any:
        opened = pipeport.PIL.Image.open(path).convert("RGB").resize(SIZE)
        return pipeport.numpy.asarray(opened)

    return {
        "cv2.imread, cv2.resize": lambda: mapped(paths, image),
        "PIL.Image.open, resize": lambda: mapped(paths, pillow),
    }


def mapped(dataset: Any, body: Callable[[Any], Any]) -> Any:
    """Return the map that is measured."""
    return dataset.map(body, num_parallel_calls=tf.data.AUTOTUNE)


def size_of(dataset: Any) -> tuple[int, int]:
    """Return the functions that a dataset's graph holds, and the nodes in all of them."""
    serialized = tf.raw_ops.DatasetToGraphV2(input_dataset=tf.data.experimental.to_variant(dataset))
    library = tf.compat.v1.GraphDef.FromString(serialized.numpy()).library.function
    return len(library), sum(len(function.node_def) for function in library)


def epoch(iterator: Any) -> tuple[float, float]:
    """Return the seconds from making an iterator to its first element, and to its end."""
    begin = time.perf_counter()
    elements = iter(iterator)
    next(elements)
    first = time.perf_counter() - begin
    for _element in elements:
        pass
    return first, time.perf_counter() - begin


def start(dataset: Any) -> dict[str, Any]:
    """Measure what each new iterator waits for, epoch after epoch, compilation apart."""
    compiled, _ = epoch(dataset)
    rounds = [epoch(dataset) for _ in range(ROUNDS)]
    functions, nodes = size_of(dataset)
    # The second epoch of one iterator starts the map again, but not its function.
    repeated = iter(dataset.take(8).repeat())
    for _ in range(8):
        next(repeated)
    begin = time.perf_counter()
    next(repeated)
    return {
        "functions": functions,
        "nodes": nodes,
        "compiled_s": compiled,
        "start_s": statistics.median(first for first, _ in rounds),
        "epoch_s": statistics.median(whole for _, whole in rounds),
        "repeated_s": time.perf_counter() - begin,
    }


def both_starts(build: Callable[[], Any]) -> dict[str, Any]:
    """Measure the same where iterators start fast, too: their start alone."""
    found = start(build())
    with config.use_fast_start(True):
        fast = build()
    epoch(fast)
    return found | {"fast_start_s": statistics.median(epoch(fast)[0] for _ in range(ROUNDS))}


def starts() -> dict[str, Any]:
    """Measure maps of none to three compiled natives, and of the readers."""
    builds = {
        f"{count} compiled": lambda count=count: mapped(images(ELEMENTS), chain(list(COMPILED)[:count]))
        for count in range(len(COMPILED) + 1)
    }
    with tempfile.TemporaryDirectory() as folder:
        return {name: both_starts(build) for name, build in (builds | readers(Path(folder))).items()}


def first_batch(names: list[str]) -> float:
    """Return the seconds from building a dataset of those natives to its first batch, in this process."""
    # Threads, allocators and the compiler itself belong to no native.
    tf.function(lambda x: x + 1.0, jit_compile=True)(tf.zeros([2]))
    source = images(BATCH)
    begin = time.perf_counter()
    next(iter(mapped(source, chain(names)).batch(BATCH)))
    return time.perf_counter() - begin


def batches() -> dict[str, Any]:
    """Measure the first batch of each compiled native alone, and of all in one map, in fresh processes."""
    maps = [*([name] for name in COMPILED), list(COMPILED)]
    # One after the other and again, so that what slows the machine for a while slows all of them.
    rounds = [[_in_a_process(names) for names in maps] for _ in range(ROUNDS)]
    found = {}
    for names, seconds in zip(maps, zip(*rounds, strict=True), strict=True):
        found[", ".join(names)] = {"natives": len(names), "first_batch_s": statistics.median(seconds)}
    alone = [one["first_batch_s"] for one in found.values() if one["natives"] == 1]
    found[", ".join(COMPILED)]["of_longest"] = found[", ".join(COMPILED)]["first_batch_s"] / max(alone)
    return found


def _in_a_process(names: list[str]) -> float:
    child = [sys.executable, __file__, "--first-batch", *names]
    environment = os.environ | {"TF_CPP_MIN_LOG_LEVEL": "3"}
    finished = subprocess.run(child, capture_output=True, text=True, check=True, env=environment)
    return float(json.loads(finished.stdout.splitlines()[-1]))


TABLES = {"starts": starts, "batches": batches}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=f"{', '.join(TABLES)}; default: both")
    parser.add_argument("--json", type=Path, metavar="FILE")
    parser.add_argument("--first-batch", nargs="+", choices=COMPILED, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.first_batch:
        print(json.dumps(first_batch(given.first_batch)))
        return
    if unknown := sorted(set(given.tables) - set(TABLES)):
        parser.error(f"no table {', '.join(unknown)}; there are {', '.join(TABLES)}.")
    content = {name: TABLES[name]() for name in given.tables or TABLES}
    for table in content.values():
        for name, figures in table.items():
            shown = (f"{key} {round(value, 4)}" for key, value in figures.items())
            print(f"{name}: {', '.join(shown)}")
    if given.json:
        write_json(content, given.json)


if __name__ == "__main__":
    main()
