"""Whole examples for one pair and engine: arguments, tensor forms, batches, traces."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from hypothesis import strategies as st

from pipeport._lazy import tf
from pipeport.contract import OneOf, PadValues, Point, Real, SeedPair, Spec
from pipeport.verify._call import Call, Trace, inner, unknown_axes
from pipeport.verify._pair import Pair
from pipeport.verify._strategies import Scene, in_order, strategy

Draw = Callable[[st.SearchStrategy[Any]], Any]

_TRACES: dict[str, tuple[Trace, ...]] = {
    "eager": ("eager",),
    "graph": ("static", "unknown"),
    "xla": ("static", "unknown"),
    "dataset": ("static", "unknown"),
    "batched": ("eager", "static", "unknown"),
}


def examples(pair: Pair, engine: str) -> st.SearchStrategy[Call]:
    """Return the strategy of all examples of a case.

    Parameters
    ----------
    pair : Pair
        What is verified.
    engine : str
        One of `pipeport.contract.ENGINES`.

    Returns
    -------
    SearchStrategy
        Of `Call`: inside the domain, under no declared difference, served by the engine.
    """
    return _call(pair, engine).filter(lambda call: admissible(pair, engine, call))


def admissible(pair: Pair, engine: str, call: Call) -> bool:
    """Return whether an example belongs to the domain and falls under no exemption."""
    exempt = [c for c in pair.cannot_serve if c.engine == engine]
    # Predicates look at NaN and extremes too; what NumPy says about those is of no interest.
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for element in call.elements:
            arguments = pair.complete(element)
            if pair.valid is not None and not pair.valid(arguments):
                return False
            if any(difference.applies(arguments) for difference in pair.differences):
                return False
        return not (exempt and any(c.when(as_given(pair, call)) for c in exempt))


def as_given(pair: Pair, call: Call) -> dict[str, Any]:
    """Return the complete arguments of the first element as the native gets them, tensors included."""
    tensors = {name: tf.constant(call.value_as_input(name, call.arguments[name])) for name in call.tensors}
    return pair.complete({**call.arguments, **tensors})


@st.composite
def _call(draw: Draw, pair: Pair, engine: str) -> Call:
    specs = in_order(pair.specs)
    scene = Scene(free=engine == "eager")
    first: dict[str, Any] = {}
    tensors: dict[str, str] = {}
    for name, spec in specs:
        known = pair.complete(first)
        if name in pair.optional and not draw(st.booleans()):
            continue  # left to its default, as most calls do
        value = draw(strategy(spec, Scene(known, scene.free, scene.sizes)))
        dtypes = tensor_dtypes(spec, value, first)
        if dtypes and draw(st.booleans()):
            tensors[name] = draw(st.sampled_from(dtypes))
            value = _rounded(value, tensors[name])
        first[name] = value
    elements, shared_not = [first], frozenset[str]()
    if engine == "batched":
        shared_not = frozenset(
            name
            for name, spec in specs
            if name in tensors and _may_vary(spec, first[name]) and draw(st.booleans())
        )
        elements += [
            _another(draw, specs, first, tensors, shared_not, scene.sizes)
            for _ in range(draw(st.integers(0, 2)))
        ]
    trace = draw(st.sampled_from(_TRACES[engine]))
    arrays = {n: np.ndim(v) for n, v in first.items() if isinstance(v, np.ndarray)}
    return Call(
        elements=tuple(elements),
        tensors=tensors,
        per_element=shared_not,
        trace=trace,
        unknown={name: unknown_axes(pair.specs[name], rank) for name, rank in arrays.items()},
    )


def tensor_dtypes(spec: Spec, value: Any, drawn: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the dtypes in which a value may be passed as a tensor; none when it may not."""
    kind = inner(spec)
    if value is None or isinstance(value, (str, np.ndarray)) or not (spec.tensor or kind.tensor):
        return ()
    if isinstance(kind, SeedPair):
        return ("int32",)
    if isinstance(kind, PadValues):
        return (str(drawn[kind.of].dtype),)
    if isinstance(kind, (Real, Point)):
        return ("float32", "float64")
    try:
        found = np.asarray(value).dtype.kind
    except ValueError:  # a ragged form has no tensor
        return ()
    if isinstance(kind, OneOf) and found not in "bif":
        return ()
    # An empty tuple is float64 to NumPy, and holds axes or shifts all the same.
    if not np.size(value):
        return ("int32",)
    return {"b": ("bool",), "f": ("float32", "float64")}.get(found, ("int32", "int64"))


def _rounded(value: Any, dtype: str) -> Any:
    """Return the Python value the tensor really holds, which is what the reference gets."""
    held = np.asarray(value, dtype).tolist()
    return tuple(held) if isinstance(value, tuple) and np.ndim(value) == 1 else held


def _may_vary(spec: Spec, value: Any) -> bool:
    return np.ndim(value) == inner(spec).element_rank


def _another(
    draw: Draw,
    specs: list[tuple[str, Spec]],
    first: Mapping[str, Any],
    tensors: Mapping[str, str],
    per_element: frozenset[str],
    sizes: dict[str, int],
) -> dict[str, Any]:
    """Draw a further element: arrays of the same shape and dtype, other values."""
    other: dict[str, Any] = {}
    for name, spec in specs:
        if name not in first:
            continue
        value = first[name]
        if isinstance(value, np.ndarray):
            other[name] = _reordered(value, draw(st.integers(0, 2**16)))
        elif name in per_element:
            drawn = draw(strategy(spec, Scene({**first, **other}, free=False, sizes=sizes)))
            # Another form than the first element's cannot be stacked with it.
            same = drawn is not None and np.shape(drawn) == np.shape(value)
            other[name] = _rounded(drawn, tensors[name]) if same else value
        else:
            other[name] = value
    return other


def _reordered(like: np.ndarray[Any, Any], seed: int) -> np.ndarray[Any, Any]:
    """Return the same pixels in another order: of the same dtype, shape and range."""
    order = np.random.default_rng(seed).permutation(like.size)
    mixed: np.ndarray[Any, Any] = like.reshape(-1)[order].reshape(like.shape)
    return mixed
