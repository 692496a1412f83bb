"""`scipy.signal.lfilter` and `filtfilt`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import AsReference, Difference, OneOf, batchable, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor, known_rank, sizes_of
from pipeport.kernels.inputs.integers import whole_number
from pipeport.kernels.sampling._convolution import convolved
from pipeport.kernels.sampling._recursion import Filter, recursed
from pipeport.scipy.signal import _arguments as arguments

# A Butterworth low-pass of second order, among others.
_LOW_PASS = (0.20657208382614792, 0.41314416765229584, 0.20657208382614792)
_POLES = (1.0, -0.3695273773512414, 0.1958157126558331)
# A Butterworth high-pass of second order, from 0.5 Hz of 360: its poles lie close together.
_CLOSE = (1.0, -1.987658813704708, 0.9877345005437297)
_A = OneOf(_POLES, (1.0, -0.9), (2.0, 0.5, -0.25, 0.125), _CLOSE, (1.0,), (2.0,), typical=_POLES)
_B = OneOf(_LOW_PASS, (1.0,), (0.5, -0.25), (1.0, -0.97), (0.25,) * 4, typical=_LOW_PASS)


def _result(*operands: Any) -> Any:
    dtype = arguments.common_dtype(*operands)
    if dtype not in (tf.float32, tf.float64):
        advice = "Cast the signal to float32 or float64, as the reference needs it too."
        raise WrongType(explain("x", f"dtype {dtype.name} with these coefficients", "floats", advice))
    return dtype


def _denominator(a: Any) -> np.ndarray:
    found = arguments.coefficients(a, "a")
    if tf.is_tensor(found):
        advice = "Design the filter while tracing; `b` may be a tensor where `a` is one number."
        raise UnsupportedArgument(explain("a", "a tensor", "known numbers", advice))
    if not np.isfinite(found).all() or found[0] == 0:
        raise OutsideDomain(explain("a", found, "finite numbers, the first not 0", "Scale the filter."))
    return np.asarray(found)


def _filter(b: Any, a: np.ndarray) -> Filter:
    if tf.is_tensor(b):
        advice = "Design the filter while tracing; `b` may be a tensor where `a` is one number."
        raise UnsupportedArgument(explain("b", "a tensor", "known numbers", advice))
    return Filter.of(b, a)


# A Butterworth low-pass of eighth order, up to 0.02 of Nyquist's frequency.
_NARROW = {
    "b": (
        8.098259786747707e-13,
        6.478607829398165e-12,
        2.267512740289358e-11,
        4.535025480578716e-11,
        5.6687818507233944e-11,
        4.535025480578716e-11,
        2.267512740289358e-11,
        6.478607829398165e-12,
        8.098259786747707e-13,
    ),
    "a": (
        1.0,
        -7.677940205392836,
        25.797219528171233,
        -49.54122563778755,
        59.47613197003973,
        -45.7087344779167,
        21.960120132116103,
        -6.0301722352443194,
        0.7246009262216517,
    ),
}


def _more_exact(most: float) -> Difference:
    """Declare the reference's roundings: those of filters of a larger gain than `most` are seen."""

    def narrow(call: Mapping[str, Any]) -> bool:
        b, a = (np.atleast_1d(np.asarray(call[name], np.float64)) for name in ("b", "a"))
        return bool(len(a) > 1 and a[0] != 0 and Filter.of(b, a).system.gain > most)

    return Difference(
        "Where poles lie close together, results are closer to the exact ones: the reference loses digits.",
        witness=lambda: {**_NARROW, "x": np.sin(np.arange(600.0) ** 1.5)},
        applies=narrow,
    )


def _states(zi: Any, lines: arguments.Lines, order: int, batch_axes: int) -> Any:
    """Return the states before the first elements of lines, shape (..., order)."""
    found, rank = as_tensor(zi, "zi"), lines.x.shape.rank
    if batch_axes and known_rank(found, "zi") == rank - 1:
        found = found[tf.newaxis]  # the same of all elements
    if found.dtype.is_complex or known_rank(found, "zi") != rank:
        given = f"rank {known_rank(found, 'zi') - batch_axes} of {found.dtype.name}"
        advice = "Give numbers along the same axis."
        raise OutsideDomain(explain("zi", given, f"rank {rank - batch_axes} of real numbers", advice))
    found = tf.transpose(found, [*(other for other in range(rank) if other != lines.axis), lines.axis])
    wanted = [*sizes_of(lines.x)[:-1], order]
    allowed, advice = f"{order} numbers along the axis, for each line or for all", "See lfilter_zi."
    found_sizes, sizes = _checks.check(
        lambda have, want: tf.reduce_all((have == want) | ((have == 1) & ([True] * (rank - 1) + [False]))),
        "zi", f"shape {found.shape[batch_axes:]}, its axis last", allowed, advice,
        tf.stack(sizes_of(found)), tf.stack(wanted),
    )  # fmt: skip
    with tf.control_dependencies([found_sizes]):
        return tf.ensure_shape(tf.broadcast_to(found, sizes), [*lines.x.shape[:-1], order])


