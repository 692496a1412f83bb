"""Strategies for the specs of the mini-language."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import strategies as st

from pipeport.verify import _files
from pipeport.verify._arrays import contents
from pipeport.verify._mini_specs import File, Number, Size, Tensor, Text
from pipeport.verify._strategies import Scene, Strategy, strategy

_LEADING = "..."


def _range_of(size: Size, scene: Scene) -> Strategy:
    if scene.free or size.high - size.low < 4:
        return st.integers(size.low, size.high)
    # Where every shape costs a trace, four sizes of the range are enough.
    middle = (size.low + size.high) // 2
    return st.sampled_from([size.low + 1, size.low, middle, size.high])


@st.composite
def _shape(draw: Any, spec: Tensor, scene: Scene) -> tuple[int, ...]:
    """Draw sizes; a name that was drawn before keeps its size."""
    shape: list[int] = []
    if spec.leading:
        for key in [f"{_LEADING}{axis}" for axis in range(_count(draw, scene))]:
            if key not in scene.sizes:
                scene.sizes[key] = draw(st.integers(1, 3))
            shape.append(scene.sizes[key])
    for size in spec.sizes:
        if size.name is None:
            shape.append(size.low)
            continue
        if size.name not in scene.sizes:
            scene.sizes[size.name] = draw(_range_of(size, scene))
        shape.append(scene.sizes[size.name])
    return tuple(shape)


def _count(draw: Any, scene: Scene) -> int:
    if _LEADING not in scene.sizes:
        scene.sizes[_LEADING] = draw(st.integers(0, 2))
    return scene.sizes[_LEADING]


@strategy.register
def _tensor(spec: Tensor, scene: Scene) -> Strategy:
    ends = spec.interval

    def fill(drawn: tuple[str, tuple[int, ...]]) -> Strategy:
        dtype, shape = drawn
        return contents(
            dtype,
            shape,
            None if ends is None else ends.low,
            None if ends is None else ends.high,
            nan=spec.nan,
            inf=spec.inf,
            open_low=ends is not None and ends.open_low,
            open_high=ends is not None and ends.open_high,
        )

    return st.tuples(st.sampled_from(spec.dtypes), _shape(spec, scene)).flatmap(fill)


@strategy.register
def _number(spec: Number, scene: Scene) -> Strategy:  # noqa: ARG001
    ends = spec.interval
    if spec.kind == "int":
        low = math.floor(ends.low) + 1 if ends.open_low else math.ceil(ends.low)
        high = math.ceil(ends.high) - 1 if ends.open_high else math.floor(ends.high)
        return st.integers(low, high)
    plain = st.floats(
        ends.low, ends.high, exclude_min=ends.open_low, exclude_max=ends.open_high, allow_subnormal=False
    )
    known = [v for v in (0.0, 1.0, 0.5, float(ends.low), float(ends.high)) if _inside(v, spec)]
    return st.one_of(st.sampled_from(known), plain) if known else plain


def _inside(value: float, spec: Number) -> bool:
    ends = spec.interval
    above = value > ends.low if ends.open_low else value >= ends.low
    return above and (value < ends.high if ends.open_high else value <= ends.high)


# As parts of paths and names have them.
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCXYZ0123456789_-./ "


@strategy.register
def _text(spec: Text, scene: Scene) -> Strategy:  # noqa: ARG001
    """Draw bytes, as a `tf.numpy_function` gets strings."""
    drawn = st.sampled_from(spec.choices) if spec.choices else st.text(_LETTERS, max_size=20)
    return drawn.map(str.encode)


@strategy.register
def _file(spec: File, scene: Scene) -> Strategy:
    if spec.holds is None:
        words = st.lists(st.text(_LETTERS, min_size=1, max_size=12), min_size=1, max_size=8)
        return words.map(lambda lines: _files.written(spec.format, "\n".join(lines) + "\n").encode())
    return strategy(spec.holds, scene).map(lambda array: _files.written(spec.format, array).encode())
