"""Products, einsum and linear algebra: dtypes, ranks and refusals that their domains cannot draw."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from pipeport import numpy as mirror
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType

DTYPES = ("bool", "int8", "uint8", "uint16", "int64", "uint32", "uint64", "float16", "complex64")
RANDOM = np.random.default_rng(0)


def drawn(dtype: str, *shape: int) -> np.ndarray:
    return (RANDOM.random(shape) * 90).astype(dtype)


def same(found: Any, expected: Any, rtol: float = 1e-3) -> None:
    expected = np.asarray(expected)
    assert found.dtype.as_numpy_dtype == expected.dtype
    assert found.shape == expected.shape
    if expected.dtype.kind in "biu":
        np.testing.assert_array_equal(found, expected)
    else:
        # NumPy rounds each sum, TensorFlow may add in another order.
        np.testing.assert_allclose(found, expected, rtol=max(rtol, 4 * np.finfo(expected.dtype).eps))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    ("name", "shapes"),
    [
        ("dot", [(3,), (3,)]), ("dot", [(2, 4, 3), (5, 3, 2)]), ("dot", [(), (2, 3)]),
        ("matmul", [(2, 1, 4, 3), (5, 3, 2)]), ("matmul", [(3,), (2, 3, 2)]),
        ("inner", [(2, 3), (4, 3)]), ("inner", [(2,), ()]), ("outer", [(2, 3), (4,)]),
        ("vdot", [(2, 3), (2, 3)]),
    ],
)  # fmt: skip
def test_every_dtype_and_rank(name: str, shapes: list[tuple[int, ...]], dtype: str) -> None:
    arrays = [drawn(dtype, *shape) for shape in shapes]
    same(getattr(mirror, name)(*arrays), getattr(np, name)(*arrays))
    compiled = tf.function(getattr(mirror, name), jit_compile=True)
    same(compiled(*arrays), getattr(np, name)(*arrays))


def test_a_python_number_counts_as_an_array() -> None:
    x = np.float32([[1, 2]])
    for name in ("dot", "outer", "inner"):
        same(getattr(mirror, name)(x, 2.0), getattr(np, name)(x, 2.0))


@pytest.mark.parametrize("axes", [1, ((2, 1), (0, 1)), ((1,), (1,)), ((2,), 0), (2, 0), ((-1,), (0,))])
def test_tensordot_along_chosen_axes(axes: Any) -> None:
    a, b = drawn("float64", 2, 3, 4), drawn("float64", 4, 3, 5)
    same(mirror.tensordot(a, b, axes), np.tensordot(a, b, axes))
    anything = tf.function(
        lambda a, b: mirror.tensordot(a, b, axes),
        input_signature=[tf.TensorSpec([None, None, 4], tf.float64), tf.TensorSpec([None] * 3, tf.float64)],
    )
    same(anything(a, b), np.tensordot(a, b, axes))
    same(anything(a[:0], b), np.tensordot(a[:0], b, axes))


def test_sizes_that_do_not_fit_are_refused() -> None:
    a, b = np.ones((2, 3)), np.ones((2, 3))
    for call in (
        lambda: mirror.dot(a, b), lambda: mirror.matmul(a, b), lambda: mirror.inner(a, b.T),
        lambda: mirror.tensordot(a, b, 1), lambda: mirror.tensordot(a, b, 3),
        lambda: mirror.tensordot(a, b, ((0, 1), (0,))), lambda: mirror.matmul(a, 2.0),
        lambda: mirror.cross(a[:, :2], b[:, :2]), lambda: mirror.cross(a, np.ones((4, 3))),
        lambda: mirror.vdot(a, b[:1]),
    ):  # fmt: skip
        with pytest.raises(OutsideDomain):
            call()
    unknown = tf.function(
        lambda a, b: mirror.tensordot(a, b, 1), input_signature=[tf.TensorSpec([None, None], tf.float64)] * 2
    )
    with pytest.raises(tf.errors.InvalidArgumentError, match="another size"):
        unknown(a, b)


def test_what_products_do_not_serve_is_refused() -> None:
    a = np.ones((2, 2))
    for name, value in (("axes", [(0, 1)] * 3), ("keepdims", True), ("dtype", "float32"), ("axis", 0)):
        with pytest.raises(UnsupportedArgument, match=name):
            mirror.matmul(a, a, **{name: value})
    with pytest.raises(WrongType, match="bool"):
        mirror.cross(np.ones(3, bool), np.ones(3, bool))


@pytest.mark.parametrize(("axisa", "axisb", "axisc"), [(0, 1, 0), (-2, -1, -1), (0, 1, 1)])
def test_vectors_lie_along_any_axis(axisa: int, axisb: int, axisc: int) -> None:
    a, b = drawn("float64", 3, 4), drawn("float64", 4, 3)
    same(mirror.cross(a, b, axisa, axisb, axisc), np.cross(a, b, axisa, axisb, axisc))
    same(mirror.cross(a, a, axis=0), np.cross(a, a, axis=0))
    same(mirror.cross(a[:, 0], b), np.cross(a[:, 0], b))


SUMS = {
    "ij,jk->ik": "ab", "ii": "s", "ii->i": "s", "hwc,cd": "cC", "...c,cd->...d": "cC", "ij,jk,kl": "ssC",
    "ab,...b->...a": "Cc", "bhc->c": "c", "i...->...": "c", "...,...": "cc", "bhc,bhc->bh": "cc",
}  # fmt: skip
SHAPES = {"a": (2, 3), "b": (3, 4), "s": (3, 3), "c": (2, 5, 3), "C": (3, 3)}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("subscripts", SUMS)
def test_einsum_of_every_dtype(subscripts: str, dtype: str) -> None:
    arrays = [drawn(dtype, *SHAPES[one]) for one in SUMS[subscripts]]
    expected = np.einsum(subscripts, *arrays)
    same(mirror.einsum(subscripts, *arrays, optimize=True), expected)
    same(tf.function(lambda *given: mirror.einsum(subscripts, *given), jit_compile=True)(*arrays), expected)


def test_einsum_of_unknown_sizes() -> None:
    spec = [tf.TensorSpec([None, None], tf.float64)] * 2
    traced = tf.function(lambda a, b: mirror.einsum("ij,jk->ki", a, b), input_signature=spec)
    a, b = drawn("float64", 2, 3), drawn("float64", 3, 4)
    same(traced(a, b), (a @ b).T)
    with pytest.raises(tf.errors.InvalidArgumentError):
        traced(a, b[:2])


@pytest.mark.parametrize(
    "operands",
    [
        (), ("ij", np.ones(3)), ("ij,jk", np.ones((2, 3)), np.ones((2, 3))), ("ij->ii", np.ones((2, 2))),
        ("i$", np.ones(3)), ("ij->k", np.ones((2, 2))), ("i,j", np.ones(3)), ("ii", np.ones((2, 3))),
    ],
)  # fmt: skip
def test_einsum_refuses_what_numpy_refuses(operands: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - its words differ between releases
        np.einsum(*operands)
    with pytest.raises(OutsideDomain, match="operands"):
        mirror.einsum(*operands)


def test_einsum_refuses_lists_of_subscripts_and_dtypes() -> None:
    with pytest.raises(UnsupportedArgument, match="string of subscripts"):
        mirror.einsum(np.ones((2, 2)), [0, 1])
    with pytest.raises(UnsupportedArgument, match="dtype"):
        mirror.einsum("ij", np.ones((2, 2)), dtype="float32")
    with pytest.raises(WrongType, match="optimize"):
        mirror.einsum("ij", np.ones((2, 2)), optimize=3)
