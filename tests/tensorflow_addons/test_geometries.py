"""Answers of `pipeport.tensorflow_addons.image` at the sizes and parameters people use, pixel by pixel.

`HYPOTHESIS_PROFILE=nightly pytest tests/tensorflow_addons/test_geometries.py` draws more than 500 geometries
of 9 to 520 pixels per function; the test command draws a few of them.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport.errors import OutsideDomain
from pipeport.tensorflow_addons import image as tfa_image

pytestmark = pytest.mark.both

FULL = os.environ.get("HYPOTHESIS_PROFILE") == "nightly"
ALL_SIZES = [(9, 9), (13, 17), (32, 32), (33, 35), (64, 64), (97, 64), (128, 128), (181, 190), (224, 224)]
SIZES = [*ALL_SIZES, (256, 256), (300, 300), (520, 511)] if FULL else [(9, 9), (97, 64)]
COUNT = 44 if FULL else 12
MODES = ("constant", "reflect", "wrap", "nearest")
ENGINES: dict[str, Callable[..., Any]] = {
    "graph": tf.function,
    "jit": lambda function: tf.function(function, jit_compile=True),
    "dataset": lambda function: (
        lambda *given: next(
            iter(tf.data.Dataset.from_tensors(tuple(tf.constant(each) for each in given)).map(function))
        )
    ),
}


def kernel(pictures: Any, rows: Any, interpolation: str, mode: str, fill: float = 0.5) -> np.ndarray:
    """TensorFlow's kernel, which does the work of TensorFlow Addons."""
    result: np.ndarray = tf.raw_ops.ImageProjectiveTransformV3(
        images=pictures,
        transforms=rows,
        output_shape=pictures.shape[1:3],
        fill_value=fill,
        interpolation=interpolation.upper(),
        fill_mode=mode.upper(),
    ).numpy()
    return result


def turns(angles: Any, height: int, width: int) -> np.ndarray:
    """Maps of rotations, with the operations of TensorFlow Addons in its order."""
    given = tf.constant(angles, tf.float32)
    cosine, sine = tf.cos(given).numpy(), tf.sin(given).numpy()
    bottom, right, two = np.float32(height - 1), np.float32(width - 1), np.float32(2)
    across = (right - (cosine * right - sine * bottom)) / two
    down = (bottom - (sine * right + cosine * bottom)) / two
    zero = np.zeros_like(cosine)
    return np.stack([cosine, -sine, across, sine, cosine, down, zero, zero], axis=1)


def structured_angles(rng: np.random.Generator) -> np.ndarray:
    degrees = [15 * rng.integers(0, 24, COUNT), rng.integers(0, 360, COUNT), 45 * rng.integers(0, 8, COUNT)]
    return np.deg2rad([degrees[k % 3][k] for k in range(COUNT)]).astype(np.float32)


def structured_maps(rng: np.random.Generator, height: int, width: int) -> np.ndarray:
    """Rotations about and beside the middle, simple fractions, and horizons inside the image."""
    rows = turns(structured_angles(rng), height, width)
    for k, row in enumerate(rows):
        if k % 4 == 1:
            row[:6] = rng.integers(-3, 4, 6) / rng.integers(1, 5, 6)
            row[[2, 5]] = rng.integers(0, width), rng.integers(0, height)
        elif k % 4 == 2:
            row[6:] = rng.integers(-3, 4, 2) / (8 * np.array([width, height]))
        elif k % 4 == 3:
            row[6:] = -1 / rng.integers(2, width), 0
    return rows


def differing(got: Any, expected: np.ndarray, interpolation: str) -> int:
    """Count pixels beyond the rounding of a fused sum; nearest pixels have none."""
    bound = 0.0 if interpolation == "nearest" else 2e-6
    return int(np.sum(~np.isclose(got, expected, rtol=0, atol=bound, equal_nan=True)))


def drawn(interpolation: str, mode: str) -> Iterator[tuple[np.random.Generator, np.ndarray]]:
    rng = np.random.default_rng([MODES.index(mode), len(interpolation)])
    at = 0 if FULL else MODES.index(mode) % 2
    for size in SIZES[at:][: len(SIZES) if FULL else 1]:
        yield rng, np.repeat(rng.random((1, *size, 1)).astype(np.float32), COUNT, axis=0)


# Those of the next test run in a graph there.
IN_EVERY_ENGINE = [("nearest", "wrap"), ("bilinear", "reflect")]
IN_A_GRAPH = [
    (interpolation, mode)
    for interpolation in ("nearest", "bilinear")
    for mode in MODES
    if (interpolation, mode) not in IN_EVERY_ENGINE
]


