"""unpackbits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._making import tensors_in
from pipeport.contract import Array, Exact, Maybe, OneOf
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels.inputs.arrays import known_rank, sizes_of
from pipeport.kernels.inputs.axes import canonical
from pipeport.kernels.inputs.integers import whole_number
from pipeport.numpy._families import tensor, thin
from pipeport.numpy._reductions import BITS, RAISES

_BYTE = 8
_AXIS = "int or None, default None\nAlong which axis; None along the flattened array."
_ORDER = "{'big', 'little'}, default 'big'\nWhether the first bit of a byte counts 128, or 1."


def _line(x: Any, axis: Any) -> tuple[Any, int]:
    """Return an array of at least one axis, and the axis its bytes lie along."""
    if axis is None:
        return tf.reshape(x, [-1]), 0
    x = x if known_rank(x) else tf.reshape(x, [1])
    return x, canonical(whole_number(axis, "axis"), x.shape.rank, "axis")


def _table(bitorder: Any) -> Any:
    """Return for each byte a number of eight bytes, which are its bits."""
    if not isinstance(bitorder, str) or bitorder not in ("big", "little"):
        raise OutsideDomain(explain("bitorder", repr(bitorder), "'big' or 'little'", "Name one of these."))
    order: Any = bitorder
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, np.newaxis], axis=1, bitorder=order)
    return tf.constant(bits.view(np.int64)[:, 0])


def _defined(arguments: Mapping[str, Any]) -> bool:
    """Whether NumPy's result is: zeros that it should put behind no bits are whatever lies in memory."""
    return np.size(arguments["a"]) > 0 or arguments.get("count") in (None, 0)


@thin(
    "numpy.unpackbits", "Take bytes apart into their bits.",
    domain={"a": Array(dtypes=("uint8",), ranks=(1, 2, 3)), "axis": Maybe(spec=OneOf(-1, 0), typical=-1),
            "count": OneOf(None, 0, 5, 20, -3, typical=None), "bitorder": OneOf("big", "little")},
    valid=_defined,
    parameters={"a": "array_like of uint8\nThe bytes; sizes may be unknown, the rank not.", "axis": _AXIS,
                "count": "int or None, default None\nHow many bits are kept: zeros follow where there are "
                         "less; a negative number drops as many from the end.",
                "bitorder": _ORDER},
    returns="tf.Tensor of uint8\nThe bits, 0 and 1.", agreement=Exact(), words=BITS,
    raises={**RAISES, "OutsideDomain": "More bits are dropped than there are, or `bitorder` is another.",
            "tf.errors.InvalidArgumentError": "More bits are dropped than there turn out to be."},
    example=("__import__('numpy').uint8([160]), count=3",
             "<tf.Tensor: shape=(3,), dtype=uint8, numpy=array([1, 0, 1], dtype=uint8)>"),
    graph="a table of the bits of each byte; static shape is kept.",
    stated="(a, /, axis=None, count=None, bitorder='big')", nameless=("a",),
    reference_call="pipeport.numpy._sized.first_by_position",
)  # fmt: skip
def unpackbits(a: Any, axis: Any = None, count: Any = None, bitorder: Any = "big") -> Any:
    table = _table(bitorder)
    x = tensor(a, "a")
    if x.dtype != tf.uint8:
        raise WrongType(explain("a", f"dtype {x.dtype.name}", "uint8", "Cast it with `astype`."))
    x, along = _line(x, axis)
    bits = tf.bitcast(tf.gather(table, tf.cast(x, tf.int32)), tf.uint8)
    rank = x.shape.rank
    if along < rank - 1:
        bits = tf.transpose(bits, [*range(along + 1), rank, *range(along + 1, rank)])
    sizes = sizes_of(x)
    sizes[along] *= _BYTE
    return _counted(tf.reshape(bits, sizes), along, count)


def _counted(bits: Any, axis: int, count: Any) -> Any:
    """Return so many bits along an axis."""
    if count is None:
        return bits
    number, size = whole_number(tensors_in(count), "count"), bits.shape[axis]
    before = [slice(None)] * axis
    if number < 0:
        message = explain("count", number, "no more than there are bits", "Drop less.")
        if size is None:
            enough = tf.debugging.assert_greater_equal(tf.shape(bits)[axis], -number, message)
            with tf.control_dependencies([enough]):
                bits = tf.identity(bits)
        elif -number > size:
            raise OutsideDomain(message)
        return bits[(*before, slice(None, number))]
    kept = bits[(*before, slice(None, number))]
    found = _followed(kept, axis, number - sizes_of(kept)[axis])
    return tf.ensure_shape(found, [number if place == axis else one for place, one in enumerate(bits.shape)])


def _followed(bits: Any, axis: int, number: Any) -> Any:
    """Return bits with so many zeros behind them along an axis."""
    sizes = [number if place == axis else size for place, size in enumerate(sizes_of(bits))]
    return tf.concat([bits, tf.zeros(sizes, bits.dtype)], axis)
