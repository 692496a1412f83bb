"""Strategies for arrays: images, labels, and other contents for any of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from pipeport.contract import Array, ArrayList, Image, LabelOf, Operand, Shaped
from pipeport.verify._strategies import Scene, Strategy, again, contents_of, filled, number, sides, strategy


@again.register(Image)
@again.register(Array)
@again.register(LabelOf)
@again.register(Shaped)
def _again_array(spec: Any, value: Any, scene: Scene) -> Strategy:  # noqa: ARG001
    return contents_of(spec, value.dtype.name, value.shape)


@again.register
def _again_list(spec: ArrayList, value: Any, scene: Scene) -> Strategy:  # noqa: ARG001
    return st.tuples(*(contents_of(spec, part.dtype.name, part.shape) for part in value)).map(list)


@strategy.register
def _image(spec: Image, scene: Scene) -> Strategy:
    channels = st.sampled_from([() if c is None else (c,) for c in spec.channels])
    plane = sides(2, *spec.sides, scene)
    return filled(spec.dtypes, st.tuples(plane, channels).map(lambda d: d[0] + d[1]), spec)


@strategy.register
def _array(spec: Array, scene: Scene) -> Strategy:
    ranks = [rank for rank in spec.ranks if rank > 1] if scene.large else spec.ranks
    shapes = st.sampled_from(ranks).flatmap(lambda rank: sides(rank, *spec.sides, scene))
    return filled(spec.dtypes, shapes, spec)


@strategy.register
def _label(spec: LabelOf, scene: Scene) -> Strategy:
    plane = np.shape(scene.drawn[spec.image])[:2]
    rest = st.sampled_from(spec.ranks).flatmap(lambda rank: sides(rank - 2, 1, 3, scene))
    return filled(spec.dtypes, rest.map(lambda r: plane + r), spec)


@strategy.register
def _operand(spec: Operand, scene: Scene) -> Strategy:
    image = scene.drawn[spec.image]
    same = contents_of(spec, image.dtype.name, image.shape)
    if spec.numbers is None:
        return same
    one = number(*spec.numbers, (0.0, 1.0, 2.5, -1.0, 255.0))
    return st.one_of(same, one, st.lists(one, min_size=1, max_size=spec.channels).map(tuple))


@again.register
def _again_operand(spec: Operand, value: Any, scene: Scene) -> Strategy:  # noqa: ARG001
    return contents_of(spec, value.dtype.name, value.shape)