@pytest.mark.parametrize(("interpolation", "mode"), IN_A_GRAPH)
def test_structured_geometries_in_a_graph(interpolation: str, mode: str) -> None:
    def transform(pictures: Any, rows: Any) -> Any:
        return tfa_image.transform(pictures, rows, interpolation, mode, fill_value=0.5)

    def rotate(pictures: Any, angles: Any) -> Any:
        return tfa_image.rotate(pictures, angles, interpolation, mode, fill_value=0.5)

    for rng, pictures in drawn(interpolation, mode):
        size = pictures.shape[1:3]
        rows, angles = structured_maps(rng, *size), structured_angles(rng)
        expected = kernel(pictures, rows, interpolation, mode)
        got = tf.function(transform)(pictures, rows)
        assert differing(got, expected, interpolation) == 0, f"transform {size}"
        expected = kernel(pictures, turns(angles, *size), interpolation, mode)
        assert differing(tf.function(rotate)(pictures, angles), expected, interpolation) == 0, (
            f"rotate {size}"
        )


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("interpolation", "mode"), IN_EVERY_ENGINE)
def test_structured_geometries_in_every_engine(engine: str, interpolation: str, mode: str) -> None:
    def both(pictures: Any, rows: Any, angles: Any) -> Any:
        parameters = interpolation, mode
        moved = tfa_image.transform(pictures, rows, *parameters, fill_value=0.5)
        return moved, tfa_image.rotate(pictures, angles, *parameters, fill_value=0.5)

    for rng, pictures in drawn(interpolation, mode):
        size = pictures.shape[1:3]
        rows, angles = structured_maps(rng, *size), structured_angles(rng)
        got = ENGINES[engine](both)(pictures, rows, angles)
        # Compiled by the caller, eight cosines at once are XLA's: those of single angles.
        turned = np.concatenate([turns([angle], *size) for angle in angles])
        turned = turned if engine == "jit" else turns(angles, *size)
        for result, maps in zip(got, (rows, turned), strict=True):
            assert differing(result, kernel(pictures, maps, interpolation, mode), interpolation) == 0


