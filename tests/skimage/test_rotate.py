"""`pipeport.skimage.transform.rotate`: what the generic Hypothesis run does not say."""

from __future__ import annotations

import math

import numpy as np
import pytest
import tensorflow as tf
from skimage.data import astronaut
from skimage.transform import rotate as reference

from pipeport import batched, config
from pipeport.errors import OutsideDomain, UnsupportedArgument, WrongType
from pipeport.skimage.transform import rotate

pytestmark = pytest.mark.newest_only

MODES = ("constant", "edge", "symmetric", "reflect", "wrap")
PHOTO = astronaut()[100:180, 120:216]


def unknown_sizes(dtype: str, **options: object) -> tf.types.experimental.PolymorphicFunction:
    """Return rotate traced without knowing height and width."""
    signature = [tf.TensorSpec([None, None, 3], dtype), tf.TensorSpec([], tf.float64)]
    return tf.function(lambda image, angle: rotate(image, angle, **options), input_signature=signature)


@pytest.mark.parametrize("mode", MODES)
def test_a_photograph_is_closer_to_the_truth_than_the_reference_in_float32(mode: str) -> None:
    image = (PHOTO / 255).astype(np.float32)
    truth = reference(image.astype(np.float64), 33.0, mode=mode)
    own = np.abs(reference(image, 33.0, mode=mode) - truth).max()
    native = np.abs(tf.function(rotate)(image, 33.0, mode=mode).numpy() - truth).max()
    assert native < 5e-7
    assert native < own


@pytest.mark.parametrize("mode", MODES)
def test_padding_to_a_bucket_leaves_no_trace(mode: str) -> None:
    """Sizes below, at and above a bucket, one traced function for all of them."""
    traced = unknown_sizes("float64", mode=mode)
    random = np.random.default_rng(1)
    sizes = ((3, 5), (65, 63), (64, 64), (1, 130))
    # A bucket is a compilation; that all of them are met does not depend on the border.
    for size in sizes if mode in ("constant", "reflect") else sizes[:2]:
        image = random.uniform(size=(*size, 3))
        for angle in (0.0, 7.0, 90.0, 200.0):
            expected = reference(image, angle, mode=mode)
            np.testing.assert_allclose(traced(image, tf.constant(angle, tf.float64)), expected, atol=1e-11)
    assert traced.experimental_get_tracing_count() == 1


def test_clipping_with_a_fill_outside_the_range() -> None:
    """Only when every output pixel touches the image is the blend with cval cut off."""
    image = np.full((9, 9), 0.5)
    image[4, 4] = 0.25
    for angle in (1.0, 45.0):
        for clip in (True, False):
            expected = reference(image, angle, cval=2.0, clip=clip)
            for native in (rotate, tf.function(rotate)):
                np.testing.assert_allclose(native(image, angle, cval=2.0, clip=clip), expected, atol=1e-14)
    assert reference(image, 1.0, cval=2.0).max() < reference(image, 1.0, cval=2.0, clip=False).max()


@pytest.mark.parametrize("policy", config.JIT_POLICIES)
def test_every_policy_gives_the_same_picture(policy: str) -> None:
    with config.use_jit(policy):
        result = tf.function(lambda image: rotate(image, 20.0, preserve_range=True, dtype="uint8"))(PHOTO)
    expected = reference(PHOTO, 20.0, preserve_range=True)
    assert result.dtype == tf.uint8
    assert np.abs(result.numpy() - expected).max() <= 0.501


def test_the_policy_decides_what_is_compiled() -> None:
    def compiled(policy: str) -> bool:
        with config.use_jit(policy):
            traced = tf.function(lambda image: rotate(image, 20.0)).get_concrete_function(
                tf.TensorSpec([8, 8, 3], tf.float32)
            )
        library = traced.graph.as_graph_def().library.function
        return any(f.attr["_XlaMustCompile"].b for f in library)

    assert compiled("auto")
    assert not compiled("never")


