"""Arrays of one value and identity matrices: zeros, ones, full, empty, their `_like` forms, eye, identity."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from pipeport._lazy import tf
from pipeport.arrays._broadcast import broadcast_to
from pipeport.arrays._cast import cast, numpy_dtype
from pipeport.arrays._promotion import constant, fitted
from pipeport.arrays._sizes import stacked
from pipeport.contract import Array, CannotServe, Exact, Integer, Maybe, OneOf
from pipeport.kernels.inputs.integers import whole_numbers
from pipeport.numpy._families import REALS, numpy_native, read, refuse, tensor
from pipeport.numpy._sized import (
    BITS,
    DTYPE,
    GRAPH,
    RAISES,
    SHAPE,
    SIZES,
    no_batch,
    one_size,
    shown,
    sizes_of,
)


def of_tensor(result: Any) -> Any:
    """Return zeros of the shape and dtype, because the values are undefined."""
    return tf.zeros_like(result)


def of_array(result: Any) -> Any:
    """Return the same of the reference's result."""
    return np.zeros_like(result)


def _filled(sizes: list[Any], value: Any) -> Any:
    return tf.fill(stacked(sizes), value) if value.shape.rank == 0 else broadcast_to(value, sizes)


def _constant(name: str, value: int) -> Callable[..., Any]:
    def function(
        shape: Any, dtype: Any = None, order: Any = "C", *, device: Any = None, like: Any = None
    ) -> Any:
        refuse(order=(order, "C"), device=(device, None), like=(like, None))
        return _filled(sizes_of(shape), constant(value, numpy_dtype(dtype)))

    function.__name__ = function.__qualname__ = name
    return function


def _constant_like(name: str, value: int) -> Callable[..., Any]:
    def function(
        a: Any,
        dtype: Any = None,
        order: Any = "K",
        subok: Any = True,
        shape: Any = None,
        *,
        device: Any = None,
    ) -> Any:
        return _like(a, "a", value, dtype, order, subok, shape, device)

    function.__name__ = function.__qualname__ = name
    return function


def _like(
    a: Any, parameter: str, value: Any, dtype: Any, order: Any, subok: Any, shape: Any, device: Any
) -> Any:
    refuse(order=(order, "K"), subok=(subok, True), device=(device, None))
    x = tensor(a, parameter)
    wanted = np.dtype(x.dtype.as_numpy_dtype) if dtype is None else numpy_dtype(dtype)
    filling = fitted(read(value, "fill_value"), wanted)
    if shape is not None:
        return _filled(sizes_of(shape), filling)
    if x.shape.is_fully_defined():
        return _filled(x.shape.as_list(), filling)
    found = tf.broadcast_to(filling, tf.shape(x))
    return tf.ensure_shape(found, x.shape)


_SIGNATURE = "(shape, dtype=None, order='C', *, device=None, like=None)"
_LIKE = "({}, dtype=None, order='K', subok=True, shape=None, *, device=None)"
_DTYPES = OneOf(*REALS)
_RETURNS = "tf.Tensor of that shape\n"
_LIKE_SHAPE = "None, int or sequence of int, default None\nAnother shape than that of the array."
_LIKE_DOMAIN = {"dtype": _DTYPES, "shape": Maybe(spec=SIZES)}
_SHAPES = [[2, 3], [1, 2]]
_LIKE_WITNESS = {"a": np.zeros((2, 2, 2))}
_ANY = "shape and dtype; the values are of no account, and zero here."
_COMPARED_AS = (f"{__name__}.of_tensor", f"{__name__}.of_array")


def _plain(name: str, what: str, value: int, example: tuple[str, str], **others: Any) -> Callable[..., Any]:
    return numpy_native(
        f"numpy.{name}", f"Return a new array of {what}.", domain={"shape": SIZES, "dtype": _DTYPES},
        parameters={"shape": SHAPE, "dtype": DTYPE + "Of the result; None is float64."},
        returns=_RETURNS + f"Filled with {what}.", agreement=Exact(), example=example, raises=RAISES,
        graph=GRAPH, stated=_SIGNATURE, cannot_serve=no_batch({"shape": (2, 3)}),
        **{"words": BITS, **others},
    )(_constant(name, value))  # fmt: skip


