"""Draws of TensorFlow in ported bodies: from the seed of the element, with TensorFlow's operations."""

from __future__ import annotations

import functools

import numpy as np
import pytest
import tensorflow as tf

from pipeport import meanings, seeds
from pipeport._tensorflow_private import uniform_by
from pipeport._unseeded import SEEDED
from pipeport.errors import OutsideDomain, PortRefused, UnsupportedArgument
from pipeport.porting import Ported, port, sides
from pipeport.porting.frontend import _seeded
from pipeport.porting.frontend._meaning import meaning as of_object

pytestmark = pytest.mark.both

GENERATOR = tf.random.Generator.from_seed(1)
FLOATS = np.random.default_rng(1).random([6, 5, 3], np.float32)
BYTES = (FLOATS * 255).astype(np.uint8)


# Bodies of tf.py_function, which are given tensors.


def flipped_and_lit(image):
    image = tf.image.random_flip_left_right(image)
    image = tf.image.random_flip_up_down(image)
    image = tf.image.random_brightness(image, max_delta=0.2)
    return tf.clip_by_value(image, 0.0, 1.0)


def coloured(image):
    image = tf.cast(image, tf.float32) / 255.0
    image = tf.image.random_contrast(image, 0.8, 1.2)
    image = tf.image.random_saturation(image, lower=0.5, upper=1.5)
    image = tf.image.random_hue(image, 0.08)
    return tf.image.convert_image_dtype(image, tf.uint8, saturate=True)


def cropped(image):
    size = tf.shape(image)
    side = tf.random.uniform([], 2, 5, dtype=tf.int32)
    both = tf.stack([image, tf.reverse(image, [0])])
    part = tf.image.random_crop(both, [2, side, 3, size[2]])
    return tf.image.random_crop(image, (4, 4, 3)), part


def noisy(image):
    strength = tf.random.uniform([], 0.1, 0.7)
    noise = tf.random.normal(tf.shape(image), stddev=strength)
    if tf.random.uniform([]) < 0.5:
        noise = noise * 2.0
    return image + noise + tf.random.normal([3], 2.0, 0.5), tf.random.uniform(image.shape, -20, 20)


def turned(image):
    return tf.image.rot90(image[:5], tf.random.uniform([], 0, 4, tf.int32))


def by_a_generator(image):
    seed = GENERATOR.make_seeds(2)[:, 0]
    image = tf.image.stateless_random_crop(image, [3, 3, 3], seed=seed)
    noise = GENERATOR.normal([3, 3, 3], stddev=0.1) + GENERATOR.uniform([3], -1, 1)
    return image + noise, GENERATOR.uniform_full_int([2], tf.int64)


def shuffled(image):
    return tf.random.shuffle(image), tf.random.shuffle(tf.constant([1, 2, 3, 4]))


@tf.function
def lit(image, most):
    image = tf.image.random_brightness(image, most)
    if tf.reduce_mean(image) > 0.5:
        image += tf.random.uniform([3])
    return image, most


@tf.function
def counted(image, number):
    return image * number, number + 1


@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def spread(row):
    return row + tf.random.normal(tf.shape(row))


class Noise:
    def __init__(self, strength):
        self.strength = strength

    @tf.function(reduce_retracing=True)
    def __call__(self, image):
        return image + tf.random.uniform(tf.shape(image), maxval=self.strength)


NOISE = Noise(0.5)


def in_functions(image):
    image, most = lit(image, 0.2)
    twice = tf.function(lambda image: tf.image.random_flip_up_down(image) * 2)
    return (
        twice(lit(image, most)[0]),
        spread(np.arange(3.0)),
        NOISE.__call__(image),
        counted(image, len(image))[0],
    )


def of_each(image):
    both = tf.stack([image, image + 1])
    lit = tf.map_fn(lambda one: tf.image.random_brightness(one, 0.3) + np.float32(np.random.rand()), both)
    rows = tf.map_fn(spread, tf.reshape(image[..., 0], [-1, 5]))
    sums = tf.map_fn(np.max, both) + tf.cond(tf.reduce_sum(image) > 0, one_number, one_number)
    grid = tf.map_fn(lambda row: tf.map_fn(lambda one: one + tf.random.uniform([]), row), rows)
    pairs = tf.vectorized_map(lambda pair: pair[0] + pair[1] * tf.random.uniform([]), (both, lit))
    return lit, tf.map_fn(tf.image.random_flip_left_right, both), rows, sums, grid, pairs


def one_number():
    return tf.random.uniform([])


# Bodies of tf.numpy_function, which are given arrays and give them.


