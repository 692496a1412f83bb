"""`scipy.interpolate.interp1d`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import AsReference, Boolean, OneOf, Shaped, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels import xla
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs._checks import check
from pipeport.kernels.sampling import _nodes as kernel
from pipeport.scipy.interpolate import _nodes as common

_DEGREES = {"zero": 0, "slinear": 1, "quadratic": 2, "cubic": 3}
# Which nodes are borders of steps, see `steps`: whether a point at a border lies behind it, and the shift.
_STEPS = {"nearest": (False, 0), "nearest-up": (True, 0), "previous": (True, 1), "next": (False, 0)}
# Of higher degrees the equations magnify the rounding of their solution more than SciPy's do.
_MOST_DEGREE = 3
_KINDS = ", ".join(map(repr, ("linear", *_STEPS, *_DEGREES)))
_EXTRAPOLATE = "extrapolate"


def _kind_of(kind: Any) -> str | int:
    """Return a kind by name, or the degree of a spline."""
    if isinstance(kind, str):
        if kind != "linear" and kind not in _STEPS and kind not in _DEGREES:
            raise UnsupportedArgument(explain("kind", repr(kind), _KINDS, "Name one of these."))
        return _DEGREES.get(kind, kind)
    if isinstance(kind, bool) or not isinstance(kind, int):
        raise WrongType(explain("kind", repr(kind), f"{_KINDS}, or an int", "'linear' is the default."))
    if not 0 <= kind <= _MOST_DEGREE:
        allowed = f"degrees from 0 to {_MOST_DEGREE}"
        raise UnsupportedArgument(explain("kind", str(kind), allowed, "'cubic' is of degree 3."))
    return kind


def _borders(nodes: Any, kind: str) -> Any:
    """Return where the value of the next node begins."""
    if kind.startswith("nearest"):
        halves = nodes / 2
        return halves[1:] + halves[:-1]
    # SciPy moves nodes to the number before or behind, in their own dtype. Beside a node at 0 that one is
    # subnormal, which TensorFlow takes for 0: so it is moved back by one of float64, and counted as well.
    towards = -np.inf if kind == "previous" else np.inf
    moved = np.nextafter(nodes, np.asarray(towards, nodes.dtype)).astype(np.float64)
    return np.nextafter(moved, -towards)


def _is_extrapolated(fill_value: Any) -> bool:
    if not isinstance(fill_value, str):
        return False
    if fill_value != _EXTRAPOLATE:
        allowed = "a number, two of them, or 'extrapolate'"
        raise UnsupportedArgument(explain("fill_value", repr(fill_value), allowed, "Give a number."))
    return True


def _has_room(call: Mapping[str, Any]) -> bool:
    extrapolated = isinstance(call.get("fill_value"), str)
    if call.get("assume_sorted") and (np.diff(call["x"]) <= 0).any():
        return False
    return not (extrapolated and call.get("bounds_error"))


@replaces(
    "scipy.interpolate.interp1d",
    kind="class",
    domain={
        "x": OneOf(
            np.arange(7.0),
            np.array([-2.5, -1.0, 0.25, 0.5, 3.0, 7.75, 8.0]),
            np.array([3.0, -1.5, 0.25, 2.0, 9.0, -7.0, 1.0]),
            np.array([0.1, 0.2, 0.4, 0.7, 1.1, 1.6, 2.3], np.float32),
            np.array([5, 1, 4, 2, 10, -3, 0]),
            typical=np.arange(7.0),
        ),
        "y": Shaped(shape=(7, 7), dtypes=("float32", "float64", "int16", "uint8"), values=(-100.0, 100.0)),
        "kind": OneOf("linear", "linear", *_STEPS, *_DEGREES, 0, 1, 2, 3, typical="linear"),
        "axis": OneOf(0, 1, -1, -2, typical=-1),
        "copy": Boolean(),
        "bounds_error": OneOf(None, True, False, False, typical=None),
        "fill_value": OneOf(np.nan, -1.5, (2, 0.5), np.arange(7.0), _EXTRAPOLATE, _EXTRAPOLATE),
        "assume_sorted": Boolean(),
    },
    agreement=AsReference(),
    proven_against=">=1.16",
    compared=common.COMPARED_AS,
    valid=_has_room,
    cannot_serve=(common.ONE_OBJECT,),
    examples=(
        lambda: {"x": np.arange(4.0), "y": np.array([1.0, -2.0, 0.5, 3.0])},
        lambda: {"x": np.arange(5), "y": np.arange(5) ** 2, "bounds_error": False, "fill_value": (-1, 99)},
        lambda: {"x": np.array([0.5, 2.0]), "y": np.ones((2, 2, 3)), "axis": 1, "fill_value": "extrapolate"},
    ),
)
class interp1d:
    """Interpolate the values at nodes of one axis.

    Parameters
    ----------
    x : array_like, shape (N,), int32, int64, float32 or float64
        The nodes, finite and no two of them the same. A tensor whose values are not known while tracing only
        for 'linear'.
    y : array_like, one axis or more, real numbers but float16
        The values; other sizes than N may be unknown while tracing.
    kind : str or int, default 'linear'
        'linear'; the value of one node by 'nearest', 'nearest-up', 'previous' and 'next'; a spline by 'zero',
        'slinear', 'quadratic', 'cubic' or its degree up to 3.
    axis : int, default -1
        Along which axis of `y` the nodes lie.
    copy : bool, default True
        Either: tensors are never written to.
    bounds_error : bool, optional
        Whether a point beyond the nodes is refused: it is when None, unless `fill_value` is 'extrapolate'.
    fill_value : array_like, (array_like, array_like) or 'extrapolate', default NaN
        The value beyond the nodes, or before and behind them; shapes fit the other axes of `y`.
    assume_sorted : bool, default False
        Whether `x` ascends.

    Returns
    -------
    interp1d
        Calling it with points of any shape gives a tensor like `y`, with the axes of the points where that of
        the nodes was: of the dtype of points, nodes and values for 'linear', of `y` for the nearest, previous
        and next node (float64 for integers), and float64 for splines.

    Raises
    ------
    OutsideDomain
        `x` has another rank, holds NaN or infinities, or, for a spline, a node twice; there are too few
        nodes, another number of values, or `fill_value` has another shape; in a call, a known point lies
        beyond the nodes.
    UnsupportedArgument
        Another `kind` or text as `fill_value`, nodes that are not known while tracing, more than 1024 nodes
        for a spline of degree 2 or more, both 'extrapolate' and `bounds_error`, or an unknown rank.
    BadAxis
        `y` has no such axis.
    WrongType
        Dtypes that are not listed, or a flag that is not a bool.
    tf.errors.InvalidArgumentError
        A point turns out to lie beyond the nodes, or there is another number of values.

    Notes
    -----
    Agreement: as accurate as the reference. NaN among the values is outside the domain.
    Graph: a binary search and some ten operations, one program where sizes are known. Under the user's own
    XLA compilation a point beyond the nodes is not refused; it gets `fill_value`. The equations of a spline
    are solved while tracing.

    Source: `scipy/interpolate/_interpolate.py` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.interpolate import interp1d
    >>> between = interp1d([0, 1, 3], [0.0, 10.0, 50.0], bounds_error=False, fill_value=-1.0)
    >>> between(tf.constant([0.5, 2.0, 4.0])).numpy().tolist()
    [5.0, 30.0, -1.0]
    """

    def __init__(
        self,
        x: Any,
        y: Any,
        kind: Any = "linear",
        axis: int = -1,
        copy: bool = True,
        bounds_error: bool | None = None,
        fill_value: Any = np.nan,
        assume_sorted: bool = False,
    ) -> None:
        self._kind = _kind_of(kind)
        _checks.flag(copy, "copy")
        nodes = common.nodes_of(x)
        if self._kind != "linear":
            nodes = common.known_nodes(nodes, f"kind {kind!r} prepares them")
        degree = self._kind if isinstance(self._kind, int) else 1 if kind == "linear" else 0
        common.at_least(nodes, degree + 1, repr(kind))
        values = common.Values(y, nodes, axis)
        self.x, self._values, self._rows = nodes, values, values.rows
        if not _checks.flag(assume_sorted, "assume_sorted"):
            self._sort()
        if not self._rows.dtype.is_floating:
            self._rows = tf.cast(self._rows, tf.float64)
        if isinstance(self._kind, int):
            self._solve(self._kind)
        self.axis = values.axis
        self._set_bounds(bounds_error, fill_value)

    @property
    def y(self) -> Any:
        """The values, sorted as the nodes are."""
        nodes = tf.convert_to_tensor(self.x)
        return self._values.placed(self._rows, nodes)

    def _sort(self) -> None:
        if tf.is_tensor(self.x):
            order = tf.argsort(self.x, stable=True)
            self.x = tf.gather(self.x, order)
        else:
            order = np.argsort(self.x, kind="stable")
            if (order == np.arange(len(order))).all():
                return
            self.x = self.x[order]
        self._rows = tf.gather(self._rows, order)

    def _solve(self, degree: int) -> None:
        """Replace the values by the coefficients of a spline."""
        nodes = self.x.astype(np.float64)
        if (np.diff(nodes) <= 0).any():
            advice = "Leave one of two equal nodes out; `assume_sorted` asks for ascending ones."
            raise OutsideDomain(explain("x", "nodes that do not ascend", "ascending nodes", advice))
        self._knots = kernel.knots_of(nodes, degree)
        self._coefficients = tf.cast(self._rows, tf.float64)
        if degree > 1:
            matrix = kernel.solved(common.few_nodes(nodes), self._knots, degree)
            self._coefficients = tf.linalg.matmul(tf.constant(matrix), self._coefficients)

    def _set_bounds(self, bounds_error: Any, fill_value: Any) -> None:
        extrapolated = _is_extrapolated(fill_value)
        wanted = None if bounds_error is None else _checks.flag(bounds_error, "bounds_error")
        if extrapolated and wanted:
            advice = "Give `bounds_error=False`, or a number as `fill_value`."
            raise UnsupportedArgument(explain("bounds_error", "True beside 'extrapolate'", "False", advice))
        self.bounds_error = not extrapolated if wanted is None else wanted
        if extrapolated and self._kind == "previous":
            fill_value = (np.nan, self._rows[-1])
        elif extrapolated and self._kind == "next":
            fill_value = (self._rows[0], np.nan)
        self._extrapolated = extrapolated and self._kind not in ("previous", "next")
        self.fill_value = fill_value
        self._fills: tuple[Any, ...] = ()
        if not self._extrapolated:
            pair = fill_value if isinstance(fill_value, tuple) and len(fill_value) == 2 else (fill_value,) * 2
            # Rows of our own already have their shape.
            self._fills = tuple(
                one[tf.newaxis]
                if extrapolated and tf.is_tensor(one)
                else self._values.beside(one, "fill_value", tf.float64)
                for one in pair
            )

    def __call__(self, x: Any) -> Any:
        """Return the values at points.

        Parameters
        ----------
        x : array_like, any shape, real numbers but float16
            The points.

        Returns
        -------
        tf.Tensor
            The values, with the axes of the points where that of the nodes was.
        """
        points = common.points_of(x)
        flat = common.flattened(points)
        nodes = tf.convert_to_tensor(self.x)
        if self.bounds_error:
            flat = self._inside(flat, nodes)
        found = self._found(flat, nodes)
        if self._fills:
            wide = tf.cast(flat, tf.float64)[:, tf.newaxis]
            before, behind = (tf.cast(one, found.dtype) for one in self._fills)
            found = tf.where(wide < tf.cast(nodes[0], tf.float64), before, found)
            found = tf.where(wide > tf.cast(nodes[-1], tf.float64), behind, found)
        return self._values.placed(found, points)

    def _found(self, points: Any, nodes: Any) -> Any:
        if isinstance(self._kind, int):
            knots = tf.constant(self._knots)
            count = kernel.counted_before(knots, points, equal=True)
            return xla.run(kernel.spline, self._kind)(points, count, knots, self._coefficients)
        if self._kind == "linear":
            count = kernel.counted_before(nodes, points, equal=False)
            return xla.run(kernel.lines)(points, count, nodes, self._rows)
        equal, shift = _STEPS[self._kind]
        count = kernel.counted_before(tf.constant(_borders(self.x, self._kind)), points, equal=equal)
        return tf.gather(self._rows, tf.clip_by_value(count - shift, 0, tf.shape(self._rows)[0] - 1))

    def _inside(self, points: Any, nodes: Any) -> Any:
        def inside(points: Any, nodes: Any) -> Any:
            wide, ends = tf.cast(points, tf.float64), tf.cast(nodes, tf.float64)
            return ~tf.reduce_any((wide < ends[0]) | (wide > ends[-1]))

        given, allowed = "a point beyond the nodes", "points between the first and the last node"
        advice = "Give `bounds_error=False`, or 'extrapolate' as `fill_value`."
        return check(inside, "x", given, allowed, advice, points, nodes)[0]
