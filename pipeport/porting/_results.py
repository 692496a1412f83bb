"""Results of a ported function, as its wrapper gives them."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport import numpy
from pipeport._lazy import tf
from pipeport.arrays import _sharing
from pipeport.arrays._cast import cast
from pipeport.errors import PipeportError, PortRefused, WrongType, explain
from pipeport.porting._values import as_array, is_array, is_symbolic_list, is_text, python_number, tensor_of

_KINDS = "biufc"  # kinds of numbers, the narrowest first


def as_wrapped(found: Any, dtypes: tuple[Any, ...] | None, *, casts: bool) -> Any:
    """Return one array for each dtype that `Tout` states.

    `found`: what the function gave: a list or tuple of results, or one. `dtypes`: None leaves results as they
    are. `casts`: whether results get these dtypes where they have others, as in a `tf.py_function`. Returns:
    the results, in a tuple where they came in a list or tuple. Raises WrongType: there are more or fewer.
    """
    if dtypes is None or isinstance(found, dict) or is_symbolic_list(found):
        return found
    several = isinstance(found, (list, tuple))
    parts = list(found) if several else [found]
    if len(parts) != len(dtypes):
        advice = "State one dtype for each result."
        raise WrongType(explain("Tout", f"{len(dtypes)} dtypes", f"{len(parts)}, as results", advice))
    made = [_as(one, dtype if casts else None) for one, dtype in zip(parts, dtypes, strict=True)]
    return tuple(made) if several else made[0]


def _as(value: Any, dtype: Any) -> Any:
    """Return a result as one array, in a dtype that TensorFlow's conversion would give it."""
    of_python = isinstance(value, (list, tuple, bool, int, float, complex))
    if isinstance(value, (list, tuple)) and _is_of_numbers(value):
        value = numpy.array(value)
    of_strings = isinstance(value, np.ndarray) and value.dtype.kind in "OSU"
    if of_strings or isinstance(value, (list, tuple, str, bytes)):
        return value
    array = None if _sharing.is_of_tensorflow(value) or isinstance(value, tf.Tensor) else as_array(value)
    if dtype is None or array is None or dtype.kind not in _KINDS:
        return value
    if (of_python or array.weak) and _KINDS.index(array.dtype.kind) > _KINDS.index(dtype.kind):
        return value
    return cast(tensor_of(array), dtype)


def _is_of_numbers(values: Any, *, rank: int | None = None) -> bool:
    """Say whether nested lists hold numbers and arrays alone; of `rank` axes, where that is given."""

    def fits(one: Any) -> bool:
        if isinstance(one, (list, tuple)):
            return bool(one) and _is_of_numbers(one, rank=rank)
        if isinstance(one, np.ndarray) or is_array(one):
            return rank is None or tf.convert_to_tensor(one).shape.rank == rank
        return isinstance(one, (bool, int, float, complex, np.generic))

    return all(map(fits, values))


def left(value: Any, *, top: bool = False) -> Any:
    """Return a result with tensors in the place of arrays and numbers, of NumPy's dtypes."""
    if is_array(value):
        try:
            return tensor_of(value)
        except PipeportError as error:
            error.add_note("It is what the function returns.")
            raise
    if is_text(value):
        return value.tensor
    if is_symbolic_list(value):
        return _left_rows(value)
    if hasattr(type(value), "pipeport_choice"):
        return value.tensor()
    if isinstance(value, dict):
        return {python_number(name): left(one) for name, one in value.items()}
    if isinstance(value, list) and not top and _is_of_numbers(value, rank=0):
        return tensor_of(numpy.array(value))
    if isinstance(value, (list, tuple)):
        parts = [left(one) for one in value]
        if hasattr(value, "_fields"):
            return type(value)(*parts)
        if (
            isinstance(value, list)
            and parts
            and all(tf.is_tensor(one) and one.shape.rank == 0 for one in parts)
        ):
            same = {one.dtype for one in parts}
            return tf.stack(parts) if len(same) == 1 else tuple(parts)
        # `Dataset.map` would stack a list.
        return tuple(parts) if top or isinstance(value, tuple) else parts
    objects = value.ravel().tolist() if isinstance(value, np.ndarray) and value.dtype == object else ()
    if not all(isinstance(one, (str, bytes)) for one in objects):
        advice = "Return arrays of one shape and dtype, or several results."
        raise PortRefused(explain("result", "an array of Python's objects", "what a tensor holds", advice))
    if isinstance(value, (bool, int, float, complex, np.ndarray, np.generic)):
        return tf.constant(np.asarray(value))
    if isinstance(value, (str, bytes)):
        return tf.constant(value)
    return value


def _left_rows(rows: Any) -> Any:
    found = tensor_of(rows.array())
    if found.shape.rank != 1:
        given = "a list of arrays of a length known only at run time, as what the function returns"
        raise PortRefused(explain("list", given, "arrays", "Return `np.stack(rows)`."))
    return found
