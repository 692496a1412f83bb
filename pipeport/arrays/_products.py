"""Products of matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.arrays._sums import WIDER
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.inputs.arrays import known_rank

# TensorFlow adds the products of few results in a row: of 811,200 pairs of float32 the sum is 22,000 units in
# the last place off, XLA's 167,000 and NumPy's 49. Up to how many results, and from how many pairs on.
_FEW, _MANY = 15, 1024
# The same of a matrix and a vector, whatever the number of results.
_MANY_OF_A_VECTOR = 32_768


def matmul(a: Any, b: Any) -> Any:
    """Multiply matrices, as `a @ b`.

    `a`, `b`: vectors, matrices, or stacks of them, which broadcast. Returns: the products; integers wrap
    around, of bool whether any pair holds. float16 is added in float32.
    """
    ranks = known_rank(a), known_rank(b, "b")
    for parameter, rank in zip("ab", ranks, strict=True):
        if rank == 0:
            advice = "Multiply by a scalar with `*`."
            raise OutsideDomain(explain(parameter, "rank 0", "rank 1 or more", advice))
    if min(ranks) == 1 or ranks[1] == 2:
        return dot(a, b)  # the same here, of vectors too
    _same(a.shape[-1], b.shape[-2])
    try:
        tf.broadcast_static_shape(a.shape[:-2], b.shape[:-2])
    except ValueError as error:
        allowed, advice = "stacks that broadcast", "Add axes of size one."
        raise OutsideDomain(explain("b", f"shape {b.shape} beside {a.shape}", allowed, advice)) from error
    return multiplied(tf.matmul, a, b, long=runs_long(a.shape[-1], a.shape[-2], b.shape[-1]))


def dot(a: Any, b: Any) -> Any:
    """Multiply arrays along the last axis of one and the last but one of the other, as `numpy.dot`.

    `a`, `b`: scalars multiply; of a vector, the one axis counts. Returns: the products; integers wrap around,
    of bool whether any pair holds. float16 is added in float32.
    """
    if 0 in (known_rank(a), known_rank(b, "b")):
        return tf.logical_and(a, b) if a.dtype.is_bool else tf.multiply(a, b)
    along = max(b.shape.rank - 2, 0)
    _same(a.shape[-1], b.shape[along])
    if a.shape.rank == b.shape.rank == 1 and None not in (a.shape[0], b.shape[0]):
        # 811,200 of float32: 0.26 ms, `tensordot` 1.4, in float64 0.7. Unknown, a size of one would spread.
        return multiplied(lambda a, b: tf.reduce_sum(a * b), a, b)
    columns = b.shape[:along].concatenate(b.shape[along + 1 :]).num_elements()
    long = runs_long(a.shape[-1], a.shape[:-1].num_elements(), columns)
    return multiplied(lambda a, b: tf.tensordot(a, b, [[a.shape.rank - 1], [along]]), a, b, long=long)


def _same(left: int | None, right: int | None) -> None:
    if left != right and None not in (left, right):
        advice = "The last axis of `a` runs along the last but one of `b`."
        raise OutsideDomain(explain("b", f"size {right} for {left} of `a`", "one size", advice))


def runs_long(pairs: int | None, rows: int | None, columns: int | None) -> bool:
    """Say whether TensorFlow may add many products in a row.

    `pairs`: how many products each result is a sum of; None if tracing does not know. Returns: whether
    products of float32 need float64.
    """
    pairs = _MANY_OF_A_VECTOR if pairs is None else pairs
    few = rows is not None and columns is not None and rows * columns <= _FEW
    return (few and pairs >= _MANY) or (columns == 1 and pairs >= _MANY_OF_A_VECTOR)


def multiplied(product: Callable[..., Any], *parts: Any, long: bool = False) -> Any:
    """Multiply in a dtype that TensorFlow has a product of; wrapped around, fewer bits are the same.

    `long`: whether many products may be added in a row, see `runs_long`.
    """
    dtype = parts[0].dtype
    if dtype.is_bool:
        return product(*(tf.cast(x, tf.float32) for x in parts)) > 0
    if dtype in (tf.uint32, tf.uint64):  # modulo 2**32 and 2**64 they are the signed ones
        signed = tf.int32 if dtype == tf.uint32 else tf.int64
        return tf.bitcast(product(*(tf.bitcast(x, signed) for x in parts)), dtype)
    wide = dtype.name
    if dtype == tf.float16 or (dtype.is_integer and dtype.size <= 2):
        # TensorFlow 2.15 adds float16 in float16: 0.35 off where NumPy is 0.03. Narrow integers wrap around.
        wide = "float32" if dtype == tf.float16 else "int32"
    wide = WIDER.get(wide, wide) if long else wide
    return tf.cast(product(*(tf.cast(x, wide) for x in parts)), dtype)


def pseudo_inverse(x: Any, relative: Any, absolute: float = 0.0) -> Any:
    """Return pseudo-inverses of matrices (..., M, N) of float32, float64 or complex, in their dtype.

    `relative`: float64, one number or one a matrix; singular values up to this part of the largest, and
    `absolute`, count as zero.
    """
    # In float32 a pseudo-inverse was off by 6.4e-6, where NumPy's own error allows 3.2e-6.
    wide = tf.cast(x, tf.complex128 if x.dtype.is_complex else tf.float64)
    values, left, right = tf.linalg.svd(wide, full_matrices=False)
    large = values > absolute + tf.expand_dims(relative, -1) * tf.reduce_max(values, -1, keepdims=True)
    inverse = tf.where(
        large, tf.math.reciprocal(tf.where(large, values, tf.ones_like(values))), tf.zeros_like(values)
    )
    found = tf.matmul(right * tf.cast(inverse, wide.dtype)[..., tf.newaxis, :], left, adjoint_b=True)
    return tf.cast(found, x.dtype)
