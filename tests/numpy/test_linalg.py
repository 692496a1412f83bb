"""Linear algebra and frequencies: stacks, singular matrices, sizes and dtypes that are not drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from pipeport import numpy as mirror
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType

RANDOM = np.random.default_rng(0)
MODERN = np.lib.NumpyVersion(np.__version__) >= "2.0.0"


def same(found: Any, expected: Any, rtol: float = 1e-9) -> None:
    expected = np.asarray(expected)
    assert found.dtype.as_numpy_dtype == expected.dtype
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=rtol, atol=rtol)


@pytest.mark.parametrize("size", [0, 1, 2, 4, 5])
def test_determinants_with_zeros_in_the_way(size: int) -> None:
    a = RANDOM.normal(size=(3, 4, size, size))
    a[0, :, :1, :1] = 0
    a[1, 0] = 1
    same(mirror.linalg.det(a), np.linalg.det(a))
    same(mirror.linalg.det(a.astype(np.float32)), np.linalg.det(a.astype(np.float32)), 1e-5)
    if size < 5:
        same(tf.function(mirror.linalg.det, jit_compile=True)(a), np.linalg.det(a))


@pytest.mark.parametrize("name", ["inv", "det", "pinv"])
def test_stacks_and_integers(name: str) -> None:
    for a in (RANDOM.random((2, 3, 3)), [[1, 2], [3, 4]], np.array([[True, False], [True, True]])):
        same(getattr(mirror.linalg, name)(a), getattr(np.linalg, name)(a))
    unknown = tf.function(
        getattr(mirror.linalg, name), input_signature=[tf.TensorSpec([None, None, None], tf.float64)]
    )
    a = RANDOM.random((2, 3, 3))
    same(unknown(a), getattr(np.linalg, name)(a))
    assert unknown(a[:0]).shape[0] == 0


def test_right_hand_sides() -> None:
    a = RANDOM.random((2, 3, 3))
    pairs = [(a[0], np.arange(3)), (a[0], RANDOM.random((4, 3, 1)))]
    if MODERN:  # NumPy 1 takes such a matrix for a stack of vectors
        pairs.append((a, RANDOM.random((3, 2))))
    for left, right in pairs:
        same(mirror.linalg.solve(left, right), np.linalg.solve(left, right))
        same(
            tf.function(mirror.linalg.solve, jit_compile=True)(left, right),
            np.linalg.solve(left, right),
            1e-6,
        )
    for b in (np.ones(2), np.ones((3, 3, 2)), 1.0):
        with pytest.raises(OutsideDomain, match="b: got"):
            mirror.linalg.solve(a, b)


def test_singular_matrices_fail_as_in_numpy() -> None:
    for name, arguments in (("inv", (np.ones((2, 2)),)), ("solve", (np.ones((2, 2)), np.ones(2)))):
        with pytest.raises(np.linalg.LinAlgError):
            getattr(np.linalg, name)(*arguments)
        with pytest.raises(tf.errors.InvalidArgumentError, match="not invertible"):
            getattr(mirror.linalg, name)(*arguments)
    assert mirror.linalg.det(np.ones((2, 2))) == 0


@pytest.mark.parametrize("name", ["inv", "det", "pinv"])
def test_no_matrices(name: str) -> None:
    function = getattr(mirror.linalg, name)
    with pytest.raises(OutsideDomain):
        function(np.ones(3))
    with pytest.raises(WrongType, match="float16"):
        function(np.ones((2, 2), np.float16))
    if name != "pinv":
        with pytest.raises(OutsideDomain, match="2 rows and 3 columns"):
            function(np.ones((2, 3)))


def test_small_singular_values_count_as_zero() -> None:
    a = np.diag([1.0, 1e-3])
    for rcond in (None, 1e-2):
        same(mirror.linalg.pinv(a, rcond), np.linalg.pinv(a, 1e-15 if rcond is None else rcond))
    assert mirror.linalg.pinv(np.zeros((0, 3))).shape == (3, 0)
    with pytest.raises(UnsupportedArgument, match="rtol"):
        mirror.linalg.pinv(a, rtol=0.5)


NORMS: list[dict[str, Any]] = [
    {}, {"axis": 1}, {"axis": (0, 2)}, {"axis": (2, 0), "ord": "nuc", "keepdims": True},
    {"axis": (1, 2), "ord": -2}, {"ord": 1, "axis": (0, 1)},
    {"ord": -np.inf, "axis": (1, 0), "keepdims": True},
    {"ord": 2.5, "axis": 0}, {"ord": 0, "axis": -1}, {"ord": -2, "axis": -1}, {"ord": -np.inf, "axis": 0},
]  # fmt: skip


@pytest.mark.parametrize("options", NORMS)
def test_norms_of_vectors_and_matrices(options: dict[str, Any]) -> None:
    x = RANDOM.random((4, 3, 5)) - 0.3
    same(mirror.linalg.norm(x, **options), np.linalg.norm(x, **options))
    same(mirror.linalg.norm(x + 1j, **options), np.linalg.norm(x + 1j, **options))
    spec = [tf.TensorSpec([None] * 3, tf.float64)]
    same(
        tf.function(lambda x: mirror.linalg.norm(x, **options), input_signature=spec)(x),
        np.linalg.norm(x, **options),
    )


def test_norms_there_are_not() -> None:
    x = np.ones((2, 2, 2))
    for options in (
        {"ord": 2},
        {"ord": "nuc", "axis": 0},
        {"ord": 3, "axis": (0, 1)},
        {"ord": "max", "axis": (0, 1)},
    ):
        with pytest.raises(OutsideDomain, match=r"ord|axis"):
            mirror.linalg.norm(x, **options)
        with pytest.raises(ValueError, match=r"[Nn]orm"):
            np.linalg.norm(x, **options)


def test_a_shift_of_unknown_sizes() -> None:
    traced = tf.function(mirror.fft.fftshift, input_signature=[tf.TensorSpec([None, 3])])
    x = np.arange(15, dtype=np.float32).reshape(5, 3)
    np.testing.assert_array_equal(traced(x), np.fft.fftshift(x))
    for d in (0, "a", [1.0]):
        with pytest.raises((OutsideDomain, WrongType), match="d"):
            mirror.fft.fftfreq(3, d)
