"""SomeOf: several of the parts, each as often as it is chosen."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._compositions import BaseCompose, only_where
from pipeport.albumentations._state import State
from pipeport.albumentations._transform import Drawn, Node
from pipeport.errors import OutsideDomain, explain


class SomeOf(BaseCompose):
    """Apply several of the transforms, chosen with equal chances, in their order.

    Native equivalent of `albumentations.SomeOf`.

    Parameters
    ----------
    transforms : sequence of transforms and compositions
        The choices; each chosen one is applied with its own probability.
    n : int, default 1
        How many are chosen; without `replace` at most all of them.
    replace : bool, default False
        Whether one may be chosen several times.
    p : float, default 1
        Probability that any is; as in the reference nothing forces it.

    Raises
    ------
    WrongType
        A part is not a transform of this package, `n` no integer, `replace` no bool.
    OutsideDomain
        `p` is not a number in [0, 1], `n` is negative, or there is nothing to choose from.
    UnsupportedArgument
        A part is a `Compose` with settings of its own, or a `ReplayCompose`.

    Notes
    -----
    `transforms` is the list that is drawn for: with `replace` each part stands in it `n` times.

    Examples
    --------
    >>> import pipeport.albumentations as A
    >>> parts = [A.HorizontalFlip(p=1.0), A.VerticalFlip(p=1.0), A.Transpose(p=1.0)]
    >>> pipeline = A.Compose([A.SomeOf(parts, n=2)])
    """

    def __init__(self, transforms: Any, n: int = 1, replace: bool = False, p: float = 1) -> None:
        super().__init__(transforms, p)
        self.n, self.replace = _arguments.whole(n, "n"), _arguments.flag(replace, "replace")
        if self.n < 0:
            raise OutsideDomain(explain("n", repr(n), "0 or more", "Say how many transforms to choose."))
        self._choices = len(self.transforms)
        if not self._choices and (self.replace and self.n):
            raise OutsideDomain(explain("transforms", "none", "at least one", "Give what to choose from."))
        if self.replace:
            self.transforms = [part for part in self.transforms for _ in range(self.n)]
        elif self.n > self._choices:
            self.n = self._choices
            warnings.warn(f"n is larger than the number of transforms: {self.n} is taken", stacklevel=2)

    def always(self, forced: bool) -> bool:
        """Whether it is applied whatever is drawn: as in the reference nothing forces it."""
        del forced
        return self.p >= 1.0

    def plan(self, seed: Any, forced: bool) -> Drawn:
        """Draw which ones, and for every part as if it were one of them."""
        own, choose, *others = tf.unstack(seeds.split(seed, len(self.transforms) + 2))
        applied = self.applies(own, forced)
        parts = [part.plan(other, False) for part, other in zip(self.transforms, others, strict=True)]
        flags = self._chosen(choose)
        chosen = [only_where(applied & flags[index], part) for index, part in enumerate(parts)]
        return {"applied": applied, "transforms": tuple(chosen)}

    def perform(self, drawn: Mapping[str, Any], state: State, forced: bool) -> State:
        """Perform those that were drawn."""
        if self.n == self._choices and not self.replace:
            return super().perform(drawn, state, forced)
        for part, own in zip(self.transforms, drawn["transforms"], strict=True):
            if part.always(False):  # where it is chosen, that is
                state = state.where(own["applied"], _performing(part, own))
            else:
                state = part.perform(own, state, False)
            state = state if state.behind is None else state.behind(state)
        return state

    def _chosen(self, seed: Any) -> Any:
        """Return of every part whether it is chosen."""
        if not self.transforms:
            return tf.zeros([0], tf.bool)
        if not self.replace:
            return seeds.permutation(seed, self._choices) < self.n
        drawn = seeds.randint(seed, 0, self._choices, [self.n])
        each = drawn[:, tf.newaxis] == tf.range(self._choices, dtype=drawn.dtype)
        count = tf.reduce_sum(tf.cast(each, tf.int32), 0)
        return tf.reshape(tf.range(self.n) < count[:, tf.newaxis], [-1])


def _performing(part: Node, drawn: Mapping[str, Any]) -> Callable[[State], State]:
    return lambda state: part.perform(drawn, state, False)
