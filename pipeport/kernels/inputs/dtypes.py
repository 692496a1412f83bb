"""Dtype arguments, read as NumPy reads them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.errors import UnsupportedArgument, WrongType, explain

NUMPY_2 = np.lib.NumpyVersion(np.__version__) >= "2.0.0"


def dtype_of(value: Any, parameter: str, among: Sequence[str] | None = None, advice: str = "") -> Any:
    """Return a dtype argument as TensorFlow's dtype.

    Names, types, character codes and dtypes mean what they mean in NumPy: `float`, 'float' and 'd'
    are float64, `int` is NumPy's default integer. TensorFlow's own `as_dtype` takes `float` and
    'float' for float32 and refuses the rest; so no argument goes there directly. Byte orders are
    dropped: a tensor has that of the machine.

    `value`: TensorFlow's dtypes count too. None is float64, as in NumPy. `among`: names of the dtypes that
    are served; None serves bool and every number. `advice`: for the error about a dtype that is not served;
    empty for a general one.
    """
    allowed = "dtypes TensorFlow has" if among is None else ", ".join(map(repr, among))
    try:
        found = value if isinstance(value, tf.DType) else tf.as_dtype(np.dtype(value))
    except (TypeError, ValueError) as error:
        advice = "Name one such as 'float32'."
        raise WrongType(explain(parameter, repr(value), allowed, advice)) from error
    number = found.is_bool or found.is_integer or found.is_floating or found.is_complex
    if not number:
        raise WrongType(explain(parameter, repr(value), "bool or a number", "Name one such as 'float32'."))
    if among is not None and found.name not in among:
        advice = advice or "Cast the result yourself for any other."
        raise UnsupportedArgument(explain(parameter, repr(found.name), allowed, advice))
    return found
