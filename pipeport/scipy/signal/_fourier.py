"""`scipy.signal.resample` and `fftconvolve`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import (
    Array,
    AsReference,
    Difference,
    Integer,
    Maybe,
    OneOf,
    Shaped,
    batchable,
    replaces,
)
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import sizes_of
from pipeport.kernels.inputs.axes import axis_tuple
from pipeport.kernels.inputs.integers import whole_number
from pipeport.kernels.sampling._spectra import arrays_of, half_of
from pipeport.scipy.signal import _arguments as arguments
from pipeport.scipy.signal._windows import named


def _window_fits(call: Mapping[str, Any]) -> bool:
    window, shape = call.get("window"), np.shape(call["x"])
    return window is None or len(window) == shape[call.get("axis", 0)]


def _weights(window: Any, size: Any) -> Any:
    """Return what the elements of a whole spectrum are multiplied by, as many as there are if known."""
    if hasattr(window, "shape"):
        found = tf.convert_to_tensor(arguments.coefficients(window, "window"))
        if not found.dtype.is_floating:
            raise WrongType(explain("window", f"dtype {found.dtype.name}", "floats", "Cast it first."))
        given, advice = "another number of elements than in `x`", "Give one for each element along the axis."
        ends = tf.shape(found)[0] if found.shape[0] is None else found.shape[0], size
        sizes = [tf.convert_to_tensor(one) for one in ends]
        sizes = _checks.check(tf.equal, "window", given, "equally many", advice, *sizes)
        with tf.control_dependencies(sizes):
            return tf.identity(found)
    if callable(window):
        advice = "Give its result of numpy.fft.fftfreq(N)."
        raise UnsupportedArgument(explain("window", "a function", "an array or a name", advice))
    if tf.is_tensor(size):
        advice = "State the shape with tf.ensure_shape, or give the elements."
        raise UnsupportedArgument(explain("window", f"{window!r} of an unknown size", "an array", advice))
    by_name = window if isinstance(window, (str, tuple)) else ("kaiser", window)
    return tf.constant(np.fft.fftshift(named(by_name, size, periodic=True)))


def _floating(x: Any) -> Any:
    return tf.cast(x, tf.float32 if x.dtype in (tf.float16, tf.float32) else tf.float64)


@replaces(
    "scipy.signal.resample",
    domain={
        "x": arguments.SIGNALS,
        "num": Integer(1, 16, typical=8),
        "axis": OneOf(0, -1),
        "window": Maybe(spec=Shaped(shape=("x.0",))),
    },
    valid=_window_fits,
    agreement=AsReference(),
    refused={
        "t": "the result would have a second part",
        "domain": "the signal is given, not its spectrum",
    },
)
@batchable
def resample(
    batch_axes: int, x: Any, num: int, t: Any = None, axis: int = 0, window: Any = None, domain: str = "time"
) -> Any:
    """Resample the lines of an array to a number of elements, by the Fourier transform.

    Parameters
    ----------
    x : tf.Tensor, one axis or more, bool or real numbers
        The signals. Sizes may be unknown while tracing.
    num : int
        How many elements each has afterwards, known while tracing.
    axis : int, default 0
        Along which axis they run.
    window : str, tuple, float or array, optional
        What the spectrum is multiplied by: of the frequency zero the middle of a window by its name, or by a
        tuple of one and its values, see `stft`, or a Kaiser window by its beta; or an array of floats, of the
        frequency zero first, then of positive and of negative ones. Of a name sizes must be known.
    domain : {'time'}
        Refused otherwise: the signal is given, not its spectrum.

    Returns
    -------
    tf.Tensor, float32 or float64
        The signals; of float32 float32, else float64.

    Raises
    ------
    BadAxis
        The array has no such axis.
    OutsideDomain
        `num` is below 1, there are no elements along the axis, or not one in `window` for each.
    UnsupportedArgument
        `t` or `domain` are given, `num`, `window` or the rank is not known while tracing, another window, or
        complex numbers.
    WrongType
        `num` is not a whole number, or `window` no floats.
    tf.errors.InvalidArgumentError
        There turn out to be no elements along the axis, or another number than in `window`.

    Notes
    -----
    Agreement: as accurate as the reference, judged against it in float64. Compiled by XLA of TensorFlow
    2.15 it is less so: in float64 it was off by 15 eps of the largest element at length 5, by 47 at length
    1024 and by 900 at length 1000.
    Graph: two transforms. Static shape is kept.

    Source: `scipy/signal/_signaltools.py` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.signal import resample
    >>> resample(tf.ones([3]), 6).shape
    TensorShape([6])
    """
    for name, value, allowed, advice in (
        ("t", t, None, "Compute the times with numpy.arange."),
        ("domain", domain, "time", "Transform back first."),
    ):
        if value is not allowed and not (isinstance(value, str) and value == allowed):
            shown = value if isinstance(value, str) else type(value).__name__
            raise UnsupportedArgument(explain(name, repr(shown), repr(allowed), advice))
    wanted = whole_number(num, "num", least=1)
    lines = arguments.lines_of(x, "x", axis, batch_axes)
    signal = _floating(lines.x)
    size = sizes_of(signal)[-1]
    if window is not None:
        weights = _weights(window, size)
        # Of each two frequencies that are conjugate to each other the mean.
        weights = ((weights + tf.roll(tf.reverse(weights, [0]), 1, 0)) / 2)[: size // 2 + 1]
    spectrum = half_of(signal)
    if window is not None:
        spectrum *= tf.cast(weights, spectrum.dtype)
    kept, have = wanted // 2 + 1, size // 2 + 1
    least, most = (min, max) if isinstance(size, int) else (tf.minimum, tf.maximum)
    missing = most(kept - have, 0)
    spectrum = tf.pad(spectrum[..., :kept], [*[[0, 0]] * (signal.shape.rank - 1), [0, missing]])
    spectrum = tf.ensure_shape(spectrum, [*signal.shape[:-1], kept])
    # The frequency in the middle of the shorter signal has one element there, and two in the longer one.
    both = least(size, wanted)
    factor = tf.where(tf.range(kept) <= both // 2, tf.ones([], signal.dtype), tf.zeros([], signal.dtype))
    middle = tf.cast(2 * tf.range(kept) == both, signal.dtype)
    change = tf.cast(tf.sign(tf.cast(size - wanted, tf.int32)), signal.dtype)
    factor *= 1 + middle * change * (3 + change) / 4  # twice as much, half as much, or as much
    factor *= tf.cast(wanted, signal.dtype) / tf.cast(size, signal.dtype)
    found = arrays_of(spectrum * tf.cast(factor, spectrum.dtype), [wanted])
    return lines.back(tf.ensure_shape(found, [*signal.shape[:-1], wanted]))


def _fast_length(size: int) -> int:
    """Return the smallest length from a size on whose only prime factors are 2, 3 and 5."""
    while True:
        rest = size
        for prime in (2, 3, 5):
            while rest % prime == 0:
                rest //= prime
        if rest == 1:
            return size
        size += 1


def _larger(one: Any, other: Any) -> Any:
    known = isinstance(one, int) and isinstance(other, int)
    return max(one, other) if known else tf.maximum(one, other)


def _check_others(sizes: list[list[Any]], along: list[int], batch_axes: int) -> None:
    for place, (one, other) in enumerate(zip(*sizes, strict=True)):
        known = isinstance(one, int) and isinstance(other, int)
        if place >= batch_axes and place not in along and known and 1 not in (one, other) and one != other:
            given = f"{one} and {other} elements along axis {place - batch_axes}"
            advice = "Name the axis in `axes`."
            raise OutsideDomain(explain("in1, in2", given, "equally many, or one", advice))


def _is_swapped(sizes: list[list[Any]], along: list[int]) -> bool:
    pairs = [(sizes[0][place], sizes[1][place]) for place in along]
    if not all(isinstance(size, int) for pair in pairs for size in pair):
        return False
    if all(one >= other for one, other in pairs):
        return False
    if all(one <= other for one, other in pairs):
        return True
    given = "arrays of which neither is as large as the other along all axes"
    raise OutsideDomain(explain("mode", f"'valid' of {given}", "'full' or 'same'", "Choose one of these."))


def _product(first: Any, second: Any, dtype: Any, order: list[int], sizes: list[Any]) -> Any:
    """Return the full convolution, its convolved axes last."""
    count, rank = len(sizes), len(order)
    lengths = [_fast_length(size) if isinstance(size, int) else size for size in sizes]
    spectra = []
    for x in (first, second):
        x = x if order == list(range(rank)) else tf.transpose(x, order)
        x = tf.cast(x, dtype)
        more = [length - size for length, size in zip(lengths, sizes_of(x)[-count:], strict=True)]
        padded = tf.pad(x, [*[[0, 0]] * (rank - count), *[[0, extra] for extra in more]])
        spectra.append(half_of(padded, count))
    cut = arrays_of(spectra[0] * spectra[1], lengths)[(..., *(slice(None, size) for size in sizes))]
    static = [size if isinstance(size, int) else None for size in sizes]
    return tf.ensure_shape(cut, [*cut.shape[: rank - count], *static])


def _stays_whole(call: Mapping[str, Any]) -> bool:
    arrays = [np.asarray(call[name]) for name in ("in1", "in2")]
    whole = any(one.dtype.kind in "iub" for one in arrays) and np.result_type(*arrays) != np.float64
    return whole and all(1 in pair for pair in zip(*(one.shape for one in arrays), strict=True))


@replaces(
    "scipy.signal.fftconvolve",
    domain={
        "in1": Array(dtypes=arguments.DTYPES, ranks=(2,), sides=(1, 9), values=(-1.0, 1.0), non_finite=False),
        "in2": Shaped(shape=((1, 5), (1, 5))),
        "mode": OneOf("full", "same", typical="full"),
        "axes": OneOf(None, (0, 1), typical=None),
    },
    agreement=AsReference(),
    differences=(
        Difference(
            "Integers give float64 also where one array has a single element along each axis; the reference "
            "multiplies them as they are.",
            witness=lambda: {"in1": np.array([2, 3]), "in2": np.array([4])},
            applies=_stays_whole,
        ),
    ),
)  # fmt: skip
@batchable
def fftconvolve(batch_axes: int, in1: Any, in2: Any, mode: str = "full", axes: Any = None) -> Any:
    """Return the convolution of two arrays, by the Fourier transform.

    Parameters
    ----------
    in1, in2 : tf.Tensor, one axis or more, bool or real numbers
        The arrays, of equal rank. Sizes may be unknown while tracing.
    mode : {'full', 'same', 'valid'}, default 'full'
        All sums of products, as many as `in1` has elements, or those without a border. Where sizes are
        unknown, 'valid' needs `in1` to be the larger array.
    axes : int or sequence of int, optional
        Up to three axes; all when None.

    Returns
    -------
    tf.Tensor, float32 or float64
        The sums; float32 where both arrays are, else float64.

    Raises
    ------
    BadAxis
        The arrays have no such axis.
    OutsideDomain
        There are no elements, the ranks or sizes do not match, or `mode` is another.
    UnsupportedArgument
        More than three axes, complex numbers, or an unknown rank.

    Notes
    -----
    Agreement: as accurate as the reference, judged against it in float64. Compiled by XLA of TensorFlow
    2.15 it is less so: in float64 it was off by 15 eps of the largest element at length 5, by 47 at length
    1024 and by 900 at length 1000.
    Graph: three transforms, of lengths with the factors 2, 3 and 5 where sizes are known. Static shape is
    kept.

    Source: `scipy/signal/_signaltools.py` of SciPy 1.17.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.scipy.signal import fftconvolve
    >>> fftconvolve(tf.ones([16000]), tf.ones([4000]), "same").shape
    TensorShape([16000])
    """
    first, second = arguments.array_of(in1, "in1", 1, 0), arguments.array_of(in2, "in2", 1, 0)
    if batch_axes and abs(first.shape.rank - second.shape.rank) == 1:  # one of both for the whole batch
        more = first.shape.rank < second.shape.rank
        first, second = (first[tf.newaxis], second) if more else (first, second[tf.newaxis])
    rank = first.shape.rank
    if rank != second.shape.rank:
        given = f"{rank} and {second.shape.rank} axes"
        raise OutsideDomain(explain("in1, in2", given, "equally many", "Add axes with tf.newaxis."))
    if any(0 in one.shape.as_list()[batch_axes:] for one in (first, second)):
        raise OutsideDomain(explain("in1, in2", "no elements", "one at least", "Leave it out."))
    _checks.word(mode, ("full", "same", "valid"), "mode")
    inner = rank - batch_axes
    places = range(inner) if axes is None else axis_tuple(axes, inner, "axes")
    chosen = tuple(place + batch_axes for place in places)
    if not 1 <= len(chosen) <= 3:
        advice = "Convolve along others in a second call."
        raise UnsupportedArgument(explain("axes", f"{len(chosen)} axes", "one to three", advice))
    first, second = _floating(first), _floating(second)
    dtype = tf.float32 if first.dtype == second.dtype == tf.float32 else tf.float64
    sizes = [sizes_of(first), sizes_of(second)]
    along = [place for place in chosen if first.shape[place] != 1 and second.shape[place] != 1]
    _check_others(sizes, along, batch_axes)
    if mode == "valid" and _is_swapped(sizes, along):
        sizes.reverse()
        first, second = second, first
    whole_sizes = [
        one + other - 1 if place in chosen else _larger(one, other)
        for place, (one, other) in enumerate(zip(*sizes, strict=True))
    ]
    order = [*(place for place in range(rank) if place not in chosen), *chosen]
    full = _product(first, second, dtype, order, [whole_sizes[place] for place in chosen])
    back = [order.index(place) for place in range(rank)]
    full = full if back == order == list(range(rank)) else tf.transpose(full, back)
    if mode == "full":
        return full
    starts, wanted = [0] * rank, list(whole_sizes)
    for place in range(batch_axes, rank):
        if mode == "same":
            wanted[place] = sizes[0][place]
            starts[place] = (whole_sizes[place] - wanted[place]) // 2
        elif place in along:
            wanted[place] = sizes[0][place] - sizes[1][place] + 1
            starts[place] = (whole_sizes[place] - wanted[place]) // 2
    found = tf.slice(full, starts, wanted)
    return tf.ensure_shape(found, [one if isinstance(one, int) else None for one in wanted])
