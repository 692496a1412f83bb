"""Where elements are not zero, as one array: argwhere, flatnonzero."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._along import truth
from pipeport.arrays._places import true_places
from pipeport.contract import Array, Exact
from pipeport.kernels.inputs.arrays import known_rank, limit_rank
from pipeport.numpy._families import REALS, numpy_native, tensor
from pipeport.numpy._ordering import UNKNOWN_SIZES, of_any_size
from pipeport.numpy._reductions import BITS


def _places(
    name: str,
    summary: str,
    find: Callable[[Any], Any],
    returns: str,
    example: tuple[str, str],
    **promise: Any,
) -> Callable[..., Any]:
    def function(a: Any) -> Any:
        return find(tensor(a, "a"))

    function.__name__ = function.__qualname__ = name
    return numpy_native(
        f"numpy.{name}", summary, domain={"a": Array(dtypes=REALS, ranks=(0, 1, 2, 3))},
        parameters={"a": "array_like, bool or any number\nNaN is not zero."}, returns=returns,
        agreement=Exact(), words=BITS, example=example,
        graph="one op; the number of rows is only known when it runs.",
        cannot_serve=of_any_size(lambda: {"a": np.array([[1.0, 0.0], [1.0, 2.0]])}, UNKNOWN_SIZES), **promise,
    )(function)  # fmt: skip


def _argwhere(x: Any) -> Any:
    rank = known_rank(x)
    limit_rank(x, "a", 8)
    if rank == 0:
        return tf.zeros([tf.cast(truth(x), tf.int32), 0], tf.int64)
    return true_places(truth(x))


def _flatnonzero(x: Any) -> Any:
    return true_places(truth(tf.reshape(x, [-1])))[:, 0]


argwhere = _places(
    "argwhere", "Return where elements are not zero, a row of indices for each.", _argwhere,
    "tf.Tensor of int64, shape (N, rank of `a`)\nThe indices, in the order of the elements.",
    ("[[0.5, 0.0]]", "<tf.Tensor: shape=(1, 2), dtype=int64, numpy=array([[0, 0]])>"),
    raises={"UnsupportedArgument": "The rank is unknown, or above 8."},
)  # fmt: skip
flatnonzero = _places(
    "flatnonzero", "Return where elements of the array taken as flat are not zero.", _flatnonzero,
    "tf.Tensor of int64, shape (N,)\nThe indices, ascending.",
    ("[[0.0, 0.5]]", "<tf.Tensor: shape=(1,), dtype=int64, numpy=array([1])>"),
)  # fmt: skip
