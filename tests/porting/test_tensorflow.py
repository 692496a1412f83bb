"""TensorFlow's own functions in ported bodies: arrays are cast as NumPy's are, results promote as tensors."""

from __future__ import annotations

import functools

import numpy as np
import pytest
import tensorflow as tf

from pipeport.errors import PortRefused, WrongType
from pipeport.porting import port
from tests.porting.modes import agrees

WEIGHTS = tf.constant([0.5, 2.0], tf.float32)


def converted(x):
    return (
        tf.convert_to_tensor(x, dtype=tf.float32),
        tf.convert_to_tensor(x, tf.uint8),
        tf.constant(x, tf.int32),
        tf.constant(x * 2, dtype="float64", shape=[4]),
        tf.constant(x[0, 0], tf.float16, shape=[2]),
        tf.cast(x, tf.float16),
        tf.constant([1, 2], tf.int64),
        functools.partial(tf.constant, dtype=tf.float16)(x),
    )


def promoted(x):
    root = tf.sqrt(tf.cast(x, tf.float32))
    return (
        root * np.ones(2), np.ones(2) * root, root - x, x - root, root / 2, 2 / root, root[0] + np.float64(1),
        -root * x.astype(np.float64), (root > x)[0], root @ x.astype(np.float64), root**2, WEIGHTS[0] * x,
        root.numpy() * np.ones(2),
    )  # fmt: skip


def divided(x):
    return (
        tf.identity(x) / 2,
        7 / tf.identity(x),
        tf.identity(x.astype(np.int32)) / x,
        x / np.ones(2, np.float32),
    )


def mixed(x):
    half = tf.constant([0.5, 1.5])
    where = tf.where(x > 2, x.astype(np.float64), half * 2)
    return (
        tf.multiply(half, x.astype(np.float64)), tf.multiply(x.astype(np.float64), half), where,
        tf.gather(x, np.array([1, 0])), tf.clip_by_value(tf.cast(x, tf.float32), 0, x.max()),
        tf.stack([half, x[0].astype(np.float64)]), tf.image.resize(x[..., None], np.array([4, 2])),
        tf.add(x, np.array([[1.5, 2.5]])),
    )  # fmt: skip


def in_place(x):
    y = x.astype(np.float64)
    y *= tf.constant([0.5, 2.0])
    z = tf.cast(x, tf.float32)
    for _ in range(3):
        z += y.numpy()
    return y, z, x


def asked(x):
    if not tf.executing_eagerly() or tf.inside_function():
        return x * 0
    return (
        x
        + (1 if tf.is_tensor(tf.identity(x)) and isinstance(tf.identity(x), tf.Tensor) else 3)
        + tf.is_tensor(x)
    )


def chosen(x):
    y = tf.cast(x, tf.float32)
    y = y * np.float64(2) if x.max() > 3 else y / 2
    while tf.reduce_sum(y) < 100:
        y = y * np.array([1.5, 2])
    return y * np.ones(2)


BODIES = [converted, promoted, divided, mixed, in_place, asked, chosen]


@pytest.mark.parametrize("dtype", ["uint8", "float64"])
@pytest.mark.parametrize("function", BODIES)
def test_as_in_python(function, dtype):
    x = np.array([[3, 2], [1, 4]], dtype)
    right = function(x.copy())
    ported = port(function)
    data = tf.data.Dataset.from_tensors(x)
    unknown = data.padded_batch(1, [None, None]).unbatch()
    for found in [ported(x.copy()), next(iter(data.map(ported))), next(iter(unknown.map(ported)))]:
        rows = zip(tf.nest.flatten(found), right if isinstance(right, tuple) else [right], strict=True)
        for number, (ours, theirs) in enumerate(rows):
            ours, theirs = np.asarray(ours), np.asarray(theirs)
            assert (number, ours.dtype, ours.shape) == (number, theirs.dtype, theirs.shape)
            np.testing.assert_allclose(ours, theirs, rtol=1e-6)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: tf.identity(x) * tf.constant(2.0),
        lambda x: tf.identity(x) * 0.5,
        lambda x: 0.5 + tf.identity(x),
    ],
)
def test_tensors_of_two_dtypes_are_refused_as_in_python(function):
    x = np.ones([2], np.int32)
    with pytest.raises((TypeError, tf.errors.InvalidArgumentError)):
        function(x)
    with pytest.raises(WrongType, match=r"a tensor of int32 and .*tf\.cast"):
        port(function)(x)


GENERATOR = tf.random.Generator.from_seed(1)
LAYER = tf.keras.layers.RandomFlip()


