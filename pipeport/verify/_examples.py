"""Whole examples for one pair and engine: arguments, tensor forms, batches, traces.

An example is one call: values for every parameter, and for each the form in which it is given. What
a graph is traced for (Python values, dtypes, shapes, what is a tensor) is an example's *signature*.
Where each signature costs a trace, many examples are drawn of few signatures, each with data of its
own: `signature_of` tells them apart, `examples_like` draws further ones.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from hypothesis import strategies as st

from pipeport._batched import always_per_element, element_rank
from pipeport._lazy import tf
from pipeport.contract import (
    ArrayFile,
    EncodedImage,
    Matrix,
    OneOf,
    PadValues,
    PerAxis,
    Point,
    Real,
    SeedPair,
    Shaped,
    Spec,
    large_image,
)
from pipeport.verify import (  # noqa: F401 - they register strategies
    _draw_arrays,
    _draw_augmentation,
    _draw_axes,
    _draw_files,
    _draw_geometry,
    _draw_values,
)
from pipeport.verify._example import Example, Trace, inner, is_data, unknown_axes
from pipeport.verify._mini_specs import File, Text
from pipeport.verify._pair import Pair
from pipeport.verify._strategies import Scene, again, in_order, same_form, strategy

Draw = Callable[[st.SearchStrategy[Any]], Any]

# Longest side of most tiny images.
TINY = 12

_TRACES: dict[str, tuple[Trace, ...]] = {
    "eager": ("eager",),
    "graph": ("static", "unknown"),
    "xla": ("static", "unknown"),
    "dataset": ("static", "unknown"),
    "batched": ("eager", "static", "unknown"),
}


def examples(pair: Pair, engine: str, *, large: bool = False) -> st.SearchStrategy[Example]:
    """Return the strategy of all examples of a case.

    `large`: whether the pair's image, `contract.large_image`, is of a common size. Returns: of `Example`:
    inside the domain, under no declared difference, served by the engine.
    """
    name = large_image(pair.specs, pair.agreement) if large else None
    return _call(pair, engine, name).filter(lambda call: admissible(pair, engine, call))


def examples_like(pair: Pair, engine: str, calls: Sequence[Example]) -> st.SearchStrategy[Example]:
    """Return the strategy of examples with the signatures of these calls, and data of their own.

    `calls`: one per signature, the simplest first: a failure shrinks towards it. Returns: of `Example`: new
    contents for every array, new values for every tensor, all else as it was.
    """
    drawn = st.sampled_from(calls).flatmap(lambda call: _with_other_data(pair, call))
    return drawn.filter(lambda call: admissible(pair, engine, call))


def admissible(pair: Pair, engine: str, call: Example) -> bool:
    """Return whether an example belongs to the domain and falls under no exemption."""
    if engine == "batched" and not call.per_element:
        return False  # nothing that says how many elements the batch has
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


def as_given(pair: Pair, call: Example) -> dict[str, Any]:
    """Return the complete arguments of the first element as the native gets them.

    Parameters given as tensors are tensors; images are NumPy arrays, for predicates to look into.
    """
    given = {name for name in call.arguments if call.enters(name)}
    parameters = {name for name in given if not always_per_element(pair.specs[name])}
    tensors = {n: tf.constant(call.value_as_input(n, call.arguments[n])) for n in parameters}
    return pair.complete({**call.arguments, **tensors})


def signature_of(call: Example) -> tuple[Any, ...]:
    """Return the key of a call's trace; calls with one key share it."""
    inputs = [
        (name, [(np.shape(part), part.dtype.str) for part in (value if isinstance(value, list) else [value])])
        for name, value in call.inputs().items()
    ]
    per_element = tuple(sorted(call.per_element))
    return (repr(inputs), repr(call.static()), call.trace, per_element, len(call.elements))


@st.composite
def _call(draw: Draw, pair: Pair, engine: str, large: str | None) -> Example:
    specs = in_order(pair.specs)
    scale = 1.0
    scene = Scene(free=engine == "eager")
    first: dict[str, Any] = {}
    tensors: dict[str, str] = {}
    constants: set[str] = set()
    for name, spec in specs:
        known = pair.complete(first)
        if name in pair.optional and not draw(st.booleans()):
            continue  # left to its default, as most calls do
        now = Scene(known, scene.free, scene.sizes, large=name == large, scale=scale)
        value = draw(strategy(spec, now))
        if now.large:
            scale = max(value.shape) / TINY
        dtypes = tensor_dtypes(spec, value, first)
        if dtypes and (isinstance(spec, (File, Text)) or draw(st.booleans())):
            tensors[name] = draw(st.sampled_from(dtypes))
            value = _rounded(value, tensors[name])
        if _may_be_constant(spec, value) and (not _takes_tensors(spec) or draw(st.integers(0, 3)) == 3):
            constants.add(name)
        first[name] = value
    call = Example(
        elements=(first,),
        tensors=tensors,
        constants=frozenset(constants),
        trace=draw(st.sampled_from(_TRACES[engine])),
        unknown={
            name: unknown_axes(pair.specs[name], np.ndim(value[0] if isinstance(value, list) else value))
            for name, value in first.items()
            if is_data(value)
        },
    )
    return _batch_of(draw, pair, call, specs, scene) if engine == "batched" else call


