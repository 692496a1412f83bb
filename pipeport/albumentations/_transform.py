"""What every transform of this package is: a symmetry, drawn and then applied to each target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments, _symmetries
from pipeport.albumentations._node import Drawn, Node
from pipeport.albumentations._sizes import size_of
from pipeport.albumentations._state import State


class Symmetry(Node):
    """A transform that applies one of `elements`, each with the same probability.

    Parameters
    ----------
    p : float, default 0.5
        Probability that it is applied.
    """

    elements: ClassVar[tuple[str, ...]]
    # Name of the drawn number in the reference, where there is a choice.
    parameter: ClassVar[str] = ""

    def __init__(self, p: float = 0.5) -> None:
        self.p = _arguments.probability(p)

    def always(self, forced: bool) -> bool:
        """Whether it is applied whatever is drawn: as in the reference, nothing forces what has p=0."""
        return self.p >= 1.0 or (forced and self.p > 0.0)

    def plan(self, seed: Any, forced: bool) -> Drawn:
        """Draw whether it is applied, and which element."""
        own, chosen = tf.unstack(seeds.split(seed, 2))
        params = {}
        if len(self.elements) > 1:
            params[self.parameter] = tf.cast(seeds.randint(chosen, 0, len(self.elements)), tf.int32)
        return {"applied": self.applies(own, forced), "params": params}

    def perform(self, drawn: Mapping[str, Any], state: State, forced: bool) -> State:
        """Apply the element that was drawn."""
        if self.p <= 0.0 or self.elements == ("e",):
            return state
        changes = [lambda state, element=element: _applied(element, state) for element in self.elements]
        if not self.parameter:
            return changes[0](state) if self.always(forced) else state.where(drawn["applied"], changes[0])
        # The first element is the identity: it stands for "not applied" too, and one switch does.
        index = drawn["params"][self.parameter]
        return state.switched(index if self.always(forced) else tf.where(drawn["applied"], index, 0), changes)


def _applied(element: str, state: State) -> State:
    size = size_of(state.image)
    values: dict[str, Any] = {}
    for name, kind in state.kinds.items():
        value = state.values[name]
        match kind:
            case "image" | "mask":
                values[name] = _symmetries.of_image(element, value)
            case "masks" if isinstance(value, list):
                values[name] = [_symmetries.of_image(element, part) for part in value]
            case "masks":
                values[name] = _symmetries.of_image(element, value, 1)
            case "bboxes":
                values[name] = (_symmetries.of_boxes(element, value[0]), value[1])
            case _:
                values[name] = (_symmetries.of_points(element, value[0], size), value[1])
    return state.replaced(values)
