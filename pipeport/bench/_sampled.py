"""Parameters of a case: one value per element, or one that people give to all."""

from __future__ import annotations

import inspect
import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pipeport.bench import _photographs, _typical
from pipeport.bench._case import Size
from pipeport.bench._resolve import resolve
from pipeport.bench._typical import inner
from pipeport.contract import (
    ArrayList,
    Boolean,
    Callback,
    Integer,
    Matrix,
    PerAxis,
    Point,
    Real,
    SeedPair,
    Shaped,
    Spec,
)
from pipeport.errors import OutsideDomain, explain

_SEED = 2_718_281
Shape = tuple[int, ...]


# An array or a draw whose size is free is as large as a photograph.
_SIDES = (256, 256)


@dataclass
class Scene:
    """The values that a parameter's values depend on.

    `shapes`: shape of each element's first array; empty where elements hold no photographs.
    `per_element_shapes`: shapes of what has been drawn per element, by parameter.
    """

    shapes: list[Shape]
    size: Size | None
    dtype: str
    per_element_shapes: dict[str, Shape] = field(default_factory=dict)

    @property
    def first(self) -> Shape:
        """Return the shape of the first element's first array."""
        return self.shapes[0] if self.shapes else ()


def per_element(name: str, spec: Spec, scene: Scene) -> Any:
    """Draw one value per element from a generator fixed by the parameter's name.

    Returns: with a leading element axis; a list where elements differ in size.
    """
    generator = np.random.default_rng([_SEED, *name.encode()])
    kind = inner(spec)
    shapes: list[Shape] = scene.shapes or [()] * _photographs.COUNT
    count = len(shapes)
    if isinstance(kind, SeedPair):
        return generator.integers(0, 2**31 - 1, (count, 2), dtype=np.int32)
    if isinstance(kind, Point):
        return generator.uniform(kind.low, kind.high, (count, 2)).astype(np.float32)
    if isinstance(kind, Real):
        return generator.uniform(kind.low, kind.high, count).astype(np.float32)
    if isinstance(kind, Integer):
        return generator.integers(kind.low, kind.high, count, dtype=np.int32, endpoint=True)
    if isinstance(kind, Boolean):
        return generator.integers(0, 2, count).astype(bool)
    if isinstance(kind, PerAxis):
        axes = kind.count or len(shapes[0])
        if isinstance(spec.typical, tuple) and len(spec.typical) == axes:  # as much, and along the same axes
            return np.array(spec.typical, np.float32) * generator.uniform(0.5, 1.5, (count, 1)).astype(
                np.float32
            )
        parts = [per_element(f"{name}.{axis}", kind.spec, scene) for axis in range(axes)]
        return np.stack(parts, axis=1)
    if isinstance(kind, Matrix):
        turns = generator.uniform(-30.0, 30.0, count)
        return np.stack([turned(kind, shape, turn) for shape, turn in zip(shapes, turns, strict=True)])
    if isinstance(kind, Shaped):
        arrays = [shaped(name, kind, shape, index, scene) for index, shape in enumerate(shapes)]
        return arrays if len({array.shape for array in arrays}) > 1 else np.stack(arrays)
    raise OutsideDomain(
        explain(
            f"parameter {name}",
            f"per_element=True on {type(kind).__name__}",
            "Real, Integer, Boolean, Point, SeedPair, PerAxis, Matrix, Shaped",
            "Give it one typical value instead.",
        )
    )


