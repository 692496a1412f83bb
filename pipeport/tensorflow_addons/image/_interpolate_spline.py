"""`tensorflow_addons.image.interpolate_spline`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import OneOf, Shaped, Within, replaces
from pipeport.errors import WrongType, explain
from pipeport.kernels.addons import _spline
from pipeport.kernels.inputs.arrays import static_value
from pipeport.tensorflow_addons.image import _arguments

_FLOATS = ("float32", "float64")


def well_conditioned(points: Any, order: int, weight: float) -> bool:
    """Say whether the system that a spline solves keeps five digits of float32's seven."""
    centres = np.asarray(points, np.float64)
    batch, count, axes = centres.shape
    squared = np.sum((centres[:, :, None] - centres[:, None]) ** 2, axis=-1)
    radial = np.maximum(squared, 1e-10) ** (order / 2)
    if order % 2 == 0:
        radial = 0.5 * radial * np.log(np.maximum(squared, 1e-10))
    matrix = np.zeros((batch, count + axes + 1, count + axes + 1))
    matrix[:, :count, :count] = radial + max(weight, 0.0) * np.eye(count)
    linear = np.concatenate([centres, np.ones((batch, count, 1))], axis=2)
    matrix[:, :count, count:], matrix[:, count:, :count] = linear, linear.transpose(0, 2, 1)
    return bool((np.linalg.cond(matrix) < 100).all())


def _valid(arguments: Mapping[str, Any]) -> bool:
    arrays = [np.asarray(arguments[name]) for name in ("train_points", "train_values", "query_points")]
    if len({array.dtype for array in arrays}) > 1:
        return False
    weight = float(arguments.get("regularization_weight", 0.0))
    return well_conditioned(arrays[0], int(arguments["order"]), weight)


@replaces(
    "tensorflow_addons.image.interpolate_spline",
    domain={
        # Sizes that verify may not grow: points given twice determine no spline.
        "train_points": Shaped(shape=(2, 5, 2), dtypes=_FLOATS, values=(-1.5, 1.5), per_image=True),
        "train_values": Shaped(shape=(2, 5, 3), dtypes=_FLOATS, per_image=True),
        "query_points": Shaped(shape=(2, (1, 6), 2), dtypes=_FLOATS, values=(-1.5, 1.5), per_image=True),
        "order": OneOf(1, 2, 3, 4, 5, typical=2),
        "regularization_weight": OneOf(0.0, 0.5, 2.0),
        "name": OneOf("interpolate_spline", None, "thin"),
    },
    agreement=Within(
        2e-4, "a system of linear equations of condition below 100, which XLA solves in another way"
    ),
    aliases=(
        "tf.contrib.image.interpolate_spline",
        "tensorflow.contrib.image.interpolate_spline",
        "tfa.image.interpolate_spline",
    ),
    valid=_valid,
)
def interpolate_spline(
    train_points: Any,
    train_values: Any,
    query_points: Any,
    order: int,
    regularization_weight: float = 0.0,
    name: str | None = "interpolate_spline",
) -> Any:
    """Interpolate scattered values by polyharmonic splines.

    Parameters
    ----------
    train_points : tf.Tensor, shape (B, n, d), float32 or float64
        Where values are known. Sizes may be unknown while tracing, d and the ranks too.
    train_values : tf.Tensor, shape (B, n, k), dtype of `train_points`
        The values; k may be unknown while tracing.
    query_points : tf.Tensor, shape (B, m, d), dtype of `train_points`
        Where values are wanted.
    order : int
        Order of the radial function: 1 for r, 2 for the thin plate's r^2 log r, 3 for r^3 and so on.
    regularization_weight : float, default 0.0
        Weight of smoothness against passing through the values; nothing if negative.
    name : str, optional
        Name scope of the operations.

    Returns
    -------
    tf.Tensor, shape (B, m, k), dtype of `train_points`
        The spline at the queries.

    Raises
    ------
    WrongType
        The tensors are not of one dtype, float32 or float64; order or weight is not a number.
    OutsideDomain
        A tensor is not of rank 3.
    tf.errors.InvalidArgumentError
        Sizes do not go together; the points do not determine a spline (less than d + 1, all in
        one line, or one twice).

    Notes
    -----
    Differences from the reference: none; it needs d and k while tracing, this does not. Dtypes that
    do not go together are a type error here, a value error there; float16 fails in both.

    Agreement: the same operations as the reference's, equal outside XLA but for rounding; there the
    equations are solved in another way, and the result is within 2e-4 where their condition is below
    100. Gradients are TensorFlow's own.

    Graph: graph ops, not compiled: TensorFlow's own solver is faster than XLA's. Static shape is kept.

    Source: `tensorflow_addons/image/interpolate_spline.py` 0.23.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.tensorflow_addons.image import interpolate_spline
    >>> points = tf.constant([[[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]])
    >>> values = tf.reduce_sum(points, axis=2, keepdims=True)
    >>> interpolate_spline(points, values, [[[0.5, 0.25]]], order=2).numpy().round(4).tolist()
    [[[0.75]]]
    """
    with tf.name_scope(name or "interpolate_spline"):
        if isinstance(order, bool) or not isinstance(order, (int, float, np.integer, np.floating)):
            raise WrongType(explain("order", repr(order), "a Python number", "2 gives thin plates."))
        points = _tensor(train_points, "train_points", None)
        values = _tensor(train_values, "train_values", points.dtype)
        queries = _tensor(query_points, "query_points", points.dtype)
        weight = _weight(regularization_weight)
        result = _spline.interpolated(points, values, queries, order, weight)
        # Either batch may be one, and serve all of the other.
        mine, theirs = points.shape[0], queries.shape[0]
        batch = theirs if mine == 1 or (mine is None and theirs != 1) else mine
        return tf.ensure_shape(result, [batch, queries.shape[1], values.shape[2]])


def _tensor(value: Any, name: str, dtype: Any) -> Any:
    tensor = _arguments.tensor_of(value, name)
    allowed = _FLOATS if dtype is None else (dtype.name,)
    if tensor.dtype.name not in allowed:
        raise WrongType(
            explain(name, f"dtype {tensor.dtype.name}", " or ".join(allowed), "Cast it with tf.cast.")
        )
    return _arguments.of_ranks(tensor, (3,), "rank 3: batch, points, axes", name)


def _weight(value: Any) -> float:
    known: Any = static_value(value, "regularization_weight")
    known = None if tf.is_tensor(known) else known
    if isinstance(known, bool) or (not np.isscalar(known) and np.ndim(known)) or isinstance(known, str):
        known = None
    if known is None:
        raise WrongType(
            explain("regularization_weight", repr(value), "a Python number", "It shapes the graph.")
        )
    return float(known)
