"""The inputs of a measurement in three forms: NumPy and Python, tensors, and specs."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Boolean, OneOf, Spec
from pipeport.errors import OutsideDomain, explain
from pipeport.verify import _mini_language, _own_inputs
from pipeport.verify._mini_specs import Interval, Number, Tensor

_FLOATS = Interval(-100, 100)


@dataclass(frozen=True)
class Inputs:
    """The inputs of a function.

    `placed`, `named`: positional arguments and those given by name: NumPy arrays where a tensor enters the
    graph, all else Python values. `unknown`: by input, the axes whose size tracing is not told.
    """

    placed: tuple[Any, ...] = ()
    named: dict[str, Any] = field(default_factory=dict)
    unknown: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def plain(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return the arguments for plain Python: a tensor without axes becomes a Python number."""
        return self._with(lambda array, _: array.item() if array.ndim == 0 else array.copy())

    def tensors(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return the arguments with tensors."""
        return self._with(lambda array, _: tf.constant(array))

    def specs(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """Return the specs for tracing."""
        return self._with(_spec)

    def described(self) -> list[str]:
        """Return each input in a few words."""
        values = [*enumerate(self.placed), *self.named.items()]
        return [f"{place}: {_form(value, self._unknown(str(place)))}" for place, value in values]

    def _unknown(self, place: str) -> tuple[int, ...]:
        return self.unknown.get(place, ())

    def _with(self, change: Callable[[Any, tuple[int, ...]], Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        def of(place: str, value: Any) -> Any:
            axes = self._unknown(place)
            return tf.nest.map_structure(lambda leaf: change(leaf, axes) if is_array(leaf) else leaf, value)

        placed = tuple(of(str(index), value) for index, value in enumerate(self.placed))
        return placed, {name: of(name, value) for name, value in self.named.items()}


def is_array(value: Any) -> bool:
    """Say whether a value enters a graph as a tensor."""
    return isinstance(value, (np.ndarray, np.generic))


def _spec(array: Any, axes: tuple[int, ...]) -> Any:
    shape = [None if axis in axes else size for axis, size in enumerate(array.shape)]
    return tf.TensorSpec(shape, array.dtype)


def _form(value: Any, axes: tuple[int, ...]) -> str:
    if not is_array(value):
        text = repr(value)
        return text if len(text) <= 60 else f"{type(value).__name__}"
    sizes = [f"{size} (unknown)" if axis in axes else str(size) for axis, size in enumerate(value.shape)]
    return f"{value.dtype}[{', '.join(sizes)}]" + (f" = {value.item()}" if value.ndim == 0 else "")


def given(values: Sequence[Any]) -> Inputs:
    """Return the inputs of a call: arrays and tensors enter the graph, other values stay Python.

    `values`: arguments; arrays and tensors may stand in lists, tuples and dictionaries.
    """

    def array(leaf: Any) -> Any:
        return np.asarray(leaf) if is_array(leaf) or isinstance(leaf, tf.Tensor) else leaf

    return Inputs(placed=tuple(tf.nest.map_structure(array, value) for value in values))


def parsed(text: str, function: Callable[..., Any] | None, seed: int) -> Inputs:
    """Draw inputs as a text says.

    `text`: in the language of `pipeport verify --input`. A named size is the largest of its range, and
    unknown while tracing; of several dtypes and choices, the first is taken; '...' stands for no axis.
    `function`: what takes them, by name where all names are its parameters, else by place.
    """
    specs = _mini_language.parse(text)
    generator = np.random.default_rng(seed)
    values = {name: _drawn(spec, generator) for name, spec in specs.items()}
    unknown = {
        name: spec.unknown_axes(np.ndim(values[name]))
        for name, spec in specs.items()
        if isinstance(spec, Tensor)
    }
    parameters = None if function is None else _own_inputs.parameters_of(function)
    known = {parameter.name for parameter in parameters or () if parameter.kind not in _BY_PLACE_ALONE}
    if parameters is None or set(values) <= known:
        return Inputs(named=values, unknown=unknown)
    places = {name: str(index) for index, name in enumerate(values)}
    return Inputs(
        placed=tuple(values.values()), unknown={places[name]: axes for name, axes in unknown.items()}
    )


def example_of(text: str, function: Callable[..., Any]) -> tuple[Any, ...]:
    """Return one example of what a function takes, by place; see `parsed`."""
    inputs = parsed(text, function, 0)
    check_call(function, inputs)
    bound = inspect.signature(function).bind(*inputs.placed, **inputs.named)
    return bound.args


_BY_PLACE_ALONE = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.VAR_POSITIONAL)


def check_call(function: Callable[..., Any], inputs: Inputs) -> None:
    """Refuse inputs that the function does not take."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):  # some builtins
        return
    try:
        signature.bind(*inputs.placed, **inputs.named)
    except TypeError as error:
        name = getattr(function, "__name__", type(function).__name__)
        shown = ", ".join(inputs.described()) or "no inputs"
        advice = f"Give one input for each parameter ({error})."
        raise OutsideDomain(explain("inputs", shown, f"what {name}{signature} takes", advice)) from error


def _drawn(spec: Spec, generator: np.random.Generator) -> Any:
    if isinstance(spec, Tensor):
        return _array(spec, generator)
    if isinstance(spec, Number):
        low, high = _ends(spec.interval, whole=spec.kind == "int")
        return int(generator.integers(low, high + 1)) if spec.kind == "int" else generator.uniform(low, high)
    if isinstance(spec, Boolean):
        return True
    if isinstance(spec, OneOf):
        return next(iter(spec.values))
    raise TypeError(f"no value is drawn from {type(spec).__name__}")


def _array(spec: Tensor, generator: np.random.Generator) -> np.ndarray[Any, Any]:
    dtype, shape = np.dtype(spec.dtypes[0]), tuple(size.high for size in spec.sizes)
    if dtype.kind == "b":
        return generator.random(shape) < 0.5 if shape else np.asarray(True)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        low, high = _ends(spec.interval, whole=True) if spec.interval else (int(limits.min), int(limits.max))
        return np.asarray(generator.integers(low, high, shape, dtype=dtype, endpoint=True))
    low, high = _ends(spec.interval or _FLOATS, whole=False)
    array = np.asarray(generator.uniform(low, high, shape)).astype(dtype)
    specials = [value for value, wanted in ((math.nan, spec.nan), (math.inf, spec.inf)) if wanted]
    array.reshape(-1)[: len(specials)] = specials[: array.size]
    return array


def _ends(interval: Interval, *, whole: bool) -> tuple[Any, Any]:
    """Return the smallest and largest number of a range; open ends of floats are one step inside."""
    if whole:
        low = math.floor(interval.low) + 1 if interval.open_low else math.ceil(interval.low)
        high = math.ceil(interval.high) - 1 if interval.open_high else math.floor(interval.high)
        return low, high
    low_float = np.nextafter(interval.low, math.inf) if interval.open_low else interval.low
    high_float = np.nextafter(interval.high, -math.inf) if interval.open_high else interval.high
    return float(low_float), float(high_float)
