"""The arguments of a case, from the contract: fixed values, and values per element."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeGuard

import numpy as np

from pipeport._batched import always_per_element
from pipeport.bench import _files, _photographs, _sampled, _typical
from pipeport.bench._case import DTYPES, Case
from pipeport.bench._variants import variant_of, variants_of
from pipeport.contract import (
    Array,
    ArrayFile,
    ArrayList,
    Contract,
    EncodedImage,
    Image,
    LabelOf,
    Matrix,
    Operand,
    SeedPair,
    Shaped,
    Spec,
    always,
)
from pipeport.errors import OutsideDomain, explain

_RANK = 3
_PART = "__"
# Stands for the element where a call takes nothing that differs from element to element.
ELEMENT = "element_"


@dataclass(frozen=True)
class Arguments:
    """The arguments of one case.

    `arrays`: photographs, labels, arrays of a list (as `arrays__0`), paths: one per element. `ELEMENT` where
    a pair takes none of them and draws nothing. `per_element_values`: parameters that differ from element to
    element, with a leading element axis. `ours`: the same for parameters only the native has, such as `seed`.
    `fixed`: parameters with one value for all elements. `fixed_ours`: the same for parameters only the native
    has, such as `dtype`.
    """

    arrays: Mapping[str, list[Any]]
    per_element_values: Mapping[str, Any]
    ours: Mapping[str, Any]
    fixed: Mapping[str, Any]
    fixed_ours: Mapping[str, Any] = field(default_factory=dict)

    @property
    def shared(self) -> tuple[str, ...]:
        """Names of what every element carries and every side takes."""
        return (*self.arrays, *self.per_element_values)

    @property
    def ragged(self) -> bool:
        """Whether elements differ in size, so that they cannot be columns of one array."""
        columns = [*self.arrays.values(), *self.per_element_values.values()]
        return any(len({np.shape(value) for value in column}) > 1 for column in columns)


def gathered(element: Mapping[str, Any]) -> dict[str, Any]:
    """Return an element's values as a function takes them: the arrays of a list in a list."""
    given: dict[str, Any] = {}
    for name, value in element.items():
        if _PART in name:
            given.setdefault(name.partition(_PART)[0], []).append(value)
        elif name != ELEMENT:
            given[name] = value
    return given


def _specs(contract: Contract) -> dict[str, Spec]:
    """Return the parameters' specs, and that of the image with which objects of a class are called."""
    images = {name: spec for name, spec in contract.targets.items() if isinstance(spec, Image)}
    return {**contract.domain, **images}


def takes_photographs(contract: Contract) -> bool:
    """Return whether elements hold photographs, of whatever dtype: draws and matrices do not."""
    return any(accepts(contract, dtype) for dtype in DTYPES)


def accepts(contract: Contract, dtype: str) -> bool:
    """Return whether the pair's image takes that dtype."""
    for spec in _specs(contract).values():
        if isinstance(spec, EncodedImage):
            return dtype == "uint8"  # what is decoded; another dtype would be a case of its own
        if _is_stated(spec):
            return False
        if _are_conditions(spec):
            continue
        if isinstance(spec, (Image, Array, ArrayFile, ArrayList)):
            called = bool(variants_of(contract.native, dtype))
            return called and dtype in spec.dtypes and _in_domain(contract, dtype)
    return False


def _is_stated(spec: Spec) -> TypeGuard[ArrayList]:
    """Return whether arrays of a list have one size, which no photograph has: rows of a map, for instance."""
    return isinstance(spec, ArrayList) and spec.sides[0] == spec.sides[1]


def _are_conditions(spec: Spec) -> bool:
    """Return whether a list holds masks alone: the images are those that are chosen by them."""
    return isinstance(spec, ArrayList) and spec.dtypes == ("bool",)


def _in_domain(contract: Contract, dtype: str) -> bool:
    """Ask the contract itself: a library may take colours of one dtype and grey values of another."""
    if contract.valid is None:
        return True
    name, spec = next(iter(contract.domain.items()))
    if not isinstance(spec, (Image, Array)):
        return True
    shape = variants_of(contract.native, dtype)[0].shape or (256, 256, 3)[: _photograph_rank(spec)]
    given = {n: p.default for n, p in contract.signature.parameters.items() if p.default is not p.empty}
    given |= {n: _sampled.stated(s) for n, s in contract.domain.items() if s.typical is not None}
    try:
        return contract.valid({**given, name: _photographs.convert(_ramp(shape), dtype)})
    except (KeyError, TypeError, AttributeError, ValueError):
        return True  # it looks at a parameter that is drawn: the case itself will tell


def _ramp(shape: tuple[int, ...]) -> Any:
    """Return an image that has every level."""
    return np.resize(np.arange(256, dtype=np.uint8), shape)


def _photograph_rank(spec: Image | Array | ArrayList) -> int:
    """Return the rank in which a photograph is given: as many axes as the parameter takes."""
    if isinstance(spec, Image):
        return _RANK if 3 in spec.channels else 2
    return max((rank for rank in spec.ranks if rank <= _RANK), default=max(spec.ranks))


