"""What transforms of pixels are: they change images alone; masks, boxes and points stay."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from typing import Any

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._node import Drawn, Node
from pipeport.albumentations._state import State
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain


class Pixels(Node):
    """A transform of images.

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

    def drawn(self, seed: Any) -> dict[str, Any]:  # noqa: ARG002 - most draw something
        """Return the drawn parameters, by name."""
        return {}

    @abc.abstractmethod
    def changed(self, image: Any, params: Mapping[str, Any], name: str) -> Any:
        """Return an image with what was drawn done to it; `name` is its name, for messages."""

    def perform(self, drawn: Mapping[str, Any], state: State, forced: bool) -> State:
        """Change every image."""
        if self.p <= 0.0:
            return state
        images = {name: state.values[name] for name, kind in state.kinds.items() if kind == "image"}
        alone = State(images, dict.fromkeys(images, "image"))

        def change(state: State) -> State:
            each = state.values.items()
            return state.replaced({name: self.changed(one, drawn["params"], name) for name, one in each})

        if self.always(forced):
            return state.replaced(change(alone).values)
        for name, image in images.items():
            self._refuse_two_dtypes(name, image.dtype)
        return state.replaced(alone.where(drawn["applied"], change).values)

    def dtype_of(self, given: Any) -> Any:
        """Return the dtype of the result for that of an image."""
        return given

    def _refuse_two_dtypes(self, name: str, given: Any) -> None:
        made = self.dtype_of(given)
        if made != given:
            advice = f"It makes {made.name} of {given.name}, and a graph has one dtype: give p=1."
            text = f"{self.p:g} with `{name}` of {given.name}"
            raise UnsupportedArgument(explain("p", text, "0 or 1", advice))


def of_dtype(image: Any, name: str, allowed: tuple[str, ...]) -> Any:
    """Return an image whose dtype is served."""
    if image.dtype.name not in allowed:
        advice = "Cast it before the pipeline."
        raise OutsideDomain(explain(name, f"dtype {image.dtype.name}", " or ".join(allowed), advice))
    return image