def _left_over(x: Any, taps: Any, order: int) -> Any:
    """Return the sums of products with a kernel that reach beyond lines, as many as the order."""
    missing = order - sizes_of(x)[-1]
    missing = tf.maximum(missing, 0) if tf.is_tensor(missing) else max(missing, 0)
    last = tf.pad(x[..., -order:], [*[[0, 0]] * (x.shape.rank - 1), [missing, 0]])
    return convolved(last, taps, order, order)


def _continued(x: Any, found: Any, states: Any, b: Any, a: np.ndarray) -> tuple[Any, Any]:
    """Return what lines of float64 become, and the states behind them.

    `found`: what they become without states before. `b`, `a`: coefficients, as many of both, or the first of
    `a` alone, which is 1.
    """
    order, size = states.shape[-1], sizes_of(x)[-1]
    if order == 0:
        return found, states
    around = [[0, 0]] * (x.shape.rank - 1)
    least, most = (tf.minimum, tf.maximum) if tf.is_tensor(size) else (min, max)
    # States are what is added to the first inputs of a filter without `b`.
    early = tf.pad(states, [*around, [0, most(size - order, 0)]])
    if len(a) > 1:
        early = recursed(early, Filter.of(np.ones(1), a))
    found += early[..., :size]
    behind = tf.pad(states[..., size:], [*around, [0, least(size, order)]]) + _left_over(x, b, order)
    if len(a) > 1:
        behind -= _left_over(found, tf.constant([0.0, *a[1:]], tf.float64), order)
    return found, tf.ensure_shape(behind, states.shape)


def _states_fit(call: Mapping[str, Any]) -> bool:
    zi = call.get("zi")
    order = max(len(call["b"]), len(call["a"])) - 1
    return zi is None or (np.ndim(call["x"]) == 1 and len(zi) == order)


