"""interp, gradient."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._along import axes_of
from pipeport.arrays._bytewise import bytewise
from pipeport.arrays._cast import cast
from pipeport.arrays._elementwise import remainder
from pipeport.arrays._one_pass import one_pass
from pipeport.arrays._order import argsort
from pipeport.arrays._promotion import joined
from pipeport.contract import Array, AsReference, Axes, CannotServe, Difference, OneOf, Shaped
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels import xla
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import known_rank
from pipeport.kernels.inputs.integers import whole_number
from pipeport.numpy._counting import FEW, MANY, line, places
from pipeport.numpy._families import REALS, numpy_native, tensor
from pipeport.numpy._reductions import CLOSE

_FLOAT64 = np.dtype("float64")


def _wide(value: Any, parameter: str) -> Any:
    found = tensor(value, parameter)
    if found.dtype.is_complex:
        raise WrongType(explain(parameter, found.dtype.name, "real numbers", "Take both parts one by one."))
    return cast(found, _FLOAT64)


def _same_length(x: Any, y: Any) -> Any:
    """Return `x`, checked to have as many elements as `y`, and one at least."""
    text = explain("xp, fp", "two lengths, or none", "one length from 1", "Give a value for each point.")
    sizes = x.shape[0], y.shape[0]
    if 0 in sizes or (None not in sizes and sizes[0] != sizes[1]):
        raise OutsideDomain(text)
    if None not in sizes:
        return x
    fits = tf.logical_and(tf.equal(tf.size(x), tf.size(y)), tf.size(x) > 0)
    with tf.control_dependencies([tf.debugging.assert_equal(fits, True, text)]):
        return tf.identity(x)


def _laid_out(points: Any, values: Any, period: Any) -> tuple[Any, Any]:
    """Return points within one period, ascending, with the last one before and the first one behind them."""
    points = remainder(points, period)
    order = argsort(points)
    points, values = tf.gather(points, order), tf.gather(values, order)
    points = tf.concat([points[-1:] - period, points, points[:1] + period], 0)
    return points, tf.concat([values[-1:], values, values[:1]], 0)


def _points_apart(call: Mapping[str, Any]) -> bool:
    """Say that no two points lie at one place of a period: NumPy's order of such is any."""
    period = call.get("period")
    if period is None:
        return True
    places = np.asarray(call["xp"], np.float64) % abs(period)
    return len(np.unique(places)) == len(places)


@numpy_native(
    "numpy.interp", "Interpolate linearly between points.",
    domain={"x": Array(dtypes=REALS, ranks=(0, 1, 2, 3), sides=(0, 4)),
            "xp": OneOf((-50.0, 0.0, 0.0, 60.0), (0.0, 1.0, 2.5, 7.0), (0, 64, 128, 255)),
            "fp": Shaped(shape=(4,), dtypes=REALS, values=(-100.0, 100.0)),
            "left": OneOf(None, 3, -1.5), "right": OneOf(None, 7.0),
            "period": OneOf(None, None, 360, -90.0, 7.3)},
    parameters={"x": "array_like, bool or any real number\nWhere; any shape.",
                "xp": "array_like, bool or any real number\nThe points, ascending, which is not checked.",
                "fp": "array_like, bool or any real number\nThe values there, as many.",
                "left": "None or number, default None\nThe value before the points; None takes the first.",
                "right": "None or number, default None\nThe value behind them; None takes the last.",
                "period": "None or number, default None\nAfter how much the points come again; they need not "
                          "ascend, and `left` and\n`right` are of no effect."},
    returns="tf.Tensor of float64, shape of `x`\nThe values; NaN at NaN.", agreement=AsReference(),
    words=CLOSE, example=("[0.5, 9.0], [0.0, 1.0], [10.0, 20.0]",
             "<tf.Tensor: shape=(2,), dtype=float64, numpy=array([15., 20.])>"),
    raises={"OutsideDomain": "There is no point, or not one value for each; `period` is 0.",
            "tf.errors.InvalidArgumentError": "The same of lengths unknown while tracing."},
    valid=_points_apart,
    differences=(
        Difference(
            "Where `xp` falls, values differ: either search takes points for granted that ascend.",
            witness=lambda: {"x": np.array([0.5]), "xp": np.array([2.0, 1.0, 0.0]), "fp": np.arange(3.0)},
            applies=lambda given: given.get("period") is None
            and bool((np.diff(np.asarray(given["xp"], np.float64)) < 0).any()),
        ),
    ),
    graph="a binary search and some ten ops, among few points one program; static shape is kept.",
    slower="float32 is",
)  # fmt: skip
def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Any:
    values = line(_wide(fp, "fp"), "fp")
    points = _same_length(line(_wide(xp, "xp"), "xp"), values)
    turn = None
    if period is not None:
        turn, left, right = tf.abs(_wide(period, "period")), None, None
        if turn.shape.rank:
            raise OutsideDomain(explain("period", f"shape {turn.shape}", "one number", "Interpolate twice."))
        advice = "Leave it out where nothing comes again."
        (turn,) = _checks.check(lambda one: one != 0, "period", "0", "another number", advice, turn)
        points, values = _laid_out(points, values, turn)
    before = values[0] if left is None else _wide(left, "left")
    behind = values[-1] if right is None else _wide(right, "right")

    def interpolated(at: Any) -> Any:
        few = points.shape[0] is not None and points.shape[0] <= FEW
        many = at.shape.is_fully_defined() and at.shape.num_elements() >= MANY
        at = _wide(at, "x") if turn is None else remainder(_wide(at, "x"), turn)
        return xla.run(_lines, known=few and many)(at, points, values, before, behind)

    return bytewise(interpolated, tensor(x, "x"))


