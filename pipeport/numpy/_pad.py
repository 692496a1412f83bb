"""pad."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import (
    Array,
    Difference,
    Exact,
    OneOf,
    PadValues,
    PadWidths,
    Stock,
    batch_form,
    replaces,
)
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.arrays import as_tensor, exact_rank, limit_rank
from pipeport.numpy import _pad_fill
from pipeport.numpy._pad_arguments import implied_rank, values, widths

_OPTIONS = {
    "constant": "constant_values",
    "reflect": "reflect_type",
    "symmetric": "reflect_type",
    "edge": None,
    "wrap": None,
}
_LATER = ("empty", "linear_ramp", "maximum", "mean", "median", "minimum")
_SERVED = ", ".join(map(repr, _pad_fill.MODES))
# The kernel of tf.pad stops at six axes.
_MOST = 6


def _check_mode(mode: Any, options: Mapping[str, Any]) -> None:
    if callable(mode):
        advice = "Pad with 'constant' and fill the border with tf.where."
        raise UnsupportedArgument(explain("mode", "a callable", _SERVED, advice))
    if not isinstance(mode, Hashable):
        raise WrongType(explain("mode", repr(mode), _SERVED, "Name one mode."))
    if mode in _LATER:
        advice = "This mode of numpy.pad is not ported yet; keep NumPy for it."
        raise UnsupportedArgument(explain("mode", repr(mode), _SERVED, advice))
    if mode not in _OPTIONS:
        raise UnsupportedArgument(explain("mode", repr(mode), _SERVED, "Name one of these."))
    allowed = _OPTIONS[mode]
    for option in options:
        if option != allowed:
            given = f"it with mode={mode!r}"
            taken = f"only `{allowed}`" if allowed else "no options"
            raise UnsupportedArgument(explain(option, given, taken + " for this mode", "Leave it out."))
    reflect_type = options.get("reflect_type", "even")
    if reflect_type not in ("even", "odd"):
        raise UnsupportedArgument(
            explain("reflect_type", repr(reflect_type), "'even', 'odd'", "Name one of these.")
        )


def _with_rank(x: Any, pad_width: Any, lead: int) -> tuple[Any, int]:
    """Return the array with a static rank, and the rank of one element."""
    if x.shape.rank is not None:
        if x.shape.rank < lead:
            advice = "Batch the elements first."
            raise OutsideDomain(explain("array", "rank 0", "a leading batch axis", advice))
        return x, x.shape.rank - lead
    rank = implied_rank(pad_width)
    if rank is None:
        advice = "Use tf.ensure_shape, or give `pad_width` one pair per axis."
        raise OutsideDomain(explain("array", "an unknown rank", "a rank known while tracing", advice))
    message = explain("array", "another rank at run time", f"rank {rank}, as in `pad_width`", "Check both.")
    return exact_rank(x, rank + lead, message), rank


def _out_shape(x: Any, pairs: list[tuple[Any, Any]], lead: int) -> list[int | None]:
    sizes = list(x.shape[:lead])
    for size, (before, after) in zip(x.shape[lead:], pairs, strict=True):
        known = size is not None and isinstance(before, int) and isinstance(after, int)
        sizes.append(size + before + after if known else None)
    return sizes


def _pad(array: Any, pad_width: Any, mode: Any, options: Mapping[str, Any], lead: int) -> Any:
    x, rank = _with_rank(as_tensor(array, "array"), pad_width, lead)
    limit_rank(x, "array", _MOST)
    pairs = widths(pad_width, rank)
    _check_mode(mode, options)
    shape = _out_shape(x, pairs, lead)
    if mode == "constant":
        fills = values(options.get("constant_values", 0), rank, x.dtype.as_numpy_dtype)
        return tf.ensure_shape(_pad_fill.constant(x, pairs, fills, lead), shape)
    odd = options.get("reflect_type", "even") == "odd"
    if odd and not all(isinstance(one, int) for pair in pairs for one in pair):
        advice = "Use reflect_type='even', or widths known while tracing."
        raise UnsupportedArgument(
            explain("pad_width", "a tensor not known while tracing", "integers for 'odd'", advice)
        )
    x = _pad_fill.checked(x, pairs, lead, mode)
    for axis, (before, after) in enumerate(pairs):
        if isinstance(before, int) and isinstance(after, int) and before == after == 0:
            continue
        fill = _pad_fill.reflected_odd if odd else _pad_fill.repeated
        x = fill(x, axis + lead, before, after, mode)
    return tf.ensure_shape(tf.identity(x), shape)


def _unknown_reflect_type(arguments: Mapping[str, Any]) -> bool:
    return arguments.get("reflect_type", "even") not in ("even", "odd")


def _wide_reflection(arguments: Mapping[str, Any]) -> bool:
    if arguments.get("mode", "constant") not in ("reflect", "symmetric"):
        return False
    shape = np.shape(arguments["array"])
    pairs = widths(arguments["pad_width"], len(shape))
    return any(max(pair) >= size for pair, size in zip(pairs, shape, strict=True))


def _valid(arguments: Mapping[str, Any]) -> bool:
    """Whether the options given are those of the mode, and NumPy is new enough for the widths."""
    allowed = _OPTIONS.get(arguments.get("mode", "constant"))
    options = ("constant_values", "reflect_type")
    if not all(option == allowed for option in options if arguments.get(option) is not None):
        return False
    if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
        return True
    # NumPy 1 knows no dictionaries, and repeats reflections wider than the axis unevenly.
    return not isinstance(arguments["pad_width"], Mapping) and not _wide_reflection(arguments)


@replaces(
    "numpy.pad",
    domain={
        "array": Array(),
        "pad_width": PadWidths(of="array", typical=((16, 16), (16, 16), (0, 0))),
        "mode": OneOf(*_pad_fill.MODES, typical="reflect"),
        "constant_values": PadValues(of="array"),
        "reflect_type": OneOf("even", "odd"),
    },
    agreement=Exact(),
    proven_against=">=1.26",
    differences=(
        Difference(
            "A `reflect_type` other than 'even' and 'odd' is refused; NumPy takes it for 'even'.",
            witness=lambda: {"array": np.arange(3), "pad_width": 1, "mode": "reflect", "reflect_type": "Odd"},
            applies=_unknown_reflect_type,
        ),
    ),
    valid=_valid,
    stock=Stock(
        "tf.pad",
        "refuses 'edge', 'wrap', odd reflections, and reflections wider than the axis",
        "pipeport.references.stock.pad",
    ),
)
def pad(array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Any:
    """Extend an array at its borders.

    Native equivalent of `numpy.pad`.

    Parameters
    ----------
    array : array_like, rank 6 or less, bool or any number
        The array; sizes may be unknown, the rank too if `pad_width` has a pair per axis.
    pad_width : int, sequence or dict, or integer tensors in any place
        Elements to add: one number for all sides, (before, after) for all axes, one such
        pair per axis, or {axis: width or (before, after)} as in NumPy 2.
    mode : {'constant', 'edge', 'reflect', 'symmetric', 'wrap'}, default 'constant'
        What the border holds: a constant, the edge element, the mirror image without or
        with the edge element, the opposite end. Borders wider than the axis repeat.
    **kwargs : dict
        `constant_values` for mode 'constant' (default 0): one number, (before, after), or
        one pair per axis, cast to the dtype of `array` as NumPy assigns it.
        `reflect_type` for 'reflect' and 'symmetric': 'even' (default), or 'odd' for twice
        the edge minus the mirror image, in the arithmetic of the dtype.

    Returns
    -------
    tf.Tensor, dtype of `array`
        The larger array. Sizes are unknown while tracing where the array's or the widths are.

    Raises
    ------
    UnsupportedArgument
        A mode of NumPy that is not ported (linear_ramp, maximum, mean, median, minimum,
        empty, callables) or does not exist, an option the mode does not take, negative
        widths, not one pair per axis, or rank above 6.
    OutsideDomain
        An empty axis is to be extended in another mode than 'constant', a constant the
        dtype cannot hold, or a rank unknown while tracing.
    WrongType
        Widths that are not signed integers.
    BadAxis
        A dictionary names an axis the array does not have.
    tf.errors.InvalidArgumentError
        Widths or sizes unknown at trace time turn out negative or empty.

    Notes
    -----
    Differences from the reference:

    - A `reflect_type` other than 'even' and 'odd' is refused; NumPy takes it for 'even'.

    Agreement: bit for bit, NaN included. Reflections wider than the axis are those of NumPy 2;
    NumPy 1 repeats them unevenly.
    Graph: no Python at run time; static sizes are kept. Widths given as tensors have no XLA
    form, because the output shape depends on them.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.numpy import pad
    >>> pad(tf.constant([1, 2, 3]), (2, 1), "reflect").numpy().tolist()
    [3, 2, 1, 2, 3, 2]
    """
    return _pad(array, pad_width, mode, kwargs, 0)


@batch_form(pad)
def _pad_batch(array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Any:
    return _pad(array, pad_width, mode, kwargs, 1)
