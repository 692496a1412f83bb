"""Framing idioms and volumes: known answers, other libraries, sizes and corners that are data, refusals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tensorflow as tf

from pipeport import batched, references
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType
from pipeport.idioms import crop_at, crop_or_pad, letterbox, resize_pair, rotate_volume

pytestmark = pytest.mark.newest_only

RNG = np.random.default_rng(0)
BYTES = RNG.integers(0, 256, (37, 53, 3), dtype=np.uint8)
FLOATS = RNG.uniform(size=(37, 53, 3)).astype(np.float32)
MASK = RNG.integers(0, 9, (37, 53), dtype=np.int32)
SIZES = [(37, 53), (64, 64), (20, 90), (1, 1), (111, 159), (74, 106)]


def same(actual: Any, expected: Any, close: float = 0.0) -> None:
    actual, expected = tf.nest.flatten(actual), tf.nest.flatten(expected)
    assert len(actual) == len(expected)
    for got, right in zip(actual, expected, strict=True):
        assert got.numpy().dtype == np.asarray(right).dtype
        assert tuple(got.shape) == np.shape(right)
        np.testing.assert_allclose(got, right, rtol=0, atol=close if got.dtype.is_floating else 0)


def unknown(function: Any, *arrays: Any) -> Any:
    """Run in a graph that knows neither height nor width."""
    specs = [tf.TensorSpec([None, None, *np.shape(a)[2:]], np.asarray(a).dtype) for a in arrays]
    return tf.function(function, input_signature=specs)(*arrays)


@pytest.mark.parametrize("size", SIZES)
def test_resize_is_that_of_opencv(size: tuple[int, int]) -> None:
    import cv2

    image, mask = resize_pair(FLOATS, MASK, size)
    height, width = size
    np.testing.assert_allclose(image, cv2.resize(FLOATS, (width, height)), atol=1e-5)
    levels = cv2.resize(BYTES, (width, height)).astype(int)
    assert np.abs(resize_pair(BYTES, MASK, size)[0].numpy() - levels).max() <= 1
    exact = cv2.resize(MASK.astype(np.uint8), (width, height), interpolation=cv2.INTER_NEAREST_EXACT)
    np.testing.assert_array_equal(mask, exact)


@pytest.mark.parametrize("size", SIZES)
def test_every_form_of_resize_pair_agrees(size: tuple[int, int]) -> None:
    for image in (BYTES, FLOATS, BYTES.astype(np.int32) << 22):
        expected = references.resize_pair(image, MASK, size)
        call = lambda x, y: resize_pair(x, y, size)  # noqa: E731
        same(call(image, MASK), expected, 1e-6)
        same(unknown(call, image, MASK), expected, 1e-6)
        traced = tf.function(call).get_concrete_function(tf.constant(image), tf.constant(MASK))
        assert traced.structured_outputs[0].shape == (*size, 3)
        assert any(f.attr["_XlaMustCompile"].b for f in traced.graph.as_graph_def().library.function)
        same(traced(tf.constant(image), tf.constant(MASK)), expected, 1e-6)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "image", [BYTES, FLOATS, FLOATS[:, :2], FLOATS[:1]], ids=["u8", "f32", "tall", "flat"]
)
def test_letterbox(image: np.ndarray, size: tuple[int, int]) -> None:
    boxes = np.array([[0, 0, image.shape[1], image.shape[0]], [1, 2, 3.5, 4]], np.float32)
    expected = references.letterbox(image, size, boxes, 114)
    same(letterbox(image, size, boxes, 114), expected, 1e-4)
    same(unknown(lambda x: letterbox(x, size, boxes, 114), image), expected, 1e-4)
    framed, moved, scale, offset = letterbox(image, size, boxes, fill=114)
    # The box of the whole image is the part of the frame that is not border.
    left, top, right, bottom = np.rint(moved.numpy()[0]).astype(int)
    inside = np.zeros(size, bool)
    inside[top:bottom, left:right] = True
    assert (framed.numpy()[~inside] == 114).all()
    assert right - left == size[1] or bottom - top == size[0]
    back = (moved.numpy()[:, ::-1].reshape(2, 2, 2) - offset.numpy()) / scale.numpy()
    np.testing.assert_allclose(back.reshape(2, 4)[:, ::-1], boxes, atol=1e-4)


def test_letterbox_knows_the_frame_whatever_the_image() -> None:
    spec = [tf.TensorSpec([None, None, 3], tf.uint8), tf.TensorSpec([None, 4], tf.float32)]
    graph = tf.function(lambda x, b: letterbox(x, (64, 96), b), input_signature=spec).get_concrete_function()
    assert [s.shape.as_list() for s in graph.structured_outputs] == [[64, 96, 3], [None, 4], [2], [2]]


def test_a_border_may_have_a_colour() -> None:
    framed = letterbox(BYTES, (80, 60), fill=(1, 2, 3))[0].numpy()
    assert framed[0].tolist() == [[1, 2, 3]] * 60
    padded = crop_or_pad(BYTES, (40, 50), fill=(1, 2, 3)).numpy()
    np.testing.assert_array_equal(padded[1:38], BYTES[:, 1:51])
    assert padded[0].tolist() == [[1, 2, 3]] * 50


@pytest.mark.parametrize("size", [(37, 53), (40, 60), (41, 59), (20, 30), (21, 31), (20, 90), (90, 20)])
def test_crop_or_pad_is_that_of_tensorflow(size: tuple[int, int]) -> None:
    expected = tf.image.resize_with_crop_or_pad(BYTES, *size).numpy()
    same(crop_or_pad(BYTES, size), expected)
    same(unknown(lambda x: crop_or_pad(x, size), BYTES), expected)
    same(crop_or_pad(BYTES, size, MASK, mask_fill=255), references.crop_or_pad(BYTES, size, MASK, 0, 255))
    same(tf.function(lambda x: crop_or_pad(x, size), jit_compile=True)(BYTES), expected)


def test_a_corner_that_is_data() -> None:
    graph = tf.function(lambda x, y, c: crop_at(x, c, (5, 7), y))
    for corner in ((0, 0), (32, 46), (3, 11)):
        same(graph(BYTES, MASK, tf.constant(corner)), references.crop_at(BYTES, corner, (5, 7), MASK))
        found = unknown(lambda x, corner=corner: crop_at(x, corner, (5, 7)), BYTES)
        same(found, references.crop_at(BYTES, corner, (5, 7)))
    for corner in ((33, 0), (0, 47), (-1, 0)):
        with pytest.raises(tf.errors.InvalidArgumentError, match="a window beyond the image at run time"):
            graph(BYTES, MASK, tf.constant(corner))
        with pytest.raises(OutsideDomain, match="a window inside the image"):
            crop_at(BYTES, corner, (5, 7))


def test_a_batch_has_a_corner_for_each() -> None:
    several, corners = np.stack([BYTES, BYTES[::-1]]), np.array([[1, 2], [30, 40]])
    expected = np.stack([references.crop_at(x, c, (5, 7)) for x, c in zip(several, corners, strict=True)])
    same(batched(crop_at)(several, corners, (5, 7)), expected)
    masks = np.stack([MASK, MASK[::-1]])
    image, mask = batched(crop_at)(several, (1, 2), (5, 7), masks)
    same(mask, np.stack([m[1:6, 2:9] for m in masks]))
    assert image.shape == (2, 5, 7, 3)


@pytest.mark.parametrize("axes", [(0, 1), (1, 2), (0, 2), (-1, 0)])
def test_a_volume_turns_in_any_plane(axes: tuple[int, int]) -> None:
    volume = RNG.uniform(size=(9, 8, 7)).astype(np.float32)
    expected = references.rotate_volume(volume, 30, axes)
    same(rotate_volume(volume, 30, axes), expected, 1e-6)
    graph = tf.function(
        lambda x, a: rotate_volume(x, a, axes),
        input_signature=[tf.TensorSpec([None] * 3), tf.TensorSpec([], tf.float64)],
    )
    same(graph(volume, 30.0), expected, 1e-6)
    several, angles = np.stack([volume, -volume]), np.array([30.0, -75.0])
    each = [references.rotate_volume(v, a, axes) for v, a in zip(several, angles, strict=True)]
    same(batched(rotate_volume)(several, angles, axes), np.stack(each), 1e-6)


def test_a_volume_keeps_its_range() -> None:
    box = np.zeros((12, 12, 3), np.float32)
    box[4:8, 4:8] = 1
    import scipy.ndimage

    assert scipy.ndimage.rotate(box, 30, reshape=False).max() > 1.05
    turned = rotate_volume(box, 30).numpy()
    assert (turned.min(), turned.max()) == (0, 1)
    limited = rotate_volume(box, 30, limits=(0.25, 0.5)).numpy()
    assert (limited.min(), limited.max()) == (0.25, 0.5)
    levels = rotate_volume((box * 255).astype(np.uint8), 30).numpy()
    # SciPy's own bytes wrap around where the spline overshoots; these do not.
    np.testing.assert_array_equal(levels, references.rotate_volume((box * 255).astype(np.uint8), 30))


@pytest.mark.parametrize(
    ("call", "ours", "message"),
    [
        (lambda: resize_pair(BYTES, MASK[1:], (5, 5)), OutsideDomain, "the height and width of `image`"),
        (lambda: resize_pair(BYTES > 9, MASK, (5, 5)), OutsideDomain, "image: got dtype bool"),
        (lambda: resize_pair(BYTES, MASK, (0, 5)), OutsideDomain, "size: got"),
        (lambda: resize_pair(BYTES, MASK, 5), OutsideDomain, "two whole numbers"),
        (lambda: resize_pair(BYTES, MASK, (5.5, 5)), WrongType, "size: got"),
        (lambda: resize_pair(BYTES[:0], MASK[:0], (5, 5)), OutsideDomain, "no axis empty"),
        (lambda: letterbox(BYTES, (5, 5), np.ones((2, 5))), OutsideDomain, r"boxes: got shape \(2, 5\)"),
        (lambda: letterbox(BYTES, (5, 5), fill=256), OutsideDomain, "fill: got 256; allowed: values uint8"),
        (lambda: letterbox(BYTES, (5, 5), fill="grey"), WrongType, "fill: got 'grey'"),
        (lambda: letterbox(BYTES[None], (5, 5)), OutsideDomain, "image: got shape"),
        (lambda: crop_or_pad(BYTES, (5, 5), MASK[:, 1:]), OutsideDomain, "mask: got shape"),
        (lambda: crop_at(BYTES, (0.5, 0), (5, 5)), WrongType, "offset: got dtype float64"),
        (lambda: crop_at(BYTES, (0, 0, 0), (5, 5)), OutsideDomain, r"offset: got shape \(3,\)"),
        (lambda: rotate_volume(FLOATS, np.nan), OutsideDomain, "angle: got nan"),
        (lambda: rotate_volume(FLOATS, 3, order=6), UnsupportedArgument, "order: got 6; allowed: 0 to 5"),
        (lambda: rotate_volume(FLOATS, 3, order=1.0), WrongType, r"order: got 1\.0"),
        (lambda: rotate_volume(FLOATS, 3, mode="edge"), UnsupportedArgument, "mode: got 'edge'"),
        (lambda: rotate_volume(FLOATS, 3, (0, 0)), UnsupportedArgument, "distinct axes"),
        (lambda: rotate_volume(FLOATS, 3, 0), OutsideDomain, "two axes"),
        (lambda: rotate_volume(FLOATS, 3, (0, 3)), ValueError, "axes: got 3; allowed: -3 to 2"),
        (lambda: rotate_volume(FLOATS, 3, limits=1), WrongType, "limits: got 1"),
        (lambda: rotate_volume(FLOATS[0, 0], 3), OutsideDomain, "two axes or more"),
    ],
)
def test_refusals(call: Any, ours: type, message: str) -> None:
    with pytest.raises(ours, match=message):
        call()
