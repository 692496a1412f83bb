"""Seeds from seeds."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.xla import choose
from pipeport.seeds import _many
from pipeport.seeds._key_counter import key_and_counter, seed_of_bits

# The algorithm is named because TensorFlow's default follows the device.
_PHILOX = 1
# Keep derived seeds apart from draws, and each kind from the others (digits of pi).
_FOLDED, _SPLIT, POSITION = 0x243F6A8885A308D3, 0x13198A2E03707344, 0x24093822299F31D0
COUNTED = 0x452821E638D01377
_ALLOWED = "two integers, shape (2,)"
_ADVICE = "Give for instance seed=(run, index), one per dataset element."


def as_seed(seed: Any, parameter: str = "seed", *, batch: bool = False) -> Any:
    """Return a seed as an int64 tensor of shape (2,).

    Always int64, so that the same numbers draw the same in every dtype.

    `batch`: whether shape (B, 2), one seed per element, is allowed too. Returns: int64; of shape (2,), or (B,
    2).
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
    seed = tf.cast(seed, tf.int64)
    return seed if seed.shape.is_fully_defined() else tf.ensure_shape(seed, [None, 2] if rank == 2 else [2])


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


def whole_range(seed: Any, shape: Any, dtype: Any, start: Any = 0, purpose: int = 0) -> Any:
    """Draw from every value of an integer dtype.

    `seed`: shape (2,), int64. `dtype`: int32, int64 or uint64. `start`: int or scalar int64 tensor; block of
    128 bits to begin with. `purpose`: draws of one seed for different purposes are unrelated.
    """
    # Philox is made to be fed with plain counters. TensorFlow's public functions scramble the seed
    # first: in twenty small ops, which cost a paired flip 40 % (2,034 el/s for 3,436 at 256 px), or
    # in one whose result differs between graph and XLA.
    count = _many.count_of(shape) if isinstance(start, int) and start == 0 else None
    form = choose(count is not None, program=_by_program, otherwise=_by_kernel)
    return form(seed, shape, dtype, start, purpose, count)


def _by_program(seed: Any, shape: Any, dtype: Any, _start: Any, purpose: int, count: Any) -> Any:
    key = tf.bitwise.bitwise_xor(seed, tf.constant([purpose, 0], tf.int64)) if purpose else seed
    return tf.reshape(_many.whole(key, count, dtype), shape)


def _by_kernel(seed: Any, shape: Any, dtype: Any, start: Any, purpose: int, _count: Any) -> Any:
    key, counter = key_and_counter(seed, start, purpose)
    return tf.raw_ops.StatelessRandomUniformFullIntV2(
        shape=tf.convert_to_tensor(shape, tf.int32),
        key=key,
        counter=counter,
        alg=_PHILOX,
        dtype=dtype,
    )


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
    return child(seed, data, _FOLDED)


def numbered(seed: Any, start: Any, count: int) -> Any:
    """Compute `fold_in` for consecutive numbers.

    `seed`: shape (2,), int64. Returns: shape (count, 2), int64; a seed is one block of 128 bits, and blocks
    follow each other.
    """
    return whole_range(seed, [count, 2], tf.int64, start, _FOLDED)


def child(seed: Any, data: Any, purpose: int) -> Any:
    """Return the seed numbered `data` among those of a purpose.

    `seed`: array_like of int, shape (2,). Returns: shape (2,), int64; one block of 128 bits.
    """
    return seed_of_bits(whole_range(as_seed(seed), [2], tf.uint64, data, purpose))


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
    return whole_range(as_seed(seed), [int(num), 2], tf.int64, purpose=_SPLIT)
