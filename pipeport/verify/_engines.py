"""The five ways people run a native; each gives an `Outcome` or, for a batch, one that was unstacked.

Python values are closed over while tracing, as in user code; arrays and parameters given as
tensors enter the graph. AutoGraph is left on, because it is on in `Dataset.map`.
"""

from __future__ import annotations

import atexit
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np

import pipeport
from pipeport._lazy import tf
from pipeport._tensorflow_private import as_in_user_code
from pipeport.contract import ENGINES, contract_of
from pipeport.errors import OutsideDomain, explain
from pipeport.verify._example import Example
from pipeport.verify._outcome import Outcome, StaticShape, flatten, raised

Function = Callable[..., Any]
BOUNDARIES = ("PyFunc", "PyFuncStateless", "EagerPyFunc")

# Concrete functions hold graphs and compiled code: enough for one case, not for the catalog.
_CAPACITY = 64
_traced: OrderedDict[Any, Any] = OrderedDict()


def run_native(native: Function, call: Example, engine: str) -> Outcome:
    """Run a native in one engine.

    `native`: the native; for the engine `batched`, one of the catalog or any function of one image. `engine`:
    {'eager', 'graph', 'xla', 'dataset', 'batched'}. Returns: arrays, static shapes and boundaries, or the
    error and when it came.
    """
    return _RUN[engine](native, call)


def forget() -> None:
    """Drop every function traced so far."""
    _traced.clear()
    _batch_forms.clear()


# TensorFlow 2.15 complains when functions outlive it.
atexit.register(forget)


def check_engines(engines: tuple[str, ...]) -> tuple[str, ...]:
    """Return the engines when all are known, else raise OutsideDomain."""
    for engine in engines:
        if engine not in ENGINES:
            raise OutsideDomain(
                explain("engine", repr(engine), ", ".join(ENGINES), "Separate several by commas.")
            )
    return engines


def _shape(static: Any) -> StaticShape:
    return None if static.rank is None else tuple(static.as_list())


def _concrete_values(leaves: list[Any]) -> tuple[np.ndarray[Any, Any], ...]:
    return tuple(np.array(leaf.numpy() if tf.is_tensor(leaf) else leaf) for leaf in leaves)


def _eager(native: Function, call: Example) -> Outcome:
    try:
        structure, leaves = flatten(native(**_tensors(call.inputs()), **call.static()))
        return Outcome(_concrete_values(leaves), structure)
    except Exception as error:  # every refusal is an answer
        return raised(error)


def _tensors(inputs: dict[str, Any]) -> dict[str, Any]:
    """Return arrays, also those in lists, as tensors."""
    return {name: _each(tf.constant, value) for name, value in inputs.items()}


def _each(function: Function, value: Any) -> Any:
    return [function(part) for part in value] if isinstance(value, (list, tuple)) else function(value)


def _specs(call: Example, inputs: dict[str, Any], *, batched: bool = False) -> dict[str, Any]:
    """Return the input signature: sizes known, or unknown on the axes the call names.

    Of a batch the number of elements is unknown too, where one array has its sizes unknown.
    """

    def spec_of(name: str, part: Any, label: str) -> Any:
        shape: list[int | None] = list(np.shape(part))
        leading = batched and name in call.per_element
        if call.trace == "unknown" and name in call.unknown:
            for axis in (-1, *call.unknown[name]) if leading else call.unknown[name]:
                shape[axis + leading] = None
        return tf.TensorSpec(shape, part.dtype, name=label)

    return {
        name: [spec_of(name, part, f"{name}_{index}") for index, part in enumerate(value)]
        if isinstance(value, (list, tuple))
        else spec_of(name, value, name)
        for name, value in inputs.items()
    }


def _frozen(value: Any) -> Any:
    return (type(value).__name__, repr(value))


def _key(native: Function, way: str, static: dict[str, Any], specs: dict[str, Any]) -> Any:
    return (
        id(native),
        way,
        tuple((name, _frozen(value)) for name, value in static.items()),
        tuple((name, repr(spec)) for name, spec in specs.items()),
    )


def _keep(key: Any, found: tuple[Any, ...]) -> tuple[Any, ...]:
    """Cache a trace; holding the native prevents reuse of its id."""
    _traced[key] = found
    while len(_traced) > _CAPACITY:
        _traced.popitem(last=False)
    return found


def _trace(native: Function, static: dict[str, Any], specs: dict[str, Any], *, compiled: bool) -> Any:
    key = _key(native, "xla" if compiled else "graph", static, specs)
    if key in _traced:
        _traced.move_to_end(key)
        return _traced[key][0]

    def body(**inputs: Any) -> Any:
        return native(**inputs, **static)

    # A fresh function per key: one tf.function would warn about retracing, and keep them all.
    concrete = tf.function(body, jit_compile=True if compiled else None).get_concrete_function(**specs)
    return _keep(key, (concrete, native))[0]


def boundaries_of(graph: Any) -> tuple[str, ...]:
    """Return the Python boundaries in a graph and in the functions it calls."""
    definition = graph.as_graph_def()
    nodes = [*definition.node, *(node for f in definition.library.function for node in f.node_def)]
    return tuple(sorted({node.op for node in nodes if node.op in BOUNDARIES}))


def _in_graph(
    native: Function, inputs: dict[str, Any], static: dict[str, Any], specs: dict[str, Any], *, compiled: bool
) -> Outcome:
    try:
        concrete = _trace(native, static, specs, compiled=compiled)
    except Exception as error:
        return raised(error, "trace")
    try:
        result = concrete(**_tensors(inputs))
        structure, leaves = flatten(result)
        symbolic = flatten(concrete.structured_outputs)[1]
        shapes = tuple(_shape(tf.TensorShape(getattr(s, "shape", ()))) for s in symbolic)
        return Outcome(_concrete_values(leaves), structure, shapes, boundaries=boundaries_of(concrete.graph))
    except Exception as error:
        return raised(error, "run")


