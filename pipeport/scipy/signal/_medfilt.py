"""`scipy.signal.medfilt`."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Array, Difference, OneOf, batchable, replaces
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor, known_rank, static_value
from pipeport.kernels.inputs.integers import whole_number
from pipeport.kernels.sampling._extremes import compared
from pipeport.kernels.sampling._ranks import ranked
from pipeport.scipy.ndimage import _arguments as ndimage
from pipeport.scipy.ndimage import _filter_arguments as filters

_DTYPES = (*ndimage.INTEGERS, "float32", "float64")


def _volume(value: Any, batch_axes: int) -> Any:
    x = as_tensor(value, "volume")
    if known_rank(x, "volume") == batch_axes:
        x = tf.expand_dims(x, -1)
    _checks.dtype_among(x, _DTYPES, "volume")
    return filters.array_of(x, 1, batch_axes, "volume")


def _sides(kernel_size: Any, rank: int) -> list[int]:
    given = 3 if kernel_size is None else static_value(kernel_size, "kernel_size")
    given = given[()] if isinstance(given, np.ndarray) and given.ndim == 0 else given
    sides = [whole_number(one, "kernel_size", 1) for one in filters.per_axis(given, rank, "kernel_size")]
    if any(side % 2 == 0 for side in sides):
        advice = "Add one, so that the window has a middle."
        raise OutsideDomain(explain("kernel_size", str(kernel_size), "odd numbers", advice))
    return sides


def _has_nan(call: Mapping[str, Any]) -> bool:
    return bool(np.isnan(np.asarray(call["volume"], np.float64)).any())


def _fits(call: Mapping[str, Any]) -> bool:
    rank = max(np.ndim(call["volume"]), 1)
    given = np.asarray(3 if call.get("kernel_size") is None else call["kernel_size"])
    sides = given if given.ndim else np.repeat(given, rank)
    return len(sides) == rank


@replaces(
    "scipy.signal.medfilt",
    domain={
        "volume": Array(dtypes=filters.DTYPES, ranks=(0, 1, 2, 3), sides=(0, 12), values=(-1.0, 1.0)),
        "kernel_size": OneOf(
            None, 1, 3, 5, 11, [7], [101], (3, 1), (1, 5), (15, 9), np.array([3, 5, 3]), typical=3
        ),
    },
    agreement=filters.EQUAL,
    proven_against=">=1.16",
    valid=_fits,
    differences=(
        Difference(
            "Where a window holds NaN, the result differs: here and in the reference it depends on the order "
            "of comparisons.",
            witness=lambda: {"volume": np.array([[1, 5, np.nan, 4], [6, 7, 3, np.nan], [2, 8, 0, 9.0]])},
            applies=_has_nan,
            only={"volume": "f"},
        ),
    ),
)
@batchable
def medfilt(batch_axes: int, volume: Any, kernel_size: Any = None) -> Any:
    """Return the median of each element's neighbours, with zeros beyond the ends.

    Parameters
    ----------
    volume : array_like, up to 5 axes, integers, float32 or float64
        The array. Sizes may be unknown while tracing; a number becomes an array of one.
    kernel_size : int or one per axis, optional
        Odd sides of the window, 3 when None.

    Returns
    -------
    tf.Tensor, dtype and shape of `volume`
        The medians.

    Raises
    ------
    OutsideDomain
        A side is even or below 1, there are more or fewer sides than axes, or `volume` is bool or of another
        dtype that the reference refuses.
    UnsupportedArgument
        The array has more axes, its rank is unknown, or `kernel_size` is a tensor not known while tracing.
    WrongType
        `kernel_size` is not a whole number.

    Notes
    -----
    Agreement: equal, but for the sign of zeros and subnormal numbers among floats. Integers of 64 bits are
    compared as float64 where there are several axes, as in SciPy. The reference's warning that a window is
    longer than an axis is not given.
    Graph: that of `scipy.ndimage.median_filter`. Static shape is kept.

    Source: `scipy/signal/_signaltools.py` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.signal import medfilt
    >>> medfilt(tf.constant([9, 9, 200, 9, 8])).numpy().tolist()
    [9, 9, 9, 9, 8]
    """
    x = _volume(volume, batch_axes)
    rank = x.shape.rank - batch_axes
    sides = _sides(kernel_size, rank)
    count = math.prod(sides)
    if count == 1:
        return x
    box = filters.box_of(sides, range(rank), rank, 0, "grid-constant", batch_axes)
    # Of one axis SciPy compares integers of 64 bits as they are, as signed ones.
    work = tf.int64 if rank == 1 and x.dtype.is_integer and x.dtype.size == 8 else compared(x.dtype)
    places = tuple(itertools.product(*map(range, box.sizes)))
    return ranked(x, box, places, count // 2, work, tf.zeros([], tf.float64), x.dtype)