def of_arrays(image):
    image = tf.image.random_flip_left_right(image).numpy()
    image = image.astype(np.float32) * tf.random.uniform([], 0.5, 1.5).numpy()
    for _ in range(2):
        image = image + tf.random.uniform([3], -1.0, 1.0).numpy()
    return tf.image.random_crop(image, [3, 4, 3]).numpy()


def of_bytes(image):
    image = np.clip(image, 10, 200)
    image = tf.image.random_brightness(image, 0.3)
    image = tf.image.random_contrast(image, 0.5, np.float32(1.5)).numpy()
    height = image.shape[0]
    top = int(tf.random.uniform([], 0, height - 3 + 1, dtype=tf.int32))
    return image[top : top + 3]


def a_batch(image):
    batch = np.stack([image, image[::-1], image + 1])
    batch = tf.image.random_flip_up_down(tf.image.random_flip_left_right(batch))
    return tf.image.random_saturation(batch, 0.2, 2.0).numpy()


def by_partials(image):
    flip = functools.partial(tf.image.random_flip_left_right)
    lit = functools.partial(tf.image.random_brightness, max_delta=0.4)
    for change in (flip, lit, tf.random.shuffle):
        image = change(image)
    return image.numpy()


EAGER = "py_function"
BODIES = [
    (flipped_and_lit, FLOATS, EAGER), (coloured, BYTES, EAGER), (cropped, BYTES, EAGER),
    (noisy, FLOATS, EAGER), (turned, BYTES, EAGER), (by_a_generator, FLOATS, EAGER), (shuffled, BYTES, EAGER),
    (in_functions, FLOATS, EAGER), (of_each, FLOATS, EAGER),
    (of_arrays, BYTES, None), (of_bytes, BYTES, None), (a_batch, BYTES, None), (by_partials, FLOATS, None),
]  # fmt: skip
# TensorFlow's operations differ between XLA and its kernels: of colours by rounding, of one size by itself.
NEARLY = {coloured: 1, of_bytes: 1, a_batch: 1}
NOT_COMPILED = (cropped, by_a_generator, of_bytes)  # sizes that are drawn, stateless draws of two algorithms


def equal(found, right, *, where, levels=0):
    found, right = tf.nest.flatten(found), tf.nest.flatten(right)
    for ours, theirs in zip(found, right, strict=True):
        ours, theirs = np.asarray(ours), np.asarray(theirs)
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape), where
        if ours.dtype.kind == "f":
            np.testing.assert_allclose(ours, theirs, 2e-6, 2e-6, err_msg=where)
        else:
            away = np.abs(ours.astype(np.int64) - theirs.astype(np.int64))
            assert away.max(initial=0) <= levels, where


@pytest.mark.parametrize(("body", "x", "wrapper"), BODIES, ids=lambda one: getattr(one, "__name__", ""))
def test_in_every_mode(body, x, wrapper):
    ported = Ported(body, wrapper=wrapper) if wrapper else Ported(body)

    def step(seed, image):
        with seeds.ambient(seed):
            return ported(image)

    def graph(shape, **options):
        specs = [tf.TensorSpec([2], tf.int64), tf.TensorSpec(shape, x.dtype)]
        return tf.function(step, input_signature=specs, autograph=False, **options)

    graphs = {"sizes": graph(x.shape), "no sizes": graph([None, None, 3])}
    if body not in NOT_COMPILED:
        graphs["compiled"] = graph(x.shape, jit_compile=True)
    own, right = seeds.fold_in(np.array([3, 0], np.int64), 0), []  # as seeded_map derives them
    for number in range(3):
        seed = seeds.fold_in(own, number)
        old, new = sides(ported, seed)
        right.append(new(x.copy()))
        for ours, theirs in zip(tf.nest.flatten(right[-1]), tf.nest.flatten(old(x.copy())), strict=True):
            np.testing.assert_array_equal(ours, theirs, err_msg=f"original, {number}", strict=True)
        for mode, run in graphs.items():
            levels = NEARLY.get(body, 0) if mode == "compiled" else 0
            equal(run(seed, x), right[-1], where=f"{mode}, {number}", levels=levels)
    data = tf.data.Dataset.from_tensors(x).repeat(3).apply(seeds.seeded_map(ported, 3, epoch=0))
    for number, one in enumerate(data):
        equal(one, right[number], where=f"map, {number}")
    assert any(
        not np.array_equal(one, other)
        for one, other in zip(tf.nest.flatten(right[0]), tf.nest.flatten(right[1]), strict=True)
    )


