"""The array: a TensorFlow extension type with NumPy's behaviour."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays import _access, _memory, _shapes, _sharing
from pipeport.arrays._at_once import at_once
from pipeport.arrays._cast import cast
from pipeport.arrays._getitem import getitem
from pipeport.arrays._making import (
    as_of_tensorflow,
    fresh,
    number_or_view,
    tensors_in,
    view_of,
    weak_scalar,
)
from pipeport.arrays._methods import Methods
from pipeport.arrays._missing import explain_missing
from pipeport.arrays._operator_methods import OperatorMethods
from pipeport.arrays._promotion import Operand
from pipeport.arrays._setitem import setitem
from pipeport.arrays._shape import Shape, known_length
from pipeport.arrays._strides import unsure
from pipeport.arrays._views import At, Mirrored, Permuted, ReadOnly, RealPart
from pipeport.errors import UnsupportedArgument, explain


def _at(tensor: Any, key: Any) -> tuple[Any, bool]:
    """Return the value at a key, and whether NumPy's is a view; of constants, at known places, it is one."""
    if _access.holds_tensor(key):
        return getitem(tensor, key)
    found: tuple[Any, bool] = at_once(lambda values: getitem(values, key), tensor)
    return found


class ndarray(OperatorMethods, Methods, _sharing.Tracked, tf.experimental.BatchableExtensionType):  # type: ignore[misc]
    """A tensor with the methods, operators and promotion of `numpy.ndarray`, NumPy 2.

    Made by `pipeport.numpy.array` and other natives, never by its class. Every TensorFlow function takes
    it, and `tf.cond`, loops, `tf.function` and `Dataset.map` give it back as itself. An operator whose
    left side is a tensor is TensorFlow's.

    Slices, transposes and other views share their elements with the array, as in NumPy: what is written
    to one is seen in all. Assignment is refused to arrays that TensorFlow's functions gave, and in
    functions that are traced apart to arrays of outside.

    `*args`, `**kwargs`: refused: see `pipeport.numpy.array`, `zeros` and `empty`. Raises UnsupportedArgument:
    always.
    """

    __name__ = "pipeport.ndarray"
    __array_priority__ = 1000.0
    __array_ufunc__ = None

    _values: tf.Tensor
    weak: bool = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # noqa: ARG002
        advice = "Use pipeport.numpy.array(values) or pipeport.numpy.zeros(shape)."
        raise UnsupportedArgument(explain("ndarray", "a call of the class", "no call", advice))

    # What TensorFlow, AutoGraph, NumPy and pipeport ask for.

    @property
    def is_tensor_like(self) -> bool:
        """AutoGraph takes it for a tensor."""
        return True

    def __tf_tensor__(self, dtype: Any = None, name: Any = None) -> Any:
        # TensorFlow asks for the dtype it has beside; an array of NumPy's it casts to that.
        values = self._values if dtype is None else cast(self._values, np.dtype(dtype.as_numpy_dtype))
        return tf.convert_to_tensor(values, name=name)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.asarray(_access.eager(self, "a NumPy array"), dtype)

    def __getattr__(self, name: str) -> Any:
        if name == "_values":  # its storage was written to since it was read
            return _sharing.read(self)
        return explain_missing(name, np.ndarray if name.startswith("_") else _sharing.python_type(self))

    def __pipeport_operand__(self) -> Operand:
        return Operand(self._values, self.dtype, self.weak, _sharing.is_of_tensorflow(self))

    # Facts.

    @property
    def shape(self) -> Shape:
        """Sizes: Python integers where known while tracing, else scalar arrays."""
        return Shape.of(self._values)

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def size(self) -> Any:
        """Number of elements."""
        known = self._values.shape.num_elements()
        return weak_scalar(tf.size(self._values, tf.int64)) if known is None else known

    @property
    def itemsize(self) -> int:
        """Bytes of one element."""
        return int(self.dtype.itemsize)

    @property
    def nbytes(self) -> Any:
        """Bytes of all elements."""
        return self.size * self.itemsize

    @property
    def strides(self) -> tuple[Any, ...]:
        """Bytes from an element to the next along each axis: of arrays in the order C, without gaps."""
        return _access.strides(self)

    @property
    def T(self) -> Any:
        """The array with its axes in reverse order."""
        turned = at_once(_shapes.transpose, self._values)
        return view_of(self, turned, Permuted(_shapes.transpose, (), np.transpose))

    @property
    def mT(self) -> Any:
        """The array with its last two axes interchanged."""
        step = Mirrored(lambda x: _shapes.swapaxes(x, -1, -2), (), lambda x: np.swapaxes(x, -1, -2))
        return view_of(self, _shapes.swapaxes(self._values, -1, -2), step)

    @property
    def real(self) -> Any:
        """The real parts: the array itself where it is not complex."""
        if self.weak and self.dtype.kind == "b":
            return +self  # Python's integer
        return (
            view_of(self, tf.math.real(self._values), RealPart(tf.math.real))
            if self.dtype.kind == "c"
            else self
        )

    @property
    def imag(self) -> Any:
        """The imaginary parts: zeros where the array is not complex."""
        if self.dtype.kind == "c":
            return view_of(self, tf.math.imag(self._values), RealPart(tf.math.imag))
        if self.weak and self.dtype.kind == "b":
            return 0
        return view_of(self, tf.zeros_like(self._values), ReadOnly(tf.zeros_like))

    def __len__(self) -> int:
        return known_length(self._values, "len")

    def __iter__(self) -> Iterator[Any]:
        length = known_length(self._values, "iteration")  # at once, not when the first is asked for
        return (self[index] for index in range(length))

    def __repr__(self) -> str:
        return _access.text(self)

    def __bool__(self) -> bool:
        return bool(_access.eager(self, "a condition"))

    def __int__(self) -> int:
        return int(_access.eager(self, "a Python integer").item())

    def __float__(self) -> float:
        return float(_access.eager(self, "a Python number").item())

    def __complex__(self) -> complex:
        return complex(_access.eager(self, "a Python number").item())

    def __index__(self) -> int:
        return _access.index(self)

    def __hash__(self) -> int:
        if not _sharing.is_number(self):
            raise TypeError("unhashable type: 'numpy.ndarray'")  # as of NumPy's
        return hash(_access.eager(self, "a key of Python").item())

    # Elements.

    def __getitem__(self, key: Any) -> Any:
        if (found := _memory.view_at(self, key)) is not None:
            return found
        read = tensors_in(key)
        tensor, shares = _at(self._values, read)
        if shares and (tensor.shape.rank or _access.gives_array(key)):
            return view_of(self, tensor, At(read))
        if _sharing.is_of_tensorflow(self):
            return as_of_tensorflow(fresh(tensor))
        made = unsure(fresh(tensor), (self,))  # places picked out, or a number
        return number_or_view(made, self) if shares else made

    def __setitem__(self, key: Any, value: Any) -> None:
        read = tensors_in(key)

        def write(x: Any, v: Any) -> Any:
            return setitem(x, read, v)

        constant = not _access.holds_tensor(read)
        _access.assign(self, key, value, functools.partial(at_once, write) if constant else write)

    # Out of TensorFlow: eagerly alone.

    def numpy(self) -> Any:
        """Return the elements as NumPy's array."""
        return _access.eager(self, "a NumPy array")

    def item(self, *args: Any) -> Any:
        """Return one element as a Python number."""
        return _access.eager(self, "a Python number").item(*args)

    def tolist(self) -> Any:
        """Return the elements as nested lists."""
        return _access.eager(self, "a list").tolist()

    def tobytes(self, order: str = "C") -> bytes:
        """Return the bytes of the elements."""
        _access.one_order(order)
        return bytes(_access.eager(self, "bytes").tobytes())
