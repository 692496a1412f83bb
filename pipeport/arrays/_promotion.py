"""NumPy 2's promotion: which dtype arrays and Python numbers have together, decided while tracing.

A Python number is *weak*: it takes the dtype of the arrays beside it, as far as that is of its kind or a
higher one. NumPy 1 looks at its value instead, so NumPy is only ever asked about dtypes.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._cast import cast
from pipeport.errors import OutsideDomain, WrongType, explain

_DEFAULTS = {"b": "bool", "i": "int64", "u": "int64", "f": "float64", "c": "complex128"}
_PYTHON = {bool: "b", int: "i", float: "f", complex: "c"}


@dataclass(frozen=True)
class Operand:
    """One side of an operation.

    `value`: tf.Tensor or bool, int, float or complex; a tensor, or a plain Python number. `dtype`: its own
    dtype; that which NumPy gives a plain number. `weak`: whether it takes the dtype of the others.
    `of_tensorflow`: whether it is a tensor where it comes from: what stands beside it is cast to its dtype.
    """

    value: Any
    dtype: np.dtype[Any]
    weak: bool
    of_tensorflow: bool = False

    @property
    def plain(self) -> bool:
        """Whether it is a Python number, known while tracing."""
        return type(self.value) in _PYTHON

    @property
    def kind(self) -> int:
        """Rank of its kind: bool, integers, floating, complex."""
        return _order(self.dtype)


def number(value: Any) -> Operand:
    """Return a Python number as an operand.

    `value`: bool, int, float or complex.
    """
    return Operand(value, np.dtype(_DEFAULTS[_PYTHON[type(value)]]), True)


def is_number(value: Any) -> bool:
    """Say whether a value is a plain Python number; `numpy.float64`, a subclass, is none."""
    return type(value) in _PYTHON


def _order(dtype: np.dtype[Any]) -> int:
    kind = {"u": "i", "V": "f"}.get(dtype.kind, dtype.kind)  # bfloat16 is of kind V
    return "bifc".index(kind)


@functools.cache
def joined(first: np.dtype[Any], second: np.dtype[Any]) -> np.dtype[Any]:
    """Return the common dtype of two arrays.

    `first`, `second`: of arrays, not of Python numbers.
    """
    try:
        return np.promote_types(first, second)
    except TypeError as error:
        advice = "Cast one of them with `astype`."
        raise WrongType(
            explain("operands", f"{first} and {second}", "dtypes with a common one", advice)
        ) from error


def common(operands: Sequence[Operand]) -> tuple[np.dtype[Any], bool]:
    """Return the dtype operands have together.

    Returns: the dtype, and whether it is weak again: it is where all are.
    """
    strong = [one.dtype for one in operands if not one.weak]
    loose = max((one.kind for one in operands if one.weak), default=-1)
    if not strong:
        return np.dtype(_DEFAULTS["bifc"[loose]]), True
    found = functools.reduce(joined, strong)
    if loose > _order(found):
        wanted = "bifc"[loose]
        narrow = wanted == "c" and found.kind == "f" and found.itemsize <= 4
        found = np.dtype("complex64" if narrow else _DEFAULTS[wanted])
    return found, False


def fitted(operand: Operand, dtype: np.dtype[Any]) -> Any:
    """Return an operand as a tensor of the common dtype."""
    if operand.plain:
        return constant(operand.value, dtype)
    narrower = operand.weak and operand.dtype.kind in "iu" and dtype.kind in "iu" and dtype.itemsize < 8
    if narrower or (operand.weak and operand.dtype.kind == "i" and dtype.kind == "u"):
        return _held(operand.value, dtype)
    return cast(operand.value, dtype)


def constant(value: Any, dtype: np.dtype[Any]) -> Any:
    """Return a Python number as a constant.

    `value`: bool, int, float or complex. `dtype`: the dtype it takes.
    """
    if dtype.kind in "iu" and type(value) is int:
        limits = np.iinfo(dtype)
        if not limits.min <= value <= limits.max:
            advice = f"A Python integer takes the dtype of the array, {dtype}: cast the array with `astype`."
            allowed = f"{limits.min} to {limits.max}"
            raise OutsideDomain(explain("operand", value, allowed, advice))
    with np.errstate(over="ignore"):  # a number beyond a floating dtype is infinite in it
        return tf.constant(np.asarray(value).astype(dtype))


def _held(value: Any, dtype: np.dtype[Any]) -> Any:
    """Cast a symbolic Python integer, checked in the graph to fit: NumPy raises, a cast would wrap around."""
    limits = np.iinfo(dtype)
    wide = cast(value, np.dtype("int64"))
    most = min(int(limits.max), int(np.iinfo("int64").max))
    allowed = f"{limits.min} to {limits.max}"
    text = explain("operand", "a Python integer", allowed, f"Cast the array: it is {dtype}.")
    inside = tf.logical_and(wide >= int(limits.min), wide <= most)
    with tf.control_dependencies([tf.debugging.assert_equal(inside, True, text)]):
        return cast(tf.identity(wide), dtype)