def test_uniform_draws_are_the_same_bits_in_every_mode():
    """XLA would contract the product and the sum of a range that is not one apart."""

    def body(x):
        dtypes = (tf.float16, tf.float32, tf.float64)
        return tuple(tf.random.uniform([64], -20, 20.5, dtype) + tf.cast(x, dtype) * 0 for dtype in dtypes)

    ported = port(body, wrapper="py_function")

    def step(x):
        with seeds.ambient((1, 2)):
            return ported(x)

    x = np.zeros([], np.float32)
    right = step(tf.constant(x))
    for options in ({}, {"jit_compile": True}):
        found = tf.function(step, autograph=False, **options)(tf.constant(x))
        for ours, theirs in zip(found, right, strict=True):
            np.testing.assert_array_equal(ours, theirs)


# Distributions. Of 400 draws; the limits are four standard deviations away, or more.


ONE = np.zeros([1], np.float32)


def drawn(body, x=ONE, count=400):
    data = tf.data.Dataset.from_tensors(x).repeat(count).apply(seeds.seeded_map(port(body), 7, epoch=0))
    return np.stack([np.asarray(one) for one in data])


@pytest.mark.parametrize("flip", [tf.image.random_flip_left_right, tf.image.random_flip_up_down])
@pytest.mark.parametrize("batch", [(), (3,)])
def test_half_of_the_images_is_flipped(flip, batch):
    x = np.broadcast_to(np.arange(4, dtype=np.int32).reshape(2, 2, 1), (*batch, 2, 2, 1))
    found = drawn(flip, x)
    flips = (found != x).any(axis=(-1, -2, -3))
    assert flips.shape == (400, *batch)
    assert (np.abs(flips.mean(0) - 0.5) < 0.1).all()
    if batch:  # each image by itself: all alike a quarter of the time
        alike = (flips == flips[:, :1]).all(1).mean()
        assert abs(alike - 0.25) < 0.1


@pytest.mark.parametrize(
    ("body", "low", "high"),
    [
        (lambda x: tf.image.random_brightness(tf.zeros([1, 1, 3]), 0.25)[0, 0, 0] + x[0], -0.25, 0.25),
        (lambda x: tf.image.random_contrast([[[-1.0], [1.0]]], 0.5, 3)[0, 1, 0] + x[0], 0.5, 3),
        (lambda x: tf.random.uniform([], -2, 5.5) + x[0], -2, 5.5),
        (lambda x: tf.random.uniform([]) + x[0], 0, 1),
        (lambda x: tf.random.uniform([], maxval=3.0, dtype="float64"), 0, 3),
        (lambda x: tf.random.uniform([], dtype=tf.float16), 0, 1),
        (lambda x: GENERATOR.uniform([], 1.0, 2.0) + x[0], 1, 2),
    ],
)  # fmt: skip
def test_factors_fill_their_range(body, low, high):
    found = np.sort((drawn(body).astype(np.float64) - low) / (high - low))
    assert found[0] >= -1e-6
    assert found[-1] <= 1 + 1e-6
    steps = np.arange(1, 401) / 400
    assert np.abs(found - steps).max() < 0.09  # Kolmogorov and Smirnov: 0.2 % of uniform draws


def test_hue_and_saturation_change_within_their_range():
    x = np.array([[[0.6, 0.3, 0.3]]], np.float32)

    def saturation(image):
        return 1 - image.min((-1, -2, -3)) / image.max((-1, -2, -3))

    found = saturation(drawn(lambda x: tf.image.random_saturation(x, 0.5, 1.5), x))
    assert 0.25 - 1e-5 <= found.min() < 0.27
    assert 0.73 < found.max() <= 0.75 + 1e-5
    hues = drawn(lambda x: tf.image.random_hue(x, 1 / 6), x)[:, 0, 0]
    assert np.allclose(hues[:, 0], 0.6, atol=1e-5)  # red stays the largest from -60 to 60 degrees
    assert 0.55 < hues[:, 1].max() <= 0.6 + 1e-5
    assert 0.55 < hues[:, 2].max() <= 0.6 + 1e-5


def counts(found, values):
    return np.array([(found == one).mean() for one in values])


@pytest.mark.parametrize("dtype", [tf.int32, tf.int64])
def test_whole_numbers_are_equally_likely(dtype):
    found = drawn(lambda x: tf.random.uniform([], -2, 3, dtype))
    assert found.dtype == dtype.as_numpy_dtype
    shares = counts(found, range(-2, 3))
    assert shares.sum() == 1
    assert (np.abs(shares - 0.2) < 0.08).all()


def test_crops_are_equally_likely():
    x = np.arange(6, dtype=np.int32).reshape(2, 3)
    found = drawn(lambda x: tf.image.random_crop(x, [1, 2]), x)
    assert (found[:, 0, 1] == found[:, 0, 0] + 1).all()
    shares = counts(found[:, 0, 0], [0, 1, 3, 4])
    assert shares.sum() == 1
    assert (np.abs(shares - 0.25) < 0.09).all()


