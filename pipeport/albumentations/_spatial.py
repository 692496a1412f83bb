"""The base of spatial transforms, which move every target."""

from __future__ import annotations

import abc
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pipeport.albumentations._sizes import Size, size_of
from pipeport.albumentations._state import ROWS, Rows, State
from pipeport.albumentations._transform import Transform


class Spatial(Transform):
    """A transform of all targets."""

    @abc.abstractmethod
    def geometry(self, params: Mapping[str, Any], size: Size) -> Any:
        """Return where things go in an image of that size, for the methods below."""

    @abc.abstractmethod
    def plane(self, value: Any, geometry: Any, kind: str, batch_axes: int) -> Any:
        """Return an image or a mask, or a stack of them with `batch_axes` axes before."""

    @abc.abstractmethod
    def boxes(self, boxes: Any, geometry: Any) -> Any:
        """Return boxes (N, 4): x_min, y_min, x_max, y_max as fractions."""

    def kept(self, boxes: Any, keep: Any, geometry: Any) -> Any:  # noqa: ARG002 - most drop none
        """Return which boxes are kept, given where they are now and which were kept before."""
        return keep

    def copied(self, rows: Rows, kind: str, geometry: Any) -> Rows:  # noqa: ARG002 - most make none
        """Return boxes or points with their copies, before they are moved."""
        return rows

    @abc.abstractmethod
    def points(self, points: Any, geometry: Any) -> Any:
        """Return points (N, 5): x, y, z, angle in radians, scale."""

    def perform(self, drawn: Mapping[str, Any], state: State, forced: bool) -> State:
        """Change every target."""
        if self.p <= 0.0:
            return state

        def change(state: State) -> State:
            geometry = self.geometry(drawn["params"], size_of(state.image))
            copies = {
                name: self.copied(state.values[name], kind, geometry)
                for name, kind in state.kinds.items()
                if kind in ROWS
            }
            return each_target(
                replace(state.replaced(copies), unfiltered=False),
                lambda value, kind, batch_axes: self.plane(value, geometry, kind, batch_axes),
                lambda boxes: self.boxes(boxes, geometry),
                lambda points: self.points(points, geometry),
                lambda boxes, keep: self.kept(boxes, keep, geometry),
            )

        return change(state) if self.always(forced) else state.where(drawn["applied"], change)


def each_target(
    state: State,
    plane: Callable[[Any, str, int], Any],
    boxes: Callable[[Any], Any],
    points: Callable[[Any], Any],
    kept: Callable[[Any, Any], Any] = lambda _boxes, keep: keep,
) -> State:
    """Return a state with every target changed.

    `plane`: takes an image or masks, which of the two, and how many axes stand before height and width.
    `kept`: takes boxes as they are then, and which were kept before; returns which are.
    """

    def one(kind: str, value: Any) -> Any:
        match kind:
            case "image" | "mask":
                return plane(value, kind, 0)
            case "masks" if isinstance(value, list):
                return [plane(part, "mask", 0) for part in value]
            case "masks":
                return plane(value, "mask", 1)
            case "bboxes":
                moved = boxes(value.values)
                return value._replace(values=moved, keep=kept(moved, value.keep))
            case _:
                return value._replace(values=points(value.values))

    return state.replaced({name: one(kind, state.values[name]) for name, kind in state.kinds.items()})
