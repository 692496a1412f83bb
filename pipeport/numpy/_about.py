"""Queries on an array: shape, ndim, size, isscalar. They compute nothing, so they are not natives."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._making import weak_scalar
from pipeport.arrays._shape import Shape
from pipeport.kernels.inputs.arrays import holds_tensor
from pipeport.kernels.inputs.axes import canonical
from pipeport.kernels.inputs.integers import whole_number
from pipeport.numpy._families import read


def _values(a: Any) -> Any:
    """Return the elements: of a tensor or an array as a tensor, of anything else as NumPy reads it."""
    if hasattr(type(a), "__pipeport_operand__") or holds_tensor(a):
        return read(a, "a").value
    return np.asarray(a)


def shape(a: Any) -> Any:
    """Return the sizes of an array.

    Parameters
    ----------
    a : array_like
        Of known rank.

    Returns
    -------
    tuple
        Python integers; scalars known only at run time in the place of sizes not known while tracing.

    Raises
    ------
    UnsupportedArgument
        The rank is not known while tracing.

    Examples
    --------
    >>> import numpy
    >>> from pipeport.numpy import shape
    >>> shape(numpy.zeros((2, 3)))
    (2, 3)
    """
    values = _values(a)
    return Shape.of(values) if tf.is_tensor(values) else np.shape(values)


def ndim(a: Any) -> int:
    """Return the number of axes of an array.

    Parameters
    ----------
    a : array_like
        Of known rank.

    Returns
    -------
    int
        The rank.

    Raises
    ------
    UnsupportedArgument
        The rank is not known while tracing.

    Examples
    --------
    >>> from pipeport.numpy import ndim
    >>> ndim([[1, 2]])
    2
    """
    return len(shape(a))


def size(a: Any, axis: Any = None) -> Any:
    """Return the number of elements of an array, or the size of one axis.

    Parameters
    ----------
    a : array_like
        Of known rank.
    axis : int or None, default None
        Which axis; None counts all elements.

    Returns
    -------
    int
        The number; a scalar known only at run time where it is not known while tracing.

    Raises
    ------
    BadAxis
        The array has no such axis.
    UnsupportedArgument
        The rank is not known while tracing.

    Examples
    --------
    >>> from pipeport.numpy import size
    >>> size([[1, 2], [3, 4]])
    4
    """
    sizes = shape(a)
    if axis is not None:
        return sizes[canonical(whole_number(axis, "axis"), len(sizes), "axis")]
    known = list(tuple.__iter__(sizes))
    if None not in known:
        return int(np.prod(known, dtype=np.int64))
    return weak_scalar(tf.size(_values(a), tf.int64))


def isscalar(element: Any) -> bool:
    """Say whether something is a number, and no array.

    Parameters
    ----------
    element : object
        Anything.

    Returns
    -------
    bool
        True of Python's numbers, NumPy's scalars, strings, and of array elements that stand for Python's
        numbers.

    Examples
    --------
    >>> from pipeport.numpy import isscalar
    >>> isscalar(2.5), isscalar([2.5])
    (True, False)
    """
    return bool(getattr(element, "weak", False)) or np.isscalar(element)
