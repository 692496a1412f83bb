"""Filters, levels, holes and distances of `tensorflow_addons.image`, beside SciPy and by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import scipy.ndimage
import skimage.measure
import tensorflow as tf

import pipeport
from pipeport import catalog
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType
from pipeport.tensorflow_addons import image as tfa_image

pytestmark = pytest.mark.both

GREY = np.random.default_rng(0).uniform(0, 255, (11, 14)).astype(np.float32)
COLOUR = np.random.default_rng(1).integers(0, 256, (2, 9, 12, 3), np.uint8)
MODES = {"REFLECT": "mirror", "CONSTANT": "constant", "SYMMETRIC": "reflect"}


@pytest.mark.parametrize("padding", MODES)
def test_filters_beside_scipy(padding: str) -> None:
    mode = MODES[padding]
    mean = scipy.ndimage.uniform_filter(GREY, (3, 5), mode=mode)
    np.testing.assert_allclose(tfa_image.mean_filter2d(GREY, (3, 5), padding), mean, rtol=1e-5)
    median = scipy.ndimage.median_filter(GREY, (5, 3), mode=mode)
    np.testing.assert_array_equal(tfa_image.median_filter2d(GREY, (5, 3), padding), median)
    down, across = (np.exp(-(np.arange(-2, 3) ** 2) / (2 * sigma**2)) for sigma in (0.7, 1.5))
    weights = np.outer(down, across) / down.sum() / across.sum()
    blurred = scipy.ndimage.correlate(GREY, weights, mode=mode)
    np.testing.assert_allclose(tfa_image.gaussian_filter2d(GREY, 5, (0.7, 1.5), padding), blurred, rtol=1e-5)


def test_an_even_window_lies_further_behind() -> None:
    line = tf.constant([[9, 1, 5, 200]], tf.uint8)
    assert tfa_image.mean_filter2d(line, (1, 2), "constant").numpy().tolist() == [[5, 3, 102, 100]]
    # The sum of two bytes wraps around in the reference, too.
    assert tfa_image.median_filter2d(line, (1, 2), "constant").numpy().tolist() == [[5, 3, 102, 100]]
    bright = tf.constant([[200, 100]], tf.uint8)
    assert tfa_image.median_filter2d(bright, (1, 2), "symmetric").numpy().tolist() == [[22, 100]]


@pytest.mark.parametrize("side", [5, 7, 11, 13, (3, 41)])
@pytest.mark.parametrize("dtype", ["uint8", "int32"])
def test_the_mean_of_equal_levels_is_cut_off_as_in_the_reference(dtype: str, side: Any) -> None:
    """The reference multiplies by the reciprocal of the size: in eager calls, too, as it is a tf.function."""
    levels = np.arange(256).astype(dtype)[:, np.newaxis, np.newaxis, np.newaxis]
    images = np.broadcast_to(levels, (256, 24, 44, 1))
    size = np.float32(np.prod(side if isinstance(side, tuple) else (side, side)))
    right = np.broadcast_to((np.float32(levels) * size * (np.float32(1) / size)).astype(dtype), images.shape)
    for shape in (images.shape, (None, None, None, 1)):
        graph = tf.function(
            lambda x: tfa_image.mean_filter2d(x, side),
            input_signature=[tf.TensorSpec(shape, dtype)],
            autograph=False,
        )
        np.testing.assert_array_equal(graph(images), right)
    np.testing.assert_array_equal(tfa_image.mean_filter2d(images, side), right)
    assert (right != images).any() == (size in (121, 123))


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("mean_filter2d", (3,)),
        ("median_filter2d", ((2, 3),)),
        ("gaussian_filter2d", ((3, 5), 0.8)),
        ("sharpness", (1.6,)),
        ("equalize", ()),
        ("euclidean_dist_transform", ()),
    ],
)
def test_every_rank_known_or_not(name: str, arguments: Any) -> None:
    native, images = getattr(tfa_image, name), np.where(COLOUR < 128, 0, COLOUR)
    whole = native(images, *arguments).numpy()
    np.testing.assert_array_equal(native(images[0], *arguments), whole[0])
    np.testing.assert_array_equal(native(images[0, ..., 1], *arguments), whole[0, ..., 1])
    np.testing.assert_array_equal(pipeport.batched(native)(images[..., 1], *arguments), whole[..., 1])
    for shape in (None, [None] * 4):
        traced = tf.function(
            lambda x: native(x, *arguments), input_signature=[tf.TensorSpec(shape, tf.uint8)]
        )
        np.testing.assert_allclose(traced(images).numpy().astype(int), whole.astype(int), atol=1)


def test_blend_keeps_the_dtype_of_whole_images() -> None:
    first, second = COLOUR
    for factor, kept in ((0, first), (1.0, second)):
        mixed = tfa_image.blend(first, second, factor)
        assert mixed.dtype == tf.uint8
        np.testing.assert_array_equal(mixed, kept)
    assert tfa_image.blend(first, second, 0.5).dtype == tf.float32
    floats = COLOUR.astype(np.float32)

    @tf.function
    def drawn(factor: Any) -> Any:
        return tfa_image.blend(floats[0], floats[1], factor)

    for factor in (0.0, 0.25, 1.0, 3.0):
        expected = tfa_image.blend(floats[0], floats[1], factor)
        np.testing.assert_array_equal(drawn(tf.constant(factor)), expected)
    assert drawn(tf.constant(3.0)).numpy().max() == 255


def test_equalize_as_by_hand() -> None:
    levels = np.repeat(np.arange(8, dtype=np.uint8), 64).reshape(16, 32)
    found = tfa_image.equalize(levels, bins=256).numpy()
    # 448 pixels below the largest level, a step of one: as many levels as pixels before.
    np.testing.assert_array_equal(found, np.minimum(levels.astype(int) * 64, 255))
    traced = tf.function(tfa_image.equalize, input_signature=[tf.TensorSpec([None, None], tf.int32)])
    with pytest.raises(tf.errors.InvalidArgumentError, match="beyond the bins"):
        traced(tf.constant([[0, 256]]))


@pytest.mark.parametrize("share", [0.2, 0.9, 0.999])
@pytest.mark.parametrize("size", [(1, 1), (1, 40), (70, 1), (97, 64)])
def test_distances_beside_scipy(size: tuple[int, int], share: float) -> None:
    mask = (np.random.default_rng(2).uniform(size=size) < share).astype(np.uint8)
    mask[-1, -1] = 0
    expected = scipy.ndimage.distance_transform_edt(mask)
    for native in (tfa_image.euclidean_dist_transform, tf.function(tfa_image.euclidean_dist_transform)):
        np.testing.assert_allclose(native(mask, "float64"), expected, rtol=1e-15)
        np.testing.assert_array_equal(native(mask, tf.float16), expected.astype(np.float16))


def test_distances_without_a_zero() -> None:
    for dtype in ("float16", "float32", "float64"):
        found = tfa_image.euclidean_dist_transform(tf.ones([2, 3], tf.uint8), dtype).numpy()
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, np.sqrt(float(np.finfo(dtype).max)).astype(dtype))


def test_cutout_of_each_image() -> None:
    middles = np.array([[1, 1], [5, 11]])
    expected = COLOUR.copy()
    expected[0, :3, :2], expected[1, 3:7, 10:] = 7, 7
    found = tfa_image.cutout(COLOUR, (4, 2), middles, 7)
    expected[0, :, :], expected[0, :3, :2] = COLOUR[0], 7
    np.testing.assert_array_equal(found, expected)
    signature = [tf.TensorSpec(None, tf.uint8), tf.TensorSpec([2], tf.int32), tf.TensorSpec([None, 2])]
    signature[2] = tf.TensorSpec([None, 2], tf.int32)
    traced = tf.function(
        lambda images, size, at: tfa_image.cutout(images, size, at, 7), input_signature=signature
    )
    np.testing.assert_array_equal(traced(COLOUR, [4, 2], middles.astype(np.int32)), expected)
    for size, at in (([3, 2], middles), ([4, 2], middles + 90)):
        with pytest.raises(tf.errors.InvalidArgumentError):
            traced(COLOUR, size, at.astype(np.int32))


def labelled(images: np.ndarray) -> np.ndarray:
    """Return what scikit-image gives image by image, numbered on."""
    found, count = [], 0
    for image in images:
        numbers, more = skimage.measure.label(image, background=0, return_num=True, connectivity=1)
        found.append(np.where(numbers > 0, numbers + count, 0))
        count += more
    return np.stack(found)


@pytest.mark.parametrize("shape", [(1, 64, 65), (3, 97, 128), (1, 520, 67)])
@pytest.mark.parametrize("levels", [2, 3])
def test_components_of_one_value_beside_scikit_image(shape: tuple[int, ...], levels: int) -> None:
    images = np.random.default_rng(levels).integers(0, levels, shape)
    images[:, 9:30, 5:40] = 1
    traced = tf.function(
        tfa_image.connected_components, input_signature=[tf.TensorSpec([None, None, None], tf.int64)]
    )
    np.testing.assert_array_equal(traced(images), labelled(images))
    found = tfa_image.connected_components(images.astype(np.float32))
    assert found.dtype == tf.int32
    np.testing.assert_array_equal(found, labelled(images))
    np.testing.assert_array_equal(tfa_image.connected_components(images[0]), labelled(images[:1])[0])
    each = pipeport.batched(tfa_image.connected_components)(images)  # which begin with 1 again
    np.testing.assert_array_equal(each, np.stack([labelled(image[np.newaxis])[0] for image in images]))


def test_components_of_no_number_and_of_no_pixel() -> None:
    nan, inf = math.nan, math.inf
    odd = tf.constant([[nan, nan, inf], [0.0, -0.0, inf], [nan, -inf, inf]])
    assert tfa_image.connected_components(odd).numpy().tolist() == [[1, 2, 3], [0, 0, 3], [4, 5, 3]]
    for shape in ((0, 3), (3, 0), (0, 2, 2), (2, 0, 1)):
        assert tfa_image.connected_components(tf.ones(shape)).shape == shape


def test_hue_is_turned_all_round() -> None:
    pixels = COLOUR.astype(np.float64) / 255
    turned = pixels
    for _ in range(4):
        turned = tfa_image.adjust_hsv_in_yiq(turned, math.pi / 2)
    np.testing.assert_allclose(turned, pixels, atol=0.02)  # the constants are rounded to three digits
    each = pipeport.batched(tfa_image.adjust_hsv_in_yiq)(COLOUR, tf.constant([0.0, 0.5]))
    np.testing.assert_array_equal(each[1], tfa_image.adjust_hsv_in_yiq(COLOUR[1], 0.5))


def test_the_old_names_lead_here() -> None:
    for name in ("blend", "cutout", "equalize", "gaussian_filter2d", "euclidean_dist_transform"):
        assert catalog.find(f"tfa.image.{name}").native == f"pipeport.tensorflow_addons.image.{name}"


@pytest.mark.parametrize(
    ("name", "arguments", "error", "words"),
    [
        ("mean_filter2d", (GREY.astype(bool),), WrongType, ("image", "bool")),
        ("mean_filter2d", (GREY, (3, 3, 3)), OutsideDomain, ("filter_shape", "(3, 3, 3)")),
        ("mean_filter2d", (GREY, 0), OutsideDomain, ("filter_shape", "from 1")),
        ("mean_filter2d", (GREY[:1],), OutsideDomain, ("filter_shape", "REFLECT")),
        ("mean_filter2d", (GREY, 3, "edge"), UnsupportedArgument, ("padding", "'REFLECT'")),
        ("median_filter2d", (GREY, 10), UnsupportedArgument, ("filter_shape", "81")),
        ("median_filter2d", (COLOUR, 3, "constant", 1.5), OutsideDomain, ("constant_values", "uint8")),
        ("gaussian_filter2d", (GREY, 3, 0), OutsideDomain, ("sigma", "positive")),
        ("gaussian_filter2d", (GREY, 3, (1, 2, 3)), OutsideDomain, ("sigma", "one number or two")),
        ("blend", (GREY, GREY.astype(bool), 0.5), WrongType, ("image2", "bool")),
        ("blend", (GREY, GREY[:3], 0.5), OutsideDomain, ("image1, image2", "broadcast")),
        ("blend", (GREY, GREY, "a"), WrongType, ("factor", "'a'")),
        ("sharpness", (GREY[:2], 0.5), OutsideDomain, ("image", "three rows")),
        ("sharpness", (GREY, math.nan), OutsideDomain, ("factor", "finite")),
        ("equalize", (GREY, 1), OutsideDomain, ("bins", "2 or more")),
        ("euclidean_dist_transform", (GREY,), WrongType, ("images", "uint8")),
        ("euclidean_dist_transform", (COLOUR, "int32"), WrongType, ("dtype", "int32")),
        ("adjust_hsv_in_yiq", (GREY,), OutsideDomain, ("image", "three channels")),
        ("adjust_hsv_in_yiq", (COLOUR.astype(np.int32),), OutsideDomain, ("image", "int32")),
        ("connected_components", (GREY.astype(np.complex64),), WrongType, ("images", "complex64")),
        ("connected_components", (COLOUR,), OutsideDomain, ("images", "rank 4")),
        ("cutout", (COLOUR, 3), OutsideDomain, ("mask_size", "odd")),
        ("cutout", (COLOUR, 2.0), WrongType, ("mask_size", "float32")),
        ("cutout", (COLOUR, 2, (90, 1)), OutsideDomain, ("offset", "outside")),
        ("cutout", (COLOUR, 2, [[1, 1]] * 3), OutsideDomain, ("offset", "(3, 2)")),
        ("cutout", (COLOUR[0], 2), OutsideDomain, ("images", "rank 3")),
    ],
)
def test_mistakes(name: str, arguments: Any, error: type[Exception], words: tuple[str, ...]) -> None:
    with pytest.raises(error) as raised:
        getattr(tfa_image, name)(*arguments)
    assert all(word in str(raised.value) for word in words), raised.value


def test_what_stands_in_a_tf_function_is_ported() -> None:
    tfa = pytest.importorskip("tensorflow_addons")

    def body(image: Any) -> Any:
        smooth = tfa.image.mean_filter2d(image, 3)
        return smooth, tfa.image.connected_components(smooth[..., 0] > 0.5)

    image = np.random.default_rng(0).random((9, 8, 3)).astype(np.float32)
    (smooth, labels), (want, numbers) = pipeport.port(body, example=(image,))(image), body(image)
    np.testing.assert_allclose(smooth, want, rtol=1e-6)
    np.testing.assert_array_equal(labels, numbers)
