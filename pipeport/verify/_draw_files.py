"""Strategies for files: encoded images as paths or bytes, and `.npy` files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from hypothesis import strategies as st

from pipeport.contract import ArrayFile, EncodedImage
from pipeport.verify import _files
from pipeport.verify._arrays import contents
from pipeport.verify._files import Described
from pipeport.verify._strategies import Scene, Strategy, again, sides, strategy

Draw = Callable[[Strategy], Any]

_SEEDS = st.integers(0, 2**16)
# A JPEG block is 8 pixels, with halved colours 16: sizes on both sides of them.
_SIZES = ((3, 5), (1, 1), (8, 16), (17, 9), (1, 20), (33, 18))


@strategy.register
def _encoded_image(spec: EncodedImage, scene: Scene) -> Strategy:
    @st.composite
    def image(draw: Draw) -> Any:
        kind = draw(st.sampled_from(spec.formats))
        size = draw(st.tuples(st.integers(1, 40), st.integers(1, 40)) if scene.free else _some_size())
        detail: Any = 0
        if kind == "jpeg-exif":
            detail = draw(st.integers(1, 8))
        elif kind == "broken":
            detail = draw(st.sampled_from(_files.BREAKAGES))
        return _given(spec, Described(kind, size, detail), draw(_SEEDS))

    return image()


def _some_size() -> Strategy:
    return st.sampled_from(_SIZES)


def _given(spec: EncodedImage, what: Described, seed: int) -> Any:
    """Return the image as the parameter takes it: a path, or an array of bytes."""
    if what.format == "missing":
        if spec.form == "bytes":
            return np.zeros(0, np.uint8)
        return _files.describe(str(_files.folder() / f"missing-{seed}.png"), what)
    content = _files.encoded(what, seed)
    if spec.form == "bytes":
        return np.frombuffer(content, np.uint8)
    return _files.describe(_files.file_of(content, _files.suffix_of(what.format)), what)


@again.register
def _again_encoded(spec: EncodedImage, value: Any, scene: Scene) -> Strategy:  # noqa: ARG001
    """Another file of the same format and size; encoded bytes would differ in number, so they stay."""
    what = _files.described(value) if isinstance(value, str) else None
    return st.just(value) if what is None else _SEEDS.map(lambda seed: _given(spec, what, seed))


def others(spec: EncodedImage | ArrayFile, value: Any) -> Iterator[Any]:
    """Yield values of the parameter that hold something of other sizes, channels or dtype."""
    if isinstance(spec, EncodedImage):
        for name in spec.formats:
            if name not in ("broken", "missing"):
                yield from (_given(spec, Described(name, size, 1), 1) for size in _SIZES[:4:2])
        return
    what = _files.described(value)
    for rank in spec.ranks if what is None else (len(what.size),):
        for size in (1, 3):
            array = np.zeros((size,) * rank, spec.dtypes[0] if what is None else what.format)
            yield _files.file_of(_files.array_bytes(array), ".npy")


@strategy.register
def _array_file(spec: ArrayFile, scene: Scene) -> Strategy:
    shapes = st.sampled_from(spec.ranks).flatmap(lambda rank: sides(rank, *spec.sides, scene))
    orders = st.tuples(st.booleans(), st.booleans())
    drawn = st.tuples(st.sampled_from(spec.dtypes), shapes, orders)
    return drawn.flatmap(lambda d: _array_files(Described(d[0], d[1], d[2])))


def _array_files(what: Described) -> Strategy:
    """Return the strategy of `.npy` files of one dtype, shape, byte order and memory order."""
    swapped, by_column = what.detail

    def write(array: Any) -> str:
        stored = np.asarray(array, order="F" if by_column else "C")
        if swapped:
            stored = stored.astype(stored.dtype.newbyteorder(">"), order="A")
        return _files.describe(_files.file_of(_files.array_bytes(stored), ".npy"), what)

    return contents(what.format, what.size, None, None, nan=True, inf=True).map(write)


@again.register
def _again_array_file(spec: ArrayFile, value: Any, scene: Scene) -> Strategy:
    what = _files.described(value)
    return strategy(spec, scene) if what is None else _array_files(what)
