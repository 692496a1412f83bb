"""The agreement of augmentations, and the specs of their targets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pipeport.contract._agreement import Agreement, Exact
from pipeport.contract._domain import Spec


@dataclass(frozen=True)
class SameAugmentation(Agreement):
    """A random transform: equal given the draw, and drawn with the reference's distribution.

    Attributes
    ----------
    image : Agreement
        How images agree, given the draw.
    mask : Agreement
        How masks do.
    points : float
        Largest difference of a coordinate of boxes (fractions of the sides) and points (pixels, radians).
    reference_parameters : str or None
        Dotted path of a function `(drawn, native, image) -> dict` that gives the reference's parameters
        for what the native drew; None where names and values are the same.
    discontinuities : str or None
        Dotted path of a function `(drawn, native, image, value, name) -> list of arrays`: what the reference
        may make of a target, `name`, where its own rounding decides between two pixels. Either is accepted.
    settings : tuple of mapping
        Constructor arguments under which the draws of both are compared.
    shape : tuple of int
        Shape of the image for which they are drawn.
    false_alarm : float
        A p-value below this fails.
    """

    image: Agreement
    mask: Agreement = field(default_factory=Exact)
    points: float = 1e-4
    reference_parameters: str | None = None
    discontinuities: str | None = None
    settings: tuple[Mapping[str, Any], ...] = ({},)
    shape: tuple[int, ...] = (32, 48, 3)
    false_alarm: float = 1e-6


@dataclass(frozen=True, kw_only=True)
class Boxes(Spec):
    """Boxes (N, 4): x_min, y_min, x_max, y_max as fractions, each with an area."""

    counts: tuple[int, int] = (0, 4)
    dtypes: tuple[str, ...] = ("float32", "float64")

    def unknown_axes(self, rank: int) -> tuple[int, ...]:  # noqa: ARG002
        """Return the axes whose size is unknown while tracing."""
        return (0,)


@dataclass(frozen=True, kw_only=True)
class Points(Spec):
    """Points (N, columns) inside the image parameter `image`.

    Attributes
    ----------
    image : str
        Name of the image parameter.
    columns : str
        What each column is: x, y, z in pixels, a an angle in radians, d one in degrees, s a scale.
    """

    image: str = "image"
    columns: str = "xyzas"
    counts: tuple[int, int] = (0, 4)
    dtypes: tuple[str, ...] = ("float32", "float64")

    def unknown_axes(self, rank: int) -> tuple[int, ...]:  # noqa: ARG002
        """Return the axes whose size is unknown while tracing."""
        return (0,)
