"""Counts, places, slopes, closeness and grids: dtypes, sizes and refusals their domains cannot draw."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport import numpy as mirror
from pipeport.arrays import body
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType

RANDOM = np.random.default_rng(0)
MODERN = np.lib.NumpyVersion(np.__version__) >= "2.0.0"
NUMBERS = ("uint8", "int32", "uint32", "int64", "float32", "float64")


def same(found: Any, expected: Any, rtol: float = 1e-12) -> None:
    expected = expected if isinstance(expected, (tuple, list)) else (expected,)
    found = found if isinstance(found, tuple) else (found,)
    for one, other in zip(found, expected, strict=True):
        assert one.dtype.as_numpy_dtype == np.asarray(other).dtype
        np.testing.assert_allclose(one, other, rtol=rtol)


@pytest.mark.parametrize("dtype", [*NUMBERS, "float16", "bool", "uint64"])
def test_places_among_sorted_elements_of_every_dtype(dtype: str) -> None:
    a, v = np.sort((RANDOM.random(9) * 20).astype(dtype)), (RANDOM.random((3, 4)) * 22).astype(dtype)
    for side in ("left", "right"):
        same(mirror.searchsorted(a, v, side), np.searchsorted(a, v, side))
        compiled = tf.function(lambda a, v: mirror.searchsorted(a, v, side), jit_compile=True)  # noqa: B023
        same(compiled(a, v), np.searchsorted(a, v, side))
    same(mirror.digitize(v, np.unique(a)), np.digitize(v, np.unique(a)))


def test_nothing_to_search_in() -> None:
    spec = [tf.TensorSpec([None], tf.float32), tf.TensorSpec(None, tf.float32)]
    traced = tf.function(mirror.searchsorted, input_signature=spec)
    for a, v in (([], [1.0, 2.0]), ([], []), ([1.0, 2.0], [[1.5]])):
        same(traced(tf.constant(a, tf.float32), tf.constant(v, tf.float32)), np.searchsorted(a, v))


def test_edges_of_bins_known_when_the_graph_runs() -> None:
    traced = tf.function(mirror.digitize, input_signature=[tf.TensorSpec([None]), tf.TensorSpec([None])])
    x = np.float32([0, 2, 2.5, 9])
    for bins in ([3, 2, 1], [1, 2, 3], [2, 2], []):
        same(traced(x, tf.constant(bins, tf.float32)), np.digitize(x, np.float32(bins)))
    with pytest.raises(tf.errors.InvalidArgumentError, match="up and down"):
        traced(x, tf.constant([1.0, 3.0, 2.0]))
    with pytest.raises(OutsideDomain, match="up and down"):
        mirror.digitize(x, [1.0, 3.0, 2.0])


def test_counts() -> None:
    for x, options in (
        ([1, 5, 2, 2], {}), ([1, 5, 2, 2], {"minlength": 10}), (np.array([], np.int64), {}),
        ([1, 5], {"weights": [0.5, 1]}), (np.array([], np.int64), {"weights": [], "minlength": 2}),
        (np.array([True, False]), {}), (np.uint8([3, 3]), {"minlength": 2}),
    ):  # fmt: skip
        same(mirror.bincount(x, **options), np.bincount(x, **options))
    traced = tf.function(mirror.bincount, input_signature=[tf.TensorSpec([None], tf.int64)])
    same(traced(tf.constant([3, 1], tf.int64)), np.bincount([3, 1]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="negative"):
        traced(tf.constant([3, -1], tf.int64))


@pytest.mark.parametrize(
    ("given", "error"),
    [
        (([-1],), OutsideDomain), ((np.array([1.5]),), WrongType), (([[1]],), OutsideDomain),
        (([1], [1.0, 2.0]), OutsideDomain), (([1], None, -1), OutsideDomain), (([1], [1j]), WrongType),
    ],
)  # fmt: skip
def test_counts_refuse_what_numpy_refuses(given: Any, error: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        np.bincount(*given)
    with pytest.raises(error):
        mirror.bincount(*given)


@pytest.mark.parametrize("dtype", NUMBERS)
def test_histograms_of_every_dtype(dtype: str) -> None:
    a = (RANDOM.random((40, 50)) * 200).astype(dtype)
    calls: list[dict[str, Any]] = [
        {"bins": 256, "range": (0, 256)}, {"bins": [0, 10, 10, 50.5, 300]}, {"bins": 20, "weights": a / 7,
        "range": (0, 250)}, {"bins": 3, "weights": a.astype(np.float32), "range": (1, 190)},
        {"bins": np.array([5])},
    ]  # fmt: skip
    if MODERN or dtype != "float32":
        calls += [{}, {"bins": 7, "density": True}]
    for options in calls:
        same(mirror.histogram(a, **options), np.histogram(a, **options))
        compiled = tf.function(lambda a: mirror.histogram(a, **options), jit_compile=True)  # noqa: B023
        same(compiled(a), np.histogram(a, **options))


def test_whole_numbers_on_the_edges_of_bins_they_decide() -> None:
    for most in range(1, 60):
        a = np.arange(-3, most)
        if most % 6 == 1:  # to compile one takes half a second
            compiled = tf.function(lambda a: mirror.histogram(a, 20), jit_compile=True)
            same(compiled(a), np.histogram(a, 20))
        same(mirror.histogram(a, 20), np.histogram(a, 20))


def test_histograms_of_unknown_sizes_and_of_nothing() -> None:
    traced = tf.function(lambda a: mirror.histogram(a, 5), input_signature=[tf.TensorSpec(None, tf.float64)])
    for a in (RANDOM.random((4, 5)), np.zeros((0, 2)), np.full(3, 7.0)):
        same(traced(a), np.histogram(a, 5))
    with pytest.raises(tf.errors.InvalidArgumentError, match="finite"):
        traced(np.array([1.0, np.nan]))
    edges = tf.function(mirror.histogram, input_signature=[tf.TensorSpec([None]), tf.TensorSpec([None])])
    same(edges(tf.constant([1.0, 2.0, 9.0]), tf.constant([1.0, 2.0])), np.histogram(
        np.float32([1, 2, 9]), np.float32([1, 2])))  # fmt: skip
    with pytest.raises(tf.errors.InvalidArgumentError, match="ascend"):
        edges(tf.constant([1.0]), tf.constant([2.0, 1.0]))


def test_values_that_are_no_numbers_lie_in_no_bin() -> None:
    a = np.array([np.nan, 1.0, np.inf, -np.inf, 2.0])
    for options in ({"bins": [0.0, 1.5, 2.0]}, {"bins": 4, "range": (0, 2)}):
        same(mirror.histogram(a, **options), np.histogram(a, **options))


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"bins": 0}, OutsideDomain), ({"bins": [2, 1]}, OutsideDomain), ({"range": (2, 1)}, OutsideDomain),
        ({"range": (0, np.inf)}, OutsideDomain), ({"bins": []}, OutsideDomain),
        ({"bins": "auto"}, UnsupportedArgument),
        ({"weights": [1.0]}, OutsideDomain), ({"range": 3}, OutsideDomain), ({"bins": 2.5}, WrongType),
    ],
)  # fmt: skip
def test_histograms_refuse(options: dict[str, Any], error: Any) -> None:
    with pytest.raises(error):
        mirror.histogram(np.arange(4.0), **options)
    with pytest.raises(UnsupportedArgument, match="float16"):
        mirror.histogram(np.float16([1, 2]))


def test_slopes_of_several_axes_and_uneven_places() -> None:
    f = RANDOM.random((4, 5))
    for args, options in (
        ((), {}), ((2.0,), {}), ((1.0, 3), {}), (([0, 1, 2.5, 3], [1, 2, 4, 8, 16.0]), {"edge_order": 2}),
        (([0, 1, 2.5, 3],), {"axis": 0}), ((), {"axis": (1, 0)}),
    ):  # fmt: skip
        same(mirror.gradient(f, *args, **options), np.gradient(f, *args, **options), 1e-9)
        narrow = f.astype(np.float32)
        same(mirror.gradient(narrow, *args, **options), np.gradient(narrow, *args, **options), 1e-4)
    spec = [tf.TensorSpec([None, None], tf.float64), tf.TensorSpec([None], tf.float64)]
    traced = tf.function(lambda f, x: mirror.gradient(f, x, axis=1), input_signature=spec)
    places = np.array([1, 2, 4, 8, 16.0])
    same(traced(f, places), np.gradient(f, places, axis=1), 1e-9)
    with pytest.raises(tf.errors.InvalidArgumentError, match="places"):
        traced(f, places[:-1])
    with pytest.raises(tf.errors.InvalidArgumentError, match="elements along"):
        traced(f[:, :1], places[:1])


def test_slopes_refuse_what_numpy_refuses() -> None:
    f = np.ones((2, 3))
    for call in (
        lambda m: m.gradient(f, edge_order=2), lambda m: m.gradient(f, [1, 2]),
        lambda m: m.gradient(f, 1, 2, 3), lambda m: m.gradient(f, edge_order=3),
        lambda m: m.gradient(f, [1, 2, 3, 4], axis=1),
        lambda m: m.gradient(f > 0),
    ):  # fmt: skip
        for module in (np, mirror):
            with pytest.raises((ValueError, TypeError)):
                call(module)


def test_interpolation_beyond_and_beside_infinities() -> None:
    x = np.array([1, np.nan, np.inf, -np.inf, 2.5, 3])
    for args, options in (
        (([1.0, 2, 3], [3.0, 1, np.inf]), {}), (([1.0, 2, 3], [3.0, np.inf, np.inf]), {}),
        (([1, 2, 3], [3, 2, 0]), {"left": -1, "right": np.nan}), (([1.0], [3.0]), {}),
    ):  # fmt: skip
        same(mirror.interp(x, *args, **options), np.interp(x, *args, **options))
        compiled = tf.function(lambda x: mirror.interp(x, *args, **options), jit_compile=True)  # noqa: B023
        same(compiled(x), np.interp(x, *args, **options))
    for xp, fp in (([], []), ([1, 2], [1]), ([[1]], [[2]])):
        with pytest.raises(OutsideDomain):
            mirror.interp(x, xp, fp)
    with pytest.raises(WrongType, match="complex"):
        mirror.interp(x, [1, 2], [1j, 2])


@pytest.mark.filterwarnings("ignore:invalid value")
def test_interpolation_on_a_circle() -> None:
    angles = RANDOM.normal(size=(5, 9)) * 720
    angles[0, :3] = np.nan, np.inf, -np.inf
    for xp, fp, period in (
        ([350, 10, 190], [1, 2, 3], 360), ([190.0, -10, 370], [3.0, 1, 2], -360.0), ([5.0], [7.0], 2),
        (np.linspace(-1, 1, 50), np.arange(50) ** 2, np.float32(2.5)),
    ):  # fmt: skip
        right = np.interp(angles, xp, fp, -1, 9, period)
        same(mirror.interp(angles, xp, fp, -1, 9, period), right)
        unknown = tf.function(
            lambda x, p, v, t: mirror.interp(x, p, v, period=t),
            input_signature=[tf.TensorSpec([None] * rank, tf.float64) for rank in (2, 1, 1, 0)],
        )
        same(unknown(angles, np.float64(xp), np.float64(fp), np.float64(period)), right)
        ported = pipeport.port(lambda x: np.interp(x, xp, fp, period=period) + 1, example=(angles,))  # noqa: B023
        same(ported(angles), right + 1)
    with pytest.raises(OutsideDomain, match="period: got 0"):
        mirror.interp(angles, [1, 2], [1, 2], period=0.0)
    with pytest.raises(OutsideDomain, match="period"):
        mirror.interp(angles, [1, 2], [1, 2], period=[2.0, 3.0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="period"):
        unknown(angles, [1.0], [1.0], 0.0)


def test_grids_by_slices() -> None:
    for key in (
        np.s_[0:3, 0:2],
        np.s_[0:3:2, 1.0:2:0.25],
        np.s_[-1:1:5j],
        np.s_[-1:1:5j, :3],
        np.s_[0:3,],
        np.s_[4:0:-2],
    ):
        same(mirror.mgrid[key], np.mgrid[key])
        same(mirror.ogrid[key], np.ogrid[key])
    for bad in (3, np.s_[0:3, 1], np.s_[1:]):
        with pytest.raises(WrongType, match="key"):
            mirror.mgrid[bad]
    with pytest.raises(WrongType, match="complex"):
        mirror.mgrid[0:1j]


def test_grids_of_drawn_sizes_in_a_body() -> None:
    def radius(image: Any) -> Any:
        h, w = image.shape[:2]
        y, x = mirror.mgrid[0:h, 0:w]
        return (y - h / 2) ** 2 + (x - w / 2) ** 2

    image = np.zeros((4, 5, 3), np.float32)
    y, x = np.mgrid[0:4, 0:5]
    traced = tf.function(body(radius), input_signature=[tf.TensorSpec([None, None, 3])])
    same(traced(image), (y - 2) ** 2 + (x - 2.5) ** 2)
    sizes = tf.function(lambda h: mirror.ogrid[0:h, :2], input_signature=[tf.TensorSpec([], tf.int32)])
    same(sizes(tf.constant(3)), np.ogrid[0:3, :2])


def test_closeness_of_weak_numbers() -> None:
    narrow = np.float32([1, 1 + 3e-6, 2])
    same(mirror.isclose(narrow, 1.0), np.isclose(narrow, 1.0))
    same(
        mirror.isclose(narrow, 1, rtol=np.float32(1e-6), atol=0),
        np.isclose(narrow, 1, rtol=np.float32(1e-6), atol=0),
    )
    assert mirror.allclose(5, 5.0)
    with pytest.raises(OutsideDomain):
        mirror.isclose(narrow, np.ones(2))
    with pytest.raises(WrongType, match="complex"):
        mirror.allclose(narrow, 1j)


def test_equality_of_unknown_shapes() -> None:
    traced = tf.function(mirror.array_equal, input_signature=[tf.TensorSpec(None)] * 2)
    for a, b in (([1, 2], [1, 2]), ([1, 2], [1, 3]), ([1, 2], [[1, 2]]), ([], [1]),
                 ([[1, 2], [3, 4]], [1, 2, 3, 4]),
                 ([], [[]]), (1, 1), ([1], 1)):  # fmt: skip
        assert bool(traced(np.float32(a), np.float32(b))) is np.array_equal(a, b)


@pytest.mark.parametrize("dtype", [*NUMBERS, "bool", "uint64"])
def test_membership_of_every_dtype(dtype: str) -> None:
    x, others = (RANDOM.random((3, 4)) * 9).astype(dtype), (RANDOM.random(5) * 9).astype(dtype)
    same(mirror.isin(x, others), np.isin(x, others))
    same(mirror.isin(x, []), np.isin(x, []))
    same(mirror.isin(np.array([np.nan, 1.0]), [np.nan, 1.0]), np.array([False, True]))
    with pytest.raises(UnsupportedArgument, match="kind"):
        mirror.isin(x, others, kind="hash")


def test_functions_of_integers_and_what_they_refuse() -> None:
    for name in ("arctan", "tanh", "cbrt", "fabs", "sinc"):
        for x in (np.int8([1, 3]), np.uint16([2, 9]), [1, 2], 2):
            same(getattr(mirror, name)(x), getattr(np, name)(x), 2e-3)
    with pytest.raises(UnsupportedArgument, match="int64"):
        mirror.reciprocal([1, 2])
    with pytest.raises(WrongType, match="complex"):
        mirror.arctan(1j)
    with pytest.raises(UnsupportedArgument, match="where"):
        mirror.arctan([1.0], where=False)
