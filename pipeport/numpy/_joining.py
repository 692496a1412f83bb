"""Arrays put together and taken apart: vstack, hstack, dstack, column_stack, append, and split five ways."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._cast import CASTINGS
from pipeport.arrays._making import tensors_in
from pipeport.contract import Array, ArrayList, Exact, Integer, Maybe, OneOf, Shaped
from pipeport.errors import OutsideDomain, WrongType, explain
from pipeport.kernels.inputs.arrays import at_least_rank, known_rank
from pipeport.kernels.inputs.axes import canonical
from pipeport.kernels.inputs.integers import whole_number, whole_numbers
from pipeport.numpy._common_dtype import casts_are_defined, listed
from pipeport.numpy._concatenate import concatenate
from pipeport.numpy._families import REALS, moved, numpy_native, tensor
from pipeport.numpy._shaping import at_least

_BITS = "bit for bit, NaN included."
_TUP = (
    "sequence of array_like, or an array\nAt least one, bool or any number; sizes may be unknown, ranks not."
)
_DTYPE = {
    "dtype": "dtype or None, default None\nOf the result; None takes the dtype NumPy promotes to.",
    "casting": "{'no', 'equiv', 'safe', 'same_kind', 'unsafe'}, default 'same_kind'\nAllowed casts.",
}
_DTYPE_DOMAIN = {
    "dtype": Maybe(spec=OneOf("float32", "float64", "int32", "uint8")),
    "casting": OneOf(*CASTINGS),
}
_RAISES = {
    "OutsideDomain": "There is no array, or ranks or sizes do not fit.",
    "UnsupportedArgument": "`casting` is no such rule, or a rank is not known while tracing.",
}


def _defined(arguments: Mapping[str, Any]) -> bool:
    return casts_are_defined({**arguments, "arrays": arguments["tup"]})


def _parts(tup: Any) -> list[Any]:
    return [tensor(one, "tup") for one in listed(tensors_in(tup), "tup", "stack")]


def _column(x: Any) -> Any:
    if known_rank(x, "tup") > 1:
        return x
    return tf.expand_dims(at_least(x, 1), 1)


def _joined(
    name: str, summary: str, join: Callable[..., Any], example: str, *, cast: bool
) -> Callable[..., Any]:
    if cast:

        def function(tup: Any, *, dtype: Any = None, casting: Any = "same_kind") -> Any:
            return join(_parts(tup), dtype=dtype, casting=casting)
    else:

        def function(tup: Any) -> Any:  # type: ignore[misc]
            return join(_parts(tup))

    function.__name__ = function.__qualname__ = name
    return numpy_native(
        f"numpy.{name}", summary,
        domain={"tup": ArrayList(counts=(1, 3), ranks=(0, 1, 2, 3)), **(_DTYPE_DOMAIN if cast else {})},
        parameters={"tup": _TUP, **(_DTYPE if cast else {})}, valid=_defined if cast else None,
        returns="tf.Tensor\nThe joined array.", agreement=Exact(), words=_BITS, raises=_RAISES,
        example=("[[1, 2], [3, 4]]", f"<tf.Tensor: {example}>"),
        graph="an op per array and one more; static sizes are kept.",
    )(function)  # fmt: skip


def _side_by_side(parts: list[Any], **options: Any) -> Any:
    parts = [at_least(one, 1) for one in parts]
    return concatenate(parts, 0 if parts[0].shape.rank == 1 else 1, **options)


vstack = _joined(
    "vstack", "Join arrays row by row; one of rank 1 is a row.",
    lambda parts, **options: concatenate([at_least(one, 2) for one in parts], 0, **options),
    "shape=(2, 2), dtype=int64, numpy=\narray([[1, 2],\n       [3, 4]])", cast=True,
)  # fmt: skip
hstack = _joined(
    "hstack", "Join arrays column by column; those of rank 1 end to end.", _side_by_side,
    "shape=(4,), dtype=int64, numpy=array([1, 2, 3, 4])", cast=True,
)  # fmt: skip
dstack = _joined(
    "dstack", "Join arrays along the third axis, which is added where it is missing.",
    lambda parts: concatenate([at_least(one, 3) for one in parts], 2),
    "shape=(1, 2, 2), dtype=int64, numpy=\narray([[[1, 3],\n        [2, 4]]])", cast=False,
)  # fmt: skip
column_stack = _joined(
    "column_stack", "Join arrays column by column; one of rank 1 is a column.",
    lambda parts: concatenate([_column(one) for one in parts], 1),
    "shape=(2, 2), dtype=int64, numpy=\narray([[1, 3],\n       [2, 4]])", cast=False,
)  # fmt: skip


@numpy_native(
    "numpy.append", "Return an array with values put behind it.",
    domain={"arr": Array(ranks=(2,)), "axis": Maybe(spec=Integer(-2, 1)),
            "values": Shaped(shape=("arr.0", "arr.1"), dtypes=REALS, non_finite=True)},
    parameters={"arr": "array_like, bool or any number\nThe array.",
                "values": "array_like, bool or any number\nThe values; with `axis` they fit on the others.",
                "axis": "int or None, default None\nThe axis that grows; None flattens both."},
    returns="tf.Tensor, of the dtype NumPy promotes to\nThe longer array.", agreement=Exact(), words=_BITS,
    raises={"BadAxis": "`arr` has no such axis.", "OutsideDomain": "Ranks or sizes do not fit."},
    example=("[1, 2], 3", "<tf.Tensor: shape=(3,), dtype=int64, numpy=array([1, 2, 3])>"),
)  # fmt: skip
def append(arr: Any, values: Any, axis: Any = None) -> Any:
    return concatenate([tensor(arr, "arr"), tensor(values, "values")], axis)


def _slices(x: Any, axis: int, ends: list[Any]) -> list[Any]:
    before = (slice(None),) * axis
    return [
        x[(*before, slice(start, stop))] for start, stop in zip([None, *ends], [*ends, None], strict=True)
    ]


def _ends(given: Any) -> list[Any]:
    """Return the places where to split, of which the graph alone may know some."""
    if tf.is_tensor(given) and tf.get_static_value(given) is None and given.shape[0] is not None:
        given = tf.unstack(given)
    parts = list(given) if isinstance(given, (list, tuple)) else []
    if not any(tf.is_tensor(one) and tf.get_static_value(one) is None for one in parts):
        return list(whole_numbers(given, "indices_or_sections"))
    if not all(one.dtype.is_integer and one.shape.rank == 0 for one in parts if tf.is_tensor(one)):
        given = ", ".join(one.dtype.name for one in parts if tf.is_tensor(one))
        raise WrongType(explain("indices_or_sections", given, "whole numbers", "Cast them with astype(int)."))
    places = (one if tf.is_tensor(one) else whole_number(one, "indices_or_sections") for one in parts)
    return [tf.cast(one, tf.int64) for one in places]


def _split_at(x: Any, indices_or_sections: Any, axis: Any, *, equal: bool) -> list[Any]:
    place = canonical(whole_number(axis, "axis"), known_rank(x, "ary"), "axis")
    given = tensors_in(indices_or_sections)
    if isinstance(given, (list, tuple)) or len(np.shape(given)):
        return _slices(x, place, _ends(given))
    number = whole_number(given, "indices_or_sections")
    size = x.shape[place]
    if number < 1 or (equal and size is not None and size % number):
        allowed = "a number of equal parts" if equal else "at least one part"
        advice = "Give the places where to split, or use array_split."
        raise OutsideDomain(explain("indices_or_sections", number, allowed, advice))
    if size is not None:
        longer, least = size % number, size // number
        return _slices(x, place, [part * least + min(part, longer) for part in range(1, number)])
    if equal:
        return list(tf.split(x, number, place))
    size = tf.shape(x)[place]
    sizes = size // number + tf.cast(tf.range(number) < size % number, tf.int32)
    return list(tf.split(x, sizes, place, number))


def _splits(
    function: Callable[..., Any],
    summary: str,
    *,
    equal: bool,
    ranks: tuple[int, ...],
    asked: str,
    example: tuple[str, str],
    axis: Mapping[str, Integer] = MappingProxyType({}),
) -> Callable[..., Any]:
    name = function.__name__
    sections = OneOf(1, 2, 3, (2,), (2, 4), (-2,), (), typical=(2, 4))
    return numpy_native(
        f"numpy.{name}", summary,
        domain={"ary": Array(ranks=ranks), "indices_or_sections": sections, **axis},
        parameters={"ary": f"array_like, bool or any number\n{asked} Sizes may be unknown, the rank not.",
                    "indices_or_sections": "int or sequence of int\nHow many parts, or where to split.",
                    **({"axis": "int, default 0\nThe axis along which."} if axis else {})},
        returns="list of tf.Tensor\nThe parts.", agreement=Exact(), words=_BITS, view_of="first",
        raises={**({"BadAxis": "`ary` has no such axis."} if axis else {}),
                "OutsideDomain": "There are no such parts." + (" They must be equal." if equal else "")
                + ("" if axis else " Or the rank is too low."),
                "UnsupportedArgument": "The rank, or a place, is not known while tracing.",
                "tf.errors.InvalidArgumentError": "There are no such parts of a size unknown while tracing."},
        example=example, graph="a slice per part, or one op; static sizes are kept.",
        outputs=("first", "second", "third"),
    )(function)  # fmt: skip


def _along(name: str, summary: str, *, equal: bool) -> Callable[..., Any]:
    def function(ary: Any, indices_or_sections: Any, axis: Any = 0) -> Any:
        return _split_at(moved(ary, "ary"), indices_or_sections, axis, equal=equal)

    function.__name__ = function.__qualname__ = name
    return _splits(
        function, summary, equal=equal, ranks=(2, 3), axis={"axis": Integer(-2, 1)}, asked="Of strings, too.",
        example=("[1, 2, 3, 4], 2", "[<tf.Tensor: shape=(2,), dtype=int64, numpy=array([1, 2])>, "
                 "<tf.Tensor: shape=(2,), dtype=int64, numpy=array([3, 4])>]"),
    )  # fmt: skip


def _towards(
    name: str, summary: str, axis: int, ranks: tuple[int, ...], example: tuple[str, str]
) -> Callable[..., Any]:
    least = ranks[0]

    def function(ary: Any, indices_or_sections: Any) -> Any:
        x = tensor(ary, "ary")
        rank = known_rank(x, "ary")
        at_least_rank(x, "ary", least)
        return _split_at(x, indices_or_sections, min(axis, rank - 1), equal=True)

    function.__name__ = function.__qualname__ = name
    asked = f"The array, of rank {least} or more."
    return _splits(function, summary, equal=True, ranks=ranks, asked=asked, example=example)


split = _along("split", "Split an array into equal parts, or at places along an axis.", equal=True)
array_split = _along(
    "array_split", "Split an array into nearly equal parts, or at places along an axis.", equal=False
)
vsplit = _towards(
    "vsplit", "Split an array into parts of equally many rows, or at rows.", 0, (2, 3),
    ("[[1, 2], [3, 4]], 2", "[<tf.Tensor: shape=(1, 2), dtype=int64, numpy=array([[1, 2]])>, "
     "<tf.Tensor: shape=(1, 2), dtype=int64, numpy=array([[3, 4]])>]"),
)  # fmt: skip
hsplit = _towards(
    "hsplit", "Split an array into parts of equally many columns, or at columns; one of rank 1 along itself.",
    1, (1, 2, 3),
    ("[1, 2, 3, 4], [1]", "[<tf.Tensor: shape=(1,), dtype=int64, numpy=array([1])>, "
     "<tf.Tensor: shape=(3,), dtype=int64, numpy=array([2, 3, 4])>]"),
)  # fmt: skip
dsplit = _towards(
    "dsplit", "Split an array into equal parts, or at places, along the third axis: an image's channels.",
    2, (3, 4),
    ("[[[1, 2]]], 2", "[<tf.Tensor: shape=(1, 1, 1), dtype=int64, numpy=array([[[1]]])>, "
     "<tf.Tensor: shape=(1, 1, 1), dtype=int64, numpy=array([[[2]]])>]"),
)  # fmt: skip
