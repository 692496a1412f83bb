"""Strategies for targets of an image: boxes and points."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from hypothesis import strategies as st

from pipeport.contract import Boxes, Points
from pipeport.verify._strategies import Scene, Strategy, again, strategy

# Smallest side of a box: where it is cut to nothing is asked by tests of its own.
_SIDE = 0.05


def _rows(spec: Any, scene: Scene, columns: int) -> Strategy:
    low, high = spec.counts
    counts = st.integers(low, high) if scene.free else st.sampled_from((low, min(high, 2)))
    return st.tuples(st.sampled_from(spec.dtypes), counts).flatmap(lambda d: _shares(d[0], (d[1], columns)))


def _shares(dtype: str, shape: tuple[int, ...]) -> Strategy:
    one = st.integers(0, 64).map(lambda n: n / 64)
    size = math.prod(shape)
    values = st.lists(st.one_of(one, st.floats(0, 1, width=32)), min_size=size, max_size=size)
    return values.map(lambda v: np.asarray(v, dtype).reshape(shape))


def _as_boxes(shares: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    low, high = np.minimum(shares[:, :2], shares[:, 2:]), np.maximum(shares[:, :2], shares[:, 2:])
    low = np.minimum(low, 1 - _SIDE)
    return np.concatenate([low, np.maximum(high, low + _SIDE)], 1).astype(shares.dtype)


@strategy.register
def _boxes(spec: Boxes, scene: Scene) -> Strategy:
    return _rows(spec, scene, 4).map(_as_boxes)


@again.register
def _again_boxes(spec: Boxes, value: Any, scene: Scene) -> Strategy:  # noqa: ARG001
    return _shares(value.dtype.name, value.shape).map(_as_boxes)


def _as_points(spec: Points, shares: np.ndarray[Any, Any], shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    limits = {"x": shape[1], "y": shape[0], "z": 1, "a": 2 * math.pi, "d": 360, "s": 4}
    scale = np.array([limits[letter] for letter in spec.columns])
    # 0.98: inside, in either dtype.
    inside: np.ndarray[Any, Any] = (shares * scale * 0.98).astype(shares.dtype)
    return inside


@strategy.register
def _points(spec: Points, scene: Scene) -> Strategy:
    shape = scene.shape(spec.image)
    return _rows(spec, scene, len(spec.columns)).map(lambda shares: _as_points(spec, shares, shape))


@again.register
def _again_points(spec: Points, value: Any, scene: Scene) -> Strategy:
    shape = scene.shape(spec.image)
    return _shares(value.dtype.name, value.shape).map(lambda shares: _as_points(spec, shares, shape))
