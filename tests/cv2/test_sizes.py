"""Sizes that are data, as those computed from an image's own: OpenCV's warps, maps and borders."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport import config
from pipeport.cv2 import (
    BORDER_CONSTANT,
    BORDER_REFLECT,
    BORDER_REFLECT_101,
    BORDER_REPLICATE,
    BORDER_WRAP,
    INTER_CUBIC,
    INTER_LINEAR,
    INTER_NEAREST,
    WARP_RELATIVE_MAP,
    copyMakeBorder,
    getRotationMatrix2D,
    remap,
    warpAffine,
    warpPerspective,
)
from pipeport.errors import UnsupportedArgument
from pipeport.kernels import xla

cv2 = pytest.importorskip("cv2")
IMAGE = np.random.default_rng(0).integers(0, 256, (33, 41, 3)).astype(np.uint8)
TURN = np.array([[0.87, 0.5, -3.2], [-0.5, 0.87, 9.4]])
BORDERS = [BORDER_CONSTANT, BORDER_REPLICATE, BORDER_REFLECT, BORDER_WRAP, BORDER_REFLECT_101]


@pytest.fixture(autouse=True)
def _installed_version():
    with config.use_opencv(int(cv2.__version__.split(".")[0])):
        yield


SIZES_OUT = [(1, 1), (41, 33), (65, 20)]
AFFINE_FORMS = {
    "bytes": ("uint8", 3, {}),
    "bytes, replicated": ("uint8", 4, {"borderMode": 1}),
    "floats": ("float32", 3, {"borderValue": (1, 2, 3)}),
    "floats, cubic": ("float32", 1, {"flags": INTER_CUBIC, "borderMode": BORDER_REFLECT}),
    "nearest": ("int16", 2, {"flags": INTER_NEAREST}),
}
TILT = np.vstack([TURN, [1e-3, 2e-3, 1.0]])


def picture(dtype, channels, height=33, width=41):
    pixels = np.random.default_rng(channels).integers(0, 256, (height, width, channels))
    return pixels.astype(dtype)


@pytest.mark.parametrize("form", AFFINE_FORMS)
@pytest.mark.parametrize("known", ["image", "nothing"])
def test_an_output_size_that_is_data_gives_what_a_number_gives(form, known):
    dtype, channels, options = AFFINE_FORMS[form]
    image = picture(dtype, channels)
    sides = image.shape[:2] if known == "image" else (None, None)
    specs = [
        tf.TensorSpec([*sides, channels], dtype),
        tf.TensorSpec([], tf.int32),
        tf.TensorSpec([], tf.int64),
    ]
    graph = tf.function(lambda i, w, h: warpAffine(i, TURN, (w, h), **options), input_signature=specs)
    for width, height in SIZES_OUT if known == "nothing" else SIZES_OUT[-1:]:
        expected = cv2.warpAffine(image, TURN, (width, height), **options)
        found = graph(image, width, height).numpy()
        assert found.shape == expected.shape
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=2e-3)


def test_a_projective_output_size_that_is_data():
    specs = [tf.TensorSpec([None, None, 2], tf.int16), tf.TensorSpec([2], tf.int64)]
    image = picture("int16", 2)
    graph = tf.function(lambda i, size: warpPerspective(i, TILT, size), input_signature=specs)
    for size in SIZES_OUT:
        np.testing.assert_array_equal(graph(image, size), cv2.warpPerspective(image, TILT, size))


def test_one_program_serves_the_sizes_of_a_bucket(monkeypatch):
    rooms = []

    def traced(build, *static):
        def call(*arguments):
            rooms.append(tf.shape(arguments[-1][1]))  # what XLA compiles for
            return tf.function(build(*static), jit_compile=True, autograph=False)(*arguments)

        return call

    monkeypatch.setattr(xla, "compiled", traced)

    @tf.function(input_signature=[tf.TensorSpec([None, None, 3], tf.uint8), tf.TensorSpec([2], tf.int32)])
    def graph(image, size):
        return warpAffine(image, TURN, size), rooms[-1]

    found = {size: graph(IMAGE, size)[1].numpy().tolist() for size in ((1, 1), (41, 33), (60, 64), (65, 20))}
    assert found == {
        (1, 1): [64, 64, 0],
        (41, 33): [64, 64, 0],
        (60, 64): [64, 64, 0],
        (65, 20): [64, 128, 0],
    }
    assert len(rooms) == 1


def test_the_size_of_the_image_itself_where_it_is_unknown():
    @tf.function(input_signature=[tf.TensorSpec([None, None, 3], tf.uint8)])
    def turned(image):
        height, width = tf.unstack(tf.shape(image)[:2])
        centre = (width / 2, height / 2)
        return warpAffine(image, getRotationMatrix2D(centre, 30, 1.0), (width, height))

    for height, width in ((33, 41), (70, 20)):
        image = picture("uint8", 3, height, width)
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), 30, 1.0)
        expected = cv2.warpAffine(image, matrix, (width, height))
        assert (turned(image).numpy() != expected).mean() < 1e-3


def test_sides_that_are_known_stay_known():
    specs = [tf.TensorSpec([None, None, 3], tf.uint8), tf.TensorSpec([], tf.int32)]

    @tf.function(input_signature=specs)
    def to_height(image, width):
        result = warpAffine(image, TURN, (width, 48))
        assert result.shape.as_list() == [48, None, 3]
        return result

    expected = cv2.warpAffine(IMAGE, TURN, (70, 48))
    assert (to_height(IMAGE, 70).numpy() != expected).mean() < 1e-3
    with pytest.raises(tf.errors.InvalidArgumentError, match="a tensor that is not positive beside a number"):
        to_height(IMAGE, 0)


def test_sizes_that_are_not_positive_ask_for_the_image_s_own():
    specs = [tf.TensorSpec([None, None, 3], tf.uint8), tf.TensorSpec([2], tf.int32)]
    graph = tf.function(lambda i, size: warpAffine(i, TURN, size), input_signature=specs)
    for size in ((0, 5), (-1, -1)):
        expected = cv2.warpAffine(IMAGE, TURN, size)
        assert expected.shape == IMAGE.shape
        assert (graph(IMAGE, size).numpy() != expected).mean() < 1e-3


def test_a_size_of_an_image_under_xla():
    @tf.function(jit_compile=True, input_signature=[tf.TensorSpec([None, None, 3], tf.uint8)])
    def half(image):
        height, width = tf.unstack(tf.shape(image)[:2] // 2)
        return warpAffine(image, TURN, (width, height))

    assert (half(IMAGE).numpy() != cv2.warpAffine(IMAGE, TURN, (20, 16))).mean() < 1e-3


def test_maps_of_unknown_size():
    spec = tf.TensorSpec([None, None], tf.float32)
    signature = [tf.TensorSpec([None, None, 3], tf.uint8), spec, spec]
    flags = (INTER_LINEAR, INTER_NEAREST | WARP_RELATIVE_MAP)
    for flag in flags:
        graph = tf.function(lambda i, c, r, flag=flag: remap(i, c, r, flag), input_signature=signature)
        for width, height in SIZES_OUT:
            columns, rows = (
                np.random.default_rng(width).uniform(-5, 40, (2, height, width)).astype(np.float32)
            )
            np.testing.assert_array_equal(graph(IMAGE, columns, rows), remap(IMAGE, columns, rows, flag))


@pytest.mark.parametrize("dsize", [tf.constant([1.0, 2.0]), tf.constant([3]), (3, tf.constant(2.5))])
def test_tensors_that_are_no_sizes_are_refused(dsize):
    with pytest.raises(UnsupportedArgument, match=r"dsize: got .*; allowed: two integers"):
        tf.function(lambda size: warpAffine(IMAGE, TURN, size))(dsize)


@pytest.mark.parametrize("border", BORDERS)
@pytest.mark.parametrize("jit", [None, True])
def test_borders_whose_widths_are_data(border, jit):
    image = picture("uint8", 3, 4, 5)
    specs = [tf.TensorSpec([None, None, 3], tf.uint8), *[tf.TensorSpec([], tf.int64)] * 2]

    @tf.function(input_signature=specs, jit_compile=jit)
    def graph(image, top, right):
        return copyMakeBorder(image, top, 2, 0, right, border, value=(1, 2, 3))

    for top, right in ((0, 0), (1, 0), (9, 13)):
        expected = cv2.copyMakeBorder(image, top, 2, 0, right, border, value=(1, 2, 3))
        np.testing.assert_array_equal(graph(image, top, right), expected)


def test_an_image_is_padded_to_a_square():
    def square(image, border):
        height, width = image.shape[:2]
        side = max(height, width)
        below, right = side - height, side - width
        return border(image, below // 2, below - below // 2, right // 2, right - right // 2, BORDER_CONSTANT)

    ported = pipeport.port(lambda image: square(image, cv2.copyMakeBorder))
    dataset = tf.data.Dataset.from_generator(
        lambda: (picture("uint8", 3, *size) for size in ((4, 7), (9, 2))),
        output_signature=tf.TensorSpec([None, None, 3], tf.uint8),
    )
    for image, found in zip(dataset, dataset.map(ported), strict=True):
        np.testing.assert_array_equal(found, square(image.numpy(), cv2.copyMakeBorder))


def test_static_sizes_are_those_that_numbers_give():
    @tf.function(input_signature=[tf.TensorSpec([4, None, 3], tf.uint8), tf.TensorSpec([], tf.int32)])
    def graph(image, top):
        assert copyMakeBorder(image, 1, 2, top, 0, BORDER_CONSTANT).shape.as_list() == [7, None, 3]
        return copyMakeBorder(image, top, 0, 1, 1, BORDER_WRAP)

    assert graph.get_concrete_function().structured_outputs.shape.as_list() == [None, None, 3]


def test_widths_that_are_no_widths_are_refused():
    spec = tf.TensorSpec([], tf.int32)
    graph = tf.function(
        lambda top: copyMakeBorder(IMAGE, top, 0, 0, 0, BORDER_CONSTANT), input_signature=[spec]
    )
    with pytest.raises(tf.errors.InvalidArgumentError, match="top: got a negative width"):
        graph(-1)
    for wrong in (tf.TensorSpec([], tf.float32), tf.TensorSpec([2], tf.int32)):
        body = tf.function(lambda top: copyMakeBorder(IMAGE, top, 0, 0, 0, 0), input_signature=[wrong])
        with pytest.raises(UnsupportedArgument, match="top: got a tensor of"):
            body.get_concrete_function()
