"""average."""

from __future__ import annotations

from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays import _moments, _reduce
from pipeport.arrays._along import axes_of, count, flag
from pipeport.arrays._cast import cast
from pipeport.arrays._promotion import joined
from pipeport.contract import Array, AsReference, Axes, Boolean, Maybe, Shaped
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels.inputs.arrays import known_rank
from pipeport.numpy._families import numpy_native, tensor
from pipeport.numpy._reductions import ARRAY_LIKE, AXIS, CLOSE, KEEP, NOTHING, RAISES, kept

# Without int32, whose weighted sums cancel: the bound is measured by the result.
_DTYPES = ("bool", "uint8", "float16", "float32", "float64")


def _weights(weights: Any, x: Any, axis: Any) -> Any:
    """Return the weights in a shape that broadcasts with the array's."""
    given = tensor(weights, "weights")
    shapes = f"{given.shape} for {x.shape}"
    if known_rank(given, "weights") == known_rank(x):
        if not given.shape.is_compatible_with(x.shape):
            allowed, advice = "the shape of `a`", "Weights do not broadcast, in NumPy either."
            raise OutsideDomain(explain("weights", shapes, allowed, advice))
        return given
    if axis is None:
        advice = "Name the axis they go along."
        raise WrongType(explain("axis", f"None, with weights of shape {shapes}", "an axis", advice))
    axes = axes_of(x, axis, scalar=False)
    if given.shape.rank != 1 or len(axes) != 1 or not given.shape.is_compatible_with([x.shape[axes[0]]]):
        allowed, advice = "the shape of `a`, or one weight along one axis", "Reshape and broadcast them."
        raise OutsideDomain(explain("weights", shapes, allowed, advice))
    return tf.reshape(given, [-1 if place == axes[0] else 1 for place in range(x.shape.rank)])


@numpy_native(
    "numpy.average", "Return the mean, weighted where weights are given.", agreement=AsReference(),
    words=CLOSE,
    domain={
        "a": Array(dtypes=_DTYPES, ranks=(2,), sides=(1, 6), values=(0.0, 100.0)),
        "axis": Axes(of="a", none=True),
        "weights": Maybe(
            spec=Shaped(
                shape=("a.0", "a.1"), dtypes=("float64", "float32", "uint8"), values=(1.0, 3.0),
                per_image=True,
            )
        ),
        "returned": Boolean(), "keepdims": Boolean(),
    },
    parameters={
        "a": ARRAY_LIKE, "axis": AXIS,
        "weights": "None or array_like, default None\nOf the shape of `a`, or of one axis.",
        "returned": "bool, default False\nWhether to return the sum of the weights besides.",
        "keepdims": KEEP,
    },
    returns="tf.Tensor, or tuple of two\nThe means; with `returned` also the sums of the weights.",
    raises={
        **RAISES, "OutsideDomain": "The weights have another shape.",
        "tf.errors.InvalidArgumentError": "Weights add up to zero.",
    },
    example=("[1.0, 2.0], weights=[3.0, 1.0]", "<tf.Tensor: shape=(), dtype=float64, numpy=1.25>"),
    graph="two sums and a check that no sum of weights is zero.",
)  # fmt: skip
def average(
    a: Any, axis: Any = None, weights: Any = None, returned: Any = False, *, keepdims: Any = NOTHING
) -> Any:
    x = tensor(a, "a")
    keep = kept(keepdims)
    if weights is None:
        found = _moments.mean(x, axis, None, keep)
        number = count(x, axes_of(x, axis, scalar=False))
        total = tf.fill(tf.shape(found), tf.cast(number, found.dtype))
        return (found, tf.ensure_shape(total, found.shape)) if flag(returned, "returned") else found
    load = _weights(weights, x, axis)
    dtypes = [np.dtype(one.dtype.as_numpy_dtype) for one in (x, load)]
    dtype = joined(joined(*dtypes), np.dtype(np.float64)) if dtypes[0].kind in "biu" else joined(*dtypes)
    x, load = cast(x, dtype), cast(load, dtype)
    total = _reduce.total(load, axis if load.shape.rank == x.shape.rank else None, dtype, keep)
    message = explain("weights", "a sum of zero", "sums that are not zero", "NumPy refuses this as well.")
    check = tf.debugging.assert_none_equal(total, tf.zeros([], total.dtype), message=message)
    with tf.control_dependencies([check]):
        found = _reduce.total(x * load, axis, None, keep) / total
    return (found, tf.broadcast_to(total, tf.shape(found))) if flag(returned, "returned") else found
