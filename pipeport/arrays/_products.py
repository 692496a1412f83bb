"""Products of matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pipeport._lazy import tf
from pipeport.arrays._along import known_rank
from pipeport.errors import OutsideDomain, explain


def matmul(a: Any, b: Any) -> Any:
    """Multiply matrices, as `a @ b`.

    Parameters
    ----------
    a, b : tf.Tensor of one dtype, bool or any number
        Vectors, matrices, or stacks of them, which broadcast.

    Returns
    -------
    tf.Tensor, dtype of `a`
        The products; integers wrap around, of bool whether any pair holds. float16 is added in float32.

    Raises
    ------
    OutsideDomain
        One has rank 0, or the sizes do not match.
    UnsupportedArgument
        A rank is not known while tracing.
    tf.errors.InvalidArgumentError
        Sizes unknown while tracing turn out not to match.
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
    return _multiplied(tf.matmul, a, b)


def dot(a: Any, b: Any) -> Any:
    """Multiply arrays along the last axis of one and the last but one of the other, as `numpy.dot`.

    Parameters
    ----------
    a, b : tf.Tensor of one dtype, bool or any number
        Scalars multiply; of a vector, the one axis counts.

    Returns
    -------
    tf.Tensor, dtype of `a`
        The products; integers wrap around, of bool whether any pair holds. float16 is added in float32.

    Raises
    ------
    OutsideDomain
        The sizes do not match.
    UnsupportedArgument
        A rank is not known while tracing.
    tf.errors.InvalidArgumentError
        Sizes unknown while tracing turn out not to match.
    """
    if 0 in (known_rank(a), known_rank(b, "b")):
        return tf.logical_and(a, b) if a.dtype.is_bool else tf.multiply(a, b)
    along = max(b.shape.rank - 2, 0)
    _same(a.shape[-1], b.shape[along])
    return _multiplied(lambda a, b: tf.tensordot(a, b, [[a.shape.rank - 1], [along]]), a, b)


def _same(left: int | None, right: int | None) -> None:
    if left != right and None not in (left, right):
        advice = "The last axis of `a` runs along the last but one of `b`."
        raise OutsideDomain(explain("b", f"size {right} for {left} of `a`", "one size", advice))


def _multiplied(product: Callable[[Any, Any], Any], a: Any, b: Any) -> Any:
    """Multiply in a dtype that TensorFlow has a product of."""
    dtype = a.dtype
    if dtype.is_bool:
        return product(tf.cast(a, tf.float32), tf.cast(b, tf.float32)) > 0
    if dtype == tf.float16 or (dtype.is_integer and dtype.size <= 2):
        # TensorFlow 2.15 adds float16 in float16: 0.35 off where NumPy is 0.03. Narrow integers wrap around.
        wide = tf.float32 if dtype == tf.float16 else tf.int32
        return tf.cast(product(tf.cast(a, wide), tf.cast(b, wide)), dtype)
    if dtype in (tf.uint32, tf.uint64):  # modulo 2**32 and 2**64 they are the signed ones
        signed = tf.int32 if dtype == tf.uint32 else tf.int64
        return tf.bitcast(product(tf.bitcast(a, signed), tf.bitcast(b, signed)), dtype)
    return product(a, b)