@pytest.mark.parametrize(
    "function",
    [
        LAYER,
        lambda x: -LAYER(x), lambda x: tf.nn.dropout(x, .5), tf.random.truncated_normal,
        lambda x: x + tf.random.truncated_normal([3]), lambda x: GENERATOR.truncated_normal([3]) + x,
        lambda x: x + tf.random.gamma([3], 1.0),
        lambda x: tf.compat.v1.truncated_normal([3]) + x,
    ],
)  # fmt: skip
def test_draws_outside_of_the_seed_are_refused_by_name(function):
    x = np.ones([4, 4, 3], np.float32)
    with pytest.raises(PortRefused, match=r"(?s)(?i)(random|dropout|normal|gamma).*outside of the seed"):
        port(function)(x)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: tf.image.stateless_random_flip_left_right(x, (1, 2)),
        lambda x: x * tf.random.stateless_uniform([3], (1, 2)),
        lambda x: tf.image.adjust_contrast(x, 0.5),
    ],
)
def test_draws_of_a_seed_that_is_given_are_none(function):
    x = np.random.default_rng(3).random([4, 4, 3], np.float32)
    found = next(iter(tf.data.Dataset.from_tensors(x).map(port(function, example=x))))
    np.testing.assert_allclose(found, function(x), rtol=1e-6)


def constants_of_a_length(x):
    n = len(x)
    return (
        tf.constant(n), tf.constant(x.shape[0]), tf.convert_to_tensor(n), tf.constant(n * 0.1),
        tf.constant(n > 2),
        tf.constant(n * 0.1, tf.float64), tf.constant([n * 0.1, 2], tf.float64), tf.constant([n, 2.5]),
        tf.constant([[n, 1], [2, 3]]), tf.constant(n, shape=[2]), tf.stack([n, 3]), tf.expand_dims(n, 0),
    )  # fmt: skip


def made_of_a_length(x):
    n = x.shape[0]
    return (
        tf.range(n), tf.range(0, n, 2), tf.range(0.0, n, 0.5), tf.fill([n, 2], 0.5), tf.zeros(n),
        tf.ones((2, n)), tf.linspace(0.0, 1.0, n), tf.one_hot(n, 5), tf.sequence_mask([n, 1]),
        tf.cast(n, tf.float32), tf.eye(n),
    )  # fmt: skip


def beside_a_length(x):
    n = len(x)
    return (
        tf.maximum(n, 3), tf.add(x, n), tf.add(tf.shape(x)[0], n), tf.add(tf.size(x, tf.int64), n),
        tf.divide(n, 2),
        tf.pow(x, n), tf.math.log(float(n)), tf.where(x > 2, n, 0), tf.clip_by_value(x, 0.0, n * 0.5),
        tf.reshape(x, [n, -1]), tf.slice(x, [0, 0], [n - 1, 2]), tf.pad(x, [[0, n], [1, 0]]),
        tf.tile(x, [n, 1]), tf.gather(x, n - 1), tf.concat([x, x], n - n), tf.roll(x, n - 1, 0),
    )  # fmt: skip


def images_of_a_length(x):
    image, height, width = x[..., None], x.shape[0], x.shape[1]
    return (
        tf.image.resize_with_crop_or_pad(image, height // 2, width),
        tf.image.resize(image, [height // 2, width]),
        tf.image.crop_to_bounding_box(image, 0, 0, height - 1, width - 1),
        tf.image.pad_to_bounding_box(image, 1, 1, height + 2, width + 3), tf.image.rot90(image, k=height),
    )  # fmt: skip


@pytest.mark.parametrize(
    "body", [constants_of_a_length, made_of_a_length, beside_a_length, images_of_a_length]
)
def test_sizes_are_numbers_of_python_to_tensorflow(body):
    x = np.arange(12, dtype=np.float32).reshape(4, 3)
    ported = port(body, wrapper="py_function")
    for shape in ("eager", [4, 3], [None, None]):
        run = ported
        if shape != "eager":
            run = tf.function(
                ported.__call__, input_signature=[tf.TensorSpec(shape, x.dtype)], autograph=False
            )
        agrees(run(x), body(tf.constant(x)), where=str(shape), relative=1e-6)


SIDES = (1, 3, 6, 7, 8, 9, 10, 11, 15, 16, 19, 20, 21, 23, 30, 33, 40, 41, 49, 50, 65, 97)


@pytest.mark.parametrize("shape", [[None, None, 1], [None, 40, 1], [1, None, None, None]])
def test_a_central_crop_of_unknown_sizes(shape):
    def body(x, drawn, strength):
        fractions = (0.85, 0.3, 1 / 3, 0.1, np.float32(0.85), drawn, float(strength) * 0.1, 1.0)
        return [tf.image.central_crop(x, one) for one in fractions]

    ported = port(body, wrapper="py_function")
    specs = [tf.TensorSpec(shape, tf.float32), tf.TensorSpec([], tf.float32), tf.TensorSpec([], tf.int64)]
    run = tf.function(ported.__call__, input_signature=specs, autograph=False)
    if shape == [None, 40, 1]:
        concrete = run.get_concrete_function()
        assert concrete.structured_outputs[0].shape.as_list() == [None, 34, 1]
    for height, width in zip(SIDES, SIDES[::-1], strict=True):
        image = np.random.default_rng(height).random([height, 40 if 40 in shape else width, 1], np.float32)
        image = image[None] if len(shape) == 4 else image
        drawn, strength = np.float32(0.3), 3 + 5 * (height % 2)
        right = body(tf.constant(image), tf.constant(drawn), strength)
        agrees(run(image, drawn, strength), right, where=f"{height}, {width}")
    with pytest.raises(tf.errors.InvalidArgumentError, match="central_fraction"):
        run(image, np.float32(1.5), 3)
