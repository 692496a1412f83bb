"""What the functions of `scipy.interpolate` have in common: nodes, values along an axis, points."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import CannotServe
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs._checks import check
from pipeport.kernels.inputs.arrays import as_tensor, known_rank, sizes_of, static_value
from pipeport.kernels.inputs.axes import one_axis

COMPARED_AS = ("pipeport.references._interpolators.read", "pipeport.references._interpolators.read")
ONE_OBJECT = CannotServe(
    "batched",
    "it is one object, not an array: use it inside a function of your own, and tf.map_fn over that",
    witness=lambda: {"x": [0.0, 1.0, 2.0, 3.0], "y": np.ones((2, 4, 4))},
)
_DTYPES = ("int32", "int64", "float32", "float64")
# The equations of more nodes are solved in full while tracing.
_MOST_SOLVED = 1024


def nodes_of(x: Any) -> Any:
    """Return nodes of one axis, float32 or float64: with NumPy where tracing knows them, else a tensor."""
    known = static_value(x, "x")
    tensor = as_tensor(x, "x")
    _checks.dtype_among(tensor, _DTYPES, "x", error=WrongType)
    if known_rank(tensor, "x") != 1:
        raise OutsideDomain(explain("x", f"shape {tensor.shape}", "one axis", "Flatten it."))
    wide = tensor.dtype if tensor.dtype.is_floating else tf.float64
    if tf.is_tensor(known):
        return tf.cast(tensor, wide)
    found = np.asarray(known).astype(wide.as_numpy_dtype)
    if not np.isfinite(found).all():
        raise OutsideDomain(explain("x", "NaN or an infinity", "finite nodes", "Leave such nodes out."))
    return found


def known_nodes(nodes: Any, reason: str) -> Any:
    """Return nodes that have to be known while tracing, for a reason."""
    if tf.is_tensor(nodes):
        advice = f"{reason}: give a list or an array of NumPy."
        raise UnsupportedArgument(explain("x", "a tensor", "nodes known while tracing", advice))
    return nodes


def few_nodes(nodes: Any) -> Any:
    """Return nodes of which there are few enough to solve equations for them."""
    if len(nodes) > _MOST_SOLVED:
        advice = "Interpolate parts of the values, or linearly."
        raise UnsupportedArgument(explain("x", f"{len(nodes)} nodes", f"at most {_MOST_SOLVED}", advice))
    return nodes


def at_least(nodes: Any, count: int, what: str) -> None:
    """Refuse too few nodes."""
    if nodes.shape[0] is not None and nodes.shape[0] < count:
        advice = "Give more nodes."
        raise OutsideDomain(explain("x", f"{nodes.shape[0]} nodes", f"{count} or more for {what}", advice))


class Values:
    """Values at nodes, along one axis of an array.

    `y`: the array, of real numbers and known rank. `array`: as given, in its own dtype. `axis`: counted from
    0. `rows`: shape (N, R); the values at one node after another.
    """

    def __init__(self, y: Any, nodes: Any, axis: Any) -> None:
        array = as_tensor(y, "y")
        if array.dtype.is_complex or array.dtype == tf.float16:
            advice = "Cast it; of complex numbers interpolate both parts."
            raise WrongType(explain("y", f"dtype {array.dtype.name}", "real numbers but float16", advice))
        rank = known_rank(array, "y")
        if not rank:
            raise OutsideDomain(explain("y", "a number", "one axis or more", "Give a value for each node."))
        self.axis = one_axis(axis, rank)
        self.array = _as_long_as(array, nodes, self.axis)
        order = [self.axis, *(one for one in range(rank) if one != self.axis)]
        first = tf.transpose(self.array, order) if self.axis else self.array
        self._rest, self._sizes = first.shape[1:], sizes_of(first)[1:]
        self.rows = tf.reshape(first, [sizes_of(first)[0], _product(self._sizes)])

    def beside(self, value: Any, name: str, dtype: Any) -> Any:
        """Return a number, or one for each place of the other axes, as a row that goes with the values."""
        tensor = as_tensor(value, name)
        if tensor.dtype.is_complex:
            raise WrongType(explain(name, f"dtype {tensor.dtype.name}", "real numbers", "Give both parts."))
        tensor = tf.cast(tensor, dtype)
        if tensor.shape.rank == 0:
            return tensor
        try:
            fits = tf.broadcast_static_shape(tensor.shape, self._rest).is_compatible_with(self._rest)
        except ValueError:
            fits = False
        if not fits:
            advice = "Give one number, or one for each place of the other axes of `y`."
            raise OutsideDomain(explain(name, f"shape {tensor.shape}", f"one that fits {self._rest}", advice))
        return tf.reshape(tf.broadcast_to(tensor, tf.stack(self._sizes)), [1, -1])

    def listed(self, parts: Any) -> Any:
        """Return parts (K, M, R) with the other axes of the values in place of the last."""
        found = tf.reshape(parts, [*sizes_of(parts)[:2], *self._sizes])
        return tf.ensure_shape(found, [*parts.shape[:2], *self._rest])

    def placed(self, found: Any, points: Any) -> Any:
        """Return rows (P, R) of points with the axes of these where that of the nodes was."""
        rank, axis = points.shape.rank, self.axis
        found = tf.reshape(found, [*sizes_of(points), *self._sizes])
        if axis and rank:
            every = list(range(rank + len(self._sizes)))
            found = tf.transpose(found, every[rank : rank + axis] + every[:rank] + every[rank + axis :])
        known = self._rest.as_list()
        return tf.ensure_shape(found, [*known[:axis], *points.shape.as_list(), *known[axis:]])


def _as_long_as(array: Any, nodes: Any, axis: int) -> Any:
    sizes = array.shape[axis], nodes.shape[0]
    allowed = "one value for each node"
    if None not in sizes:
        if sizes[0] != sizes[1]:
            given = f"{sizes[0]} values along the axis for {sizes[1]} nodes"
            raise OutsideDomain(explain("y", given, allowed, "`axis` says along which axis they lie."))
        return array
    counts = tf.shape(array)[axis], tf.shape(nodes)[0]
    given, advice = "another number of values at run time", "Cut the longer one."
    return check(lambda _, one, other: tf.equal(one, other), "y", given, allowed, advice, array, *counts)[0]


def _product(sizes: list[Any]) -> Any:
    total = 1
    for size in sizes:
        total = total * size
    return total


def points_of(x: Any) -> Any:
    """Return points to interpolate at, float32 or float64."""
    points = as_tensor(x, "x")
    if points.dtype.is_complex or points.dtype == tf.float16:
        advice = "Cast it to float32 or float64."
        raise WrongType(explain("x", f"dtype {points.dtype.name}", "real numbers but float16", advice))
    known_rank(points, "x")
    return points if points.dtype.is_floating else tf.cast(points, tf.float64)


def flattened(points: Any) -> Any:
    """Return points as one axis; where tracing knows them, as a constant that it knows too."""
    known = tf.get_static_value(points)
    if known is not None:
        return tf.constant(np.ravel(known))
    return tf.reshape(points, [-1] if None in points.shape.as_list() else [points.shape.num_elements()])
