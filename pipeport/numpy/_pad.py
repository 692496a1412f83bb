"""pad."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import (
    Array,
    AsReference,
    Difference,
    OneOf,
    PadValues,
    PadWidths,
    Stock,
    batchable,
    replaces,
)
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor, exact_rank, limit_rank
from pipeport.kernels.inputs.dtypes import NUMPY_2
from pipeport.numpy import _pad_fill, _pad_stats
from pipeport.numpy._pad_arguments import end_values, implied_rank, lengths, values, widths

_OPTIONS = {
    "constant": "constant_values",
    "edge": None,
    "empty": None,
    "linear_ramp": "end_values",
    "maximum": "stat_length",
    "mean": "stat_length",
    "median": "stat_length",
    "minimum": "stat_length",
    "reflect": "reflect_type",
    "symmetric": "reflect_type",
    "wrap": None,
}
MODES = tuple(_OPTIONS)
_SERVED = ", ".join(map(repr, MODES))
# The kernel of tf.pad stops at six axes.
_MOST = 6


def _check_mode(mode: Any, options: Mapping[str, Any]) -> None:
    if callable(mode):
        advice = "Pad with 'constant' and fill the border with tf.where."
        raise UnsupportedArgument(explain("mode", "a callable", _SERVED, advice))
    if not isinstance(mode, Hashable) or tf.is_tensor(mode):
        raise WrongType(explain("mode", repr(mode), _SERVED, "Name one mode."))
    if mode not in _OPTIONS:
        raise UnsupportedArgument(explain("mode", repr(mode), _SERVED, "Name one of these."))
    allowed = _OPTIONS[mode]
    for option in options:
        if option != allowed:
            given = f"it with mode={mode!r}"
            taken = f"only `{allowed}`" if allowed else "no options"
            raise UnsupportedArgument(explain(option, given, taken + " for this mode", "Leave it out."))
    reflect_type = options.get("reflect_type", "even")
    _checks.word(reflect_type, ("even", "odd"), "reflect_type", error=UnsupportedArgument)


def _with_rank(x: Any, pad_width: Any, batch_axes: int) -> tuple[Any, int]:
    """Return the array with a static rank, and the rank of one element."""
    if x.shape.rank is not None:
        if x.shape.rank < batch_axes:
            advice = "Batch the elements first."
            raise OutsideDomain(explain("array", "rank 0", "a leading batch axis", advice))
        return x, x.shape.rank - batch_axes
    rank = implied_rank(pad_width)
    if rank is None:
        advice = "Use tf.ensure_shape, or give `pad_width` one pair per axis."
        raise OutsideDomain(explain("array", "an unknown rank", "a rank known while tracing", advice))
    message = explain("array", "another rank at run time", f"rank {rank}, as in `pad_width`", "Check both.")
    return exact_rank(x, rank + batch_axes, message), rank


def _out_shape(x: Any, pairs: list[tuple[Any, Any]], batch_axes: int) -> list[int | None]:
    sizes = list(x.shape[:batch_axes])
    for size, (before, after) in zip(x.shape[batch_axes:], pairs, strict=True):
        known = size is not None and isinstance(before, int) and isinstance(after, int)
        sizes.append(size + before + after if known else None)
    return sizes


def _extension(
    x: Any, rank: int, pairs: list[tuple[Any, Any]], mode: str, options: Mapping[str, Any], batch_axes: int
) -> Callable[[Any, int, Any, Any], Any]:
    """Return the function `(x, axis, before, after)` that extends one axis, its options checked."""
    if mode in _pad_stats.STATISTICS:
        counted = lengths(options.get("stat_length"), rank)
        _pad_stats.check(x, mode, counted)
        return lambda x, a, before, after: _pad_stats.statistics(
            x, a + batch_axes, before, after, mode, counted[a]
        )
    if mode == "linear_ramp":
        ends = end_values(options.get("end_values", 0), rank)
        return lambda x, a, before, after: _pad_stats.ramps(
            x, a + batch_axes, before, after, ends[a], batch_axes
        )
    if options.get("reflect_type", "even") == "even":
        return lambda x, a, before, after: _pad_fill.repeated(x, a + batch_axes, before, after, mode)
    if not all(isinstance(one, int) for pair in pairs for one in pair):
        advice = "Use reflect_type='even', or widths known while tracing."
        raise UnsupportedArgument(
            explain("pad_width", "a tensor not known while tracing", "integers for 'odd'", advice)
        )
    return lambda x, a, before, after: _pad_fill.reflected_odd(x, a + batch_axes, before, after, mode)


def _unknown_reflect_type(arguments: Mapping[str, Any]) -> bool:
    return arguments.get("reflect_type", "even") not in ("even", "odd")


def _wide_reflection(arguments: Mapping[str, Any]) -> bool:
    if arguments.get("mode", "constant") not in ("reflect", "symmetric"):
        return False
    shape = np.shape(arguments["array"])
    pairs = widths(arguments["pad_width"], len(shape))
    return any(max(pair) >= size for pair, size in zip(pairs, shape, strict=True))


def _mean_of_nothing(arguments: Mapping[str, Any]) -> bool:
    array, length = np.asarray(arguments["array"]), arguments.get("stat_length")
    if arguments.get("mode") not in ("mean", "median") or length is None or not array.size:
        return False
    return array.dtype.kind in "biu" and bool(np.min(np.round(length)) == 0)


def _valid(arguments: Mapping[str, Any]) -> bool:
    """Whether the options given are those of the mode, and NumPy is new enough for the widths."""
    allowed = _OPTIONS.get(arguments.get("mode", "constant"))
    options = ("constant_values", "end_values", "reflect_type", "stat_length")
    if not all(option == allowed for option in options if arguments.get(option) is not None):
        return False
    if NUMPY_2:
        return True
    # NumPy 1 knows no dictionaries, and repeats reflections wider than the axis unevenly.
    return not isinstance(arguments["pad_width"], Mapping) and not _wide_reflection(arguments)


@replaces(
    "numpy.pad",
    domain={
        "array": Array(),
        "pad_width": PadWidths(of="array", typical=((16, 16), (16, 16), (0, 0))),
        "mode": OneOf(*MODES, typical="reflect"),
        "constant_values": PadValues(of="array"),
        "end_values": PadValues(of="array"),
        "reflect_type": OneOf("even", "odd"),
        "stat_length": PadWidths(of="array"),
    },
    # Computed means alone are not exact: every other mode is tested bit for bit besides.
    agreement=AsReference(),
    differences=(
        Difference(
            "A `reflect_type` other than 'even' and 'odd' is refused; NumPy takes it for 'even'.",
            witness=lambda: {"array": np.arange(3), "pad_width": 1, "mode": "reflect", "reflect_type": "Odd"},
            applies=_unknown_reflect_type,
        ),
        Difference(
            "A `stat_length` of 0 is refused for means and medians of integers and bool; NumPy "
            "stores NaN in them.",
            witness=lambda: {"array": np.arange(3), "pad_width": 1, "mode": "mean", "stat_length": 0},
            applies=_mean_of_nothing,
        ),
    ),
    reference_call="pipeport.references._calls.pad",
    valid=_valid,
    stock=Stock(
        "tf.pad",
        "constant, reflect and symmetric alone, no odd reflections, none wider than the axis",
        "pipeport.references.stock.pad",
    ),
)
@batchable
def pad(batch_axes: int, /, array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Any:
    """Extend an array at its borders.

    Parameters
    ----------
    array : array_like, rank 6 or less, bool or any number
        The array; sizes may be unknown, the rank too if `pad_width` has a pair per axis.
    pad_width : int, sequence or dict, or integer tensors in any place
        Elements to add: one number for all sides, (before, after) for all axes, one such
        pair per axis, or {axis: width or (before, after)} as in NumPy 2.
    mode : str, default 'constant'
        What the border holds: 'constant'; 'edge', the edge element; 'reflect' and 'symmetric', the
        mirror image without and with the edge element; 'wrap', the opposite end; 'linear_ramp', a
        ramp from the edge to an end value; 'maximum', 'mean', 'median', 'minimum' of the axis;
        'empty', anything, which is zero here. Borders wider than the axis repeat.
    **kwargs : dict
        `constant_values` for mode 'constant' (default 0): one number, (before, after), or
        one pair per axis, cast to the dtype of `array` as NumPy assigns it; known while tracing, but
        for one number.
        `end_values` for 'linear_ramp' (default 0), in the same forms.
        `reflect_type` for 'reflect' and 'symmetric': 'even' (default), or 'odd' for twice
        the edge minus the mirror image, in the arithmetic of the dtype.
        `stat_length` for the statistics: how many elements from each end of an axis count, in the
        same forms; None (default) takes all.

    Returns
    -------
    tf.Tensor, dtype of `array`
        The larger array. Means of integers are rounded half to even, ramps of integers down. Sizes
        are unknown while tracing where the array's or the widths are.

    Raises
    ------
    UnsupportedArgument
        A mode that does not exist, or a callable; an option the mode does not take or that is not
        known while tracing; negative widths; not one pair per axis; 'maximum', 'median' or
        'minimum' of complex numbers; or rank above 6.
    OutsideDomain
        An empty axis is to be extended in another mode than 'constant' and 'empty', a constant the
        dtype cannot hold, a `stat_length` of 0, or a rank unknown while tracing.
    WrongType
        Widths that are not signed integers, or options that are not numbers.
    BadAxis
        A dictionary names an axis the array does not have.
    tf.errors.InvalidArgumentError
        Widths or sizes unknown at trace time turn out negative or empty.

    Notes
    -----
    Agreement: bit for bit, NaN included, but for means and ramps of floating numbers, which are as
    accurate as NumPy's. Reflections wider than the axis are those of NumPy 2; NumPy 1 repeats them
    unevenly.
    Graph: no Python at run time; static sizes are kept. Widths given as tensors have no XLA
    form, because the output shape depends on them.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.numpy import pad
    >>> pad(tf.constant([1, 2, 3]), (2, 1), "reflect").numpy().tolist()
    [3, 2, 1, 2, 3, 2]
    """
    x, rank = _with_rank(as_tensor(array, "array"), pad_width, batch_axes)
    limit_rank(x, "array", _MOST)
    pairs = widths(pad_width, rank)
    _check_mode(mode, kwargs)
    shape = _out_shape(x, pairs, batch_axes)
    if mode in ("constant", "empty"):
        fills = values(kwargs.get("constant_values", 0), rank, x.dtype.as_numpy_dtype)
        return tf.ensure_shape(_pad_fill.constant(x, pairs, fills, batch_axes), shape)
    extend = _extension(x, rank, pairs, mode, kwargs, batch_axes)
    x = _pad_fill.checked(x, pairs, batch_axes, mode)
    for axis, (before, after) in enumerate(pairs):
        if not (isinstance(before, int) and isinstance(after, int) and before == after == 0):
            x = extend(x, axis, before, after)
    return tf.ensure_shape(tf.identity(x), shape)
