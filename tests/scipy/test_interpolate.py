"""`scipy.interpolate`: nodes of the graph, many points, dtypes, points beyond the nodes, refusals."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest
import scipy.interpolate as reference
import tensorflow as tf

from pipeport.errors import BadAxis, OutsideDomain, UnsupportedArgument, WrongType
from pipeport.porting import port
from pipeport.scipy.interpolate import CubicSpline, interp1d

pytestmark = pytest.mark.newest_only

RANDOM = np.random.default_rng(17)
NODES = np.sort(RANDOM.uniform(0, 100, 40))
VALUES = RANDOM.standard_normal((40, 3))
POINTS = RANDOM.uniform(-5, 105, 2000)
KINDS = ["linear", "nearest", "nearest-up", "previous", "next", "zero", "slinear", "quadratic", "cubic", 2, 3]


def ways(function: Any, *arrays: Any) -> Any:
    """Give the results eagerly, in a graph of unknown sizes, and compiled."""
    yield function(*arrays)
    specs = [tf.TensorSpec([None, *x.shape[1:]], x.dtype) for x in arrays]
    yield tf.function(function, input_signature=specs, autograph=False)(*arrays)
    yield tf.function(function, jit_compile=True, autograph=False)(*arrays)


def close(found: Any, right: Any, levels: float = 256) -> None:
    assert found.dtype == right.dtype
    assert found.shape == right.shape
    bound = levels * np.finfo(right.dtype).eps * max(1.0, np.nanmax(np.abs(right), initial=0.0))
    np.testing.assert_allclose(found, right, rtol=0, atol=bound)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("fill", [(-1.0, 7.0), np.nan, "extrapolate"])
def test_many_points(kind, fill):
    options = {"kind": kind, "axis": 0, "bounds_error": False, "fill_value": fill}
    points = np.concatenate([NODES, (NODES[1:] + NODES[:-1]) / 2, POINTS, [np.nan]])
    right = reference.interp1d(NODES, VALUES, **options)(points)
    for found in ways(lambda y, x: interp1d(NODES, y, **options)(x), VALUES, points):
        close(found, right, 1e6 if fill == "extrapolate" else 1024)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("of_points", ["float32", "float64"])
def test_a_node_at_zero_is_one_like_others(kind, dtype, of_points):
    x, y = np.arange(-3, 4).astype(dtype), RANDOM.standard_normal(7)
    points = np.concatenate([x, np.nextafter(x[1:], -np.inf), np.nextafter(x[:-1], np.inf)]).astype(of_points)
    points[np.abs(points) < 1e-30] = 0  # which TensorFlow takes subnormal numbers for
    right = reference.interp1d(x, y, kind)(points)
    for found in ways(lambda y, at: interp1d(x, y, kind)(at), y, points):
        close(found, right, 1024)


@pytest.mark.parametrize("kind", ["linear", "nearest", "previous", "cubic"])
@pytest.mark.parametrize("nodes", ["float32", "float64", "int64"])
@pytest.mark.parametrize("values", ["float32", "float64", "uint8"])
@pytest.mark.parametrize("points", ["float32", "float64", "int32"])
def test_dtypes(kind, nodes, values, points):
    x, y = np.arange(0, 50, 5).astype(nodes), (RANDOM.random(10) * 100).astype(values)
    at = RANDOM.uniform(0, 45, (4, 5)).astype(points)
    close(interp1d(x, y, kind)(at), reference.interp1d(x, y, kind)(at))


def test_lines_between_nodes_of_the_graph():
    shuffled = RANDOM.permutation(40)

    def between(x: Any, y: Any, at: Any) -> Any:
        return interp1d(x, y, axis=0, bounds_error=False, fill_value=(0.5, np.arange(3)))(at)

    options = {"axis": 0, "bounds_error": False, "fill_value": (0.5, np.arange(3))}
    right = reference.interp1d(NODES[shuffled], VALUES[shuffled], **options)(POINTS)
    for found in ways(between, NODES[shuffled], VALUES[shuffled], POINTS):
        close(found, right)


def test_points_beyond_the_nodes():
    curve = interp1d([0.0, 1.0], [1.0, 2.0])
    with pytest.raises(OutsideDomain, match="beyond the nodes"):
        curve([0.5, 1.5])
    inside = tf.function(curve, input_signature=[tf.TensorSpec([None], tf.float64)])
    np.testing.assert_array_equal(inside([0.0, 1.0]), [1.0, 2.0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="beyond the nodes"):
        inside([-0.5])


@pytest.mark.parametrize("axis", [0, 1, 2, -1])
@pytest.mark.parametrize("shape", [(), (4,), (2, 3), (0,)])
def test_axes_of_points_take_the_place_of_the_axis(axis, shape):
    y = np.moveaxis(RANDOM.standard_normal((6, 2, 4)), 0, axis)
    at = RANDOM.uniform(0, 5, shape)
    close(interp1d(np.arange(6), y, axis=axis)(at), reference.interp1d(np.arange(6), y, axis=axis)(at))
    close(CubicSpline(np.arange(6), y, axis)(at), reference.CubicSpline(np.arange(6), y, axis)(at))


CLOSED = np.concatenate([VALUES[:-1], VALUES[:1]])


@pytest.mark.parametrize(
    "condition", ["not-a-knot", "natural", "clamped", "periodic", ("natural", (1, [1.0] * 3))]
)
def test_splines_and_their_derivatives(condition):
    spline = reference.CubicSpline(NODES, CLOSED, bc_type=condition)
    for nu in range(4):
        native = functools.partial(_of_spline, condition, nu)
        right = spline(POINTS, nu)
        for found in ways(native, CLOSED, POINTS):
            close(found, right, 1e6)
    close(CubicSpline(NODES, CLOSED, bc_type=condition).c, spline.c, 1e4)
    close(CubicSpline(NODES, CLOSED, 0, condition, False)(POINTS), spline(POINTS, extrapolate=False), 1e4)


def _of_spline(condition: Any, nu: int, y: Any, x: Any) -> Any:
    return CubicSpline(NODES, y, bc_type=condition)(x, nu)


def test_in_a_ported_body():
    knots = np.linspace(0, 99, 6)

    def warped(signal):
        curve = reference.CubicSpline(knots, signal[:6])
        return signal * curve(np.arange(100)) + reference.interp1d(knots, signal[:6], kind="cubic")(50.0)

    x = RANDOM.standard_normal(100)
    close(port(warped)(x), warped(x), 1e4)


@pytest.mark.parametrize(
    ("error", "call"),
    [
        (UnsupportedArgument, lambda: interp1d([0, 1], [0, 1], "akima")),
        (UnsupportedArgument, lambda: interp1d(range(6), range(6), 4)),
        (UnsupportedArgument, lambda: interp1d([0, 1], [0, 1], fill_value="none")),
        (UnsupportedArgument, lambda: interp1d([0, 1], [0, 1], bounds_error=True, fill_value="extrapolate")),
        (OutsideDomain, lambda: interp1d([0, 1], [0, 1, 2])),
        (OutsideDomain, lambda: interp1d([0], [0])),
        (OutsideDomain, lambda: interp1d([0, 1, 2], [0, 1, 2], "cubic")),
        (OutsideDomain, lambda: interp1d([0, 1, 1], [0, 1, 2], "quadratic")),
        (OutsideDomain, lambda: interp1d([0, np.nan], [0, 1])),
        (OutsideDomain, lambda: interp1d([[0, 1]], [0, 1])),
        (OutsideDomain, lambda: interp1d([0, 1], [[0, 1]], fill_value=[1, 2])),
        (BadAxis, lambda: interp1d([0, 1], [0, 1], axis=1)),
        (WrongType, lambda: interp1d(np.array([0, 1], np.int8), [0, 1])),
        (WrongType, lambda: interp1d([0, 1], [0, 1j])),
        (WrongType, lambda: interp1d([0, 1], [0, 1])(1j)),
        (OutsideDomain, lambda: CubicSpline([0, 2, 1], [0, 1, 2])),
        (OutsideDomain, lambda: CubicSpline([0], [0])),
        (OutsideDomain, lambda: CubicSpline([0, 1], [0, np.inf])),
        (OutsideDomain, lambda: CubicSpline([0, 1], [0, 1], bc_type="periodic")),
        (OutsideDomain, lambda: CubicSpline([0, 1], [0, 1], bc_type=((1, [2, 3]), "natural"))),
        (UnsupportedArgument, lambda: CubicSpline([0, 1], [0, 1], bc_type="free")),
        (UnsupportedArgument, lambda: CubicSpline([0, 1], [0, 1], bc_type=("periodic", "natural"))),
        (UnsupportedArgument, lambda: CubicSpline([0, 1], [0, 1], bc_type=((3, 1.0), "natural"))),
        (UnsupportedArgument, lambda: CubicSpline(np.arange(2000), np.arange(2000))),
        (OutsideDomain, lambda: CubicSpline([0, 1], [0, 1])(0.5, -1)),
        (WrongType, lambda: CubicSpline([0, 1], [0, 1], bc_type=3)),
        (WrongType, lambda: CubicSpline([0, 1], [0, 1])(0.5, 0.5)),
    ],
)
def test_what_is_refused(error, call):
    with pytest.raises(error):
        call()


def test_nodes_of_the_graph_are_served_for_lines_alone():
    for function in (lambda x: interp1d(x, [0, 1], "nearest"), lambda x: CubicSpline(x, [0, 1])):
        with pytest.raises(UnsupportedArgument, match="known while tracing"):
            tf.function(function).get_concrete_function(tf.TensorSpec([2], tf.float64))