def _graph(native: Function, call: Example) -> Outcome:
    inputs = call.inputs()
    return _in_graph(native, inputs, call.static(), _specs(call, inputs), compiled=False)


def _xla(native: Function, call: Example) -> Outcome:
    inputs = call.inputs()
    return _in_graph(native, inputs, call.static(), _specs(call, inputs), compiled=True)


def _dataset(native: Function, call: Example) -> Outcome:
    """Map the native over two equal elements: one that keeps state shows it.

    The dataset is built inside a function of the elements' data, so that examples of one signature
    share the trace of their pipeline.
    """
    inputs, static = call.inputs(), call.static()
    try:
        traced, structure, shapes = _traced_pipeline(native, inputs, static, _specs(call, inputs))
    except Exception as error:
        return raised(error, "trace")
    try:
        elements = _concrete_values(traced(**_tensors(inputs)))
    except Exception as error:
        return raised(error, "run")
    if not all(_are_alike(first, second) for first, second in elements):
        return raised(OutsideDomain("output: two equal elements of one dataset came out different"), "run")
    return Outcome(tuple(np.asarray(first) for first, _ in elements), structure, shapes)


def _are_alike(first: Any, second: Any) -> bool:
    """Say whether two elements are equal bit for bit; strings are objects."""
    if isinstance(first, bytes) or first.dtype.kind == "O":
        return bool(np.array_equal(first, second))
    return bool(first.tobytes() == second.tobytes())


def _traced_pipeline(
    native: Function, inputs: dict[str, Any], static: dict[str, Any], specs: dict[str, Any]
) -> tuple[Any, str, tuple[StaticShape, ...]]:
    """Return the pipeline as a function of its data, with the structure and static shapes it gives."""
    key = _key(native, "dataset", static, specs)
    if key in _traced:
        _traced.move_to_end(key)
        found: tuple[Any, str, tuple[StaticShape, ...]] = _traced[key][:3]
        return found
    lists = [name for name, value in inputs.items() if isinstance(value, (list, tuple))]
    known: list[tuple[str, tuple[StaticShape, ...]]] = []

    def body(element: dict[str, Any]) -> Any:
        # A dataset takes a list for an array, so that lists travel as tuples.
        data = {name: list(value) if name in lists else value for name, value in element.items() if name}
        return as_in_user_code(native)(**data, **static)

    def pipeline(**data: Any) -> Any:
        elements = {name: tuple(value) if name in lists else value for name, value in data.items()}
        # A call all of Python values still needs an element to be mapped over.
        source = tf.data.Dataset.from_tensors(elements or {"": 0})
        mapped = source.repeat(2).map(body, num_parallel_calls=2)
        structure, leaves = flatten(mapped.element_spec)
        known.append((structure, tuple(_shape(leaf.shape) for leaf in leaves)))
        return tf.nest.flatten(mapped.batch(2).get_single_element())

    # AutoGraph is on inside `Dataset.map`; the pipeline around it is ours.
    concrete = tf.function(pipeline, autograph=False).get_concrete_function(**specs)
    _keep(key, (concrete, *known[-1], native))
    return (concrete, *known[-1])


def map_fn_form(native: Function, names: frozenset[str]) -> Function:
    """Return a batched form of any function: `tf.map_fn` over the named inputs, the rest shared."""

    def over_batch(**arguments: Any) -> Any:
        mapped = {name: value for name, value in arguments.items() if name in names}
        shared = {name: value for name, value in arguments.items() if name not in names}
        one = tf.nest.map_structure(lambda value: tf.TensorSpec(value.shape[1:], value.dtype), mapped)
        traced = tf.function(lambda **each: native(**each, **shared)).get_concrete_function(**one)
        signature = tf.nest.map_structure(
            lambda output: tf.TensorSpec(output.shape, output.dtype), traced.structured_outputs
        )
        one_of = as_in_user_code(native)
        return tf.map_fn(lambda each: one_of(**each, **shared), mapped, fn_output_signature=signature)

    return over_batch


_batch_forms: OrderedDict[Any, tuple[Function, Function]] = OrderedDict()


def _batch_form(native: Function, names: frozenset[str]) -> Function:
    """Return `pipeport.batched(native)`, or the `tf.map_fn` form of a function without a contract.

    It is one and the same object for the same question, so that its traces are found again.
    """
    key = (id(native), names)
    if key not in _batch_forms:
        form = pipeport.batched(native) if contract_of(native) else map_fn_form(native, names)
        _batch_forms[key] = (form, native)
        while len(_batch_forms) > _CAPACITY:
            _batch_forms.popitem(last=False)
    return _batch_forms[key][0]


def _batched(native: Function, call: Example) -> Outcome:
    inputs, static = call.batched_inputs(), call.static()
    form = _batch_form(native, call.per_element)
    if call.trace == "eager":
        try:
            structure, leaves = flatten(form(**_tensors(inputs), **static))
            return Outcome(_concrete_values(leaves), structure)
        except Exception as error:
            return raised(error)
    return _in_graph(form, inputs, static, _specs(call, inputs, batched=True), compiled=False)


_RUN: dict[str, Callable[[Function, Example], Outcome]] = {
    "eager": _eager,
    "graph": _graph,
    "xla": _xla,
    "dataset": _dataset,
    "batched": _batched,
}
