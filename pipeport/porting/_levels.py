"""Results that follow a grey level of interpolated bytes, and how far.

A native that interpolates bytes may be a grey level off. Cast, scaled and laid out anew, that level is as far
as it was scaled; behind a threshold or a sum nobody can say. So a port that differs from its original is run
again with the bytes of one such native after the other moved: all by one level, all by two, and some by one.
An element that moves by as much, by twice as much, and by all or nothing, follows one byte in proportion.
"""

from __future__ import annotations

import contextlib
import contextvars
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._making import fresh
from pipeport.contract import WithinLevels, contract_of
from pipeport.porting._values import is_array

# Takes the name of a native that may be a level off, and the bytes that it gave; gives those to go on with.
_Move = Callable[[str, Any], Any]
_move: contextvars.ContextVar[_Move | None] = contextvars.ContextVar("pipeport_move", default=None)


def passed_on(native: Any, result: Any) -> Any:
    """Return the result of a native, moved where one is asked for that may be a grey level off."""
    move = _move.get()
    if move is None or not tf.executing_eagerly() or not is_array(result) or result.dtype != np.uint8:
        return result
    return fresh(tf.constant(move(_name(native), result.numpy()))) if _is_off(native) else result


def _name(native: Any) -> str:
    """Return the name of a native; all pipelines have one."""
    contract = contract_of(native)
    return type(native).__name__ if contract is None else contract.reference


def _is_off(native: Any) -> bool:
    """Say whether a native, or a transform in a pipeline, may be a grey level off."""
    contract = contract_of(native)
    agreement = None if contract is None else contract.agreement
    if isinstance(getattr(agreement, "image", agreement), WithinLevels):
        return True
    return any(map(_is_off, getattr(native, "transforms", ())))


@contextlib.contextmanager
def _moving(move: _Move) -> Iterator[None]:
    token = _move.set(move)
    try:
        yield
    finally:
        _move.reset(token)


def _towards_the_middle(image: Any) -> Any:
    return np.where(image < 128, 1, -1).astype(np.int16)


def _by_one(image: Any) -> Any:
    return (image + _towards_the_middle(image)).astype(np.uint8)


def _by_two(image: Any) -> Any:
    return (image + 2 * _towards_the_middle(image)).astype(np.uint8)


def _some_by_one(image: Any) -> Any:
    chosen = np.random.default_rng(0).integers(0, 2, image.shape)
    return (image + chosen * _towards_the_middle(image)).astype(np.uint8)


def levels_of(run: Callable[[], Sequence[Any]]) -> list[Any] | None:
    """Return by how much a grey level of interpolated bytes moves each element of each result.

    `run`: runs the port, and gives its results as NumPy's arrays. Returns: 0 where an element does not follow
    bytes in proportion; None where a run fails, gives other shapes, or no native may be a level off.
    """
    natives: dict[str, None] = {}

    def noted(native: str, image: Any) -> Any:
        natives[native] = None
        return image

    try:
        start = _moved(run, noted)
        each = [_levels_of(native, start, run) for native in natives]
    except Exception:  # whatever the function does with other bytes
        return None
    return [sum(levels) for levels in zip(*each, strict=True)] if each else None


def _levels_of(native: str, start: list[Any], run: Callable[[], Sequence[Any]]) -> list[Any]:
    """Return by how much a grey level of what one native gives moves each element of each result."""

    def only(move: Callable[[Any], Any]) -> _Move:
        return lambda other, image: move(image) if other == native else image

    runs = [start, *(_moved(run, only(move)) for move in (_by_one, _by_two, _some_by_one))]
    if any([one.shape for one in results] != [one.shape for one in start] for results in runs):
        return [np.zeros(one.shape) for one in start]
    return [_level(*results) for results in zip(*runs, strict=True)]


def _moved(run: Callable[[], Sequence[Any]], move: _Move) -> list[Any]:
    with _moving(move):
        return list(run())


def _level(start: Any, one: Any, two: Any, some: Any) -> Any:
    if start.dtype.kind not in "iuf" or not start.size:
        return np.zeros(start.shape)
    slack = 0.0
    if start.dtype.kind == "f":
        largest = np.max(np.abs(start), where=np.isfinite(start), initial=1.0)
        # Eight roundings of float16 would hide a level of bytes that were divided by 255.
        roundings = 2 if start.dtype == np.float16 else 8
        slack = roundings * float(np.finfo(start.dtype).eps) * float(largest)
    with np.errstate(invalid="ignore"):  # infinities and NaN follow nothing
        one, two, some = (moved.astype(np.float64) - start.astype(np.float64) for moved in (one, two, some))
        in_proportion = np.abs(two - 2 * one) <= slack
        alone = (np.abs(some) <= slack) | (np.abs(some - one) <= slack)
        return np.where(in_proportion & alone & (np.abs(one) > slack), np.abs(one) + slack, 0.0)
