"""Functions along an axis: cumsum, cumprod, diff."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays import _reduce
from pipeport.arrays._cast import cast
from pipeport.arrays._promotion import joined
from pipeport.contract import Array, AsReference, Axes, Exact, Integer, Maybe, OneOf
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.inputs.arrays import known_rank, sizes_of
from pipeport.kernels.inputs.axes import canonical
from pipeport.kernels.inputs.integers import whole_number
from pipeport.numpy._families import REALS, numpy_native, refuse, tensor
from pipeport.numpy._reductions import ARRAY_LIKE, BITS, CLOSE, NOTHING, RAISES

_WIDENED = "dtype or None, default None\nIn which dtype; None widens bool and integers to 64 bits."
_FLAT = "None or int, default None\nAlong which axis; None along the flattened array."


def _alike(arguments: Mapping[str, Any]) -> bool:
    return arguments.get("dtype") is None or np.asarray(arguments["a"]).dtype.kind == "f"


def _running(name: str, summary: str, compute: Callable[..., Any], shown: str, array: Array) -> Any:
    def function(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        refuse(out=(out, None))
        return compute(tensor(a, "a"), axis, dtype)

    function.__name__ = function.__qualname__ = name
    return numpy_native(
        f"numpy.{name}", summary, agreement=AsReference(), words=CLOSE, valid=_alike,
        domain={
            "a": array, "axis": Axes(of="a", none=True, several=False),
            "dtype": Maybe(spec=OneOf("float32", "float64")),
        },
        parameters={"a": ARRAY_LIKE, "axis": _FLAT, "dtype": _WIDENED}, raises=RAISES,
        returns="tf.Tensor\nAs many elements; integers wrap around.",
        example=("[1.5, 2.0]", f"<tf.Tensor: shape=(2,), dtype=float64, numpy=array([{shown}])>"),
        slower="many elements of one line are",
    )(function)  # fmt: skip


cumsum = _running(
    "cumsum", "Return running sums.", _reduce.cumsum, "1.5, 3.5", Array(dtypes=REALS, ranks=(0, 1, 2, 3))
)
cumprod = _running(
    "cumprod", "Return running products.", _reduce.cumprod, "1.5, 3. ",
    Array(dtypes=REALS, ranks=(0, 1, 2, 3), sides=(0, 4), values=(-1.5, 1.5)),
)  # fmt: skip


@numpy_native(
    "numpy.diff", "Return differences of neighbours along an axis.", agreement=Exact(), words=BITS,
    domain={
        "a": Array(dtypes=REALS, ranks=(1, 2, 3)), "n": Integer(0, 3),
        "axis": Axes(of="a", several=False),
        "prepend": OneOf(NOTHING, 0, 1.5, True), "append": OneOf(NOTHING, 0, 1.5, True),
    },
    parameters={
        "a": "array_like, bool or any number\nOf one axis at least.",
        "n": "int, default 1\nHow often differences are taken.",
        "axis": "int, default -1\nAlong which axis.",
        "prepend": "array_like, optional\nStands before the array; a number counts as one element.",
        "append": "array_like, optional\nStands behind the array; a number counts as one element.",
    },
    returns=("tf.Tensor, dtype of `a` and of what stands beside it\nBy `n` elements shorter; of bool, "
             "whether neighbours differ. A number beside it promotes as an array: int64 or float64."),
    raises={**RAISES, "OutsideDomain": "`a` has rank 0, `n` is negative, or what stands beside does "
                                       "not fit."},
    example=("[1.5, 2.0]", "<tf.Tensor: shape=(1,), dtype=float64, numpy=array([0.5])>"),
    graph="slices and `n` subtractions; static shape is kept.",
)  # fmt: skip
def diff(a: Any, n: Any = 1, axis: Any = -1, prepend: Any = NOTHING, append: Any = NOTHING) -> Any:
    x = tensor(a, "a")
    times = whole_number(n, "n")
    if times < 0:
        raise OutsideDomain(explain("n", times, "0 or more", "NumPy refuses this as well."))
    if times == 0:
        return x
    rank = known_rank(x)
    if not rank:
        raise OutsideDomain(explain("a", "an array of rank 0", "at least one axis", "Give it one."))
    along = canonical(whole_number(axis, "axis"), rank, "axis")
    ends = (("prepend", prepend), ("append", append))
    before, after = (None if one is NOTHING else _end(one, name, x, along) for name, one in ends)
    parts = [one for one in (before, x, after) if one is not None]
    if len(parts) > 1:
        dtype = functools.reduce(joined, (np.dtype(one.dtype.as_numpy_dtype) for one in parts))
        x = tf.concat([cast(one, dtype) for one in parts], along)
    later, earlier = ([slice(None)] * along + [part] for part in (slice(1, None), slice(None, -1)))
    subtract = tf.not_equal if x.dtype.is_bool else tf.subtract
    for _ in range(times):
        x = subtract(x[tuple(later)], x[tuple(earlier)])
    return x


def _end(value: Any, name: str, x: Any, axis: int) -> Any:
    """Return what stands beside an array along an axis: a number as often as the others axes need it."""
    end = tensor(value, name)
    rank = known_rank(end, name)
    if rank == 0:
        sizes = [1 if place == axis else size for place, size in enumerate(sizes_of(x))]
        return tf.broadcast_to(end, sizes)
    others = (tf.TensorShape([None if place == axis else size for place, size in enumerate(one.shape)])
              for one in (end, x))  # fmt: skip
    if rank != x.shape.rank or not next(others).is_compatible_with(next(others)):
        allowed = f"a number, or shape {x.shape} but for axis {axis}"
        raise OutsideDomain(explain(name, f"shape {end.shape}", allowed, "Reshape it."))
    return end
