"""polyfit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._along import ordered
from pipeport.arrays._cast import cast
from pipeport.contract import CannotServe, Integer, Shaped, Within
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.inputs.arrays import known_rank
from pipeport.kernels.inputs.integers import whole_number
from pipeport.numpy._families import numpy_native, refuse, tensor

_FLOATS = ("float32", "float64", "int32")
_WIDE = np.dtype(np.float64)


def _points(x: Any, y: Any) -> tuple[Any, Any]:
    abscissae, values = (ordered(tensor(one, name), "a fit") for one, name in ((x, "x"), (y, "y")))
    if known_rank(abscissae, "x") != 1 or known_rank(values, "y") not in (1, 2):
        given = f"ranks {abscissae.shape.rank} and {values.shape.rank}"
        raise OutsideDomain(explain("x, y", given, "a vector, and one or a matrix", "Flatten them."))
    sizes = abscissae.shape[0], values.shape[0]
    allowed, advice = "as many, and one or more", "Give a value for each abscissa."
    if 0 in sizes or (sizes[0] != sizes[1] and None not in sizes):
        raise OutsideDomain(explain("x, y", f"{sizes[0]} and {sizes[1]} elements", allowed, advice))
    if None in sizes:
        count, other = tf.shape(abscissae)[0], tf.shape(values)[0]
        fits = tf.equal(count, other) & (count > 0)
        message = explain("x, y", "another number of elements", allowed, advice)
        with tf.control_dependencies([tf.debugging.Assert(fits, [message, count, other])]):
            abscissae = tf.identity(abscissae)
    return abscissae, values


def _spread(given: Mapping[str, Any]) -> bool:
    """Say that the abscissae lie apart, and are more than the coefficients: others have no one right fit."""
    x = np.unique(np.asarray(given["x"], np.float64))
    count = given["deg"] + 1
    apart = len(x) > count and np.diff(x).min() > 0.05
    return bool(apart and np.linalg.cond(np.vander(x, count)) < 1e4)


@numpy_native(
    "numpy.polyfit", "Fit a polynomial to points, by least squares.",
    domain={"x": Shaped(shape=(7,), dtypes=_FLOATS, values=(-3.0, 3.0), per_image=True),
            "y": Shaped(shape=("x.0",), dtypes=_FLOATS, values=(-3.0, 3.0), per_image=True),
            "deg": Integer(0, 3)},
    parameters={"x": "array_like, shape (M,), integers or floats\nThe abscissae; M may be unknown.",
                "y": "array_like, shape (M,) or (M, K)\nThe values, of K sets of points.",
                "deg": "int\nThe degree, from 0."},
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
    refuse(rcond=(rcond, None), full=(full, False), w=(w, None), cov=(cov, False))
    (abscissae, values), degree = _points(x, y), whole_number(deg, "deg", 0)
    wide = [cast(one, _WIDE) for one in (abscissae, values)]
    columns = tf.stack([wide[0] ** power for power in range(degree, -1, -1)], 1)
    scale = tf.sqrt(tf.reduce_sum(tf.square(columns), 0))
    singular, left, right = tf.linalg.svd(columns / scale, full_matrices=False)
    count = tf.cast(tf.shape(columns)[0], tf.float64)
    least = count * tf.constant(_eps(abscissae), tf.float64) * tf.reduce_max(singular)
    inverse = tf.where(singular > least, tf.math.reciprocal(singular), tf.zeros_like(singular))
    right = right * inverse / scale[:, tf.newaxis]
    sides = wide[1] if wide[1].shape.rank == 2 else wide[1][:, tf.newaxis]
    found = tf.matmul(right, tf.matmul(left, sides, transpose_a=True))
    return found if wide[1].shape.rank == 2 else found[:, 0]


def _eps(x: Any) -> float:
    return float(np.finfo(x.dtype.as_numpy_dtype if x.dtype.is_floating else _WIDE).eps)
