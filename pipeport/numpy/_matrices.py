"""Matrices: their diagonals and triangles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.arrays import _diagonal, _reduce
from pipeport.arrays._basic import size_of
from pipeport.arrays._one_pass import one_pass
from pipeport.contract import Array, AsReference, Exact, Integer, Maybe, OneOf
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels.inputs.arrays import known_rank
from pipeport.kernels.inputs.integers import whole_number
from pipeport.numpy._families import REALS, numpy_native, refuse, tensor
from pipeport.numpy._reductions import BITS, CLOSE

_MATRICES = "array_like, bool or any number\nOf two axes at least; sizes may be unknown, the rank not."
_OFFSET = "int, default 0\nWhich diagonal: 0 is the main one, positive ones lie above it."
_AXES = {
    "axis1": "int, default 0\nThe axis of the rows.",
    "axis2": "int, default 1\nThe axis of the columns.",
}
_RAISES = {
    "BadAxis": "`a` has no such axis.",
    "OutsideDomain": "`a` has fewer than two axes, or both are one.",
    "UnsupportedArgument": "The rank is not known while tracing.",
}
_DOMAIN = {
    "a": Array(dtypes=REALS, ranks=(1, 2, 3), sides=(0, 5)),
    "offset": Integer(-3, 3),
    "axis1": Integer(-2, 1, typical=0),
    "axis2": Integer(-2, 1, typical=1),
}


@numpy_native(
    "numpy.diagonal", "Return the diagonals of matrices.", view_of="first", domain=_DOMAIN,
    parameters={"a": _MATRICES, "offset": _OFFSET, **_AXES},
    returns="tf.Tensor, dtype of `a`\nThe other axes, and the diagonal as the last one.",
    agreement=Exact(), words=BITS, raises=_RAISES,
    example=("[[1, 2], [3, 4]]", "<tf.Tensor: shape=(2,), dtype=int64, numpy=array([1, 4])>"),
)  # fmt: skip
def diagonal(a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
    return _diagonal.diagonal(tensor(a, "a"), offset, axis1, axis2)


@numpy_native(
    "numpy.trace", "Return the sums of the diagonals of matrices.",
    domain={**_DOMAIN, "a": Array(dtypes=REALS, ranks=(1, 2, 3), sides=(0, 4), values=(0.0, 100.0)),
            "dtype": Maybe(spec=OneOf("float64"))},
    parameters={"a": _MATRICES, "offset": _OFFSET, **_AXES,
                "dtype": "dtype or None, default None\nIn which dtype; None widens integers to 64 bits."},
    returns="tf.Tensor\nThe other axes; integers wrap around.", agreement=AsReference(), words=CLOSE,
    raises=_RAISES,
    example=("[[1, 2], [3, 4]]", "<tf.Tensor: shape=(), dtype=int64, numpy=5>"),
)  # fmt: skip
def trace(a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1, dtype: Any = None, out: Any = None) -> Any:
    refuse(out=(out, None))
    return _reduce.total(_diagonal.diagonal(tensor(a, "a"), offset, axis1, axis2), -1, dtype)


@numpy_native(
    "numpy.diag", "Return the diagonal of a matrix, or the matrix with a diagonal and zeros beside.",
    view_of="first",
    domain={"v": Array(dtypes=REALS, ranks=(0, 1, 2), sides=(0, 5)), "k": Integer(-3, 3)},
    parameters={"v": "array_like, bool or any number\nA matrix, or the elements of a diagonal.",
                "k": _OFFSET},
    returns="tf.Tensor, dtype of `v`\nThe diagonal, or the matrix.", agreement=Exact(), words=BITS,
    raises={"OutsideDomain": "`v` has neither one axis nor two.",
            "UnsupportedArgument": "The rank is not known while tracing."},
    example=("[1, 2]", "<tf.Tensor: shape=(2, 2), dtype=int64, numpy=\narray([[1, 0],\n       [0, 2]])>"),
)  # fmt: skip
def diag(v: Any, k: Any = 0) -> Any:
    x, above = tensor(v, "v"), whole_number(k, "k")
    rank = known_rank(x, "v")
    if rank not in (1, 2):
        raise OutsideDomain(explain("v", f"rank {rank}", "one axis or two", "Reshape it, or use diagonal."))
    if rank == 2:
        return _diagonal.diagonal(x, above)
    # In each row stands the element of the diagonal that lies in it, if one does.
    rows = tf.pad(x, [[max(-above, 0), max(above, 0)]]) if not x.dtype.is_bool else _padded(x, above)
    size = size_of(rows, 0)
    here = _below(size, size, above) & ~_below(size, size, above - 1)
    return tf.where(here, rows[:, tf.newaxis], tf.zeros([], x.dtype))


def _padded(x: Any, above: int) -> Any:
    around = [tf.zeros([max(count, 0)], tf.bool) for count in (-above, above)]
    return tf.concat([around[0], x, around[1]], 0)


def _below(rows: Any, columns: Any, k: int) -> Any:
    """Say of each element of a matrix whether it lies on the diagonal `k` or below."""
    return tf.range(columns) - tf.range(rows)[:, tf.newaxis] <= k


def _kept(x: Any, *, above: int, lower: bool) -> Any:
    """Return matrices with zeros on one side of a diagonal; of one axis a matrix whose rows are alike."""
    last = x.shape.rank - 1
    below, zero = _below(size_of(x, max(last - 1, 0)), size_of(x, last), above), tf.zeros([], x.dtype)
    return tf.where(below, x, zero) if lower else tf.where(below, zero, x)


def _triangle(name: str, summary: str, shown: str, *, lower: bool) -> Callable[..., Any]:
    def function(m: Any, k: Any = 0) -> Any:
        x, above = tensor(m, "m"), whole_number(k, "k")
        rank = known_rank(x, "m")
        if rank == 0:
            raise WrongType(explain("m", "rank 0", "one axis at least", "Reshape it first."))
        return one_pass(_kept, x, above=above if lower else above - 1, lower=lower)

    function.__name__ = function.__qualname__ = name
    return numpy_native(
        f"numpy.{name}", summary,
        domain={"m": Array(dtypes=REALS, ranks=(0, 1, 2, 3), sides=(0, 5)), "k": Integer(-3, 3)},
        parameters={"m": _MATRICES, "k": _OFFSET},
        returns="tf.Tensor, dtype of `m`\nThe matrices, zeros elsewhere; of one axis a matrix of such rows.",
        agreement=Exact(), words=BITS,
        raises={"WrongType": "`m` is not an array, or has no axis.",
                "UnsupportedArgument": "The rank is not known while tracing."},
        example=("[[1, 2], [3, 4]]",
                 f"<tf.Tensor: shape=(2, 2), dtype=int64, numpy=\narray([{shown}])>"),
    )(function)  # fmt: skip


tril = _triangle("tril", "Keep the lower triangle of matrices.", "[1, 0],\n       [3, 4]", lower=True)
triu = _triangle("triu", "Keep the upper triangle of matrices.", "[1, 2],\n       [0, 4]", lower=False)
