"""`scipy.interpolate.CubicSpline`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import AsReference, OneOf, Shaped, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels import xla
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs._checks import check
from pipeport.kernels.inputs.integers import whole_number
from pipeport.kernels.sampling import _nodes as kernel
from pipeport.scipy.interpolate import _nodes as common

_PERIODIC = "periodic"
# What a condition says of a derivative, by its name.
_NAMED: dict[str, Any] = {"not-a-knot": "not-a-knot", "clamped": (1, 0.0), "natural": (2, 0.0)}
_ALLOWED = f"{', '.join(map(repr, (*_NAMED, _PERIODIC)))}, or one for each end"


def _conditions(bc_type: Any) -> list[Any]:
    """Return the condition at either end: 'not-a-knot', 'periodic', or order and value of a derivative."""
    if isinstance(bc_type, str):
        if bc_type != _PERIODIC and bc_type not in _NAMED:
            advice = "Name one of these."
            raise UnsupportedArgument(explain("bc_type", repr(bc_type), _ALLOWED, advice))
        return [_NAMED.get(bc_type, bc_type)] * 2
    if not isinstance(bc_type, (tuple, list)) or len(bc_type) != 2:
        raise WrongType(explain("bc_type", repr(bc_type), _ALLOWED, "Give a name or two conditions."))
    return [_condition(one) for one in bc_type]


def _condition(end: Any) -> Any:
    if isinstance(end, str):
        if end not in _NAMED:
            advice = "'periodic' stands for both ends."
            raise UnsupportedArgument(explain("bc_type", repr(end), ", ".join(map(repr, _NAMED)), advice))
        return _NAMED[end]
    if not isinstance(end, (tuple, list)) or len(end) != 2:
        advice = "Give (1, slope) or (2, second derivative)."
        raise WrongType(explain("bc_type", repr(end), "a name, or an order and a value", advice))
    order = end[0]
    if isinstance(order, bool) or order not in (1, 2):
        raise UnsupportedArgument(explain("bc_type", f"order {order!r}", "1 or 2", "Give (1, slope)."))
    return int(order), end[1]


def _extrapolation(extrapolate: Any, periodic: bool) -> bool | str:
    if extrapolate is None:
        return _PERIODIC if periodic else True
    if isinstance(extrapolate, str) and extrapolate == _PERIODIC:
        return _PERIODIC
    if isinstance(extrapolate, (str, list, tuple, np.ndarray)):
        raise WrongType(
            explain("extrapolate", repr(extrapolate), "a bool or 'periodic'", "Name one of these.")
        )
    return _checks.flag(extrapolate, "extrapolate")


def _fits(call: Mapping[str, Any]) -> bool:
    conditions = call.get("bc_type", "not-a-knot")
    # Two values drawn apart are not the same, see `examples`.
    return bool(conditions != _PERIODIC)


def _closed(**others: Any) -> dict[str, Any]:
    """Return a call whose first and last value are the same."""
    y = np.array([[1.0, 2.0, -3.0, 0.5, 4.0, 1.0], [0.0, 0.25, 0.5, -2.0, 1.0, 0.0]])
    x = np.array([0.0, 1.0, 1.5, 3.0, 5.0, 6.0])
    return {"x": x, "y": y, "axis": 1, "bc_type": _PERIODIC, **others}


@replaces(
    "scipy.interpolate.CubicSpline",
    kind="class",
    domain={
        "x": OneOf(
            np.arange(7.0),
            np.array([-2.5, -1.0, 0.25, 0.5, 3.0, 7.75, 8.0]),
            np.array([0.1, 0.2, 0.4, 0.7, 1.1, 1.6, 2.3], np.float32),
            np.array([-3, 0, 1, 2, 4, 5, 10]),
            typical=np.arange(7.0),
        ),
        "y": Shaped(shape=(7, 7), dtypes=("float32", "float64", "int16", "uint8"), values=(-100.0, 100.0)),
        "axis": OneOf(0, 1, -1, -2, typical=0),
        "bc_type": OneOf(
            "not-a-knot",
            "natural",
            "clamped",
            ("not-a-knot", "clamped"),
            ("natural", "not-a-knot"),
            ((1, np.arange(7.0)), (2, np.full(7, -0.5))),
            ("clamped", (1, np.full(7, 2.0))),
            typical="not-a-knot",
        ),
        "extrapolate": OneOf(None, True, False, _PERIODIC, typical=None),
    },
    agreement=AsReference(),
    proven_against=">=1.16",
    compared=common.COMPARED_AS,
    valid=_fits,
    cannot_serve=(common.ONE_OBJECT,),
    examples=(
        _closed,
        lambda: _closed(extrapolate=False),
        lambda: {"x": np.arange(3.0), "y": np.array([1.0, 3.0, 1.0]), "bc_type": _PERIODIC},
        lambda: {"x": np.array([0.5, 2.0]), "y": np.array([2, 2]), "bc_type": _PERIODIC},
        lambda: {"x": np.array([0.5, 2.0]), "y": np.array([1.0, 3.0])},
        lambda: {"x": np.array([0.5, 2.0]), "y": np.array([1.0, 3.0]), "bc_type": ("not-a-knot", "natural")},
        lambda: {"x": np.array([0.0, 1.0, 5.0]), "y": np.array([1.0, 3.0, -1.0])},
        lambda: {"x": np.array([0.0, 1.0, 5.0]), "y": np.array([1.0, 3.0, -1.0]), "bc_type": "natural"},
        lambda: {"x": np.arange(4.0), "y": np.ones((2, 4, 3)), "axis": 1, "bc_type": ("clamped", "natural")},
        lambda: {"x": np.arange(4.0), "y": np.arange(4.0) ** 3, "bc_type": ((1, 0.5), (2, -2))},
    ),
)
class CubicSpline:
    """Interpolate the values at nodes of one axis by cubic pieces with two continuous derivatives.

    Parameters
    ----------
    x : array_like, shape (N,), int32, int64, float32 or float64
        The nodes, finite and ascending, known while tracing: from 2 to 1024.
    y : array_like, one axis or more, real numbers but float16
        The values, finite; other sizes than N may be unknown while tracing.
    axis : int, default 0
        Along which axis of `y` the nodes lie.
    bc_type : str or pair, default 'not-a-knot'
        The condition at both ends, or a pair with that of either: 'not-a-knot', 'natural', 'clamped', or
        (order, value) of a derivative, where a value is a number or an array of the shape of `y` without
        `axis`. 'periodic' for both, with the same value at both ends.
    extrapolate : bool or 'periodic', optional
        Whether the first and last piece go on beyond the nodes; else there is NaN. 'periodic' repeats all of
        them, as None does with periodic conditions; else None stands for True.

    Returns
    -------
    CubicSpline
        Calling it with points of any shape gives float64 values like `y`, with the axes of the points where
        that of the nodes was; with `nu` that derivative of them. `c` holds the coefficients of the pieces.

    Raises
    ------
    OutsideDomain
        `x` has another rank, is not finite or does not ascend; there are too few nodes, another number of
        values, known values that are not finite or not periodic, or a derivative of another shape.
    UnsupportedArgument
        Nodes that are not known while tracing, or more than 1024; another condition, or an unknown rank.
    BadAxis
        `y` has no such axis.
    WrongType
        Dtypes that are not listed, or an argument that is of no use at all.
    tf.errors.InvalidArgumentError
        Values turn out not to be finite, or not periodic, or another number.

    Notes
    -----
    Agreement: as accurate as the reference. `derivative`, `antiderivative`, `integrate`, `solve` and `roots`
    are not served.
    Graph: the equations are solved while tracing, into a matrix; then a product, a binary search and some
    twenty operations. Under the user's own XLA compilation values are not checked.

    Source: `scipy/interpolate/_cubic.py` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.interpolate import CubicSpline
    >>> curve = CubicSpline([0, 1, 2], [0.0, 1.0, 4.0])
    >>> curve(tf.constant([0.5, 1.5])).numpy().tolist()
    [0.25, 2.25]
    """

    def __init__(
        self, x: Any, y: Any, axis: int = 0, bc_type: Any = "not-a-knot", extrapolate: Any = None
    ) -> None:
        nodes = common.known_nodes(common.nodes_of(x), "The equations are solved for them")
        nodes = common.few_nodes(nodes).astype(np.float64)
        common.at_least(nodes, 2, "a spline")
        if (np.diff(nodes) <= 0).any():
            advice = "Sort nodes and values, and leave one of two equal nodes out."
            raise OutsideDomain(explain("x", "nodes that do not ascend", "ascending nodes", advice))
        ends = _conditions(bc_type)
        periodic = ends[0] == _PERIODIC
        self.extrapolate = _extrapolation(extrapolate, periodic)
        self._values = common.Values(y, nodes, axis)
        self.x, self.axis = nodes, self._values.axis
        rows = _checked(tf.cast(self._values.rows, tf.float64), periodic)
        orders = [end if isinstance(end, str) else end[0] for end in ends]
        matrix, *given = kernel.slopes_of(nodes, orders)
        chords = kernel.chords_of(nodes, rows)
        slopes = tf.linalg.matmul(tf.constant(matrix), chords)
        for end, column in zip(ends, given, strict=True):
            if not isinstance(end, str):
                slopes += column[:, np.newaxis] * self._values.beside(end[1], "bc_type", tf.float64)
        self._pieces = kernel.pieces(nodes, rows, chords, slopes)

    @property
    def c(self) -> Any:
        """The coefficients of the pieces, (4, N - 1, ...): those of the cubes first."""
        return self._values.listed(self._pieces)

    def __call__(self, x: Any, nu: int = 0, extrapolate: Any = None) -> Any:
        """Return the values at points.

        Parameters
        ----------
        x : array_like, any shape, real numbers but float16
            The points.
        nu : int, default 0
            Which derivative is returned, 0 for the values.
        extrapolate : bool or 'periodic', optional
            As of the spline, which None stands for.

        Returns
        -------
        tf.Tensor, float64
            The values, with the axes of the points where that of the nodes was.
        """
        points = common.points_of(x)
        order = whole_number(nu, "nu", 0)
        beyond = self.extrapolate if extrapolate is None else _extrapolation(extrapolate, periodic=False)
        flat, nodes = common.flattened(tf.cast(points, tf.float64)), tf.constant(self.x)
        if beyond == _PERIODIC:
            flat = nodes[0] + tf.math.floormod(flat - nodes[0], nodes[-1] - nodes[0])
        count = kernel.counted_before(nodes, flat, equal=True)
        found = xla.run(kernel.polynomials, order)(flat, count, nodes, self._pieces)
        if beyond is False:
            outside = ((flat < nodes[0]) | (flat > nodes[-1]))[:, tf.newaxis]
            found = tf.where(outside, tf.constant(np.nan, tf.float64), found)
        return self._values.placed(found, points)


def _checked(rows: Any, periodic: bool) -> Any:
    given, allowed, advice = "NaN or an infinity", "finite values", "Replace them first."
    rows = check(lambda x: tf.reduce_all(tf.math.is_finite(x)), "y", given, allowed, advice, rows)[0]
    if not periodic:
        return rows
    given, allowed = "different values at both ends", "the same value at both ends"
    advice = "Repeat the first value behind the last, or choose another `bc_type`."
    return check(_same_ends, "y", given, allowed, advice, rows)[0]


def _same_ends(rows: Any) -> Any:
    apart = tf.abs(rows[0] - rows[-1])
    return tf.reduce_all(apart <= 1e-15 + 1e-15 * tf.abs(rows[-1]))
