"""Strategies for what geometry takes: arrays of stated sizes, matrices, lists, callables."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st

from pipeport.contract import ArrayList, Callback, Matrix, PerAxis, Shaped
from pipeport.errors import OutsideDomain, explain
from pipeport.verify._require import resolve
from pipeport.verify._strategies import Scene, Strategy, again, contents_of, filled, number, sides, strategy

Array = np.ndarray[Any, Any]
Draw = Callable[[Strategy], Any]


@strategy.register
def _shaped(spec: Shaped, scene: Scene) -> Strategy:
    return filled(spec.dtypes, st.tuples(*(_size(size, scene) for size in spec.shape)), spec)


def _size(size: int | tuple[int, int] | str, scene: Scene) -> Strategy:
    if isinstance(size, int):
        return st.just(size)
    if isinstance(size, tuple):
        low, high = size
        if scene.free or high - low < 4:
            return st.integers(low, high)
        # Each size costs a trace: four of them are enough.
        return st.sampled_from([low + 1, low, (low + high) // 2, high])
    name, _, part = size.partition(".")
    shape = scene.shape(name)
    if part == "ndim":
        return st.just(len(shape))
    # An axis the array does not have (of channels, in a 2-D image) leaves nothing to draw.
    return st.just(shape[int(part)]) if int(part) < len(shape) else st.nothing()


@strategy.register
def _per_axis(spec: PerAxis, scene: Scene) -> Strategy:
    if spec.count is None and spec.of is None:
        advice = "Name the array in `of`, or state `count`."
        raise OutsideDomain(explain("PerAxis", "neither of nor count", "one of them", advice))
    one = strategy(spec.spec, scene)
    count = scene.rank(spec.of) if spec.of is not None and spec.count is None else spec.count
    every = st.tuples(*[one] * (count or 0))
    return st.one_of(one, every) if spec.single else every


@strategy.register
def _callback(spec: Callback, scene: Scene) -> Strategy:  # noqa: ARG001
    return st.sampled_from(spec.examples).map(resolve)


@strategy.register
def _array_list(spec: ArrayList, scene: Scene) -> Strategy:
    shapes = st.sampled_from(spec.ranks).flatmap(lambda rank: sides(rank, *spec.sides, scene))

    @st.composite
    def arrays(draw: Draw) -> list[Array]:
        shape, dtype = draw(shapes), draw(st.sampled_from(spec.dtypes))
        count = draw(st.integers(*spec.counts))
        along = None
        if spec.axis is not None and shape and draw(st.booleans()):
            # Where they are joined, as a rule; elsewhere both sides must refuse.
            joined = scene.drawn.get(spec.axis, 0)
            known = isinstance(joined, int) and -len(shape) <= joined < len(shape)
            usual = st.just(joined % len(shape) if known else 0)
            along = draw(st.one_of(usual, usual, usual, st.integers(0, len(shape) - 1)))
        low, high = spec.sides
        each = []
        for _ in range(count):
            own = list(shape)
            if along is not None:
                own[along] = draw(st.integers(low, min(high, low + 3)))
            each.append(draw(contents_of(spec, dtype, tuple(own))))
        return each

    return arrays()


@strategy.register
def _matrix(spec: Matrix, scene: Scene) -> Strategy:  # noqa: ARG001
    return st.tuples(st.sampled_from(spec.dtypes), _map_of(spec)).map(lambda drawn: drawn[1].astype(drawn[0]))


@again.register
def _again_matrix(spec: Matrix, value: Array, scene: Scene) -> Strategy:  # noqa: ARG001
    return _map_of(spec).map(lambda matrix: matrix.astype(value.dtype))


@st.composite
def _map_of(draw: Draw, spec: Matrix) -> Array:
    """Draw the matrix of a map of `n` axes: a linear part, an offset, and the last row of its form."""
    if spec.kind not in ("linear", "affine", "projective"):
        raise OutsideDomain(explain("kind", repr(spec.kind), "linear, affine, projective", "Choose one."))
    rows, columns = spec.rows, spec.columns
    homogeneous = rows == columns and spec.kind != "linear" and rows > 2
    n = rows - 1 if homogeneous else rows
    linear: Array = draw(_linear(n, spec.singular))
    if columns == n:
        return linear
    matrix = np.eye(rows, columns)
    matrix[:n, :n] = linear
    matrix[:n, n] = draw(_offset(n, linear, spec.offset))
    if homogeneous and spec.kind == "projective":
        slope = st.sampled_from([0.0, 0.01, -0.005, 0.02, -0.013])
        matrix[n, :n] = draw(st.tuples(*[slope] * n))
    return matrix


def _linear(n: int, singular: bool) -> Strategy:
    """Return a strategy of linear parts, from the identity to what no one foresees."""
    identity = np.eye(n)
    kinds: list[Strategy] = [
        st.just(identity),
        st.tuples(*[st.sampled_from([1.0, -1.0])] * n).map(np.diag),
        st.tuples(st.permutations(range(n)), st.tuples(*[st.sampled_from([1.0, -1.0])] * n)).map(
            lambda drawn: np.asarray(identity[drawn[0]] * np.array(drawn[1]))
        ),
        st.tuples(*[number(0.2, 3.0, (1.0, 0.5, 2.0, 1.5))] * n).map(np.diag),
        _sheared(n),
        st.integers(0, 2**32 - 1).map(lambda seed: _generic(seed, n)),
    ]
    if n > 1:
        kinds.append(_turned(n))
    if singular:
        kinds += [st.just(np.zeros((n, n))), st.integers(0, n - 1).map(lambda row: _without(n, row))]
        kinds.append(st.integers(0, 2**32 - 1).map(lambda seed: _generic(seed, n, rank=max(n - 1, 0))))
    return st.one_of(*kinds)


@st.composite
def _turned(draw: Draw, n: int) -> Array:
    """Draw a rotation in the plane of two axes, at times with a scale."""
    angle = draw(number(-math.pi, math.pi, (0.5, math.pi / 6, math.pi / 4, math.pi / 2, 1e-7)))
    scale = draw(st.sampled_from([1.0, 1.0, 0.5, 1.25, 2.0]))
    first, second = draw(st.permutations(range(n)))[:2]
    matrix = np.eye(n)
    cosine, sine = scale * math.cos(angle), scale * math.sin(angle)
    matrix[first, first], matrix[first, second] = cosine, -sine
    matrix[second, first], matrix[second, second] = sine, cosine
    return matrix


@st.composite
def _sheared(draw: Draw, n: int) -> Array:
    matrix = np.eye(n)
    if n > 1:
        row, column = draw(st.permutations(range(n)))[:2]
        matrix[row, column] = draw(number(-1.5, 1.5, (0.5, -0.25, 1.0)))
    return matrix


def _generic(seed: int, n: int, rank: int | None = None) -> Array:
    """Return a matrix with singular values between 0.4 and 2.5, the last ones zero beyond `rank`."""
    generator = np.random.default_rng(seed)
    left, _ = np.linalg.qr(generator.standard_normal((n, n)))
    right, _ = np.linalg.qr(generator.standard_normal((n, n)))
    values = generator.uniform(0.4, 2.5, n)
    if rank is not None:
        values[rank:] = 0
    return np.asarray(left * values @ right)


def _without(n: int, row: int) -> Array:
    matrix = np.eye(n)
    matrix[row] = 0
    return matrix


@st.composite
def _offset(draw: Draw, n: int, linear: Array, span: tuple[float, float]) -> Array:
    """Draw the translation: none, whole pixels, halves, anything, or what keeps a point where it is."""
    low, high = span
    one = number(low, high, (0.0, 1.0, -1.0, 0.5, 2.25))
    if draw(st.booleans()):
        return np.array(draw(st.tuples(*[one] * n)), float)
    point = np.array(draw(st.tuples(*[number(0.0, 6.0, (0.0, 2.5, 3.0))] * n)), float)
    return np.asarray(point - linear @ point)