def _plain_like(name: str, what: str, value: int, example: tuple[str, str]) -> Callable[..., Any]:
    return numpy_native(
        f"numpy.{name}", f"Return a new array of {what}, of the shape and dtype of another.",
        domain={"a": Array(), **_LIKE_DOMAIN}, parameters=_like_parameters("a"),
        returns=f"tf.Tensor, shape of `a`\nFilled with {what}.", agreement=Exact(), example=example,
        words=BITS, raises=RAISES, graph=GRAPH, stated=_LIKE.format("a"),
        cannot_serve=one_size("shape", _SHAPES, _LIKE_WITNESS),
    )(_constant_like(name, value))  # fmt: skip


def _like_parameters(first: str) -> dict[str, str]:
    return {
        first: "array_like, bool or any number\nThe other array; sizes may be unknown.",
        "dtype": DTYPE + "Of the result; None takes that of the array.",
        "shape": _LIKE_SHAPE,
    }


zeros = _plain("zeros", "zeros", 0, ("2", shown("[0., 0.]")))
ones = _plain("ones", "ones", 1, ("2", shown("[1., 1.]")))
empty = _plain(
    "empty",
    "any values, which here are zeros",
    0,
    ("2", shown("[0., 0.]")),
    words=_ANY,
    compared=_COMPARED_AS,
)
zeros_like = _plain_like("zeros_like", "zeros", 0, ("[1.5, 2.5]", shown("[0., 0.]")))
ones_like = _plain_like("ones_like", "ones", 1, ("[1.5, 2.5]", shown("[1., 1.]")))


@numpy_native(
    "numpy.empty_like", "Return a new array of any values, of the shape and dtype of another.",
    domain={"prototype": Array(), **_LIKE_DOMAIN}, parameters=_like_parameters("prototype"),
    returns="tf.Tensor, shape of `prototype`\nAny values, which here are zeros.", agreement=Exact(),
    example=("[1.5, 2.5]", shown("[0., 0.]")), words=_ANY, raises=RAISES, graph=GRAPH,
    stated=_LIKE.format("prototype, /"), nameless=("prototype",), compared=_COMPARED_AS,
    reference_call="pipeport.numpy._sized.first_by_position",
    cannot_serve=(
        CannotServe("batched", "what it gives has no values to put together",
                    lambda: {"prototype": np.zeros((2, 2))}),
    ),
)  # fmt: skip
def empty_like(
    prototype: Any,
    dtype: Any = None,
    order: Any = "K",
    subok: Any = True,
    shape: Any = None,
    *,
    device: Any = None,
) -> Any:
    return _like(prototype, "prototype", 0, dtype, order, subok, shape, device)


def held(arguments: Mapping[str, Any]) -> bool:
    """Whether the value is one that the dtype has: of others NumPy makes what C happens to."""
    value = np.asarray(arguments["fill_value"])
    dtype = arguments.get("dtype") or np.asarray(arguments.get("a", value)).dtype
    if value.dtype.kind != "f" or np.dtype(dtype).kind not in "iu":
        return True
    limits = np.iinfo(dtype)
    return bool(np.isfinite(value).all() and ((value > limits.min - 1) & (value < limits.max + 1)).all())


_FILLING = "array_like, bool or any number\nThe value, or an array that broadcasts to the shape."
_FILL_VALUE = Array(ranks=(0,), dtypes=REALS)


@numpy_native(
    "numpy.full", "Return a new array of one value.",
    domain={"shape": SIZES, "fill_value": _FILL_VALUE, "dtype": _DTYPES}, valid=held,
    parameters={"shape": SHAPE, "fill_value": _FILLING,
                "dtype": DTYPE + "Of the result; None takes the value's."},
    returns=_RETURNS + "Filled with the value.", agreement=Exact(), example=("2, 7.5", shown("[7.5, 7.5]")),
    words=BITS, raises=RAISES, graph=GRAPH,
    stated="(shape, fill_value, dtype=None, order='C', *, device=None, like=None)",
    cannot_serve=one_size("shape", _SHAPES, {"fill_value": np.ones(2)}),
)  # fmt: skip
def full(
    shape: Any, fill_value: Any, dtype: Any = None, order: Any = "C", *, device: Any = None, like: Any = None
) -> Any:
    refuse(order=(order, "C"), device=(device, None), like=(like, None))
    value = read(fill_value, "fill_value")
    return _filled(sizes_of(shape), fitted(value, value.dtype if dtype is None else numpy_dtype(dtype)))


