"""What the recipe tests share: programs and what is counted of them, photographs, Python in a graph."""

from __future__ import annotations

import functools
import importlib.util
import json
import shutil
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import tensorflow as tf

from pipeport import recipes_index

RECIPES = Path(__file__).resolve().parents[2] / "recipes"
NAMES = sorted(
    folder.name for folder in RECIPES.iterdir() if folder.is_dir() and folder.name != "__pycache__"
)
FORMS = {recipe.name: recipe.form for recipe in recipes_index.recipes()}
MIGRATIONS = [name for name in NAMES if FORMS.get(name) == recipes_index.MIGRATION]
PITFALLS = [name for name in NAMES if FORMS.get(name) == recipes_index.TF_FUNCTION]
# One recipe compiles an op.
COMPILER = shutil.which("g++")
BOUNDARY_OPS = {"PyFunc", "PyFuncStateless", "EagerPyFunc"}


@functools.cache
def program(name: str, file: str) -> ModuleType:
    """Import one program of a recipe, once."""
    return recipes_index.find(name).load(file)


@functools.cache
def pitfalls_script() -> ModuleType:
    """Import bench/pitfalls.py, which is a script."""
    path = RECIPES.parent / "bench" / "pitfalls.py"
    spec = importlib.util.spec_from_file_location("bench_pitfalls", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@functools.cache
def _counted(name: str) -> dict[str, Any]:
    found = pitfalls_script().counted(name)
    check_committed(name, found)
    return found


def check_committed(name: str, found: dict[str, Any]) -> None:
    """Raise unless the README's figures hold here: they are said to hold for both versions of TensorFlow."""
    written = json.loads(pitfalls_script().RESULTS.read_text(encoding="utf-8"))["recipes"]
    assert written.get(name) == found, f"stale: run `python bench/pitfalls.py --counts {name}`"


def counted(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what a recipe counts of before.py and of after.py, by label; it is what the README says."""
    counts = _counted(name)["counts"]
    before, after = ({label: values[side] for label, values in counts.items()} for side in (0, 1))
    return before, after


def claimed(name: str) -> dict[str, Any]:
    """Return what a recipe finds of published claims, by label."""
    return _counted(name)["claims"]


def loaded(name: str) -> tuple[ModuleType, ModuleType]:
    """Return before.py and after.py, imported anew: nothing is traced yet."""
    recipe = recipes_index.find(name)
    return recipe.load("before"), recipe.load("after")


def boundaries(dataset: tf.data.Dataset) -> set[str]:
    """Return the kinds of Python boundary in a dataset's graph and its function library."""
    serialized = tf.raw_ops.DatasetToGraphV2(input_dataset=dataset._variant_tensor)
    graph = tf.compat.v1.GraphDef.FromString(serialized.numpy())
    nodes = [*graph.node, *(node for function in graph.library.function for node in function.node_def)]
    return {node.op for node in nodes} & BOUNDARY_OPS


def collected(dataset: tf.data.Dataset) -> list[Any]:
    """Return the elements as NumPy arrays."""
    return list(dataset.as_numpy_iterator())


@functools.cache
def photographs(count: int = 6, height: int = 48, width: int = 64) -> np.ndarray:
    """Return crops of the photographs that ship inside scikit-image, uint8 (N, H, W, 3)."""
    from skimage import data

    whole = [data.astronaut(), data.chelsea(), data.coffee(), data.rocket()]
    return np.stack(
        [whole[i % 4][40 + 20 * i : 40 + 20 * i + height, 100 : 100 + width] for i in range(count)]
    )


def masks() -> np.ndarray:
    """Return one class map (H, W) per photograph, int32."""
    return (photographs()[..., 0] // 4).astype(np.int32)
