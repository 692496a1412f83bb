"""Transforms and compositions of albumentations that a ported function calls."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from pipeport import numpy, seeds
from pipeport._lazy import tf
from pipeport.contract import _arrays
from pipeport.porting import _tape
from pipeport.porting._levels import passed_on
from pipeport.porting._values import is_array

# What else becomes of a pipeline that holds a transform without a native.
LEFT = (
    "With islands='unseeded' and an example=, `port` leaves the pipeline to Python, with draws that no seed "
    "reaches."
)


class Augmentation:
    """Calls a transform or composition with a seed of its place, and records what it draws.

    `name`: how it is called in words. `node`: what is called.
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
        data = self._as_the_reference_works(data)
        found: dict[str, Any] = self.node(*args, force_apply=force_apply, seed=seed, **data)
        return found

    def passed_on(self, result: dict[str, Any]) -> dict[str, Any]:
        """Return targets, of which images may be a grey level off; see `_levels`."""
        kinds = getattr(self.node, "additional_targets", {})
        return {
            name: passed_on(self.node, one) if kinds.get(name, name) == "image" else one
            for name, one in result.items()
        }

    def _as_the_reference_works(self, data: dict[str, Any]) -> dict[str, Any]:
        """Return targets in the dtypes in which albumentations gives them back.

        Points that come as an array have one dtype or another there, as is drawn: they keep theirs.
        """
        processors = getattr(self.node, "processors", {})
        kinds = {"bboxes": "bboxes", "keypoints": "keypoints", **getattr(self.node, "additional_targets", {})}
        fields = {field for one in processors.values() for field in one.label_fields}
        found = dict(data)
        for name, value in data.items():
            of_python, kind = isinstance(value, (list, tuple)), kinds.get(name)
            is_symbolic_list = kind in processors and (of_python or (kind == "bboxes" and is_array(value)))
            if is_symbolic_list or (name in fields and of_python and all(map(_is_pythons, value))):
                found[name] = numpy.array(value, "float64")
        return found

    def again(self, original: Any, recorded: Mapping[str, Any], args: Any, kwargs: Any) -> Any:
        """Call what stood in the original, with the draws that were recorded.

        `original`: of albumentations, which is copied, or of pipeport.albumentations. `recorded`: what
        `__call__` noted: `seed` and `drawn`. `args`, `kwargs`: its arguments. Returns: the targets.
        """
        if original is self.node:
            return original(*args, seed=recorded["seed"], **kwargs)
        from pipeport.references.augmentation import drive
        from pipeport.verify._require import resolve

        driven = copy.deepcopy(original)
        drive(driven, recorded["drawn"], self.node, resolve)
        return driven(*args, **kwargs)


def _is_pythons(value: Any) -> bool:
    return isinstance(value, (bool, int, float)) or (is_array(value) and value.weak)
