"""The base of transforms and compositions: draw everything first, then apply it."""

from __future__ import annotations

import abc
from collections.abc import Mapping
from typing import Any, ClassVar

from pipeport import _boundary, seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._state import ROWS, State, as_given, as_worked_on, kind_of, needs_image
from pipeport.contract import _arrays
from pipeport.errors import WrongType, explain

Drawn = dict[str, Any]


class Node(abc.ABC):
    """A transform or a composition of them.

    Attributes
    ----------
    p : float
        Probability that it is applied.
    """

    p: float
    # AutoGraph's own mark for code that needs no conversion.
    autograph_info__: ClassVar[dict[str, Any]] = {}

    @abc.abstractmethod
    def always(self, forced: bool) -> bool:
        """Whether it is applied whatever is drawn."""

    @abc.abstractmethod
    def plan(self, seed: Any, forced: bool) -> Drawn:
        """Draw everything; return a nest of tensors whose structure does not depend on the draw."""

    @abc.abstractmethod
    def perform(self, drawn: Mapping[str, Any], state: State, forced: bool) -> State:
        """Do to the targets what was drawn."""

    def run(self, data: Mapping[str, Any], seed: Any, forced: bool) -> dict[str, Any]:
        """Draw and perform; boxes are fractions here, points x, y, z, angle in radians, scale."""
        targets = {name: value for name, value in data.items() if value is not None}
        needs_image(targets)
        kinds = {name: kind for name in targets if (kind := kind_of(name, {})) is not None}
        values = {name: as_worked_on(name, kind, targets[name]) for name, kind in kinds.items()}
        state = self.perform(self.plan(seed, forced), State(values, kinds), forced)
        out = dict(data)
        for name, kind in kinds.items():
            value = state.values[name]
            if kind in ROWS:
                value = as_given(name, kind, value, data[name], self.changes_count(kind))
            out[name] = value
        return out

    def changes_count(self, kind: str) -> bool:  # noqa: ARG002 - most leave as many as there are
        """Say whether boxes or points, `kind`, may come out several times, or not at all in any case."""
        return False

    def check_part(self) -> None:  # noqa: B027 - most may be part of a composition
        """Refuse to be part of a composition."""

    def interpolate_masks(self, how: int) -> None:  # noqa: B027 - most interpolate nothing
        """Interpolate masks in that way from now on."""

    def applies(self, seed: Any, forced: bool) -> Any:
        """Draw whether it is applied."""
        return tf.constant(True) if self.always(forced) else seeds.bernoulli(seed, self.p)

    def __call__(
        self, *args: Any, force_apply: bool = False, seed: Any = None, **data: Any
    ) -> dict[str, Any]:
        """Apply to targets given by name.

        Parameters
        ----------
        *args : None
            Refused: targets are given by name.
        force_apply : bool, default False
            Whether the probability of the transform or composition that is called is passed over.
        seed : array_like of int, shape (2,), or None
            The draw is a function of it: give each element its own. None takes the ambient seed
            (`pipeport.seeds.seeded_map`, `pipeport.seeds.ambient`).
        **data : array_like
            `image`, and `mask`, `masks`, `bboxes`, `keypoints`; any other name is handed through.

        Returns
        -------
        dict
            The same names.

        Raises
        ------
        WrongType
            A target is given by position, or is not an array.
        OutsideDomain
            There is no image, or a target does not have its shape.
        UnsupportedArgument
            There is no seed, or a rank or a number of columns is not known while tracing.
        """
        _boundary.warn_if_inside(f"pipeport.albumentations.{type(self).__name__}")
        given = {**data, "force_apply": force_apply, "seed": seed}
        found: dict[str, Any] = _arrays.call(
            f"albumentations.{type(self).__name__}", self._called, args, given
        )
        return found

    def _called(self, *args: Any, force_apply: bool, seed: Any, **data: Any) -> dict[str, Any]:
        if args:
            advice = "For example transform(image=image, mask=mask)."
            raise WrongType(explain("args", "targets by position", "targets by name", advice))
        if not isinstance(force_apply, (bool, int)):
            raise WrongType(explain("force_apply", repr(force_apply), "True or False", "Give a bool."))
        return self.run(data, seeds.look_up(seed), bool(force_apply))


class Transform(Node):
    """What is not a composition.

    Parameters
    ----------
    p : float
        Probability that it is applied.
    """

    def __init__(self, p: float = 0.5) -> None:
        self.p = _arguments.probability(p)

    def always(self, forced: bool) -> bool:
        """Whether it is applied whatever is drawn: as in the reference, nothing forces what has p=0."""
        return self.p >= 1.0 or (forced and self.p > 0.0)

    def plan(self, seed: Any, forced: bool) -> Drawn:
        """Draw whether it is applied, and with which parameters."""
        own, parameters = tf.unstack(seeds.split(seed, 2))
        return {"applied": self.applies(own, forced), "params": self.draw_parameters(parameters)}

    def draw_parameters(self, seed: Any) -> dict[str, Any]:  # noqa: ARG002 - some draw nothing
        """Return the drawn parameters, by name."""
        return {}
