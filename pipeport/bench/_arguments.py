"""From a contract to the arguments of a case: what is fixed, and what every element carries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeport.bench import _photographs
from pipeport.bench._case import Case
from pipeport.contract import (
    Array,
    Boolean,
    Contract,
    Image,
    Integer,
    LabelOf,
    Maybe,
    Point,
    Real,
    SeedPair,
    Spec,
)
from pipeport.errors import OutsideDomain, explain

_SEED = 2_718_281
_RANK = 3


@dataclass(frozen=True)
class Arguments:
    """The arguments of one case.

    Attributes
    ----------
    arrays : mapping of str to list of numpy.ndarray
        Photographs and labels, one per element.
    drawn : mapping of str to numpy.ndarray
        Parameters that differ from element to element, with a leading element axis.
    ours : mapping of str to numpy.ndarray
        The same for parameters only the native has, such as `seed`.
    fixed : mapping
        Parameters with one value for all elements.
    """

    arrays: Mapping[str, list[Any]]
    drawn: Mapping[str, Any]
    ours: Mapping[str, Any]
    fixed: Mapping[str, Any]

    @property
    def shared(self) -> tuple[str, ...]:
        """Names of what every element carries and every side takes."""
        return (*self.arrays, *self.drawn)


def accepts(contract: Contract, dtype: str) -> bool:
    """Return whether the pair's image takes that dtype."""
    first = next(iter(contract.domain.values()))
    return dtype in getattr(first, "dtypes", ())


def arguments_for(contract: Contract, case: Case) -> Arguments:
    """Return the arguments of a case, the same on every run and machine.

    Raises
    ------
    OutsideDomain
        The contract gives a required parameter no typical value, or does not take
        photographs of that dtype.
    """
    arrays: dict[str, list[Any]] = {}
    drawn: dict[str, Any] = {}
    fixed: dict[str, Any] = {}
    parameters = contract.signature.parameters
    for name, spec in contract.domain.items():
        if isinstance(spec, (Image, Array)):
            arrays[name] = _images(name, spec, case)
        elif isinstance(spec, LabelOf):
            arrays[name] = [_label(image) for image in _photographs.photographs(case.size, "uint8")]
        elif spec.per_element:
            drawn[name] = _draw(name, spec)
        elif spec.typical is not None:
            fixed[name] = spec.typical
        elif name in parameters and parameters[name].default is parameters[name].empty:
            raise OutsideDomain(
                explain(
                    f"domain[{name!r}] of {contract.native}",
                    "no typical value",
                    "a value the bench can use",
                    "Give its spec `typical=...`, or set bench=False.",
                )
            )
    ours = {n: _draw(n, spec) for n, spec in contract.extra.items() if isinstance(spec, SeedPair)}
    return Arguments(arrays, drawn, ours, fixed)


def _images(name: str, spec: Image | Array, case: Case) -> list[Any]:
    ranks = spec.ranks if isinstance(spec, Array) else (_RANK,) if 3 in spec.channels else ()
    if case.dtype not in spec.dtypes or _RANK not in ranks:
        raise OutsideDomain(
            explain(name, f"(H, W, 3) {case.dtype}", ", ".join(spec.dtypes), "Choose another --dtype.")
        )
    return _photographs.photographs(case.size, case.dtype)


def _label(image: Any) -> Any:
    """Four classes by brightness, shape (H, W, 1): a segmentation mask as people have it."""
    return (image.mean(axis=-1, keepdims=True) // 64).astype(np.uint8)


def _draw(name: str, spec: Spec) -> Any:
    """Draw one value per element from a generator fixed by the parameter's name."""
    generator = np.random.default_rng([_SEED, *name.encode()])
    inner = spec.spec if isinstance(spec, Maybe) else spec
    count = _photographs.COUNT
    if isinstance(inner, SeedPair):
        return generator.integers(0, 2**31 - 1, (count, 2), dtype=np.int32)
    if isinstance(inner, Point):
        return generator.uniform(inner.low, inner.high, (count, 2)).astype(np.float32)
    if isinstance(inner, Real):
        return generator.uniform(inner.low, inner.high, count).astype(np.float32)
    if isinstance(inner, Integer):
        return generator.integers(inner.low, inner.high, count, dtype=np.int32, endpoint=True)
    if isinstance(inner, Boolean):
        return generator.integers(0, 2, count).astype(bool)
    raise OutsideDomain(
        explain(
            f"parameter {name}",
            f"per_element=True on {type(inner).__name__}",
            "Real, Integer, Boolean, Point, SeedPair",
            "Give it one typical value instead.",
        )
    )
