"""One call of every native, derived from its contract: no list of pairs is kept here."""

from __future__ import annotations

import atexit
import contextlib
import dataclasses
import functools
import importlib.util
import inspect
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from pipeport import catalog, config
from pipeport import contract as c
from pipeport._batched import always_per_element
from pipeport.bench._typical import value as value_of
from pipeport.verify._require import resolve

# Larger than any typical pad width, so that it is typical of images.
SIDES = (32, 48, 3)
# An image whose size is drawn is square: each draw has one shape then, and elements make a batch.
SQUARE = (32, 32, 3)
ROWS = (c.Boxes, c.Points)
DATA = (c.Image, c.Array, c.LabelOf, c.Operand)
# Stands for the element where a call takes nothing but Python values.
ELEMENT = "element_"
# An array of a list, as `arrays__0`: everything that maps names to arrays then holds lists too.
PART = "__"


def reference_of(contract: c.Contract) -> Any:
    """Import the reference; an ImportError says that this environment does not have it."""
    return resolve(contract.reference)


def in_addons() -> bool:
    """Whether this is the environment with TensorFlow Addons, and the older libraries it needs."""
    return importlib.util.find_spec("tensorflow_addons") is not None


def here() -> list[c.Contract]:
    """Return the pairs whose reference this environment must be able to import.

    TensorFlow Addons can be imported in its own environment alone; every other reference must be
    importable everywhere the suite runs, so that a missing one fails instead of skipping.
    """
    return [pair for pair in catalog.pairs().values() if pair.environment == "main" or in_addons()]


@dataclass(frozen=True, eq=False)
class Call:
    """Arguments of one call: `data` varies per element, `options` are Python values."""

    contract: c.Contract
    data: Mapping[str, np.ndarray]
    options: Mapping[str, Any]
    tensors: Mapping[str, np.ndarray] = field(default_factory=dict)

    def __call__(self, **data: Any) -> Any:
        """Run the native on `data`, which may be given as tensors; of an object, give what is read of it."""
        given: dict[str, Any] = {}
        for name, value in data.items():
            if PART in name:
                given.setdefault(name.partition(PART)[0], []).append(value)
            elif name != ELEMENT:
                given[name] = value
        result = self._called({**given, **self.options})
        if self.contract.compared is None:
            return result
        read = resolve(self.contract.compared[0])(result)
        return tf.nest.map_structure(tf.convert_to_tensor, read)

    def _called(self, given: dict[str, Any]) -> Any:
        """Call the native; of a class whose objects are called, one of them."""
        if not self.contract.targets:
            return self.contract.function(**given)
        parameters = {*self.contract.domain, *self.contract.refused} & set(given)
        # Equalize has a `mask` of its own, which it refuses: data are targets.
        parameters -= set(self.data) - set(self.options)
        made = {name: given.pop(name) for name in parameters}
        return self.contract.function(**made)(**given)

    def free_axes(self, name: str) -> tuple[int, ...]:
        """Return the axes of a datum whose size may be unknown: the first two, but not columns."""
        spec = self.contract.targets.get(name)
        return (0,) if isinstance(spec, ROWS) else tuple(range(min(self.data[name].ndim, 2)))

    def without_splines(self) -> Call:
        """Return a call of order 1 where there is one: splines take long to trace."""
        order = self.contract.domain.get("order")
        linear = isinstance(order, c.OneOf) and 1 in order.values
        return dataclasses.replace(self, options={**self.options, "order": 1}) if linear else self

    @property
    def reads_files(self) -> bool:
        """Whether sizes are found in a file when the graph runs."""
        return any(isinstance(spec, (c.ArrayFile, c.EncodedImage)) for spec in self.contract.domain.values())

    @property
    def elements(self) -> dict[str, np.ndarray]:
        """Everything that can be a tensor."""
        return {**self.data, **self.tensors} or {ELEMENT: np.zeros((), np.int32)}

    def batch(self, count: int) -> dict[str, np.ndarray]:
        """Return `count` different elements stacked along a leading axis."""
        files = [name for name, spec in self.contract.domain.items() if isinstance(spec, c.EncodedImage)]
        rolled = {
            name: [np.roll(value, 0 if name in files else n) for n in range(count)]
            for name, value in self.data.items()
        }
        return {
            k: np.stack(rolled[k]) if k in rolled else np.stack([v] * count) for k, v in self.elements.items()
        }


