"""`scipy.linalg.pinv`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._products import pseudo_inverse
from pipeport.contract import AsReference, CannotServe, Matrix, OneOf, batchable, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor, known_rank, sizes_of

_UNEVEN = [[3.2, -8.2, -2.8], [2.6, -3.9, 8.1], [-6.2, -2.0, 1.6]]


def _tolerance(value: Any, name: str) -> Any:
    number = _checks.finite_scalar(value, name)
    if tf.is_tensor(number) or number < 0:
        raise OutsideDomain(explain(name, repr(value), "a Python number from 0", "Give a float."))
    return number


@replaces(
    "scipy.linalg.pinv",
    domain={
        "a": Matrix(rows=2, columns=3, kind="affine", tensor=True),
        "atol": OneOf(None, 1e-9),
        "rtol": OneOf(None, 1e-9),
        "check_finite": OneOf(True, False),
    },
    agreement=AsReference(),
    refused={"return_rank": "the pseudo-inverse alone is given"},
    cannot_serve=(
        CannotServe(
            "xla",
            "XLA's singular values are off by some 1e-6",
            witness=lambda: {"a": tf.constant(_UNEVEN, tf.float64)},
            inexact=True,
        ),
    ),
)
@batchable
def pinv(
    batch_axes: int,
    a: Any,
    *,
    atol: Any = None,
    rtol: Any = None,
    return_rank: bool = False,
    check_finite: bool = True,
) -> Any:
    """Return the pseudo-inverse of a matrix.

    Parameters
    ----------
    a : array_like, shape (M, N), bool or any number
        The matrix; sizes may be unknown while tracing.
    atol, rtol : float, optional
        Singular values up to `atol`, and `rtol` of the largest, count as zero: 0, and the larger side times
        the epsilon of the dtype.
    return_rank : False
        Refused otherwise: the pseudo-inverse alone is given.
    check_finite : bool, default True
        Whether NaN and infinities are refused.

    Returns
    -------
    tf.Tensor, shape (N, M), float32, float64 or complex
        The pseudo-inverse; float64 of bool and integers.

    Raises
    ------
    OutsideDomain
        `a` is not a matrix, has no elements or numbers that are not finite, or a tolerance is negative.
    UnsupportedArgument
        `return_rank`, or the rank of the array is unknown while tracing.
    WrongType
        A tolerance is not a number, or `a` no array.
    tf.errors.InvalidArgumentError
        A number turns out to be not finite.

    Notes
    -----
    Agreement: as accurate as the reference, judged against it in float64.
    Graph: singular values, and a product. Static shape is kept.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.linalg import pinv
    >>> pinv(tf.constant([[2.0, 0.0], [0.0, 4.0]])).numpy().tolist()
    [[0.5, 0.0], [0.0, 0.25]]
    """
    if _checks.flag(return_rank, "return_rank"):
        advice = "Count the singular values with tf.linalg.svd."
        raise UnsupportedArgument(explain("return_rank", "True", "False", advice))
    checked = _checks.flag(check_finite, "check_finite")
    x = as_tensor(a, "a")
    if known_rank(x, "a") != 2 + batch_axes:
        raise OutsideDomain(explain("a", f"rank {x.shape.rank}", "a matrix", "Use pipeport.batched."))
    if x.dtype == tf.float16 or not (x.dtype.is_floating or x.dtype.is_complex):
        x = tf.cast(x, tf.float32 if x.dtype == tf.float16 else tf.float64)
    if checked and not x.dtype.is_complex:
        x = _checks.finite(x, "a", "finite numbers")
    absolute = 0.0 if atol is None else _tolerance(atol, "atol")
    rows, columns = sizes_of(x)[-2:]
    known = isinstance(rows, int) and isinstance(columns, int)
    most = max(rows, columns) if known else tf.cast(tf.maximum(rows, columns), tf.float64)
    eps = float(np.finfo(x.dtype.as_numpy_dtype).eps)
    relative = most * eps if rtol is None else _tolerance(rtol, "rtol")
    if known and math.prod((rows, columns)) == 0:
        raise OutsideDomain(explain("a", f"shape {x.shape}", "one element or more", "Leave it out."))
    return pseudo_inverse(x, tf.cast(relative, tf.float64), absolute)
