"""`skimage.util.img_as_*`: every dtype at its ends, images that keep their values, ranges, a body."""

from __future__ import annotations

import numpy as np
import pytest
import skimage
import tensorflow as tf

import pipeport
from pipeport import skimage as mirror
from pipeport.errors import OutsideDomain, UnsupportedArgument
from pipeport.porting import port
from pipeport.skimage import util

NAMES = ["img_as_bool", "img_as_float", "img_as_float32", "img_as_float64", "img_as_ubyte"]
INTEGERS = ["uint8", "uint16", "uint32", "int8", "int16", "int32", "int64"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dtype", INTEGERS)
def test_the_ends_of_integers(name: str, dtype: str) -> None:
    ends = np.iinfo(dtype)
    image = np.array([[ends.min, ends.min + 1, ends.max // 2, ends.max // 2 + 1, ends.max]], dtype)
    native, right = getattr(util, name), getattr(skimage.util, name)(image)
    graph = tf.function(native, input_signature=[tf.TensorSpec([None, None], dtype)], autograph=False)
    for found in (native(image).numpy(), graph(image).numpy()):
        assert found.dtype == right.dtype
        np.testing.assert_array_equal(found, right)


@pytest.mark.parametrize("dtype", ["uint16", "int16", "int64"])
def test_each_image_of_a_batch_of_bytes_keeps_its_values(dtype: str) -> None:
    images = np.array([[[0, 7, 255]], [[0, 7, 256]]], dtype)
    if dtype != "uint16":
        images = np.concatenate([images, [[[-70_000, -5, 3]]]]).astype(dtype)
    found = pipeport.batched(util.img_as_ubyte)(images).numpy()
    with pytest.warns(UserWarning, match="Downcasting"):
        right = [skimage.util.img_as_ubyte(image) for image in images]
    np.testing.assert_array_equal(found, right)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_floats_beyond_the_range_are_refused_in_the_graph(dtype: str) -> None:
    graph = tf.function(util.img_as_ubyte, autograph=False)
    image = np.array([[-1.0, 0.3, 1.0]], dtype)
    np.testing.assert_array_equal(graph(image), skimage.util.img_as_ubyte(image))
    for wrong in (-1.5, 1.01, np.inf):
        with pytest.raises(tf.errors.InvalidArgumentError, match="a pixel beyond -1 or 1"):
            graph(np.array([[wrong]], dtype))


@pytest.mark.parametrize("name", NAMES)
def test_the_top_level_has_them(name: str) -> None:
    assert getattr(mirror, name) is getattr(util, name)
    assert pipeport.catalog.find(f"skimage.{name}").native == f"pipeport.skimage.util.{name}"


def test_in_a_ported_body() -> None:
    def prepared(image):
        return skimage.img_as_ubyte(skimage.img_as_float(image) * 0.5)

    image = np.arange(24, dtype=np.uint8).reshape(4, 6)
    np.testing.assert_array_equal(port(prepared)(image), prepared(image))


def test_what_is_refused() -> None:
    with pytest.raises(UnsupportedArgument, match="force_copy: got True"):
        util.img_as_float(np.zeros([2, 2]), force_copy=True)
    with pytest.raises(OutsideDomain, match="complex64"):
        util.img_as_float(np.zeros([2, 2], np.complex64))
    with pytest.raises(OutsideDomain, match="no pixels"):
        util.img_as_ubyte(np.zeros([0, 2]))
