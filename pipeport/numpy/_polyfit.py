"""polyfit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._along import ordered
from pipeport.arrays._cast import cast
from pipeport.contract import CannotServe, Integer, OneOf, Shaped, Within
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.inputs.arrays import known_rank
from pipeport.kernels.inputs.integers import whole_number
from pipeport.numpy._families import numpy_native, refuse, tensor

_FLOATS = ("float32", "float64", "int32")
_WEIGHTS = (0.5, 0.0, 1.0, 2.0, 1.0, -0.25, 1.0)
_WIDE = np.dtype(np.float64)


def _points(x: Any, y: Any) -> tuple[Any, Any]:
    abscissae, values = (ordered(tensor(one, name), "a fit") for one, name in ((x, "x"), (y, "y")))
    if known_rank(abscissae, "x") != 1 or known_rank(values, "y") not in (1, 2):
        given = f"ranks {abscissae.shape.rank} and {values.shape.rank}"
        raise OutsideDomain(explain("x, y", given, "a vector, and one or a matrix", "Flatten them."))
    return _as_many(abscissae, values, "x, y", "Give a value for each abscissa."), values


def _as_many(one: Any, other: Any, names: str, advice: str) -> Any:
    """Return an array, checked to have as many elements as another, and one at least."""
    sizes = one.shape[0], other.shape[0]
    allowed = "as many, and one or more"
    if 0 in sizes or (sizes[0] != sizes[1] and None not in sizes):
        raise OutsideDomain(explain(names, f"{sizes[0]} and {sizes[1]} elements", allowed, advice))
    if None not in sizes:
        return one
    count, others = tf.shape(one)[0], tf.shape(other)[0]
    fits = tf.equal(count, others) & (count > 0)
    message = explain(names, "another number of elements", allowed, advice)
    with tf.control_dependencies([tf.debugging.Assert(fits, [message, count, others])]):
        return tf.identity(one)


def _weights(w: Any, values: Any) -> Any:
    """Return the weights of points as a column of float64."""
    found = ordered(tensor(w, "w"), "a fit")
    if known_rank(found, "w") != 1:
        raise OutsideDomain(explain("w", f"rank {found.shape.rank}", "a vector", "Flatten it."))
    return cast(_as_many(found, values, "w, y", "Give a weight for each value."), _WIDE)[:, tf.newaxis]


def _spread(given: Mapping[str, Any]) -> bool:
    """Say that the abscissae lie apart, and are more than the coefficients: others have no one right fit."""
    weights = 1 if given.get("w") is None else np.asarray(given["w"], np.float64)
    x, count = np.asarray(given["x"], np.float64), given["deg"] + 1
    places = np.unique(x[np.broadcast_to(weights != 0, x.shape)])
    apart = len(places) > count and np.diff(places).min() > 0.05
    return bool(apart and np.linalg.cond((np.vander(x, count).T * weights).T) < 1e4)


@numpy_native(
    "numpy.polyfit", "Fit a polynomial to points, by least squares.",
    domain={"x": Shaped(shape=(7,), dtypes=_FLOATS, values=(-3.0, 3.0), per_image=True),
            "y": Shaped(shape=("x.0",), dtypes=_FLOATS, values=(-3.0, 3.0), per_image=True),
            "deg": Integer(0, 3), "w": OneOf(None, None, (1, 2, 3, 4, 3, 2, 1), _WEIGHTS)},
    parameters={"x": "array_like, shape (M,), integers or floats\nThe abscissae; M may be unknown.",
                "y": "array_like, shape (M,) or (M, K)\nThe values, of K sets of points.",
                "deg": "int\nThe degree, from 0.",
                "w": "None or array_like, shape (M,), integers or floats\nBy what distances are multiplied "
                     "before they are squared; None for 1."},
    returns="tf.Tensor, shape (deg + 1,) or (deg + 1, K), float64\nThe coefficients, that of the highest "
            "power first.",
    agreement=Within(1e-9, "singular values by another algorithm"), words="within 1e-9.", valid=_spread,
    raises={"OutsideDomain": "`deg` is negative, there are no points, or ranks or sizes do not fit.",
            "tf.errors.InvalidArgumentError": "The same of sizes unknown while tracing."},
    graph="singular values of a matrix of deg + 1 columns; static shape is kept.",
    cannot_serve=(
        CannotServe("xla", "XLA's singular values are off by some 1e-6",
                    lambda: {"x": np.arange(6.0), "y": np.array([0.3, 1.1, -2.0, 7.1, 3.3, 0.9]), "deg": 3},
                    inexact=True),
    ),
    example=("[0.0, 1.0, 2.0], [1.0, 3.0, 5.0], 0",
             "<tf.Tensor: shape=(1,), dtype=float64, numpy=array([3.])>"),
)  # fmt: skip
def polyfit(
    x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None, cov: Any = False
) -> Any:
    refuse(rcond=(rcond, None), full=(full, False), cov=(cov, False))
    (abscissae, values), degree = _points(x, y), whole_number(deg, "deg", 0)
    wide = [cast(one, _WIDE) for one in (abscissae, values)]
    columns = tf.stack([wide[0] ** power for power in range(degree, -1, -1)], 1)
    sides = wide[1] if wide[1].shape.rank == 2 else wide[1][:, tf.newaxis]
    if w is not None:
        weights = _weights(w, values)
        columns, sides = columns * weights, sides * weights
        if values.dtype.is_floating:  # NumPy multiplies the values in place
            sides = tf.cast(tf.cast(sides, values.dtype), tf.float64)
    scale = tf.sqrt(tf.reduce_sum(tf.square(columns), 0))
    singular, left, right = tf.linalg.svd(columns / scale, full_matrices=False)
    count = tf.cast(tf.shape(columns)[0], tf.float64)
    least = count * tf.constant(_eps(abscissae), tf.float64) * tf.reduce_max(singular)
    inverse = tf.where(singular > least, tf.math.reciprocal(singular), tf.zeros_like(singular))
    right = right * inverse / scale[:, tf.newaxis]
    found = tf.matmul(right, tf.matmul(left, sides, transpose_a=True))
    return found if wide[1].shape.rank == 2 else found[:, 0]


def _eps(x: Any) -> float:
    return float(np.finfo(x.dtype.as_numpy_dtype if x.dtype.is_floating else _WIDE).eps)
