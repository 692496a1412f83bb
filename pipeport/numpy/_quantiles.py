"""median, percentile, quantile."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._along import axes_of, count, flag, not_empty, ordered
from pipeport.arrays._cast import cast
from pipeport.arrays._order import Counted, sort
from pipeport.arrays._promotion import Operand, common, constant
from pipeport.contract import Array, AsReference, Axes, Boolean, OneOf
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs.arrays import known_rank
from pipeport.kernels.xla._divide import divided
from pipeport.numpy._families import REALS, read, refuse, tensor, thin
from pipeport.numpy._reductions import ARRAY_LIKE, AXIS, CLOSE, KEEP, NUMBERS, NUMPY_2, RAISES

_ARRAY = Array(dtypes=NUMBERS, ranks=(1, 2, 3), sides=(1, 6))
_AXES = Axes(of="a", none=True)
_GRAPH = "a sort along the axes, of flattened bytes a count; and an interpolation."
_ERRORS = {
    **RAISES,
    "OutsideDomain": "There are no elements, or a number of `q` is outside its range.",
    "tf.errors.InvalidArgumentError": "The same, where it is known only when the graph runs.",
}


# The methods that take an element as it is: how its place becomes a whole number.
_ROUNDED: dict[str, Callable[[Any], Any]] = {
    "lower": lambda place: tf.floor(place),  # noqa: PLW0108
    "higher": lambda place: tf.math.ceil(place),  # noqa: PLW0108
    "nearest": lambda place: tf.round(place),  # noqa: PLW0108
}  # fmt: skip
_METHODS = ("linear", "midpoint", *_ROUNDED)


def _sorted_rows(x: Any, axis: Any) -> tuple[Any, Any]:
    """Return rows of sorted elements, one per result, and how many elements a row has."""
    axes = axes_of(x, axis)
    x = not_empty(x, axes)
    number = count(x, axes)
    if axes is None:
        flat = tf.reshape(x, [-1])
        return Counted(flat) if x.dtype == tf.uint8 else sort(flat), number
    rank = known_rank(x)
    stay = [place for place in range(rank) if place not in axes]
    order = [*stay, *(int(place) for place in axes)]
    x = x if order == list(range(rank)) else tf.transpose(x, order)
    static = x.shape.as_list()[: len(stay)]
    sizes = tf.concat([tf.shape(x)[: len(stay)], [tf.cast(number, tf.int32)]], 0)
    rows = tf.ensure_shape(tf.reshape(x, sizes), [*static, None if tf.is_tensor(number) else number])
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
    last = rows[..., -1]  # a sort puts NaN there
    return tf.where(tf.math.is_nan(last), tf.cast(last, found.dtype), found)


def _floating(x: Any) -> np.dtype[Any]:
    own: np.dtype[Any] = np.dtype(x.dtype.as_numpy_dtype)
    return np.dtype(np.float64) if own.kind in "biu" else own


@thin(
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
    rows, number = _sorted_rows(x, axis)
    dtype = _floating(x)
    wide = np.dtype(np.float32) if dtype == np.float16 else dtype
    low, high = (cast(_taken(rows, place), wide) for place in ((number - 1) // 2, number // 2))
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


def _interpolated(
    x: Any, fraction: Operand, axis: Any, keepdims: Any, method: Any, *, whole: bool = False
) -> Any:
    if not isinstance(method, str) or method not in _METHODS:
        advice = "Sort the array and take its elements for another one."
        raise UnsupportedArgument(explain("method", repr(method), ", ".join(map(repr, _METHODS)), advice))
    rows, number = _sorted_rows(x, axis)
    leading = fraction.value.shape.rank
    last = tf.cast(number, fraction.value.dtype) - tf.ones([], fraction.value.dtype)
    virtual = fraction.value * last
    if method in _ROUNDED and not whole:
        virtual, whole = _ROUNDED[method](virtual), True
    if whole:
        found = _nan_where_one_is(_taken(rows, tf.cast(virtual, tf.int64)), rows)
        return _with_axes(found, x, axis, keepdims, leading)
    below = tf.minimum(tf.floor(virtual), last)
    place = tf.cast(below, tf.int64)
    low = _taken(rows, place)
    high = _taken(rows, tf.minimum(place + 1, tf.cast(number, tf.int64) - 1))
    own = np.dtype(x.dtype.as_numpy_dtype)
    dtype, _ = common([Operand(x, own, False), fraction])
    share = virtual - below
    if method == "midpoint":
        share = tf.where(share > 0, tf.constant(0.5, share.dtype), share)
    share = tf.reshape(share, tf.concat([tf.shape(virtual), [1] * (rows.shape.rank - 1)], 0))
    share = tf.ensure_shape(share, [*virtual.shape, *[1] * (rows.shape.rank - 1)])
    one = tf.ones([], share.dtype)
    # NumPy subtracts in the dtype of the array, where integers wrap around.
    step = cast(high - low, dtype)
    low, high = cast(low, dtype), cast(high, dtype)
    nearer = high - step * cast(one - share, dtype)
    found = tf.where(share >= tf.constant(0.5, share.dtype), nearer, low + step * cast(share, dtype))
    return _with_axes(_nan_where_one_is(found, rows), x, axis, keepdims, leading)


def _taken(rows: Any, places: Any) -> Any:
    """Return elements of each row, the axis of places first."""
    if isinstance(rows, Counted):
        return rows.at(places)
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
    """Say that both releases of NumPy have one dtype: before 2, one narrow result was float64."""
    narrow = np.asarray(arguments["a"]).dtype.name in ("float16", "float32")
    return NUMPY_2 or not narrow


def _promise(name: str, summary: str, most: int, half: str) -> Callable[..., Any]:
    numbers = (0.5, 0.1, 1.0, 0.0, 0.75, (0.25, 0.5), (0.9,))
    drawn = tuple(
        tuple(part * most for part in one) if isinstance(one, tuple) else one * most for one in numbers
    )
    q = f"number, or list of numbers\nParts of {most}. One that is no list leaves narrow floats as they are."
    return thin(
        f"numpy.{name}", summary, valid=_settled,
        domain={"a": _ARRAY, "q": OneOf(*drawn, typical=drawn[0]), "axis": _AXES,
                "method": OneOf("linear", *_METHODS, typical="linear"), "keepdims": Boolean()},
        parameters={"a": ARRAY_LIKE.replace("bool or ", ""), "q": q, "axis": AXIS, "keepdims": KEEP,
                    "method": "str, default 'linear'\nBetween two elements: 'linear', or the 'lower', the "
                              "'higher', the 'nearest' one or the 'midpoint'; another is refused."},
        agreement=AsReference(), words=CLOSE, graph=_GRAPH,
        returns="tf.Tensor, of the axes of `q`, then those of `a` that stay\nNaN where there is one.",
        raises=_ERRORS, example=(f"[1.0, 4.0], {half}", "<tf.Tensor: shape=(), dtype=float64, numpy=2.5>"),
        stated=("(a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False, *, "
                "weights=None)"),
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