@pytest.mark.parametrize("engine", ["graph", "jit"])
def test_flows_and_points_of_fractions(engine: str) -> None:
    """A product in the caller's own compiled code must not be contracted with the sums of a native."""
    rng = np.random.default_rng(4)

    def flowing(picture: Any, thirds: Any) -> Any:
        flow = thirds * np.float32(1 / 3)
        points = tf.reshape(flow, [1, -1, 2]) + np.float32(7)
        return (
            tfa_image.dense_image_warp(picture, flow),
            tfa_image.interpolate_bilinear(picture, points),
            tfa_image.resampler(picture, points),
        )

    for size in SIZES[None if FULL else -1 :]:
        picture, compiled = rng.random((1, *size, 1)).astype(np.float32), ENGINES[engine](flowing)
        for _ in range(COUNT // 4):
            thirds = rng.integers(-60, 61, (1, *size, 2)).astype(np.float32)
            for got, expected in zip(compiled(picture, thirds), flowing(picture, thirds), strict=True):
                # The caller's sum of a product is contracted where it stands: a rounding of the point.
                bound = 2e-6 if got.shape.rank == 4 else 2e-5
                np.testing.assert_allclose(got, expected, rtol=0, atol=bound)


@pytest.mark.parametrize("dtype", ["uint8", "int32", "int64", "float16", "float32", "float64"])
def test_ties_of_a_rotation_fall_as_in_the_kernel(dtype: str) -> None:
    pictures = np.random.default_rng(0).integers(0, 200, (3, 6, 6, 1)).astype(dtype)
    angles = np.float32([0, math.pi / 4, math.pi / 2])
    expected = kernel(pictures, turns(angles, 6, 6), "nearest", "constant", 0)
    np.testing.assert_array_equal(tfa_image.rotate(pictures, angles), expected)
    # Coordinates do not depend on the dtype: one of each kind is traced.
    for wrapped in ENGINES.values() if dtype in ("uint8", "float32") else ():
        np.testing.assert_array_equal(wrapped(tfa_image.rotate)(pictures, angles), expected)


def test_a_batch_is_turned_like_each_of_its_images() -> None:
    """Eight cosines at once have other last bits than one; each image is a case of its own."""
    rng = np.random.default_rng(5)
    pictures = rng.random((19, 21, 21, 1)).astype(np.float32)
    angles = rng.uniform(-7, 7, 19).astype(np.float32)
    single = np.concatenate([turns([angle], 21, 21) for angle in angles])
    expected = kernel(pictures, single, "bilinear", "reflect")
    batch = pipeport.batched(tfa_image.rotate)(pictures, angles, "bilinear", "reflect")
    np.testing.assert_array_equal(batch, expected)
    # Where the reference takes all angles in one call, so does the native.
    expected = kernel(pictures, turns(angles, 21, 21), "bilinear", "reflect")
    np.testing.assert_array_equal(tfa_image.rotate(pictures, angles, "bilinear", "reflect"), expected)


def test_a_coordinate_just_above_minus_one_half_is_the_first_pixel() -> None:
    row = np.float32([[5, 6, 7]])
    move = np.nextafter(np.float32(0.5), np.float32(0))
    for native in (tfa_image.translate, tf.function(tfa_image.translate)):
        assert native(row, [move, 0]).numpy().tolist() == [[5, 6, 7]]
        assert native(row, [0.5, 0]).numpy().tolist() == [[0, 6, 7]]


def test_one_division_after_another_stays_two() -> None:
    """By the horizon's distance, then by the period: XLA would divide by their product."""
    picture = np.random.default_rng(11).random((1, 32, 32, 1)).astype(np.float32)
    row = np.float32([[0, 0, 30, 0, 1, 0, -1 / 31, 0]])  # 61.999996 at the column 16: just below two steps
    got = tf.function(tfa_image.transform)(picture, row, "nearest", "wrap", fill_value=0.5)
    np.testing.assert_array_equal(got, kernel(picture, row, "nearest", "wrap"))


def test_what_the_caller_writes_as_constants_is_kept_apart_too() -> None:
    """XLA folds a conditional on a constant; on the fill of a padded image it did."""
    picture = np.random.default_rng(6).random((64, 64, 1)).astype(np.float32)
    rows = structured_maps(np.random.default_rng(7), 64, 64)

    @tf.function(jit_compile=True, autograph=False)
    def warped(given: Any) -> Any:
        parameters = "bilinear", "reflect"
        return [tfa_image.transform(given, row, *parameters, fill_value=0.5) for row in rows[:4].tolist()]

    for got, row in zip(warped(picture), rows, strict=False):
        expected = kernel(picture[None], row[None], "bilinear", "reflect")[0]
        assert differing(got, expected, "bilinear") == 0


MAP = [1.0, 0.2, 0.3, 0.0, 1.0, 0.0, 0.0, 0.0]
POINTS = np.float32([[[0, 0], [0, 4], [3, 0], [3, 4]]])
MOVED = POINTS + np.float32([[[0.5, 0], [0, -0.5], [0, 0.5], [0, 0]]])
ANY_RANK: dict[str, Callable[..., Any]] = {
    "rotate": lambda x: tfa_image.rotate(x, 0.5, "bilinear"),
    "transform": lambda x: tfa_image.transform(x, MAP, output_shape=[3, 7]),
    "translate": lambda x: tfa_image.translate(x, [1.0, 0.5], "bilinear"),
    "sparse_image_warp": lambda x: tfa_image.sparse_image_warp(x, POINTS, MOVED)[0],
}
ONE_RANK: dict[str, Callable[..., Any]] = {
    "dense_image_warp": lambda x: tfa_image.dense_image_warp(x, x[..., :2]),
    "interpolate_bilinear": lambda x: tfa_image.interpolate_bilinear(x, POINTS),
    "resampler": lambda x: tfa_image.resampler(x, POINTS),
    "resampler of rows": lambda x: tfa_image.resampler(x, x[..., :2]),
}
PICTURE = np.random.default_rng(8).random((1, 4, 5, 3)).astype(np.float32)


def from_python(function: Callable[..., Any], *values: np.ndarray) -> Iterator[Any]:
    """Run a function on what comes out of a `numpy_function`: tensors of unknown rank, in one trace."""
    rows = tf.data.Dataset.range(len(values))
    unknown = rows.map(lambda at: tf.numpy_function(lambda index: values[index], [at], tf.float32))
    assert unknown.element_spec.shape.rank is None
    return iter(unknown.map(function))


@pytest.mark.parametrize("name", [*ANY_RANK, *ONE_RANK])
def test_images_of_unknown_rank(name: str) -> None:
    function = {**ANY_RANK, **ONE_RANK}[name]
    right = [PICTURE, PICTURE[0], PICTURE[0, ..., 0]][: 3 if name in ANY_RANK else 1]
    wrong = [PICTURE[0, 0, :, 0], PICTURE[None], PICTURE[0]][: 2 if name in ANY_RANK else 3]
    results = from_python(function, *right, *wrong)
    for picture in right:
        np.testing.assert_allclose(next(results), function(picture), rtol=0, atol=1e-5)
    for _ in wrong:
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"another (rank|shape)"):
            next(results)
    assert next(results, None) is None


