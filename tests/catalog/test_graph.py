"""Every native is a pure graph: no Python in it, static shapes kept, one trace per spec."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf
from tensorflow.python.framework import func_graph

from pipeport import catalog
from tests.catalog import arguments, graphs

pytestmark = pytest.mark.both

NATIVES = arguments.parametrized()


def _specs(call: arguments.Call, *, unknown: bool = False) -> dict[str, Any]:
    """Return one TensorSpec per datum; with `unknown`, heights, widths and the like are not stated."""
    specs = {}
    for name, value in call.elements.items():
        shape = list(value.shape)
        for axis in call.free_axes(name) if unknown and name in call.data else ():
            shape[axis] = None
        specs[name] = tf.TensorSpec(shape, value.dtype, name)
    return specs


def _traced(call: arguments.Call, *, unknown: bool = False) -> Any:
    return tf.function(call).get_concrete_function(**_specs(call, unknown=unknown))


@pytest.mark.parametrize("tensors", [False, True], ids=["values", "tensors"])
@pytest.mark.parametrize("unknown", [False, True], ids=["static", "unknown"])
@pytest.mark.parametrize("native", NATIVES)
def test_no_boundary_and_no_state_in_the_graph(native: str, unknown: bool, tensors: bool) -> None:
    traced = _traced(arguments.typical(catalog.find(native), tensors=tensors), unknown=unknown)
    assert graphs.boundaries(traced) == set()
    # Else `Dataset.map` without `num_parallel_calls` runs on one core, and its iterator cannot be saved.
    assert graphs.with_state(traced) == set()


@pytest.mark.parametrize(
    "boundary",
    [
        lambda x: tf.numpy_function(np.fliplr, [x], tf.float32),
        lambda x: tf.numpy_function(np.fliplr, [x], tf.float32, stateful=False),
        lambda x: tf.py_function(np.fliplr, [x], tf.float32),
        lambda x: tf.map_fn(lambda y: tf.numpy_function(np.sin, [y], tf.float32), x),
    ],
    ids=["PyFunc", "PyFuncStateless", "EagerPyFunc", "nested"],
)
def test_a_boundary_would_be_seen(boundary: Any) -> None:
    traced = tf.function(boundary).get_concrete_function(tf.TensorSpec([4, 4], tf.float32))
    assert graphs.boundaries(traced)


@pytest.mark.parametrize("native", NATIVES)
def test_static_shape_is_kept(native: str) -> None:
    call = arguments.typical(catalog.find(native))
    expected = [tf.TensorShape(np.shape(value)) for value in tf.nest.flatten(call(**call.elements))]
    traced = [out.shape for out in tf.nest.flatten(_traced(call).structured_outputs)]
    # Sizes that follow the values, as those of nonzero, have no batch.
    by_values = any(one.by_values for one in call.contract.cannot_serve)
    if call.reads_files or by_values:  # the sizes, and they alone, are found out when the graph runs
        assert [shape.rank for shape in traced] == [shape.rank for shape in expected]
        assert all(map(tf.TensorShape.is_compatible_with, traced, expected))
    else:
        assert traced == expected


@pytest.mark.parametrize("native", NATIVES)
def test_rank_and_channels_are_kept_with_unknown_sizes(native: str) -> None:
    contract = catalog.find(native)
    call = arguments.typical(contract)
    outputs = tf.nest.flatten(_traced(call, unknown=True).structured_outputs)
    expected = [tf.TensorShape(np.shape(value)) for value in tf.nest.flatten(call(**call.elements))]
    image = {**contract.domain, **contract.targets}.get(next(iter(call.elements)))
    assert contract.compared is not None or len(contract.returns) == len(outputs)
    for name, traced, eager in zip(range(len(outputs)), outputs, expected, strict=True):
        if traced.shape.rank is None and _rank_follows_sizes(call, name):
            continue
        assert traced.shape.rank == eager.rank, name
        if isinstance(image, arguments.c.Image) and eager.rank == 3:
            assert traced.shape[-1] == eager[-1], name
        assert traced.shape.is_compatible_with(eager), name


def _rank_follows_sizes(call: arguments.Call, output: int) -> bool:
    """Whether an image of one row and column gives another rank, as with `numpy.squeeze`."""
    thin = {
        k: v[tuple([slice(1)] * min(v.ndim, 2))] if k in call.data else v for k, v in call.elements.items()
    }
    whole, one = (np.ndim(tf.nest.flatten(call(**data))[output]) for data in (call.elements, thin))
    return whole != one


@pytest.mark.parametrize("tensors", [False, True], ids=["values", "tensors"])
@pytest.mark.parametrize("native", NATIVES)
def test_one_trace_per_spec(native: str, tensors: bool) -> None:
    call = arguments.typical(catalog.find(native), tensors=tensors)
    runs = 0

    @tf.function
    def counted(**data: Any) -> Any:
        nonlocal runs
        runs += 1
        return call(**data)

    for element in zip(*call.batch(3).values(), strict=True):
        counted(**dict(zip(call.elements, map(tf.constant, element), strict=True)))
    assert runs == 1


@pytest.fixture
def traces(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the Python functions TensorFlow traces while the test runs."""
    found: list[str] = []
    original = func_graph.func_graph_from_py_func

    def recorded(name: str, *args: Any, **kwargs: Any) -> Any:
        found.append(name)
        return original(name, *args, **kwargs)

    monkeypatch.setattr(func_graph, "func_graph_from_py_func", recorded)
    return found


@pytest.mark.parametrize("native", NATIVES)
def test_eager_calls_of_one_spec_trace_nothing_anew(native: str, traces: list[str]) -> None:
    call = arguments.typical(catalog.find(native))
    first, second = (
        dict(zip(call.elements, map(tf.constant, element), strict=True))
        for element in zip(*call.batch(2).values(), strict=True)
    )
    call(**first)
    del traces[:]
    call(**second)
    assert traces == []


def test_a_trace_would_be_seen(traces: list[str]) -> None:
    tf.function(lambda x: x + 1.0)(tf.constant(1.0))
    assert traces
