"""One call of every native, derived from its contract: no list of pairs is kept here."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pipeport import catalog
from pipeport import contract as c

# Larger than any typical pad width, so that it is typical of images.
SIDES = (20, 33, 3)
DATA = (c.Image, c.Array, c.LabelOf)


def reference_of(contract: c.Contract) -> Any:
    """Import the reference; an ImportError says that this environment does not have it."""
    return resolve(contract.reference)


def resolve(dotted: str) -> Any:
    """Return the object of that dotted name."""
    parts = dotted.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        name = ".".join(parts[:cut])
        try:
            found: Any = importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name is None or not name.startswith(error.name):
                raise
            continue
        for part in parts[cut:]:
            found = getattr(found, part)
        return found
    raise ModuleNotFoundError(f"No module named {parts[0]!r}", name=parts[0])


def here() -> list[c.Contract]:
    """Return the pairs whose reference this environment must be able to import.

    TensorFlow Addons can be imported in its own environment alone; every other reference must be
    importable everywhere the suite runs, so that a missing one fails instead of skipping.
    """
    present = importlib.util.find_spec("tensorflow_addons") is not None
    return [pair for pair in catalog.pairs().values() if pair.environment == "main" or present]


@dataclass(frozen=True, eq=False)
class Call:
    """Arguments of one call: `data` varies per element, `options` are Python values."""

    contract: c.Contract
    data: Mapping[str, np.ndarray]
    options: Mapping[str, Any]
    tensors: Mapping[str, np.ndarray] = field(default_factory=dict)

    def __call__(self, **data: Any) -> Any:
        """Run the native on `data`, which may be given as tensors."""
        return self.contract.function(**data, **self.options)

    @property
    def elements(self) -> dict[str, np.ndarray]:
        """Everything that can be a tensor."""
        return {**self.data, **self.tensors}

    def batch(self, count: int) -> dict[str, np.ndarray]:
        """Return `count` different elements stacked along a leading axis."""
        rolled = {k: [np.roll(v, n) for n in range(count)] for k, v in self.data.items()}
        return {k: np.stack(v) for k, v in rolled.items()} | {
            k: np.stack([v] * count) for k, v in self.tensors.items()
        }


def _array(name: str, shape: tuple[int, ...], dtypes: tuple[str, ...]) -> np.ndarray:
    dtype = np.dtype("float32" if "float32" in dtypes else dtypes[0])
    random = np.random.default_rng(sum(map(ord, name)))
    if dtype.kind == "f":
        return random.random(shape).astype(dtype)
    return random.integers(0, 2 if dtype.kind == "b" else 100, shape).astype(dtype)


def _shape(spec: c.Spec) -> tuple[int, ...]:
    if isinstance(spec, c.Image):
        channels = 3 if 3 in spec.channels else spec.channels[0]
        return SIDES[:2] if channels is None else (*SIDES[:2], channels)
    assert isinstance(spec, (c.Array, c.LabelOf))
    return SIDES if 3 in spec.ranks else (*SIDES, 2, 2, 2)[: max(spec.ranks)]


def _value(spec: c.Spec) -> Any:
    """Return some value of a spec that names no typical one."""
    match spec:
        case c.Maybe():
            return _value(spec.spec) if spec.typical is None else spec.typical
        case _ if spec.typical is not None:
            return spec.typical
        case c.Real() | c.Integer():
            return type(spec.low)((spec.low + 2 * spec.high) / 3)
        case c.Boolean():
            return True
        case c.OneOf():
            return spec.values[-1]
        case c.Point():
            return (spec.low + (spec.high - spec.low) / 3, spec.low + (spec.high - spec.low) / 2)
        case c.Axes():
            return 0 if spec.single else tuple(range(spec.count or 1))
        case c.Permutation():
            return (1, 0, 2)
        case c.Shifts():
            return 2
        case c.PadWidths():
            return ((1, 2), (2, 1), (0, 1))
        case c.PadValues():
            return 1
        case c.SeedPair():
            return (7, 11)
        case _:
            raise NotImplementedError(f"no value for {type(spec).__name__}: add it to {__name__}")


def typical(contract: c.Contract, *, tensors: bool = False) -> Call:
    """Return one call of the native.

    Parameters
    ----------
    contract : Contract
        The pair.
    tensors : bool
        Whether parameters that may be tensors are put among the data.
    """
    parameters = contract.signature.parameters
    data: dict[str, np.ndarray] = {}
    options: dict[str, Any] = {}
    as_tensors: dict[str, np.ndarray] = {}
    seeds = {name: spec for name, spec in contract.extra.items() if isinstance(spec, c.SeedPair)}
    for name, spec in {**contract.domain, **seeds}.items():
        inner = spec.spec if isinstance(spec, c.Maybe) else spec
        if isinstance(spec, DATA):
            data[name] = _array(name, _shape(spec), spec.dtypes)
            continue
        required = name in parameters and parameters[name].default is inspect.Parameter.empty
        if not (required or spec.typical is not None or name in seeds or (tensors and inner.tensor)):
            continue
        value = _value(spec)
        if tensors and (spec.tensor or inner.tensor):
            array = np.asarray(value)
            as_tensors[name] = array.astype(np.float32) if array.dtype.kind == "f" else array.astype(np.int32)
        else:
            options[name] = value
    call = Call(contract, data, options, as_tensors)
    everything = {**data, **options, **as_tensors}
    assert contract.valid is None or contract.valid(everything), f"{contract.native}: not in the domain"
    return call


def parametrized() -> list[str]:
    """Return the names of the pairs of this environment, for `pytest.mark.parametrize`."""
    return [contract.native for contract in here()]
