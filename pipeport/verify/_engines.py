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
from pipeport.contract import ENGINES, contract_of
from pipeport.errors import OutsideDomain, explain
from pipeport.verify._call import Call
from pipeport.verify._outcome import Outcome, StaticShape, flatten, raised

Function = Callable[..., Any]
BOUNDARIES = ("PyFunc", "PyFuncStateless", "EagerPyFunc")

# Concrete functions hold graphs and compiled code: enough for one case, not for the catalog.
_CAPACITY = 64
_traced: OrderedDict[Any, Any] = OrderedDict()


def run_native(native: Function, call: Call, engine: str) -> Outcome:
    """Run a native in one engine.

    Parameters
    ----------
    native : callable
        The native; for the engine `batched`, one of the catalog or any function of one image.
    call : Call
        Arguments.
    engine : {'eager', 'graph', 'xla', 'dataset', 'batched'}
        How it is run.

    Returns
    -------
    Outcome
        Arrays, static shapes and boundaries, or the error and when it came.
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


def _eager(native: Function, call: Call) -> Outcome:
    try:
        inputs = {name: tf.constant(value) for name, value in call.inputs().items()}
        structure, leaves = flatten(native(**inputs, **call.static()))
        return Outcome(_concrete_values(leaves), structure)
    except Exception as error:  # every refusal is an answer
        return raised(error)


def _specs(call: Call, inputs: dict[str, Any]) -> dict[str, Any]:
    """Return the input signature: sizes known, or unknown on the axes the call names."""
    specs = {}
    for name, value in inputs.items():
        shape: list[int | None] = list(np.shape(value))
        if call.trace == "unknown":
            for axis in call.unknown.get(name, ()):
                shape[axis] = None
        specs[name] = tf.TensorSpec(shape, value.dtype, name=name)
    return specs


def _frozen(value: Any) -> Any:
    return (type(value).__name__, repr(value))


def _trace(native: Function, static: dict[str, Any], specs: dict[str, Any], *, compiled: bool) -> Any:
    key = (
        id(native),
        compiled,
        tuple((name, _frozen(value)) for name, value in static.items()),
        tuple((name, str(spec)) for name, spec in specs.items()),
    )
    if key in _traced:
        _traced.move_to_end(key)
        return _traced[key][0]

    def body(**inputs: Any) -> Any:
        return native(**inputs, **static)

    # A fresh function per key: one tf.function would warn about retracing, and keep them all.
    concrete = tf.function(body, jit_compile=True if compiled else None).get_concrete_function(**specs)
    _traced[key] = (concrete, native)  # holding the native keeps its id from being given to another
    while len(_traced) > _CAPACITY:
        _traced.popitem(last=False)
    return concrete


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
        result = concrete(**{name: tf.constant(value) for name, value in inputs.items()})
        structure, leaves = flatten(result)
        symbolic = flatten(concrete.structured_outputs)[1]
        shapes = tuple(_shape(tf.TensorShape(getattr(s, "shape", ()))) for s in symbolic)
        return Outcome(_concrete_values(leaves), structure, shapes, boundaries=boundaries_of(concrete.graph))
    except Exception as error:
        return raised(error, "run")


def _graph(native: Function, call: Call) -> Outcome:
    inputs = call.inputs()
    return _in_graph(native, inputs, call.static(), _specs(call, inputs), compiled=False)


def _xla(native: Function, call: Call) -> Outcome:
    inputs = call.inputs()
    return _in_graph(native, inputs, call.static(), _specs(call, inputs), compiled=True)


def _dataset(native: Function, call: Call) -> Outcome:
    inputs, static = call.inputs(), call.static()
    specs = _specs(call, inputs)

    def hide(element: dict[str, Any]) -> dict[str, Any]:
        # What a decoder gives: the same tensor with fewer sizes known.
        return {k: tf.compat.v1.placeholder_with_default(v, specs[k].shape) for k, v in element.items()}

    def body(element: dict[str, Any]) -> Any:
        return native(**element, **static)

    try:
        # Two elements in a parallel map: a native that keeps state shows it.
        source = tf.data.Dataset.from_tensors({k: tf.constant(v) for k, v in inputs.items()}).repeat(2)
        mapped = source.map(hide).map(body, num_parallel_calls=2)
    except Exception as error:
        return raised(error, "trace")
    try:
        shapes = tuple(_shape(s.shape) for s in flatten(mapped.element_spec)[1])
        first, second = (flatten(element) for element in mapped)
        values, again = _concrete_values(first[1]), _concrete_values(second[1])
        if any(a.tobytes() != b.tobytes() for a, b in zip(values, again, strict=True)):
            raise OutsideDomain("output: two equal elements of one dataset came out different")
        return Outcome(values, first[0], shapes)
    except Exception as error:
        return raised(error, "run")


def map_fn_form(native: Function, names: frozenset[str]) -> Function:
    """Return a batched form of any function: `tf.map_fn` over the named inputs, the rest shared."""

    def over_batch(**arguments: Any) -> Any:
        mapped = {name: value for name, value in arguments.items() if name in names}
        shared = {name: value for name, value in arguments.items() if name not in names}
        one = {name: tf.TensorSpec(value.shape[1:], value.dtype) for name, value in mapped.items()}
        traced = tf.function(lambda **each: native(**each, **shared)).get_concrete_function(**one)
        signature = tf.nest.map_structure(
            lambda output: tf.TensorSpec(output.shape, output.dtype), traced.structured_outputs
        )
        return tf.map_fn(lambda each: native(**each, **shared), mapped, fn_output_signature=signature)

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


def _batched(native: Function, call: Call) -> Outcome:
    inputs, static = call.batched_inputs(), call.static()
    arrays = {name for name, value in call.arguments.items() if isinstance(value, np.ndarray)}
    form = _batch_form(native, call.per_element | arrays)
    if call.trace == "eager":
        try:
            tensors = {name: tf.constant(value) for name, value in inputs.items()}
            structure, leaves = flatten(form(**tensors, **static))
            return Outcome(_concrete_values(leaves), structure)
        except Exception as error:
            return raised(error)
    specs = {}
    for name, value in inputs.items():
        shape: list[int | None] = list(np.shape(value))
        if call.trace == "unknown" and name in arrays:
            for axis in (-1, *call.unknown.get(name, ())):
                shape[axis + 1] = None
        specs[name] = tf.TensorSpec(shape, value.dtype, name=name)
    return _in_graph(form, inputs, static, specs, compiled=False)


_RUN: dict[str, Callable[[Function, Call], Outcome]] = {
    "eager": _eager,
    "graph": _graph,
    "xla": _xla,
    "dataset": _dataset,
    "batched": _batched,
}
