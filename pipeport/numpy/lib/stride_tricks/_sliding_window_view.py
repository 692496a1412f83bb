"""sliding_window_view."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._making import tensors_in
from pipeport.contract import Array, Exact, OneOf
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.inputs.arrays import known_rank, sizes_of
from pipeport.kernels.inputs.axes import canonical
from pipeport.kernels.inputs.integers import whole_numbers
from pipeport.kernels.layout._sliding import windows_along
from pipeport.numpy._families import REALS, numpy_native, refuse, tensor
from pipeport.numpy._reductions import RAISES


def _fit(arguments: Mapping[str, Any]) -> bool:
    """Whether there is one size per axis; of windows that are too large some are drawn."""
    rank, windows = np.ndim(arguments["x"]), np.size(arguments["window_shape"])
    axis = arguments.get("axis")
    return windows == (rank if axis is None else np.size(axis))


@numpy_native(
    "numpy.lib.stride_tricks.sliding_window_view", "Return the windows of an array at every position.",
    view_of="first",
    domain={"x": Array(dtypes=REALS, ranks=(1, 2, 3), sides=(2, 6)),
            "window_shape": OneOf(1, 2, 3, (2, 1), (1, 3), (2, 2), (2, 1, 2), (0,), typical=3),
            "axis": OneOf(None, 0, -1, (0, 1), (1, 0), (-1,), (0, 0), typical=0)},
    valid=_fit,
    parameters={"x": "array_like, bool or any number\nThe array; sizes may be unknown, the rank not.",
                "window_shape": "int or tuple of int\nSize of a window along each axis.",
                "axis": "int, tuple of int or None, default None\nThe axis of each size; None takes all in "
                        "order."},
    returns="tf.Tensor, dtype of `x`\nWhich window, then where in the window; a copy of the elements.",
    agreement=Exact(), words="bit for bit, NaN included.",
    raises={**RAISES, "OutsideDomain": "A window is negative or larger than the array, or there is not one "
                                       "size per axis.",
            "tf.errors.InvalidArgumentError": "A window turns out to be larger than the array."},
    example=("[1, 2, 3, 4], 3",
             "<tf.Tensor: shape=(2, 3), dtype=int64, numpy=\narray([[1, 2, 3],\n       [2, 3, 4]])>"),
    graph="in a port, a slice in steps makes only the windows that it takes. Compiled with XLA for short "
          "windows of known sizes; else a gather, or one per axis where few "
          "elements stand together, which is slower than NumPy's copy of its view. Static shape is kept.",
)  # fmt: skip
def sliding_window_view(
    x: Any, window_shape: Any, axis: Any = None, *, subok: Any = False, writeable: Any = False
) -> Any:
    refuse(subok=(subok, False), writeable=(writeable, False))
    values = tensor(x, "x")
    rank = known_rank(values, "x")
    windows = list(whole_numbers(tensors_in(window_shape), "window_shape"))
    places = list(range(rank))
    if axis is not None:
        places = [canonical(one, rank, "axis") for one in whole_numbers(tensors_in(axis), "axis")]
    if len(windows) != len(places) or min(windows, default=0) < 0:
        allowed, advice = f"{len(places)} sizes from 0", "Give one per axis, or name the axes."
        raise OutsideDomain(explain("window_shape", window_shape, allowed, advice))
    return _windows(values, windows, places)


def _windows(x: Any, windows: list[int], places: list[int]) -> Any:
    """Return the windows along axes, which may come in any order, and twice."""
    if 0 in windows:
        shape = sizes_of(x)
        for place, size in zip(places, windows, strict=True):
            shape[place] = shape[place] - size + 1
        return tf.zeros([*shape, *windows], x.dtype)
    pairs = list(zip(places, windows, strict=True))
    if places == sorted(set(places)):
        return windows_along(x, dict(pairs), {})
    for place, size in pairs:
        x = windows_along(x, {place: size}, {})
    return x