def test_resizing_keeps_the_size_known_when_it_can_be() -> None:
    spec = tf.TensorSpec([40, 60, 3], tf.uint8)
    concrete = tf.function(lambda image: rotate(image, 30.0, resize=True)).get_concrete_function(spec)
    assert concrete.output_shapes.as_list() == list(
        reference(np.zeros((40, 60, 3), np.uint8), 30.0, resize=True).shape
    )


def test_one_trace_serves_all_angles() -> None:
    traced = tf.function(rotate)
    for angle in (10.0, 20.0, 30.0):
        traced(tf.zeros([5, 6]), tf.constant(angle))
    assert traced.experimental_get_tracing_count() == 1


def test_a_batch_with_one_angle_and_centre_each() -> None:
    images = np.random.default_rng(0).uniform(size=(3, 7, 9, 2))
    angles, centers = np.array([10.0, -50.0, 180.0]), np.array([[1.0, 2.0], [4.0, 3.0], [0.0, 0.0]])
    result = tf.function(batched(rotate))(images, tf.constant(angles), center=tf.constant(centers))
    for one, image, angle, center in zip(result, images, angles, centers, strict=True):
        np.testing.assert_allclose(one, reference(image, angle, center=center), atol=1e-13)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"order": 7}, UnsupportedArgument, ("order", "7")),
        ({"order": True}, UnsupportedArgument, ("order", "True")),
        ({"mode": "mirror"}, UnsupportedArgument, ("mode", "'mirror'", "'symmetric'", "numpy.pad")),
        ({"angle": math.nan}, OutsideDomain, ("angle", "nan", "finite")),
        ({"angle": math.inf}, OutsideDomain, ("angle", "inf", "finite")),
        ({"angle": "30"}, WrongType, ("angle", "'30'", "real number")),
        ({"angle": [1.0, 2.0]}, OutsideDomain, ("angle", "(2,)", "batched")),
        ({"center": (1.0, math.nan)}, OutsideDomain, ("center", "nan", "finite")),
        ({"center": (1.0, 2.0, 3.0)}, OutsideDomain, ("center", "(3,)")),
        ({"cval": math.inf}, OutsideDomain, ("cval", "inf")),
        ({"image": np.zeros(4)}, OutsideDomain, ("image", "rank 1", "(H, W)")),
        ({"image": np.zeros((2, 2, 2, 2))}, OutsideDomain, ("image", "rank 4", "batched")),
        ({"image": np.zeros((0, 3))}, OutsideDomain, ("image", "no pixels", "shape (0, 3)")),
        ({"image": np.zeros((2, 2), np.complex64)}, OutsideDomain, ("image", "complex64", "tf.cast")),
        ({"image": np.zeros((2, 2), bool), "order": 1}, UnsupportedArgument, ("order", "bool", "float")),
        ({"dtype": "uint8"}, UnsupportedArgument, ("dtype", "preserve_range=True")),
        ({"dtype": "int8"}, UnsupportedArgument, ("dtype", "'int8'", "'uint8'")),
        ({"dtype": "float32", "order": 0}, UnsupportedArgument, ("dtype", "order 0")),
        ({"clip": tf.constant(True)}, UnsupportedArgument, ("clip", "tensor", "tracing")),
    ],
)
def test_mistakes_are_named_while_tracing(
    arguments: dict[str, object], error: type[Exception], words: tuple[str, ...]
) -> None:
    complete = {"image": np.zeros((4, 5), np.float32), "angle": 3.0, **arguments}
    for native in (rotate, tf.function(lambda: rotate(**complete))):
        with pytest.raises(error) as raised:
            native(**(complete if native is rotate else {}))
        assert all(word in str(raised.value) for word in words), raised.value


def test_mistakes_that_show_only_at_run_time() -> None:
    traced = unknown_sizes("float32")
    with pytest.raises(tf.errors.InvalidArgumentError, match="angle"):
        traced(np.zeros((4, 4, 3), np.float32), tf.constant(math.nan, tf.float64))
    with pytest.raises(tf.errors.InvalidArgumentError, match="no pixels"):
        traced(np.zeros((0, 4, 3), np.float32), tf.constant(1.0, tf.float64))
