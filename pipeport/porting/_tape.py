"""Draws of ported functions, recorded to be handed out again to their originals."""

from __future__ import annotations

import contextlib
import contextvars
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pipeport._lazy import tf
from pipeport.porting._values import is_array


@dataclass(frozen=True)
class Place:
    """Stands for a symbolic element of a list of strings or functions, which the original takes from its own.

    `number`: its place.
    """

    number: int


_tape: contextvars.ContextVar[list[tuple[str, Any]] | None] = contextvars.ContextVar(
    "pipeport_tape", default=None
)


@contextlib.contextmanager
def recorded() -> Iterator[list[tuple[str, Any]]]:
    """Note every draw of ported functions that run eagerly in the `with` block.

    Yields
    ------
    list of (str, object)
        Name and value of each, as NumPy and Python have them.
    """
    tape: list[tuple[str, Any]] = []
    token = _tape.set(tape)
    try:
        yield tape
    finally:
        _tape.reset(token)


def note(name: str, result: Any, args: tuple[Any, ...]) -> None:
    """Note a draw, where draws are recorded; of one that changes its argument, the argument."""
    tape = _tape.get()
    if tape is not None and tf.executing_eagerly():
        tape.append((name, _as_numpy(args[0] if result is None and args else result)))


def _as_numpy(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return type(value)(_as_numpy(one) for one in value)
    if isinstance(value, dict):
        return {name: _as_numpy(one) for name, one in value.items()}
    if is_array(value):
        found = value.numpy()
        if value.weak:
            return found.item()
        return found[()] if found.ndim == 0 else found.copy()
    return value.numpy() if isinstance(value, tf.Tensor) else value
