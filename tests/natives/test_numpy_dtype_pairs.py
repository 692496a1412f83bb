"""Functions of two operands over every pair of dtypes: which dtype comes out, what is refused, and values."""

from __future__ import annotations

import itertools
import warnings

import numpy as np
import pytest
import tensorflow as tf

import pipeport.numpy as natives
from pipeport.errors import PipeportError

pytestmark = pytest.mark.both

DTYPES = "bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float16 float32 float64".split()  # noqa: SIM905
VALUES = {
    "b": [0, 1, 1, 0, 1],
    "u": [0, 1, 2, 7, 100],
    "i": [0, 1, -2, 7, -100],
    "f": [0, 1, -2.5, 7, -100.25],
}
FUNCTIONS = {
    name: one for name, one in vars(np).items() if isinstance(one, np.ufunc) and hasattr(natives, name)
}
NAMES = sorted(name for name, one in FUNCTIONS.items() if len(one.types[0].partition("->")[0]) == 2)
COMPARISONS = {"equal", "greater", "greater_equal", "less", "less_equal", "not_equal"}


def _compared_exactly(name: str, pair: set[str]) -> bool:
    """Say whether NumPy compares integers of which no dtype holds both; they are refused here."""
    return name in COMPARISONS and pair == {"int64", "uint64"}


def test_which_functions() -> None:
    assert {"add", "hypot", "arctan2", "heaviside", "power", "fmax", "left_shift"} <= {*NAMES}


@pytest.mark.parametrize("name", NAMES)
def test_every_pair(name: str) -> None:
    ours, theirs = getattr(natives, name), FUNCTIONS[name]
    for one, other in itertools.product(DTYPES, repeat=2):
        x = np.array(VALUES[np.dtype(one).kind]).astype(one)
        y = np.array(VALUES[np.dtype(other).kind][::-1]).astype(other)
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                wanted = theirs(x, y)
        except (TypeError, ValueError):
            wanted = None
        if wanted is None or _compared_exactly(name, {one, other}):
            with pytest.raises((PipeportError, tf.errors.InvalidArgumentError)):
                ours(tf.constant(x), tf.constant(y))
            continue
        found = ours(tf.constant(x), tf.constant(y)).numpy()
        assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape), (one, other)
        close = 8 * np.finfo(wanted.dtype).eps if wanted.dtype.kind == "f" else 0
        np.testing.assert_allclose(found, wanted, rtol=close, atol=0, err_msg=f"{one}, {other}")