@numpy_native(
    "numpy.full_like", "Return a new array of one value, of the shape and dtype of another.",
    domain={"a": Array(), "fill_value": _FILL_VALUE, **_LIKE_DOMAIN}, valid=held,
    parameters={**_like_parameters("a"), "fill_value": _FILLING},
    returns="tf.Tensor, shape of `a`\nFilled with the value.", agreement=Exact(),
    example=("[1.5, 2.5], 7", shown("[7., 7.]")), words=BITS, raises=RAISES, graph=GRAPH,
    stated=_LIKE.format("a, fill_value"),
    cannot_serve=one_size("shape", _SHAPES, {**_LIKE_WITNESS, "fill_value": np.ones(2)}),
)  # fmt: skip
def full_like(
    a: Any, fill_value: Any, dtype: Any = None, order: Any = "K", subok: Any = True, shape: Any = None,
    *, device: Any = None,
) -> Any:  # fmt: skip
    return _like(a, "a", fill_value, dtype, order, subok, shape, device)


def _diagonal(rows: Any, columns: Any, k: Any, dtype: Any) -> Any:
    (height,), (width,) = sizes_of(rows, "N"), sizes_of(columns, "M")
    (diagonal,) = whole_numbers(k, "k")
    found = tf.range(width, dtype=tf.int64) - tf.range(height, dtype=tf.int64)[:, tf.newaxis]
    return cast(tf.equal(found, diagonal), numpy_dtype(dtype))


_ROWS = Integer(0, 5, tensor=True)


@numpy_native(
    "numpy.eye", "Return a matrix with ones on a diagonal and zeros elsewhere.",
    domain={"N": _ROWS, "M": Maybe(spec=_ROWS), "k": Integer(-4, 4), "dtype": _DTYPES},
    parameters={"N": "int\nRows; a tensor too.",
                "M": "int or None, default None\nColumns; None for as many as rows.",
                "k": "int, default 0\nThe diagonal; positive ones lie above the main one.",
                "dtype": "dtype, default float\nOf the result."},
    returns="tf.Tensor, shape (N, M)\nThe matrix.", agreement=Exact(),
    example=("2", shown("[[1., 0.],\n       [0., 1.]]", "(2, 2)")), words=BITS, raises=RAISES, graph=GRAPH,
    stated="(N, M=None, k=0, dtype=float, order='C', *, device=None, like=None)",
    cannot_serve=no_batch({"N": 2}),
)  # fmt: skip
def eye(
    N: Any,
    M: Any = None,
    k: Any = 0,
    dtype: Any = float,
    order: Any = "C",
    *,
    device: Any = None,
    like: Any = None,
) -> Any:
    refuse(order=(order, "C"), device=(device, None), like=(like, None))
    return _diagonal(N, N if M is None else M, k, dtype)


@numpy_native(
    "numpy.identity", "Return the identity matrix.", domain={"n": _ROWS, "dtype": _DTYPES},
    parameters={"n": "int\nRows and columns; a tensor too.",
                "dtype": DTYPE + "Of the result; None is float64."},
    returns="tf.Tensor, shape (n, n)\nThe matrix.", agreement=Exact(),
    example=("2", shown("[[1., 0.],\n       [0., 1.]]", "(2, 2)")), words=BITS, raises=RAISES, graph=GRAPH,
    cannot_serve=no_batch({"n": 2}),
)  # fmt: skip
def identity(n: Any, dtype: Any = None, *, like: Any = None) -> Any:
    refuse(like=(like, None))
    return _diagonal(n, n, 0, dtype)
