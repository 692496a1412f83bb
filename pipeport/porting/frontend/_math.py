"""Python's `math` on symbolic numbers: results are Python floats, or integers where Python gives integers."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._cast import cast
from pipeport.errors import UnsupportedArgument, WrongType, explain
from pipeport.porting._values import as_array, holds_array, tensor_of, weak

_FLOAT, _INT = np.dtype("float64"), np.dtype("int64")


def _double(value: Any) -> Any:
    array = as_array(value)
    if array is None or tensor_of(array).shape.rank != 0:
        advice = "The functions of `math` take single numbers; those of NumPy take arrays."
        raise WrongType(explain("math", "an array" if array is not None else repr(value), "a number", advice))
    return cast(tensor_of(array), _FLOAT)


def _served(python: Callable[..., Any], compute: Callable[..., Any]) -> Callable[..., Any]:
    def function(*arguments: Any, **named: Any) -> Any:
        if not holds_array(arguments) and not named:
            return python(*arguments)
        if named:
            advice = "Compare the difference with numpy.abs."
            raise UnsupportedArgument(explain(python.__name__, ", ".join(named), "positions alone", advice))
        return weak(compute(*map(_double, arguments)))

    return function


def _log(x: Any, base: Any = None) -> Any:
    return tf.math.log(x) if base is None else tf.math.log(x) / tf.math.log(base)


def _over(number: float) -> Callable[[Any], Any]:
    return lambda x: tf.math.log(x) / tf.constant(math.log(number), tf.float64)


def _times(number: float) -> Callable[[Any], Any]:
    return lambda x: x * tf.constant(number, tf.float64)


def _hypot(*sides: Any) -> Any:
    return tf.sqrt(tf.add_n([side * side for side in sides]))


def _whole(kernel: str) -> Callable[[Any], Any]:
    return lambda x: cast(getattr(tf.math, kernel)(x), _INT)


def _named(kernel: str) -> Callable[..., Any]:
    def function(*arguments: Any) -> Any:  # TensorFlow is loaded on first use
        return getattr(tf.math, kernel)(*arguments)

    return function


def _truncated(x: Any) -> Any:
    return cast(x, _INT)


_COMPUTED: dict[Callable[..., Any], Callable[..., Any]] = {
    **{getattr(math, name): _named(name) for name in (
        "sqrt", "exp", "expm1", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh",
        "asinh", "acosh", "atanh", "atan2", "pow")},
    math.log: _log, math.log2: _over(2.0), math.log10: _over(10.0), math.hypot: _hypot,
    math.floor: _whole("floor"), math.ceil: _whole("ceil"), math.trunc: _truncated,
    math.fabs: _named("abs"), math.degrees: _times(180.0 / math.pi), math.radians: _times(math.pi / 180.0),
    math.isnan: _named("is_nan"), math.isinf: _named("is_inf"), math.isfinite: _named("is_finite"),
}  # fmt: skip

FUNCTIONS = {python: _served(python, compute) for python, compute in _COMPUTED.items()}

# Of Python's values alone, or fixed when Python starts; what is known only at run time is refused.
OF_PYTHON = (frozenset(value for value in vars(math).values() if callable(value)) - set(FUNCTIONS)) | {
    sys.getdefaultencoding,
    sys.getfilesystemencoding,
}