@replaces(
    "scipy.signal.lfilter",
    domain={
        "b": _B,
        "a": _A,
        "x": arguments.SIGNALS,
        "axis": OneOf(-1, 0),
        "zi": OneOf(None, None, (0.5,), (0.5, -1.0), (0.25, -0.5, 1.0), typical=None),
    },
    agreement=AsReference(coordinates_of="x"),
    differences=(_more_exact(500),),
    valid=_states_fit,
)
@batchable
def lfilter(batch_axes: int, b: Any, a: Any, x: Any, axis: int = -1, zi: Any = None) -> Any:
    """Filter the lines of an array recursively.

    Parameters
    ----------
    b : array_like, shape (M,), floats or integers
        Coefficients of the inputs. A tensor whose values are not known only where `a` is one number.
    a : array_like, shape (N,), floats or integers
        Coefficients of the outputs, known while tracing; the first is not 0.
    x : tf.Tensor, one axis or more, bool or real numbers
        The signals. Sizes may be unknown while tracing.
    axis : int, default -1
        Along which axis they run.
    zi : array_like, optional
        The states before the first elements, one less along the axis than the longer of `b` and `a` has;
        along others as many as `x` has, or one.

    Returns
    -------
    y : tf.Tensor, float32 or float64, shape of `x`
        The filtered signals, of the dtype that NumPy gives to the arguments: float64 of plain numbers.
    zf : tf.Tensor, dtype of `y`
        With `zi`, the states behind the last elements; else `y` comes alone.

    Raises
    ------
    BadAxis
        The array has no such axis.
    OutsideDomain
        There are no elements along the axis, coefficients are not list, the first of `a` is 0, or the shape
        of `zi` does not fit.
    UnsupportedArgument
        `a`, or `b` beside several numbers in `a`, is not known while tracing; an unknown rank.
    WrongType
        The result would be of another dtype, which the reference refuses as well.
    tf.errors.InvalidArgumentError
        There turn out to be no elements along the axis, or `zi` does not fit.

    Notes
    -----
    Agreement: as accurate as the reference, judged against it in float64; more accurate where poles lie close
    together. Of a low-pass of order 8 up to 0.02 the reference is off by 6e-6 of the largest output, the
    native by less than 1e-15. From the first NaN or infinity on, a line is NaN if `a` has several numbers.
    Filters that grow beyond the range of float64 are outside the domain.
    Graph: blocks of 64 elements as one product of matrices, their states by doubling: those of a normalised
    lattice, of a stable filter of order 32 at most. With `zi` twice that. Static shape is kept.

    Source: `scipy/signal/_signaltools.py` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.signal import lfilter
    >>> lfilter([1.0], [1.0, -0.5], tf.constant([1.0, 0.0, 0.0])).numpy().tolist()
    [1.0, 0.5, 0.25]
    """
    numerator, denominator = arguments.coefficients(b, "b"), _denominator(a)
    lines = arguments.lines_of(x, "x", axis, batch_axes)
    signal, weights = tf.cast(lines.x, tf.float64), denominator[:1] / denominator[:1]
    if len(denominator) > 1:
        filtered = _filter(numerator, denominator)
        taps, weights = tf.constant(filtered.b), filtered.a
    else:
        taps = tf.cast(numerator, tf.float64) / tf.constant(float(denominator[0]), tf.float64)
    states = None
    if zi is not None:
        if taps.shape[0] is None:
            advice = "State the shape of `b` with tf.ensure_shape."
            raise UnsupportedArgument(explain("zi", "states of an unknown number of taps", "None", advice))
        states = _states(zi, lines, taps.shape[0] - 1, batch_axes)
    dtype = _result(numerator, denominator, lines.x, *([] if states is None else [states]))
    if len(denominator) > 1:
        wide = recursed(signal, filtered)
    else:
        wide = convolved(signal, taps, 0, sizes_of(signal)[-1])
    if states is None:
        return lines.back(tf.cast(wide, dtype))
    wide, behind = _continued(signal, wide, tf.cast(states, tf.float64), taps, weights)
    return lines.back(tf.cast(wide, dtype)), lines.back(tf.cast(behind, dtype))


_PADDINGS = ("odd", "even", "constant", None)


def extended(x: Any, padtype: Any, edge: int) -> Any:
    """Return lines with `edge` elements more at both ends, in their own dtype as the reference does it."""
    if padtype is None or edge == 0:
        return x
    left, right = x[..., :1], x[..., -1:]
    if padtype == "constant":
        return tf.concat([tf.repeat(left, edge, -1), x, tf.repeat(right, edge, -1)], -1)
    before = tf.reverse(x[..., 1 : edge + 1], [-1])
    after = tf.reverse(x[..., -edge - 1 : -1], [-1])
    if padtype == "odd":
        before, after = left + left - before, right + right - after
    return tf.concat([before, x, after], -1)


def _edge(padtype: Any, padlen: Any, taps: int) -> int:
    if padtype is None:
        return 0
    _checks.word(padtype, _PADDINGS, "padtype", "'odd' turns the signal about its ends.")
    return 3 * taps if padlen is None else whole_number(padlen, "padlen", least=0)


def long_enough(x: Any, edge: int) -> Any:
    size, allowed = x.shape[-1], f"more than `padlen`, which is {edge}"
    advice = "Give a smaller `padlen`."
    if size is None:
        message = explain("x", "a shorter axis at run time", allowed, advice)
        with tf.control_dependencies([tf.debugging.assert_greater(tf.shape(x)[-1], edge, message)]):
            return tf.identity(x)
    if size <= edge:
        raise OutsideDomain(explain("x", f"{size} elements along the axis", allowed, advice))
    return x


def _from_its_first(filtered: Filter, a: np.ndarray) -> Callable[[Any], Any]:
    """Return what filters lines of float64 as if each had been its first element for ever before it."""
    if len(a) == 1:
        reach = len(filtered.b) - 1

        def summed(x: Any) -> Any:
            longer = tf.concat([tf.repeat(x[..., :1], reach, -1), x], -1)
            return convolved(longer, tf.constant(filtered.b), reach, sizes_of(x)[-1])

        return summed
    try:
        state = tf.constant(filtered.steady())
    except np.linalg.LinAlgError as error:
        advice = "A filter with a pole at 1 never comes to rest."
        raise OutsideDomain(explain("a", a, "a filter that comes to rest", advice)) from error
    return lambda x: recursed(x, filtered, x[..., :1] * state)


