"""Sums, means, blocks, windows and crops of scikit-image: equal forms, known answers, refusals."""

from __future__ import annotations

import importlib

import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport import config
from pipeport.errors import BadAxis, OutsideDomain, UnsupportedArgument, WrongType
from pipeport.skimage.transform import (
    downscale_local_mean,
    integral_image,
    resize_local_mean,
    warp_coords,
)
from pipeport.skimage.util import crop, view_as_blocks, view_as_windows

pytestmark = pytest.mark.newest_only

RANDOM = np.random.default_rng(3)
IMAGE = RANDOM.integers(0, 255, (36, 20, 3), np.uint8)


def unknown(function, rank: int = 3, dtype: type = np.uint8):
    """Return a function traced without knowing any size."""
    return tf.function(function, input_signature=[tf.TensorSpec([None] * rank, dtype)])


@pytest.mark.parametrize("policy", ["auto", "never"])
@pytest.mark.parametrize("shape", [(5, 7, 3), (4, 9), (6, 5, 12), (3, 4, 5, 2), (11,)])
def test_integral_image_compiled_or_not(policy: str, shape: tuple[int, ...]) -> None:
    for dtype, wide in ((np.uint8, np.uint64), (np.float64, np.float64)):
        image = RANDOM.integers(0, 90, shape).astype(dtype)
        expected = image.astype(wide)
        for axis in range(image.ndim):
            expected = expected.cumsum(axis, dtype=wide)
        with config.use_jit(policy):
            found = tf.function(integral_image)(image)
        assert found.dtype == wide
        np.testing.assert_array_equal(found, expected)


def test_integral_image_does_not_spread_nan_backwards() -> None:
    image = np.ones((3, 4, 3))
    image[1, 2, 1] = np.nan
    for form in (integral_image, tf.function(integral_image), unknown(integral_image, 3, np.float64)):
        found = np.isnan(form(image))
        expected = np.zeros(image.shape, bool)
        expected[1:, 2:, 1:] = True
        np.testing.assert_array_equal(found, expected)


def test_integral_image_wraps_like_numpy() -> None:
    image = np.full((20, 20), 200, np.uint8)
    expected = image.cumsum(0, dtype=np.uint8).cumsum(1, dtype=np.uint8)
    np.testing.assert_array_equal(integral_image(image, dtype="uint8"), expected)
    huge = np.array([[2**63 - 1, 5]], np.int64)
    np.testing.assert_array_equal(tf.function(integral_image)(huge), huge.cumsum(1))


