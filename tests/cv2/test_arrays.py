"""`cv2.flip`, `rotate`, `transpose` and `copyMakeBorder`: known answers and what they refuse."""

from __future__ import annotations

import numpy as np
import pytest
import tensorflow as tf

import pipeport
from pipeport import config
from pipeport import cv2 as mirror
from pipeport.errors import OutsideDomain, UnsupportedArgument

cv2 = pytest.importorskip("cv2")


@pytest.fixture(autouse=True)
def _installed_version():
    config.set_opencv(int(cv2.__version__.split(".")[0]))
    yield
    config.set_opencv(None)


def test_a_single_number_fills_the_first_channel_alone() -> None:
    border = mirror.copyMakeBorder(tf.ones([2, 2, 3]), 1, 0, 0, 0, mirror.BORDER_CONSTANT, value=7)
    assert border.numpy()[0, 0].tolist() == [7.0, 0.0, 0.0]


@pytest.mark.parametrize(
    "value", [None, 7, 2.5, 3.5, -1.5, 300, 1e10, float("nan"), (1, 2), [9.5, 0, 1.5, 2]]
)
@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "int32", "float16", "float32"])
def test_fills_are_rounded_and_saturated(dtype: str, value) -> None:
    x = np.ones((2, 3, 3), dtype)
    right = cv2.copyMakeBorder(x, 1, 2, 0, 3, cv2.BORDER_CONSTANT, value=value)
    got = mirror.copyMakeBorder(tf.constant(x), 1, 2, 0, 3, mirror.BORDER_CONSTANT, value=value).numpy()
    np.testing.assert_array_equal(right, got)


@pytest.mark.parametrize("kind", [1, 2, 3, 4])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_borders_wider_than_the_image(kind: int, size: int) -> None:
    x = np.arange(2 * size, dtype=np.uint8).reshape(2, size)
    right = cv2.copyMakeBorder(x, 5, 4, 7, 8, kind)
    unknown = tf.function(
        lambda a: mirror.copyMakeBorder(a, 5, 4, 7, 8, kind),
        input_signature=[tf.TensorSpec([None, None], tf.uint8)],
    )
    np.testing.assert_array_equal(right, mirror.copyMakeBorder(x, 5, 4, 7, 8, kind).numpy())
    np.testing.assert_array_equal(right, unknown(x).numpy())


@pytest.mark.parametrize("code", [0, 1, 2])
@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_compiled_quarter_turns(dtype: str, code: int) -> None:
    x = np.arange(60, dtype=dtype).reshape(4, 5, 3)
    right = cv2.rotate(x, code)
    for policy in ("never", "always"):
        with config.use_jit(policy):
            got = tf.function(lambda a: mirror.rotate(a, code))(tf.constant(x))
        np.testing.assert_array_equal(right, got.numpy())


def test_one_channel_loses_its_axis() -> None:
    x = tf.zeros([4, 5, 1])
    assert mirror.flip(x, 1).shape.as_list() == [4, 5]
    assert mirror.transpose(x).shape.as_list() == [5, 4]
    assert mirror.rotate(x, mirror.ROTATE_180).shape.as_list() == [4, 5]
    assert mirror.copyMakeBorder(x, 1, 1, 1, 1, 4).shape.as_list() == [6, 7]


@pytest.mark.parametrize(
    "call",
    [
        lambda m, x: m.flip(x, 1.0),
        lambda m, x: m.flip(x, True),
        lambda m, x: m.flip(x, 2**31),
        lambda m, x: m.rotate(x, 1.0),
        lambda m, x: m.transpose(np.zeros((4, 5, 5), np.uint8)),
        lambda m, x: m.rotate(np.zeros((4, 5, 5), np.uint8), 0),
        lambda m, x: m.copyMakeBorder(x, -1, 0, 0, 0, 0),
        lambda m, x: m.copyMakeBorder(x, 1.0, 0, 0, 0, 0),
        lambda m, x: m.copyMakeBorder(x, 1, 0, 0, 0, 5),
        lambda m, x: m.copyMakeBorder(x, 1, 0, 0, 0, -1),
        lambda m, x: m.copyMakeBorder(x, 1, 0, 0, 0, 0, value="a"),
        lambda m, x: m.copyMakeBorder(x, 1, 0, 0, 0, 0, value=(1, 2, 3, 4, 5)),
        lambda m, x: m.copyMakeBorder(np.zeros((4, 5, 5), np.uint8), 1, 0, 0, 0, 0, value=1),
        lambda m, x: m.flip(np.zeros((2, 4, 5, 3), np.uint8), 1),
    ],
)
def test_what_opencv_refuses_is_refused(call) -> None:
    x = np.zeros((4, 5, 3), np.uint8)
    with pytest.raises(cv2.error):
        call(cv2, x)
    with pytest.raises((OutsideDomain, UnsupportedArgument), match=r"got .*allowed"):
        call(mirror, x)


def test_an_empty_image_of_unknown_size_is_found_at_run_time() -> None:
    turned = tf.function(
        lambda a: mirror.flip(a, 1), input_signature=[tf.TensorSpec([None, None, 3], tf.uint8)]
    )
    with pytest.raises(tf.errors.InvalidArgumentError, match="no pixels"):
        turned(np.zeros((0, 4, 3), np.uint8))


@pytest.mark.parametrize("shape", [None, [None, None, None]])
def test_rank_and_channels_must_be_known(shape) -> None:
    with pytest.raises(UnsupportedArgument, match=r"tf\.ensure_shape"):
        tf.function(
            lambda a: mirror.flip(a, 1), input_signature=[tf.TensorSpec(shape, tf.uint8)]
        ).get_concrete_function()


def test_bool_images_are_those_of_opencv_5() -> None:
    config.set_opencv(4)
    with pytest.raises(OutsideDomain, match="dtype bool"):
        mirror.flip(tf.zeros([2, 2], tf.bool), 1)
    config.set_opencv(5)
    assert mirror.flip(tf.zeros([2, 2], tf.bool), 1).dtype == tf.bool


@pytest.mark.parametrize("code", [0, 1, -1])
@pytest.mark.parametrize("channels", [1, 2, 3])
def test_flips_of_batches_and_unknown_sizes(code: int, channels: int) -> None:
    x = np.arange(2 * 4 * 5 * channels, dtype=np.float32).reshape(2, 4, 5, channels)
    right = np.stack([cv2.flip(image, code).reshape(image.shape) for image in x])
    for sizes in ((2, 4, 5), (None, 4, None), (None, None, None)):
        run = tf.function(
            lambda a: pipeport.batched(mirror.flip)(a, code),
            input_signature=[tf.TensorSpec([*sizes, channels], tf.float32)],
        )
        np.testing.assert_array_equal(run(x).numpy().reshape(x.shape), right)
    inside = tf.function(lambda a: mirror.flip(a, code), jit_compile=True)(x[0])
    np.testing.assert_array_equal(inside.numpy().reshape(x[0].shape), right[0])
