"""The base of flips and quarter turns: a drawn symmetry, applied to each target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _symmetries
from pipeport.albumentations._sizes import size_of
from pipeport.albumentations._spatial import each_target
from pipeport.albumentations._state import State
from pipeport.albumentations._transform import Transform


class Symmetry(Transform):
    """A transform that applies one of `elements`, each with the same probability."""

    elements: ClassVar[tuple[str, ...]]
    # Name of the drawn number in the reference, where there is a choice.
    parameter: ClassVar[str] = ""

    def draw_parameters(self, seed: Any) -> dict[str, Any]:
        """Return the number of the element, where there are several."""
        if len(self.elements) == 1:
            return {}
        return {self.parameter: tf.cast(seeds.randint(seed, 0, len(self.elements)), tf.int32)}

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
    return each_target(
        state,
        lambda value, _kind, batch_axes: _symmetries.of_image(element, value, batch_axes),
        lambda boxes: _symmetries.of_boxes(element, boxes, state.unfiltered),
        lambda points: _symmetries.of_points(element, points, size),
    )