@pytest.mark.parametrize("factors", [(2, 2, 1), (5, 3, 2), (40, 40, 1), 3, (17, 1, 1)])
def test_means_of_blocks_in_every_form(factors) -> None:
    blocks = (factors,) * 3 if isinstance(factors, int) else factors
    padded = np.pad(IMAGE, [(0, -n % b) for n, b in zip(IMAGE.shape, blocks, strict=True)], constant_values=7)
    counts = [n // b for n, b in zip(padded.shape, blocks, strict=True)]
    split = padded.reshape([part for pair in zip(counts, blocks, strict=True) for part in pair])
    expected = split.mean(axis=(1, 3, 5))

    def run(image):
        return downscale_local_mean(image, factors, cval=7.9)

    for form in (run, tf.function(run), unknown(run)):
        np.testing.assert_allclose(form(IMAGE), expected, rtol=1e-15)


@pytest.mark.parametrize("grid_mode", [True, False])
@pytest.mark.parametrize("shape", [(18, 10), (15, 33), (1, 1)])
def test_local_means_are_a_matrix_product(grid_mode: bool, shape: tuple[int, int]) -> None:
    image = RANDOM.uniform(size=(36, 20))

    def run(image):
        return resize_local_mean(image, shape, grid_mode)

    expected = image
    for axis, (old, new) in enumerate(zip(image.shape, shape, strict=True)):
        if old != new:
            expected = np.moveaxis(np.tensordot(_weights(old, new, grid_mode), expected, (1, axis)), 0, axis)
    eager, *traced = [form(image) for form in (run, tf.function(run), unknown(run, 2, np.float64))]
    np.testing.assert_allclose(eager, expected, atol=1e-12)
    for found in traced:
        np.testing.assert_allclose(found, expected, atol=1e-12)
        np.testing.assert_allclose(found, eager, atol=1e-14)


def _weights(old: int, new: int, grid_mode: bool) -> np.ndarray:
    """Count by which old and which new pixel the pieces between all their edges are covered."""
    spans = (old, new) if grid_mode else (old - 1, new - 1)
    pieces = 2 * spans[0] * max(1, spans[1])
    place = (np.arange(pieces) + 0.5) / pieces
    half = 0.0 if grid_mode else 0.5
    source, target = (np.floor(place * span + half).astype(int) for span in spans)
    table = np.zeros((new, old))
    np.add.at(table, (target, source), 1.0)
    return table / table.sum(1, keepdims=True)


def test_nan_spoils_its_row_and_column_in_every_form() -> None:
    image = np.ones((6, 8))
    image[2, 3] = np.nan
    image[5, 0] = np.inf

    def run(image):
        return resize_local_mean(image, (3, 8))

    expected = np.ones((3, 8))
    expected[:, 3] = np.nan
    expected[:, 0] = [np.nan, np.nan, np.inf]
    for form in (run, tf.function(run), unknown(run, 2, np.float64)):
        np.testing.assert_array_equal(form(image), expected)


def test_an_axis_that_turns_out_to_keep_its_size_is_left_alone() -> None:
    image = np.array([[np.inf, 1.0], [2.0, 3.0]])
    found = unknown(lambda image: resize_local_mean(image, (2, 2)), 2, np.float64)(image)
    np.testing.assert_array_equal(found, image)


def test_blocks_and_windows_known_answers() -> None:
    array = np.arange(24).reshape(4, 6)
    for form in (view_as_blocks, tf.function(view_as_blocks)):
        blocks = form(array, (2, 3)).numpy()
        assert blocks.shape == (2, 2, 2, 3)
        np.testing.assert_array_equal(blocks[1, 0], array[2:4, 0:3])
    for step in (1, 2, (1, 3), 5):
        windows = view_as_windows(array, (3, 2), step).numpy()
        down, right = (step, step) if isinstance(step, int) else step
        for row, line in enumerate(windows):
            for column, window in enumerate(line):
                top, left = row * down, column * right
                np.testing.assert_array_equal(window, array[top : top + 3, left : left + 2])


def test_blocks_of_unknown_size_are_checked_when_the_graph_runs() -> None:
    blocks = unknown(lambda image: view_as_blocks(image, (4, 4, 3)))
    assert blocks(IMAGE).shape == (9, 5, 1, 4, 4, 3)
    with pytest.raises(tf.errors.InvalidArgumentError, match="divisor"):
        blocks(IMAGE[1:])
    windows = unknown(lambda image: view_as_windows(image, (4, 4, 3), 2))
    np.testing.assert_array_equal(windows(IMAGE), view_as_windows(IMAGE, (4, 4, 3), 2))
    with pytest.raises(tf.errors.InvalidArgumentError, match="window_shape"):
        windows(IMAGE[:3])


@pytest.mark.parametrize("enough", [1, 8, 10**6])
@pytest.mark.parametrize("shape", [(17,), (6, 9), (7, 6, 3), (3, 4, 5, 2)])
def test_windows_in_one_gather_or_one_per_axis(
    shape: tuple[int, ...], enough: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = importlib.import_module("pipeport.kernels.layout._sliding")
    monkeypatch.setattr(module, "_ENOUGH", enough)
    draw = np.random.default_rng(enough)
    for stored in (0, 1 << 14):
        monkeypatch.setattr(module, "_STORED", stored)
        array = draw.integers(0, 99, shape).astype(np.uint8)
        window = tuple(int(draw.integers(1, side + 1)) for side in shape)
        step = tuple(int(draw.integers(1, 5)) for _ in shape)
        every = np.lib.stride_tricks.sliding_window_view(array, window)
        expected = every[tuple(slice(None, None, one) for one in step)]

        def run(image: tf.Tensor, window=window, step=step) -> tf.Tensor:
            return view_as_windows(image, window, step)

        for form in (run, tf.function(run, jit_compile=True), unknown(run, len(shape), np.uint8)):
            np.testing.assert_array_equal(form(tf.constant(array)), expected)
        batch = pipeport.batched(view_as_windows)(np.stack([array, array[::-1]]), window, step)
        np.testing.assert_array_equal(batch.numpy()[0], expected)


def test_crop_is_a_slice_for_every_width() -> None:
    array = np.arange(30).reshape(5, 6)
    for before in (-3, 0, 2, 7):
        for after in (-3, 0, 1, 6):
            expected = array[slice(before, 5 - after), slice(before, 6 - after)]
            for form in (crop, unknown(lambda x, b=before, a=after: crop(x, (b, a)), 2, np.int64)):
                found = form(array, (before, after)) if form is crop else form(array)
                np.testing.assert_array_equal(found, expected)


def test_crop_by_tensors_gives_unknown_sizes() -> None:
    @tf.function
    def at(offset):
        found = crop(IMAGE, ((offset[0], 30 - offset[0]), (offset[1], 10 - offset[1]), (0, 0)))
        assert found.shape.as_list() == [None, None, 3]
        return found

    np.testing.assert_array_equal(at(tf.constant([4, 2])), IMAGE[4:10, 2:12])
    traced = tf.function(lambda x: crop(x, ((1, 1), (1, 1))), input_signature=[tf.TensorSpec(None)])
    with pytest.raises(tf.errors.InvalidArgumentError, match="another rank"):
        traced(np.ones((3, 3, 3), np.float32))


def test_coordinates_of_a_warp_follow_rows_and_columns() -> None:
    found = warp_coords(lambda xy: xy * [1.0, 10.0] + [0.5, 0.0], (2, 3, 2)).numpy()
    assert found.shape == (3, 2, 3, 2)
    np.testing.assert_array_equal(found[0, :, 0, 0], [0.0, 10.0])
    np.testing.assert_array_equal(found[1, 0, :, 1], [0.5, 1.5, 2.5])
    np.testing.assert_array_equal(found[2, 1, 2], [0, 1])


def _in_place(xy):
    xy[:, 1] -= 10
    return xy


@pytest.mark.parametrize(
    ("run", "error", "match"),
    [
        (lambda: warp_coords(_in_place, (2, 2)), WrongType, "new one"),
        (lambda: warp_coords(lambda xy: xy.copy(), (2, 2)), WrongType, "NumPy"),
        (lambda: warp_coords(lambda xy: xy[:1], (2, 2)), OutsideDomain, "each row"),
        (lambda: warp_coords(np.eye(3), (2, 2)), WrongType, "ProjectiveTransform"),
        (lambda: warp_coords(lambda xy: xy, (2,)), BadAxis, "two or three"),
        (lambda: warp_coords(lambda xy: xy, (0, 2)), OutsideDomain, "below 1"),
        (lambda: warp_coords(lambda xy: xy, (2.5, 2)), OutsideDomain, "whole"),
        (lambda: warp_coords(lambda xy: xy, (2, 2), "complex64"), UnsupportedArgument, "float64"),
        (lambda: view_as_blocks(IMAGE, [2, 2, 3]), WrongType, "tuple"),
        (lambda: view_as_blocks(IMAGE, (2, 0, 3)), OutsideDomain, "below 1"),
        (lambda: view_as_blocks(IMAGE, (2, 2)), OutsideDomain, "tuple of 3"),
        (lambda: view_as_blocks(IMAGE, (5, 2, 3)), OutsideDomain, "divisor"),
        (lambda: view_as_blocks(IMAGE, (2.0, 2, 3)), WrongType, "whole"),
        (lambda: view_as_windows([1, 2, 3], 2), WrongType, "tf.constant"),
        (lambda: view_as_windows(IMAGE, (40, 1, 1)), OutsideDomain, "smaller window"),
        (lambda: view_as_windows(IMAGE, (0, 1, 1)), OutsideDomain, "1 or more"),
        (lambda: view_as_windows(IMAGE, (2, 2)), OutsideDomain, "3 of them"),
        (lambda: view_as_windows(IMAGE, 2, 0), OutsideDomain, "step"),
        (lambda: view_as_windows(IMAGE, 2, 1.5), WrongType, "step"),
        (lambda: crop(IMAGE, 1.5), WrongType, "pair"),
        (lambda: crop(IMAGE, (1, 2, 3)), OutsideDomain, "pair"),
        (lambda: crop(IMAGE, ((1, 2), (3, 4))), OutsideDomain, "pair"),
        (lambda: crop(IMAGE, ((1,), (1,), (1,))), OutsideDomain, "pair"),
        (lambda: crop(IMAGE, 1, copy=True, order="X"), OutsideDomain, "order"),
        (lambda: downscale_local_mean(IMAGE, [2, 2, 1]), WrongType, "tuple"),
        (lambda: downscale_local_mean(IMAGE, (2, 2)), OutsideDomain, "tuple of 3"),
        (lambda: downscale_local_mean(IMAGE, (2, 0, 1)), OutsideDomain, "1 or more"),
        (lambda: downscale_local_mean(IMAGE, 2.0), WrongType, "whole number"),
        (lambda: downscale_local_mean(IMAGE, 2, cval=300), OutsideDomain, "uint8"),
        (lambda: resize_local_mean(IMAGE, (3,)), OutsideDomain, "3 sizes"),
        (lambda: resize_local_mean(IMAGE, (3, 3.0)), WrongType, "Round"),
        (lambda: resize_local_mean(IMAGE, (3, 0)), OutsideDomain, "1 or more"),
        (lambda: resize_local_mean(IMAGE, (3, 3), channel_axis=3), BadAxis, "channel_axis"),
        (lambda: resize_local_mean(IMAGE, (3, 3, 4), channel_axis=-1), OutsideDomain, "channels"),
        (lambda: resize_local_mean(IMAGE, [3, 3], channel_axis=-1), WrongType, "tuple"),
        (lambda: integral_image(IMAGE, dtype="bool"), UnsupportedArgument, "logical"),
        (lambda: integral_image(IMAGE, dtype="many"), WrongType, "dtype"),
    ],
)
def test_refusals_name_what_is_allowed(run, error, match: str) -> None:
    with pytest.raises(error, match=match) as found:
        run()
    assert "allowed: " in str(found.value)


@pytest.mark.parametrize(("old", "new"), [(64, 33), (49, 50), (77, 31), (5, 1), (1, 5), (7, 2)])
@pytest.mark.parametrize("grid_mode", [True, False])
def test_weights_of_local_means_are_the_reference_s_to_the_last_bit(
    old: int, new: int, grid_mode: bool
) -> None:
    """The unit vectors as an image show the weights; their last pixel ends where the image does."""
    reference = importlib.import_module("skimage.transform")
    image = np.eye(old)
    with np.errstate(invalid="ignore"):
        expected = reference.resize_local_mean(image, (new, old), grid_mode)

    def native(x):
        return resize_local_mean(x, (new, old), grid_mode)

    np.testing.assert_array_equal(native(image), expected)
    np.testing.assert_allclose(unknown(native, 2, np.float64)(image), expected, rtol=1e-15)


@pytest.mark.parametrize("policy", ["auto", "never"])
def test_what_cancels_out_in_a_block_leaves_no_rounding(policy: str) -> None:
    # Six times 100 + 0 - 95.39708: in float32, added block by block, wrong by 1.7e-6.
    image = np.tile(np.array([0, 100, -95.39708], np.float32), (2, 3, 1))
    exact = np.float32(image.astype(np.float64).mean())
    with config.use_jit(policy):
        [[[found]]] = tf.function(lambda x: downscale_local_mean(x, (2, 3, 3)))(image)
    assert found == exact
