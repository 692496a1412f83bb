"""unpackbits, packbits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._making import tensors_in
from pipeport.contract import Array, Exact, Maybe, OneOf
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.arrays import known_rank, sizes_of
from pipeport.kernels.inputs.axes import canonical
from pipeport.kernels.inputs.integers import whole_number
from pipeport.numpy._families import numpy_native, tensor
from pipeport.numpy._reductions import BITS, RAISES

_BYTE = 8
# Eight bytes of 0 or 1, taken as one number and multiplied by one of these, have their bits in the highest
# byte: no two of the shifted bits meet.
_GATHER = {
    "big": sum(1 << 63 - 9 * place for place in range(_BYTE)),
    "little": sum(1 << 56 - 7 * place for place in range(_BYTE)),
}
_DROPPED = ("no more than there are bits", "Drop less.")
_AXIS = "int or None, default None\nAlong which axis; None along the flattened array."
_ORDER = "{'big', 'little'}, default 'big'\nWhether the first bit of a byte counts 128, or 1."


def _line(x: Any, axis: Any) -> tuple[Any, int]:
    """Return an array of at least one axis, and the axis its bytes lie along."""
    if axis is None:
        return tf.reshape(x, [-1]), 0
    x = x if known_rank(x) else tf.reshape(x, [1])
    return x, canonical(whole_number(axis, "axis"), x.shape.rank, "axis")


def _order(bitorder: Any) -> Any:
    return _checks.word(bitorder, _GATHER, "bitorder")


def _table(order: Any) -> Any:
    """Return for each byte a number of eight bytes, which are its bits."""
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, np.newaxis], axis=1, bitorder=order)
    return tf.constant(bits.view(np.int64)[:, 0])


def _defined(arguments: Mapping[str, Any]) -> bool:
    """Whether NumPy's result is: zeros that it should put behind no bits are whatever lies in memory."""
    return np.size(arguments["a"]) > 0 or arguments.get("count") in (None, 0)


@numpy_native(
    "numpy.unpackbits", "Take bytes apart into their bits.",
    domain={"a": Array(dtypes=("uint8",), ranks=(1, 2, 3)), "axis": Maybe(spec=OneOf(-1, 0), typical=-1),
            "count": OneOf(None, 0, 5, 20, -3, typical=None), "bitorder": OneOf("big", "little")},
    valid=_defined,
    parameters={"a": "array_like of uint8\nThe bytes; sizes may be unknown, the rank not.", "axis": _AXIS,
                "count": "int, tensor or None, default None\nHow many bits are kept: zeros follow where "
                         "there are less; a negative number drops as many from the end.",
                "bitorder": _ORDER},
    returns="tf.Tensor of uint8\nThe bits, 0 and 1.", agreement=Exact(), words=BITS,
    raises={**RAISES, "OutsideDomain": "More bits are dropped than there are, or `bitorder` is another.",
            "tf.errors.InvalidArgumentError": "More bits are dropped than there turn out to be."},
    example=("__import__('numpy').uint8([160]), count=3",
             "<tf.Tensor: shape=(3,), dtype=uint8, numpy=array([1, 0, 1], dtype=uint8)>"),
    graph="a table of the bits of each byte; static shape is kept.", slower="many bytes are",
    stated="(a, /, axis=None, count=None, bitorder='big')", nameless=("a",),
    reference_call="pipeport.numpy._sized.first_by_position",
)  # fmt: skip
def unpackbits(a: Any, axis: Any = None, count: Any = None, bitorder: Any = "big") -> Any:
    table = _table(_order(bitorder))
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
    count, size = tensors_in(count), bits.shape[axis]
    before = [slice(None)] * axis
    if tf.is_tensor(count) and tf.get_static_value(count) is None:
        return _counted_by_graph(bits, axis, count)
    number = whole_number(count, "count")
    if number < 0:
        message = explain("count", number, *_DROPPED)
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


def _counted_by_graph(bits: Any, axis: int, count: Any) -> Any:
    """Return bits along an axis, of a number known only at run time."""
    if not count.dtype.is_integer or count.shape.rank:
        given, advice = f"dtype {count.dtype.name}, shape {count.shape}", "Cast it with `astype`."
        raise WrongType(explain("count", given, "a whole number", advice))
    size = tf.shape(bits, tf.int64)[axis]
    count = tf.cast(count, tf.int64)
    number = tf.where(count < 0, size + count, count)
    message = explain("count", "a drawn number", *_DROPPED)
    with tf.control_dependencies([tf.debugging.Assert(number >= 0, [message])]):
        kept = bits[(*[slice(None)] * axis, slice(None, tf.identity(number)))]
    found = _followed(kept, axis, tf.cast(tf.maximum(number - size, 0), tf.int32))
    return tf.ensure_shape(found, [None if place == axis else one for place, one in enumerate(bits.shape)])


def _followed(bits: Any, axis: int, number: Any) -> Any:
    """Return bits with so many zeros behind them along an axis."""
    sizes = [number if place == axis else size for place, size in enumerate(sizes_of(bits))]
    return tf.concat([bits, tf.zeros(sizes, bits.dtype)], axis)


@numpy_native(
    "numpy.packbits", "Put bits together into bytes.",
    domain={"a": Array(dtypes=("bool", "uint8", "int8", "int32", "int64"), ranks=(0, 1, 2, 3), sides=(0, 18)),
            "axis": Maybe(spec=OneOf(-1, 0), typical=-1), "bitorder": OneOf("big", "little")},
    parameters={"a": "array_like, bool or whole numbers\nThe bits: 1 is whatever is not 0. Sizes may be "
                     "unknown, the rank not.", "axis": _AXIS, "bitorder": _ORDER},
    returns="tf.Tensor of uint8\nThe bytes, the last filled up with zeros.", agreement=Exact(), words=BITS,
    raises={**RAISES, "OutsideDomain": "`bitorder` is another."},
    example=("[1, 0, 1]", "<tf.Tensor: shape=(1,), dtype=uint8, numpy=array([160], dtype=uint8)>"),
    graph="eight bits at a time as one whole number; between transposes, slower than NumPy, where the axis "
          "is not the last; static shape is kept.",
    stated="(a, /, axis=None, bitorder='big')", nameless=("a",),
    reference_call="pipeport.numpy._sized.first_by_position",
)  # fmt: skip
def packbits(a: Any, axis: Any = None, bitorder: Any = "big") -> Any:
    order = _order(bitorder)
    x = tensor(a, "a")
    if not (x.dtype.is_bool or x.dtype.is_integer):
        raise WrongType(explain("a", f"dtype {x.dtype.name}", "bool or whole numbers", "Compare it with 0."))
    x, along = _line(x, axis)
    rank = x.shape.rank
    x = tf.cast(tf.cast(x, tf.bool), tf.uint8)
    size = sizes_of(x)[along]
    x = _followed(x, along, -size % _BYTE)
    sizes = sizes_of(x)
    count = (size + _BYTE - 1) // _BYTE
    x = tf.reshape(x, [*sizes[:along], count, _BYTE, *sizes[along + 1 :]])
    if along < rank - 1:
        x = tf.transpose(x, [*range(along + 1), *range(along + 2, rank + 1), along + 1])
    words = tf.bitcast(x, tf.uint64) * tf.constant(_GATHER[order], tf.uint64)
    return tf.cast(tf.bitwise.right_shift(words, tf.constant(56, tf.uint64)), tf.uint8)