def test_qualities_leave_out_the_largest():
    def body(x):
        return tf.image.random_jpeg_quality(x, 20, 23)

    found = drawn(body, BYTES)
    images = [tf.image.adjust_jpeg_quality(BYTES, quality).numpy() for quality in (20, 21, 22)]
    shares = np.array([(found == one).all((1, 2, 3)).mean() for one in images])
    assert shares.sum() == 1
    assert (np.abs(shares - 1 / 3) < 0.1).all()


def test_orders_are_equally_likely():
    found = drawn(tf.random.shuffle, np.arange(3))
    shares = counts(found @ [9, 3, 1], [5, 7, 11, 15, 19, 21])
    assert shares.sum() == 1
    assert (np.abs(shares - 1 / 6) < 0.08).all()


def test_normal_draws():
    found = drawn(lambda x: tf.random.normal([8], 3.0, [2.0] * 8) + x[0]).ravel()
    assert abs(found.mean() - 3) < 0.15
    assert abs(found.std() - 2) < 0.1
    assert abs((np.abs(found - 3) < 2).mean() - 0.6827) < 0.04


def test_each_call_draws_by_itself():
    found = drawn(lambda x: tf.stack([tf.random.uniform([]), tf.random.uniform([]), GENERATOR.uniform([])]))
    assert (np.abs(np.corrcoef(found.T) - np.eye(3)) < 0.2).all()


# Shapes, arguments, refusals.


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (tf.image.random_flip_left_right, ()), (tf.image.random_flip_up_down, ()),
        (tf.image.random_brightness, (0.2,)), (tf.image.random_contrast, (0.5, 1.5)),
        (tf.image.random_saturation, (0.5, 1.5)), (tf.image.random_hue, (0.2,)),
        (tf.image.random_jpeg_quality, (20, 30)), (tf.image.random_crop, ([2, 3, 3],)),
        (tf.random.shuffle, ()),
    ],
)  # fmt: skip
@pytest.mark.parametrize("shape", [(6, 5, 3), (None, 5, 3), (None, None, 3)])
@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_dtype_and_static_shape_are_those_of_tensorflow(function, arguments, shape, dtype):
    def traced(called):
        def step(x):
            with seeds.ambient((1, 2)):
                return called(x)

        spec = tf.TensorSpec(shape, dtype)
        return tf.function(step, autograph=False).get_concrete_function(spec).structured_outputs

    ours = traced(port(lambda x: function(x, *arguments), wrapper="py_function"))
    theirs = traced(lambda x: function(x, *arguments))
    assert (ours.dtype, ours.shape.as_list()) == (theirs.dtype, theirs.shape.as_list())


@pytest.mark.parametrize(
    ("body", "error", "message"),
    [
        (lambda x: tf.image.random_flip_left_right(x, seed=1), UnsupportedArgument, "seed: got 1.*seeded"),
        (lambda x: tf.random.uniform([2], seed=7), UnsupportedArgument, "seed: got 7.*seeded_map"),
        (lambda x: tf.image.random_crop(x, [9, 1, 3]), OutsideDomain, "size: got .*longer"),
        (lambda x: tf.image.random_crop(x, [-1, 1, 3]), OutsideDomain, "size: got .*negative"),
        (lambda x: tf.image.random_brightness(x, -0.1), OutsideDomain, "max_delta: got -0.1.*from 0"),
        (lambda x: tf.image.random_hue(x, 0.6), OutsideDomain, "max_delta: got 0.6.*to 0.5"),
        (lambda x: tf.image.random_contrast(x, 2, 1), OutsideDomain, "lower, upper: got 2 and 1"),
        (lambda x: tf.image.random_jpeg_quality(x, 50, 101), OutsideDomain, "quality: got 50 and 101"),
        (lambda x: tf.image.random_flip_left_right(x[0]), OutsideDomain, "image: got shape .*3 axes"),
        (lambda x: tf.image.random_flip_left_right(x[:0]), OutsideDomain, "image: got a side of no pixels"),
        (lambda x: tf.random.uniform([2], dtype=tf.int32), OutsideDomain, "maxval: got None"),
        (lambda x: tf.random.uniform([2], 3, 3, tf.int32), OutsideDomain, "maxval: got an empty range"),
        (lambda x: tf.random.uniform(2), OutsideDomain, "shape: got 2"),
        (lambda x: tf.random.normal([2], dtype=tf.bfloat16), UnsupportedArgument, "dtype: got bfloat16"),
        (lambda x: tf.random.set_seed(1), PortRefused, "set_seed.*It would seed once"),
        (lambda x: tf.keras.utils.set_random_seed(1), PortRefused, "set_random_seed.*It would seed once"),
        (lambda x: tf.random.Generator.from_seed(1).normal([2]), PortRefused, "outside of the seed"),
    ],
)  # fmt: skip
def test_what_is_refused(body, error, message):
    with pytest.raises(error, match=f"(?s){message}"), seeds.ambient((1, 2)):
        port(body)(FLOATS)


