"""`scipy.stats.scoreatpercentile`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._order import Counted, is_countable, sort
from pipeport.arrays._selected import Selected, is_selectable
from pipeport.contract import Array, AsReference, OneOf, batchable, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor, known_rank, sizes_of, static_value
from pipeport.kernels.inputs.axes import one_axis

_METHODS = ("fraction", "lower", "higher")


def _parts(per: Any) -> list[float] | float:
    given = static_value(per, "per")
    if tf.is_tensor(given):
        advice = "Use numpy.percentile, which takes tensors."
        raise UnsupportedArgument(explain("per", "a tensor", "numbers known while tracing", advice))
    listed = np.asarray(given)
    if listed.dtype.kind not in "iuf" or listed.ndim > 1:
        raise WrongType(explain("per", repr(per), "a number or a list of numbers", "Flatten it."))
    if not bool(np.all((listed >= 0) & (listed <= 100))):
        raise OutsideDomain(explain("per", repr(per), "0 to 100", "Clip it."))
    return [float(one) for one in listed] if listed.ndim else float(listed)


def _rows_of(x: Any, axis: Any, batch_axes: int) -> Any:
    """Return an array as rows: all of it, or along an axis."""
    rank = known_rank(x, "a") - batch_axes
    if axis is None:
        lead = tf.shape(x)[:batch_axes]
        known = x.shape[batch_axes:].num_elements()
        flat = tf.reshape(x, tf.concat([lead, [-1 if known is None else known]], 0))
        return tf.ensure_shape(flat, [*x.shape[:batch_axes], known])
    place = one_axis(axis, rank) + batch_axes
    last = rank + batch_axes - 1
    if place == last:
        return x
    return tf.transpose(x, [*(other for other in range(last + 1) if other != place), place])


def _in_order(rows: Any, places: int) -> Any:
    """Return rows sorted, or one row of which so many places can be found."""
    if rows.shape.rank == 1 and is_countable(rows):
        return Counted(rows)
    return Selected(rows) if rows.shape.rank == 1 and is_selectable(rows, places) else sort(rows, -1)


def _neighbours(rows: Any, place: Any, step: Any) -> list[Any]:
    """Return an element of each row, and that further on by zero or one."""
    if isinstance(rows, Selected):
        found = rows.neighbours(place, step)
    elif isinstance(rows, Counted):
        found = rows.at(place), rows.at(place + step)
    else:
        found = tf.gather(rows, place, axis=-1), tf.gather(rows, place + step, axis=-1)
    return [tf.cast(one, tf.float64) for one in found]


def _score(rows: Any, size: Any, part: float, method: str) -> Any:
    """Return one element of each sorted row, or the weighted sum of two."""
    if isinstance(size, int):
        place = part / 100.0 * (size - 1)
        if method != "fraction":
            place = float(math.ceil(place) if method == "higher" else math.floor(place))
        below = int(place)
        if below == place:
            return _neighbours(rows, below, 0)[0]
        low, high = _neighbours(rows, below, 1)
        return low * (below + 1 - place) + high * (place - below)
    place = tf.constant(part / 100.0, tf.float64) * tf.cast(size - 1, tf.float64)
    if method != "fraction":
        place = tf.math.ceil(place) if method == "higher" else tf.floor(place)
    below = tf.cast(tf.floor(place), tf.int32)
    low, high = _neighbours(rows, below, tf.minimum(size - 1 - below, 1))
    share = place - tf.floor(place)
    return tf.where(share > 0, low * (1.0 - share) + high * share, low)


def _is_settled(call: Mapping[str, Any]) -> bool:
    # Before NumPy 2, an element of float32 that is taken as it is stayed one.
    return int(np.__version__.partition(".")[0]) > 1 or np.asarray(call["a"]).dtype != np.float32


@replaces(
    "scipy.stats.scoreatpercentile",
    domain={
        "a": Array(
            dtypes=("uint8", "int32", "float32", "float64"),
            ranks=(1, 2, 3),
            sides=(1, 8),
            values=(-3.0, 3.0),
            non_finite=False,
        ),
        "per": OneOf(50, 0, 100, 5.0, 99.5, (1, 99), (25.0, 50, 75.0), typical=50),
        "interpolation_method": OneOf("fraction", "lower", "higher", typical="fraction"),
        "axis": OneOf(None, 0, -1, typical=None),
    },
    agreement=AsReference(),
    valid=_is_settled,
    refused={"limit": "how many elements lie between is not known while tracing"},
)
@batchable
def scoreatpercentile(
    batch_axes: int,
    a: Any,
    per: Any,
    limit: Any = (),
    interpolation_method: str = "fraction",
    axis: int | None = None,
) -> Any:
    """Return the number below which a percentage of the elements lies.

    Parameters
    ----------
    a : array_like, integers or floats
        The array, with one element at least; sizes may be unknown while tracing.
    per : number or list of numbers
        Percentages, from 0 to 100, known while tracing.
    limit : ()
        Refused: how many elements lie between is not known while tracing.
    interpolation_method : {'fraction', 'lower', 'higher'}, default 'fraction'
        What is taken between two elements: their weighted sum, the lower or the higher one.
    axis : int, optional
        Along which axis; all of the array when None.

    Returns
    -------
    tf.Tensor of float64
        The scores, the axis of percentages first.

    Raises
    ------
    BadAxis
        The array has no such axis.
    OutsideDomain
        There are no elements, a percentage is outside its range, or the method is another.
    UnsupportedArgument
        `limit` is given, `per` is not known while tracing or empty, the rank is unknown, or the array is
        complex or bool.
    WrongType
        `per` or `axis` are not numbers.
    tf.errors.InvalidArgumentError
        There turn out to be no elements.

    Notes
    -----
    Agreement: as accurate as the reference, judged against it in float64. NaN is outside the domain: NumPy
    sorts it to the end.
    Graph: counts of flattened arrays, of few or short ones and along an axis a sort, which is slower than the
    reference's selection. Static shape is kept.

    Source: `scipy/stats/_stats_py.py` of SciPy 1.17.

    Examples
    --------
    >>> from pipeport.scipy.stats import scoreatpercentile
    >>> scoreatpercentile([4.0, 1.0, 2.0], 75).numpy().item()
    3.0
    """
    if not isinstance(limit, (tuple, list)) or limit:
        advice = "Take the elements between the limits with a mask."
        raise UnsupportedArgument(explain("limit", type(limit).__name__, "()", advice))
    _checks.word(interpolation_method, _METHODS, "interpolation_method", "'fraction' is usual.")
    parts = _parts(per)
    x = as_tensor(a, "a")
    if x.dtype.is_complex or x.dtype.is_bool:
        raise UnsupportedArgument(explain("a", f"dtype {x.dtype.name}", "real numbers", "Cast it first."))
    rows = _rows_of(x, axis, batch_axes)
    size = sizes_of(rows)[-1]
    text = explain("a", "no elements", "one at least", "Filter such arrays out.")
    if isinstance(size, int) and size == 0:
        raise OutsideDomain(text)
    if not isinstance(size, int):
        with tf.control_dependencies([tf.debugging.assert_positive(size, text)]):
            rows = tf.identity(rows)
    ordered = _in_order(rows, len(parts) if isinstance(parts, list) else 1)
    if not isinstance(parts, list):
        return _score(ordered, size, parts, interpolation_method)
    if not parts:
        advice = "Name one percentile at least."
        raise UnsupportedArgument(explain("per", "an empty list", "numbers from 0 to 100", advice))
    return tf.stack([_score(ordered, size, part, interpolation_method) for part in parts], batch_axes)