def test_other_arguments_of_unknown_rank() -> None:
    values = POINTS[..., :1]
    for function, given in (
        (lambda x: tfa_image.interpolate_spline(POINTS, values, x, 2), MOVED),
        (lambda x: tfa_image.dense_image_warp(PICTURE, x), PICTURE[..., :2]),
        (lambda x: tfa_image.resampler(PICTURE, x), MOVED),
        (lambda x: tfa_image.shear_x(x, 0.5, 1.0), PICTURE[0]),
        (lambda x: tfa_image.translate_xy(x, [1, 0], 1.0), PICTURE[0]),
    ):
        results = from_python(function, given, given.reshape(-1)[:7])
        np.testing.assert_allclose(next(results), function(given), rtol=0, atol=1e-5)
        with pytest.raises(tf.errors.InvalidArgumentError, match="got another"):
            next(results)


def test_batches_of_unknown_rank() -> None:
    turned = pipeport.batched(tfa_image.rotate)
    pictures, angles = np.concatenate([PICTURE, PICTURE + 1]), np.float32([0.4, 2.0])
    batches = pictures, pictures[..., 0]
    for given, got in zip(batches, from_python(lambda x: turned(x, angles), *batches), strict=True):
        np.testing.assert_array_equal(got, turned(given, angles))


@pytest.mark.parametrize("shape", [(4, 5, 2), (2,), (), (1, 4, 1, 1), (1, 1, 5, 2), (1, 1, 1, 5, 2)])
def test_a_flow_broadcasts_over_one_image(shape: tuple[int, ...]) -> None:
    flow = np.random.default_rng(9).uniform(-1, 1, shape).astype(np.float32)
    whole = np.broadcast_to(flow, (1, 1, 4, 5, 2))[0]
    expected = tfa_image.dense_image_warp(PICTURE, whole)
    np.testing.assert_array_equal(tfa_image.dense_image_warp(PICTURE, flow), expected)
    signature = [tf.TensorSpec([None] * 4), tf.TensorSpec([None] * len(shape))]
    traced = tf.function(tfa_image.dense_image_warp, input_signature=signature).get_concrete_function()
    np.testing.assert_array_equal(traced(tf.constant(PICTURE), tf.constant(flow)), expected)
    two = np.concatenate([PICTURE] * 2)
    with pytest.raises(OutsideDomain, match="flow: got shape"):
        tfa_image.dense_image_warp(two, flow)
    with pytest.raises(tf.errors.InvalidArgumentError, match="flow: got another shape"):
        traced(tf.constant(two), tf.constant(flow))


@pytest.mark.parametrize(
    ("data", "warp"),
    [((4, 5, 3), (4, 2)), ((1, 4, 5, 3, 1), (1, 2)), ((1, 4, 5, 3), (2,)), ((1, 4, 5, 3), (1, 3, 3))],
)
def test_wrong_ranks_of_the_resampler(data: tuple[int, ...], warp: tuple[int, ...]) -> None:
    given = np.ones(data, np.float32), np.ones(warp, np.float32)
    with pytest.raises(OutsideDomain, match=r"rank|shape"):
        tfa_image.resampler(*given)
    traced = tf.function(tfa_image.resampler, input_signature=[tf.TensorSpec(None)] * 2)
    with pytest.raises(tf.errors.InvalidArgumentError, match="got another"):
        traced.get_concrete_function()(*map(tf.constant, given))


@pytest.mark.parametrize("interpolation", ["nearest", "bilinear"])
def test_rotations_are_those_of_the_library(interpolation: str) -> None:
    library = pytest.importorskip("tensorflow_addons").image
    rng = np.random.default_rng(10)
    for size in SIZES[:2]:
        pictures = rng.random((COUNT, *size, 1)).astype(np.float32)
        angles = structured_angles(rng)
        expected = library.rotate(pictures, angles, interpolation, "wrap")
        np.testing.assert_array_equal(tfa_image.rotate(pictures, angles, interpolation, "wrap"), expected)
        expected = library.rotate(pictures[0], angles[1], interpolation)
        np.testing.assert_array_equal(tfa_image.rotate(pictures[0], angles[1], interpolation), expected)