@contextlib.contextmanager
def run_once() -> Iterator[None]:
    """Compile nothing, and leave graphs as they were traced: for those that are run a single time."""
    before = tf.config.optimizer.get_experimental_options()
    tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": True})
    try:
        with config.use_jit("never"):
            yield
    finally:
        tf.config.optimizer.set_experimental_options({"disable_meta_optimizer": False, **before})


def _array(name: str, shape: tuple[int, ...], dtypes: tuple[str, ...], wanted: str) -> np.ndarray:
    dtype = np.dtype(wanted if wanted in dtypes else dtypes[0])
    random = np.random.default_rng(sum(map(ord, name)))
    if dtype.kind == "f":
        return random.random(shape).astype(dtype)
    return random.integers(0, 2 if dtype.kind == "b" else 100, shape).astype(dtype)


def _shape(spec: c.Spec, sides: tuple[int, ...] = SIDES) -> tuple[int, ...]:
    if isinstance(spec, c.Image):
        channels = 3 if 3 in spec.channels else spec.channels[0]
        return sides[:2] if channels is None else (*sides[:2], channels)
    assert isinstance(spec, (c.Array, c.ArrayList, c.LabelOf))
    if isinstance(spec, c.ArrayList) and spec.sides[0] == spec.sides[1]:
        return spec.sides[:1] * max(spec.ranks)
    return sides if 3 in spec.ranks else (*sides, 2, 2, 2)[: max(spec.ranks)]


def _rows(spec: c.Boxes | c.Points) -> np.ndarray:
    """Return two boxes, or two points inside the image."""
    if isinstance(spec, c.Boxes):
        return np.array([[0.1, 0.2, 0.5, 0.9], [0.0, 0.25, 1.0, 0.5]], spec.dtypes[0])
    return np.arange(2 * len(spec.columns), dtype=spec.dtypes[0]).reshape(2, -1) / 2