def serves(contract: Contract, case: Case) -> bool:
    """Return whether a case says anything of a pair that the plain case does not.

    A reader begins the pipeline: it has no JPEG files before it, and files make no batch.
    """
    reads = any(isinstance(spec, (ArrayFile, EncodedImage)) for spec in contract.domain.values())
    first = next(iter(contract.domain.values()))
    if case.scope == "pipeline":
        of_rank = isinstance(first, (Image, Array)) and _photograph_rank(first) == _RANK
        return not reads and (of_rank or bool(contract.targets))
    if case.batched and any(one.engine == "batched" and one.when is always for one in contract.cannot_serve):
        return False
    return not (reads and (case.batched or case.size is None))


def arguments_for(contract: Contract, case: Case) -> Arguments:
    """Return the arguments of a case, the same on every run and machine."""
    arrays: dict[str, list[Any]] = {}
    per_element_values: dict[str, Any] = {}
    fixed: dict[str, Any] = {}
    parameters = contract.signature.parameters
    for name, spec in _specs(contract).items():
        if (columns := _columns(name, spec, case)) is not None:
            arrays |= columns
    shapes = [np.shape(value) for value in next(iter(arrays.values()), [])]
    scene = _sampled.Scene(shapes, case.size, case.dtype)
    for name, spec in contract.domain.items():
        if name in arrays or f"{name}{_PART}0" in arrays:
            continue
        parameter = parameters.get(name)
        optional = parameter is not None and parameter.default is not parameter.empty
        # Without photographs, points and matrices are what elements differ in.
        alone = not arrays and not optional and isinstance(_typical.inner(spec), (Matrix, Shaped))
        if (
            spec.per_element
            or alone
            or (always_per_element(spec) and not (optional and spec.typical is None))
        ):
            per_element_values[name] = _sampled.per_element(name, spec, scene)
            scene.per_element_shapes[name] = np.shape(per_element_values[name][0])
            continue
        value = _sampled.for_all(name, spec, parameter, scene)
        if value is not inspect.Parameter.empty:
            fixed[name] = value
    seeds: dict[str, Spec] = {n: spec for n, spec in contract.extra.items() if isinstance(spec, SeedPair)}
    if contract.targets:
        seeds["seed"] = SeedPair()
    ours = {name: _sampled.per_element(name, spec, scene) for name, spec in seeds.items()}
    fixed_ours = {
        name: spec.typical
        for name, spec in contract.extra.items()
        if name not in seeds and spec.typical is not None
    }
    if not arrays and not per_element_values:
        arrays[ELEMENT] = list(np.arange(_photographs.COUNT, dtype=np.int32))
    return Arguments(arrays, per_element_values, ours, fixed, fixed_ours)


def _columns(name: str, spec: Spec, case: Case) -> dict[str, list[Any]] | None:
    """Return the elements' arrays of an image parameter, by name; None for any other parameter."""
    if _is_stated(spec):
        parts = [f"{name}{_PART}{part}" for part in range(_count(spec))]
        return {part: _sampled.numbers(part, spec) for part in parts}
    if isinstance(spec, (Image, Array)):
        return {name: _images(name, spec, case)}
    if isinstance(spec, ArrayList):
        images = _images(name, spec, replace(case, dtype="bool") if _are_conditions(spec) else case)
        return {f"{name}{_PART}{part}": images[part:] + images[:part] for part in range(_count(spec))}
    if isinstance(spec, Operand):
        images = _photographs.photographs(case.size, case.dtype)
        return {name: images[1:] + images[:1]}
    if isinstance(spec, LabelOf):
        return {name: [_label(image) for image in _photographs.photographs(case.size, "uint8")]}
    if isinstance(spec, (EncodedImage, ArrayFile)):
        return {name: _files.of_case(spec, case)}
    return None


def _count(spec: ArrayList) -> int:
    """Return how many arrays a list is given: two, or the next number that it takes."""
    return max(spec.counts[0], min(2, spec.counts[1]))


def _images(name: str, spec: Image | Array | ArrayList, case: Case) -> list[Any]:
    variant = variant_of(case.pair, case.variant)
    shape = variant.shape
    rank = _photograph_rank(spec) if shape is None else len(shape)
    if case.dtype not in spec.dtypes:
        raise OutsideDomain(
            explain(name, f"(H, W, 3) {case.dtype}", ", ".join(spec.dtypes), "Choose another --dtype.")
        )
    if shape is not None and rank == _RANK:
        return _photographs.volumes(shape, case.dtype)
    images = _photographs.photographs(case.size if shape is None else (shape[0], shape[-1]), case.dtype)
    images = images if rank >= _RANK else [_part(image, rank) for image in images]
    return [(image > image.mean()).astype(image.dtype) for image in images] if variant.masks else images


def _part(image: Any, rank: int) -> Any:
    """Return the green channel, which stands for a grey photograph, its middle row, or a pixel of that."""
    grey = np.ascontiguousarray(image[..., 1])
    return grey if rank == 2 else grey[len(grey) // 2] if rank == 1 else grey[len(grey) // 2, 0]


def _label(image: Any) -> Any:
    """Four classes by brightness, shape (H, W, 1): a segmentation mask as people have it."""
    return (image.mean(axis=-1, keepdims=True) // 64).astype(np.uint8)