def for_all(name: str, spec: Spec, parameter: inspect.Parameter | None, scene: Scene) -> Any:
    """Return the value that every element's call has, or `parameter.empty` to leave it to its default.

    A required parameter without a typical value has some value of its domain.
    """
    kind = inner(spec)
    shape = scene.first
    of_plane = isinstance(kind, PerAxis) and kind.count == 2 and isinstance(kind.spec, Integer)
    if of_plane and spec.typical is kind.typical is None and (name == "size" or _is_required(parameter)):
        return scene.size or _SIDES
    if isinstance(kind, Callback):
        known = spec.typical or kind.typical
        known = known or (kind.examples[0] if _is_required(parameter) else None)
        return resolve(known, "callback") if known else inspect.Parameter.empty
    if spec.typical is not None and not isinstance(spec.typical, str):
        return stated(spec)
    if isinstance(kind, Shaped) and (spec.typical or _is_required(parameter)):
        return shaped(name, kind, shape, 0, scene)
    if spec.typical is not None:
        return spec.typical
    if not _is_required(parameter):
        return inspect.Parameter.empty
    if isinstance(kind, Matrix):
        return turned(kind, shape, 30.0)
    return _typical.value(spec, len(shape))


def stated(spec: Spec) -> Any:
    """Return the typical value of a spec, of arrays as an array."""
    kind = inner(spec)
    if isinstance(kind, (Matrix, Shaped)) and not isinstance(spec.typical, str):
        return np.asarray(spec.typical, kind.dtypes[0])
    return spec.typical


def numbers(name: str, spec: ArrayList) -> list[Any]:
    """Return an array for each element, of the one size that arrays of a list have."""
    generator = np.random.default_rng([_SEED, *name.encode()])
    shape = (_photographs.COUNT, *spec.sides[:1] * max(spec.ranks))
    return list(generator.uniform(*spec.values, shape).astype(spec.dtypes[0]))


def _is_required(parameter: inspect.Parameter | None) -> bool:
    return parameter is not None and parameter.default is parameter.empty


def turned(spec: Matrix, shape: Shape, degrees: float) -> Any:
    """Return a map that turns the first two axes about the middle of an array, as augmentations do."""
    homogeneous = spec.rows == spec.columns and spec.kind != "linear" and spec.rows > 2
    n = spec.rows - homogeneous
    matrix = np.eye(spec.rows, spec.columns)
    if n > 1:
        angle = math.radians(degrees)
        matrix[0, :2] = math.cos(angle), -math.sin(angle)
        matrix[1, :2] = math.sin(angle), math.cos(angle)
    if spec.columns > n:
        middle = (np.resize(np.array(shape[:n]), n) - 1) / 2
        matrix[:n, n] = middle - matrix[:n, :n] @ middle
    return matrix.astype(spec.dtypes[0])


def shaped(name: str, spec: Shaped, shape: Shape, index: int, scene: Scene) -> Any:
    """Return an array of stated sizes beside an image of `shape`.

    `typical`, a dotted path, names the function `(shape, index) -> array` that knows what such an
    array holds (coordinates of a warp, for instance); without one it holds values of its range. Its sizes
    may be those of a parameter that has been drawn.
    """
    if isinstance(spec.typical, str):
        return np.asarray(resolve(spec.typical, "typical value")(shape, index))
    sizes = []
    for axis, size in enumerate(spec.shape):
        if isinstance(size, str):
            of, _, part = size.partition(".")
            its = scene.per_element_shapes.get(of, shape)
            sizes.append(len(its) if part == "ndim" else its[int(part)])
        elif isinstance(size, tuple):
            of_image = axis < min(2, len(shape)) and len(spec.shape) > 1
            sizes.append(shape[axis] if of_image else size[1])
        else:
            sizes.append(size)
    generator = np.random.default_rng([_SEED, index, *name.encode()])
    dtype = np.dtype(_dtype_of(spec, scene))
    low, high = spec.values
    if dtype.kind in "iu":
        least, most = np.iinfo(dtype).min, np.iinfo(dtype).max
        low, high = max(low, least), min(high, most)
    return generator.uniform(low, high, sizes).astype(dtype)


def _dtype_of(spec: Shaped, scene: Scene) -> str:
    """Return the first dtype of a spec; of one that takes any, the photograph's, or one of numbers."""
    if spec.dtypes[0] != "bool":
        return spec.dtypes[0]
    return next(dtype for dtype in (scene.dtype, "float32", *spec.dtypes[1:]) if dtype in spec.dtypes)
