"""What the recipe tests share: loading programs, photographs, and looking for Python in a graph."""

from __future__ import annotations

import functools
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
BOUNDARY_OPS = {"PyFunc", "PyFuncStateless", "EagerPyFunc"}


@functools.cache
def program(name: str, file: str) -> ModuleType:
    """Import one program of a recipe, once."""
    return recipes_index.find(name).load(file)


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