def _batch_of(draw: Draw, pair: Pair, call: Example, specs: list[tuple[str, Spec]], scene: Scene) -> Example:
    """Return a call of one to three elements: images vary, and of the tensors those that are chosen."""
    first = call.arguments
    inputs = [(name, spec) for name, spec in specs if name in first and call.enters(name)]
    always = {name for name, spec in inputs if always_per_element(spec)}
    may = [n for n, spec in inputs if n not in always and _may_vary(spec, first[n])]
    varying = [n for n in may if draw(st.booleans())]
    per_element = frozenset(always | set(varying or ([] if always else may[:1])))
    batch = Example(**{**vars(call), "per_element": per_element})
    others = [_element(draw, pair, batch, scene.sizes) for _ in range(draw(st.integers(0, 2)))]
    return Example(**{**vars(batch), "elements": (first, *others)})


@st.composite
def _with_other_data(draw: Draw, pair: Pair, call: Example) -> Example:
    """Draw a call of the same signature: what enters the graph is new."""
    first = _element(draw, pair, call, {}, shared=True)
    new = Example(**{**vars(call), "elements": (first,)})
    others = [_element(draw, pair, new, {}) for _ in call.elements[1:]]
    return Example(**{**vars(new), "elements": (first, *others)})


def _element(
    draw: Draw, pair: Pair, call: Example, sizes: dict[str, int], *, shared: bool = False
) -> dict[str, Any]:
    """Draw one more element: other values of the same form for what varies, or for every input."""
    other: dict[str, Any] = {}
    for name, spec in in_order(pair.specs):
        if name not in call.arguments:
            continue
        other[name] = value = call.arguments[name]
        if not call.enters(name) or not (shared or name in call.per_element):
            continue
        known = pair.complete({**call.arguments, **other})
        drawn = draw(again(spec, value, Scene(known, free=False, sizes=sizes)))
        if name in call.tensors:
            rounded = _rounded(drawn, call.tensors[name])
            drawn = rounded if same_form(rounded, value) else value
        other[name] = drawn
    return other


def tensor_dtypes(spec: Spec, value: Any, drawn: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the dtypes in which a Python value may be passed as a tensor; none when it may not."""
    kind = inner(spec)
    if isinstance(spec, (File, Text)):
        return ("string",)
    if value is None or callable(value) or is_data(value) or not _takes_tensors(spec):
        return ()
    if isinstance(kind, (EncodedImage, ArrayFile)):
        return ("string",)
    if isinstance(kind, SeedPair):
        return ("int32",)
    if isinstance(kind, PadValues):
        return (str(drawn[kind.of].dtype),)
    if isinstance(kind, (Real, Point)) or (isinstance(kind, PerAxis) and isinstance(kind.spec, Real)):
        return ("float32", "float64")
    try:
        found = np.asarray(value).dtype.kind
    except ValueError:  # a ragged form has no tensor
        return ()
    if found not in "bif":
        return ()
    # An empty tuple is float64 to NumPy, and holds axes or shifts all the same.
    if not np.size(value):
        return ("int32",)
    return {"b": ("bool",), "f": ("float32", "float64")}.get(found, ("int32", "int64"))


def _takes_tensors(spec: Spec) -> bool:
    kind = inner(spec)
    return spec.tensor or kind.tensor or (isinstance(kind, PerAxis) and kind.spec.tensor)


def _may_be_constant(spec: Spec, value: Any) -> bool:
    """Return whether an array is a parameter (people write it down) rather than an image."""
    return (
        is_data(value) and isinstance(inner(spec), (Matrix, OneOf, Shaped)) and not always_per_element(spec)
    )


def _rounded(value: Any, dtype: str) -> Any:
    """Return the Python value the tensor really holds, which is what the reference gets."""
    if dtype == "string":
        return value
    held = np.asarray(value, dtype).tolist()
    return tuple(held) if isinstance(value, tuple) and np.ndim(value) == 1 else held


def _may_vary(spec: Spec, value: Any) -> bool:
    return np.ndim(value) == element_rank(inner(spec))
