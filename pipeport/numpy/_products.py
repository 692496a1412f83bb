"""Products of arrays: dot, matmul, inner, outer, kron, vdot, tensordot, cross."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays import _elementwise, _products
from pipeport.arrays._cast import cast
from pipeport.arrays._making import tensors_in
from pipeport.arrays._operators import same_shape
from pipeport.arrays._promotion import joined
from pipeport.contract import Array, AsReference, OneOf, Shaped
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType, explain
from pipeport.kernels.inputs.arrays import known_rank, sizes_of
from pipeport.kernels.inputs.axes import canonical
from pipeport.kernels.inputs.integers import static, whole_number, whole_numbers
from pipeport.numpy._families import REALS, numpy_native, refuse, tensor
from pipeport.numpy._mathematics import SIGNATURE
from pipeport.numpy._reductions import CLOSE, NO_VALUE, NOTHING

_ARRAYS = {
    "a": "array_like, bool or any number\nThe first array; sizes may be unknown, the rank not.",
    "b": "array_like, bool or any number\nThe second one.",
}
_RETURNS = (
    "tf.Tensor, of the dtype NumPy promotes to\nThe products; integers wrap around, of bool whether any pair "
    "holds."
)
_RAISES = {
    "OutsideDomain": "Sizes do not fit.",
    "tf.errors.InvalidArgumentError": "Sizes unknown while tracing turn out not to fit.",
}
_FIRST = Array(dtypes=REALS, ranks=(2,), sides=(0, 5), values=(-1.0, 1.0), non_finite=False)
# Small ones: of ten thousand products that cancel the bound is one of their sum.
_SMALL = Shaped(shape=((0, 5), (0, 5)), dtypes=REALS, values=(-1.0, 1.0), per_image=True)
_GRAPH = "a product, and casts of dtypes TensorFlow multiplies no matrices of; static shape is kept."


def _second(*sizes: Any) -> Shaped:
    return Shaped(shape=sizes, dtypes=REALS, values=(-1.0, 1.0))


def _shown(values: str, shape: str = "()", dtype: str = "float64") -> str:
    values = f"array({values})" if values.startswith("[") else values
    return f"<tf.Tensor: shape={shape}, dtype={dtype}, numpy={values}>"


def together(a: Any, b: Any, names: tuple[str, str] = ("a", "b")) -> tuple[Any, Any]:
    """Return two arguments as tensors of their common dtype; a Python number counts as an array."""
    first, second = tensor(a, names[0]), tensor(b, names[1])
    dtype = joined(np.dtype(first.dtype.as_numpy_dtype), np.dtype(second.dtype.as_numpy_dtype))
    return cast(first, dtype), cast(second, dtype)


def _product(
    name: str, summary: str, function: Callable[..., Any], shown: str, given: str = "[1.0, 2.0], [3.0, 4.0]",
    **promise: Any,
) -> Any:  # fmt: skip
    function.__name__ = function.__qualname__ = name
    return numpy_native(
        f"numpy.{name}", summary, agreement=AsReference(), words=CLOSE,
        example=(given, shown),
        **{"parameters": _ARRAYS, "returns": _RETURNS, "raises": _RAISES, "graph": _GRAPH, **promise},
    )(function)  # fmt: skip


def _dot(a: Any, b: Any, out: Any = None) -> Any:
    refuse(out=(out, None))
    return _products.dot(*together(a, b))


dot = _product(
    "dot", "Multiply along the last axis of one array and the last but one of the other.", _dot,
    _shown("11.0"), domain={"a": _FIRST, "b": _second("a.1", (0, 4))}, stated="(a, b, out=None)",
)  # fmt: skip


def _matmul(
    x1: Any, x2: Any, out: Any = None, *, axes: Any = NOTHING, axis: Any = NOTHING, keepdims: Any = False,
    casting: Any = "same_kind", order: Any = "K", dtype: Any = None, subok: Any = True, signature: Any = None,
) -> Any:  # fmt: skip
    refuse(out=(out, None), casting=(casting, "same_kind"), order=(order, "K"), dtype=(dtype, None),
           subok=(subok, True), signature=(signature, None))  # fmt: skip
    for name, given, default in (
        ("axes", axes, NOTHING),
        ("axis", axis, NOTHING),
        ("keepdims", keepdims, False),
    ):
        if given is not default:
            advice = "Leave it out: matrices lie along the last two axes."
            raise UnsupportedArgument(explain(name, repr(given), "nothing", advice))
    return _products.matmul(*together(x1, x2, ("x1", "x2")))


matmul = _product(
    "matmul", "Multiply matrices, as `x1 @ x2`.", _matmul, _shown("11.0"),
    domain={"x1": _FIRST, "x2": _second("x1.1", (0, 4))},
    parameters={"x1": "array_like, bool or any number\nA vector, a matrix, or a stack of them.",
                "x2": "array_like, bool or any number\nAnother one; stacks broadcast."},
    stated=SIGNATURE.replace(
        "x, /", "x1, x2, /").replace("where=True, ", f"axes={NO_VALUE}, axis={NO_VALUE}, keepdims=False, "),
    nameless=("x1", "x2"),
    reasons=dict.fromkeys(("axes", "axis", "keepdims"), "matrices lie along the last two axes"),
    raises={**_RAISES, "OutsideDomain": "An array has rank 0, or sizes do not fit."},
)  # fmt: skip


def _sizes(x: Any, axes: list[int]) -> list[Any]:
    return [tf.shape(x)[axis] if x.shape[axis] is None else int(x.shape[axis]) for axis in axes]


def _size(sizes: list[Any]) -> Any:
    known = all(type(one) is int for one in sizes)
    return math.prod(sizes) if known else tf.reduce_prod(tf.stack(sizes))


def _contracted(a: Any, b: Any, along: list[int], other: list[int]) -> Any:
    """Multiply along pairs of axes: what stays of `a` comes first."""
    checks = []
    text = explain("b", "another size", "the size `a` has along its axis", "Name axes of one size each.")
    for left, right in zip(along, other, strict=True):
        sizes = a.shape[left], b.shape[right]
        if None in sizes:
            checks.append(tf.debugging.assert_equal(tf.shape(a)[left], tf.shape(b)[right], text))
        elif sizes[0] != sizes[1]:
            given, advice = f"size {sizes[1]} for {sizes[0]} of `a`", "Name axes of one size each."
            raise OutsideDomain(explain("b", given, "one size", advice))
    with tf.control_dependencies(checks):
        a, b = tf.identity(a), tf.identity(b)
    rest = [axis for axis in range(a.shape.rank) if axis not in along]
    others = [axis for axis in range(b.shape.rank) if axis not in other]
    rows, columns, pairs = _sizes(a, rest), _sizes(b, others), _size(_sizes(a, along))
    left = tf.reshape(tf.transpose(a, rest + along), [*([_size(rows)] if rows else []), pairs])
    right = tf.reshape(tf.transpose(b, other + others), [pairs, *([_size(columns)] if columns else [])])
    found = tf.reshape(_products.matmul(left, right), rows + columns)
    return tf.ensure_shape(found, [*(a.shape[axis] for axis in rest), *(b.shape[axis] for axis in others)])


def _inner(a: Any, b: Any) -> Any:
    left, right = together(a, b)
    ranks = known_rank(left), known_rank(right, "b")
    if 0 in ranks:
        return _products.dot(left, right)
    return _contracted(left, right, [ranks[0] - 1], [ranks[1] - 1])


inner = _product(
    "inner", "Multiply along the last axes of both.", _inner, _shown("11.0"), stated="(a, b, /)",
    nameless=("a", "b"), domain={"a": _FIRST, "b": _second((0, 4), "a.1")},
)  # fmt: skip


def _vdot(a: Any, b: Any) -> Any:
    left, right = (tf.reshape(one, [-1]) for one in together(a, b))
    return _products.dot(tf.math.conj(left) if left.dtype.is_complex else left, right)


vdot = _product(
    "vdot", "Multiply the elements of both, and add up; of complex ones the first is conjugated.", _vdot,
    _shown("11.0"), stated="(a, b, /)", nameless=("a", "b"),
    domain={"a": _SMALL, "b": _second("a.0", "a.1")},
)  # fmt: skip


def _outer(a: Any, b: Any, out: Any = None) -> Any:
    refuse(out=(out, None))
    left, right = (tf.reshape(one, [-1]) for one in together(a, b))
    kernel = tf.logical_and if left.dtype.is_bool else tf.multiply
    return kernel(left[:, tf.newaxis], right)


outer = _product(
    "outer", "Multiply every element of one array with every one of the other.", _outer,
    _shown("[[3., 4.],\n       [6., 8.]]", "(2, 2)").replace("numpy=", "numpy=\n"),
    domain={"a": _FIRST, "b": _second((0, 4))}, graph="one or two ops; static sizes are kept.",
    raises={},
    returns=("tf.Tensor, rank 2, of the dtype NumPy promotes to\nThe products of the flattened arrays; "
             "integers wrap around."),
)  # fmt: skip


def _kron(a: Any, b: Any) -> Any:
    left, right = together(a, b)
    rank = max(known_rank(left, "a"), known_rank(right, "b"))
    pairs = []
    for one, place in ((left, 0), (right, 1)):
        sizes = [1] * (rank - one.shape.rank) + sizes_of(one)
        apart = [size if at == place else 1 for size in sizes for at in (0, 1)]
        pairs.append((sizes, tf.reshape(one, apart)))
    (rows, first), (columns, second) = pairs
    kernel = tf.logical_and if left.dtype.is_bool else tf.multiply
    return tf.reshape(kernel(first, second), [x * y for x, y in zip(rows, columns, strict=True)])


kron = _product(
    "kron", "Put one array, times each element of the other, in the place of that element.", _kron,
    _shown("[3., 4., 6., 8.]", "(4,)"), raises={},
    domain={"a": Array(dtypes=REALS, ranks=(0, 1, 2), sides=(1, 4), values=(-1.0, 1.0), non_finite=False),
            "b": _second((1, 3), (1, 3))},
    graph="a product and reshapes; static sizes are kept.",
    returns=("tf.Tensor, of the dtype NumPy promotes to\nThe products, along each axis as many as both have "
             "together; integers wrap around."),
)  # fmt: skip


def _pairs(axes: Any, ranks: tuple[int, int]) -> tuple[list[int], list[int]]:
    given = static(tensors_in(axes), "axes")
    if not (isinstance(given, (list, tuple)) or (isinstance(given, np.ndarray) and given.ndim)):
        number = whole_number(given, "axes")
        if not 0 <= number <= min(ranks):
            raise OutsideDomain(
                explain("axes", number, f"0 to {min(ranks)}", "Name no more axes than there are.")
            )
        return list(range(ranks[0] - number, ranks[0])), list(range(number))
    if len(given) != 2:
        advice = "Give the axes of `a`, and those of `b`."
        raise OutsideDomain(explain("axes", axes, "a number, or two lists", advice))
    along, other = (
        [canonical(axis, rank, "axes") for axis in whole_numbers(one, "axes")]
        for one, rank in zip(given, ranks, strict=True)
    )
    if len(along) != len(other) or len({*along}) < len(along) or len({*other}) < len(other):
        advice = "Name as many axes of `b` as of `a`, each once."
        raise OutsideDomain(explain("axes", axes, "pairs of axes", advice))
    return along, other


def _tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    left, right = together(a, b)
    return _contracted(left, right, *_pairs(axes, (known_rank(left), known_rank(right, "b"))))


tensordot = _product(
    "tensordot", "Multiply along chosen axes of both arrays.", _tensordot, _shown("11.0"),
    given="[1.0, 2.0], [3.0, 4.0], 1",
    domain={"a": _SMALL, "b": _second("a.0", "a.1"),
            "axes": OneOf(0, 2, ((0,), (0,)), ((-1,), (1,)), ((1, 0), (1, 0)))},
    parameters={**_ARRAYS, "axes": "int or two lists of int, default 2\nHow many of the last axes of `a` go "
                "with the first ones of `b`; or which axes of each."},
    raises={"BadAxis": "An array has no such axis.", **_RAISES},
)  # fmt: skip


_AXIS = "int, default -1\nAlong which axis the vectors of `{}` lie."


@numpy_native(
    "numpy.cross", "Return the vectors that stand upright on two others, of three numbers each.",
    agreement=AsReference(), words=CLOSE,
    domain={"a": Shaped(shape=((0, 4), 3), dtypes=REALS[1:], values=(-1.0, 1.0), per_image=True),
            "b": Shaped(shape=("a.0", 3), dtypes=REALS[1:], values=(-1.0, 1.0)),
            "axisa": OneOf(-1, 1), "axisb": OneOf(-1, 1), "axisc": OneOf(-1, 0, 1),
            "axis": OneOf(None, None, 1)},
    parameters={"a": "array_like, any number\nThe first vectors.",
                "b": "array_like, any number\nThe second ones; the shapes broadcast.",
                "axisa": _AXIS.format("a"), "axisb": _AXIS.format("b"),
                "axisc": "int, default -1\nAlong which axis those of the result lie.",
                "axis": "int or None, default None\nStands for all three."},
    returns="tf.Tensor, of the dtype NumPy promotes to\nThe vectors; integers wrap around.",
    raises={"BadAxis": "There is no such axis.",
            "OutsideDomain": "Vectors have no three numbers, or shapes do not broadcast."},
    example=("[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]", _shown("[0., 0., 1.]", "(3,)")),
    graph="nine ops; static shape is kept.",
)  # fmt: skip
def cross(a: Any, b: Any, axisa: Any = -1, axisb: Any = -1, axisc: Any = -1, axis: Any = None) -> Any:
    left, right = together(a, b)
    if left.dtype.is_bool:
        raise WrongType(explain("a, b", "bool", "numbers", "Cast one of them."))
    if axis is not None:
        axisa = axisb = axisc = axis
    parts = []
    for x, along, name in ((left, axisa, "a"), (right, axisb, "b")):
        place = canonical(whole_number(along, f"axis{name}"), known_rank(x, name), f"axis{name}")
        if x.shape[place] not in (3, None):
            given, advice = f"size {x.shape[place]} along the axis", "Vectors of the plane have no product."
            raise OutsideDomain(explain(name, given, "vectors of three numbers", advice))
        x = tf.ensure_shape(x, [3 if one == place else None for one in range(x.shape.rank)])
        parts.append(tf.unstack(x, 3, place))
    first, second = parts
    same_shape(first[0], second[0])
    found = []
    for one, two in ((1, 2), (2, 0), (0, 1)):
        left, right = first[one] * second[two], first[two] * second[one]
        # Grappler makes a negation of zero less a number, which unsigned integers have no kernel of.
        found.append(left + _elementwise.negative(right) if left.dtype.is_unsigned else left - right)
    rank = known_rank(found[0], "a") + 1
    return tf.stack(found, canonical(whole_number(axisc, "axisc"), rank, "axisc"))
