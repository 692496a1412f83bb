"""Transforms and compositions of albumentations that a ported function calls."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from pipeport import seeds
from pipeport._lazy import tf
from pipeport.contract import _arrays
from pipeport.porting import _tape


class Augmentation:
    """Calls a transform or composition with a seed of its place, and records what it draws.

    Parameters
    ----------
    name : str
        How it is called in words.
    node : object of pipeport.albumentations
        What is called.
    """

    def __init__(self, name: str, node: Any) -> None:
        self.name = name
        self.node = node

    def __call__(self, *args: Any, force_apply: bool = False, **data: Any) -> dict[str, Any]:
        """Augment targets given by name."""
        seed = data.pop("seed", None)
        seed = seeds.look_up(None) if seed is None else seed
        if tf.executing_eagerly():
            drawn = _arrays.call(self.name, self.node.plan, (seed, bool(force_apply)), {})
            _tape.note(self.name, {"seed": seed, "drawn": drawn}, ())
        found: dict[str, Any] = self.node(*args, force_apply=force_apply, seed=seed, **data)
        return found

    def again(self, original: Any, recorded: Mapping[str, Any], args: Any, kwargs: Any) -> Any:
        """Call what stood in the original, with the draws that were recorded.

        Parameters
        ----------
        original : object
            Of albumentations, which is copied, or of pipeport.albumentations.
        recorded : mapping
            What `__call__` noted: `seed` and `drawn`.
        args, kwargs : tuple, dict
            Its arguments.

        Returns
        -------
        dict
            The targets.
        """
        if original is self.node:
            return original(*args, seed=recorded["seed"], **kwargs)
        from pipeport.references.augmentation import drive
        from pipeport.verify._require import resolve

        driven = copy.deepcopy(original)
        drive(driven, recorded["drawn"], self.node, resolve)
        return driven(*args, **kwargs)
