"""The same elements in other shapes: reshape, ravel, resize, broadcast_to, atleast_1d and its like."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays import _access, _shapes
from pipeport.arrays._making import tensors_in
from pipeport.contract import Array, ArrayList, Exact, OneOf
from pipeport.errors import OutsideDomain, explain
from pipeport.kernels.inputs.arrays import known_rank
from pipeport.kernels.inputs.integers import whole_numbers
from pipeport.numpy._families import numpy_native, refuse, tensor
from pipeport.numpy._sized import by_position, one_by_one

_COPIES = 16  # more of an array are gathered element by element
_BITS = "bit for bit, NaN included."
_FIT = "The shape has no room for the elements."
_A = "array_like, bool or any number\nThe array; sizes may be unknown."
_SHAPE = "int or sequence of int\nThe sizes; tensors and drawn numbers among them too"


def shape_of(shape: Any) -> Any:
    """Return a shape argument without arrays."""
    return tensors_in(_access.sizes(shape))


def _has_room(arguments: Mapping[str, Any]) -> bool:
    try:
        np.reshape(arguments["a"], arguments["shape"])
    except ValueError:
        return False
    return True


def _broadcasts(arguments: Mapping[str, Any]) -> bool:
    try:
        return bool(np.broadcast_shapes(arguments["array"].shape, arguments["shape"]) == arguments["shape"])
    except ValueError:
        return False


@numpy_native(
    "numpy.reshape", "Give an array another shape.", view_of="first",
    domain={"a": Array(),
            "shape": OneOf(-1, (-1,), (1, -1), (-1, 1), (2, -1), (-1, 3, 1), (0, 3), typical=(-1, 3)),
            "order": OneOf("C", "F", "A")},
    valid=_has_room,
    parameters={"a": _A, "shape": _SHAPE + "; one may be -1 and is what remains.",
                "order": "{'C', 'F', 'A'}, default 'C'\nIn which order elements are taken and put: along "
                         "the last axis first, or with 'F' along the first; 'A' is 'C' for tensors."},
    returns="tf.Tensor of that shape\nThe same elements.", agreement=Exact(), words=_BITS, nameless=("a",),
    example=("[1, 2, 3, 4], (2, -1)",
             "<tf.Tensor: shape=(2, 2), dtype=int64, numpy=\narray([[1, 2],\n       [3, 4]])>"),
    raises={"OutsideDomain": _FIT,
            "tf.errors.InvalidArgumentError": "The same of sizes unknown while tracing."},
    graph="one op, with the order 'F' three; what is known of the sizes is the static shape.",
    stated="(a, /, shape, order='C', *, copy=None)",
)  # fmt: skip
def reshape(a: Any, shape: Any, order: Any = "C", *, copy: Any = None) -> Any:
    refuse(copy=(copy, None))
    return _shapes.reshape(tensor(a, "a"), shape_of(shape), order)


@numpy_native(
    "numpy.ravel", "Return the elements along one axis.", view_of="first",
    domain={"a": Array(), "order": OneOf("C", "F", "A", "K")},
    parameters={"a": _A, "order": "{'C', 'F', 'A', 'K'}, default 'C'\nIn which order: along the last axis "
                                  "first, or with 'F' along the first; 'A' and 'K' are 'C' for tensors."},
    returns="tf.Tensor, rank 1\nThe same elements.", agreement=Exact(), words=_BITS,
    example=("[[1, 2], [3, 4]]", "<tf.Tensor: shape=(4,), dtype=int64, numpy=array([1, 2, 3, 4])>"),
)  # fmt: skip
def ravel(a: Any, order: Any = "C") -> Any:
    return tf.identity(_shapes.ravel(tensor(a, "a"), order))


@numpy_native(
    "numpy.broadcast_to", "Repeat an array along axes of size one, and along new axes in front.",
    view_of="first",
    domain={"array": Array(ranks=(0, 1, 2), sides=(0, 3)),
            "shape": OneOf((), (1,), (3,), (2, 3), (2, 1), (3, 2), (2, 2, 3), (3, 0), typical=(2, 32, 48))},
    valid=_broadcasts, parameters={"array": _A, "shape": _SHAPE + "."},
    returns="tf.Tensor of that shape\nThe elements.", agreement=Exact(), words=_BITS,
    example=("[1, 2], (2, 2)",
             "<tf.Tensor: shape=(2, 2), dtype=int64, numpy=\narray([[1, 2],\n       [1, 2]])>"),
    raises={"OutsideDomain": "The array does not broadcast to it.",
            "tf.errors.InvalidArgumentError": "The same of sizes unknown while tracing."},
    graph="one op; what is known of the sizes is the static shape.",
)  # fmt: skip
def broadcast_to(array: Any, shape: Any, subok: Any = False) -> Any:
    refuse(subok=(subok, False))
    x, sizes = tensor(array, "array"), shape_of(shape)
    return _shapes.broadcast_to(_spreads(x, sizes), sizes)


def _spreads(x: Any, sizes: Any) -> Any:
    """Check in the graph what is not known while tracing: each size is the array's, or that is 1."""
    if tf.is_tensor(sizes) and sizes.shape.rank == 1 and sizes.shape[0] is not None:
        sizes = tf.unstack(sizes)
    if x.shape.rank is None or not isinstance(sizes, (list, tuple)) or x.shape.rank > len(sizes):
        return x
    given = "sizes to which the array does not spread"
    text = explain("shape", given, "sizes of the array, or any in the place of 1", "Reshape it first.")
    own = tf.unstack(tf.shape(x))
    checks = [
        tf.debugging.Assert((mine == 1) | (mine == tf.cast(size, mine.dtype)), [text])
        for mine, size in zip(own[::-1], list(sizes)[::-1], strict=False)
        if tf.is_tensor(size)
    ]
    with tf.control_dependencies([check for check in checks if check is not None]):
        return tf.identity(x)


