"""Parameters of a case: one value per element, or one that people give to all."""

from __future__ import annotations

import inspect
import math
from typing import Any

import numpy as np

from pipeport.bench import _photographs
from pipeport.bench._resolve import resolve
from pipeport.contract import (
    Boolean,
    Callback,
    Integer,
    Matrix,
    Maybe,
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


def inner(spec: Spec) -> Spec:
    """Return the spec inside `Maybe`, else the spec itself."""
    return inner(spec.spec) if isinstance(spec, Maybe) else spec


def per_element(name: str, spec: Spec, shapes: list[Shape]) -> Any:
    """Draw one value per element from a generator fixed by the parameter's name.

    Parameters
    ----------
    name : str
        Of the parameter.
    spec : Spec
        What it may be.
    shapes : list of tuple of int
        Shape of each element's first array.

    Returns
    -------
    numpy.ndarray or list of numpy.ndarray
        With a leading element axis; a list where elements differ in size.

    Raises
    ------
    OutsideDomain
        Values of that kind cannot be drawn per element.
    """
    generator = np.random.default_rng([_SEED, *name.encode()])
    kind = inner(spec)
    count = len(shapes) or _photographs.COUNT
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
        parts = [per_element(f"{name}.{axis}", kind.spec, shapes) for axis in range(axes)]
        return np.stack(parts, axis=1)
    if isinstance(kind, Matrix):
        turns = generator.uniform(-30.0, 30.0, count)
        return np.stack([turned(kind, shape, turn) for shape, turn in zip(shapes, turns, strict=True)])
    if isinstance(kind, Shaped):
        arrays = [shaped(name, kind, shape, index) for index, shape in enumerate(shapes)]
        return arrays if len({array.shape for array in arrays}) > 1 else np.stack(arrays)
    raise OutsideDomain(
        explain(
            f"parameter {name}",
            f"per_element=True on {type(kind).__name__}",
            "Real, Integer, Boolean, Point, SeedPair, PerAxis, Matrix, Shaped",
            "Give it one typical value instead.",
        )
    )


def for_all(name: str, spec: Spec, parameter: inspect.Parameter | None, shape: Shape) -> Any:
    """Return the value that every element's call has, or `parameter.empty` to leave it out.

    Raises
    ------
    OutsideDomain
        The parameter is required, and its spec names no typical value.
    """
    kind = inner(spec)
    if isinstance(kind, Callback):
        known = spec.typical or kind.typical
        return resolve(known, "callback") if known else _required(name, parameter, resolve(kind.examples[0]))
    if spec.typical is not None and not isinstance(spec.typical, str):
        stated = isinstance(kind, (Matrix, Shaped))
        return np.asarray(spec.typical, kind.dtypes[0]) if stated else spec.typical  # type: ignore[attr-defined]
    if isinstance(kind, Shaped) and (spec.typical or _is_required(parameter)):
        return shaped(name, kind, shape, 0)
    if spec.typical is not None:
        return spec.typical
    if isinstance(kind, Matrix):
        return _required(name, parameter, turned(kind, shape, 30.0))
    return _required(name, parameter, None)


def _is_required(parameter: inspect.Parameter | None) -> bool:
    return parameter is not None and parameter.default is parameter.empty


def _required(name: str, parameter: inspect.Parameter | None, value: Any) -> Any:
    """Return the value of a required parameter; others are left to their default."""
    if not _is_required(parameter):
        return inspect.Parameter.empty
    if value is None:
        raise OutsideDomain(
            explain(
                f"domain[{name!r}]",
                "no typical value",
                "a value the bench can use",
                "Give its spec `typical=...`, or set bench=False.",
            )
        )
    return value


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


def shaped(name: str, spec: Shaped, shape: Shape, index: int) -> Any:
    """Return an array of stated sizes beside an image of `shape`.

    `typical`, a dotted path, names the function `(shape, index) -> array` that knows what such an
    array holds (coordinates of a warp, for instance); without one it holds values of its range.
    """
    if isinstance(spec.typical, str):
        return np.asarray(resolve(spec.typical, "typical value")(shape, index))
    sizes = []
    for axis, size in enumerate(spec.shape):
        if isinstance(size, str):
            part = size.partition(".")[2]
            sizes.append(len(shape) if part == "ndim" else shape[int(part)])
        elif isinstance(size, tuple):
            sizes.append(shape[axis] if axis < 2 and len(spec.shape) > 1 else size[1])
        else:
            sizes.append(size)
    generator = np.random.default_rng([_SEED, index, *name.encode()])
    return generator.uniform(*spec.values, sizes).astype(spec.dtypes[0])
