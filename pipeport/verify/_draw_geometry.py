"""Strategies for geometry: arrays of stated sizes, matrices, lists, callables.

Half of what is drawn is structured: whole degrees and multiples of 15, centres on and between pixels,
simple fractions. There coordinates meet pixels, and one rounding decides which pixel is read.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st

from pipeport.contract import LARGE, ArrayList, Callback, Integer, Matrix, PerAxis, Real, Shaped, Spec
from pipeport.errors import OutsideDomain, explain
from pipeport.verify._require import resolve
from pipeport.verify._strategies import (
    Scene,
    Strategy,
    again,
    centres,
    contents_of,
    filled,
    half,
    number,
    sides,
    strategy,
)

Array = np.ndarray[Any, Any]
Draw = Callable[[Strategy], Any]


@strategy.register
def _shaped(spec: Shaped, scene: Scene) -> Strategy:
    if scene.large:  # a stack of images
        shapes = st.sampled_from(LARGE).map(lambda plane: (1, *plane, 2))
        return filled(spec.dtypes, shapes, spec)
    return filled(spec.dtypes, st.tuples(*(_size(size, scene) for size in spec.shape)), spec, scene.scale)


# Of a large image more positions are asked for: sizes from these on are counts of them.
_COUNT, _FIXED_COUNT = 4, 7


def _size(size: int | tuple[int, int] | str, scene: Scene) -> Strategy:
    large = scene.scale > 1
    if isinstance(size, int):
        return st.just(size * 9 if large and size >= _FIXED_COUNT else size)
    if isinstance(size, tuple):
        low, high = size
        if low == high:
            return st.just(low)
        if large and high >= _COUNT:
            return st.integers(high * 8, high * 24)
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
    count = scene.rank(spec.of) if spec.of is not None and spec.count is None else spec.count
    sizes: tuple[int, ...] = (_LONG,) * (count or 0)
    if spec.of is not None and spec.count is None:
        sizes = scene.shape(spec.of)
    every = st.tuples(*(_along(spec.spec, size, scene) for size in sizes))
    return st.one_of(strategy(spec.spec, scene), every) if spec.single else every


# An axis from this size on is one of a large image.
_LONG = 33
# Integers up to this are factors, steps, lengths of blocks; others are sizes.
_FACTOR = 4


def _along(spec: Spec, size: int, scene: Scene) -> Strategy:
    """Return the strategy of the value for one axis; of a large image sizes and shifts are large too."""
    usual = strategy(spec, scene)
    if scene.scale == 1 or size < _LONG:
        return usual
    if isinstance(spec, Integer) and spec.high > _FACTOR:
        return st.one_of(st.integers(_LONG, 260), st.integers(_LONG, 260), usual)
    if isinstance(spec, Real) and spec.low < -_FACTOR + 1:  # a shift, no factor
        low, high = spec.low * scene.scale, spec.high * scene.scale
        return st.one_of(usual, number(low, high, (0.5, 1.0)))
    return usual


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
def _matrix(spec: Matrix, scene: Scene) -> Strategy:
    drawn = st.tuples(st.sampled_from(spec.dtypes), _map_of(spec, scene))
    return drawn.map(lambda pair: pair[1].astype(pair[0]))


@again.register
def _again_matrix(spec: Matrix, value: Array, scene: Scene) -> Strategy:
    return _map_of(spec, scene).map(lambda matrix: matrix.astype(value.dtype))


@st.composite
def _map_of(draw: Draw, spec: Matrix, scene: Scene) -> Array:
    """Draw the matrix of a map of `n` axes: a linear part, an offset, and the last row of its form."""
    if spec.kind not in ("linear", "affine", "projective"):
        raise OutsideDomain(explain("kind", repr(spec.kind), "linear, affine, projective", "Choose one."))
    rows, columns = spec.rows, spec.columns
    homogeneous = rows == columns and spec.kind != "linear" and rows > 2
    n = rows - 1 if homogeneous else rows
    # Of few examples, what people do most: large images are turned about their centre.
    usual = n > 1 and scene.scale > 1 and draw(st.booleans())
    linear: Array = draw(_turned(n, usual=True) if usual else _linear(n, spec.singular))
    if columns == n:
        return linear
    matrix = np.eye(rows, columns)
    matrix[:n, :n] = linear
    matrix[:n, n] = draw(_offset(n, linear, spec.offset, scene, fixed=usual))
    if homogeneous and spec.kind == "projective":
        slope = st.sampled_from([0.0, 0.01, -0.005, 0.02, -0.013])
        # Of a large image as much perspective over the whole of it as of a tiny one.
        matrix[n, :n] = np.array(draw(st.tuples(*[slope] * n))) / scene.scale
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
        _fractions(n),
        st.integers(0, 2**32 - 1).map(lambda seed: _generic(seed, n)),
    ]
    if n > 1:
        kinds.append(_turned(n))
    if singular:
        kinds += [st.just(np.zeros((n, n))), st.integers(0, n - 1).map(lambda row: _without(n, row))]
        kinds.append(st.integers(0, 2**32 - 1).map(lambda seed: _generic(seed, n, rank=max(n - 1, 0))))
    return st.one_of(*kinds)


@st.composite
def _turned(draw: Draw, n: int, *, usual: bool = False) -> Array:
    """Draw a rotation in the plane of two axes, at times with a scale."""
    whole = st.one_of(st.integers(-11, 12).map(lambda n: 15 * n), st.integers(-180, 180)).map(math.radians)
    free = st.one_of(st.floats(-math.pi, math.pi), st.sampled_from([0.5, 1e-7]))
    angle = draw(whole if usual else half(whole, free))
    scale = draw(st.sampled_from([1.0, 1.0, 1.0, 2.0] if usual else [1.0, 1.0, 0.5, 1.25, 2.0, 1.1]))
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


@st.composite
def _fractions(draw: Draw, n: int) -> Array:
    """Draw a matrix of simple fractions that is not nearly singular."""
    parts = draw(st.sampled_from([2, 3, 4]))
    entries = draw(st.lists(st.integers(-parts - 2, parts + 2), min_size=n * n, max_size=n * n))
    matrix: Array = np.array(entries, float).reshape(n, n) / parts
    if abs(np.linalg.det(matrix)) >= _LEAST_DETERMINANT:
        return matrix
    turned = np.eye(n) + np.eye(n, k=1) / parts - np.eye(n, k=-1) / parts
    return np.asarray(turned)


# Below, a fraction of a pixel there is many pixels here.
_LEAST_DETERMINANT = 0.2


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
def _offset(
    draw: Draw, n: int, linear: Array, span: tuple[float, float], scene: Scene, *, fixed: bool
) -> Array:
    """Draw the translation: whole pixels, parts of them, anything, or what keeps a point where it is."""
    low, high = (end * scene.scale for end in span)
    one = number(low, high, (0.0, 1.0, -1.0, 0.5, 2.25))
    if not fixed and draw(st.booleans()):
        return np.array(draw(st.tuples(*[one] * n)), float)
    plane = scene.plane()
    points = st.tuples(*[number(0.0, 6.0 * scene.scale, (0.0, 2.5, 3.0))] * n)
    if plane is not None and n == 2:
        middle = st.sampled_from(centres(plane))
        points = middle if fixed else st.one_of(middle, points)
    point = np.array(draw(points), float)
    return np.asarray(point - linear @ point)
