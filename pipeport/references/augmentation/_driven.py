"""Make a reference transform or composition do what a native drew instead of drawing itself."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

Resolve = Callable[[str], Any]


class _Decided:
    """Stands for a random generator that has decided already."""

    def __init__(self, value: float = 0.0, index: int = 0) -> None:
        self._value, self._index = value, index

    def random(self) -> float:
        return self._value

    def choice(self, *args: Any, **kwargs: Any) -> int:  # noqa: ARG002 - the generator's signature
        return self._index


def drive(reference: Any, drawn: Mapping[str, Any], native: Any, resolve: Resolve) -> None:
    """Give a reference the draw of its native.

    Parameters
    ----------
    reference : object
        A transform or composition of albumentations; changed in place.
    drawn : mapping
        What the native drew, as NumPy arrays: `applied`, and `params` or `transforms`.
    native : object
        The native, of the same structure.
    resolve : callable
        Dotted name to object.
    """
    applied = bool(drawn["applied"])
    if "transforms" not in drawn:
        convert = converter(native, resolve)
        reference.should_apply = lambda force_apply=False: applied  # noqa: ARG005
        reference.get_params = dict
        reference.get_params_dependent_on_data = lambda params, data: convert(  # noqa: ARG005
            drawn["params"], native, data["image"]
        )
        return
    flags = [bool(part["applied"]) for part in drawn["transforms"]]
    if type(reference).__name__ == "SomeOf":  # in order, and all: what is not chosen is not applied either
        times = len(flags) // max(len(reference.transforms), 1)
        reference.transforms = [copy.deepcopy(part) for part in reference.transforms for _ in range(times)]
        reference._get_idx = lambda: range(len(flags))
    if type(reference).__name__ == "OneOrOther":  # always one: which, says the flag of the first
        applied = flags[0]
    # `random() < p`: 0 is below any p but 0, 1 is below none.
    generator = _Decided(0.0 if applied else 1.0, flags.index(True) if any(flags) else 0)
    reference.py_random = reference.random_generator = generator
    for part, own, mate in zip(reference.transforms, drawn["transforms"], native.transforms, strict=True):
        drive(part, own, mate, resolve)


def converter(native: Any, resolve: Resolve) -> Callable[..., dict[str, Any]]:
    """Return the function that turns a native's parameters into the reference's."""
    from pipeport.contract import contract_of

    contract = next(filter(None, map(contract_of, type(native).__mro__)), None)
    path = getattr(getattr(contract, "agreement", None), "reference_parameters", None)
    return same_names if path is None else resolve(path)


def same_names(drawn: Mapping[str, Any], native: Any, image: Any) -> dict[str, Any]:  # noqa: ARG001
    """Return the parameters as Python values, under their own names."""
    return {name: value.item() if np.ndim(value) == 0 else np.asarray(value) for name, value in drawn.items()}
