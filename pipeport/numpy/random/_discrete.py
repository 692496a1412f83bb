"""Whole numbers from a range, and Poisson and binomial counts, by seed."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._random import read, real
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels.inputs._checks import check, every
from pipeport.kernels.inputs.dtypes import dtype_of
from pipeport.numpy.random._arguments import Sizes, checked
from pipeport.seeds import _counts
from pipeport.seeds._wide import between

_ALLOWED = ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
_MOST_TRIALS = 2.0**53
# As numpy.random: ten standard deviations below the largest int64.
_LARGEST_MEAN = float(np.iinfo(np.int64).max - np.sqrt(np.iinfo(np.int64).max) * 10)


def _bound(value: Any, parameter: str, dtype: np.dtype[Any], less: int) -> Any:
    """Return a bound less `less` as the bits of an int64, checked to be of the dtype; fractions are cut."""
    found = read(value, parameter)
    limits = (0, 1) if dtype.kind == "b" else (int(np.iinfo(dtype).min), int(np.iinfo(dtype).max))
    allowed = f"{limits[0] + less} to {limits[1] + less}, as {dtype} holds"
    advice = "Name a wider `dtype`, or clip it."
    known = found.value if found.plain else tf.get_static_value(found.value)
    if known is not None:
        try:
            whole = [int(one) - less for one in np.asarray(known).ravel().tolist()]
        except (ValueError, OverflowError) as error:
            raise OutsideDomain(explain(parameter, repr(known), "finite numbers", advice)) from error
        if any(not limits[0] <= one <= limits[1] for one in whole):
            raise OutsideDomain(explain(parameter, repr(known), allowed, advice))
        # Beyond 63 bits the pattern counts, not the sign.
        bits = np.array([one - 2**64 if one >= 2**63 else one for one in whole], np.int64)
        return tf.constant(bits.reshape(np.shape(known)))
    x = found.value
    if dtype == np.uint64 and found.dtype != np.uint64:
        x = checked(x, parameter, allowed, lambda x: tf.cast(x, tf.float64) >= less)
    bits = (tf.bitcast(x, tf.int64) if found.dtype == np.uint64 else tf.cast(x, tf.int64)) - less
    if dtype.itemsize < 8:
        bits = checked(bits, parameter, allowed, lambda x: (x >= limits[0]) & (x <= limits[1]))
    return bits


def _ordered(x: Any, dtype: np.dtype[Any]) -> Any:
    """Return bits as numbers that order as those of the dtype do."""
    return tf.bitwise.bitwise_xor(x, tf.int64.min) if dtype == np.uint64 else x


def integers(seed: Any, low: Any, high: Any, size: Any, dtype: Any, endpoint: bool = False) -> Any:
    """Draw whole numbers from [low, high), or [low, high] with `endpoint`; from [0, low) without `high`."""
    wanted = dtype_of(dtype, "dtype")
    if wanted.name not in _ALLOWED:
        advice = "Cast the result."
        raise WrongType(explain("dtype", wanted.name, "bool or whole numbers", advice))
    if not isinstance(endpoint, (bool, np.bool_)):
        raise WrongType(explain("endpoint", repr(endpoint), "True or False", "It decides the graph."))
    kind = np.dtype(wanted.as_numpy_dtype)
    empty = Sizes(size)
    if size is not None and 0 in empty.static.as_list():
        return tf.zeros(empty.asked, wanted)  # bounds are of no account, as in NumPy
    low, high, name = (0, low, "low") if high is None else (low, high, "high")
    least, most = _bound(low, "low", kind, 0), _bound(high, name, kind, 0 if endpoint else 1)
    sizes = Sizes(size, least, most)
    allowed = "low <= high" if endpoint else "low < high, as `high` is exclusive"
    least, most = check(
        lambda a, b: every(_ordered(a, kind) <= _ordered(b, kind)),
        name, "an empty range", allowed, "Check the order of the bounds.", least, most,
    )  # fmt: skip
    found = between(seed, least, most, sizes.asked, narrow=kind.itemsize < 4)
    if kind.kind == "b":
        found = tf.not_equal(found, 0)
    elif kind != np.int64:
        found = tf.bitcast(found, tf.uint64) if kind == np.uint64 else tf.cast(found, wanted)
    number = dtype is int or dtype is bool
    return sizes.give(found) if number else tf.ensure_shape(found, sizes.static)


def poisson(seed: Any, lam: Any, size: Any) -> Any:
    """Draw from the Poisson distribution."""
    allowed = f"numbers from 0 to {_LARGEST_MEAN:g}"
    lam = checked(real(lam, "lam"), "lam", allowed, lambda x: (x >= 0) & (x <= _LARGEST_MEAN))
    sizes = Sizes(size, lam)
    return sizes.give(_counts.poisson(seed, lam, sizes.asked))


def binomial(seed: Any, n: Any, p: Any, size: Any) -> Any:
    """Draw from the binomial distribution."""
    trials = checked(real(n, "n"), "n", "numbers from 0 to 2**53", lambda x: (x > -1) & (x <= _MOST_TRIALS))
    p = checked(real(p, "p"), "p", "probabilities in [0, 1]", lambda x: (x >= 0) & (x <= 1))
    sizes = Sizes(size, trials, p)
    return sizes.give(_counts.binomial(seed, tf.cast(trials, tf.int64), p, sizes.asked))
