"""multi_dot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pipeport._lazy import tf
from pipeport.arrays import _products
from pipeport.contract import ArrayList, AsReference
from pipeport.errors import OutsideDomain, UnsupportedArgument, explain
from pipeport.kernels.inputs.arrays import known_rank
from pipeport.numpy._families import numpy_native, refuse, tensor
from pipeport.numpy._products import together
from pipeport.numpy._reductions import CLOSE

_Tree = int | tuple["_Tree", "_Tree"]


@numpy_native(
    "numpy.linalg.multi_dot", "Multiply matrices, in the order that takes the fewest products.",
    domain={"arrays": ArrayList(counts=(2, 4), ranks=(2,), sides=(3, 3), values=(-1.0, 1.0), non_finite=False,
                                dtypes=("float32", "float64", "int32"))},
    parameters={"arrays": "list of array_like\nThe matrices; the first and the last one may be vectors."},
    returns="tf.Tensor, of the dtype NumPy promotes to\nThe product; integers wrap around.",
    agreement=AsReference(), words=CLOSE,
    raises={"OutsideDomain": "There are less than two, some is not a matrix, or sizes do not fit.",
            "UnsupportedArgument": "`out` is given, or sizes are unknown and dtypes differ.",
            "tf.errors.InvalidArgumentError": "Sizes unknown while tracing turn out not to fit."},
    example=("[[[1.0, 2.0]], [[3.0], [4.0]]]",
             "<tf.Tensor: shape=(1, 1), dtype=float64, numpy=array([[11.]])>"),
    graph=("a product less than there are matrices, from the left where sizes are unknown; static shape is "
           "kept."),
)  # fmt: skip
def multi_dot(arrays: Any, *, out: Any = None) -> Any:
    refuse(out=(out, None))
    found = [tensor(one, "arrays") for one in arrays]
    if len(found) < 2:
        raise OutsideDomain(explain("arrays", len(found), "two matrices at least", "Give one more."))
    if len(found) == 2:
        return _products.dot(*together(*found))
    ranks = [known_rank(one, "arrays") for one in found]
    if {*ranks[1:-1]} != {2} or not {ranks[0], ranks[-1]} <= {1, 2}:
        advice = "Only the first and the last one may be vectors."
        raise OutsideDomain(explain("arrays", f"ranks {ranks}", "matrices", advice))
    if ranks[0] == 1:
        found[0] = found[0][tf.newaxis]
    if ranks[-1] == 1:
        found[-1] = found[-1][:, tf.newaxis]
    sizes = [one.shape[0] for one in found] + [found[-1].shape[1]]
    if None in sizes and len({one.dtype for one in found}) > 1:
        given, advice = "several dtypes and unknown sizes", "Cast them to one dtype with `astype`."
        raise UnsupportedArgument(explain("arrays", given, "one dtype where sizes are unknown", advice))
    product = _multiplied(found, _left(len(found)) if None in sizes else _cheapest(sizes))
    vectors = [axis for axis, rank in ((0, ranks[0]), (1, ranks[-1])) if rank == 1]
    return tf.squeeze(product, vectors) if vectors else product


def _left(number: int) -> _Tree:
    """Return the order from the left."""
    order: _Tree = 0
    for at in range(1, number):
        order = (order, at)
    return order


def _cheapest(sizes: Sequence[int]) -> _Tree:
    """Return the order that takes the fewest products, among equals that of the reference.

    `sizes`: the rows of each matrix, and the columns of the last. Returns: the number of a matrix, or what is
    multiplied with what.
    """
    number = len(sizes) - 1
    if number == 3:
        rows, first, second, columns = sizes
        from_left, from_right = rows * second * (first + columns), first * columns * (second + rows)
        return ((0, 1), 2) if from_left < from_right else (0, (1, 2))
    costs: dict[tuple[int, int], int] = {(at, at): 0 for at in range(number)}
    orders: dict[tuple[int, int], _Tree] = {(at, at): at for at in range(number)}
    for length in range(1, number):
        for start in range(number - length):
            end = start + length
            cost = {
                cut: costs[start, cut] + costs[cut + 1, end] + sizes[start] * sizes[cut + 1] * sizes[end + 1]
                for cut in range(start, end)
            }
            best = min(cost, key=cost.__getitem__)
            costs[start, end] = cost[best]
            orders[start, end] = (orders[start, best], orders[best + 1, end])
    return orders[0, number - 1]


def _multiplied(arrays: Sequence[Any], order: _Tree) -> Any:
    if isinstance(order, int):
        return arrays[order]
    left, right = (_multiplied(arrays, one) for one in order)
    return _products.dot(*together(left, right))