def _stated(name: str, spec: c.Shaped, data: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return an array of stated sizes: what the spec calls typical, else values of its range."""
    if isinstance(spec.typical, str):
        return np.asarray(resolve(spec.typical)(next((one.shape for one in data.values()), ()), 0))
    if spec.typical is not None:
        return np.asarray(spec.typical, spec.dtypes[0])
    shape = []
    for size in spec.shape:
        if isinstance(size, str):
            of, _, part = size.partition(".")
            array = data.get(of, data.get(f"{of}{PART}0"))
            assert array is not None, f"{name}: no array {of}"
            shape.append(array.ndim if part == "ndim" else array.shape[int(part)])
        else:
            shape.append(size if isinstance(size, int) else size[1])
    low, high = spec.values
    values = low + (high - low) * np.random.default_rng(sum(map(ord, name))).random(shape)
    return values.astype(spec.dtypes[0])


def _matrix(spec: c.Matrix) -> np.ndarray:
    """Return a map that turns the first two axes a little and shifts them."""
    if spec.typical is not None:
        return np.asarray(spec.typical, spec.dtypes[0])
    matrix = np.eye(spec.rows, spec.columns)
    if spec.rows > 1:
        matrix[:2, :2] = [[0.8, -0.6], [0.6, 0.8]]
    if spec.kind != "linear" and spec.columns > 2:
        matrix[:2, -1] = 2.0, 1.0
    return matrix.astype(spec.dtypes[0])


@functools.cache
def _folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="pipeport-tests-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _file(spec: c.Spec) -> Any:
    """Return a path, or bytes, of a small file; no reference library writes it."""
    if isinstance(spec, c.ArrayFile):
        path = _folder() / "array.npy"
        dtype = spec.typical or ("float32" if "float32" in spec.dtypes else spec.dtypes[0])
        shape = SIDES if 3 in spec.ranks else SIDES[: max(spec.ranks)]
        np.save(path, _array("file", shape, (dtype,), dtype))
        return str(path)
    assert isinstance(spec, c.EncodedImage)
    image = _array("file", SIDES, ("uint8",), "float32")
    jpeg = "png" not in spec.formats
    encoded = (tf.io.encode_jpeg if jpeg else tf.io.encode_png)(image).numpy()
    if spec.form == "bytes":
        return np.frombuffer(encoded, np.uint8)
    path = _folder() / ("image.jpg" if jpeg else "image.png")
    path.write_bytes(encoded)
    return str(path)


def _value(spec: c.Spec, data: Mapping[str, np.ndarray], name: str) -> Any:
    """Return the typical value of a spec, or some value of one that names none."""
    match spec:
        case c.Maybe():
            return _value(spec.spec, data, name) if spec.typical is None else spec.typical
        case c.Shaped():
            return _stated(name, spec, data)
        case c.Matrix():
            return _matrix(spec)
        case c.EncodedImage() | c.ArrayFile():
            return _file(spec)
        case c.Callback():
            return resolve(spec.typical or spec.examples[0])
    rank = np.ndim(data[spec.of]) if isinstance(spec, c.PerAxis) and spec.of else 0
    return value_of(spec, rank)


def typical(contract: c.Contract, *, tensors: bool = False) -> Call:
    """Return one call of the native: in float32, or in bytes where its domain has no such image.

    Parameters
    ----------
    contract : Contract
        The pair.
    tensors : bool
        Whether parameters that may be tensors are put among the data.
    """
    # Pillow has colour images of bytes alone.
    dtypes = ("uint8",) if contract.reference.startswith("PIL.") else ("float32", "uint8")
    for wanted in dtypes:
        call = _typical(contract, tensors, wanted)
        if call is not None:
            return call
    raise AssertionError(f"{contract.native}: not in the domain")


def _typical(contract: c.Contract, tensors: bool, wanted: str) -> Call | None:
    parameters = contract.signature.parameters
    data: dict[str, np.ndarray] = {}
    options: dict[str, Any] = {}
    as_tensors: dict[str, np.ndarray] = {}
    ours = {
        name: spec
        for name, spec in contract.extra.items()
        if isinstance(spec, c.SeedPair) or spec.typical is not None
    }
    sides = SQUARE if contract.targets else SIDES
    ours |= {"seed": c.SeedPair(tensor=True)} if contract.targets else {}
    for name, spec in {**contract.domain, **contract.targets, **ours}.items():
        inner = spec.spec if isinstance(spec, c.Maybe) else spec
        if isinstance(spec, DATA):
            if isinstance(spec, c.Operand):
                like = data[spec.image]
                data[name] = _array(name, like.shape, (like.dtype.name,), wanted)
            else:
                data[name] = _array(name, _shape(spec, sides), spec.dtypes, wanted)
        elif isinstance(spec, ROWS):
            data[name] = _rows(spec)
        elif isinstance(spec, c.ArrayList):
            for index in range(spec.counts[1]):
                data[f"{name}{PART}{index}"] = _array(f"{name}{index}", _shape(spec), spec.dtypes, wanted)
    for name, spec in {**contract.domain, **ours}.items():
        inner = spec.spec if isinstance(spec, c.Maybe) else spec
        if isinstance(spec, (*DATA, c.ArrayList)):
            continue
        required = name in parameters and parameters[name].default is inspect.Parameter.empty
        may = spec.tensor or inner.tensor or (isinstance(inner, c.PerAxis) and inner.spec.tensor)
        if not (required or spec.typical is not None or name in ours or (tensors and may)):
            continue
        value = _value(spec, data, name)
        if always_per_element(spec):
            data[name] = value
        elif tensors and may and value is not None:
            as_tensors[name] = _as_tensor(value)
        else:
            options[name] = value
    call = Call(contract, data, options, as_tensors)
    lists = {name.partition(PART)[0] for name in data if PART in name}
    parts = {name: [v for k, v in data.items() if k.startswith(name + PART)] for name in lists}
    values = {name: value.item() if value.ndim == 0 else value for name, value in as_tensors.items()}
    everything = {**data, **options, **values, **parts}
    return call if contract.valid is None or contract.valid(everything) else None


def _as_tensor(value: Any) -> np.ndarray:
    array = np.asarray(value)
    if isinstance(value, np.ndarray) or array.dtype.kind == "U":
        return array
    return array.astype({"f": np.float32, "b": np.bool_}.get(array.dtype.kind, np.int32))


def parametrized() -> list[str]:
    """Return the names of the pairs of this environment, for `pytest.mark.parametrize`."""
    return [contract.native for contract in here()]
