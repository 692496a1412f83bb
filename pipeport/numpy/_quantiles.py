"""median, percentile, quantile, nanmedian, nanpercentile."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._along import axes_of, count, flag, not_empty, ordered
from pipeport.arrays._cast import cast
from pipeport.arrays._exchanged import Exchanged, is_exchangeable
from pipeport.arrays._order import Counted, is_countable, sort
from pipeport.arrays._promotion import Operand, common, constant
from pipeport.arrays._selected import Selected, is_selectable
from pipeport.contract import Array, AsReference, Axes, Boolean, Difference, OneOf
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import known_rank
from pipeport.kernels.inputs.dtypes import NUMPY_2
from pipeport.kernels.xla._divide import divided
from pipeport.kernels.xla._rounding import plus_product
from pipeport.numpy._families import REALS, numpy_native, read, refuse, tensor
from pipeport.numpy._reductions import (
    ARRAY_LIKE,
    AXIS,
    CLOSE,
    KEEP,
    NO_VALUE,
    NOTHING,
    NUMBERS,
    RAISES,
    kept,
)

_ARRAY = Array(dtypes=NUMBERS, ranks=(1, 2, 3), sides=(1, 6))
_AXES = Axes(of="a", none=True)
_GRAPH = "a sort along the axes, of flattened arrays counts; and an interpolation."
_ERRORS = {
    **RAISES,
    "OutsideDomain": "There are no elements, or a number of `q` is outside its range.",
    "tf.errors.InvalidArgumentError": "The same, where it is known only when the graph runs.",
}


# The methods that interpolate between the places n * q + a + q * (1 - a - b) - 1: a and b.
_CONTINUOUS = {
    "interpolated_inverted_cdf": (0, 1), "hazen": (0.5, 0.5), "weibull": (0, 0),
    "median_unbiased": (1 / 3.0, 1 / 3.0), "normal_unbiased": (3 / 8.0, 3 / 8.0),
}  # fmt: skip
# Those that go by the place n * q - 1, and those that take an element as it is.
_BY_COUNT = ("inverted_cdf", "averaged_inverted_cdf", "closest_observation")
_TAKING = ("lower", "higher", "nearest", "inverted_cdf", "closest_observation")
# Those that take an element where a quantile is the whole number 0 or 1, in the dtype of what lies between.
_WHOLE = ("averaged_inverted_cdf", "interpolated_inverted_cdf", "weibull")
_METHODS = ("linear", "midpoint", "lower", "higher", "nearest", *_BY_COUNT, *_CONTINUOUS)


def _place(method: str, number: Any, q: Any) -> Any:
    """Return the place of a quantile among so many sorted elements, a fraction."""
    if method in _CONTINUOUS:
        a, b = _CONTINUOUS[method]
        return number * q + (a + q * (1 - a - b)) - 1
    if method not in _BY_COUNT:
        return (number - 1) * q
    product = number * q
    # Rounded before 1 is taken off: what is not a whole number takes the next element.
    place = plus_product(tf.constant(-1, q.dtype), product, q) if tf.is_tensor(q) else product - 1
    return place - 0.5 if method == "closest_observation" else place


def _whole(method: str, place: Any) -> Any:
    """Return the number of the element that a method takes."""
    if method in ("lower", "higher", "nearest"):
        return {"lower": tf.floor, "higher": tf.math.ceil, "nearest": tf.round}[method](place)
    below = tf.floor(place)
    exact = tf.equal(below, place)
    if method == "closest_observation":
        exact = tf.logical_and(exact, tf.equal(tf.math.floormod(below, 2), 1))
    return tf.maximum(tf.where(exact, below, below + 1), 0)


def _sorted_rows(x: Any, axis: Any, places: int | None, *, apart: bool = True) -> tuple[Any, Any]:
    """Return rows of sorted elements, of which so many are asked for, and how many elements a row has.

    `apart`: whether what stands at the same place of all rows may be one tensor.
    """
    axes = axes_of(x, axis)
    x = not_empty(x, axes)
    number = count(x, axes)
    if axes is None:
        flat = tf.reshape(x, [-1])
        if is_countable(flat):
            return Counted(flat), number
        return Selected(flat) if is_selectable(flat, places) else sort(flat), number
    if apart and len(axes) == 1 and is_exchangeable(x, int(axes[0])):
        return Exchanged(x, int(axes[0])), number
    rank = known_rank(x)
    stay = [place for place in range(rank) if place not in axes]
    order = [*stay, *(int(place) for place in axes)]
    x = x if order == list(range(rank)) else tf.transpose(x, order)
    static = x.shape.as_list()[: len(stay)]
    sizes = tf.concat([tf.shape(x)[: len(stay)], [tf.cast(number, tf.int32)]], 0)
    rows = tf.ensure_shape(tf.reshape(x, sizes), [*static, None if tf.is_tensor(number) else number])
    if apart and is_exchangeable(rows, -1):
        return Exchanged(rows, -1), number
    return sort(rows, -1), number


def _with_axes(found: Any, x: Any, axis: Any, keepdims: Any, leading: int) -> Any:
    """Return results with the axes back, of size one, behind as many leading ones of `q`."""
    if not flag(keepdims, "keepdims"):
        return found
    rank = known_rank(x)
    axes = range(rank) if axis is None else axes_of(x, axis)
    for place in np.sort(np.asarray(axes, int)):
        found = tf.expand_dims(found, leading + int(place))
    return found


def _nan_where_one_is(found: Any, rows: Any) -> Any:
    if not rows.dtype.is_floating:
        return found
    # A sort puts NaN there.
    last = rows.last() if isinstance(rows, (Exchanged, Selected)) else rows[..., -1]
    return tf.where(tf.math.is_nan(last), tf.cast(last, found.dtype), found)


def _floating(x: Any) -> np.dtype[Any]:
    own: np.dtype[Any] = np.dtype(x.dtype.as_numpy_dtype)
    return np.dtype(np.float64) if own.kind in "biu" else own


@numpy_native(
    "numpy.median", "Return the middle elements, or the mean of the two in the middle.",
    domain={"a": Array(dtypes=REALS, ranks=(1, 2, 3), sides=(1, 6)), "axis": _AXES, "keepdims": Boolean()},
    parameters={"a": ARRAY_LIKE, "axis": AXIS, "keepdims": KEEP}, agreement=AsReference(), words=CLOSE,
    returns="tf.Tensor\nThe medians, NaN where there is one; float64 of bool and integers.",
    raises={**_ERRORS, "OutsideDomain": "There are no elements, or they are complex."}, graph=_GRAPH,
    example=("[1.0, 4.0, 2.0]", "<tf.Tensor: shape=(), dtype=float64, numpy=2.0>"),
)  # fmt: skip
def median(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, keepdims: Any = False
) -> Any:
    refuse(out=(out, None), overwrite_input=(overwrite_input, False))
    x = ordered(tensor(a, "a"), "median")
    rows, number = _sorted_rows(x, axis, 1)
    dtype = _floating(x)
    wide = np.dtype(np.float32) if dtype == np.float16 else dtype
    before = (number - 1) // 2
    low, high = (cast(one, wide) for one in _neighbours(rows, before, number // 2 - before))
    middle = tf.where(tf.equal(low, high), low, (low + high) / tf.constant(2, wide))
    return _with_axes(cast(_nan_where_one_is(middle, rows), dtype), x, axis, keepdims, 0)


def _fractions(q: Any, most: int) -> tuple[Operand, bool]:
    """Return `q` as parts of one, and whether they are whole numbers: then NumPy does not interpolate."""
    given = read(q, "q")
    value = constant(given.value, given.dtype) if given.plain else cast(given.value, given.dtype)
    if given.dtype.kind not in "iuf" or value.shape.rank not in (0, 1):
        shown = f"shape {value.shape} of {given.dtype}"
        raise WrongType(explain("q", shown, "a number or a list of numbers", "Flatten it."))
    allowed, advice = f"0 to {most}", "Clip it."
    known = tf.get_static_value(value)
    if known is not None:
        if not (np.all(known >= 0) and np.all(known <= most)):
            raise OutsideDomain(explain("q", q, allowed, advice))
        value = known if most == 1 else np.true_divide(known, most)
        value = tf.constant(value)
    else:
        limits = (tf.constant(limit, value.dtype) for limit in (0, most))
        inside = tf.reduce_all(tf.equal(tf.clip_by_value(value, *limits), value))
        message = explain("q", "a number outside, at run time", allowed, advice)
        with tf.control_dependencies([tf.debugging.assert_equal(inside, True, message)]):
            value = tf.identity(value) if most == 1 else cast(divided(value, most), _floating(value))
    dtype = np.dtype(value.dtype.as_numpy_dtype)
    return Operand(value, dtype, given.weak), dtype.kind != "f"


def _check_method(method: Any) -> None:
    _checks.word(method, _METHODS, "method")


def _interpolated(
    x: Any,
    fraction: Operand,
    axis: Any,
    keepdims: Any,
    method: Any,
    *,
    whole: bool = False,
    present: Any = None,
) -> Any:
    """Return quantiles; `present`: of how many elements of the flattened array, where NaN does not count."""
    _check_method(method)
    rows, number = _sorted_rows(x, axis, fraction.value.shape.num_elements())
    number = number if present is None else tf.maximum(present, 1)
    leading = fraction.value.shape.rank
    taking = method in _TAKING or (whole and method in ("linear", *_WHOLE))
    if whole and method not in ("linear", *_WHOLE):
        fraction = Operand(cast(fraction.value, np.dtype("float64")), np.dtype("float64"), fraction.weak)
    virtual = _virtual(method, number, fraction.value)
    if taking:
        place = virtual if whole and method not in _TAKING else _whole(method, virtual)
        last = tf.cast(number, tf.int64) - 1
        place = tf.clip_by_value(tf.cast(place, tf.int64), tf.zeros([], tf.int64), last)
        found = _taken(rows, place)
        found = _nan_where_one_is(found, rows) if present is None else found
        if method in _WHOLE:
            found = cast(found, _blended(x, fraction))
        return _with_axes(found, x, axis, keepdims, leading)
    last = tf.cast(number, virtual.dtype) - tf.ones([], virtual.dtype)
    zero = tf.zeros([], virtual.dtype)
    below = tf.clip_by_value(tf.floor(virtual), zero, last)
    place = tf.cast(below, tf.int64)
    step = tf.cast(tf.logical_and(virtual >= zero, below < last), tf.int64)
    low, high = _neighbours(rows, place, step)
    share = _share(method, virtual - below)
    share = tf.reshape(share, tf.concat([tf.shape(virtual), [1] * (rows.shape.rank - 1)], 0))
    share = tf.ensure_shape(share, [*virtual.shape, *[1] * (rows.shape.rank - 1)])
    found = _between(low, high, share, _blended(x, fraction))
    found = _nan_where_one_is(found, rows) if present is None else found
    return _with_axes(found, x, axis, keepdims, leading)


def _share(method: Any, share: Any) -> Any:
    """Return which part of the higher neighbour a method takes, of how far behind the lower a place is."""
    zero = tf.zeros([], share.dtype)
    if method == "midpoint":
        return tf.where(share > zero, tf.constant(0.5, share.dtype), share)
    if method == "averaged_inverted_cdf":
        return tf.where(tf.equal(share, zero), tf.constant(0.5, share.dtype), tf.ones([], share.dtype))
    return share


def _between(low: Any, high: Any, share: Any, dtype: np.dtype[Any]) -> Any:
    """Return what lies between two elements, in a dtype."""
    one = tf.ones([], share.dtype)
    # NumPy subtracts in the dtype of the array, where integers wrap around.
    step = cast(high - low, dtype)
    low, high = cast(low, dtype), cast(high, dtype)
    nearer = high - step * cast(one - share, dtype)
    return tf.where(share >= tf.constant(0.5, share.dtype), nearer, low + step * cast(share, dtype))


def _blended(x: Any, fraction: Operand) -> np.dtype[Any]:
    """Return the dtype of what lies between two elements."""
    share = Operand(0.5, np.dtype("float64"), True) if fraction.weak else fraction
    dtype, _ = common([Operand(x, np.dtype(x.dtype.as_numpy_dtype), False), share])
    return dtype


def _virtual(method: str, number: Any, q: Any) -> Any:
    """Return the places of quantiles: computed while tracing where all is known."""
    known = tf.get_static_value(q)
    if known is not None and not tf.is_tensor(number):
        return tf.constant(np.asarray(_place(method, number, known), known.dtype))
    return _place(method, tf.cast(number, q.dtype), q)


def _neighbours(rows: Any, places: Any, step: Any) -> tuple[Any, Any]:
    """Return elements of each row, and those further on by zero or one."""
    if isinstance(rows, Selected):
        return rows.neighbours(places, step)
    return _taken(rows, places), _taken(rows, places + step)


def _taken(rows: Any, places: Any) -> Any:
    """Return elements of each row, the axis of places first."""
    if isinstance(rows, (Counted, Exchanged)):
        return rows.at(places)
    if isinstance(rows, Selected):
        return rows.neighbours(places, tf.zeros_like(places))[0]
    found = tf.gather(rows, places, axis=-1)
    if tf.convert_to_tensor(places).shape.rank == 0 or rows.shape.rank == 1:
        return found
    rank = rows.shape.rank
    return tf.transpose(found, [rank - 1, *range(rank - 1)])


def _numbers(a: Any) -> Any:
    x = ordered(tensor(a, "a"), "a quantile")
    if x.dtype.is_bool:
        raise WrongType(explain("a", "dtype bool", "integers and floats", "Cast it first."))
    return x


def _settled(arguments: Mapping[str, Any]) -> bool:
    """Say that both releases of NumPy agree: before 2, one narrow result was float64, and ties went up."""
    narrow = np.asarray(arguments["a"]).dtype.name in ("float16", "float32")
    return NUMPY_2 or not (narrow or arguments.get("method") == "closest_observation")


_RETURNS = "tf.Tensor, of the axes of `q`, then those of `a` that stay\n"


def _promise(
    name: str, summary: str, most: int, half: str, keep: str = "False", **promise: Any
) -> Callable[..., Any]:
    numbers = (0.5, 0.1, 1.0, 0.0, 0.75, (0.25, 0.5), (0.9,))
    drawn = tuple(
        tuple(part * most for part in one) if isinstance(one, tuple) else one * most for one in numbers
    )
    q = f"number, or list of numbers\nParts of {most}. A single number leaves narrow floats as they are."
    return numpy_native(
        f"numpy.{name}", summary, valid=_settled,
        domain={"a": _ARRAY, "q": OneOf(*drawn, typical=drawn[0]), "axis": _AXES,
                "method": OneOf("linear", "linear", *_METHODS, typical="linear"), "keepdims": Boolean()},
        parameters={"a": ARRAY_LIKE.replace("bool or ", ""), "q": q, "axis": AXIS, "keepdims": KEEP,
                    "method": "str, default 'linear'\nWhich quantile lies between two elements; one of the "
                              "reference's thirteen names."},
        agreement=AsReference(), words=CLOSE, graph=_GRAPH,
        raises=_ERRORS, example=(f"[1.0, 4.0], {half}", "<tf.Tensor: shape=(), dtype=float64, numpy=2.5>"),
        stated=("(a, q, axis=None, out=None, overwrite_input=False, method='linear', "
                f"keepdims={keep}, *, weights=None)"),
        **{"returns": f"{_RETURNS}NaN where there is one.", **promise},
    )  # fmt: skip


@_promise("percentile", "Return percentiles.", 100, "50")
def percentile(
    a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False,
    method: Any = "linear", keepdims: Any = False, *, weights: Any = None,
) -> Any:  # fmt: skip
    refuse(out=(out, None), overwrite_input=(overwrite_input, False), weights=(weights, None))
    fraction, _ = _fractions(q, 100)
    return _interpolated(_numbers(a), fraction, axis, keepdims, method)


@_promise("quantile", "Return quantiles.", 1, "0.5")
def quantile(
    a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False,
    method: Any = "linear", keepdims: Any = False, *, weights: Any = None,
) -> Any:  # fmt: skip
    refuse(out=(out, None), overwrite_input=(overwrite_input, False), weights=(weights, None))
    fraction, whole = _fractions(q, 1)
    return _interpolated(_numbers(a), fraction, axis, keepdims, method, whole=whole)


def _present(x: Any, keep: bool = False) -> Any:
    """Return how many elements along the last axis are numbers."""
    return tf.reduce_sum(tf.cast(tf.equal(x, x), tf.int64), -1, keepdims=keep)


def _of_rows(rows: Any, places: Any) -> Any:
    """Return elements of each row by places of its own, (..., Q)."""
    return tf.gather(rows, tf.maximum(places, 0), axis=-1, batch_dims=rows.shape.rank - 1)


@numpy_native(
    "numpy.nanmedian", "Return the middle elements of what is not NaN, or the mean of the two in the middle.",
    domain={"a": Array(dtypes=REALS, ranks=(1, 2, 3), sides=(1, 6)), "axis": _AXES, "keepdims": Boolean()},
    parameters={"a": ARRAY_LIKE, "axis": AXIS, "keepdims": KEEP}, agreement=AsReference(), words=CLOSE,
    returns="tf.Tensor\nThe medians, float64 of bool and integers; NaN for a row of nothing but NaN.",
    raises={**_ERRORS, "OutsideDomain": "There are no elements, or they are complex."}, graph=_GRAPH,
    example=("[1.0, float('nan'), 2.0]", "<tf.Tensor: shape=(), dtype=float64, numpy=1.5>"),
    slower="along an axis it is",
    stated=f"(a, axis=None, out=None, overwrite_input=False, keepdims={NO_VALUE})",
)  # fmt: skip
def nanmedian(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, keepdims: Any = NOTHING
) -> Any:
    refuse(out=(out, None), overwrite_input=(overwrite_input, False))
    x, keep = ordered(tensor(a, "a"), "median"), kept(keepdims)
    if not x.dtype.is_floating:
        return median(x, axis, keepdims=keep)
    wide = np.dtype(np.float32) if x.dtype == tf.float16 else _floating(x)
    rows, _ = _sorted_rows(x, axis, 1, apart=False)
    if axis is None:
        number = _present(tf.reshape(x, [-1]))
        before = tf.maximum(number - 1, 0) // 2
        low, high = (cast(one, wide) for one in _neighbours(rows, before, number // 2 - before))
    else:
        number = _present(rows, keep=True)
        low, high = (cast(_of_rows(rows, at), wide)[..., 0] for at in ((number - 1) // 2, number // 2))
    middle = tf.where(tf.equal(low, high), low, (low + high) / tf.constant(2, wide))
    return _with_axes(cast(middle, _floating(x)), x, axis, keep, 0)


def _has_an_empty_row(arguments: Mapping[str, Any]) -> bool:
    a, axis = np.asarray(arguments["a"]), arguments.get("axis")
    return a.dtype in (np.float16, np.float32) and bool(np.isnan(a).all(axis=axis).any())


@_promise(
    "nanpercentile", "Return percentiles of what is not NaN.", 100, "50", NO_VALUE,
    returns=f"{_RETURNS}NaN for a row of nothing but NaN.", slower="along an axis it is",
    differences=(
        Difference(
            "Where `q` is a list and the first row has nothing but NaN, the result has the dtype of float64 "
            "that other rows give; in the reference it has that of the array.",
            witness=lambda: {"a": np.full(3, np.nan, np.float32), "q": [50.0]},
            applies=_has_an_empty_row,
            only={"a": "f"},
        ),
    ),
)  # fmt: skip
def nanpercentile(
    a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False,
    method: Any = "linear", keepdims: Any = NOTHING, *, weights: Any = None,
) -> Any:  # fmt: skip
    refuse(out=(out, None), overwrite_input=(overwrite_input, False), weights=(weights, None))
    (fraction, _), x, keep = _fractions(q, 100), _numbers(a), kept(keepdims)
    if not x.dtype.is_floating or axis is None:
        present = _present(tf.reshape(x, [-1])) if x.dtype.is_floating else None
        return _interpolated(x, fraction, axis, keep, method, present=present)
    _check_method(method)
    rows, _ = _sorted_rows(x, axis, None, apart=False)
    present = _present(rows, keep=True)
    number = tf.cast(present, fraction.value.dtype)
    virtual = _place(method, number, tf.reshape(fraction.value, [-1]))
    last, zero = tf.maximum(present - 1, 0), tf.zeros([], tf.int64)
    if method in _TAKING:
        found = _of_rows(rows, tf.clip_by_value(tf.cast(_whole(method, virtual), tf.int64), zero, last))
    else:
        below = tf.clip_by_value(tf.floor(virtual), tf.zeros_like(virtual), tf.cast(last, virtual.dtype))
        place = tf.cast(below, tf.int64)
        step = tf.cast(tf.logical_and(virtual >= 0, place < last), tf.int64)
        low, high = _of_rows(rows, place), _of_rows(rows, place + step)
        found = _between(low, high, _share(method, virtual - below), _blended(x, fraction))
    rank = found.shape.rank
    found = tf.transpose(found, [rank - 1, *range(rank - 1)])
    leading = fraction.value.shape.rank
    return _with_axes(found if leading else found[0], x, axis, keep, leading)
