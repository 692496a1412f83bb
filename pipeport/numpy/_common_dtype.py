"""NumPy's promotion and casting rules for arrays that are joined, decided while tracing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._cast import CASTINGS, cast, numpy_dtype
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain

_SCALARS = (bool, int, float, complex)


def _promoted(dtypes: Sequence[Any]) -> np.dtype[Any]:
    try:
        return np.result_type(*dtypes)
    except TypeError as error:
        given = " and ".join(str(np.dtype(one)) for one in dtypes)
        advice = "Cast them to one dtype with tf.cast."
        raise WrongType(explain("arrays", given, "dtypes with a common one", advice)) from error


def casts_are_defined(arguments: Mapping[str, Any]) -> bool:
    """Whether no number is cast to an integer that cannot hold it, of which NumPy makes what C happens to."""
    wanted = arguments.get("dtype")
    if wanted is None or np.dtype(wanted).kind not in "iu":
        return True
    limits = np.iinfo(wanted)
    parts = [np.asarray(part) for part in arguments["arrays"]]
    parts = [part for part in parts if part.dtype.kind == "f"]
    return all(bool(((part > limits.min - 1) & (part < limits.max + 1)).all()) for part in parts)


def weak(value: Any) -> bool:
    """Whether a value is a plain Python number, which leaves the dtype to arrays of its kind."""
    return type(value) in _SCALARS


def common(tensors: Sequence[Any], given: Sequence[Any], dtype: Any, casting: Any) -> list[Any]:
    """Cast tensors to the dtype of their join.

    `given`: as the user gave them: plain Python numbers leave the dtype to the others. `dtype`: the dtype
    asked for; None promotes by NumPy's rules.
    """
    if tf.is_tensor(casting) or casting not in CASTINGS:
        allowed = ", ".join(map(repr, CASTINGS))
        raise UnsupportedArgument(explain("casting", repr(casting), allowed, "Name one of these."))
    own = [np.dtype(x.dtype.as_numpy_dtype) for x in tensors]
    numbers = [weak(value) for value in given]
    if dtype is not None:
        wanted = numpy_dtype(dtype)
    elif any(numbers) and not all(numbers):
        # One of the kind stands for the number, whose value must not count (NumPy 1 looks at it).
        kinds = [type(value)(1) if weak(value) else d for value, d in zip(given, own, strict=True)]
        wanted = _promoted(kinds)
    else:
        wanted = _promoted(own)
    for one, number in zip(own, numbers, strict=True):
        if not number and not np.can_cast(one, wanted, casting):
            advice = "Give casting='unsafe', or cast with tf.cast."
            raise WrongType(explain("dtype", f"{one} to {wanted}", f"casts of the rule {casting!r}", advice))
    return [cast(x, wanted) for x in tensors]


def listed(arrays: Any, parameter: str, verb: str) -> list[Any]:
    """Return the arrays to be joined one by one.

    `arrays`: an array is the sequence of its parts along axis 0.
    """
    if tf.is_tensor(arrays):
        if arrays.shape.rank is None or (arrays.shape.rank and arrays.shape[0] is None):
            advice = "Give a list of tensors, or state the shape with tf.ensure_shape."
            raise UnsupportedArgument(
                explain(parameter, f"shape {arrays.shape}", "a known number of arrays", advice)
            )
        arrays = tf.unstack(arrays) if arrays.shape.rank else arrays
    if isinstance(arrays, np.ndarray) and arrays.ndim:
        arrays = list(arrays)
    if not isinstance(arrays, (list, tuple)):
        given, allowed = type(arrays).__name__, "a list or tuple of arrays"
        raise WrongType(explain(parameter, given, allowed, f"List what to {verb}."))
    if not arrays:
        raise OutsideDomain(explain(parameter, "none", "at least one array", f"List what to {verb}."))
    return list(arrays)
