"""The shape of an array: Python integers where they are known, else scalars that the graph knows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pipeport._lazy import tf
from pipeport.arrays._making import weak_scalar
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs.arrays import known_rank


class Shape(tuple[Any, ...]):
    """Sizes, as a tuple; those not known while tracing are given as weak integer arrays when asked for.

    AutoGraph's loops ask for `dims`, `rank` and `as_list`.
    """

    _tensor: Any
    _offset: int

    @classmethod
    def of(cls, tensor: Any) -> Shape:
        """Return the shape of a tensor of known rank."""
        known_rank(tensor, "array")
        return cls._make(tensor.shape.as_list(), tensor, 0)

    @classmethod
    def _make(cls, sizes: Any, tensor: Any, offset: int) -> Shape:
        self = cls(sizes)
        self._tensor, self._offset = tensor, offset
        return self

    @property
    def dims(self) -> Any:
        """Sizes as TensorFlow's dimensions."""
        return tf.TensorShape(self.as_list()).dims

    @property
    def rank(self) -> int:
        """Number of axes."""
        return len(self)

    ndims = rank

    def as_list(self) -> list[int | None]:
        """Return the sizes, None where one is unknown."""
        return list(tuple.__iter__(self))

    def _size(self, axis: int) -> Any:
        known = tuple.__getitem__(self, axis)
        if known is not None:
            return known
        return weak_scalar(tf.shape(self._tensor, out_type=tf.int64)[self._offset + axis])

    def __iter__(self) -> Iterator[Any]:
        return (self._size(axis) for axis in range(len(self)))

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            start, stop, step = key.indices(len(self))
            if step != 1:
                return tuple(self._size(axis) for axis in range(start, stop, step))
            return self._make(self.as_list()[key], self._tensor, self._offset + start)
        return self._size(range(len(self))[key])

    def __add__(self, other: Any) -> Any:
        return (*self, *other) if isinstance(other, tuple) else NotImplemented

    def __radd__(self, other: Any) -> Any:
        return (*other, *self) if isinstance(other, tuple) else NotImplemented

    def __mul__(self, times: Any) -> Any:
        return tuple(self) * times

    __rmul__ = __mul__

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, tuple):
            return NotImplemented
        if len(self) != len(other):
            return False
        pairs = list(zip(self, other, strict=True))
        if any(type(a) is int and type(b) is int and a != b for a, b in pairs):
            return False
        open_ones = [a == b for a, b in pairs if not (type(a) is int and type(b) is int)]
        found: Any = True
        for one in open_ones:
            found = one if found is True else found & one
        return found

    def __ne__(self, other: object) -> Any:
        equal = self.__eq__(other)
        return not equal if isinstance(equal, bool) else equal if equal is NotImplemented else ~equal

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self.as_list()))


def known_length(tensor: Any, what: str) -> int:
    """Return the first size as Python must have it."""
    if tensor.shape.rank == 0:
        raise OutsideDomain(
            explain("array", "rank 0", "at least one axis", f"There is no {what} of a scalar.")
        )
    if tensor.shape[0] is None:
        advice = "Use `x.shape[0]`, or state the shape with tf.ensure_shape."
        raise UnsupportedArgument(
            explain("array", f"shape {tensor.shape}", f"a known size for {what}", advice)
        )
    return int(tensor.shape[0])
