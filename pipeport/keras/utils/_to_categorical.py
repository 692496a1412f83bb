"""to_categorical."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport import config
from pipeport._lazy import tf
from pipeport.contract import CannotServe, Exact, Maybe, OneOf, Shaped, batchable, replaces
from pipeport.errors import BadIndex, OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import as_tensor, known_rank

_DTYPES = ("uint8", "int16", "int32", "int64", "float32", "float64")
_OWN = {2: "float32", 3: "float64"}
_MANY = "The result has as many columns as the largest class needs, which is known when the graph runs."


def _classes(num_classes: Any) -> int:
    """Return a number of classes known while tracing; 0 where the classes themselves tell it."""
    if num_classes is None:
        return 0
    known = tf.get_static_value(num_classes) if tf.is_tensor(num_classes) else num_classes
    if known is None:
        advice = "It shapes the result: give a Python number."
        raise UnsupportedArgument(explain("num_classes", "a tensor", "an integer or None", advice))
    if isinstance(known, (bool, np.bool_)) or not isinstance(known, (int, np.integer)):
        raise WrongType(explain("num_classes", repr(num_classes), "an integer or None", "Give a number."))
    if known < 0:
        raise OutsideDomain(explain("num_classes", known, "0 or more", "None takes the largest class."))
    return int(known)


def _indices(labels: Any, count: Any) -> Any:
    """Return classes from 0: negative ones count from the end, as NumPy's indices do."""
    allowed = "classes from 0 to num_classes - 1"
    message = explain("x", "a class beyond num_classes", allowed, "Give more classes.")
    inside = tf.reduce_all((labels >= -count) & (labels < count))
    known = tf.get_static_value(inside)
    if known is not None and not known:
        raise BadIndex(message)
    if known is None:
        with tf.control_dependencies([tf.debugging.Assert(inside, [message])]):
            labels = tf.identity(labels)
    return tf.where(labels < 0, labels + count, labels)


def _valid(given: Mapping[str, Any]) -> bool:
    """Whether every class is there: an IndexError is an InvalidArgumentError of a graph."""
    labels = np.asarray(given["x"]).astype(np.int64)
    count = given.get("num_classes") or labels.max(initial=-1) + 1
    return bool(np.all((labels >= -count) & (labels < count)))


def _open(given: Mapping[str, Any]) -> bool:
    return not given.get("num_classes")


@replaces(
    "keras.utils.to_categorical",
    domain={
        "x": Shaped(
            shape=((0, 4),),
            dtypes=_DTYPES,
            values=(-2, 9),
            element_rank=1,
            per_image=True,
            typical=np.array([2, 0, 9]),
        ),
        "num_classes": Maybe(spec=OneOf(1, 3, 10, 12), typical=10),
    },
    agreement=Exact(),
    parameters="(x, num_classes=None)",
    reference_call="pipeport.references._draws.by_position",
    extra={"dtype": OneOf(None, "float32", "uint8")},
    valid=_valid,
    cannot_serve=(CannotServe("batched", _MANY, lambda: {"x": np.array([[0, 2]])}, _open, by_values=True),),
)
@batchable
def to_categorical(batch_axes: int, x: Any, num_classes: Any = None, *, dtype: Any = None) -> Any:
    """Return classes as rows with a one in the column of the class.

    Native equivalent of `keras.utils.to_categorical`, of arrays.

    Parameters
    ----------
    x : array_like, integers or floats
        Classes from 0, of any shape; fractions are dropped, negative ones count from the last class. A last
        axis of size one is left out of the result.
    num_classes : int or None, default None
        How many there are; None or 0 is one more than the largest.
    dtype : {'float32', 'float64', 'uint8', 'int32', 'int64'} or None, default None
        Of the result. None is that of the Keras which is followed (`pipeport.config.keras`): float64 of
        Keras 3, float32 of Keras 2.

    Returns
    -------
    tf.Tensor, shape (..., num_classes)
        Zeros and ones.

    Raises
    ------
    BadIndex
        A class is beyond `num_classes`.
    OutsideDomain
        `num_classes` is negative, there is none of it and no class, or `x` is complex.
    UnsupportedArgument
        `num_classes` is a tensor, `dtype` is another, or rank or last size of `x` are unknown while tracing.
    WrongType
        `num_classes` is not a whole number.
    tf.errors.InvalidArgumentError
        A class turns out to be beyond `num_classes` when the graph runs.

    Notes
    -----
    Agreement: bit for bit. Of a tensor instead of an array Keras 3 gives float32: give `dtype`.
    Graph: one op and a check. Static shape is kept; without `num_classes` the last size is known when the
    graph runs, so that a batch cannot be served.

    Examples
    --------
    >>> from pipeport.keras.utils import to_categorical
    >>> to_categorical([0, 2], 3).numpy().tolist()
    [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    count = _classes(num_classes)
    if dtype is None:
        dtype = _OWN[config.keras()]
    else:
        _checks.one_of(dtype, ("float32", "float64", "uint8", "int32", "int64"), "dtype", "Cast the result.")
    given = as_tensor(x, "x")
    if given.dtype.is_complex or given.dtype == tf.uint64:
        raise OutsideDomain(explain("x", f"dtype {given.dtype.name}", ", ".join(_DTYPES), "Cast it first."))
    rank = known_rank(given, "x") - batch_axes
    labels = tf.cast(given, tf.int64)
    if rank > 1 and given.shape[-1] == 1:
        labels = tf.squeeze(labels, [-1])
    elif rank > 1 and given.shape[-1] is None:
        advice = "Of a last axis of size one the result has none: state its size with tf.ensure_shape."
        raise UnsupportedArgument(explain("x", f"shape {given.shape}", "a known last size", advice))
    if not count and batch_axes:
        advice = "Give num_classes: elements would have different numbers of columns."
        raise UnsupportedArgument(explain("num_classes", repr(num_classes), "a number", advice))
    if not count:
        labels = _checks.not_empty(labels, "x", element=slice(batch_axes, None))
        several = tf.reduce_max(labels) + 1
        found = tf.one_hot(_indices(labels, several), tf.cast(several, tf.int32), dtype=dtype)
        return tf.ensure_shape(found, [*labels.shape, None])
    return tf.one_hot(_indices(labels, tf.constant(count, tf.int64)), count, dtype=dtype)