def drawn_sum(total, one):
    return total + one * tf.random.uniform([])


@pytest.mark.parametrize(
    "body",
    [
        lambda x: tf.scan(drawn_sum, x),
        lambda x: tf.foldl(drawn_sum, x),
        lambda x: tf.while_loop(lambda k, _: k < 3, lambda k, x: (k + 1, drawn_sum(x, x)), (0, x))[1],
    ],
)
def test_draws_in_loops_of_tensorflow_are_refused_in_graphs(body):
    @tf.function(autograph=False)
    def run(x):
        with seeds.ambient((1, 2)):
            return port(body, wrapper="py_function")(x)

    for shape in ([6, 5, 3], [None, None, 3], None):
        with pytest.raises(UnsupportedArgument, match="inside a graph loop") as caught:
            run.get_concrete_function(tf.TensorSpec(shape, tf.float32))
        assert "test_tensorflow_draws.py" in "".join(caught.value.__notes__)


def in_python(image):
    assert type(image) is np.ndarray
    return image.sum()


def test_a_function_that_tensorflow_hands_to_python_stays_as_it_is():
    ported = port(lambda x: tf.numpy_function(in_python, [x], tf.float32), wrapper="py_function")
    np.testing.assert_array_equal(tf.function(ported)(FLOATS), FLOATS.sum())


@tf.function
def not_served(x):
    return tf.random.gamma([], x)


def test_calls_in_a_function_of_tensorflow_are_checked_beforehand():
    with pytest.raises(PortRefused, match=r"not_served|tf\.random\.gamma\(\[\], x\)"):
        port(lambda x: not_served(x) * 2)


def test_bounds_that_only_the_graph_knows_are_checked_there():
    ported = port(lambda x: tf.image.random_contrast(x, x.max(), 2.0))

    @tf.function(autograph=False)
    def step(x):
        with seeds.ambient((1, 2)):
            return ported(x)

    assert step(FLOATS).shape == FLOATS.shape
    with pytest.raises(tf.errors.InvalidArgumentError, match="lower, upper: got"):
        step(FLOATS * 9)


def test_text_and_objects_name_the_same_draws():
    named = {*_seeded._FUNCTIONS, *(f"random.Generator.{one}" for one in _seeded._METHODS)}
    assert named == SEEDED
    for name in SEEDED:
        module, _, rest = name.partition(".")
        found = GENERATOR if rest.startswith("Generator.") else getattr(tf, module)
        one = of_object(getattr(found, rest.removeprefix("Generator.")))
        assert (one.kind, one.name) == (meanings.DRAW, f"tensorflow.{name}")
        assert meanings.meaning(one.name).kind == meanings.DRAW
        takes_seed = not rest.startswith("Generator.")
        assert list(meanings.refused_parameters(one.name)) == ["seed"] * takes_seed
    for old in ("random_uniform", "random_normal", "random_shuffle", "random_crop"):
        assert of_object(getattr(tf.compat.v1, old)).kind == meanings.DRAW
        assert meanings.meaning(f"tensorflow.compat.v1.{old}").kind == meanings.DRAW


def test_an_original_that_asks_for_another_draw_is_noticed():
    one = of_object(tf.image.random_brightness).function
    image = tf.constant(FLOATS)
    right = one.again(tf.image.random_brightness, [np.float32(0.25)], (image, 0.3), {})
    np.testing.assert_array_equal(right, image + 0.25)
    for recorded in (np.float32(0.35), np.float64(0.1), np.zeros([1], np.float32)):
        with pytest.raises(PortRefused, match="random_brightness: got a draw"):
            one.again(tf.image.random_brightness, [recorded], (image, 0.3), {})


def test_draws_of_an_original_are_its_own_again_afterwards():
    with uniform_by(lambda *_, **__: tf.constant(0.5)):
        np.testing.assert_array_equal(tf.image.random_brightness(FLOATS, 0.2), FLOATS + np.float32(0.5))
    assert not np.array_equal(tf.image.random_brightness(FLOATS, 0.2), FLOATS + np.float32(0.5))
