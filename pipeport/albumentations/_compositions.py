"""Compositions inside a pipeline: several transforms in order, one of several, one of two."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.albumentations import _arguments
from pipeport.albumentations._state import State
from pipeport.albumentations._transform import Drawn, Node
from pipeport.errors import OutsideDomain, WrongType, explain


class BaseCompose(Node):
    """What compositions have in common.

    `p`: probability that the whole is applied.
    """

    def __init__(self, transforms: Any, p: float) -> None:
        parts = [transforms] if isinstance(transforms, Node) else transforms
        if not isinstance(parts, Sequence) or not all(isinstance(part, Node) for part in parts):
            advice = "Take them from pipeport.albumentations, not from albumentations."
            raise WrongType(explain("transforms", repr(transforms), "a list of transforms", advice))
        self.transforms = list(parts)
        self.p = _arguments.probability(p)
        for part in self.transforms:
            part.check_part()

    def __iter__(self) -> Iterator[Node]:
        return iter(self.transforms)

    def __len__(self) -> int:
        return len(self.transforms)

    def __getitem__(self, item: int) -> Node:
        part: Node = self.transforms[item]
        return part

    def always(self, forced: bool) -> bool:
        """Whether it is applied whatever is drawn."""
        return forced or self.p >= 1.0

    def changes_count(self, kind: str) -> bool:
        """Say whether boxes or points may come out several times, or not at all in any case."""
        return any(part.changes_count(kind) for part in self.transforms)

    def each(self, drawn: Mapping[str, Any], state: State) -> State:
        """Perform one part after the other."""
        for part, own in zip(self.transforms, drawn["transforms"], strict=True):
            state = part.perform(own, state, False)
            state = state if state.behind is None else state.behind(state)
        return state

    def plan(self, seed: Any, forced: bool) -> Drawn:
        """Draw for every part, each from a sub-seed by its position."""
        own, *others = tf.unstack(seeds.split(seed, len(self.transforms) + 1))
        applied = self.applies(own, forced)
        parts = [part.plan(other, False) for part, other in zip(self.transforms, others, strict=True)]
        return {"applied": applied, "transforms": tuple(only_where(applied, part) for part in parts)}

    def perform(self, drawn: Mapping[str, Any], state: State, forced: bool) -> State:
        """Perform all parts, where the whole is applied."""
        if self.always(forced):
            return self.each(drawn, state)
        return state.where(drawn["applied"], lambda state: self.each(drawn, state))


def interpolate_masks(node: Node, how: int) -> None:
    """Make every part interpolate masks in one way, as the reference does: the parts are changed."""
    if isinstance(node, BaseCompose):
        for part in node.transforms:
            interpolate_masks(part, how)
    else:
        node.interpolate_masks(how)


def only_where(applied: Any, drawn: Drawn) -> Drawn:
    """Return a draw whose parts are applied only where the whole is."""
    out = {**drawn, "applied": drawn["applied"] & applied}
    if "transforms" in drawn:
        out["transforms"] = tuple(only_where(applied, part) for part in drawn["transforms"])
    return out


class Sequential(BaseCompose):
    """Apply all transforms in order, as a part of another composition.

    Native equivalent of `albumentations.Sequential`.

    Parameters
    ----------
    transforms : sequence of transforms and compositions
        The parts, in order.
    p : float, default 0.5
        Probability that all of them are applied, each with its own probability.

    Raises
    ------
    WrongType
        A part is not a transform of this package.
    OutsideDomain
        `p` is not a number in [0, 1].
    UnsupportedArgument
        A part is a `Compose` with settings of its own, or a `ReplayCompose`.

    Examples
    --------
    >>> import pipeport.albumentations as A
    >>> both = A.Sequential([A.HorizontalFlip(p=1.0), A.VerticalFlip(p=1.0)], p=0.3)
    >>> pipeline = A.Compose([both, A.RandomRotate90()])
    """

    def __init__(self, transforms: Any, p: float = 0.5) -> None:
        super().__init__(transforms, p)


class OneOf(BaseCompose):
    """Apply one of several transforms, chosen with their probabilities as weights.

    Native equivalent of `albumentations.OneOf`.

    Parameters
    ----------
    transforms : sequence of transforms and compositions
        The choices; the chosen one is applied whatever its own probability.
    p : float, default 0.5
        Probability that any is.

    Raises
    ------
    WrongType
        A part is not a transform of this package.
    OutsideDomain
        `p` is not a number in [0, 1], or all probabilities are 0.
    UnsupportedArgument
        A part is a `Compose` with settings of its own, or a `ReplayCompose`.

    Examples
    --------
    >>> import pipeport.albumentations as A
    >>> pipeline = A.Compose([A.OneOf([A.HorizontalFlip(p=0.6), A.VerticalFlip(p=0.3)], p=0.9)])
    """

    def __init__(self, transforms: Any, p: float = 0.5) -> None:
        super().__init__(transforms, p)
        weights = [part.p for part in self.transforms]
        if self.transforms and not sum(weights):
            advice = "Give one of them a probability."
            raise OutsideDomain(explain("transforms", "probabilities of 0 alone", "a positive one", advice))
        self.transforms_ps = [weight / sum(weights) for weight in weights]

    def plan(self, seed: Any, forced: bool) -> Drawn:
        """Draw which one, and for each as if it were that one."""
        if not self.transforms:
            return {"applied": tf.constant(False), "transforms": ()}
        own, choose, *others = tf.unstack(seeds.split(seed, len(self.transforms) + 2))
        applied = self.applies(own, forced)
        chosen = tf.cast(seeds.choice(choose, len(self.transforms), p=self.transforms_ps), tf.int32)
        parts = [part.plan(other, True) for part, other in zip(self.transforms, others, strict=True)]
        own_flags = [only_where(applied & (chosen == index), part) for index, part in enumerate(parts)]
        return {"applied": applied, "transforms": tuple(own_flags)}

    def perform(self, drawn: Mapping[str, Any], state: State, forced: bool) -> State:
        """Perform the one that was drawn."""
        chosen = all(part.always(True) or part.p <= 0.0 for part in self.transforms)
        return _one_performed(self, drawn, state, self.always(forced) and chosen)


def _one_performed(node: BaseCompose, drawn: Mapping[str, Any], state: State, certain: bool) -> State:
    """Perform the part whose flag is set; `certain` says that there is one."""
    if not node.transforms:
        return state
    flags = tf.stack([tf.cast(part["applied"], tf.int32) for part in drawn["transforms"]])
    changes = [
        lambda state, part=part, own=own: part.perform(own, state, True)
        for part, own in zip(node.transforms, drawn["transforms"], strict=True)
    ]
    if certain:  # without a branch for none: static sizes survive
        return state.switched(tf.argmax(flags, output_type=tf.int32), changes)
    index = tf.where(tf.reduce_any(flags > 0), tf.argmax(flags, output_type=tf.int32) + 1, 0)
    return state.switched(index, [lambda state: state, *changes])


class OneOrOther(BaseCompose):
    """Apply the first of two transforms or the second, one of them always.

    Native equivalent of `albumentations.OneOrOther`.

    Parameters
    ----------
    first, second : transform or composition, optional
        The two; each is applied whatever its own probability.
    transforms : sequence of transforms and compositions, optional
        Both in a list, instead of `first` and `second`.
    p : float, default 0.5
        Probability of the first.

    Raises
    ------
    WrongType
        A part is not a transform of this package.
    OutsideDomain
        There is neither a list nor both of the two, the list is empty, or `p` is not a number in [0, 1].
    UnsupportedArgument
        A part is a `Compose` with settings of its own, or a `ReplayCompose`.

    Notes
    -----
    Of a list of another length the first and the last are taken, with a warning, as in the reference.

    Examples
    --------
    >>> import pipeport.albumentations as A
    >>> pipeline = A.Compose([A.OneOrOther(A.HorizontalFlip(), A.VerticalFlip(), p=0.7)])
    """

    def __init__(self, first: Any = None, second: Any = None, transforms: Any = None, p: float = 0.5) -> None:
        if transforms is None:
            if first is None or second is None:
                advice = "Give both, or a list of two as `transforms`."
                raise OutsideDomain(explain("first, second", "None", "two transforms", advice))
            transforms = [first, second]
        super().__init__(transforms, p)
        if not self.transforms:
            raise OutsideDomain(explain("transforms", "none", "two", "Give what to choose from."))
        if len(self.transforms) != 2:
            text = f"transforms: got {len(self.transforms)}, of which the first and the last are taken"
            warnings.warn(text, stacklevel=2)

    def always(self, forced: bool) -> bool:
        """Whether it is applied whatever is drawn: one part or the other is."""
        del forced
        return True

    def plan(self, seed: Any, forced: bool) -> Drawn:
        """Draw which one, and for each as if it were that one."""
        del forced
        own, *others = tf.unstack(seeds.split(seed, len(self.transforms) + 1))
        first = seeds.bernoulli(own, self.p)
        flags = [tf.constant(False) for _ in self.transforms]
        flags[-1] = tf.logical_not(first)
        flags[0] = first if len(flags) > 1 else tf.constant(True)
        parts = [part.plan(other, True) for part, other in zip(self.transforms, others, strict=True)]
        chosen = [only_where(flag, part) for flag, part in zip(flags, parts, strict=True)]
        return {"applied": tf.constant(True), "transforms": tuple(chosen)}

    def perform(self, drawn: Mapping[str, Any], state: State, forced: bool) -> State:
        """Perform the one that was drawn."""
        del forced
        certain = all(self.transforms[at].always(True) for at in (0, -1))
        return _one_performed(self, drawn, state, certain)
