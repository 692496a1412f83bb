"""What transforms of places are: they change every target, each in its own way."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from typing import Any

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._node import Drawn, Node
from pipeport.albumentations._sizes import Size, size_of
from pipeport.albumentations._state import State


class Spatial(Node):
    """A transform of all targets.

    Parameters
    ----------
    p : float
        Probability that it is applied.
    """

    def __init__(self, p: float) -> None:
        self.p = _arguments.probability(p)

    def always(self, forced: bool) -> bool:
        """Whether it is applied whatever is drawn: as in the reference, nothing forces what has p=0."""
        return self.p >= 1.0 or (forced and self.p > 0.0)

    def plan(self, seed: Any, forced: bool) -> Drawn:
        """Draw whether it is applied, and with which parameters."""
        own, parameters = tf.unstack(seeds.split(seed, 2))
        return {"applied": self.applies(own, forced), "params": self.drawn(parameters)}

    def drawn(self, seed: Any) -> dict[str, Any]:  # noqa: ARG002 - some draw nothing
        """Return the drawn parameters, by name."""
        return {}

    @abc.abstractmethod
    def placed(self, params: Mapping[str, Any], size: Size) -> Any:
        """Return where things go in an image of that size, for the methods below."""

    @abc.abstractmethod
    def plane(self, value: Any, where: Any, kind: str, lead: int) -> Any:
        """Return an image or a mask, or a stack of them with `lead` axes before."""

    @abc.abstractmethod
    def boxes(self, boxes: Any, where: Any) -> Any:
        """Return boxes (N, 4): x_min, y_min, x_max, y_max as fractions."""

    @abc.abstractmethod
    def points(self, points: Any, where: Any) -> Any:
        """Return points (N, 5): x, y, z, angle in radians, scale."""

    def perform(self, drawn: Mapping[str, Any], state: State, forced: bool) -> State:
        """Change every target."""
        if self.p <= 0.0:
            return state

        def change(state: State) -> State:
            where = self.placed(drawn["params"], size_of(state.image))
            return state.replaced({name: self._one(name, state, where) for name in state.kinds})

        return change(state) if self.always(forced) else state.where(drawn["applied"], change)

    def _one(self, name: str, state: State, where: Any) -> Any:
        kind, value = state.kinds[name], state.values[name]
        match kind:
            case "image" | "mask":
                return self.plane(value, where, kind, 0)
            case "masks" if isinstance(value, list):
                return [self.plane(part, where, "mask", 0) for part in value]
            case "masks":
                return self.plane(value, where, "mask", 1)
            case "bboxes":
                return self.boxes(value[0], where), value[1]
            case _:
                return self.points(value[0], where), value[1]
