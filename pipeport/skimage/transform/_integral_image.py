"""`skimage.transform.integral_image`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.contract import Array, AsReference, Difference, OneOf, batchable, replaces
from pipeport.errors import UnsupportedArgument, explain
from pipeport.kernels import xla
from pipeport.kernels.inputs.arrays import as_tensor, known_rank
from pipeport.kernels.inputs.dtypes import dtype_of

# At 256x256x3, float32 and uint8, one thread: tf.cumsum over the three axes 4.4 and 3.7 ms (its XLA form
# 3.3 and 4.3), a compiled loop with a vector of sums 0.7 and 0.6 ms, NumPy 2.7 and 2.6 ms. Along an axis
# as short as channels NumPy's and Eigen's scans are slowest, and a sum of shifted copies is nearly free.
_SHORT = 8


def _sums_dtype(dtype: Any, asked: Any) -> Any:
    """Return the dtype NumPy sums in: whole numbers become 64 bits wide, floats at least float64."""
    given = np.dtype(dtype.as_numpy_dtype)
    if asked is not None:
        return asked
    if given.kind == "f":
        return tf.float64
    if given.kind == "c":
        return tf.complex128
    return tf.uint64 if given.kind == "u" else tf.int64


def _checked_dtype(dtype: Any) -> Any:
    if dtype is None:
        return None
    wanted = dtype_of(dtype, "dtype")
    if wanted.is_bool:
        advice = "Sum in another dtype and cast: a bool sum is a logical or."
        raise UnsupportedArgument(explain("dtype", wanted.name, "an integer, float or complex dtype", advice))
    return wanted


def _logical(arguments: Mapping[str, Any]) -> bool:
    return arguments.get("dtype") is not None and np.dtype(arguments["dtype"]).kind == "b"


def _representable(arguments: Mapping[str, Any]) -> bool:
    """Whether a cast of floats to integers is defined."""
    image, dtype = np.asarray(arguments["image"]), arguments.get("dtype")
    if dtype is None or np.dtype(dtype).kind not in "iu" or image.dtype.kind != "f":
        return True
    limits = np.iinfo(dtype)
    return bool(np.isfinite(image).all() and np.all((image > limits.min - 1) & (image < limits.max + 1)))


@replaces(
    "skimage.transform.integral_image",
    domain={
        "image": Array(ranks=(0, 1, 2, 3, 4)),
        "dtype": OneOf(None, "float32", "float64", "uint8", "int32", "uint64", "bool"),
    },
    agreement=AsReference(),
    valid=_representable,
    differences=(
        Difference(
            "A bool `dtype` is refused; the reference gives logical ors.",
            witness=lambda: {"image": np.ones((2, 2), np.uint8), "dtype": "bool"},
            applies=_logical,
        ),
    ),
)
@batchable
def integral_image(batch_axes: int, image: Any, *, dtype: Any = None) -> Any:
    """Sum all elements above and to the left, along every axis, channels included.

    Parameters
    ----------
    image : array_like, any shape, bool or any number
        The array; sizes may be unknown, the rank must be known.
    dtype : dtype, optional
        In which to sum. None is float64 for floats, complex128 for complex numbers, uint64 for
        unsigned and int64 for other integers and bool.

    Returns
    -------
    tf.Tensor, shape of `image`
        Cumulative sums. Integers wrap around as in NumPy.

    Raises
    ------
    UnsupportedArgument
        The rank is not known while tracing, or `dtype` is bool.
    WrongType
        `dtype` names nothing TensorFlow has.

    Notes
    -----
    Agreement: as accurate as the reference, judged against it in float64; integers are equal.
    Graph: compiled with XLA when traced with static sizes (`pipeport.config`); static shape is kept.

    Source: `skimage/transform/integral.py` of scikit-image 0.26.

    Examples
    --------
    >>> import tensorflow as tf
    >>> from pipeport.skimage.transform import integral_image
    >>> integral_image(tf.constant([[1, 2], [3, 4]])).numpy().tolist()
    [[1, 3], [4, 10]]
    """
    image = as_tensor(image, "image")
    known_rank(image, "image")
    asked = _checked_dtype(dtype)
    if image.shape.rank == batch_axes:
        # Without axes there is nothing to sum, nor a dtype to sum in.
        return tf.identity(image)
    out = _sums_dtype(image.dtype, asked)
    if image.dtype.is_complex and not out.is_complex:
        image = tf.math.real(image)  # as NumPy casts
    if out.is_complex:
        part = out.real_dtype
        real, imaginary = (_summed(of(image), part, batch_axes) for of in (tf.math.real, tf.math.imag))
        return tf.complex(real, imaginary)
    return _summed(image, out, batch_axes)


def _summed(image: Any, out: Any, batch_axes: int) -> Any:
    sums = _working_dtype(image, out, batch_axes)

    def axis_by_axis(image: Any) -> Any:
        x = tf.cast(image, sums)
        for axis in range(batch_axes, x.shape.rank):
            x = tf.cumsum(x, axis)
        return x

    found = xla.run(_program, batch_axes, sums, otherwise=axis_by_axis)(image)
    return tf.ensure_shape(tf.cast(found, out), image.shape)


def _working_dtype(image: Any, out: Any, batch_axes: int) -> Any:
    """Return a signed dtype with the same sums, or the same modulo the power of two of `out`."""
    if not out.is_integer:
        return out
    if out.size <= 4 and not image.dtype.is_floating:
        return tf.int32
    shape = image.shape[batch_axes:]
    if shape.is_fully_defined() and not image.dtype.is_floating:
        largest = 1 if image.dtype.is_bool else max(image.dtype.max, -image.dtype.min)
        if math.prod(shape) * largest < 2**31:
            return tf.int32
    return tf.int64


def _program(batch_axes: int, sums: Any) -> Callable[..., Any]:
    """Return the body to compile."""

    def body(image: Any) -> Any:
        x, last = image, image.shape.rank - 1
        axes = list(range(batch_axes, last + 1))
        if x.shape[-1] <= _SHORT:
            x, axes = _short_sums(tf.cast(x, sums)), axes[:-1]
        order = list(range(last + 1))
        # A loop leaves its axis in front: going from the last axis to the first restores the order.
        for axis in reversed(axes):
            x = _loop_sums(x, order.index(axis), sums)
            order.remove(axis)
            order.insert(0, axis)
        if order != sorted(order):
            x = tf.transpose(x, [order.index(axis) for axis in range(last + 1)])
        return tf.cast(x, sums)

    return body


def _short_sums(x: Any) -> Any:
    # Padded copies of the array as it is: to shift it as one line took 0.37 ms instead of 0.02.
    total, before = x, [[0, 0]] * (x.shape.rank - 1)
    for shift in range(1, x.shape[-1]):
        total = total + tf.pad(x[..., :-shift], [*before, [shift, 0]])
    return total


def _loop_sums(x: Any, axis: int, dtype: Any) -> Any:
    """Sum along one axis, which a loop walks with a vector of sums, and leave it in front."""
    count, rank = x.shape[axis], x.shape.rank
    rest = [*x.shape[:axis], *x.shape[axis + 1 :]]
    size = math.prod(rest)
    slab = [*x.shape[:axis], 1, *x.shape[axis + 1 :]]
    rows = tf.TensorArray(dtype, count, element_shape=[size])

    def step(index: Any, sums: Any, rows: Any) -> Any:
        begin = [0] * axis + [index] + [0] * (rank - axis - 1)
        sums = sums + tf.reshape(tf.cast(tf.slice(x, begin, slab), dtype), [size])
        return index + 1, sums, rows.write(index, sums)

    start = (tf.constant(0), tf.zeros([size], dtype), rows)
    *_, rows = tf.while_loop(lambda index, *_: index < count, step, start, maximum_iterations=count)
    return tf.reshape(rows.stack(), [count, *rest])
