"""Seeds from seeds."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain

# Named, because the default algorithm follows the device: draws would change with it.
ALGORITHM = "philox"
_ALLOWED = "two integers, shape (2,)"
_ADVICE = "Give for instance seed=(run, index), one per dataset element."


def as_seed(seed: Any, parameter: str = "seed", *, batch: bool = False) -> Any:
    """Return a seed as an int64 tensor of shape (2,).

    Always int64: TensorFlow derives other seeds from the same numbers in int32.

    Parameters
    ----------
    seed : array_like of two integers
        The seed.
    parameter : str
        Name for messages.
    batch : bool
        Whether shape (B, 2), one seed per element, is allowed too.

    Returns
    -------
    tf.Tensor, int64
        Of shape (2,), or (B, 2).

    Raises
    ------
    OutsideDomain
        Another shape.
    WrongType
        Not of an integer dtype.
    tf.errors.InvalidArgumentError
        A shape unknown at trace time turns out to be another.
    """
    if isinstance(seed, (list, tuple)) and any(tf.is_tensor(one) for one in seed):
        if len(seed) != 2:
            raise OutsideDomain(explain(parameter, f"{len(seed)} entries", _ALLOWED, _ADVICE))
        seed = tf.stack([tf.cast(_whole(one, parameter), tf.int64) for one in seed])
    seed = _whole(seed, parameter)
    rank = seed.shape.rank
    if rank not in ((None, 1, 2) if batch else (None, 1)) or not seed.shape[-1:].is_compatible_with([2]):
        allowed = _ALLOWED + (", or (B, 2)" if batch else "")
        raise OutsideDomain(explain(parameter, f"shape {seed.shape}", allowed, _ADVICE))
    if rank is None and batch:
        advice = "Use tf.ensure_shape, so that one seed and one per element can be told apart."
        raise OutsideDomain(explain(parameter, "an unknown rank", _ALLOWED + ", or (B, 2)", advice))
    return tf.ensure_shape(tf.cast(seed, tf.int64), [None, 2] if rank == 2 else [2])


def _whole(value: Any, parameter: str) -> Any:
    if not tf.is_tensor(value):
        array = np.asarray(value)
        if array.dtype.kind not in "iu":
            raise WrongType(explain(parameter, repr(value), _ALLOWED, _ADVICE))
        # Beyond 63 bits the pattern counts, not the sign.
        value = tf.convert_to_tensor(array.astype(np.int64))
    if not value.dtype.is_integer:
        raise WrongType(explain(parameter, f"dtype {value.dtype.name}", _ALLOWED, _ADVICE))
    return value


def fold_in(seed: Any, data: Any) -> Any:
    """Derive a seed from a seed and a number, for instance a loop counter.

    Parameters
    ----------
    seed : array_like of int, shape (2,)
        The seed.
    data : int or scalar integer tensor
        Different numbers give unrelated seeds.

    Returns
    -------
    tf.Tensor, shape (2,), int64
        The same on every engine and TensorFlow version.

    Raises
    ------
    OutsideDomain
        `seed` or `data` has another shape.
    WrongType
        One of them is not of an integer dtype.

    Examples
    --------
    >>> from pipeport import seeds
    >>> seeds.fold_in((1, 2), 3).shape
    TensorShape([2])
    """
    data = _whole(data, "data")
    if data.shape.rank not in (None, 0):
        advice = "For several seeds use seeds.split."
        raise OutsideDomain(explain("data", f"shape {data.shape}", "one integer", advice))
    return tf.random.experimental.stateless_fold_in(as_seed(seed), tf.cast(data, tf.int64), alg=ALGORITHM)


def _positive(num: Any) -> bool:
    return isinstance(num, (int, np.integer)) and int(num) >= 1


def split(seed: Any, num: int = 2) -> Any:
    """Derive several unrelated seeds from one.

    Parameters
    ----------
    seed : array_like of int, shape (2,)
        The seed.
    num : int, default 2
        How many.

    Returns
    -------
    tf.Tensor, shape (num, 2), int64
        The same on every engine and TensorFlow version.

    Raises
    ------
    OutsideDomain
        `seed` has another shape.
    UnsupportedArgument
        `num` is not a positive Python integer.
    WrongType
        `seed` is not of an integer dtype.

    Examples
    --------
    >>> from pipeport import seeds
    >>> left, right = seeds.split((1, 2))
    """
    if not _positive(num):
        advice = "For a number known only at run time use seeds.fold_in in the loop."
        raise UnsupportedArgument(explain("num", repr(num), "a positive Python integer", advice))
    return tf.random.experimental.stateless_split(as_seed(seed), int(num), alg=ALGORITHM)
