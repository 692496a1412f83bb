"""histogram."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._along import flag, ordered
from pipeport.arrays._cast import cast
from pipeport.arrays._making import tensors_in
from pipeport.arrays._promotion import joined
from pipeport.contract import Array, AsReference, Maybe, OneOf, Shaped
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs.dtypes import NUMPY_2
from pipeport.kernels.inputs.integers import static, whole_number
from pipeport.kernels.xla._divide import divided
from pipeport.kernels.xla._rounding import plus
from pipeport.numpy._counting import line, places, segments
from pipeport.numpy._families import numpy_native, tensor
from pipeport.numpy._reductions import CLOSE

_FLOAT64 = np.dtype("float64")


def _np(x: Any) -> np.dtype[Any]:
    found: np.dtype[Any] = np.dtype(x.dtype.as_numpy_dtype)
    return found


def _numbers(a: Any) -> Any:
    """Return the array flat; of booleans as bytes, as NumPy takes them."""
    x = tf.reshape(ordered(tensor(a, "a"), "a histogram"), [-1])
    if x.dtype == tf.float16:
        advice = "Cast it to float32: the edges of float16 depend on every rounding."
        raise UnsupportedArgument(explain("a", "float16", "bool, integers, float32 and float64", advice))
    return tf.cast(x, tf.uint8) if x.dtype.is_bool else x


def _checked(edges: Any, strictly: bool, parameter: str, allowed: str, advice: str) -> Any:
    """Return edges, checked to ascend: while tracing, else in the graph."""
    rising = tf.greater if strictly else tf.greater_equal
    ascend = tf.reduce_all(rising(edges[1:], edges[:-1]))
    text = explain(parameter, "edges that do not ascend", allowed, advice)
    known = tf.get_static_value(ascend)
    if known is None:
        with tf.control_dependencies([tf.debugging.assert_equal(ascend, True, text)]):
            return tf.identity(edges)
    if not known:
        raise OutsideDomain(text)
    return edges


def _stated(range_: Any) -> tuple[float, float]:
    ends = static(tensors_in(range_), "range")
    if not isinstance(ends, (list, tuple, np.ndarray)) or np.shape(ends) != (2,):
        raise OutsideDomain(
            explain("range", repr(range_), "two numbers", "Give the first and the last edge.")
        )
    low, high = float(ends[0]), float(ends[1])
    if not (np.isfinite(low) and np.isfinite(high) and low <= high):
        raise OutsideDomain(
            explain("range", range_, "two finite numbers in ascending order", "Turn them round.")
        )
    return (low - 0.5, high + 0.5) if low == high else (low, high)


def _equal_edges(x: Any, number: int, range_: Any) -> Any:
    """Return the edges of bins of one width, computed as `numpy.linspace` does."""
    wanted = _np(x) if x.dtype.is_floating else _FLOAT64
    advice = "Take fewer bins, or state a range."
    allowed = f"a range of {number} bins of finite width"
    if range_ is not None or x.shape[0] == 0:
        low, high = (0.0, 1.0) if range_ is None else _stated(range_)
        return _checked(tf.constant(np.linspace(low, high, number + 1, dtype=wanted)), True, "range", allowed,
                        advice)  # fmt: skip
    half, one = tf.constant(0.5, wanted), tf.constant(1, wanted)
    values = cast(x, wanted)
    text = explain("a", "a number that is not finite", "finite numbers", "State a range.")
    with tf.control_dependencies(
        [tf.debugging.assert_equal(tf.reduce_all(tf.math.is_finite(values)), True, text)]
    ):
        low, high = tf.reduce_min(values), tf.reduce_max(values)
    empty = tf.equal(tf.size(x), 0)
    low, high = tf.where(empty, one - one, low), tf.where(empty, one, high)
    flat = tf.equal(low, high)
    low, high = tf.where(flat, low - half, low), tf.where(flat, high + half, high)
    step = cast(divided(high - low, number), wanted)
    each = tf.constant(np.arange(number + 1), wanted)
    edges = tf.concat([plus(each * step, low)[:-1], [high]], 0)
    return _checked(edges, True, "a", allowed, advice)


def _settled(arguments: Mapping[str, Any]) -> bool:
    """Leave out what NumPy 1 computes in another dtype."""
    return NUMPY_2 or np.asarray(arguments["a"]).dtype != np.float32


@numpy_native(
    "numpy.histogram", "Count the elements that lie in each bin.",
    domain={"a": Array(dtypes=("uint8", "int32", "float32", "float64"), ranks=(2,), sides=(0, 5),
                       non_finite=False),
            "bins": OneOf(1, 3, 10, (0.0, 1.0, 50.5), (-90, 0, 0, 90), (1.0,), typical=10),
            "range": OneOf(None, (0, 50), (-1.5, 80.0), (3.0, 3.0)), "density": OneOf(None, True, False),
            "weights": Maybe(spec=Shaped(shape=("a.0", "a.1"), dtypes=("uint8", "float32", "float64"),
                                         values=(0.5, 2.0)))},
    parameters={
        "a": "array_like, bool, integers, float32 or float64\nThe elements, of any shape; NaN is in no bin.",
        "bins": "int or array_like, default 10\nHow many bins of one width; or their edges, ascending.",
        "range": "None or two numbers, default None\nThe first and the last edge of bins of one width; None "
                 "takes the smallest and the largest element.",
        "density": "bool or None, default None\nWhether the area of the bins is 1, as float64.",
        "weights": "array_like or None, default None\nWhat each element counts, of the shape of `a`.",
    },
    returns="(tf.Tensor, tf.Tensor)\nThe counts, int64 or of the dtype of the weights; and the edges.",
    agreement=AsReference(), words=CLOSE, valid=_settled, outputs=("hist", "bin_edges"),
    example=("[1.0, 2.0, 1.0], [0.0, 1.5, 3.0]",
             "(<tf.Tensor: shape=(2,), dtype=int64, numpy=array([2, 1])>, "
             "<tf.Tensor: shape=(3,), dtype=float64, numpy=array([0. , 1.5, 3. ])>)"),
    raises={"OutsideDomain": "There is no bin, edges do not ascend, or elements are complex.",
            "tf.errors.InvalidArgumentError": "Elements that decide the edges are not finite."},
    graph="a search and a sum by segments; static shape is known.",
)  # fmt: skip
def histogram(
    a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> Any:  # fmt: skip
    x = _numbers(a)
    given = tensors_in(bins)
    if isinstance(given, str):
        raise UnsupportedArgument(
            explain("bins", repr(bins), "a number or edges", "Compute the number first.")
        )
    if isinstance(given, (list, tuple)) or len(np.shape(given)):
        edges = line(tensor(given, "bins"), "bins")
        if edges.shape[0] == 0:
            raise OutsideDomain(explain("bins", "no edge", "at least one", "Give two edges for one bin."))
        edges = _checked(edges, False, "bins", "edges in ascending order", "Sort them.")
    else:
        number = whole_number(given, "bins")
        if number < 1:
            raise OutsideDomain(explain("bins", number, "1 or more", "Count in one bin at least."))
        edges = _equal_edges(x, number, range)
    common = joined(_np(x), _np(edges))
    last = tf.size(edges, tf.int64) - 2
    values, ends = cast(x, common), cast(edges, common)
    where = places(ends, values, "right") - 1
    where = tf.where(tf.equal(values, ends[-1]), last, where)
    where = tf.where(where > last, tf.constant(-1, tf.int64), where)
    # One place more, cut off again: XLA adds nothing up in none.
    known = edges.shape[0]
    count = segments(where, weights, tf.cast(last + 2, tf.int32) if known is None else known, "a")[:-1]
    if weights is not None:
        count = cast(count, _np(tensor(weights, "weights")))
    if density is not None and flag(density, "density"):
        wide = cast(count, _FLOAT64)
        count = wide / cast(edges[1:] - edges[:-1], _FLOAT64) / tf.reduce_sum(wide)
    return count, edges
