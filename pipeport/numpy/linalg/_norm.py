"""norm."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays import _reduce
from pipeport.arrays._along import axes_of, flag
from pipeport.arrays._cast import cast
from pipeport.arrays._sums import added
from pipeport.contract import AsReference, Boolean, CannotServe, OneOf, Shaped
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.inputs.arrays import known_rank
from pipeport.kernels.inputs.integers import static
from pipeport.numpy._families import REALS, numpy_native, tensor
from pipeport.numpy._reductions import CLOSE

# XLA finds its singular values 1e-13 off.
_UNEVEN = [[6.7, 8.4, 6.6], [0.6, -4.8, -8.8], [-1.3, -1.8, 0.4], [-0.4, 1.0, 0.8]]
_MATRIX = "None, 'fro', 'nuc', 1, -1, 2, -2, inf, -inf"


def _total(x: Any, axes: Any, keep: bool) -> Any:
    return added(x, None if axes is None else np.atleast_1d(axes), keep)


def _vector(x: Any, ord_: Any, axis: int, keep: bool) -> Any:
    size = tf.abs(x)
    if ord_ in (None, 2):
        return tf.sqrt(_total(size * size, axis, keep))
    if ord_ in (np.inf, -np.inf):
        return (_reduce.largest if ord_ > 0 else _reduce.smallest)(size, axis, keep)
    if ord_ == 0:
        return _total(cast(tf.not_equal(x, 0), np.dtype(size.dtype.as_numpy_dtype)), axis, keep)
    if ord_ == 1:
        return _total(size, axis, keep)
    if isinstance(ord_, str):
        allowed, advice = "a number or None", "Name two axes for the norm of a matrix."
        raise OutsideDomain(explain("ord", repr(ord_), allowed, advice))
    power = tf.constant(ord_, size.dtype)
    return tf.pow(_total(tf.pow(size, power), axis, keep), tf.constant(1 / ord_, size.dtype))


def _matrix(x: Any, ord_: Any, rows: int, columns: int, keep: bool) -> Any:
    if ord_ in (None, "fro"):
        size = tf.abs(x)
        return tf.sqrt(_total(size * size, [rows, columns], keep))
    if ord_ in ("nuc", 2, -2):
        rest = [axis for axis in range(x.shape.rank) if axis not in (rows, columns)]
        values = tf.linalg.svd(tf.transpose(x, [*rest, rows, columns]), compute_uv=False)
        found = (
            tf.reduce_sum(values, -1)
            if ord_ == "nuc"
            else (_reduce.largest if ord_ > 0 else _reduce.smallest)(values, -1)
        )
        for axis in sorted((rows, columns)) if keep else ():
            found = tf.expand_dims(found, axis)
        return found
    if ord_ not in (1, -1, np.inf, -np.inf):
        raise OutsideDomain(explain("ord", repr(ord_), _MATRIX, "Name one of these."))
    along, other = (rows, columns) if ord_ in (1, -1) else (columns, rows)
    sums = _total(tf.abs(x), along, True)
    found = (_reduce.largest if ord_ > 0 else _reduce.smallest)(sums, other, True)
    return found if keep else tf.squeeze(found, [rows, columns])


@numpy_native(
    "numpy.linalg.norm", "Return the norm of vectors or matrices.",
    domain={"x": Shaped(shape=((1, 4), (1, 4)), dtypes=REALS, values=(-9.0, 9.0), per_image=True),
            "ord": OneOf(None, 1, -1, 2, float("inf"), float("-inf"), "fro", "nuc", 0, 3),
            "axis": OneOf(None, 0, -1, (0, 1), (-1, 0)), "keepdims": Boolean()},
    valid=lambda given: _takes(given),  # noqa: PLW0108 - defined below
    parameters={"x": "array_like, bool or any number\nThe numbers; their rank must be known.",
                "ord": f"None, number, 'fro' or 'nuc', default None\nWhich norm. Of matrices {_MATRIX}.",
                "axis": "None, int or (int, int), default None\nAlong which axes vectors or matrices "
                        "lie; None takes all.",
                "keepdims": "bool, default False\nWhether the axes stay, with size one."},
    returns="tf.Tensor, dtype of `x`, of bool and integers float64\nThe norms.", agreement=AsReference(),
    words=CLOSE + " The error of the norm -2 is measured by the norm 2.",
    example=("[3.0, 4.0]", "<tf.Tensor: shape=(), dtype=float64, numpy=5.0>"),
    raises={"BadAxis": "`x` has no such axis.",
            "OutsideDomain": "There is no such norm, or no element that may be the largest."},
    graph="a few ops, or singular values; static shape is kept.",
    cannot_serve=(
        CannotServe("xla", "XLA's singular values, for `ord` 2, -2 and 'nuc', are off by some 1e-6",
                    lambda: {"x": np.array(_UNEVEN), "ord": "nuc"},
                    lambda given: _asks_for_singular_values(given),  # noqa: PLW0108 - defined below
                    inexact=True),
    ),
)  # fmt: skip
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Any:
    value, keep, which = tensor(x, "x"), flag(keepdims, "keepdims"), static(ord, "ord")
    if not (value.dtype.is_floating or value.dtype.is_complex):
        value = cast(value, np.dtype("float64"))
    own, rank = value.dtype, known_rank(value, "x")
    if own == tf.float16:
        value = tf.cast(value, tf.float32)
    axes = None if axis is None else [int(one) for one in axes_of(value, axis, scalar=False).reshape(-1)]
    if axes is None and (which is None or (which == 2 and rank == 1) or (which == "fro" and rank == 2)):
        size = tf.abs(value)
        found = tf.sqrt(_total(size * size, None, keep))
    else:
        axes = list(range(rank)) if axes is None else axes
        if len(axes) not in (1, 2):
            advice = "Name one axis for vectors, two for matrices."
            raise OutsideDomain(explain("axis", f"{len(axes)} axes", "1, 2", advice))
        found = (
            _vector(value, which, axes[0], keep)
            if len(axes) == 1
            else _matrix(value, which, axes[0], axes[1], keep)
        )
    return tf.cast(found, own) if own == tf.float16 else found


def _asks_for_singular_values(given: Any) -> bool:
    axis = given["axis"]
    return given["ord"] in ("nuc", 2, -2) and (np.ndim(given["x"]) if axis is None else np.size(axis)) == 2


def _takes(given: Any) -> bool:
    """Say that the norm is one of vectors, or one of matrices, as the axes are."""
    axis, which, x = given.get("axis"), given.get("ord"), np.asarray(given["x"])
    count = x.ndim if axis is None else np.size(axis)
    if axis is None and which is None:
        return True
    if count == 1:
        return not isinstance(which, str)
    return count == 2 and which not in (0, 3) and not (x.dtype == np.float16 and which in ("nuc", 2, -2))
