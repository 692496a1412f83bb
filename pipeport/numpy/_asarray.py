"""asarray."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._cast import cast, numpy_dtype
from pipeport.contract import Array, Exact, Maybe, OneOf, batchable, replaces
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels.inputs.arrays import as_tensor, holds_tensor
from pipeport.numpy._families import refuse


def _constant(value: Any, dtype: np.dtype[Any]) -> Any:
    """Convert plain values by NumPy itself: a list is refused where an array would wrap around."""
    try:
        return tf.constant(np.asarray(value, dtype))
    except TypeError as error:
        raise WrongType(explain("a", repr(value), f"numbers for {dtype}", "Pass numbers.")) from error
    except (ValueError, OverflowError) as error:
        advice = "Clip them to its range, or pad rows to one length."
        raise OutsideDomain(explain("a", repr(value), f"values {dtype} can hold", advice)) from error


def representable(arguments: Mapping[str, Any]) -> bool:
    """Whether the cast is defined in C: no NaN or infinity to integers, nothing beyond float16."""
    a, dtype = np.asarray(arguments["a"]), arguments.get("dtype")
    if dtype is None or a.dtype.kind != "f" or np.dtype(dtype).kind == "f":
        return True
    if np.dtype(dtype).kind == "b":
        return True
    return bool(np.isfinite(a).all() and (np.trunc(a) >= np.iinfo(dtype).min).all())


@replaces(
    "numpy.asarray",
    view_of="first",
    domain={
        "a": Array(),
        "dtype": Maybe(
            spec=OneOf("bool", "uint8", "int32", "int64", "float16", "float32", "float64"),
            typical="float32",
        ),
    },
    agreement=Exact(),
    refused={
        "order": "tensors have one memory order",
        "device": "placement is TensorFlow's affair",
        "copy": "tensors are never written to",
        "like": "the result is a tensor",
    },
    parameters="(a, dtype=None, order=None, *, device=None, copy=None, like=None)",
    valid=representable,
)
@batchable
def asarray(
    _batch_axes: int,
    a: Any,
    dtype: Any = None,
    order: Any = None,
    *,
    device: Any = None,
    copy: Any = None,
    like: Any = None,
) -> Any:
    """Return an array, an image object or nested lists as a tensor.

    Native equivalent of `numpy.asarray`; for the images of `pipeport.PIL`, which have no pixels while
    the graph is traced, it is the way to their tensor.

    Parameters
    ----------
    a : array_like, or an object with ``__pipeport_array__()``
        Any shape, bool or any number. Lists take the dtype NumPy gives them: int64 or float64.
    dtype : dtype or None, default None
        Of the result; None keeps that of `a`.
    order, device, copy, like : None
        Refused: tensors have one memory order, and are never written to.

    Returns
    -------
    tf.Tensor, shape of `a`
        Its elements; fractions are dropped by a cast to integers, integers wrap around.

    Raises
    ------
    OutsideDomain
        A plain value the dtype cannot hold, or ragged lists.
    UnsupportedArgument
        `order`, `device`, `copy` or `like` is given.
    WrongType
        `a` is not an array, or `dtype` none that TensorFlow has.

    Notes
    -----
    Agreement: bit for bit, NaN included. Floating values an integer dtype cannot hold, NaN among
    them, are as undefined as in NumPy.
    Graph: at most two casts; static shape is kept.

    Examples
    --------
    >>> from pipeport.numpy import asarray
    >>> asarray([1, 2.5], dtype="float32")
    <tf.Tensor: shape=(2,), dtype=float32, numpy=array([1. , 2.5], dtype=float32)>
    """
    refuse(order=(order, None), device=(device, None), copy=(copy, None), like=(like, None))
    unwrap = getattr(a, "__pipeport_array__", None)
    value = a if unwrap is None else unwrap()
    wanted = None if dtype is None else numpy_dtype(dtype)
    if wanted is not None and not holds_tensor(value):
        return _constant(value, wanted)
    x = as_tensor(value, "a")
    return x if wanted is None else cast(x, wanted)


# Of NumPy's classes that keep themselves in it, as matrices, TensorFlow has none.
asanyarray = asarray
