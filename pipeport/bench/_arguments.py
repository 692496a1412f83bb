"""From a contract to the arguments of a case: what is fixed, and what every element carries."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pipeport._batched import always_per_element
from pipeport.bench import _drawn, _files, _photographs
from pipeport.bench._case import Case
from pipeport.bench._variants import variant_of
from pipeport.contract import (
    Array,
    ArrayFile,
    ArrayList,
    Contract,
    EncodedImage,
    Image,
    LabelOf,
    Operand,
    SeedPair,
    Spec,
)
from pipeport.errors import OutsideDomain, explain

_RANK = 3
_PART = "__"


@dataclass(frozen=True)
class Arguments:
    """The arguments of one case.

    Attributes
    ----------
    arrays : mapping of str to list
        Photographs, labels, arrays of a list (as `arrays__0`), paths: one per element.
    drawn : mapping of str to numpy.ndarray
        Parameters that differ from element to element, with a leading element axis.
    ours : mapping of str to numpy.ndarray
        The same for parameters only the native has, such as `seed`.
    fixed : mapping
        Parameters with one value for all elements.
    fixed_ours : mapping
        The same for parameters only the native has, such as `dtype`.
    """

    arrays: Mapping[str, list[Any]]
    drawn: Mapping[str, Any]
    ours: Mapping[str, Any]
    fixed: Mapping[str, Any]
    fixed_ours: Mapping[str, Any] = field(default_factory=dict)

    @property
    def shared(self) -> tuple[str, ...]:
        """Names of what every element carries and every side takes."""
        return (*self.arrays, *self.drawn)

    @property
    def ragged(self) -> bool:
        """Whether elements differ in size, so that they cannot be columns of one array."""
        columns = [*self.arrays.values(), *self.drawn.values()]
        return any(len({np.shape(value) for value in column}) > 1 for column in columns)


def gathered(element: Mapping[str, Any]) -> dict[str, Any]:
    """Return an element's values as a function takes them: the arrays of a list in a list."""
    given: dict[str, Any] = {}
    for name, value in element.items():
        if _PART in name:
            given.setdefault(name.partition(_PART)[0], []).append(value)
        else:
            given[name] = value
    return given


def accepts(contract: Contract, dtype: str) -> bool:
    """Return whether the pair's image takes that dtype."""
    for spec in contract.domain.values():
        if isinstance(spec, EncodedImage):
            return dtype == "uint8"  # what is decoded; another dtype would be a case of its own
        if isinstance(spec, (Image, Array, ArrayFile, ArrayList)):
            return dtype in spec.dtypes and _in_domain(contract, dtype)
    return False


def _in_domain(contract: Contract, dtype: str) -> bool:
    """Ask the contract itself: a library may take colours of one dtype and grey values of another."""
    if contract.valid is None:
        return True
    name, spec = next(iter(contract.domain.items()))
    if not isinstance(spec, (Image, Array)):
        return True
    colours = isinstance(spec, Image) or _RANK in spec.ranks
    given = {n: p.default for n, p in contract.signature.parameters.items() if p.default is not p.empty}
    given |= {n: s.typical for n, s in contract.domain.items() if s.typical is not None}
    try:
        return contract.valid({**given, name: np.zeros((256, 256, 3)[: 3 if colours else 2], dtype)})
    except (KeyError, TypeError, AttributeError, ValueError):
        return True  # it looks at a parameter that is drawn: the case itself will tell


def serves(contract: Contract, case: Case) -> bool:
    """Return whether a case says anything of a pair that the plain case does not.

    A reader begins the pipeline: it has no JPEG files before it, and files make no batch.
    """
    reads = any(isinstance(spec, (ArrayFile, EncodedImage)) for spec in contract.domain.values())
    first = next(iter(contract.domain.values()))
    if case.scope == "pipeline":
        return not reads and isinstance(first, (Image, Array))
    return not (reads and (case.batched or case.size is None))


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
        if (columns := _columns(name, spec, case)) is not None:
            arrays |= columns
    shapes = [np.shape(value) for value in next(iter(arrays.values()), [])]
    for name, spec in contract.domain.items():
        if name in arrays or f"{name}{_PART}0" in arrays:
            continue
        parameter = parameters.get(name)
        optional = parameter is not None and parameter.default is not parameter.empty
        if spec.per_element or (always_per_element(spec) and not (optional and spec.typical is None)):
            drawn[name] = _drawn.per_element(name, spec, shapes)
            continue
        value = _drawn.for_all(name, spec, parameter, shapes[0] if shapes else ())
        if value is not inspect.Parameter.empty:
            fixed[name] = value
    seeds = {n: spec for n, spec in contract.extra.items() if isinstance(spec, SeedPair)}
    ours = {name: _drawn.per_element(name, spec, shapes) for name, spec in seeds.items()}
    fixed_ours = {
        name: spec.typical
        for name, spec in contract.extra.items()
        if name not in seeds and spec.typical is not None
    }
    return Arguments(arrays, drawn, ours, fixed, fixed_ours)


def _columns(name: str, spec: Spec, case: Case) -> dict[str, list[Any]] | None:
    """Return the elements' arrays of an image parameter, by name; None for any other parameter."""
    if isinstance(spec, (Image, Array)):
        return {name: _images(name, spec, case)}
    if isinstance(spec, ArrayList):
        images = _images(name, spec, case)
        most = min(2, spec.counts[1])
        return {f"{name}{_PART}{part}": images[part:] + images[:part] for part in range(most)}
    if isinstance(spec, Operand):
        images = _photographs.photographs(case.size, case.dtype)
        return {name: images[1:] + images[:1]}
    if isinstance(spec, LabelOf):
        return {name: [_label(image) for image in _photographs.photographs(case.size, "uint8")]}
    if isinstance(spec, (EncodedImage, ArrayFile)):
        return {name: _files.of_case(spec, case)}
    return None


def _images(name: str, spec: Image | Array | ArrayList, case: Case) -> list[Any]:
    shape = variant_of(case.pair, case.variant).shape
    rank = _RANK if shape is None else len(shape)
    ranks = (_RANK,) if isinstance(spec, Image) and 3 in spec.channels else getattr(spec, "ranks", (2,))
    if shape is None and rank not in ranks and 2 in ranks:
        # A function of planes: the green channel stands for a grey photograph.
        return [np.ascontiguousarray(i[..., 1]) for i in _photographs.photographs(case.size, case.dtype)]
    if case.dtype not in spec.dtypes or rank not in ranks:
        raise OutsideDomain(
            explain(name, f"(H, W, 3) {case.dtype}", ", ".join(spec.dtypes), "Choose another --dtype.")
        )
    if shape is not None:
        return _photographs.volumes(shape, case.dtype)
    return _photographs.photographs(case.size, case.dtype)


def _label(image: Any) -> Any:
    """Four classes by brightness, shape (H, W, 1): a segmentation mask as people have it."""
    return (image.mean(axis=-1, keepdims=True) // 64).astype(np.uint8)
