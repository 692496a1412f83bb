"""What the functions of `scipy.signal` have in common: lines of an array, dtypes, coefficients."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Array
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor, known_rank, static_value
from pipeport.kernels.inputs.axes import one_axis

DTYPES = ("float32", "float64", "int16", "uint8")
SIGNALS = Array(dtypes=DTYPES, ranks=(1, 2), sides=(1, 12), values=(-1.0, 1.0), non_finite=False)


@dataclass(frozen=True)
class Lines:
    """An array with one of its axes moved to the end.

    `x`: shape (..., N). `axis`: where the axis was.
    """

    x: Any
    axis: int

    def back(self, found: Any) -> Any:
        """Return lines of any length with the axis where it was."""
        rank = found.shape.rank
        if self.axis == rank - 1:
            return found
        order = list(range(rank - 1))
        order.insert(self.axis, rank - 1)
        return tf.transpose(found, order)


def array_of(value: Any, name: str, least: int, batch_axes: int, *, of_complex: bool = False) -> Any:
    """Return an array of real numbers, or of complex ones too, as a tensor of known rank."""
    x = as_tensor(value, name)
    rank = known_rank(x, name)
    if rank < least + batch_axes:
        raise OutsideDomain(explain(name, f"rank {rank}", f"{least + batch_axes} axes or more", "Add one."))
    if x.dtype.is_complex and not of_complex:
        advice = "Treat tf.math.real and tf.math.imag apart."
        raise UnsupportedArgument(explain(name, f"dtype {x.dtype.name}", "real numbers", advice))
    return x


def lines_of(value: Any, name: str, axis: Any, batch_axes: int, *, of_complex: bool = False) -> Lines:
    """Return an array as lines along an axis; one without elements along it is refused."""
    x = array_of(value, name, 1, batch_axes, of_complex=of_complex)
    rank = x.shape.rank
    place = one_axis(axis, rank - batch_axes) + batch_axes
    x = _checks.not_empty(x, name, [place], slice(batch_axes, None))
    if place != rank - 1:
        x = tf.transpose(x, [*(other for other in range(rank) if other != place), place])
    return Lines(x, place)


def coefficients(value: Any, name: str) -> Any:
    """Return the coefficients of a filter: an array where tracing knows them, else a tensor."""
    found = static_value(value, name)
    if not tf.is_tensor(found):
        tensor = as_tensor(found, name)
        found = np.atleast_1d(np.asarray(found)).astype(tensor.dtype.as_numpy_dtype)
    if found.dtype.kind == "c" if isinstance(found, np.ndarray) else found.dtype.is_complex:
        raise UnsupportedArgument(explain(name, f"dtype {found.dtype}", "real numbers", "Filter twice."))
    rank = found.ndim if isinstance(found, np.ndarray) else found.shape.rank
    if rank != 1 or found.shape[0] == 0:
        raise OutsideDomain(explain(name, f"shape {found.shape}", "a list of numbers", "Flatten it."))
    return found


def common_dtype(*values: Any) -> Any:
    """Return the dtype that NumPy gives a result of arrays and tensors."""
    own = (one.dtype if isinstance(one, np.ndarray) else one.dtype.as_numpy_dtype for one in values)
    return tf.as_dtype(np.result_type(*own))
