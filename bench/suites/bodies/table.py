"""A body: a function as people write it, what it is called with, and what must become of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Body:
    """One row of the table.

    Attributes
    ----------
    function : callable
        As it would be given to `tf.numpy_function`.
    inputs : tuple of tuples
        Sets of arguments: NumPy arrays, strings as bytes, dictionaries of these.
    name : str
        Of the test; the function's own where it is left out.
    known : tuple
        Axes of each argument whose size must be known while tracing; all others are left unknown.
    sized : bool
        Whether all sizes must be known while tracing.
    static : tuple or None
        Static shape of each result where the sizes of the arguments are unknown; None asks for no more than
        one that agrees with the result.
    example : bool
        Whether `port` needs an example: what a file holds decides the number of axes.
    levels : int
        By how many grey levels results of integers may differ.
    relative : float
        By how much results of floats may differ, relative to the largest.
    refused : str or None
        Words of the refusal, as a regular expression.
    why : str
        The reason, for people.
    when : str
        When it is refused: 'port', or 'call' where only its values tell.
    """

    function: Callable[..., Any]
    inputs: tuple[tuple[Any, ...], ...]
    name: str = ""
    known: tuple[tuple[int, ...], ...] = ()
    sized: bool = False
    static: tuple[Any, ...] | None = None
    example: bool = False
    levels: int = 0
    relative: float = 1e-5
    refused: str | None = None
    why: str = ""
    when: str = "port"

    def ported(self) -> Any:
        """Return the port, as people would ask for it."""
        from pipeport import port

        return port(self.function, example=self.inputs[0]) if self.example else port(self.function)

    @property
    def called(self) -> str:
        """Name of the test."""
        return self.name or self.function.__name__


def image(height: int, width: int, channels: int | None = 3, dtype: str = "uint8") -> np.ndarray:
    """Return an image with slopes, edges and noise; floats lie between 0 and 1."""
    rng = np.random.default_rng(height * 1000 + width)
    y, x = np.mgrid[0:height, 0:width]
    plane = (
        60 + 120 * y / height + 50 * ((x // max(width // 5, 1)) % 2) + rng.integers(0, 25, (height, width))
    )
    planes = plane if channels is None else plane[..., np.newaxis] - 15 * np.arange(channels)
    if np.dtype(dtype).kind == "f":
        return (planes / 255).astype(dtype)
    return planes.astype(dtype)


def both(*sizes: tuple[int, ...], **options: Any) -> tuple[tuple[np.ndarray], ...]:
    """Return an image of each size as sets of one argument."""
    return tuple((image(*size, **options),) for size in sizes)


SMALL, LARGE = (9, 13), (96, 72)