def at_least(x: Any, rank: int) -> Any:
    """Add axes of size one until there are so many: NumPy's `atleast_1d`, `atleast_2d` and `atleast_3d`.

    `rank`: {1, 2, 3}.
    """
    places = {1: [[0]], 2: [[0, 0], [0]], 3: [[0, 0, 0], [0, 2], [2]]}[rank]
    own = known_rank(x, "arys")
    for place in places[own] if own < len(places) else []:
        x = tf.expand_dims(x, place)
    return x


def _at_least(rank: int, example: tuple[str, str]) -> Callable[..., Any]:
    name = f"atleast_{rank}d"

    def function(arys: Any) -> Any:
        found = tuple(at_least(tensor(one, "arys"), rank) for one in arys)
        return found[0] if len(found) == 1 else found

    function.__name__ = function.__qualname__ = name
    return numpy_native(
        f"numpy.{name}", f"Add axes of size one until an array has {rank}.",
        domain={"arys": ArrayList(counts=(1, 2), ranks=(0, 1, 2, 3, 4))},
        parameters={"arys": "array_like, bool or any number\nThe arrays; sizes may be unknown."},
        returns="tf.Tensor, or a tuple of them where several are given\nThe same elements.", view_of="each",
        agreement=Exact(), words=_BITS, example=example,
        raises={"UnsupportedArgument": "The rank is not known while tracing."},
        reference_call="pipeport.numpy._sized.listed_by_position",
        cannot_serve=(one_by_one("arys"),), outputs=("first", "second"),
    )(by_position("arys")(function))  # fmt: skip


atleast_1d = _at_least(1, ("5", "<tf.Tensor: shape=(1,), dtype=int64, numpy=array([5])>"))
atleast_2d = _at_least(2, ("[5, 6]", "<tf.Tensor: shape=(1, 2), dtype=int64, numpy=array([[5, 6]])>"))
atleast_3d = _at_least(
    3, ("[5, 6]", "<tf.Tensor: shape=(1, 2, 1), dtype=int64, numpy=\narray([[[5],\n        [6]]])>")
)


@numpy_native(
    "numpy.resize", "Give an array another shape: its elements come again, or are left out.",
    domain={"a": Array(ranks=(1, 2, 3), sides=(0, 5)),
            "new_shape": OneOf(3, (7,), (2, 5), (4, 1, 3), (0, 2), (), typical=(2, 5))},
    parameters={"a": _A, "new_shape": "int or sequence of int\nThe sizes, known while tracing."},
    returns="tf.Tensor of that shape\nThe elements, from the first again after the last; zeros where there "
            "are none.",
    agreement=Exact(), words=_BITS,
    example=("[1, 2], (1, 3)", "<tf.Tensor: shape=(1, 3), dtype=int64, numpy=array([[1, 2, 1]])>"),
    raises={"OutsideDomain": "A size is negative."},
    graph="copies of a known size, else one gather; static shape is kept.",
    slower="one of unknown sizes is",
)  # fmt: skip
def resize(a: Any, new_shape: Any) -> Any:
    x, sizes = tensor(a, "a"), whole_numbers(new_shape, "new_shape")
    if any(size < 0 for size in sizes):
        raise OutsideDomain(explain("new_shape", repr(new_shape), "sizes from 0", "Clip them at 0."))
    flat, wanted = tf.reshape(x, [-1]), math.prod(sizes)
    if flat.shape[0] and wanted <= _COPIES * flat.shape[0]:
        copies = -(-wanted // flat.shape[0])
        return tf.reshape(tf.concat([flat] * copies, 0)[:wanted] if copies > 1 else flat[:wanted], sizes)
    number = tf.size(flat)
    places = tf.range(wanted) % tf.maximum(number, 1)
    zero = tf.zeros(tf.cast(tf.equal(number, 0), tf.int32)[tf.newaxis], x.dtype)
    return tf.reshape(tf.gather(tf.concat([flat, zero], 0), places), sizes)
