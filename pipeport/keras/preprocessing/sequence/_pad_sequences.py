"""pad_sequences."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._cast import cast, numpy_dtype
from pipeport.contract import ArrayList, Difference, Exact, Maybe, OneOf, batchable, replaces
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor, known_rank
from pipeport.kernels.inputs.integers import whole_numbers

_ENDS = ("pre", "post")
_ALLOWED = "a list of arrays, or an array of sequences"
_NO_STEP = explain("sequences", "no step at all", "at least one of several axes", "Filter such elements out.")


def _length(maxlen: Any) -> int | None:
    if maxlen is None:
        return None
    (length,) = whole_numbers(maxlen, "maxlen")
    if length < 1:
        raise OutsideDomain(explain("maxlen", length, "1 or more", "None takes the longest sequence."))
    return int(length)


def _fill(value: Any, dtype: np.dtype[Any]) -> Any:
    """Return the padding value in the dtype of the result, which must have room for it."""
    if not isinstance(value, (numbers.Real, np.bool_)):
        advice = "Text is padded with tf.RaggedTensor.to_tensor."
        raise UnsupportedArgument(explain("value", repr(value), "a Python number", advice))
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        if not info.min <= float(value) <= info.max:
            raise OutsideDomain(explain("value", repr(value), f"what {dtype} can hold", "Choose another."))
    return tf.constant(np.full((), value, dtype))


def _sequences(sequences: Any, batch_axes: int) -> tuple[list[Any], bool]:
    """Return sequences (..., T, ...), and whether they are one array of them."""
    if isinstance(sequences, np.ndarray) and sequences.dtype == object:
        sequences = list(sequences)
    if isinstance(sequences, (list, tuple)):
        found = [as_tensor(one, "sequences") for one in sequences]
        if not found:
            raise OutsideDomain(explain("sequences", "none", "at least one sequence", "List them."))
        lead = batch_axes
    elif isinstance(sequences, np.ndarray) or tf.is_tensor(sequences):
        found, lead = [as_tensor(sequences, "sequences")], batch_axes + 1
    else:
        given = type(sequences).__name__
        raise OutsideDomain(explain("sequences", given, _ALLOWED, "List what to pad."))
    for one in found:
        if known_rank(one, "sequences") <= lead:
            given = f"an array of shape {one.shape[batch_axes:]}"
            advice = "A sequence has an axis along which it is padded."
            raise OutsideDomain(explain("sequences", given, _ALLOWED, advice))
    return found, lead > batch_axes


def _of_one_shape(found: list[Any], lead: int) -> list[Any]:
    """Return the sequences with one shape behind their length; that of empty ones does not count."""
    filled = [one for one in found if one.shape[lead] != 0]
    if not filled:
        if max(one.shape.rank for one in found) == lead + 1:
            return found
        raise OutsideDomain(_NO_STEP)
    rest = filled[0].shape[lead + 1 :]
    for index, one in enumerate(filled):
        if not rest.is_compatible_with(one.shape[lead + 1 :]):
            given = f"steps of shape {one.shape[lead + 1 :]} after {rest} at number {index}"
            raise OutsideDomain(explain("sequences", given, "steps of one shape", "Bring them to one shape."))
        rest = rest.merge_with(one.shape[lead + 1 :])
    if rest.rank and all(one.shape[lead] is None for one in filled):
        some = tf.reduce_any([tf.shape(one)[lead] > 0 for one in filled])
        with tf.control_dependencies([tf.debugging.Assert(some, [_NO_STEP])]):
            filled = [tf.identity(one) for one in filled]
    like, whole = filled[0], iter(filled)

    def emptied(one: Any) -> Any:
        sizes = [tf.shape(one)[:lead], [0], tf.shape(like)[lead + 1 :]]
        return tf.zeros(tf.concat(sizes, 0), one.dtype)

    return [emptied(one) if one.shape[lead] == 0 else next(whole) for one in found]


def _without_step(given: Mapping[str, Any]) -> bool:
    arrays = [np.asarray(one) for one in given["sequences"]]
    return all(one.ndim > 0 and len(one) == 0 for one in arrays) and any(one.ndim > 1 for one in arrays)


@replaces(
    "keras.preprocessing.sequence.pad_sequences",
    domain={
        "sequences": ArrayList(
            axis="0",
            dtypes=("uint8", "int32", "int64", "float32", "float64"),
            ranks=(1, 2, 3),
            non_finite=False,
        ),
        "maxlen": Maybe(spec=OneOf(1, 2, 4, 9), typical=4),
        "dtype": OneOf("int32", "int64", "float32", "float64", "int16"),
        "padding": OneOf(*_ENDS),
        "truncating": OneOf(*_ENDS),
        "value": OneOf(0.0, -1, 7.0, 2.5),
    },
    agreement=Exact(),
    differences=(
        Difference(
            "Sequences of several axes without any step are refused; the reference returns rows of numbers.",
            witness=lambda: {"sequences": [np.zeros((0, 2), np.float32)]},
            applies=_without_step,
        ),
    ),
    aliases=("keras.utils.pad_sequences",),
)
@batchable
def pad_sequences(
    batch_axes: int,
    sequences: Any,
    maxlen: Any = None,
    dtype: Any = "int32",
    padding: Any = "pre",
    truncating: Any = "pre",
    value: Any = 0.0,
) -> Any:
    """Bring sequences to one length: cut long ones, pad short ones.

    Native equivalent of `keras.preprocessing.sequence.pad_sequences`, or `keras.utils.pad_sequences`.

    Parameters
    ----------
    sequences : list of array_like, or array, each of shape (T, ...)
        As many as are known while tracing, each of its own length T, or one array (N, T, ...) of them; T and
        N may be unknown.
    maxlen : int or None, default None
        The length, from 1; None takes that of the longest sequence.
    dtype : dtype, default 'int32'
        Of the result; fractions are dropped, integers wrap around.
    padding : {'pre', 'post'}, default 'pre'
        Whether short sequences are padded in front or behind.
    truncating : {'pre', 'post'}, default 'pre'
        Whether long sequences lose their first or their last steps.
    value : float, default 0.0
        The padding, as `dtype` holds it.

    Returns
    -------
    tf.Tensor, shape (N, maxlen, ...)
        The sequences as rows.

    Raises
    ------
    OutsideDomain
        There is no sequence, one is a number, steps have several shapes, `maxlen` is less than 1, or `dtype`
        cannot hold `value`.
    UnsupportedArgument
        `maxlen` is a tensor, `padding` or `truncating` is another, `value` is not a Python number, or a rank
        is not known while tracing.
    WrongType
        `dtype` is none that TensorFlow has, such as text, or `maxlen` is not a whole number.
    tf.errors.InvalidArgumentError
        Sizes unknown at trace time turn out not to fit, or steps of several axes are none.

    Notes
    -----
    Agreement: bit for bit. Floats an integer dtype cannot hold are as undefined as in NumPy.
    Graph: a slice and a padding for each sequence. Static sizes are kept. For sequences of an unknown number
    use tf.RaggedTensor.to_tensor, or Dataset.padded_batch.

    Examples
    --------
    >>> from pipeport.keras.preprocessing.sequence import pad_sequences
    >>> pad_sequences([[1], [2, 3], [4, 5, 6]], maxlen=2).numpy().tolist()
    [[0, 1], [2, 3], [5, 6]]
    """
    for name, end in (("padding", padding), ("truncating", truncating)):
        _checks.one_of(end, _ENDS, name, "It is the end at which that happens.")
    if dtype is None:
        raise WrongType(explain("dtype", "None", "a dtype", "Keras' default is 'int32'."))
    length, wanted = _length(maxlen), numpy_dtype(dtype)
    fill = _fill(value, wanted)
    found, is_array = _sequences(sequences, batch_axes)
    lead = batch_axes + is_array
    if is_array and length is None:
        found = [_checks.not_empty(found[0], "sequences", axes=[batch_axes])]
    parts = [cast(one, wanted) for one in _of_one_shape(found, lead)]
    before = (slice(None),) * lead
    if length is not None:
        kept = slice(-length, None) if truncating == "pre" else slice(None, length)
        parts = [one[(*before, kept)] for one in parts]
    sizes = [tf.shape(one)[lead] if one.shape[lead] is None else one.shape[lead] for one in parts]
    known = [size for size in sizes if isinstance(size, int)]
    longest: Any = length
    if length is None:
        longest = max(known) if len(known) == len(sizes) else tf.reduce_max(tf.stack(sizes))
    padded = []
    for one, size in zip(parts, sizes, strict=True):
        room = [longest - size, 0] if padding == "pre" else [0, longest - size]
        around = [[0, 0]] * lead + [room] + [[0, 0]] * (one.shape.rank - lead - 1)
        same = isinstance(size, int) and isinstance(longest, int) and size == longest
        made = one if same else tf.pad(one, around, constant_values=fill)
        side = longest if isinstance(longest, int) else None
        padded.append(tf.ensure_shape(made, [*one.shape[:lead], side, *one.shape[lead + 1 :]]))
    return padded[0] if is_array else tf.stack(padded, batch_axes)
