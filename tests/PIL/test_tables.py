"""Coefficients computed in a graph are those computed while tracing, bit for bit."""

from __future__ import annotations

import numpy as np
import PIL.Image
import pytest
import tensorflow as tf

from pipeport.errors import UnsupportedArgument
from pipeport.kernels.pillow import _bytes
from pipeport.kernels.pillow import _filters as filters
from pipeport.PIL import Image

SIZES = [(size, out) for size in (2, 5, 6, 7, 11, 40, 333) for out in (1, 3, 5, 7, 17, 224)]


@pytest.mark.parametrize("number", [filters.LANCZOS, filters.BICUBIC, filters.MKS2013, filters.MKS2021])
def test_a_graph_computes_the_same_table(number: int) -> None:
    @tf.function(reduce_retracing=True)
    def in_graph(size, stop, out):
        return filters.graph_table(size, tf.constant(0.0), stop, out, number, tf.constant(False)).weights

    for size, out in SIZES:
        expected = filters.table(size, 0.0, float(size), out, number).weights
        got = in_graph(tf.constant(size), tf.constant(float(size)), tf.constant(out)).numpy()
        np.testing.assert_array_equal(got[: len(expected)], expected)


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
def test_sums_that_end_halfway_between_two_whole_numbers(number: int) -> None:
    """Coefficients one rounding away put such pixels on the other side."""
    resize = tf.function(
        lambda x, out: tf.convert_to_tensor(Image.resize(Image.fromarray(x), (out, 1), number)),
        input_signature=[tf.TensorSpec([1, None], tf.int32), tf.TensorSpec([], tf.int32)],
    )
    for size, out in ((3, 4), (3, 16), (5, 7), (6, 17), (9, 6), (11, 18)):
        image = np.arange(size, dtype=np.int32).reshape(1, size)
        expected = np.asarray(PIL.Image.fromarray(image).resize((out, 1), number))
        np.testing.assert_array_equal(resize(tf.constant(image), tf.constant(out)), expected)


@pytest.mark.parametrize("number", [Image.MKS2013, Image.MKS2021])
@pytest.mark.parametrize("dtype", ["uint16", "int32", "float32"])
def test_the_sharp_kernels_are_for_bytes(dtype: str, number: int) -> None:
    with pytest.raises(UnsupportedArgument, match="for an image of mode"):
        Image.resize(np.ones((3, 4), dtype), (2, 2), number)
    assert Image.resize(np.ones((3, 4), np.uint8), (2, 2), number).shape == (2, 2)


@pytest.mark.parametrize("dtype", ["uint16", "int32", "float32"])
def test_compiled_sums_round_each_product(dtype: str) -> None:
    """In one of a hundred such images XLA fused a product with the sum, once its sizes were known."""
    for shape, size in (((4, 4), (9, 13)), ((2, 3), (14, 15))):
        resize = tf.function(
            lambda x, size=size: tf.convert_to_tensor(Image.resize(Image.fromarray(x), size, 2)),
            jit_compile=True,
            input_signature=[tf.TensorSpec(shape, dtype)],
        )
        for seed in range(60):
            values = np.random.default_rng(seed).random(shape) * (1 if dtype == "float32" else 65535)
            image = values.astype(dtype)
            expected = np.asarray(PIL.Image.fromarray(image).resize(size, 2))
            np.testing.assert_array_equal(resize(tf.constant(image)), expected)


@pytest.mark.parametrize("known", [True, False])
def test_a_crop_reads_nothing_else(known: bool) -> None:
    """A box of whole pixels and the wanted size is cut out: what lies beside it does not count."""
    image = np.ones((12, 7), np.float32)
    image[0, 0] = np.nan
    for box, size in (((0, 1, 7, 12), (7, 11)), ((0, 1, 6, 12), (7, 11)), ((1, 0, 6, 9), (5, 9))):
        resize = tf.function(
            lambda x, box=box, size=size: tf.convert_to_tensor(
                Image.resize(Image.fromarray(x), size, 3, box)
            ),
            input_signature=[tf.TensorSpec([12, 7] if known else [None, None], tf.float32)],
        )
        expected = np.asarray(PIL.Image.fromarray(image).resize(size, 3, box))
        np.testing.assert_array_equal(resize(tf.constant(image)), expected)


@pytest.mark.parametrize(
    ("number", "counts"),
    [
        (filters.LANCZOS, {12, 24}),
        (filters.BICUBIC, {12}),
        (filters.BILINEAR, {6}),
        (filters.BOX, {6}),
    ],
)
def test_images_that_shrink_more_or_less_take_few_programs(number: int, counts: set[int]) -> None:
    """Each number of coefficients is compiled anew."""
    out = tf.constant([224, 224])
    found = {
        _bytes._both_axes(
            tf.constant([size, size]), out, tf.constant(224), number, None, tf.constant(False)
        ).weights.shape[0]
        for size in (120, 230, 300, 420, 520)
    }
    assert found == counts