def _gust(call: Mapping[str, Any]) -> bool:
    return bool(call.get("method", "pad") == "gust")


@replaces(
    "scipy.signal.filtfilt",
    domain={
        "b": _B,
        "a": _A,
        "x": arguments.SIGNALS,
        "axis": OneOf(-1, 0),
        "padtype": OneOf("odd", "even", "constant", None, typical="odd"),
        "padlen": OneOf(None, 0, 1, 3, 5, typical=None),
        "method": OneOf("pad"),
    },
    agreement=AsReference(coordinates_of="x"),
    differences=(
        _more_exact(30),
        Difference(
            "The method 'gust' is refused.",
            witness=lambda: {
                "b": (0.5, 0.5), "a": (1.0,), "x": np.arange(9.0), "method": "gust"
            },
            applies=_gust,
        ),
    ),
    refused={"irlen": "only the method 'gust' uses it"},
)  # fmt: skip
@batchable
def filtfilt(
    batch_axes: int,
    b: Any,
    a: Any,
    x: Any,
    axis: int = -1,
    padtype: str | None = "odd",
    padlen: int | None = None,
    method: str = "pad",
    irlen: int | None = None,
) -> Any:
    """Filter the lines of an array recursively, forwards and then backwards.

    Parameters
    ----------
    b, a : array_like, floats or integers
        Coefficients of the inputs and of the outputs, known while tracing; the first of `a` is not 0.
    x : tf.Tensor, one axis or more, real numbers
        The signals. Sizes may be unknown while tracing.
    axis : int, default -1
        Along which axis they run.
    padtype : {'odd', 'even', 'constant', None}, default 'odd'
        How a signal goes on beyond its ends: turned about them, mirrored, constant, or not at all.
    padlen : int, optional
        How far it does, less than it has elements; three times the number of coefficients when None.
    method : {'pad'}
        The way to treat the ends; 'gust' is refused.

    Returns
    -------
    tf.Tensor, float32 or float64, shape of `x`
        The filtered signals, of the dtype that NumPy gives to `b`, `a` and `x`: float64 of plain numbers.

    Raises
    ------
    BadAxis
        The array has no such axis.
    OutsideDomain
        `x` is not longer than `padlen` along the axis, `padtype` is another, the filter does not come to
        rest, coefficients are not list or one number each, or the first of `a` is 0.
    UnsupportedArgument
        `method` or `irlen` are given, coefficients are not known while tracing, or the rank is not.
    WrongType
        The result would be of another dtype, which the reference refuses as well; bool with 'odd'.
    tf.errors.InvalidArgumentError
        `x` turns out to be no longer than `padlen`.

    Notes
    -----
    Agreement: as accurate as the reference, judged against it in float64, see `lfilter`.
    Graph: that of `lfilter`, twice. Static shape is kept.

    Source: `scipy/signal/_signaltools.py` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.signal import filtfilt
    >>> filtfilt([0.5, 0.5], [1.0], tf.constant([0.0, 4.0, 0.0, 0.0]), padlen=0).numpy().tolist()
    [1.0, 2.0, 1.0, 0.0]
    """
    _checks.word(method, ("pad",), "method", "Leave it out: it is the default.", error=UnsupportedArgument)
    if irlen is not None:
        raise UnsupportedArgument(explain("irlen", repr(irlen), "None", "Method 'pad' does not use it."))
    numerator, denominator = arguments.coefficients(b, "b"), _denominator(a)
    filtered = _filter(numerator, denominator)
    if len(filtered.a) == 1:
        advice = "Multiply the signal."
        raise OutsideDomain(explain("b, a", "one number each", "two coefficients at least", advice))
    edge = _edge(padtype, padlen, len(filtered.a))
    lines = arguments.lines_of(x, "x", axis, batch_axes)
    dtype = _result(numerator, denominator, lines.x)
    signal = long_enough(lines.x, edge)
    if signal.dtype.is_bool and padtype == "odd" and edge:
        raise WrongType(explain("x", "dtype bool", "numbers for padtype 'odd'", "Cast it first."))
    wide = tf.cast(extended(signal, padtype, edge), tf.float64)
    once = _from_its_first(filtered, denominator)
    for _ in range(2):
        wide = tf.reverse(once(wide), [-1])
    size = lines.x.shape[-1]
    part = wide[..., edge : edge + (tf.shape(lines.x)[-1] if size is None else size)]
    return lines.back(tf.ensure_shape(tf.cast(part, dtype), lines.x.shape))