def _lines() -> Callable[..., Any]:
    return _interpolated


def _interpolated(at: Any, points: Any, values: Any, before: Any, behind: Any) -> Any:
    last = tf.size(points, tf.int64) - 1
    place = places(points, at, "right") - 1
    here = tf.clip_by_value(place, tf.zeros_like(last), last)
    beyond = tf.minimum(here + 1, last)
    start, end = tf.gather(points, here), tf.gather(points, beyond)
    low, high = tf.gather(values, here), tf.gather(values, beyond)
    slope = (high - low) / (end - start)
    found = slope * (at - start) + low
    # NumPy's own ways out, where an end is infinite.
    found = tf.where(tf.math.is_nan(found), slope * (at - end) + high, found)
    found = tf.where(tf.logical_and(tf.math.is_nan(found), tf.equal(low, high)), low, found)
    found = tf.where(tf.logical_or(tf.equal(at, start), tf.equal(here, last)), low, found)
    found = tf.where(at < points[0], before, tf.where(at > points[-1], behind, found))
    # Beside a single point NaN is neither before nor behind, and NumPy gives its value.
    return tf.where(tf.logical_and(tf.math.is_nan(at), last > 0), at, found)


def spaced(arguments: Mapping[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Call `numpy.gradient`, which takes distances by position.

    `arguments`: drawn arguments, the distances as a tuple.
    """
    rest = dict(arguments)
    return (rest.pop("f"), *rest.pop("varargs", ())), rest


def _by_position(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function take its second parameter as any number of arguments by position, or by its name."""

    def spread(f: Any, *arguments: Any, varargs: Any = (), **options: Any) -> Any:
        return function(f, arguments or varargs, **options)

    first, second, *rest = inspect.signature(function).parameters.values()
    second = second.replace(kind=inspect.Parameter.VAR_POSITIONAL)
    rest = [one.replace(kind=inspect.Parameter.KEYWORD_ONLY) for one in rest]
    spread.__signature__ = inspect.Signature([first, second, *rest])  # type: ignore[attr-defined]
    spread.__name__, spread.__qualname__ = function.__name__, function.__qualname__
    spread.__module__ = function.__module__
    return spread


def _distances(varargs: tuple[Any, ...], axes: list[int]) -> list[Any]:
    """Return the spacing of each axis: a distance, coordinates, or None."""
    if not varargs:
        return [None] * len(axes)
    given = [tensor(one, "varargs") for one in varargs]
    if len(given) == 1 and given[0].shape.rank == 0:
        given *= len(axes)
    if len(given) != len(axes):
        allowed, advice = f"none, one, or {len(axes)}", "Give a distance for every axis."
        raise WrongType(explain("varargs", f"{len(given)} distances", allowed, advice))
    return given


def _steps(given: Any, x: Any, axis: int) -> Any:
    """Return the distance of neighbours: a scalar, or one per pair of them."""
    if given is None:
        return tf.ones([], x.dtype)
    wide = cast(given, np.dtype(x.dtype.as_numpy_dtype))
    if given.shape.rank == 0:
        return wide
    advice = "Give one place per element of the axis."
    if given.shape.rank != 1 or not given.shape.is_compatible_with([x.shape[axis]]):
        allowed = f"rank 0, or {x.shape[axis]} places"
        raise OutsideDomain(explain("varargs", f"shape {given.shape}", allowed, advice))
    checks = []
    if None in (given.shape[0], x.shape[axis]):
        text = explain("varargs", "another number of places", "as many as elements", advice)
        checks.append(tf.debugging.assert_equal(tf.size(given), tf.shape(x)[axis], text))
    with tf.control_dependencies(checks):
        return wide[1:] - wide[:-1]


def _part(x: Any, axis: int, start: int | None, stop: int | None) -> Any:
    return x[(*((slice(None),) * axis), slice(start, stop))]


def _slope(x: Any, step: Any, *, axis: int, order: int) -> Any:
    rank = x.shape.rank
    if step.shape.rank:
        step = tf.reshape(step, [-1 if other == axis else 1 for other in range(rank)])
        before, behind = _part(step, axis, None, -1), _part(step, axis, 1, None)
        first, second = _part(step, axis, None, 1), _part(step, axis, 1, 2)
        least, last = _part(step, axis, -2, -1), _part(step, axis, -1, None)
    else:
        before = behind = first = second = least = last = step
    left, here, right = _part(x, axis, None, -2), _part(x, axis, 1, -1), _part(x, axis, 2, None)
    if step.shape.rank:
        middle = (
            -behind / (before * (before + behind)) * left
            + (behind - before) / (before * behind) * here
            + before / (behind * (before + behind)) * right
        )
    else:
        middle = (right - left) / (step + step)
    ends = [_part(x, axis, place, place + 1 or None) for place in (0, 1, -2, -1)]
    if order == 1:
        head, tail = (ends[1] - ends[0]) / first, (ends[3] - ends[2]) / last
    else:
        third, third_last = _part(x, axis, 2, 3), _part(x, axis, -3, -2)
        head = (
            -(first + first + second) / (first * (first + second)) * ends[0]
            + (first + second) / (first * second) * ends[1]
            - first / (second * (first + second)) * third
        )
        tail = (
            last / (least * (least + last)) * third_last
            - (last + least) / (least * last) * ends[2]
            + (last + last + least) / (last * (least + last)) * ends[3]
        )
    return tf.concat([head, middle, tail], axis)


def _along(x: Any, axis: int, given: Any, order: int) -> Any:
    own, size = np.dtype(x.dtype.as_numpy_dtype), x.shape[axis]
    text = explain("f", f"shape {x.shape}", f"{order + 1} elements along axis {axis}", "Take a larger array.")
    if size is not None and size <= order:
        raise OutsideDomain(text)
    checks = [] if size is not None else [tf.debugging.assert_greater(tf.shape(x)[axis], order, text)]
    with tf.control_dependencies(checks):
        x = tf.identity(x)
    if given is not None:
        x = cast(x, joined(own, np.dtype(given.dtype.as_numpy_dtype)))
    if x.dtype == tf.float16:
        x = tf.cast(x, tf.float32)
    found = one_pass(_slope, x, _steps(given, x, axis), axis=axis, order=order)
    return tf.ensure_shape(cast(found, own), x.shape)


@numpy_native(
    "numpy.gradient", "Return differences of neighbours on both sides, divided by their distance.",
    domain={"f": Array(dtypes=REALS[1:], ranks=(1, 2, 3), sides=(3, 6), values=(-1.0, 1.0)),
            "varargs": OneOf((), (2.0,), (0.5,)), "axis": Axes(of="f", several=False),
            "edge_order": OneOf(1, 2)},
    parameters={"f": "array_like, any number\nOf more than `edge_order` elements along the axes.",
                "varargs": "number, or array_like\nThe distance along all axes; or for each the distance, "
                           "or the places of its elements.",
                "axis": "None, int or tuple of int, default None\nAlong which axes; None takes all.",
                "edge_order": "{1, 2}, default 1\nWhether two or three elements count at the ends."},
    returns="tf.Tensor, or a tuple of one per axis\nThe slopes, dtype of `f`; of integers float64.",
    agreement=AsReference(), words=CLOSE, reference_call=f"{__name__}.spaced",
    outputs=("first", "second", "third"),
    example=("[1.0, 2.0, 4.0]", "<tf.Tensor: shape=(3,), dtype=float64, numpy=array([1. , 1.5, 2. ])>"),
    raises={"BadAxis": "`f` has no such axis.", "OutsideDomain": "An axis is too short, or places differ.",
            "tf.errors.InvalidArgumentError": "The same of sizes unknown while tracing."},
    graph="slices, and some five ops per axis; static shape is kept.",
    cannot_serve=(
        CannotServe("batched", "distances that are given by position have no names",
                    lambda: {"f": np.zeros((2, 3)), "varargs": ()}),
    ),
)  # fmt: skip
@_by_position
def gradient(f: Any, varargs: Any, axis: Any = None, edge_order: Any = 1) -> Any:
    x = tensor(f, "f")
    order, rank = whole_number(edge_order, "edge_order"), known_rank(x, "f")
    if order not in (1, 2):
        raise OutsideDomain(explain("edge_order", order, "1, 2", "Name one of these."))
    if x.dtype.is_bool:
        raise WrongType(explain("f", "bool", "numbers", "NumPy has no difference of booleans: cast it."))
    x = cast(x, _FLOAT64) if x.dtype.is_integer else x
    axes = list(range(rank)) if axis is None else [int(one) for one in axes_of(x, axis, scalar=False)]
    pairs = zip(axes, _distances(tuple(varargs), axes), strict=True)
    found = [_along(x, along, given, order) for along, given in pairs]
    return found[0] if len(found) == 1 else tuple(found)
