"""Grey and binary morphology and medians of scipy.ndimage: bit for bit, masks, iterations, refusals."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.ndimage as reference
import tensorflow as tf

import pipeport
from pipeport.errors import OutsideDomain, UnsupportedArgument
from pipeport.scipy import ndimage

pytestmark = pytest.mark.newest_only

RANDOM = np.random.default_rng(42)
IMAGE = RANDOM.integers(0, 256, (9, 11, 3)).astype(np.uint8)
TRUE = RANDOM.random((9, 11, 3)) > 0.3
MASK = RANDOM.random((9, 11, 3)) > 0.3
CORNER = np.array([[1, 0, 0, 1], [0, 0, 1, 0]])
HEIGHTS = np.array([[1.0, 2.5, 3.0], [0.25, 20.0, 0.5]])
MORPHOLOGY = ["grey_erosion", "grey_dilation"]
BINARY = ["binary_erosion", "binary_dilation"]


def _agree(name, image, jit_compile=None, **options):
    native = tf.function(lambda x: getattr(ndimage, name)(x, **options), jit_compile=jit_compile)(image)
    right = getattr(reference, name)(image, **options)
    assert native.dtype == right.dtype
    np.testing.assert_array_equal(native, right)


@pytest.mark.parametrize("dtype", ["uint8", "int16", "uint16", "float32", "float64"])
@pytest.mark.parametrize("name", MORPHOLOGY)
def test_sums_with_a_structure_are_those_of_the_dtype(name, dtype):
    image = IMAGE.astype(dtype) - np.asarray(100 * (dtype[0] != "u"), dtype)
    for output in (None, "float64", "int16"):
        _agree(name, image, structure=HEIGHTS, axes=(0, 1), output=output)
    _agree(name, image, structure=HEIGHTS, footprint=HEIGHTS < 3, axes=(0, 1), mode="constant", cval=2.25)
    _agree(name, image, size=(2, 3, 1), origin=(-1, 0, 0) if name == "grey_erosion" else 0, mode="wrap")
    _agree(name, image, footprint=CORNER, axes=(1, 0), mode="nearest", output="int16")


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"iterations": 4, "border_value": 1},
        {"iterations": 3, "mask": MASK},
        {"iterations": 2, "mask": MASK.astype(np.uint8), "structure": np.ones((3, 3)), "axes": (1, 0)},
        {"iterations": 2, "structure": np.ones((2, 3, 1)), "origin": (0, -1, 0), "brute_force": True},
        {"iterations": 2, "structure": CORNER, "axes": (0, 1), "border_value": 1, "mask": MASK},
        {"structure": np.zeros((3, 3, 3)), "mask": MASK},
    ],
)
@pytest.mark.parametrize("name", BINARY)
def test_truth_values_grow_and_shrink_as_in_the_reference(name, options):
    _agree(name, TRUE, **options)
    _agree(name, np.where(TRUE, np.nan, 0.0), jit_compile=True, **options)


def test_a_mask_of_another_size_is_found_in_the_graph():
    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.bool)] * 2)
    def grown(x, mask):
        return ndimage.binary_dilation(x, mask=mask, iterations=2)

    right = reference.binary_dilation(TRUE[..., 0], mask=MASK[..., 0], iterations=2)
    np.testing.assert_array_equal(grown(TRUE[..., 0], MASK[..., 0]), right)
    np.testing.assert_array_equal(grown(TRUE[:0, :, 0], MASK[:0, :, 0]), right[:0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="mask"):
        grown(TRUE[..., 0], MASK[:5, :, 0])


@pytest.mark.parametrize("count", [1, 2, 3, 4, 7, 9, 25])
@pytest.mark.parametrize("dtype", ["uint8", "int64", "float32"])
def test_medians_of_one_axis(dtype, count):
    line = (
        (RANDOM.random(40) * 2.0**60).astype(dtype) if dtype == "int64" else IMAGE.ravel()[:40].astype(dtype)
    )
    _agree("median_filter", line, size=count, mode="mirror")


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int8", "uint16", "int64", "float32", "float64"])
def test_medians_of_every_dtype(dtype):
    image = TRUE if dtype == "bool" else IMAGE.astype(dtype)
    _agree("median_filter", image, size=(2, 3, 1), origin=(-1, 1, 0), mode="wrap")
    _agree("median_filter", image, footprint=CORNER, axes=(1, 0), origin=(1, -1), mode="constant", cval=1)
    _agree("median_filter", image, size=5, axes=(0, 1), output="float64", jit_compile=True)


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int16", "int64", "float32"])
@pytest.mark.parametrize(
    "options",
    [
        {"size": 10},
        {"size": (1, 101), "mode": "mirror"},
        {"size": (101, 1), "mode": "constant", "cval": 3},
        {"size": (9, 12), "mode": "nearest", "origin": (-2, 3)},
        {"footprint": np.hypot(*np.ogrid[-7:8, -9:10]) < 8, "mode": "wrap"},
        {"footprint": np.random.default_rng(3).integers(0, 2, (19, 23))},
    ],
)
def test_medians_of_many_neighbours(dtype, options):
    image = (np.random.default_rng(9).standard_normal((37, 41)) * 20).astype(dtype)
    right = reference.median_filter(image, **options)
    found = [ndimage.median_filter(image, **options)]
    unknown = tf.TensorSpec([None, None], dtype)
    for spec, compiled in ((unknown, False), (tf.TensorSpec(image.shape, dtype), True)):
        if not compiled or dtype == "int16":

            @tf.function(input_signature=[spec], jit_compile=compiled, autograph=False)
            def graph(x):
                return ndimage.median_filter(x, **options)

            found.append(graph(image))
    for one in found:
        np.testing.assert_array_equal(one, right)


def test_medians_of_many_neighbours_in_batches_volumes_and_few_elements():
    images = np.random.default_rng(4).integers(0, 255, (3, 20, 30, 3)).astype(np.uint8)
    found = pipeport.batched(ndimage.median_filter)(images, (11, 11, 1))
    for image, one in zip(images, found, strict=True):
        np.testing.assert_array_equal(one, reference.median_filter(image, (11, 11, 1)))
    np.testing.assert_array_equal(ndimage.median_filter(images, 5), reference.median_filter(images, 5))
    few = images[0, :1, :5, 0]
    np.testing.assert_array_equal(ndimage.median_filter(few, 15), reference.median_filter(few, 15))
    assert ndimage.median_filter(images[:0], 11).shape == (0, 20, 30, 3)


def test_what_is_not_served_is_refused():
    with pytest.raises(OutsideDomain, match="none of them"):
        ndimage.grey_erosion(IMAGE)
    with pytest.raises(UnsupportedArgument, match="both"):
        ndimage.grey_dilation(IMAGE, 3, structure=np.ones((3, 3, 3)))
    with pytest.raises(OutsideDomain, match="that of the structure"):
        ndimage.grey_dilation(IMAGE, None, CORNER, HEIGHTS, axes=(0, 1))
    with pytest.raises(UnsupportedArgument, match="bool input"):
        ndimage.grey_erosion(TRUE, structure=HEIGHTS, axes=(0, 1))
    with pytest.raises(UnsupportedArgument, match="1 or more"):
        ndimage.binary_erosion(TRUE, iterations=0)
    with pytest.raises(UnsupportedArgument, match="mask"):
        ndimage.binary_erosion(TRUE, mask=MASK * 0.5)
    with pytest.raises(OutsideDomain, match="mask"):
        ndimage.binary_erosion(TRUE, mask=MASK[:4])
    with pytest.raises(UnsupportedArgument, match="output"):
        ndimage.binary_dilation(TRUE, output="uint8")
    with pytest.raises(OutsideDomain, match="origin"):
        ndimage.binary_dilation(TRUE, origin=2)
    with pytest.raises(UnsupportedArgument, match="of one axis"):
        ndimage.median_filter(IMAGE[0, :, 0], 3, output="float32")
