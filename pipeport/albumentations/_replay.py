"""ReplayCompose: a pipeline that also returns its draws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipeport._lazy import tf
from pipeport.albumentations._compose import Compose
from pipeport.albumentations._compositions import BaseCompose
from pipeport.albumentations._transform import Node
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain

_ADVICE = "A draw is replayed by the pipeline that returned it: pipeline.replay(drawn, image=image)."


class ReplayCompose(Compose):
    """Apply all transforms, and return what was drawn, to be applied to other data.

    Native equivalent of `albumentations.ReplayCompose`.

    Parameters
    ----------
    transforms : sequence of transforms and compositions
        The parts, in order.
    bbox_params, keypoint_params, additional_targets, p, is_check_shapes
        As in `Compose`.
    save_key : str, default 'replay'
        Name under which the draw is returned: a nest of tensors whose structure is that of the pipeline.

    Raises
    ------
    WrongType
        A part is not a transform of this package, or `save_key` no name.
    OutsideDomain, UnsupportedArgument, tf.errors.InvalidArgumentError
        As in `Compose`.

    Notes
    -----
    Differences from the reference: the draw is a nest of tensors, which travels through a dataset; its
    `replay` is a method of the pipeline that drew, because such a nest does not tell how to build one.
    Each part has `applied`, and `params` or `transforms`. See `Compose` for the others.

    Examples
    --------
    >>> import tensorflow as tf
    >>> import pipeport.albumentations as A
    >>> pipeline = A.ReplayCompose([A.HorizontalFlip(p=0.5), A.RandomRotate90()])
    >>> left, right = tf.random.uniform([2, 6, 6, 3])
    >>> out = pipeline(image=left, seed=(1, 2))
    >>> both = pipeline.replay(out["replay"], image=right)
    """

    def __init__(
        self,
        transforms: Any,
        bbox_params: Any = None,
        keypoint_params: Any = None,
        additional_targets: Mapping[str, str] | None = None,
        p: float = 1.0,
        is_check_shapes: bool = True,
        save_key: str = "replay",
    ) -> None:
        super().__init__(transforms, bbox_params, keypoint_params, additional_targets, p, is_check_shapes)
        if not isinstance(save_key, str):
            raise WrongType(explain("save_key", repr(save_key), "a name", "Give 'replay', for example."))
        self.save_key = save_key

    def check_part(self) -> None:
        """Refuse to be part of a composition."""
        advice = "Make it the outermost one."
        raise UnsupportedArgument(explain("transforms", "a ReplayCompose", "a Compose inside it", advice))

    def run(self, data: Mapping[str, Any], seed: Any, forced: bool) -> dict[str, Any]:
        """Draw, perform, and return both results."""
        drawn = self.plan(seed, forced)
        return {**self.perform_on(data, drawn, forced), self.save_key: drawn}

    def replay(self, saved_augmentations: Any = None, **kwargs: Any) -> dict[str, Any]:
        """Apply a draw to other data.

        Parameters
        ----------
        saved_augmentations : nest of tensors
            What the pipeline returned under `save_key`.
        **kwargs : array_like
            The targets by name.

        Returns
        -------
        dict
            The same names.

        Raises
        ------
        OutsideDomain
            The draw is of another pipeline; or as in a call.
        WrongType
            It is not called on a pipeline.
        """
        if not isinstance(self, ReplayCompose):
            raise WrongType(explain("self", type(self).__name__, "a ReplayCompose", _ADVICE))
        _same_structure(self, saved_augmentations)
        drawn = tf.nest.map_structure(tf.convert_to_tensor, saved_augmentations)
        return self.perform_on(kwargs, drawn, forced=False)


def _same_structure(node: Node, drawn: Any) -> None:
    """Refuse a draw that was not returned by such a pipeline."""
    expected = tf.nest.map_structure(lambda _: 0, _skeleton(node))
    try:
        tf.nest.assert_same_structure(expected, drawn)
    except (TypeError, ValueError) as error:
        given = "the draw of another pipeline"
        raise OutsideDomain(explain("saved_augmentations", given, "that of this one", _ADVICE)) from error


def _skeleton(node: Node) -> Any:
    """Return a nest of the structure of the node's draws."""
    if isinstance(node, BaseCompose):
        return {"applied": 0, "transforms": tuple(map(_skeleton, node.transforms))}
    return node.plan(tf.zeros([2], tf.int64), False)
