"""Places and counts: searchsorted, digitize, bincount."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._along import flag, ordered
from pipeport.arrays._bytewise import bytewise
from pipeport.arrays._cast import cast
from pipeport.arrays._sort_keys import sort_keys
from pipeport.contract import (
    Array,
    AsReference,
    Boolean,
    CannotServe,
    Exact,
    Integer,
    Maybe,
    OneOf,
    Shaped,
)
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels import xla
from pipeport.kernels.inputs import _checks
from pipeport.kernels.inputs.integers import whole_number
from pipeport.numpy._families import REALS, numpy_native, tensor
from pipeport.numpy._products import together
from pipeport.numpy._reductions import BITS, CLOSE

# Numbers that all others are compared with one by one, not searched in; and others that make a program pay.
FEW, MANY = 32, 4096
_SORTED = OneOf(
    (0.0, 1.0, 2.5), (-50.0, 0.0, 0.0, 12.0, 60.0), (3.0,), (), (-1.0, 3.0, float("inf"), float("nan"))
)
_EDGES = OneOf((0.0, 1.0, 2.5), (60.0, 12.0, 0.0, 0.0, -50.0), (3.0,), (), (5.0, 5.0))
_WHERE = Array(dtypes=REALS, ranks=(0, 1, 2, 3), sides=(0, 4))


def _shown(values: str, shape: str = "(3,)") -> str:
    return f"<tf.Tensor: shape={shape}, dtype=int64, numpy=array({values})>"


def line(x: Any, parameter: str) -> Any:
    """Return a tensor, checked to have one axis."""
    if x.shape.rank not in (1, None):
        raise OutsideDomain(explain(parameter, f"rank {x.shape.rank}", "one axis", "Flatten it."))
    return tf.ensure_shape(x, [None]) if x.shape.rank is None else x


def places(a: Any, v: Any, side: str) -> Any:
    """Return where elements belong in a sorted array.

    `a`: rank 1. `side`: {'left', 'right'}. Returns: int64, shape of `v`.
    """
    known, values = (ordered(one, "a search") for one in (a, v))
    few = a.shape[0] is not None and a.shape[0] <= FEW
    many = v.shape.is_fully_defined() and v.shape.num_elements() >= MANY and v.dtype != tf.float16
    return xla.run(_compared, side, known=few and many, otherwise=_searched(side))(values, known)


def _searched(side: str) -> Callable[[Any, Any], Any]:
    def searched(v: Any, a: Any) -> Any:
        known, keys = (sort_keys(one, zeros_apart=False) for one in (a, v))
        return places_of_keys(known, keys, side)

    return searched


def _compared(side: str) -> Callable[[Any, Any], Any]:
    def compared(v: Any, a: Any) -> Any:
        known, keys = (sort_keys(one, zeros_apart=False) for one in (a, v))
        found = tf.zeros_like(v, tf.int32)
        for one in tf.unstack(known):
            found += tf.cast(keys > one if side == "left" else keys >= one, tf.int32)
        return tf.cast(found, tf.int64)

    return compared


def places_of_keys(known: Any, keys: Any, side: str) -> Any:
    """Return where integers belong among sorted ones.

    `known`: int32 or int64, rank 1. `keys`: the others, of any shape. `side`: {'left', 'right'}. Returns:
    int64, shape of `keys`.
    """
    # Not tf.searchsorted: of nothing it reshapes to a number of rows that is not one.
    search = tf.raw_ops.LowerBound if side == "left" else tf.raw_ops.UpperBound
    flat = tf.reshape(keys, [1, tf.size(keys)])
    found = search(sorted_inputs=known[tf.newaxis], values=flat, out_type=tf.int64)
    return tf.ensure_shape(tf.reshape(found, tf.shape(keys)), keys.shape)


@numpy_native(
    "numpy.searchsorted", "Return where elements belong in a sorted array.",
    domain={"a": _SORTED, "v": _WHERE, "side": OneOf("left", "right")},
    parameters={"a": "array_like, bool or any real number\nOf one axis, ascending, NaN last.",
                "v": "array_like, bool or any real number\nThe elements, of any shape.",
                "side": "{'left', 'right'}, default 'left'\nBefore or behind equal ones."},
    returns="tf.Tensor of int64, shape of `v`\nThe places; of an array that is not sorted any.",
    agreement=Exact(), words=BITS, example=("[1.0, 2.0, 3.0], [0.0, 2.0, 9.0]", _shown("[0, 1, 3]")),
    raises={"OutsideDomain": "`a` does not have one axis, or elements are complex."},
    reasons={"sorter": "sort the array before"}, graph="a binary search; static shape is kept.",
)  # fmt: skip
def searchsorted(a: Any, v: Any, side: Any = "left", sorter: Any = None) -> Any:
    if sorter is not None:
        advice = "Sort the array before: `a[sorter]`."
        raise UnsupportedArgument(explain("sorter", "an array", "None", advice))
    _checks.word(side, ("left", "right"), "side")
    known = line(tensor(a, "a"), "a")
    return bytewise(lambda values: places(*together(known, values), side), tensor(v, "v"))


@numpy_native(
    "numpy.digitize", "Return in which bin each element lies.",
    domain={"x": _WHERE, "bins": _EDGES, "right": Boolean()},
    parameters={"x": "array_like, bool or any real number\nThe elements, of any shape.",
                "bins": "array_like, bool or any real number\nThe edges, ascending or descending.",
                "right": "bool, default False\nWhether the right edge belongs to a bin, not the left one."},
    returns="tf.Tensor of int64, shape of `x`\nThe bins; 0 before the first edge.", agreement=Exact(),
    words=BITS, example=("[0.5, 1.5, 9.0], [1.0, 2.0]", _shown("[0, 1, 2]")),
    raises={"OutsideDomain": "`bins` does not have one axis, goes up and down, or elements are complex.",
            "tf.errors.InvalidArgumentError": "`bins`, unknown while tracing, goes up and down."},
    graph="a binary search; static shape is kept.",
)  # fmt: skip
def digitize(x: Any, bins: Any, right: Any = False) -> Any:
    edges, side = line(tensor(bins, "bins"), "bins"), "left" if flag(right, "right") else "right"
    return bytewise(lambda values: _binned(*together(values, edges), side), tensor(x, "x"))


def _binned(values: Any, edges: Any, side: str) -> Any:
    known = tf.get_static_value(ordered(edges, "a search"))
    # What a graph knows is decided while it is traced.
    with contextlib.nullcontext() if known is None else tf.init_scope():
        keys = sort_keys(
            ordered(edges if known is None else tf.constant(known), "a search"), zeros_apart=False
        )
        up, down = (tf.reduce_all(test(keys[1:], keys[:-1])) for test in (tf.greater_equal, tf.less_equal))
    text = explain(
        "bins", "edges that go up and down", "edges in ascending or descending order", "Sort them."
    )
    falls = tf.get_static_value(tf.logical_not(up))
    if falls is None:
        with tf.control_dependencies([tf.debugging.assert_equal(tf.logical_or(up, down), True, text)]):
            edges = tf.where(up, edges, tf.reverse(edges, [0]))
        found = places(edges, values, side)
        return tf.where(up, found, tf.size(edges, tf.int64) - found)
    if not falls:
        return places(edges, values, side)
    if not tf.get_static_value(down):
        raise OutsideDomain(text)
    return tf.size(edges, tf.int64) - places(tf.reverse(edges, [0]), values, side)


def _counts(x: Any) -> Any:
    """Return the numbers that are counted, checked."""
    if x.dtype.is_floating or x.dtype.is_complex:
        advice = "Cast it with `astype(int)`."
        raise WrongType(explain("x", x.dtype.name, "bool or integers", advice))
    numbers = cast(line(x, "x"), np.dtype("int64"))
    text = explain("x", "a negative number", "0 or more", "Leave it out, or clip it.")
    known = tf.get_static_value(numbers)
    if known is not None:
        if (known < 0).any():
            raise OutsideDomain(text)
        return numbers
    with tf.control_dependencies([tf.debugging.assert_non_negative(numbers, text)]):
        return tf.identity(numbers)


@numpy_native(
    "numpy.bincount", "Count how often each whole number comes.",
    domain={"x": Shaped(
            shape=((1, 6),), dtypes=("bool", "uint8", "int32", "int64"), values=(0, 40), per_image=True
        ),
            "weights": Maybe(spec=Shaped(shape=("x.0",), dtypes=("uint8", "float32", "float64"))),
            "minlength": Integer(0, 1)},
    parameters={"x": "array_like, bool or integers\nOf one axis, none negative.",
                "weights": "array_like or None, default None\nWhat each counts; None counts 1.",
                "minlength": "int, default 0\nHow long the result is at least."},
    returns=("tf.Tensor of int64, with weights float64\nThe counts of 0, 1 and so on, to the largest; of no "
             "number int64, where tracing knows that there is none."),
    agreement=AsReference(), words=CLOSE, stated="(x, /, weights=None, minlength=0)", nameless=("x",),
    example=("[0, 2, 2]", _shown("[1, 0, 2]")),
    reference_call="pipeport.numpy._sized.first_by_position",
    raises={"OutsideDomain": "A number is negative, `x` does not have one axis, or sizes differ.",
            "tf.errors.InvalidArgumentError": "The same of what is unknown while tracing."},
    graph="a sum by segments; the size is only known when it runs.",
    cannot_serve=(
        CannotServe("batched", "the elements of a batch have results of different sizes",
                    lambda: {"x": np.array([[0, 1], [2, 5]])}, by_values=True),
    ),
)  # fmt: skip
def bincount(x: Any, weights: Any = None, minlength: Any = 0) -> Any:
    numbers, least = _counts(tensor(x, "x")), whole_number(minlength, "minlength")
    if least < 0:
        raise OutsideDomain(explain("minlength", least, "0 or more", "Leave it out."))
    known = np.zeros(0) if numbers.shape[0] == 0 else tf.get_static_value(numbers)
    if known is None:
        number = tf.reduce_max(tf.concat([numbers + 1, [least]], 0))
    else:
        number = max(least, int(known.max()) + 1 if known.size else 0)
    found = segments(numbers, weights, number, "x")
    return tf.cast(found, tf.int64) if numbers.shape[0] == 0 else found  # NumPy's dtype of nothing


def segments(where: Any, weights: Any, number: Any, beside: str) -> Any:
    """Add weights up by place.

    `where`: int64, rank 1; the places; what is negative counts nowhere. `weights`: as many numbers; None
    counts 1 for each. `beside`: the parameter that has as many elements. Returns: int64, or float64 with
    weights.
    """
    if weights is None:
        return tf.math.unsorted_segment_sum(tf.ones_like(where), where, number)
    given = tensor(weights, "weights")
    if given.dtype.is_complex:
        advice = "Count real and imaginary parts."
        raise WrongType(explain("weights", given.dtype.name, "real numbers", advice))
    given = cast(tf.reshape(given, [-1]), np.dtype("float64"))
    text = explain(
        "weights", "another number of elements", f"one per element of `{beside}`", "Broadcast them."
    )
    if not where.shape.is_compatible_with(given.shape):
        raise OutsideDomain(text)
    if not (where.shape.is_fully_defined() and given.shape.is_fully_defined()):
        with tf.control_dependencies([tf.debugging.assert_equal(tf.size(where), tf.size(given), text)]):
            given = tf.identity(given)
    return tf.math.unsorted_segment_sum(given, where, number)
