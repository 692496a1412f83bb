"""Operators on anything array-like: operands are promoted as NumPy 2 does, then computed on."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._cast import cast
from pipeport.arrays._elementwise import BINARY, COMPARE, UNARY, power_of
from pipeport.arrays._promotion import Operand, common, fitted, is_number, number
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs.arrays import as_tensor

_FLOAT32 = np.dtype("float32")
_INT64, _FLOAT64, _BOOL = np.dtype("int64"), np.dtype("float64"), np.dtype("bool")
_BITS = ("and", "or", "xor")


def operand(value: Any, parameter: str = "operand") -> Operand | None:
    """Return a value as an operand, or None where it is nothing array-like.

    `value`: an array, a tensor, a NumPy array or scalar, a Python number, or nested lists of these.
    `parameter`: its name, for messages. Returns: weak for Python numbers and what was computed from them
    alone.
    """
    own = getattr(value, "__pipeport_operand__", None)
    if own is not None:
        found: Operand = own()
        return found
    if is_number(value):
        return number(value)
    if isinstance(value, range):
        value = np.asarray(value)
    elif getattr(type(value), "as_array", None) is not None:
        return operand(value.as_array(), parameter)
    if not (isinstance(value, (np.ndarray, np.generic, list, tuple, tf.Variable)) or tf.is_tensor(value)):
        return None
    tensor = as_tensor(value, parameter)
    return Operand(tensor, np.dtype(tensor.dtype.as_numpy_dtype), False)


def same_shape(x: Any, y: Any) -> None:
    """Refuse shapes that are known not to broadcast.

    `x`, `y`: the operands. Raises OutsideDomain: two sizes differ, and neither is 1.
    """
    try:
        tf.broadcast_static_shape(x.shape, y.shape)
    except ValueError:
        advice = "Sizes must be equal, or 1; give one of them further axes with numpy.newaxis."
        given = f"shapes {x.shape} and {y.shape}"
        raise OutsideDomain(explain("operands", given, "shapes that broadcast", advice)) from None


def binary(name: str, left: Operand, right: Operand) -> tuple[Any, bool]:
    """Compute `left <operator> right`.

    `name`: of the operator, as in its method: 'add', 'truediv', 'lt'. `left`, `right`: the sides. Returns:
    the result, and whether it is weak: a Python number computed from Python numbers. Raises OutsideDomain:
    the shapes do not broadcast, or a Python integer does not fit the dtype of the array. Raises WrongType:
    NumPy has no such operation of these dtypes. Raises UnsupportedArgument: a comparison TensorFlow cannot
    make exactly.
    """
    if left.of_tensorflow or right.of_tensorflow:
        left, right = as_tensorflow_promotes(left, right)
        if name == "truediv":
            left, right = (_wide_enough(one) for one in (left, right))
    if name in COMPARE:
        return _compared(name, left, right)
    dtype, weak = common((left, right))
    if name == "truediv" and dtype.kind in "biu":
        dtype = _FLOAT64
    elif weak and dtype.kind == "b" and name not in _BITS:
        dtype = _INT64
    if (
        name == "pow"
        and left.dtype == _BOOL
        and not left.weak
        and type(right.value) is int
        and right.value == 2
    ):
        dtype = np.dtype("int8")  # as NumPy squares booleans
    x = fitted(left, dtype)
    if name == "pow" and right.plain:
        short = power_of(x, right.value)
        if short is not None:
            return short, weak
    y = fitted(right, dtype)
    same_shape(x, y)
    return BINARY[name](x, y), weak


def _compared(name: str, left: Operand, right: Operand) -> tuple[Any, bool]:
    dtype, weak = common((left, right))
    if {left.dtype.name, right.dtype.name} == {"int64", "uint64"} and not (left.weak or right.weak):
        advice = "Cast one of them with `astype`: TensorFlow has no dtype that holds both."
        raise UnsupportedArgument(explain("operands", "int64 and uint64", "one integer dtype", advice))
    for one, other, beyond in ((left, right, False), (right, left, True)):
        if one.plain and type(one.value) is int and dtype.kind in "iu":
            limits = np.iinfo(dtype)
            if not limits.min <= one.value <= limits.max:
                high = one.value > limits.max
                # As if the number stood beside zero: the order is the same for every element.
                sides = (0, 1 if high else -1) if beyond else (1 if high else -1, 0)
                answer = {"lt": sides[0] < sides[1], "le": sides[0] < sides[1], "gt": sides[0] > sides[1],
                          "ge": sides[0] > sides[1], "eq": False, "ne": True}[name]  # fmt: skip
                return tf.fill(tf.shape(other.value), answer), weak
    for one in (left, right):
        # A symbolic Python integer is compared as it is: both sides as int64.
        if one.weak and not one.plain and dtype.kind in "iu" and dtype.itemsize < 8:
            dtype = _INT64
    x, y = fitted(left, dtype), fitted(right, dtype)
    same_shape(x, y)
    return COMPARE[name](x, y), weak


def _wide_enough(side: Operand) -> Operand:
    """Return a side of a division; integers of up to 16 bits TensorFlow divides in float32."""
    if side.plain or side.dtype.kind not in "iu" or side.dtype.itemsize > 2:
        return side
    return Operand(cast(side.value, _FLOAT32), _FLOAT32, False)


def as_tensorflow_promotes(left: Operand, right: Operand) -> tuple[Operand, Operand]:
    """Return two operands, one of them a tensor of TensorFlow's, in one dtype.

    `left`, `right`: the sides. Returns: the sides in the dtype of the tensor: TensorFlow casts arrays and
    numbers beside it. Raises WrongType: two tensors of different dtypes, or a Python number of a higher kind
    than the tensor.
    """
    lead, other = (left, right) if left.of_tensorflow else (right, left)
    if (other.of_tensorflow and other.dtype != lead.dtype) or (other.weak and other.kind > lead.kind):
        given = f"a tensor of {lead.dtype} and {'a number' if other.weak else 'a tensor'} of {other.dtype}"
        advice = "TensorFlow promotes nothing: cast one of them with tf.cast."
        raise WrongType(explain("operands", given, "one dtype", advice))
    fits = other if other.plain else Operand(cast(other.value, lead.dtype), lead.dtype, False)
    return (lead, fits) if lead is left else (fits, lead)


def unary(name: str, of: Operand) -> tuple[Any, bool]:
    """Compute `<operator> of`.

    `name`: 'neg', 'pos', 'abs' or 'invert'. `of`: the operand. Returns: the result, and whether it is weak.
    Raises WrongType: NumPy has no such operation of this dtype.
    """
    dtype = _INT64 if of.weak and of.dtype == _BOOL else of.dtype
    return UNARY[name](fitted(of, dtype)), of.weak
